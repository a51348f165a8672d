// Contact problems whose force directions depend on each other: a choice among the solutions.
//
// The solution of (A), see contact_near.h, for P_a = 0 and small delta (Tikhonov) is near that of
// least weighted norm among all solutions of the problem; it does not depend on the start value.
// Steps with P_a = P, the solution of the last (proximal points), take the regularisation back:
// they converge to a solution, and where the modes do not change they move P only in the directions
// that G needs, so that the choice is kept.
#include <math.h>
#include <string.h>

#include "solvers/contact_near.h"

enum {
    STEPS_IN_MODES = 5,
    NEAR_STEPS = 30,
    NEAR_PATIENCE = 3,  // a law that changes its mode for ever shows after as many steps
};

static const double FIRST_DELTA = 1e-4;     // from which every problem measured was solved
static const double TIKHONOV_DELTA = 1e-6;  // of the choice among solutions
static const double NEAR_ACCURACY = 0.1;    // of (A), relative to the tolerance, but no better than
static const double ROUNDING = 1e-15;
static const double PROGRESS_IN_MODES = 0.1;  // of the error, per step

// A solution of (A) with P_a = 0 and RUNAWAY_DELTA of more than FAR times the size of the problem
// that causes less than NO_MOTION, relative to itself, runs away.
static const double RUNAWAY_DELTA = 1e-10;
static const double FAR = 1e3;
static const double NO_MOTION = 1e-2;

static void restore(ContactSolve* s, const double* P, const ContactSolverInfo* info) {
    memcpy(s->P, P, contact_solve_bytes(s));
    s->info->error = info->error;
    s->info->rung = info->rung;
}

static bool near_solve(ContactSolve* s, const ContactProblem* near, bool interior) {
    const NewtonOptions options = {fmax(ROUNDING, NEAR_ACCURACY * s->options->tolerance),
                                   NEAR_STEPS, NEAR_PATIENCE};
    const NewtonResult result = contact_near_solve(s, near, &options, interior);
    s->factored = result.steps > 0;
    return result.error <= options.tolerance;
}

// The solution of (A) for P_a = 0, in P_near, from P_start. True if solved.
static bool regularise(ContactSolve* s, const double* P_start, bool interior) {
    memset(s->scratch->P_anchor, 0, contact_solve_bytes(s));
    memcpy(s->scratch->P_near, P_start, contact_solve_bytes(s));
    ContactProblem near = contact_near_problem(s, TIKHONOV_DELTA);
    const bool solved = near_solve(s, &near, interior);
    if (solved || !interior) {
        return solved;
    }
    near = contact_near_problem(s, FIRST_DELTA);
    (void)near_solve(s, &near, interior);
    near = contact_near_problem(s, TIKHONOV_DELTA);
    return near_solve(s, &near, interior);
}

// Proximal-point steps from P_near with the factors of the Newton step that ended there: as long as
// the modes do not change, only b_near does.
static void take_back_in_modes(ContactSolve* s) {
    const ContactScratch* scratch = s->scratch;
    ContactProblem near = *s->problem;
    double* P = scratch->P_start;
    double before = INFINITY;
    near.G = contact_operator_dense(near.n, near.m, near.laws, scratch->G_near);
    near.b = scratch->b_near;
    memcpy(P, scratch->P_near, contact_solve_bytes(s));
    for (int i = 0; i < STEPS_IN_MODES && !contact_solve_done(s); i++) {
        if (!(s->info->error < PROGRESS_IN_MODES * before)) {
            return;
        }
        before = s->info->error;
        contact_near_move(s, TIKHONOV_DELTA, P);
        if (!contact_newton_again(&near, scratch, P)) {
            return;
        }
        (void)contact_solve_keep(s, P);
        s->info->proximal_steps++;
    }
}

// Where the way to the least norm is hard, the point that other methods have found is kept if it is
// a solution; if not, a solution near it is sought. Interior points find the way where Newton's
// method does not; of many rows they cost much, and there the solution may depend on the start.
bool contact_least_norm(ContactSolve* s) {
    const ContactSolverInfo before = *s->info;
    const bool many = s->problem->m > CONTACT_SMALL_ROWS;
    double* P_before = s->scratch->P_before;
    if (s->problem->m > CONTACT_NEWTON_ROWS && contact_solve_done(s)) {
        return true;
    }
    memcpy(P_before, s->P, contact_solve_bytes(s));
    const bool regular = regularise(s, P_before, !many);
    s->info->error = INFINITY;
    (void)contact_solve_keep(s, s->scratch->P_near);
    if (regular && s->factored) {
        take_back_in_modes(s);
    }
    if (regular && !contact_solve_done(s)) {
        contact_solve_near(s, s->scratch->P_near, TIKHONOV_DELTA, CONTACT_FEW_STEPS, false);
    }
    if (!contact_solve_done(s) && before.error < s->info->error) {
        restore(s, P_before, &before);
    }
    if (!contact_solve_done(s) && !regular) {
        contact_solve_near(s, P_before, CONTACT_DELTA, CONTACT_FEW_STEPS, false);
    }
    return contact_solve_done(s);
}

bool contact_runs_away(ContactSolve* s) {
    const ContactProblem* problem = s->problem;
    const double* P = s->scratch->P_near;
    memset(s->scratch->P_anchor, 0, contact_solve_bytes(s));
    memcpy(s->scratch->P_near, s->P, contact_solve_bytes(s));
    const ContactProblem near = contact_near_problem(s, RUNAWAY_DELTA);
    (void)near_solve(s, &near, true);
    double* xi = s->scratch->xi;
    double square = 0.0;  // of P in the norm of energy
    double along = 0.0;
    double largest = 0.0;
    contact_operator_apply(&problem->G, P, xi);
    for (int i = 0; i < problem->m; i++) {
        const double G_ii = contact_operator_diagonal(&problem->G, i);
        if (G_ii > 0.0) {
            square += G_ii * P[i] * P[i];
            along += problem->b[i] * P[i];
            largest = fmax(largest, fabs(xi[i]) / sqrt(G_ii));
        }
    }
    const double size = sqrt(square);
    return size > FAR * problem->scale && largest < NO_MOTION * size && along < 0.0;
}
