// What schemes share: the contact problem of the active contacts from a factorised matrix.
#pragma once

#include "schemes/scheme.h"

// x (nu + nla_g) = inverse of the Newton matrix (w->saddle factorised, or the mass matrix) times x.
void newton_matrix_solve(const System* sys, const Workspace* w, int n_rhs, double* x);

// Rows of a law of the problem.
static inline int law_rows(const ContactLaw* law) { return (law->normal ? 1 : 0) + law->n_F; }

// Directions of a law from its rows, and sums over them: y (LAW_MAX_ROWS) = W^T x, y += W f
static inline void directions_set(const Instant* instant, const Link* link, const Rows* rows,
                                  LawDirections* directions) {
    for (int r = link->la.n; r < LAW_MAX_ROWS; r++) {
        for (int k = 0; k < link->coupling.n; k++) {
            directions->W[k][r] = 0.0;
        }
    }
    system_link_matrix(instant, link, rows, link->la.n, LAW_MAX_ROWS, directions->W[0]);
}
static inline void directions_dot(const Coupling* coupling, const LawDirections* directions,
                                  const double* x, double* y) {
    double sum[LAW_MAX_ROWS] = {0.0};
    for (int k = 0; k < coupling->n; k++) {
        const double x_k = x[coupling->u[k]];
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            sum[r] += directions->W[k][r] * x_k;
        }
    }
    for (int r = 0; r < LAW_MAX_ROWS; r++) {
        y[r] = sum[r];
    }
}
static inline void directions_add(const Coupling* coupling, const LawDirections* directions,
                                  const double* f, double* y) {
    for (int k = 0; k < coupling->n; k++) {
        double sum = 0.0;
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            sum += directions->W[k][r] * f[r];
        }
        y[coupling->u[k]] += sum;
    }
}

// W^T M^-1 W of a row, M's diagonal: the square of the velocity that unit energy could give it
double row_mobility(const Workspace* w, const Link* link, const double* W);

// w->laws of the active laws with their rows numbered from 0, from the parameters; the number of
// rows. dt: the time over which forces are summed up (1 for forces themselves). slides: those that
// slide keep their direction, taken from s.
int contact_laws(const System* sys, const State* s, double dt, bool slides, Workspace* w);

// w->V and w->G for w->directions of the active laws; m rows.
typedef struct DelassusOptions {
    bool normals_only;  // the others are not needed
    bool symmetric;     // the matrix is
} DelassusOptions;
void contact_delassus(const System* sys, Workspace* w, int m, DelassusOptions options);
