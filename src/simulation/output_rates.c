// Time derivatives of outputs.
#include "simulation/simulation_struct.h"

// u^T M a
static double kinetic_rate(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    double rate = 0.0;
    system_mass_multiply(sys, &w->present, simulation->a, w->solution);
    for (int i = 0; i < sys->nu; i++) {
        rate += simulation->state.u[i] * w->solution[i];
    }
    return rate;
}

static Status energy_rate(Simulation* simulation, int which, double* value) {
    Status status =
        simulation_update_outputs(simulation, OUTPUT_ENERGIES, which != ENERGY_POTENTIAL);
    if (status == STATUS_OK && which != ENERGY_POTENTIAL) {
        status = simulation_require_accelerations(simulation);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const Instant* c = simulation_present(simulation);
    const double potential = system_potential_rate(&simulation->model.system, c);
    const double kinetic = which != ENERGY_POTENTIAL ? kinetic_rate(simulation) : 0.0;
    *value = which == ENERGY_KINETIC ? kinetic : kinetic + potential;
    return STATUS_OK;
}

// g_N_dot, or gamma_F_dot = W_F^T a + zeta_F of friction row i; prescribed motions are in zeta
static Status contact_rate(Simulation* simulation, int k, int i, double* value) {
    const System* sys = &simulation->model.system;
    const Link* link = &sys->laws[k];
    if (i < 0) {
        workspace_update_laws(sys, simulation_time(simulation), &simulation->state,
                              &simulation->workspace);
        *value = simulation->workspace.gamma[link->la.at];
        return STATUS_OK;
    }
    Status status = simulation_update_outputs(simulation, OUTPUT_ELEMENTS, true);
    if (status == STATUS_OK) {
        status = simulation_require_accelerations(simulation);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const Instant* c = simulation_present(simulation);
    const double scale = i == 1 ? c->properties->p[link->element->p.at + FRICTION_RATIO] : 1.0;
    Rows rows;
    system_rows(c, link, true, &rows);
    *value = (system_row_dot(c, link, rows.W[1 + i], simulation->a) + rows.zeta[1 + i]) / scale;
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
        return simulation_get_defined(simulation, variable->derivative, value);
    }
    const int n_y = variables_element_outputs(&simulation->model);
    if (variable->at >= n_y && variable->at - n_y <= ENERGY_TOTAL) {
        return energy_rate(simulation, variable->at - n_y, value);
    }
    for (int k = 0; k < sys->n_fixed; k++) {
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
