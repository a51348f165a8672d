// Semismooth Newton method on a contact problem whose operator is dense.
#pragma once

#include "base/status.h"
#include "solvers/contact_problem.h"
#include "solvers/contact_scratch.h"

typedef struct NewtonOptions {
    double tolerance;  // on contact_problem_error
    int maximum_steps;
} NewtonOptions;

typedef struct NewtonResult {
    int steps;
    double error;           // of the best point
    double smallest_pivot;  // of the last step's matrix, whose diagonal is about 1; 0: singular
} NewtonResult;

// One Newton step from P. STATUS_SINGULAR, with P unchanged, if the matrix is singular.
MUST_CHECK Status contact_newton_step(const ContactProblem* problem, const ContactScratch* scratch,
                                      double* P, double* smallest_pivot);

// Newton steps from P (m), which becomes the best point met, until it is good enough, the matrix is
// singular or the steps begin to cycle. Uses P_try, A, x, xi and pivots of scratch.
NewtonResult contact_newton_solve(const ContactProblem* problem, const ContactScratch* scratch,
                                  const NewtonOptions* options, double* P);
