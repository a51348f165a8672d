// Semismooth Newton method on a contact problem whose operator is dense.
#pragma once

#include "base/status.h"
#include "solvers/contact_problem.h"
#include "solvers/contact_scratch.h"

typedef enum Mode { MODE_OPEN, MODE_STICK, MODE_DIRECTION, MODE_SLIP } Mode;

// A law in a Newton step, see contact_newton.c
struct LawMode {
    Mode mode;
    double n[LAW_MAX_F];  // direction of sliding
    double g;
    double rho;
};

typedef struct NewtonOptions {
    double tolerance;  // on contact_problem_error
    int maximum_steps;
    int patience;  // steps without a better point, after which Newton has begun to cycle
} NewtonOptions;

enum { NEWTON_PATIENCE = 8 };

typedef struct NewtonResult {
    int steps;
    double error;           // of the best point
    double smallest_pivot;  // of the last step's matrix, whose diagonal is about 1; 0: singular
} NewtonResult;

// One Newton step from P. STATUS_SINGULAR, with P unchanged, if the matrix is singular.
MUST_CHECK Status contact_newton_step(const ContactProblem* problem, const ContactScratch* scratch,
                                      double* P, double* smallest_pivot);

// Another step from P, which has the modes of the last step, with the factors of that step; problem
// may have another b. False, with P unchanged, if a law has left its mode.
MUST_CHECK bool contact_newton_again(const ContactProblem* problem, const ContactScratch* scratch,
                                     double* P);

// Newton steps from P (m), which becomes the best point met, until it is good enough, the matrix is
// singular or the steps begin to cycle. Uses P_try, A, x, xi, modes,
// places and pivots of scratch.
NewtonResult contact_newton_solve(const ContactProblem* problem, const ContactScratch* scratch,
                                  const NewtonOptions* options, double* P);
