// The gap of a contact as a function of the length tau of a step is that of a trial: the scheme's
// own step of this length, in which contacts that are open are held open. The first root of the
// gaps is where the first contact closes. The trial that ends there is a part of the step; then the
// laws of impact act (schemes/impact.h), and what follows starts from the velocities after them as
// a motion of its own.
#include "simulation/locate.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

Status locator_create(const System* sys, StateRoom room, const State* s, Arena* arena,
                      Locator* locator) {
    *locator = (Locator){.held = ARENA_NEW(arena, sys->most_contacts, bool),
                         .candidates = ARENA_NEW(arena, sys->most_contacts, bool),
                         .g_0 = ARENA_NEW(arena, sys->most_contacts, double),
                         .start = arena_alloc(arena, 1, state_saved_limit(sys, room, s)),
                         .P = ARENA_NEW(arena, sys->most_rows, double),
                         .La = ARENA_NEW(arena, sys->most_rows, double),
                         .P_g = ARENA_NEW(arena, sys->nla_g, double),
                         .La_g = ARENA_NEW(arena, sys->nla_g, double)};
    return locator->held != NULL && locator->candidates != NULL && locator->g_0 != NULL &&
                   locator->start != NULL && locator->P != NULL && locator->La != NULL &&
                   locator->P_g != NULL && locator->La_g != NULL
               ? impact_create(sys, arena, &locator->impact)
               : STATUS_OUT_OF_MEMORY;
}

// --- contacts at an instant ---

// Gaps of this size, m, are rounding. What closes within these parts of a step does so at the
// present instant: a part as short as the first would be one of rounding; and the error of schemes
// leaves as much as the second between contacts of a flat side that should close together, which
// would tilt it by a sequence of impacts instead of one.
static const double TOUCHING = 1e-12;
static const double AT_ONCE = 1e-10;
static const double TOGETHER = 1e-4;

static double gap_rate(const Simulation* simulation, int contact) {
    return simulation->workspace.gamma[simulation->model.system.laws[contact].la.at];
}

// dt: a whole step, over which a velocity counts if it makes more than rounding of a gap.
static bool closes_within(const Simulation* simulation, int k, double part, double dt) {
    const double rate = gap_rate(simulation, k);
    return rate * dt < -TOUCHING && simulation->workspace.g_N[k] + part * dt * rate <= TOUCHING;
}

static bool rests(const Simulation* simulation, int k, double dt) {
    return simulation->workspace.g_N[k] <= TOUCHING &&
           fabs(gap_rate(simulation, k)) * dt <= TOUCHING;
}

static bool is_open(const Simulation* simulation, int k) {
    return record_state(state_record(&simulation->state, k)) == CONTACT_OPEN;
}

// Is it asked for, or can the bodies pass through each other within a step? Then the impact has to
// be where they meet, whatever the scheme makes of impacts.
static bool is_located(const Simulation* simulation, int k) {
    return locate_is_asked_for(simulation) || simulation->model.system.laws[k].passes;
}

// Which open contacts close within a part of a step: locator.impact.closes. Are there any?
static bool find_closing(Simulation* simulation, double part) {
    const double dt = simulation->state.head->dt;
    bool any = false;
    for (int k = 0; k < simulation->model.system.n_contacts; k++) {
        bool* closes = &simulation->locator.impact.closes[k];
        *closes = is_open(simulation, k) && is_located(simulation, k) &&
                  closes_within(simulation, k, part, dt);
        any = any || *closes;
    }
    return any;
}

// Is there an impact at the present instant? If so, of which contacts: locator.impact.closes.
static bool is_impact(Simulation* simulation) {
    return find_closing(simulation, AT_ONCE) && find_closing(simulation, TOGETHER);
}

// Which open contacts are held open in the part to come: all but those that rest on each other
// without pressing, of which the scheme knows what to do. Are there any?
static bool find_held(Simulation* simulation) {
    Locator* l = &simulation->locator;
    const double dt = simulation->state.head->dt;
    bool any = false;
    for (int k = 0; k < simulation->model.system.n_contacts; k++) {
        l->held[k] =
            is_open(simulation, k) && is_located(simulation, k) && !rests(simulation, k, dt);
        l->g_0[k] = simulation->workspace.g_N[k];
        any = any || l->held[k];
    }
    return any;
}

// --- trials ---

static void save_start(Simulation* simulation) {
    Locator* l = &simulation->locator;
    l->n_start = state_saved_size(&simulation->state);
    state_save(&simulation->state, l->start);
}

static void go_to_start(Simulation* simulation, const Interval* part) {
    const System* sys = &simulation->model.system;
    const Locator* l = &simulation->locator;
    const Status status =
        state_restore(sys, simulation->room, l->start, l->n_start, &simulation->state);
    assert(status == STATUS_OK);  // it was saved here
    (void)status;
    simulation->workspace.laws_known = false;
    workspace_update_laws(sys, part->t, &simulation->state, &simulation->workspace);
}

// A value that falls through zero where a contact closes, at the end of a trial of length tau, and
// its derivative: the gap; or, of a contact that touched and parted at the start, what it has
// gained since, divided by tau, so that the start is no root.
typedef struct Closing {
    double value, rate;
} Closing;

static Closing closing_at(const Simulation* simulation, int k, double tau) {
    const double g_0 = simulation->locator.g_0[k];
    const double g = simulation->workspace.g_N[k];
    const double g_dot = gap_rate(simulation, k);
    if (g_0 > TOUCHING) {
        return (Closing){g, g_dot};
    }
    const double gained = (g - fmin(g_0, 0.0)) / tau;
    return (Closing){gained, (g_dot - gained) / tau};
}

// The contacts that have closed at the end of a trial, where there are any: locator.candidates.
static bool find_candidates(Simulation* simulation, double tau) {
    Locator* l = &simulation->locator;
    bool any = false;
    for (int k = 0; k < simulation->model.system.n_contacts && !any; k++) {
        any = l->held[k] && closing_at(simulation, k, tau).value < 0.0;
    }
    for (int k = 0; k < simulation->model.system.n_contacts && any; k++) {
        l->candidates[k] = l->held[k] && closing_at(simulation, k, tau).value < 0.0;
    }
    return any;
}

// Of the candidates, at the end of a trial of length tau: the earliest root by Newton's method, and
// how far the one that has closed most, or else is nearest to it, is from its root, m.
typedef struct FirstRoot {
    double tau, distance;
} FirstRoot;

static FirstRoot first_root(const Simulation* simulation, double tau) {
    const Locator* l = &simulation->locator;
    FirstRoot first = {INFINITY, 0.0};
    double lowest = INFINITY;
    for (int k = 0; k < simulation->model.system.n_contacts; k++) {
        if (l->candidates[k]) {
            const Closing closing = closing_at(simulation, k, tau);
            first.tau = fmin(first.tau, tau - closing.value / closing.rate);
            lowest = fmin(lowest, simulation->workspace.g_N[k] - fmin(l->g_0[k], 0.0));
        }
    }
    first.distance = fabs(lowest);
    return first;
}

// What rounding leaves of a gap, m
static double gap_rounding(const Simulation* simulation) {
    static const double ROUNDING = 4.0 * DBL_EPSILON;
    double size = 0.0;
    for (int i = 0; i < simulation->model.system.nq; i++) {
        size = fmax(size, fabs(simulation->state.q[i]));
    }
    return ROUNDING * size;
}

// A part from its start once more, of another length
static Status try_length(Simulation* simulation, const Interval* part, double tau, Effort* effort,
                         SolveInfo* info) {
    const Interval trial = {part->t, part->t + tau, tau, part->u_start, part->held_open};
    go_to_start(simulation, part);
    attempt_back_up(simulation, effort);
    return attempt_part(simulation, &trial, effort, info);
}

// From the end of a part in which contacts close, to where the first of them does: the part becomes
// shorter, unless that is at its end. Newton's method, in a bracket that it halves where Newton's
// steps do not shrink. Where contacts that the scheme itself closes within the part do so at once
// from some length on, gaps jump there, and may jump below zero: the part then ends before.
// STATUS_NO_CONVERGENCE if it cannot; if a trial fails the state is that of the start.
static Status go_to_first(Simulation* simulation, Interval* part, Effort* effort, SolveInfo* info) {
    enum { MAXIMUM_TRIALS = 60 };  // of which a bracket needs 53 to be halved to rounding
    const double rounding = gap_rounding(simulation);
    const double t_rounding = DBL_EPSILON * fmax(fabs(part->t), fabs(part->t_1));
    double open = 0.0;
    double closed = part->dt;
    double tau = closed;
    double last = 2.0 * closed;
    FirstRoot next = first_root(simulation, tau);
    if (fabs(next.tau - closed) <= AT_ONCE * simulation->state.head->dt) {  // else it may have
        // passed, and be on its way out again
        return STATUS_OK;
    }
    for (int n = 0; n < MAXIMUM_TRIALS && next.distance > rounding && closed - open > t_rounding;
         n++) {
        const bool shrinks = fabs(next.tau - tau) <= 0.5 * last;
        const double to =
            next.tau > open && next.tau < closed && shrinks ? next.tau : 0.5 * (open + closed);
        last = fabs(to - tau);
        tau = to;
        const Status status = try_length(simulation, part, tau, effort, info);
        if (status != STATUS_OK) {
            return status;
        }
        if (find_candidates(simulation, tau)) {
            closed = tau;
        } else {
            open = tau;
        }
        next = first_root(simulation, tau);
    }
    const bool jumps = tau == closed && next.distance > TOUCHING &&
                       !(fabs(next.tau - tau) <= closed - open + t_rounding);
    if (jumps) {
        go_to_start(simulation, part);
        tau = open;
        const Status status =
            open > 0.0 ? try_length(simulation, part, tau, effort, info) : STATUS_NO_CONVERGENCE;
        if (status != STATUS_OK) {
            return status;
        }
    }
    effort->moved = true;
    part->t_1 = part->t + tau;
    part->dt = tau;
    return STATUS_OK;
}

// --- percussions of a step ---

static void clear_percussions(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Locator* l = &simulation->locator;
    memset(l->P, 0, (size_t)sys->nla_c * sizeof(double));
    memset(l->La, 0, (size_t)sys->nla_c * sizeof(double));
    memset(l->P_g, 0, (size_t)sys->nla_g * sizeof(double));
    memset(l->La_g, 0, (size_t)sys->nla_g * sizeof(double));
}

// Those of the part that has been made
static void add_percussions(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    Locator* l = &simulation->locator;
    for (long long i = 0; i < s->head->n_records; i++) {
        const ContactRecord* record = &s->records[i];
        const Range rows = sys->laws[record->key].la;
        for (int r = 0; r < rows.n; r++) {
            l->P[rows.at + r] += record->P[r];
            l->La[rows.at + r] += record->La[r];
        }
    }
    for (int i = 0; i < sys->nla_g; i++) {
        l->P_g[i] += s->P_g[i];
        l->La_g[i] += s->La_g[i];
    }
}

// The sums over its parts are those of the step.
static void set_percussions(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    const Locator* l = &simulation->locator;
    State* s = &simulation->state;
    state_set_percussions(sys, l->P, l->La, s);
    memcpy(s->P_g, l->P_g, (size_t)sys->nla_g * sizeof(double));
    memcpy(s->La_g, l->La_g, (size_t)sys->nla_g * sizeof(double));
}

// --- a step ---

// What is to be done with the rest of a step
typedef enum Rest { GOES_ON, IS_LEFT_TO_SCHEME, IS_MADE } Rest;

// Contacts that close count as closed: the scheme makes their impact with the rest.
static void leave_impact(Simulation* simulation, Effort* effort) {
    for (int k = 0; k < simulation->model.system.n_contacts; k++) {
        if (simulation->locator.impact.closes[k]) {
            state_make_record(k, &simulation->state)->state = CONTACT_SLIP;
        }
    }
    effort->moved = true;
    effort->located++;
}

// The impact at the start of the rest, and a motion that starts there
static Status make_impact(Simulation* simulation, const Interval* rest, Effort* effort,
                          Rest* then) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    const Interval instant = {rest->t, rest->t, 0.0, s->u, NULL};
    const StepInput in = {.sys = sys,
                          .t = rest->t,
                          .t_1 = rest->t,
                          .u_start = s->u,
                          .inelastic = simulation->restitution.left_out,
                          .w = &simulation->workspace};
    SolveInfo info;
    if (schemes[simulation_scheme(simulation)].makes_impacts && !locate_is_asked_for(simulation)) {
        leave_impact(simulation, effort);
        return STATUS_OK;
    }
    attempt_begin_part(simulation, &instant);
    const Status status = impact_step(&in, &simulation->locator.impact, s, &info);
    effort->contact_iterations += info.contact_iterations;
    if (status != STATUS_OK) {
        *then = IS_LEFT_TO_SCHEME;
        return STATUS_OK;
    }
    effort->moved = true;
    effort->located += info.impact;
    const Status ended = attempt_end_part(simulation, &instant, &info, effort);
    add_percussions(simulation);
    memset(s->P_g, 0, (size_t)sys->nla_g * sizeof(double));
    simulation_start_forces(simulation, rest->t);
    return ended;
}

// Up to the first impact in the rest, and that; or all of it.
static Status make_part(Simulation* simulation, Interval* rest, Effort* effort, Rest* then) {
    State* s = &simulation->state;
    Interval part = *rest;
    SolveInfo info;
    part.held_open = simulation->locator.held;
    attempt_begin_part(simulation, &part);
    save_start(simulation);
    Status status = attempt_part(simulation, &part, effort, &info);
    const bool closes = status == STATUS_OK && find_candidates(simulation, part.dt);
    if (closes) {
        status = go_to_first(simulation, &part, effort, &info);
    }
    if (status != STATUS_OK) {
        *then = IS_LEFT_TO_SCHEME;
        return status == STATUS_NO_ROOM ? status : STATUS_OK;
    }
    status = attempt_end_part(simulation, &part, &info, effort);
    add_percussions(simulation);
    *rest = (Interval){part.t_1, rest->t_1, rest->dt - part.dt, s->u, NULL};
    *then = !(rest->dt > 0.0) ? IS_MADE : GOES_ON;
    if (status == STATUS_OK && is_impact(simulation)) {
        return make_impact(simulation, rest, effort, then);
    }
    if (*then == GOES_ON) {  // they have closed without an impact
        *then = IS_LEFT_TO_SCHEME;
    }
    return status;
}

// Contacts that touch count as closed for the scheme, which then lets those part that do so for
// longer than it can tell from rest, and brings the others to rest.
static void close_touching(Simulation* simulation) {
    for (int k = 0; k < simulation->model.system.n_contacts; k++) {
        if (is_open(simulation, k) && is_located(simulation, k) &&
            simulation->workspace.g_N[k] <= TOUCHING) {
            state_make_record(k, &simulation->state)->state = CONTACT_SLIP;
        }
    }
}

Status locate_step(Simulation* simulation, const Interval* step, Effort* effort) {
    const State* s = &simulation->state;
    const long long most =
        (long long)s->p[simulation->model.system.solver + SOLVER_MAXIMUM_LOCATED];
    Interval rest = *step;
    Rest then = GOES_ON;
    Status status = STATUS_OK;
    effort->located = 0;
    clear_percussions(simulation);
    if (step->u_start == s->u && is_impact(simulation)) {
        attempt_back_up(simulation, effort);
        status = make_impact(simulation, &rest, effort, &then);
    }
    for (long long n = 0; n < most && status == STATUS_OK && then == GOES_ON; n++) {
        if (find_held(simulation)) {
            status = make_part(simulation, &rest, effort, &then);
        } else {
            then = IS_LEFT_TO_SCHEME;
        }
    }
    if (status == STATUS_OK && then != IS_MADE && rest.dt > 0.0) {
        if (effort->moved) {
            close_touching(simulation);
        }
        status = attempt_halves(simulation, &rest, effort);
        add_percussions(simulation);
    }
    if (status == STATUS_OK && effort->moved) {
        set_percussions(simulation);
    }
    return status;
}
