#include "schemes/accelerations.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-12;  // of the contact laws, relative to accelerations without
enum { MAXIMUM_ITERATIONS = 50, MAXIMUM_SWEEPS = 10000 };

// What is asked for at the instant
typedef enum Quantity { ACCELERATIONS, JUMP_OF_VELOCITIES } Quantity;

// Does the law act at the instant? Friction in joints, which is bounded, makes no velocity jump.
static bool acts(const System* sys, const State* s, Quantity quantity, int k) {
    const Link* law = &sys->laws[k];
    return law->bound >= 0 ? quantity == ACCELERATIONS && s->p[law->bound] > 0.0
                           : record_state(state_record(s, k)) != CONTACT_OPEN;
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
static double row_rate(const State* s, const Workspace* w, const ActiveLaw* active,
                       Quantity quantity, int r) {
    if (quantity == ACCELERATIONS) {
        return active->zeta[r];
    }
    const double* par = s->p + active->link->element->p.at;
    const double e = par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
    return (1.0 + e) * w->contacts.gamma[active->row + r];
}

// Those that act become the active laws of the set, with their rows.
static void choose_laws(const System* sys, const State* s, Quantity quantity, Workspace* w) {
    ContactSet* set = &w->contacts;
    int n = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        if (acts(sys, s, quantity, k)) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(sys, s->p, 1.0, n, set);
    contact_set_evaluate(&w->present, quantity == ACCELERATIONS, set);
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
static void fill_problem(const State* s, Quantity quantity, Workspace* w) {
    ContactSet* set = &w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double of_x[LAW_MAX_ROWS];
        active_dot(active, w->solution, of_x);
        set->laws[i] = active->form;
        if (quantity == ACCELERATIONS &&
            record_state(state_record(s, active->law)) != CONTACT_STICK) {
            keep_sliding(set->gamma + active->row + contact_law_F(&active->form), &set->laws[i]);
        }
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            set->b[active->row + r] = of_x[r] + row_rate(s, w, active, quantity, r);
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

static Status solve_contacts(const System* sys, Workspace* w) {
    ContactSet* set = &w->contacts;
    Status status =
        delassus_fill(sys, w->matrix, (DelassusOptions){.symmetric = true}, set, &w->pool);
    while (status == STATUS_NO_ROOM) {  // not within a step: it may take memory
        status = pool_grow(&w->pool);
        if (status == STATUS_OK) {
            status =
                delassus_fill(sys, w->matrix, (DelassusOptions){.symmetric = true}, set, &w->pool);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    const PercussionTask task = {.scale = problem_scale(set),
                                 .options = {.tolerance = TOLERANCE,
                                             .maximum_iterations = MAXIMUM_ITERATIONS,
                                             .maximum_sweeps = MAXIMUM_SWEEPS}};
    PercussionInfo info;
    status = percussions_solve(set, &task, &w->pool, &info);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    profile_count(&w->profile, COUNT_CONTACT_ITERATIONS, info.iterations);
    if (status == STATUS_NO_ROOM) {
        status = pool_grow(&w->pool);
        return status == STATUS_OK ? solve_contacts(sys, w) : status;
    }
    return status;
}

// Into w->solution: x of M x = f + W_g la_g + W la, and -la_g, for forces and accelerations or for
// impulses and the jump of velocities
static Status solve(const System* sys, double t, const State* s, const double* u, Quantity quantity,
                    Workspace* w) {
    ContactSet* set = &w->contacts;
    instant_set(sys, s, t, s->q, u, &w->present);
    joint_set_evaluate(sys, &w->present, quantity == ACCELERATIONS, &w->joints);
    newton_matrix_forget(w->matrix);
    Status status =
        newton_matrix_factor(sys, &w->present, &w->joints, &(MatrixTerms){0}, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    choose_laws(sys, s, quantity, w);
    if (quantity == ACCELERATIONS) {
        system_forces(sys, &w->present, w->h);
        memcpy(w->solution, w->h, (size_t)sys->nu * sizeof(double));
    } else {
        memset(w->solution, 0, (size_t)sys->nu * sizeof(double));
        take_away_forces(s, w);
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Range la = sys->joints[i].la;
        for (int r = 0; r < la.n; r++) {
            w->solution[sys->nu + la.at + r] = quantity == ACCELERATIONS
                                                   ? -w->joints.joints[i].zeta[r]
                                                   : -w->joints.g_dot[la.at + r];
        }
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
    fill_problem(s, quantity, w);
    if (set->n > 0) {
        status = solve_contacts(sys, w);
        for (int i = 0; i < set->n && status != STATUS_OUT_OF_MEMORY; i++) {
            const ActiveLaw* active = &set->active[i];
            delassus_add(sys, active, contact_law_rows(&active->form), set->P + active->row,
                         w->solution);
        }
    }
    return status;
}

Status accelerations_solve(const System* sys, double t, const State* s, const double* u,
                           Workspace* w, double* a, double* la_g) {
    const Status status = solve(sys, t, s, u, ACCELERATIONS, w);
    memcpy(a, w->solution, (size_t)sys->nu * sizeof(double));
    for (int i = 0; la_g != NULL && i < sys->nla_g; i++) {
        la_g[i] = -w->solution[sys->nu + i];  // the border has the sign of W_g
    }
    return status;
}

Status velocities_after_jump(const System* sys, double t, const State* s, Workspace* w, double* u) {
    const Status status = solve(sys, t, s, s->u, JUMP_OF_VELOCITIES, w);
    for (int i = 0; i < sys->nu; i++) {
        u[i] = s->u[i] + (status == STATUS_OK ? w->solution[i] : 0.0);
    }
    return status;
}
