// Internal steps: their grid t = t_0 + n dt, and what is tried before a step is given up.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/scheme.h"
#include "simulation/simulation_struct.h"

static SchemeStep scheme_of(const Simulation* simulation) {
    static const SchemeStep schemes[] = {moreau_step};  // in the order of solver.scheme
    return schemes[(int)simulation->state.p[simulation->model.system.solver + SOLVER_SCHEME] - 1];
}

static void record(Simulation* simulation, double t, const SolveInfo* info) {
    State* s = &simulation->state;
    StateHead* head = s->head;
    head->iterations += info->iterations;
    head->residual = fmax(head->residual, info->residual);
    head->n_iterations += info->iterations;
    head->worst_residual = fmax(head->worst_residual, info->residual);
    if (info->impact) {
        head->last_impact_time = t;
    }
    for (int k = 0; k < simulation->model.system.n_contacts; k++) {
        head->worst_penetration = fmax(head->worst_penetration, -s->g_N[k]);
    }
}

// Newton's method, then with damped updates, then two steps of half the length, and so on. The
// state before the first retry is kept in the backup.
static Status step_or_halve(Simulation* simulation, double t, double dt, int depth) {
    enum { MAXIMUM_DEPTH = 6 };
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    const SchemeStep step = scheme_of(simulation);
    SolveInfo info;
    Status status = step(sys, t, dt, 1.0, s, w, &info);
    if (status != STATUS_OK) {
        if (depth == 0) {
            memcpy(w->backup, s->head, s->size);
            s->head->n_retried++;
        }
        status = step(sys, t, dt, 0.5, s, w, &info);
    }
    if (status == STATUS_OK) {
        record(simulation, t + dt, &info);
        return STATUS_OK;
    }
    if (depth == MAXIMUM_DEPTH) {
        return status;
    }
    status = step_or_halve(simulation, t, 0.5 * dt, depth + 1);
    if (status == STATUS_OK) {
        status = step_or_halve(simulation, t + 0.5 * dt, 0.5 * dt, depth + 1);
    }
    return status;
}

// One internal step; on failure the state is as it was before it.
static Status internal_step(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    if (sys->driven) {  // by inputs, perhaps, which may have jumped since the last step
        const Configuration c =
            system_configuration(sys, state_time(s), s, s->q, s->u, &simulation->workspace);
        scheme_update_contacts(sys, &c, s);
    }
    const long long iterations = s->head->iterations;
    const double residual = s->head->residual;
    s->head->iterations = 0;
    s->head->residual = 0.0;
    const Status status = step_or_halve(simulation, state_time(s), s->head->dt, 0);
    if (status != STATUS_OK) {
        memcpy(s->head, simulation->workspace.backup, s->size);
        s->head->iterations = iterations;
        s->head->residual = residual;
        return status;
    }
    s->head->n++;
    s->head->n_steps++;
    return STATUS_OK;
}

// How many internal steps, and of which length, make up a duration.
static Status divide(Simulation* simulation, double duration, long long* n, double* dt) {
    const double step_size =
        simulation->state.p[simulation->model.system.solver + SOLVER_STEP_SIZE];
    const double ratio = duration / step_size;
    if (!(duration > 0.0) || !(ratio <= 1e9)) {
        return simulation_fail(simulation, STATUS_OUT_OF_RANGE,
                               "a step of %g s is not possible with internal steps of %g s",
                               duration, step_size);
    }
    const double nearest = nearbyint(ratio);
    if (nearest >= 1.0 && fabs(ratio - nearest) <= 1e-9 * nearest) {
        *n = (long long)nearest;
        *dt = step_size;
    } else {
        *n = (long long)ceil(ratio);
        *dt = duration / (double)*n;
    }
    return STATUS_OK;
}

static Status give_up(Simulation* simulation, Status status) {
    StateHead* head = simulation->state.head;
    head->n_failed++;
    head->failure = status;
    return simulation_fail(simulation, status,
                           "the internal step of %g s from t = %.9g s could not be solved, nor "
                           "could smaller ones: %s",
                           head->dt, state_time(&simulation->state), status_text(status));
}

Status simulation_advance(Simulation* simulation, double duration, const volatile int* cancel) {
    StateHead* head = simulation->state.head;
    if (head->phase == PHASE_SET_UP) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has no start yet");
    }
    long long n = 0;
    double dt = 0.0;
    Status status = divide(simulation, duration, &n, &dt);
    if (status != STATUS_OK) {
        return status;
    }
    if (dt != head->dt) {  // a new grid begins here
        head->t_0 = state_time(&simulation->state);
        head->n = 0;
        head->dt = dt;
    }
    head->phase = PHASE_MOVING;
    simulation->y_valid = simulation->a_valid = false;
    for (long long i = 0; i < n; i++) {
        if (cancel != NULL && *cancel != 0) {
            return simulation_fail(simulation, STATUS_NOT_AVAILABLE, "cancelled");
        }
        status = internal_step(simulation);
        if (status != STATUS_OK) {
            return give_up(simulation, status);
        }
    }
    return STATUS_OK;
}
