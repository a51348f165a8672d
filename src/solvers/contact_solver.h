// Solves contact problems: exactly by cases for one contact, by a semismooth Newton method for
// several, by Lemke's algorithm where Newton's matrix is singular or it cycles, and where there are
// too many contacts for that by block Gauss-Seidel sweeps that alternate with Newton steps.
#pragma once

#include "solvers/contact_problem.h"

typedef struct ContactSolverOptions {
    double tolerance;        // on contact_problem_error
    int maximum_iterations;  // Newton steps
    int maximum_sweeps;      // Gauss-Seidel sweeps
} ContactSolverOptions;

typedef struct ContactSolverInfo {
    int iterations;  // Newton steps
    int sweeps;      // Gauss-Seidel sweeps
    double error;    // reached, on the original laws
} ContactSolverInfo;

// P (2n): start value on entry, solution on exit; on STATUS_NO_CONVERGENCE the best point found.
MUST_CHECK Status contact_solver_solve(const ContactProblem* problem,
                                       const ContactSolverOptions* options,
                                       const ContactScratch* scratch, double* P,
                                       ContactSolverInfo* info);

// One Newton step from P: STATUS_SINGULAR if its matrix is, with P unchanged.
MUST_CHECK Status contact_newton_step(const ContactProblem* problem, const ContactScratch* scratch,
                                      double* P);
