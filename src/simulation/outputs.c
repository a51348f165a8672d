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

// In the order of the contact's tables: gap, state, closed, percussions, sliding velocities. Scaled
// rows (elliptic friction) are given in unscaled components.
static void contact_outputs(const System* sys, const State* s, int k, double* y) {
    const Link* link = &sys->laws[k];
    const double* P = s->P + link->la.at;
    const double* gamma = s->gamma + link->la.at;
    const int n_F = link->la.n - 1;
    *y++ = s->g_N[k];
    *y++ = s->contact_state[k];
    *y++ = s->contact_state[k] != CONTACT_OPEN;
    *y++ = P[0];
    for (int i = 0; i < n_F; i++) {
        const double c = i == 1 ? s->p[link->element->p.at + FRICTION_RATIO] : 1.0;
        y[i] = c * P[1 + i];
        y[n_F + i] = gamma[1 + i] / c;
    }
}

static void solver_outputs(Simulation* simulation, double* y) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    double penetration = 0.0;
    for (int k = 0; k < sys->n_contacts; k++) {
        penetration = fmax(penetration, 0.0 - s->g_N[k]);
    }
    const SolverOutputs outputs = {
        .iterations = (double)s->head->iterations,
        .residual = s->head->residual,
        .penetration = penetration,
        .joint_violation =
            scheme_joint_violation(sys, state_time(s), s, &simulation->workspace).position,
        .retried_steps = (double)s->head->n_retried,
        .failed_steps = (double)s->head->n_failed,
        .last_impact_time = s->head->last_impact_time,
    };
    memcpy(y, &outputs, sizeof outputs);
}

static void joint_outputs(const Configuration* c, const Link* link, double* y) {
    Rows rows;
    system_rows(c, link, false, &rows);
    y[0] = 0.0;
    for (int i = 0; i < link->rows->n_position_rows; i++) {
        y[0] = fmax(y[0], fabs(rows.g[i]));
    }
}

static int find_solver(const System* sys) {
    int i = 0;
    while (sys->elements[i].kind != &solver_kind) {
        i++;
    }
    return i;
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
    double* y = simulation->y;
    const int solver = find_solver(sys);
    solver_outputs(simulation, y + sys->elements[solver].y.at);
    const Configuration c = configuration(simulation);
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->kind->output != NULL) {
            const Surroundings around = {.element = body};
            body->kind->output(&around, &c.frames[body->frame], NULL, s->q + body->q.at,
                               s->u + body->u.at, simulation->a + body->u.at, y + body->y.at);
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        if (link->element->kind->output != NULL) {
            const Surroundings around = system_surroundings(&c, link);
            link->element->kind->output(&around, &c.frames[around.a->frame],
                                        &c.frames[around.b->frame], NULL, NULL, NULL,
                                        y + link->y.at);
        }
    }
    for (int i = 0; i < sys->n_joints; i++) {
        joint_outputs(&c, &sys->joints[i], y + sys->joints[i].y.at);
    }
    for (int k = 0; k < sys->n_contacts; k++) {
        contact_outputs(sys, s, k, y + sys->laws[k].y.at);
    }
    for (int k = sys->n_contacts; k < sys->n_laws; k++) {  // friction in joints
        y[sys->laws[k].y.at] = s->P[sys->laws[k].la.at];
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

// g_N_dot, or gamma_F_dot = W_F^T a + zeta_F of friction row i; prescribed motions are in zeta
static Status contact_rate(Simulation* simulation, int k, int i, double* value) {
    const System* sys = &simulation->model.system;
    const Link* link = &sys->laws[k];
    if (i < 0) {
        *value = simulation->state.gamma[link->la.at];
        return STATUS_OK;
    }
    const Status status = simulation_update_outputs(simulation, true);
    if (status != STATUS_OK) {
        return status;
    }
    const Configuration c = configuration(simulation);
    const double scale = i == 1 ? c.p[link->element->p.at + FRICTION_RATIO] : 1.0;
    Rows rows;
    system_rows(&c, link, true, &rows);
    *value = (system_row_dot(link, rows.W[1 + i], simulation->a) + rows.zeta[1 + i]) / scale;
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
        const Range y = sys->laws[k].y;
        const int n_F = sys->laws[k].la.n - 1;
        const int output = variable->at - y.at;
        const int sliding = output - (y.n - n_F);  // the last n_F outputs
        if (output == 0 || (sliding >= 0 && sliding < n_F)) {
            return contact_rate(simulation, k, output == 0 ? -1 : sliding, value);
        }
    }
    return simulation_fail(simulation, STATUS_NOT_AVAILABLE, "%s has no time derivative",
                           variable->name);
}
