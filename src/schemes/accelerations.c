#include "schemes/accelerations.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-12;  // of the contact laws, relative to accelerations without
enum { MAXIMUM_ITERATIONS = 50, MAXIMUM_SWEEPS = 10000 };

// What is asked for at the instant: accelerations, or the velocities after a jump of prescribed
// ones or after an impact
typedef enum Quantity { ACCELERATIONS, JUMP_OF_VELOCITIES, IMPACT } Quantity;

typedef struct Question {
    Quantity quantity;
    const System* sys;
    double t;
    const State* s;
    const double* u;        // (nu) velocities before
    const bool* closes;     // (n_contacts) of an impact: beside those that are closed
    const bool* inelastic;  // (n_contacts) of an impact: without restitution; NULL: none
    ContactSolverOptions options;
    Workspace* w;
} Question;

// Does the law act at the instant? Friction in joints, which is bounded, makes no velocity jump.
static bool acts(const Question* ask, int k) {
    const State* s = ask->s;
    const Link* law = &ask->sys->laws[k];
    if (law->bound >= 0) {
        return ask->quantity == ACCELERATIONS && s->p[law->bound] > 0.0;
    }
    return (ask->closes != NULL && ask->closes[k]) ||
           record_state(state_record(s, k)) != CONTACT_OPEN;
}

// A law that slides keeps its direction.
static void keep_sliding(const double* gamma_F, ContactLaw* law) {
    double speed = 0.0;
    for (int j = 0; j < law->n_F; j++) {
        speed += gamma_F[j] * gamma_F[j];
    }
    speed = sqrt(speed);
    law->slides = speed > 0.0;
    for (int j = 0; j < law->n_F && law->slides; j++) {
        law->slip[j] = gamma_F[j] / speed;
    }
}

// What the row of a law is without the forces or impulses of laws, but for W^T x of the solution:
// its second derivative, or its velocity with restitution
static double row_rate(const Question* ask, const ActiveLaw* active, int r) {
    if (ask->quantity == ACCELERATIONS) {
        return active->zeta[r];
    }
    const bool inelastic = active->link->bound >= 0 ||  // friction in a joint
                           (ask->inelastic != NULL && ask->inelastic[active->law]);
    const int e = r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION;
    return (1.0 + (inelastic ? 0.0 : link_parameter(active->link, ask->s->p, e))) *
           ask->w->contacts.gamma[active->row + r];
}

// Those that act become the active laws of the set, with their rows.
static void choose_laws(const Question* ask) {
    Workspace* w = ask->w;
    ContactSet* set = &w->contacts;
    int n = 0;
    for (int k = 0; k < ask->sys->n_laws; k++) {
        if (acts(ask, k)) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(ask->sys, ask->s->p, 1.0, n, set);
    contact_set_evaluate(&w->present, ask->quantity == ACCELERATIONS, set);
}

// A contact that presses does not part where a motion is slowed down by no more than its force can
// do in a step: the laws are on its impulse over the step to come, too, which is then taken away.
static void take_away_forces(const State* s, Workspace* w) {
    ContactSet* set = &w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactRecord* record = state_record(s, active->law);
        double f[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            f[r] = -s->head->dt * record->la[r];
        }
        active_add(active, f, w->solution);
    }
}

// The contact problem of the solution without forces of laws
static void fill_problem(const Question* ask) {
    const Workspace* w = ask->w;
    ContactSet* set = &ask->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double of_x[LAW_MAX_ROWS];
        active_dot(active, w->solution, of_x);
        set->laws[i] = active->form;
        if (ask->quantity == ACCELERATIONS &&
            record_state(state_record(ask->s, active->law)) != CONTACT_STICK) {
            keep_sliding(set->gamma + active->row + contact_law_F(&active->form), &set->laws[i]);
        }
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            set->b[active->row + r] = of_x[r] + row_rate(ask, active, r);
            set->P[active->row + r] = 0.0;
        }
    }
}

// The largest acceleration or velocity without the forces of contacts, in the norm of energy
static double problem_scale(const ContactSet* set) {
    double scale = 0.0;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            const double G = delassus_diagonal(set, active, r);
            const double b = fabs(set->b[active->row + r]);
            scale = G > 0.0 ? fmax(scale, b / sqrt(G)) : scale;
        }
    }
    return scale;
}

static Status solve_contacts(const Question* ask, PercussionInfo* info) {
    Workspace* w = ask->w;
    ContactSet* set = &w->contacts;
    const DelassusOptions symmetric = {.symmetric = true};
    Status status = delassus_fill(ask->sys, w->matrix, symmetric, set, &w->pool);
    while (status == STATUS_NO_ROOM) {  // not within the iteration of a step: it may take memory
        status = pool_grow(&w->pool);
        if (status == STATUS_OK) {
            status = delassus_fill(ask->sys, w->matrix, symmetric, set, &w->pool);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    const PercussionTask task = {.scale = problem_scale(set), .options = ask->options};
    status = percussions_solve(set, &task, &w->pool, info);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    profile_count(&w->profile, COUNT_CONTACT_ITERATIONS, info->iterations);
    if (status == STATUS_NO_ROOM) {
        status = pool_grow(&w->pool);
        return status == STATUS_OK ? solve_contacts(ask, info) : status;
    }
    return status;
}

// The equations without the forces of laws: f, and what the rows of joints are to become
static void fill_right_side(const Question* ask) {
    const System* sys = ask->sys;
    Workspace* w = ask->w;
    const bool accelerations = ask->quantity == ACCELERATIONS;
    if (accelerations) {
        system_forces(sys, &w->present, w->h);
        memcpy(w->solution, w->h, (size_t)sys->nu * sizeof(double));
    } else {
        memset(w->solution, 0, (size_t)sys->nu * sizeof(double));
    }
    if (ask->quantity == JUMP_OF_VELOCITIES) {
        take_away_forces(ask->s, w);
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Range la = sys->joints[i].la;
        for (int r = 0; r < la.n; r++) {
            w->solution[sys->nu + la.at + r] =
                accelerations ? -w->joints.joints[i].zeta[r] : -w->joints.g_dot[la.at + r];
        }
    }
}

// Into w->solution: x of M x = f + W_g la_g + W la, and -la_g, for forces and accelerations or for
// impulses and the jump of velocities
static Status solve(const Question* ask, PercussionInfo* info) {
    const System* sys = ask->sys;
    Workspace* w = ask->w;
    ContactSet* set = &w->contacts;
    *info = (PercussionInfo){0};
    instant_set(sys, ask->s, ask->t, ask->s->q, ask->u, &w->present);
    joint_set_evaluate(sys, &w->present, ask->quantity == ACCELERATIONS, &w->joints);
    newton_matrix_forget(w->matrix);
    Status status =
        newton_matrix_factor(sys, &w->present, &w->joints, &(MatrixTerms){0}, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    choose_laws(ask);
    fill_right_side(ask);
    newton_matrix_solve(sys, w->matrix, w->solution);
    fill_problem(ask);
    if (set->n > 0) {
        status = solve_contacts(ask, info);
        for (int i = 0; i < set->n && status != STATUS_OUT_OF_MEMORY; i++) {
            const ActiveLaw* active = &set->active[i];
            delassus_add(sys, active, contact_law_rows(&active->form), set->P + active->row,
                         w->solution);
        }
    }
    return status;
}

static const ContactSolverOptions to_rounding = {.tolerance = TOLERANCE,
                                                 .maximum_iterations = MAXIMUM_ITERATIONS,
                                                 .maximum_sweeps = MAXIMUM_SWEEPS};

Status accelerations_solve(const System* sys, double t, const State* s, const double* u,
                           Workspace* w, double* a, double* la_g) {
    PercussionInfo info;
    const Question ask = {ACCELERATIONS, sys, t, s, u, NULL, NULL, to_rounding, w};
    const Status status = solve(&ask, &info);
    memcpy(a, w->solution, (size_t)sys->nu * sizeof(double));
    for (int i = 0; la_g != NULL && i < sys->nla_g; i++) {
        la_g[i] = -w->solution[sys->nu + i];  // the border has the sign of W_g
    }
    return status;
}

Status velocities_after_jump(const System* sys, double t, const State* s, Workspace* w, double* u) {
    PercussionInfo info;
    const Question ask = {JUMP_OF_VELOCITIES, sys, t, s, s->u, NULL, NULL, to_rounding, w};
    const Status status = solve(&ask, &info);
    for (int i = 0; i < sys->nu; i++) {
        u[i] = s->u[i] + (status == STATUS_OK ? w->solution[i] : 0.0);
    }
    return status;
}

Status velocities_after_impact(const StepInput* in, const bool* closes, const State* s, double* u,
                               double* P_g, PercussionInfo* info) {
    const System* sys = in->sys;
    Workspace* w = in->w;
    const double* par = s->p + sys->solver;
    const ContactSolverOptions options = solver_contact_options(par);
    const Question ask = {IMPACT, sys, in->t, s, s->u, closes, in->inelastic, options, w};
    const Status status = solve(&ask, info);
    for (int i = 0; i < sys->nu; i++) {
        u[i] = s->u[i] + w->solution[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        P_g[i] = -w->solution[sys->nu + i];
    }
    const double accepted = solver_convergence(par, in->attempt).inexact;
    return status == STATUS_NO_CONVERGENCE && info->error <= accepted ? STATUS_OK : status;
}
