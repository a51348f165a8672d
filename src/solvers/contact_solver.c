#include "solvers/contact_solver.h"

#include <math.h>
#include <string.h>

#include "solvers/contact_lemke.h"

enum { SWEEPS_BETWEEN_NEWTON = 32, NEWTON_STEPS_BETWEEN = 4 };

// Newton steps from P into P_try, taken over into P when they improve on its error.
static void newton(const ContactProblem* problem, const ContactSolverOptions* options,
                   const ContactScratch* scratch, int n_steps, double* P, ContactSolverInfo* info) {
    const size_t size = 2 * (size_t)problem->n * sizeof(double);
    memcpy(scratch->P_try, P, size);
    for (int i = 0; i < n_steps; i++) {
        if (contact_newton_step(problem, scratch, scratch->P_try) != STATUS_OK) {
            return;
        }
        info->iterations++;
        const double error = contact_problem_error(problem, scratch->P_try);
        if (error < info->error) {
            memcpy(P, scratch->P_try, size);
            info->error = error;
        }
        if (info->error <= options->tolerance) {
            return;
        }
    }
}

// Lemke's solution, improved by Newton steps, taken over into P when it improves on its error.
static void lemke(const ContactProblem* problem, const ContactSolverOptions* options,
                  const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    if (contact_lemke_solve(problem, &scratch->lemke, scratch->P_try) != STATUS_OK) {
        return;
    }
    const double error = contact_problem_error(problem, scratch->P_try);
    info->iterations++;
    if (error < info->error) {
        memcpy(P, scratch->P_try, 2 * (size_t)problem->n * sizeof(double));
        info->error = error;
    }
    if (info->error > options->tolerance) {
        newton(problem, options, scratch, NEWTON_STEPS_BETWEEN, P, info);
    }
}

Status contact_solver_solve(const ContactProblem* problem, const ContactSolverOptions* options,
                            const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    *info = (ContactSolverInfo){.error = contact_problem_error(problem, P)};
    if (!isfinite(info->error)) {  // a start value that overflowed is worth nothing
        memset(P, 0, 2 * (size_t)problem->n * sizeof(double));
        info->error = contact_problem_error(problem, P);
    }
    if (problem->n == 1) {
        contact_problem_solve_one(problem, 0, P);
        info->iterations = 1;
        info->error = contact_problem_error(problem, P);
        return info->error <= options->tolerance ? STATUS_OK : STATUS_NO_CONVERGENCE;
    }
    if (info->error > options->tolerance) {
        newton(problem, options, scratch, options->maximum_iterations, P, info);
    }
    if (!(info->error <= options->tolerance)) {
        lemke(problem, options, scratch, P, info);
    }
    while (!(info->error <= options->tolerance) && info->sweeps < options->maximum_sweeps) {
        for (int sweep = 0; sweep < SWEEPS_BETWEEN_NEWTON; sweep++) {
            for (int k = 0; k < problem->n; k++) {
                contact_problem_solve_one(problem, k, P);
            }
        }
        info->sweeps += SWEEPS_BETWEEN_NEWTON;
        info->error = contact_problem_error(problem, P);
        if (info->error > options->tolerance) {
            newton(problem, options, scratch, NEWTON_STEPS_BETWEEN, P, info);
        }
    }
    return info->error <= options->tolerance ? STATUS_OK : STATUS_NO_CONVERGENCE;
}
