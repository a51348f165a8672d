// Solves contact problems by a ladder of methods, each of which starts from the best point so far:
// docs/contact-solver.md says what each rung was measured to solve.
//
// Where percussions are not unique, those with the least sum of
//   w_i P_i^2 over friction rows + NORMAL_WEIGHT G_ii P_i^2 over normal rows,  w_i = max(G_ii,
//   G_NN)
// among all solutions are chosen, to about 1e-6, whatever the start value.
#pragma once

#include "base/status.h"
#include "solvers/contact_problem.h"
#include "solvers/contact_scratch.h"

typedef struct ContactSolverOptions {
    double tolerance;        // on contact_problem_error
    int maximum_iterations;  // steps of each use of Newton's method
    int maximum_sweeps;      // Gauss-Seidel sweeps
    bool near;  // the start value solves a problem near this one: of many rows, the solution
                // nearest to it instead of that of least norm
} ContactSolverOptions;

typedef enum ContactRung {
    CONTACT_CASES,       // one law, by cases
    CONTACT_NEWTON,      // semismooth Newton method
    CONTACT_NEAR,        // a few proximal points from a start value that is near
    CONTACT_LEAST_NORM,  // a small regularisation, and a few proximal points to take it back
    CONTACT_INTERIOR,    // interior points, then a few proximal points
    CONTACT_PROXIMAL,    // many proximal points
    CONTACT_LEMKE,       // Lemke's algorithm, then Newton
    CONTACT_PATH,        // following the path of smoothed laws
    CONTACT_SWEEPS,      // block Gauss-Seidel
} ContactRung;

typedef struct ContactSolverInfo {
    ContactRung rung;    // that found the point returned
    double error;        // of it, on the original problem
    int worst_law;       // with the largest violation if not solved, else -1
    int iterations;      // Newton steps
    int interior_steps;  // of the interior-point method
    int proximal_steps;
    int pivotings;     // runs of Lemke's algorithm
    int sweeps;        // of Gauss and Seidel
    bool regularised;  // force directions depend on each other: percussions may not be unique
    bool unsolvable;   // not solved, and a direction in which percussions run away was found
} ContactSolverInfo;

// P (m): start value on entry, solution on exit; on STATUS_NO_CONVERGENCE the best point found,
// STATUS_NOT_FINITE if the problem is not.
MUST_CHECK Status contact_solver_solve(const ContactProblem* problem,
                                       const ContactSolverOptions* options,
                                       const ContactScratch* scratch, double* P,
                                       ContactSolverInfo* info);

// A problem of one law by cases, which takes no scratch: the first rung. False if it is not solved.
bool contact_solver_solve_one(const ContactProblem* problem, const ContactSolverOptions* options,
                              double* P, ContactSolverInfo* info);

const char* contact_rung_name(ContactRung rung);
