// Directional derivatives of outputs in inputs and tunable parameters at a fixed state, by central
// differences with one step of Richardson extrapolation. The functions are polynomials of low
// degree in almost every known (forces, stiffnesses, gravity), for which this is exact to rounding.
// The contact laws are solved again at each point, so that a kink shows: there the derivatives from
// the two sides differ by an amount that does not shrink with the distance.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "simulation/simulation_struct.h"

typedef struct Direction {
    Simulation* simulation;
    const int* knowns;
    const double* seed;
    int n_knowns;
    double below, above;  // how far the knowns may go along the seed without leaving their ranges
    double distance;
    Status (*take_values)(Simulation* simulation);  // that have been changed
} Direction;

// In a motion: prescribed motions rest where they are, on their way to the new values.
static Status take_in_motion(Simulation* simulation) {
    simulation->state.head->moving = simulation->model.system.n_motions > 0;
    simulation_forget_values(simulation);
    simulation->workspace.laws_known = false;
    simulation_calculate_parameters(simulation, NULL);
    return simulation_check_parameters(simulation);
}

// At the start: the motion starts anew.
static Status take_at_start(Simulation* simulation) {
    const double t_0 = simulation->state.head->t_0;
    simulation_set_up(simulation);
    simulation_calculate_parameters(simulation, NULL);
    const Status status = simulation_check_parameters(simulation);
    return status == STATUS_OK ? simulation_initialize(simulation, t_0, NULL) : status;
}

static double* known_value(const Direction* d, int i) {
    const Variable* variable = &d->simulation->variables.variables[d->knowns[i]];
    State* s = &d->simulation->state;
    return variable->store == STORE_INPUT ? &s->input[variable->at] : &s->p[variable->at];
}

static void set_range(Direction* d) {
    double largest = 0.0;
    d->below = d->above = INFINITY;
    for (int i = 0; i < d->n_knowns; i++) {
        const Variable* variable = &d->simulation->variables.variables[d->knowns[i]];
        const double x = *known_value(d, i);
        const double seed = d->seed[i];
        largest = fmax(largest, fabs(seed) / fmax(1.0, fabs(x)));
        const double up = seed > 0.0 ? (variable->max - x) / seed : (variable->min - x) / seed;
        const double down = seed > 0.0 ? (x - variable->min) / seed : (x - variable->max) / seed;
        if (seed != 0.0) {
            d->above = fmin(d->above, up);
            d->below = fmin(d->below, down);
        }
    }
    d->distance = largest > 0.0 ? 1e-3 / largest : 0.0;
}

// Contacts may have been found elsewhere, and numbered anew.
static Status number_again(Simulation* simulation, Status status) {
    const System* sys = &simulation->model.system;
    Status found = STATUS_OK;
    if (sys->n_colliders > 0 && simulation->state.head->phase != PHASE_SET_UP) {
        found =
            system_update_parameters(sys, simulation->state.p, &simulation->workspace.properties);
        if (found == STATUS_OK) {
            found = simulation_find_contacts(simulation);
        }
    }
    return status == STATUS_OK ? found : status;
}

// The unknown with the knowns moved by s along the seed; the state is as before afterwards.
static Status value_at(const Direction* d, int unknown, double s, double* value) {
    Simulation* simulation = d->simulation;
    State* state = &simulation->state;
    const size_t n = state_saved_size(state);
    void* backup = simulation->backup;  // the arena's, whatever the simulation has later
    state_save(state, backup);
    for (int i = 0; i < d->n_knowns; i++) {
        *known_value(d, i) += s * d->seed[i];
    }
    Status status = d->take_values(simulation);
    if (status == STATUS_OK) {
        status = simulation_get_defined(simulation, unknown, value);
    }
    const Status restored = simulation_take_state(simulation, backup, n);
    assert(restored == STATUS_OK);  // it was saved here
    (void)restored;
    simulation_forget_values(simulation);
    simulation->workspace.laws_known = false;
    return number_again(simulation, status);
}

// What rounding can make of the difference of two values of an unknown. Accelerations are small
// differences of those that the forces alone would give.
static double rounding(const Direction* d, int unknown, double value) {
    Simulation* simulation = d->simulation;
    const System* sys = &simulation->model.system;
    const Workspace* w = &simulation->workspace;
    double size = fabs(value);
    if (simulation->variables.variables[unknown].from_accelerations) {
        for (int i = 0; i < sys->nu; i++) {
            size = fmax(size, fabs(w->h[i]) / w->properties.M_diagonal[i]);
        }
    }
    return 1e-12 * size;
}

// (f(side s) - f(0)) / (side s) for s = distance and half of it; the rounding error of f
static Status one_sided(const Direction* d, int unknown, double side, double slope[2],
                        double* error) {
    double f_0 = 0.0;
    Status status = value_at(d, unknown, 0.0, &f_0);
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        const double s = side * d->distance / (i + 1);
        double f = 0.0;
        status = value_at(d, unknown, s, &f);
        slope[i] = (f - f_0) / s;
        *error = fmax(*error, rounding(d, unknown, f));
    }
    return status;
}

static Status derivative_of(const Direction* d, int unknown, double* derivative) {
    double up[2];
    double down[2];
    double error = 0.0;
    const bool can_rise = d->above >= d->distance;
    const bool can_fall = d->below >= d->distance;
    Status status = can_rise ? one_sided(d, unknown, 1.0, up, &error) : STATUS_OK;
    if (status == STATUS_OK && can_fall) {
        status = one_sided(d, unknown, -1.0, down, &error);
    }
    if (status != STATUS_OK || (!can_rise && !can_fall)) {
        return STATUS_NOT_AVAILABLE;
    }
    if (!can_rise || !can_fall) {  // at a bound: extrapolated from one side
        const double* slope = can_rise ? up : down;
        *derivative = 2.0 * slope[1] - slope[0];
        return STATUS_OK;
    }
    const double central[2] = {0.5 * (up[0] + down[0]), 0.5 * (up[1] + down[1])};
    const double kink[2] = {fabs(up[0] - down[0]), fabs(up[1] - down[1])};
    const double size = fabs(up[1]) + fabs(down[1]);
    *derivative = (4.0 * central[1] - central[0]) / 3.0;
    const bool visible = kink[1] > 1e-6 * size && kink[1] * 0.5 * d->distance > error;
    return visible && kink[1] > 0.75 * kink[0] ? STATUS_NOT_AVAILABLE : STATUS_OK;
}

static bool is_known(const Variable* variable) {
    return variable->causality == CAUSALITY_INPUT ||
           (variable->causality == CAUSALITY_PARAMETER &&
            variable->variability == VARIABILITY_TUNABLE && variable->type == VARIABLE_REAL);
}

static Status check_arguments(Simulation* simulation, const int* unknowns, int n_unknowns,
                              const Direction* d) {
    const VariableTable* table = &simulation->variables;
    for (int i = 0; i < d->n_knowns; i++) {
        if (d->knowns[i] < 0 || d->knowns[i] >= table->n_variables ||
            !is_known(&table->variables[d->knowns[i]])) {
            return simulation_fail(simulation, STATUS_NOT_ALLOWED,
                                   "known %d is neither an input nor a tunable parameter", i);
        }
        if (!isfinite(d->seed[i])) {
            return simulation_fail(simulation, STATUS_NOT_FINITE, "seed %d is not finite", i);
        }
    }
    for (int i = 0; i < n_unknowns; i++) {
        const bool valid = unknowns[i] >= 0 && unknowns[i] < table->n_variables;
        const Variable* unknown = valid ? &table->variables[unknowns[i]] : NULL;
        if (unknown == NULL || unknown->store != STORE_OUTPUT || unknown->type != VARIABLE_REAL) {
            return simulation_fail(simulation, STATUS_NOT_ALLOWED,
                                   "unknown %d is not a real output", i);
        }
    }
    return STATUS_OK;
}

static Status derivatives(Direction* d, const int* unknowns, int n_unknowns, double* derivative) {
    Simulation* simulation = d->simulation;
    Status status = check_arguments(simulation, unknowns, n_unknowns, d);
    if (status != STATUS_OK) {
        return status;
    }
    set_range(d);
    for (int i = 0; i < n_unknowns; i++) {
        derivative[i] = 0.0;
        status = d->distance > 0.0 ? derivative_of(d, unknowns[i], &derivative[i]) : STATUS_OK;
        if (status != STATUS_OK) {
            return simulation_fail(simulation, status, "%s is not differentiable here",
                                   simulation->variables.variables[unknowns[i]].name);
        }
    }
    return STATUS_OK;
}

Status simulation_directional_derivative(Simulation* simulation, const int* unknowns,
                                         int n_unknowns, const int* knowns, int n_knowns,
                                         const double* seed, double* derivative) {
    Direction d = {.simulation = simulation,
                   .knowns = knowns,
                   .seed = seed,
                   .n_knowns = n_knowns,
                   .take_values = take_in_motion};
    return derivatives(&d, unknowns, n_unknowns, derivative);
}

Status simulation_start_derivative(Simulation* simulation, const int* unknowns, int n_unknowns,
                                   const int* knowns, int n_knowns, const double* seed,
                                   double* derivative) {
    Direction d = {.simulation = simulation,
                   .knowns = knowns,
                   .seed = seed,
                   .n_knowns = n_knowns,
                   .take_values = take_at_start};
    return derivatives(&d, unknowns, n_unknowns, derivative);
}
