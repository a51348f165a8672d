// Internal steps: their grid t = t_0 + n dt, and what is tried before a step is given up.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/energy.h"
#include "simulation/simulation_struct.h"

static SchemeStep scheme_of(const Simulation* simulation) {
    static const SchemeStep schemes[] = {moreau_step,
                                         generalized_alpha_step};  // in the order of solver.scheme
    return schemes[(int)simulation->state.p[simulation->model.system.solver + SOLVER_SCHEME] - 1];
}

// What it took to make one internal step, over all its attempts and parts.
typedef struct Effort {
    long long iterations, contact_iterations;
    double residual;
    bool regularised, swept, damped, halved;
} Effort;

// One attempt at a part of a step; what it cost counts even if it fails.
static Status attempt(Simulation* simulation, double t, double dt, double damping, Effort* effort,
                      SolveInfo* info) {
    const System* sys = &simulation->model.system;
    const SchemeStep step = scheme_of(simulation);
    Profile* profile = &simulation->workspace.profile;
    const Status status =
        step(sys, t, dt, damping, &simulation->state, &simulation->workspace, info);
    effort->iterations += info->iterations;
    effort->contact_iterations += info->contact_iterations;
    profile_count(profile, COUNT_UPDATES, info->iterations);
    profile_count(profile, COUNT_CONTACT_ITERATIONS, info->contact_iterations);
    profile_enter(profile, PROFILE_REST);
    return status;
}

// A part of a step that was solved, up to time t and of length dt.
static void record(Simulation* simulation, double t, double dt, const SolveInfo* info,
                   Effort* effort) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    StateHead* head = s->head;
    profile_enter(&simulation->workspace.profile, PROFILE_COMMIT);
    effort->residual = fmax(effort->residual, info->residual);
    effort->regularised = effort->regularised || info->regularised;
    effort->swept = effort->swept || info->swept;
    if (info->impact) {
        head->last_impact_time = t;
    }
    for (int k = 0; k < sys->n_contacts; k++) {
        head->worst_penetration = fmax(head->worst_penetration, -s->g_N[k]);
    }
    energy_end_step(sys, t, dt, info, s, &simulation->workspace, &simulation->energy);
    profile_enter(&simulation->workspace.profile, PROFILE_REST);
}

// Newton's method, then with damped updates, then two steps of half the length, and so on. The
// state before the first retry is kept in the backup.
static Status step_or_halve(Simulation* simulation, double t, double dt, int depth,
                            Effort* effort) {
    enum { MAXIMUM_DEPTH = 6 };
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    SolveInfo info;
    profile_enter(&w->profile, PROFILE_COMMIT);
    energy_begin_step(&simulation->model.system, t, s, w, &simulation->energy);
    profile_enter(&w->profile, PROFILE_REST);
    Status status = attempt(simulation, t, dt, 1.0, effort, &info);
    if (status != STATUS_OK) {
        if (depth == 0) {
            memcpy(w->backup, s->head, s->size);
        }
        status = attempt(simulation, t, dt, 0.5, effort, &info);
        effort->damped = effort->damped || status == STATUS_OK;
    }
    if (status == STATUS_OK) {
        record(simulation, t + dt, dt, &info, effort);
        return STATUS_OK;
    }
    if (depth == MAXIMUM_DEPTH) {
        return status;
    }
    effort->halved = true;
    status = step_or_halve(simulation, t, 0.5 * dt, depth + 1, effort);
    if (status == STATUS_OK) {
        status = step_or_halve(simulation, t + 0.5 * dt, 0.5 * dt, depth + 1, effort);
    }
    return status;
}

static void count(const Effort* effort, StateHead* head) {
    head->iterations = effort->iterations;
    head->contact_iterations = effort->contact_iterations;
    head->residual = effort->residual;
    head->worst_residual = fmax(head->worst_residual, effort->residual);
    head->n_steps++;
    head->n_iterations += effort->iterations;
    head->n_regularised += effort->regularised;
    head->n_swept += effort->swept;
    head->n_damped += effort->damped;
    head->n_retried += effort->halved;
}

// One internal step; on failure the state is as it was before it.
static Status internal_step(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    if (sys->driven) {  // by inputs, perhaps, which may have jumped since the last step
        instant_set(sys, s, state_time(s), s->q, s->u, &simulation->workspace.end);
        scheme_update_contacts(sys, &simulation->workspace.end, s);
    }
    Effort effort = {0};
    const Status status = step_or_halve(simulation, state_time(s), s->head->dt, 0, &effort);
    if (status != STATUS_OK) {
        memcpy(s->head, simulation->workspace.backup, s->size);
        return status;
    }
    count(&effort, s->head);
    s->head->n++;
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
    if (head->phase == PHASE_STARTED) {  // inputs may have been set since
        scheme_start_forces(&simulation->model.system, state_time(&simulation->state),
                            &simulation->state, &simulation->workspace);
    }
    head->phase = PHASE_MOVING;
    simulation->y_valid = simulation->a_valid = false;
    for (long long i = 0; i < n; i++) {
        if (cancel != NULL && *cancel != 0) {
            return simulation_fail(simulation, STATUS_NOT_AVAILABLE, "cancelled");
        }
        profile_begin_step(&simulation->workspace.profile);
        status = internal_step(simulation);
        profile_end_step(&simulation->workspace.profile);
        if (status != STATUS_OK) {
            return give_up(simulation, status);
        }
    }
    return STATUS_OK;
}
