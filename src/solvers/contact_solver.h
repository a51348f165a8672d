// Solves contact problems: by cases for one law, by a semismooth Newton method for several. Where
// Newton cycles, in turn: Newton steps that must lessen the error, Lemke's algorithm, following the
// path of smoothed laws, and block Gauss-Seidel sweeps with Newton steps in between.
#pragma once

#include "solvers/contact_problem.h"

typedef struct ContactSolverOptions {
    double tolerance;        // on contact_problem_error
    int maximum_iterations;  // Newton steps
    int maximum_sweeps;      // Gauss-Seidel sweeps
} ContactSolverOptions;

typedef struct ContactSolverInfo {
    int iterations;    // Newton steps
    int sweeps;        // Gauss-Seidel sweeps
    bool regularised;  // a Newton step met dependent force directions
    bool swept;        // Newton's method did not get there: pivoting or sweeps took over
    double error;      // reached, on the original laws
} ContactSolverInfo;

// P (m): start value on entry, solution on exit; on STATUS_NO_CONVERGENCE the best point found,
// STATUS_NOT_FINITE if the problem is not.
MUST_CHECK Status contact_solver_solve(const ContactProblem* problem,
                                       const ContactSolverOptions* options,
                                       const ContactScratch* scratch, double* P,
                                       ContactSolverInfo* info);

// One Newton step from P. Dependent force directions do not stop it, *regularised becomes true if
// there are any; STATUS_SINGULAR, with P unchanged, if there is no finite solution.
MUST_CHECK Status contact_newton_step(const ContactProblem* problem, const ContactScratch* scratch,
                                      double* P, bool* regularised);
