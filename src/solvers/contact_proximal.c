// Contact problems whose force directions depend on each other, and those that other methods do not
// solve: a regularisation and proximal-point steps that take it back.
//
// With weights w_i = G_ii for friction rows and NORMAL_WEIGHT G_ii for normal rows, the problem
// with
//   xi = (G + delta diag w) P + b - delta diag w P_a                                         (A)
// is regular. For P_a = 0 and small delta (Tikhonov) its solution is, among all solutions of the
// original problem, near that of least weighted norm; it does not depend on the start value. Steps
// with P_a = P, the solution of the last (proximal points), take the regularisation back: they
// converge to a solution, and where the modes do not change they move P only in the directions that
// G needs, so that the choice is kept.
#include <math.h>
#include <string.h>

#include "solvers/contact_interior.h"
#include "solvers/contact_newton.h"
#include "solvers/contact_rungs.h"

enum {
    MAXIMUM_PROXIMAL_STEPS = 200,
    PROXIMAL_PATIENCE = 100,  // steps without a better point
    NEAR_NEWTON_STEPS = 30,
};

static const double NORMAL_WEIGHT = 1e-3;   // so that friction acts only where it is needed
static const double FIRST_DELTA = 1e-4;     // from which every problem measured was solved
static const double TIKHONOV_DELTA = 1e-6;  // of the choice among solutions
static const double DELTA_RATIO = 0.3;
static const double LEAST_DELTA = 1e-8;
static const double DELTA_GROWTH = 10.0;  // where (A) was not solved
static const double MOST_DELTA = 1e-4;
static const double NEAR_ACCURACY = 0.1;  // of (A), relative to the tolerance, but no better than
static const double ROUNDING = 1e-15;

// Problem (A) in G_near and b_near, with the anchor P_a.
static ContactProblem near_problem(const ContactSolve* s, double delta) {
    const ContactProblem* problem = s->problem;
    const ContactScratch* scratch = s->scratch;
    const size_t m = (size_t)problem->m;
    memcpy(scratch->G_near, problem->G.dense, m * m * sizeof(double));
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        for (int i = law->at; i < contact_law_end(law); i++) {
            const size_t diagonal = (size_t)i * (m + 1);
            const double weight = i < contact_law_friction_at(law) ? NORMAL_WEIGHT : 1.0;
            const double term = delta * weight * problem->G.dense[diagonal];
            scratch->G_near[diagonal] += term;
            scratch->b_near[i] = problem->b[i] - term * scratch->P_anchor[i];
        }
    }
    ContactProblem near = *problem;
    near.G = contact_operator_dense(problem->n, problem->m, problem->laws, scratch->G_near);
    near.b = scratch->b_near;
    return near;
}

// Solves (A) from P_near, by Newton's method or else by interior points and Newton. True if solved.
static bool near_solve(ContactSolve* s, const ContactProblem* near) {
    const ContactScratch* scratch = s->scratch;
    const size_t bytes = (size_t)near->m * sizeof(double);
    const NewtonOptions options = {fmax(ROUNDING, NEAR_ACCURACY * s->options->tolerance),
                                   NEAR_NEWTON_STEPS};
    NewtonResult newton = contact_newton_solve(near, scratch, &options, scratch->P_near);
    s->info->iterations += newton.steps;
    if (newton.error <= options.tolerance) {
        return true;
    }
    double* P = scratch->P_start;
    memcpy(P, scratch->P_near, bytes);
    if (contact_interior_solve(near, scratch, P, &s->info->interior_steps) == STATUS_SINGULAR) {
        return false;
    }
    const NewtonResult polish = contact_newton_solve(near, scratch, &options, P);
    s->info->iterations += polish.steps;
    if (polish.error < newton.error) {
        memcpy(scratch->P_near, P, bytes);
    }
    return polish.error <= options.tolerance;
}

// The solution of (A) for P_a = 0, in P_near
static void regularise(ContactSolve* s) {
    memset(s->scratch->P_anchor, 0, (size_t)s->problem->m * sizeof(double));
    memcpy(s->scratch->P_near, s->P, (size_t)s->problem->m * sizeof(double));
    ContactProblem near = near_problem(s, TIKHONOV_DELTA);
    if (!near_solve(s, &near)) {
        near = near_problem(s, FIRST_DELTA);
        (void)near_solve(s, &near);
        near = near_problem(s, TIKHONOV_DELTA);
        (void)near_solve(s, &near);
    }
}

// Proximal-point steps from P_near
static void take_back(ContactSolve* s) {
    const ContactScratch* scratch = s->scratch;
    const size_t bytes = (size_t)s->problem->m * sizeof(double);
    double delta = TIKHONOV_DELTA;
    int idle = 0;
    for (int i = 0; i < MAXIMUM_PROXIMAL_STEPS && idle < PROXIMAL_PATIENCE; i++) {
        if (contact_solve_done(s)) {
            return;
        }
        memcpy(scratch->P_anchor, scratch->P_near, bytes);
        const ContactProblem near = near_problem(s, delta);
        const bool solved = near_solve(s, &near);
        const bool better = contact_solve_keep(s, scratch->P_near);
        s->info->proximal_steps++;
        idle = better ? 0 : idle + 1;
        if (!solved && !better) {
            memcpy(scratch->P_near, scratch->P_anchor, bytes);
        }
        delta = solved ? fmax(LEAST_DELTA, DELTA_RATIO * delta)
                       : fmin(MOST_DELTA, DELTA_GROWTH * delta);
    }
}

// A point that is a solution is left for the one of least norm; one that is not, if a better one is
// found.
bool contact_proximal(ContactSolve* s) {
    const size_t bytes = (size_t)s->problem->m * sizeof(double);
    const ContactSolverInfo before = *s->info;
    double* P_before = s->scratch->P_before;
    regularise(s);
    memcpy(P_before, s->P, bytes);
    s->info->error = INFINITY;
    (void)contact_solve_keep(s, s->scratch->P_near);
    take_back(s);
    if (!contact_solve_done(s) && before.error < s->info->error) {
        memcpy(s->P, P_before, bytes);
        s->info->error = before.error;
        s->info->worst_law = before.worst_law;
        s->info->rung = before.rung;
    }
    return contact_solve_done(s);
}
