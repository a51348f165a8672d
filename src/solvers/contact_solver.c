#include "solvers/contact_solver.h"

#include <math.h>
#include <string.h>

#include "solvers/contact_lemke.h"

enum {
    NEWTON_PATIENCE = 8,  // steps without a better point, after which Newton has begun to cycle
    NEWTON_STEPS_BETWEEN = 8,
    FIRST_SWEEPS = 4,  // before Newton is tried again, doubled each time up to
    MOST_SWEEPS = 32,
    PATIENCE = 32,  // turns of sweeps and Newton steps without a better point
};

static const double LEAST_RELAXATION = 0.25;

static size_t size_of(const ContactProblem* problem) { return (size_t)problem->m * sizeof(double); }

// Takes P_try over into P if it is better.
static bool keep_best(const ContactProblem* problem, const ContactScratch* scratch, double* P,
                      ContactSolverInfo* info) {
    const double error = contact_problem_error(problem, scratch->P_try);
    if (!(error < info->error)) {
        return false;
    }
    memcpy(P, scratch->P_try, size_of(problem));
    info->error = error;
    return true;
}

// Newton steps on P_try; P becomes the best point met.
static void newton(const ContactProblem* problem, const ContactSolverOptions* options,
                   const ContactScratch* scratch, int n_steps, double* P, ContactSolverInfo* info) {
    int idle = 0;
    for (int i = 0; i < n_steps && idle < NEWTON_PATIENCE; i++) {
        if (info->error <= options->tolerance ||
            contact_newton_step(problem, scratch, scratch->P_try, &info->regularised) !=
                STATUS_OK) {
            return;
        }
        info->iterations++;
        idle = keep_best(problem, scratch, P, info) ? 0 : idle + 1;
    }
}

// Gauss-Seidel sweeps on P_try; relaxation is the part of its way that each percussion goes.
static void sweep(const ContactProblem* problem, const ContactScratch* scratch, int n_sweeps,
                  double relaxation, double* P, ContactSolverInfo* info) {
    for (int i = 0; i < n_sweeps; i++) {
        memcpy(scratch->x, scratch->P_try, size_of(problem));
        for (int k = 0; k < problem->n; k++) {
            const ContactLaw* law = &problem->laws[k];
            contact_problem_solve_one(problem, k, scratch->P_try);
            for (int j = law->at; j < law->at + (law->normal ? 1 : 0) + law->n_F; j++) {
                scratch->P_try[j] += (1.0 - relaxation) * (scratch->x[j] - scratch->P_try[j]);
            }
        }
    }
    info->sweeps += n_sweeps;
    (void)keep_best(problem, scratch, P, info);
}

// Sweeps and Newton steps in turn. If they have found a better point, the next ones start from the
// best; else from where Newton's steps have led and relaxed, which gets them out of most cycles.
static void alternate(const ContactProblem* problem, const ContactSolverOptions* options,
                      const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    int n_sweeps = FIRST_SWEEPS;
    int idle = 0;
    double relaxation = 1.0;
    memcpy(scratch->P_try, P, size_of(problem));
    while (info->error > options->tolerance && info->sweeps < options->maximum_sweeps &&
           idle < PATIENCE) {
        const double error = info->error;
        sweep(problem, scratch, n_sweeps, relaxation, P, info);
        n_sweeps = n_sweeps < MOST_SWEEPS ? 2 * n_sweeps : MOST_SWEEPS;
        newton(problem, options, scratch, NEWTON_STEPS_BETWEEN, P, info);
        if (info->error < error) {
            memcpy(scratch->P_try, P, size_of(problem));
            relaxation = 1.0;
            idle = 0;
        } else {
            idle++;
            relaxation = relaxation > LEAST_RELAXATION ? 0.5 * relaxation : 1.0;
        }
    }
}

Status contact_solver_solve(const ContactProblem* problem, const ContactSolverOptions* options,
                            const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    *info = (ContactSolverInfo){.error = contact_problem_error(problem, P)};
    if (!isfinite(info->error)) {  // a start value that overflowed is worth nothing
        memset(P, 0, size_of(problem));
        info->error = contact_problem_error(problem, P);
    }
    if (!isfinite(info->error)) {
        return STATUS_NOT_FINITE;
    }
    memcpy(scratch->P_try, P, size_of(problem));
    if (problem->n == 1 || info->error > options->tolerance) {
        sweep(problem, scratch, 1, 1.0, P, info);  // the solution for one law, a start for several
    }
    newton(problem, options, scratch, options->maximum_iterations, P, info);
    info->swept = info->error > options->tolerance;
    if (info->swept && contact_lemke_solve(problem, &scratch->lemke, scratch->P_try) == STATUS_OK) {
        info->iterations++;
        (void)keep_best(problem, scratch, P, info);
        newton(problem, options, scratch, NEWTON_STEPS_BETWEEN, P, info);
    }
    if (problem->n > 1) {
        alternate(problem, options, scratch, P, info);
    }
    return info->error <= options->tolerance ? STATUS_OK : STATUS_NO_CONVERGENCE;
}
