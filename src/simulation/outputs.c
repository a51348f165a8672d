// Values that follow from the state: outputs, their time derivatives and directional derivatives.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/scheme.h"
#include "simulation/simulation_struct.h"

static Configuration configuration(Simulation* simulation) {
    State* s = &simulation->state;
    return system_configuration(&simulation->model.system, state_time(s), s, s->q, s->u,
                                &simulation->workspace);
}

static void contact_outputs(const State* s, int k, double* y) {
    const ContactOutputs outputs = {
        .gap = s->g_N[k],
        .sliding_velocity = s->gamma[CONTACT_ROWS * k + ROW_F],
        .normal_percussion = s->P[CONTACT_ROWS * k + ROW_N],
        .friction_percussion = s->P[CONTACT_ROWS * k + ROW_F],
        .state = s->contact_state[k],
        .closed = s->contact_state[k] != CONTACT_OPEN,
    };
    memcpy(y, &outputs, sizeof outputs);
}

static void solver_outputs(const System* sys, const State* s, double* y) {
    double penetration = 0.0;
    for (int k = 0; k < sys->n_contacts; k++) {
        penetration = fmax(penetration, 0.0 - s->g_N[k]);
    }
    const SolverOutputs outputs = {
        .iterations = (double)s->head->iterations,
        .residual = s->head->residual,
        .penetration = penetration,
        .retried_steps = (double)s->head->n_retried,
        .failed_steps = (double)s->head->n_failed,
        .last_impact_time = s->head->last_impact_time,
    };
    memcpy(y, &outputs, sizeof outputs);
}

Status simulation_update_outputs(Simulation* simulation, bool accelerations) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    if (s->head->phase == PHASE_SET_UP) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has no start yet");
    }
    if (accelerations && !simulation->a_valid) {
        const Status status =
            scheme_accelerations(sys, state_time(s), s, &simulation->workspace, simulation->a);
        if (status != STATUS_OK) {
            return simulation_fail(simulation, STATUS_NOT_AVAILABLE,
                                   "the accelerations at t = %.9g s are not defined: %s",
                                   state_time(s), status_text(status));
        }
        simulation->a_valid = true;
        simulation->y_valid = false;
    }
    if (simulation->y_valid) {
        return STATUS_OK;
    }
    const Configuration c = configuration(simulation);
    double* y = simulation->y;
    for (int i = 0; i < sys->n_elements; i++) {
        const Element* element = &sys->elements[i];
        if (element->kind->output != NULL) {
            element->kind->output(element, &c, simulation->a, y + element->y.at);
        } else if (element->kind == &solver_kind) {
            solver_outputs(sys, s, y + element->y.at);
        }
    }
    for (int k = 0; k < sys->n_contacts; k++) {
        contact_outputs(s, k, y + sys->contacts[k].element->y.at);
    }
    double* energy = y + variables_element_outputs(&simulation->model);
    energy[ENERGY_KINETIC] = system_kinetic_energy(sys, &simulation->workspace, s->u);
    energy[ENERGY_POTENTIAL] = system_potential_energy(sys, &simulation->workspace, &c);
    energy[ENERGY_TOTAL] = energy[ENERGY_KINETIC] + energy[ENERGY_POTENTIAL];
    simulation->y_valid = true;
    return STATUS_OK;
}

Status simulation_get(Simulation* simulation, int index, double* value) {
    if (index < 0 || index >= simulation->variables.n_variables) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "there is no variable %d", index);
    }
    const Variable* variable = &simulation->variables.variables[index];
    switch (variable->store) {
        case STORE_PARAMETER:
            *value = simulation->state.p[variable->at];
            return STATUS_OK;
        case STORE_INPUT:
            *value = simulation->state.input[variable->at];
            return STATUS_OK;
        case STORE_TIME:
            *value = simulation_time(simulation);
            return STATUS_OK;
        case STORE_OUTPUT: {
            const Status status =
                simulation_update_outputs(simulation, variable->from_accelerations);
            if (status == STATUS_OK) {
                *value = simulation->y[variable->at];
            }
            return status;
        }
        case STORE_MESSAGE:
            break;
    }
    return simulation_fail(simulation, STATUS_NOT_ALLOWED, "%s is a text", variable->name);
}

Status simulation_get_string(const Simulation* simulation, int index, const char** text) {
    if (index < 0 || index >= simulation->variables.n_variables ||
        simulation->variables.variables[index].store != STORE_MESSAGE) {
        return STATUS_NOT_ALLOWED;
    }
    const StateHead* head = simulation->state.head;
    *text = head->n_failed > 0 ? status_text((Status)head->failure) : "";
    return STATUS_OK;
}

// --- time derivatives ---

// u^T M a
static double kinetic_rate(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    double rate = 0.0;
    system_mass_multiply(sys, w, simulation->a, w->r);
    for (int i = 0; i < sys->nu; i++) {
        rate += simulation->state.u[i] * w->r[i];
    }
    return rate;
}

static Status energy_rate(Simulation* simulation, int which, double* value) {
    const Status status = simulation_update_outputs(simulation, which != ENERGY_POTENTIAL);
    if (status != STATUS_OK) {
        return status;
    }
    const Configuration c = configuration(simulation);
    const double potential =
        system_potential_rate(&simulation->model.system, &simulation->workspace, &c);
    const double kinetic = which != ENERGY_POTENTIAL ? kinetic_rate(simulation) : 0.0;
    *value = which == ENERGY_KINETIC ? kinetic : kinetic + potential;
    return STATUS_OK;
}

// g_N_dot, or gamma_F_dot = W_F^T a + zeta_F
static Status contact_rate(Simulation* simulation, int k, int row, double* value) {
    const System* sys = &simulation->model.system;
    if (row == ROW_N) {
        *value = simulation->state.gamma[CONTACT_ROWS * k + ROW_N];
        return STATUS_OK;
    }
    const Status status = simulation_update_outputs(simulation, true);
    if (status != STATUS_OK) {
        return status;
    }
    const Configuration c = configuration(simulation);
    ContactBlock block;
    system_contact(sys, &c, k, &block);
    *value =
        system_contact_dot(&sys->contacts[k], block.W[ROW_F], simulation->a) + block.zeta[ROW_F];
    return STATUS_OK;
}

Status simulation_get_derivative(Simulation* simulation, int index, double* value) {
    const VariableTable* table = &simulation->variables;
    const System* sys = &simulation->model.system;
    if (index < 0 || index >= table->n_variables || table->variables[index].type != VARIABLE_REAL ||
        table->variables[index].store != STORE_OUTPUT) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED,
                               "only real outputs have time derivatives");
    }
    const Variable* variable = &table->variables[index];
    if (simulation->state.head->phase == PHASE_SET_UP) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has no start yet");
    }
    if (variable->derivative >= 0) {
        return simulation_get(simulation, variable->derivative, value);
    }
    const int n_y = variables_element_outputs(&simulation->model);
    if (variable->at >= n_y) {
        return energy_rate(simulation, variable->at - n_y, value);
    }
    for (int k = 0; k < sys->n_contacts; k++) {
        const int output = variable->at - sys->contacts[k].element->y.at;
        if (output == 0 || output == 1) {  // gap and sliding velocity
            return contact_rate(simulation, k, output == 0 ? ROW_N : ROW_F, value);
        }
    }
    return simulation_fail(simulation, STATUS_NOT_AVAILABLE, "%s has no time derivative",
                           variable->name);
}
