// What schemes share: the contact problem of the active contacts from a factorised matrix.
#pragma once

#include "schemes/scheme.h"

// x (nu + nla_g) = inverse of the Newton matrix (w->saddle factorised, or the mass matrix) times x.
void newton_matrix_solve(const System* sys, const Workspace* w, int n_rhs, double* x);

// Rows of a law of the problem.
int law_rows(const ContactLaw* law);

// w->laws of the active laws with their rows numbered from 0, from the parameters; the number of
// rows. dt: the time over which forces are summed up (1 for forces themselves). slides: those that
// slide keep their direction, taken from s.
int contact_laws(const System* sys, const State* s, double dt, bool slides, Workspace* w);

// w->V and w->G for w->rows of the active laws; m rows.
typedef struct DelassusOptions {
    bool normals_only;  // the others are not needed
    bool symmetric;     // the matrix is
} DelassusOptions;
void contact_delassus(const System* sys, const Workspace* w, int m, DelassusOptions options);
