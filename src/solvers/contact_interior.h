// Interior-point method for contact problems whose operator is dense: needs no start value and
// finds its way where Newton's method cycles among modes, to an accuracy from which Newton goes on.
#pragma once

#include "base/status.h"
#include "solvers/contact_cone.h"
#include "solvers/contact_problem.h"
#include "solvers/contact_scratch.h"

typedef enum InteriorKind {
    INTERIOR_NONE,     // P follows from the law alone
    INTERIOR_COULOMB,  // x = (mu P_N, P_F)
    INTERIOR_NORMAL,   // x = P_N; P_F = 0 or, for a known direction of slip, -mu P_N slip
    INTERIOR_BOUND,    // x = (bound, P_F)
} InteriorKind;

struct InteriorLaw {
    InteriorKind kind;
    int d;                   // dimensions of the cone
    int n_unknowns;          // percussions in the linear system, and their equations
    int place;               // of the first unknown
    int rows[LAW_MAX_ROWS];  // of the percussions that are unknowns
    double x[LAW_MAX_ROWS];  // percussions in the cone
    double y[LAW_MAX_ROWS];  // velocities in the cone
    double F[LAW_MAX_ROWS];  // what y has to become
    double n[LAW_MAX_F];     // xi_F / |xi_F| on the rows kept
    double lambda[LAW_MAX_ROWS];
    double c[LAW_MAX_ROWS];  // W dx + W^-1 dy = c
    double dx[LAW_MAX_ROWS];
    double dy[LAW_MAX_ROWS];
    ConeScaling scaling;
    double Q[LAW_MAX_ROWS][LAW_MAX_ROWS];  // unknowns of the linear system are du = L Q^T D dP
    double L[LAW_MAX_ROWS];
    double T[LAW_MAX_ROWS][LAW_MAX_ROWS];  // L^-1 Q^T D^-1
};

// P (m): a point with all percussions inside their cones, near a solution if the result is
// STATUS_OK; STATUS_NO_CONVERGENCE: as near as it came; STATUS_SINGULAR: P is unchanged. steps is
// increased by the number of matrices factored. Uses A, x, xi, pivots, P_try and laws of scratch.
MUST_CHECK Status contact_interior_solve(const ContactProblem* problem,
                                         const ContactScratch* scratch, double* P, int* steps);
