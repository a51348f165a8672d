// Internal steps: their grid t = t_0 + n dt, and what is tried before a step is given up.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "schemes/accelerations.h"
#include "simulation/attempt.h"
#include "simulation/energy_gain.h"

static void count(const Effort* effort, StateHead* head) {
    head->iterations = effort->iterations;
    head->contact_iterations = effort->contact_iterations;
    head->projection_iterations = effort->projection_iterations;
    head->activation_iterations = effort->activation_iterations;
    head->residual = effort->residual;
    head->worst_residual = larger(head->worst_residual, effort->residual);
    head->n_steps++;
    head->n_iterations += effort->iterations;
    head->n_contact_iterations += effort->contact_iterations;
    head->n_regularised += effort->regularised;
    head->n_swept += effort->swept;
    head->n_inexact += effort->inexact;
    head->n_inelastic += effort->inelastic;
    head->n_damped += effort->damped;
    head->n_retried += effort->halved;
    head->n_located += effort->located;
}

static Status make_step(Simulation* simulation, const Interval* step, Manner manner,
                        Effort* effort) {
    Status status;
    do {
        *effort = (Effort){.manner = manner};
        status = attempt_step(simulation, step, effort);
    } while (status == STATUS_NO_ROOM &&
             (status = pool_grow(&simulation->workspace.pool)) == STATUS_OK);
    return status;
}

// A step that has missed contacts is made again with them, and again with those that it missed
// then: where normals turn, each time by a tenth or less of the penetration before. If that fails,
// as it was at first.
static Status make_again(Simulation* simulation, const Interval* step, Effort* effort) {
    enum { MOST_TIMES = 30 };
    const Manner manner = effort->manner;
    Status status = STATUS_OK;
    for (int i = 0; i < MOST_TIMES && status == STATUS_OK; i++) {
        bool again;
        status = simulation_go_back_for_missed(simulation, step->t_1, &again);
        if (status != STATUS_OK || !again) {
            return status;
        }
        status = make_step(simulation, step, manner, effort);
    }
    if (status != STATUS_OK) {
        status = simulation_go_back(simulation);
        if (status == STATUS_OK) {
            status = make_step(simulation, step, manner, effort);
        }
    }
    return status == STATUS_OK ? simulation_look_at_end(simulation, step->t_1) : status;
}

// A step that has failed, once more with other features; on failure the state is as it was before.
static Status try_fixed_features(Simulation* simulation, const Interval* step, Manner manner,
                                 Status failed, Effort* effort) {
    Status status = simulation_find_fixed_features(simulation);
    if (status == STATUS_OK) {
        status = make_step(simulation, step, manner, effort);
    }
    if (status == STATUS_OK) {
        return STATUS_OK;
    }
    status = simulation_go_back(simulation);
    return status == STATUS_OK ? failed : status;
}

// A step with all that is tried, divided or not; on failure the state is as it was before.
static Status solve_step(Simulation* simulation, const Interval* step, int depth, Effort* effort) {
    const Manner manner = {.depth = depth};
    Status status = make_step(simulation, step, manner, effort);
    if (status != STATUS_OK && simulation->model.system.n_colliders > 0) {
        status = try_fixed_features(simulation, step, manner, status, effort);
    }
    if (status == STATUS_NO_CONVERGENCE) {
        status = make_step(simulation, step, (Manner){.lenient = true, .depth = depth}, effort);
    }
    return status == STATUS_OK ? make_again(simulation, step, effort) : status;
}

// A step that has added energy, by an error of second order in its length where bodies turn while
// they press on each other, is made again in parts, and in smaller ones where that does not do. If
// that fails it stays as it was.
static Status divide_gain(Simulation* simulation, const Interval* step, Effort* effort) {
    static const int depths[] = {2, 4, 6, 0};
    Status status = STATUS_OK;
    for (int i = 0; depths[i] > 0 && status == STATUS_OK && energy_gain_is_large(simulation, step);
         i++) {
        status = simulation_go_back(simulation);
        if (status == STATUS_OK) {
            status = solve_step(simulation, step, depths[i], effort);
        }
    }
    if (status == STATUS_OK) {
        return STATUS_OK;
    }
    status = simulation_go_back(simulation);
    return status == STATUS_OK ? solve_step(simulation, step, 0, effort) : status;
}

// One internal step from velocities u_start (nu); on failure the state is as it was before it.
static Status internal_step(Simulation* simulation, const double* u_start, Effort* effort) {
    State* s = &simulation->state;
    const Interval step = {state_time(s), state_time_after(s, 1), s->head->dt, u_start, NULL};
    // a signal that has no value at the end would be seen in the outputs first
    Status status = simulation_check_signals(simulation, step.t_1);
    if (status != STATUS_OK) {
        *effort = (Effort){0};
        return status;
    }
    simulation_keep_start(simulation);
    status = solve_step(simulation, &step, 0, effort);
    if (status == STATUS_OK && energy_gain_is_guarded(simulation)) {
        status = divide_gain(simulation, &step, effort);
    }
    if (status == STATUS_OK) {
        count(effort, s->head);
        s->head->n++;
        status = simulation_end_step(simulation);
    }
    return status;
}

// What a duration is divided into: n steps of length dt, and what is left of it.
typedef struct Division {
    long long n;
    double dt, rest;
} Division;

// Hosts add up times and round. Where a duration is this close to a number of whole steps, in steps
// and relative to the number, it is made of these, and what is left or too much counts with the
// next one: a remnant of rounding is no step of its own, in which forces would be differences of
// velocities divided by next to nothing. Steps may be this much longer than asked for: a trace of
// time is not worth a step.
static const double REMNANT = 1e-7;
static const double RELATIVE_REMNANT = 2e-9;
static const double STRETCH = 1e-6;

static Status divide(Simulation* simulation, double duration, Division* division) {
    static const double MOST_STEPS = 1e9;
    const double step_size =
        simulation->state.p[simulation->model.system.solver + SOLVER_STEP_SIZE];
    const double total = duration + simulation->state.head->pending;
    const double ratio = total / step_size;
    if (!(duration > 0.0) || !(ratio <= MOST_STEPS)) {
        return simulation_fail(simulation, STATUS_OUT_OF_RANGE,
                               "a step of %g s is not possible with internal steps of %g s",
                               duration, step_size);
    }
    const double n = ratio <= REMNANT ? 0.0 : larger(1.0, ceil(ratio - STRETCH * ratio));
    const bool whole = fabs(ratio - n) <= REMNANT + RELATIVE_REMNANT * n;
    *division = whole ? (Division){(long long)n, step_size, total - n * step_size}
                      : (Division){(long long)n, total / n, 0.0};
    return STATUS_OK;
}

// What may help against a failure
static const char* advice(Status status) {
    switch (status) {
        case STATUS_NO_SOLUTION:
            return "other coefficients of friction or restitution of these contacts may have one";
        case STATUS_NO_CONVERGENCE:
            return "a smaller solver.step_size, a larger solver.maximum_iterations or another "
                   "solver.scheme may help";
        case STATUS_NOT_FINITE:
            return "a force, a prescribed motion, the function of a curve or a velocity has grown "
                   "beyond all numbers";
        case STATUS_TOO_LONG:
            return "a smaller solver.step_size or another solver.scheme, as generalized_alpha, "
                   "will "
                   "help";
        default:
            return "joints or contacts may contradict each other";
    }
}

// The residual, and which joints and contacts have most of it; nothing where there is none.
static void append_residual(const System* sys, const Effort* effort, char text[MESSAGE_SIZE]) {
    const bool named = effort->worst[0].link != NULL;
    if (!named && effort->failed_residual == 0.0) {
        return;
    }
    text_append(text, MESSAGE_SIZE, " (residual %.3g", fabs(effort->failed_residual));
    for (int i = 0; i < N_WORST && effort->worst[i].link != NULL; i++) {
        const WorstLink* worst = &effort->worst[i];
        text_append(text, MESSAGE_SIZE, "%s %.3g of %s %s", i == 0 ? ":" : ",",
                    fabs(worst->residual), worst->element->kind->tag, worst->name);
        if (worst->element->found) {
            text_append(text, MESSAGE_SIZE, " between %s and %s",
                        sys->colliders[found_id_collider(worst->id, 0)].shape->name,
                        sys->colliders[found_id_collider(worst->id, 1)].shape->name);
        }
        text_append(text, MESSAGE_SIZE, " in line %ld", worst->element->place.line);
    }
    text_append(text, MESSAGE_SIZE, ")");
}

// The closed contacts of a step need more memory than there is.
static Status give_up_for_memory(Simulation* simulation) {
    const Workspace* w = &simulation->workspace;
    const StateHead* head = simulation->state.head;
    return simulation_fail(
        simulation, STATUS_OUT_OF_MEMORY,
        "the internal step of %g s from t = %.9g s has %d laws of contacts, which "
        "need %zu MiB of memory: there are at most %zu",
        head->dt, state_time(&simulation->state), simulation->model.system.n_laws,
        w->pool.wanted * sizeof(double) >> 20, w->pool.limit * sizeof(double) >> 20);
}

// Says why the step failed: a signal or a gap that is no number, or the residual.
static Status give_up(Simulation* simulation, Status status, const Effort* effort) {
    StateHead* head = simulation->state.head;
    char text[MESSAGE_SIZE] = "";
    const double t = state_time(&simulation->state);
    status = effort->unsolvable ? STATUS_NO_SOLUTION : status;
    head->n_failed++;
    head->failure = status;
    if (status == STATUS_NOT_FINITE &&
        (effort->no_gap || simulation_check_signals(simulation, t) != STATUS_OK ||
         simulation_check_signals(simulation, t + 0.5 * head->dt) != STATUS_OK ||
         simulation_check_signals(simulation, t + head->dt) != STATUS_OK)) {
        return status;  // of which the message tells
    }
    if (status == STATUS_OUT_OF_MEMORY) {
        return give_up_for_memory(simulation);
    }
    text_append(text, sizeof text,
                "the internal step of %g s from t = %.9g s could not be solved, nor could smaller "
                "ones: %s",
                head->dt, state_time(&simulation->state),
                effort->no_energy ? "the work of forces is not finite" : status_text(status));
    append_residual(&simulation->model.system, effort, text);
    return simulation_fail(simulation, status, "%s; %s", text, advice(status));
}

// Inputs or parameters have jumped since the last step: velocities, accelerations and forces jump
// with them. Where the laws have no solution the step goes on from those before. Velocities right
// after the jump (nu).
static const double* take_jumps(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    const Scheme* scheme = &schemes[simulation_scheme(simulation)];
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    const double t = state_time(s);
    const StepInput in = {.sys = sys, .t = t, .t_1 = t, .u_start = s->u, .w = w};
    const double* u = s->u;
    w->laws_known = w->laws_known && !sys->driven;
    if (sys->steered && !scheme->takes_jumps &&
        velocities_after_jump(sys, t, s, w, simulation->u_start) == STATUS_OK) {
        u = simulation->u_start;
    }
    if (scheme->jump != NULL &&
        accelerations_solve(sys, t, s, u, w, simulation->a, simulation->la_g) == STATUS_OK) {
        scheme->jump(&in, simulation->a, simulation->la_g, s,
                     simulation->scratch[simulation_scheme(simulation)]);
    }
    return u;
}

// n internal steps, of length dt, begin; *u (nu) the velocities from which they do.
static Status begin_steps(Simulation* simulation, long long n, double dt, const double** u) {
    State* s = &simulation->state;
    const bool new_grid = dt != s->head->dt;
    if (new_grid) {
        s->head->t_0 = state_time(s);
        s->head->n = 0;
        s->head->dt = dt;
    }
    const bool moves = simulation_continue_motions(simulation, state_time_after(s, n));
    const bool set = simulation->values_set && state_take_values(&simulation->model.system, s);
    const bool started = s->head->phase == PHASE_STARTED;  // inputs may have been set since
    simulation->values_set = false;
    if (new_grid || moves || set) {
        const Status status = simulation_find_contacts(simulation);
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (started) {
        simulation_start_forces(simulation, state_time(s));
    }
    *u = set || moves ? take_jumps(simulation) : s->u;
    s->head->phase = PHASE_MOVING;
    simulation_forget_values(simulation);
    return STATUS_OK;
}

void simulation_watch_steps(Simulation* simulation, void (*step)(void* context), void* context) {
    simulation->watch = step;
    simulation->watch_context = context;
}

void simulation_stop(Simulation* simulation) { simulation->stop = true; }

bool simulation_had_impact(const Simulation* simulation) {
    const State* s = &simulation->state;
    return s->head->last_impact_time > state_time_after(s, -1);
}

// At most n internal steps, of length dt; *made: how many
static Status make_steps(Simulation* simulation, long long n, double dt, const atomic_int* cancel,
                         long long* made) {
    const State* s = &simulation->state;
    const double* u = NULL;
    Status status = begin_steps(simulation, n, dt, &u);
    simulation->stop = false;
    for (; *made < n && !simulation->stop && status == STATUS_OK; (*made)++) {
        if (cancel != NULL && atomic_load_explicit(cancel, memory_order_relaxed) != 0) {
            return simulation_fail(simulation, STATUS_NOT_AVAILABLE, "cancelled");
        }
        profile_begin_step(&simulation->workspace.profile);
        Effort effort;
        status = internal_step(simulation, *made == 0 ? u : s->u, &effort);
        profile_end_step(&simulation->workspace.profile);
        if (status != STATUS_OK) {
            return give_up(simulation, status, &effort);
        }
        s->head->pending = 0.0;
        if (simulation->watch != NULL) {
            simulation_forget_values(simulation);
            simulation->watch(simulation->watch_context);
        }
    }
    return status;
}

Status simulation_advance(Simulation* simulation, double duration, const atomic_int* cancel) {
    const State* s = &simulation->state;
    if (s->head->phase == PHASE_SET_UP) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has no start yet");
    }
    Division division = {0};
    arena_free(&simulation->outgrown);
    Status status = divide(simulation, duration, &division);
    if (status == STATUS_OK) {
        status = simulation_accept_scheme(simulation);  // parameters may have changed
    }
    long long made = 0;
    if (status == STATUS_OK && division.n > 0) {
        crew_begin(simulation->crew, (int)s->p[simulation->model.system.solver + SOLVER_THREADS]);
        status = make_steps(simulation, division.n, division.dt, cancel, &made);
        crew_end(simulation->crew);
    }
    if (status == STATUS_OK) {
        s->head->pending = made < division.n ? 0.0 : division.rest;
    }
    return status;
}
