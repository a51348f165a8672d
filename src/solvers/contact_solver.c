#include "solvers/contact_solver.h"

#include <math.h>
#include <string.h>

#include "solvers/contact_lemke.h"
#include "solvers/contact_path.h"

enum {
    NEWTON_PATIENCE = 8,  // steps without a better point, after which Newton has begun to cycle
    NEWTON_STEPS_BETWEEN = 8,
    FIRST_SWEEPS = 4,  // before Newton is tried again, doubled each time up to
    MOST_SWEEPS = 32,
    PATIENCE = 32,  // turns of sweeps and Newton steps without a better point
    PIVOTINGS = 5,
    PATH_LEVELS = 12,  // tenths of the smoothing
    PATH_SYSTEMS = 1000,
};

// Changes of the data against ties in Lemke's algorithm, in the order in which they are tried
static const double EPSILONS[PIVOTINGS] = {1e-9, 1e-12, 1e-7, 1e-14, 1e-5};

// Proximal weights, relative to G_ii
static const double FIRST_WEIGHT = 1e-10;
static const double LEAST_WEIGHT = 1e-12;
static const double MOST_WEIGHT = 10.0;

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

// One Newton step from P_near with the proximal term weight G_ii (P_i - P_i,old) in xi_i.
static Status near_step(const ContactProblem* problem, const ContactScratch* scratch, double weight,
                        ContactSolverInfo* info) {
    const size_t m = (size_t)problem->m;
    ContactProblem near = *problem;
    near.G = scratch->G_near;
    near.b = scratch->b_near;
    memcpy(scratch->G_near, problem->G, m * m * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        const double term = weight * problem->G[i * m + i];
        scratch->G_near[i * m + i] += term;
        scratch->b_near[i] = problem->b[i] - term * scratch->P_near[i];
    }
    info->iterations++;
    return contact_newton_step(&near, scratch, scratch->P_near, &info->regularised);
}

// Newton steps on P_try, each of which must lessen the error: if one does not, the proximal term is
// made larger, which makes the step shorter (Levenberg and Marquardt's rule).
static void newton_near(const ContactProblem* problem, const ContactSolverOptions* options,
                        const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    double error = contact_problem_error(problem, scratch->P_try);
    double weight = FIRST_WEIGHT;
    for (int i = 0; i < options->maximum_iterations && weight < MOST_WEIGHT; i++) {
        if (info->error <= options->tolerance) {
            return;
        }
        memcpy(scratch->P_near, scratch->P_try, size_of(problem));
        const Status status = near_step(problem, scratch, weight, info);
        const double reached =
            status == STATUS_OK ? contact_problem_error(problem, scratch->P_near) : INFINITY;
        if (reached < 0.999 * error) {
            memcpy(scratch->P_try, scratch->P_near, size_of(problem));
            (void)keep_best(problem, scratch, P, info);
            error = reached;
            weight = fmax(LEAST_WEIGHT, 0.01 * weight);
        } else {
            weight *= 10.0;
        }
    }
}

// Lemke's algorithm with the directions of slip at P_try, then Newton steps.
static void pivot(const ContactProblem* problem, const ContactSolverOptions* options,
                  const ContactScratch* scratch, double epsilon, double* P,
                  ContactSolverInfo* info) {
    if (info->error <= options->tolerance ||
        contact_lemke_solve(problem, &scratch->lemke, epsilon, scratch->P_try) != STATUS_OK) {
        return;
    }
    info->iterations++;
    (void)keep_best(problem, scratch, P, info);
    newton(problem, options, scratch, NEWTON_STEPS_BETWEEN, P, info);
    if (info->error > options->tolerance) {
        memcpy(scratch->P_try, P, size_of(problem));
        newton_near(problem, options, scratch, P, info);
    }
}

// Follows the path of the smoothed laws; from its points Newton steps and Lemke's algorithm lead to
// the solution.
static void follow(const ContactProblem* problem, const ContactSolverOptions* options,
                   const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    ContactPath path;
    if (contact_path_start(problem, &scratch->path, &path) != STATUS_OK) {
        return;
    }
    for (int i = 0; i < PATH_LEVELS && info->error > options->tolerance; i++) {
        if (contact_path_advance(&path, PATH_SYSTEMS) != STATUS_OK) {
            break;
        }
        contact_path_point(&path, scratch->P_try);
        (void)keep_best(problem, scratch, P, info);
        newton_near(problem, options, scratch, P, info);
        for (int j = 0; j < 2 && info->error > options->tolerance; j++) {
            contact_path_point(&path, scratch->P_try);
            pivot(problem, options, scratch, EPSILONS[j], P, info);
        }
    }
    info->iterations += path.n_solved;
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

// For the problems that Newton's method has not solved
static void persist(const ContactProblem* problem, const ContactSolverOptions* options,
                    const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    memcpy(scratch->P_try, P, size_of(problem));
    newton_near(problem, options, scratch, P, info);
    for (int i = 0; i < PIVOTINGS; i++) {
        pivot(problem, options, scratch, EPSILONS[i], P, info);
    }
    if (info->error > options->tolerance) {
        follow(problem, options, scratch, P, info);
    }
    if (problem->n > 1) {
        alternate(problem, options, scratch, P, info);
    }
}

Status contact_solver_solve(const ContactProblem* problem, const ContactSolverOptions* options,
                            const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    if (problem->n == 1) {  // by cases, if rounding permits
        contact_problem_solve_one(problem, 0, P);
        *info = (ContactSolverInfo){.sweeps = 1, .error = contact_problem_error(problem, P)};
        if (info->error <= options->tolerance) {
            return STATUS_OK;
        }
    }
    *info = (ContactSolverInfo){.error = contact_problem_error(problem, P)};
    if (!isfinite(info->error)) {  // a start value that overflowed is worth nothing
        memset(P, 0, size_of(problem));
        info->error = contact_problem_error(problem, P);
    }
    if (!isfinite(info->error)) {
        return STATUS_NOT_FINITE;
    }
    memcpy(scratch->P_try, P, size_of(problem));
    if (info->error > options->tolerance) {
        sweep(problem, scratch, 1, 1.0, P, info);
    }
    newton(problem, options, scratch, options->maximum_iterations, P, info);
    info->swept = info->error > options->tolerance;
    if (info->swept) {
        persist(problem, options, scratch, P, info);
    }
    return info->error <= options->tolerance ? STATUS_OK : STATUS_NO_CONVERGENCE;
}
