#include "schemes/accelerations.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-12;  // of the contact laws, relative to accelerations without
enum { MAXIMUM_ITERATIONS = 50, MAXIMUM_SWEEPS = 10000 };

// Does the law act at the instant?
static bool acts(const System* sys, const State* s, int k) {
    const Link* law = &sys->laws[k];
    return law->bound >= 0 ? s->p[law->bound] > 0.0
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

// Those that act become the active laws of the set; b = W^T a + zeta.
static void choose_laws(const System* sys, const State* s, Workspace* w) {
    ContactSet* set = &w->contacts;
    int n = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        if (acts(sys, s, k)) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(sys, s->p, 1.0, n, set);
    contact_set_evaluate(&w->present, true, set);
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double of_a[LAW_MAX_ROWS];
        active_dot(active, w->solution, of_a);
        set->laws[i] = active->form;
        if (record_state(state_record(s, active->law)) != CONTACT_STICK) {
            keep_sliding(set->gamma + active->row + contact_law_F(&active->form), &set->laws[i]);
        }
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            set->b[active->row + r] = of_a[r] + active->zeta[r];
            set->P[active->row + r] = 0.0;
        }
    }
}

// The largest acceleration without the forces of contacts, in the norm of energy
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

Status accelerations_solve(const System* sys, double t, const State* s, Workspace* w, double* a,
                           double* la_g) {
    ContactSet* set = &w->contacts;
    instant_set(sys, s, t, s->q, s->u, &w->present);
    joint_set_evaluate(sys, &w->present, true, &w->joints);
    newton_matrix_forget(w->matrix);
    Status status =
        newton_matrix_factor(sys, &w->present, &w->joints, &(MatrixTerms){0}, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    system_forces(sys, &w->present, w->h);
    memcpy(w->solution, w->h, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < sys->n_joints; i++) {
        const Range la = sys->joints[i].la;
        for (int r = 0; r < la.n; r++) {
            w->solution[sys->nu + la.at + r] = -w->joints.joints[i].zeta[r];
        }
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
    choose_laws(sys, s, w);
    if (set->n > 0) {
        status = solve_contacts(sys, w);
        for (int i = 0; i < set->n && status != STATUS_OUT_OF_MEMORY; i++) {
            const ActiveLaw* active = &set->active[i];
            delassus_add(sys, active, contact_law_rows(&active->form), set->P + active->row,
                         w->solution);
        }
    }
    memcpy(a, w->solution, (size_t)sys->nu * sizeof(double));
    for (int i = 0; la_g != NULL && i < sys->nla_g; i++) {
        la_g[i] = -w->solution[sys->nu + i];  // the border has the sign of W_g
    }
    return status;
}
