// Proximal points with a delta that adapts itself, for the problems that Newton's method does not
// solve: each step solves (A), see contact_near.h, with the last point as anchor.
//
// For large delta (A) differs little from its anchor, and a few Newton steps solve it; for small
// delta it differs little from the problem. So delta shrinks while Newton's method finds its way,
// and grows where it does not. A step need not be exact, a part of the error is enough. As long as
// the modes stay, further steps cost no factorisation.
//
// Where the active rows of b leave the range of G, steps move P by equal amounts along the null
// space of G, with an error that does not change, until a mode does, however many that takes: they
// are skipped. Often Newton's method does not find its way from there. To grow delta all the same
// solves more problems than to go back (careful); either solves some that the other does not.
#include <math.h>
#include <string.h>

#include "solvers/contact_cone.h"
#include "solvers/contact_interior.h"
#include "solvers/contact_near.h"

enum {
    NEAR_STEPS = 8,     // of Newton's method for one delta
    NEAR_PATIENCE = 3,  // of which so many without a better point
    QUICK_STEPS = 3,    // after no more than these delta shrinks
    STEPS_AFTER_INTERIOR = 30,
    MOST_STEPS = 300,  // of either attempt; what takes longer was hardly ever solved
};

static const double DELTA_RATIO = 0.1;
static const double DELTA_GROWTH = 5.0;
static const double LEAST_DELTA = 1e-9;
static const double MOST_DELTA = 10.0;        // a multiple of G: there P hardly moves
static const double NEAR_ACCURACY = 0.03;     // of (A), relative to the error of its anchor
static const double LAST_ACCURACY = 0.1;      // but relative to the tolerance no better than this
static const double PROGRESS_IN_MODES = 0.5;  // of the error, per step with the same factors
static const double EQUAL = 0.9;              // ratio of errors of equal steps
static const double SURFACE = 1e-8;           // of a cone, relative to the square of its radius
static const double MOST_EQUAL_STEPS = 1e6;   // more are percussions that run away
static const double NEAR_DELTA = 1e-6;        // of the first step from a start that is near
static const double INTERIOR_DELTA = 1e-12;   // keeps interior points from running away

// The largest step along d that keeps percussions of a law inside its cone, or on its surface if
// they slip
static double reach(const ContactLaw* law, const double* P, const double* d) {
    const int F = contact_law_friction_at(law);
    double x[LAW_MAX_ROWS] = {contact_law_radius(law, P)};
    double dx[LAW_MAX_ROWS] = {law->normal ? law->mu * d[law->at] : 0.0};
    double t = INFINITY;
    if (law->normal && d[law->at] < 0.0) {
        t = P[law->at] > 0.0 ? -P[law->at] / d[law->at] : INFINITY;
    }
    memcpy(x + 1, P + F, (size_t)law->n_F * sizeof(double));
    memcpy(dx + 1, d + F, (size_t)law->n_F * sizeof(double));
    const bool sticks = contact_law_has_friction(law) && !law->slides &&
                        cone_det(1 + law->n_F, x) > SURFACE * x[0] * x[0];
    return sticks ? fmin(t, cone_reach(1 + law->n_F, x, dx)) : t;
}

// P_near is the end of one of many equal steps, which begin in P_anchor: goes to where a mode
// changes. False if none does.
static bool skip_equal_steps(const ContactSolve* s) {
    const ContactScratch* scratch = s->scratch;
    double* d = scratch->x;
    double t = INFINITY;
    for (int i = 0; i < s->problem->m; i++) {
        d[i] = scratch->P_near[i] - scratch->P_anchor[i];
    }
    for (int k = 0; k < s->problem->n; k++) {
        t = fmin(t, reach(&s->problem->laws[k], scratch->P_near, d));
    }
    for (int i = 0; i < s->problem->m && t < MOST_EQUAL_STEPS; i++) {
        scratch->P_near[i] += t * d[i];
    }
    return t < MOST_EQUAL_STEPS;
}

// Steps from P_near, the solution of (A), with the same factors. P_near becomes the last point and
// P_anchor the one before it. Returns the error of P_near, in before that of P_anchor.
static double go_on_in_modes(ContactSolve* s, const ContactProblem* near, double delta,
                             double error, double* before) {
    const ContactScratch* scratch = s->scratch;
    double* P = scratch->P_start;
    bool progress = error <= EQUAL * *before;
    while (progress && !contact_solve_done(s)) {
        memcpy(P, scratch->P_near, contact_solve_bytes(s));
        contact_near_move(s, delta, P);
        if (!contact_newton_again(near, scratch, P)) {
            break;
        }
        s->info->proximal_steps++;
        const double next = contact_problem_error(s->problem, P);
        (void)contact_solve_take(s, P, next);
        progress = next < PROGRESS_IN_MODES * error;
        if (next < error) {
            memcpy(scratch->P_anchor, scratch->P_near, contact_solve_bytes(s));
            memcpy(scratch->P_near, P, contact_solve_bytes(s));
            *before = error;
            error = next;
        }
    }
    return error;
}

void contact_solve_near(ContactSolve* s, const double* P, double delta, int most_steps,
                        bool careful) {
    const ContactScratch* scratch = s->scratch;
    double* anchor = scratch->P_anchor;
    memcpy(anchor, P, contact_solve_bytes(s));
    double error = contact_problem_error(s->problem, anchor);
    int steps = 0;
    bool skipped = false;
    while (steps < most_steps && delta <= MOST_DELTA && !contact_solve_done(s)) {
        const NewtonOptions options = {
            fmax(LAST_ACCURACY * s->options->tolerance, NEAR_ACCURACY * error), NEAR_STEPS,
            NEAR_PATIENCE};
        const ContactProblem near = contact_near_problem(s, delta);
        memcpy(scratch->P_near, anchor, contact_solve_bytes(s));
        const NewtonResult newton = contact_near_solve(s, &near, &options, false);
        double before = error;
        error = contact_problem_error(s->problem, scratch->P_near);
        (void)contact_solve_take(s, scratch->P_near, error);
        s->info->proximal_steps++;
        steps += newton.steps > 0 ? newton.steps : 1;
        if (newton.error > options.tolerance) {
            delta *= DELTA_GROWTH;
            error = before;
            if (skipped && careful) {
                memcpy(anchor, scratch->P_back, contact_solve_bytes(s));
                skipped = false;
            }
            continue;
        }
        if (newton.steps > 0) {
            error = go_on_in_modes(s, &near, delta, error, &before);
        }
        memcpy(scratch->P_back, scratch->P_near, contact_solve_bytes(s));
        skipped = error > EQUAL * before && skip_equal_steps(s);
        memcpy(anchor, scratch->P_near, contact_solve_bytes(s));
        if (newton.steps <= QUICK_STEPS) {
            delta = fmax(LEAST_DELTA, DELTA_RATIO * delta);
        }
    }
}

bool contact_near(ContactSolve* s) {
    double* P = s->scratch->P_before;
    if (s->options->near && !contact_solve_done(s)) {
        memcpy(P, s->P, contact_solve_bytes(s));
        contact_solve_near(s, P, NEAR_DELTA, CONTACT_FEW_STEPS, false);
    }
    return s->options->near && contact_solve_done(s);
}

bool contact_interior(ContactSolve* s) {
    double* P = s->scratch->P_start;
    memset(s->scratch->P_anchor, 0, contact_solve_bytes(s));
    const ContactProblem near = contact_near_problem(s, INTERIOR_DELTA);
    memcpy(P, s->P, contact_solve_bytes(s));
    if (contact_interior_solve(&near, s->scratch, P, &s->info->interior_steps) != STATUS_SINGULAR) {
        (void)contact_solve_keep(s, P);
        contact_solve_near(s, P, CONTACT_DELTA, STEPS_AFTER_INTERIOR, false);
    }
    return contact_solve_done(s);
}

bool contact_proximal(ContactSolve* s) {
    double* P = s->scratch->P_before;
    memcpy(P, s->P, contact_solve_bytes(s));
    contact_solve_near(s, P, CONTACT_DELTA, MOST_STEPS, false);
    if (!contact_solve_done(s)) {
        memcpy(P, s->P, contact_solve_bytes(s));
        contact_solve_near(s, P, CONTACT_DELTA, MOST_STEPS, true);
    }
    return contact_solve_done(s);
}
