#include "schemes/contact_assembly.h"

#include <math.h>
#include <string.h>

void newton_matrix_solve(const System* sys, const Workspace* w, int n_rhs, double* x) {
    if (w->saddle != NULL && !w->plain_mass) {
        saddle_solve(w->saddle, n_rhs, x);
        return;
    }
    for (int j = 0; j < n_rhs; j++) {  // no joints: the columns have length nu
        system_mass_solve(sys, &w->end, x + (size_t)j * (size_t)sys->nu);
        if (w->q_0 != NULL) {
            system_push_forward(sys, w->q_1, w->q_0, x + (size_t)j * (size_t)sys->nu);
        }
    }
}

double row_mobility(const Workspace* w, const Link* link, const double* W) {
    return system_row_mobility(&w->end, link, W);
}

// Friction rows that act: none without friction, drilling friction only with a contact radius.
static int friction_rows(const Link* link, const double* par) {
    const int n_F = par[FRICTION_COEFFICIENT] > 0.0 ? link->la.n - 1 : 0;
    return n_F == CONTACT_MAX_F && !(par[CONTACT_RADIUS] > 0.0) ? n_F - 1 : n_F;
}

static ContactLaw make_law(const Link* link, const double* p, double dt) {
    const double* par = p + link->element->p.at;
    if (link->bound >= 0) {
        return (ContactLaw){.n_F = 1, .bound = dt * p[link->bound]};
    }
    return (ContactLaw){
        .normal = true, .n_F = friction_rows(link, par), .mu = par[FRICTION_COEFFICIENT]};
}

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

int contact_laws(const System* sys, const State* s, double dt, bool slides, Workspace* w) {
    int m = 0;
    for (int i = 0; i < w->n_active; i++) {
        const int k = w->active[i];
        const Link* link = &sys->laws[k];
        ContactLaw* law = &w->laws[i];
        *law = make_law(link, s->p, dt);
        law->at = m;
        m += law_rows(law);
        if (slides && s->contact_state[k] != CONTACT_STICK) {
            keep_sliding(s->gamma + link->la.at + (law->normal ? 1 : 0), law);
        }
    }
    return m;
}

// Rows of active law i that take part
static int delassus_rows(const Workspace* w, DelassusOptions options, int i) {
    return options.normals_only ? (int)w->laws[i].normal : law_rows(&w->laws[i]);
}

static void fill_columns(const System* sys, const Workspace* w, DelassusOptions options) {
    const size_t size = (size_t)sys->nu + (size_t)sys->nla_g;
    for (int i = 0; i < w->n_active; i++) {
        const Coupling* coupling = &sys->laws[w->active[i]].coupling;
        const int n = delassus_rows(w, options, i);
        double* V = w->V + (size_t)w->laws[i].at * size;
        memset(V, 0, (size_t)n * size * sizeof(double));
        for (int k = 0; k < coupling->n; k++) {
            for (int r = 0; r < n; r++) {
                V[(size_t)r * size + (size_t)coupling->u[k]] = w->directions[i].W[k][r];
            }
        }
        newton_matrix_solve(sys, w, n, V);
    }
}

// Rows of G that belong to active law i; of a symmetric one, those from its diagonal on
static void fill_rows(const System* sys, const Workspace* w, int m, DelassusOptions options,
                      int i) {
    const size_t size = (size_t)sys->nu + (size_t)sys->nla_g;
    const Coupling* coupling = &sys->laws[w->active[i]].coupling;
    const int n = delassus_rows(w, options, i);
    for (int j = options.symmetric ? i : 0; j < w->n_active; j++) {
        const int end = w->laws[j].at + delassus_rows(w, options, j);
        for (int c = w->laws[j].at; c < end; c++) {
            double* G = w->G + (size_t)c * (size_t)m + w->laws[i].at;
            double column[LAW_MAX_ROWS];
            directions_dot(coupling, &w->directions[i], w->V + (size_t)c * size, column);
            for (int r = 0; r < n; r++) {
                G[r] = column[r];
            }
        }
    }
}

void contact_delassus(const System* sys, Workspace* w, int m, DelassusOptions options) {
    profile_count(&w->profile, COUNT_DELASSUS, w->n_active > 0);
    fill_columns(sys, w, options);
    for (int i = 0; i < w->n_active; i++) {
        fill_rows(sys, w, m, options, i);
    }
    for (int j = 0; j < m && options.symmetric && w->n_active > 1; j++) {
        for (int i = 0; i < j; i++) {
            w->G[(size_t)i * (size_t)m + (size_t)j] = w->G[(size_t)j * (size_t)m + (size_t)i];
        }
    }
}
