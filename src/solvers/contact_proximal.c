// Contact problems whose force directions depend on each other, and those that other methods do not
// solve: a regularisation and proximal-point steps that take it back.
//
// With weights w_i = NORMAL_WEIGHT G_ii for normal rows and G_ii for friction rows, but no less
// than G_NN of the same contact (friction with a short arm is not cheap), the problem with
//   xi = (G + delta diag w) P + b - delta diag w P_a                                         (A)
// is regular. For P_a = 0 and small delta (Tikhonov) its solution is, among all solutions of the
// original problem, near that of least weighted norm; it does not depend on the start value. Steps
// with P_a = P, the solution of the last (proximal points), take the regularisation back: they
// converge to a solution, and where the modes do not change they move P only in the directions that
// G needs, so that the choice is kept.
#include <math.h>
#include <string.h>

#include "solvers/contact_cone.h"
#include "solvers/contact_interior.h"
#include "solvers/contact_newton.h"
#include "solvers/contact_rungs.h"

enum {
    MAXIMUM_STEPS = 100,
    CHEAP_STEPS = 20,  // by Newton's method alone
    STEPS_IN_MODES = 5,
    NEAR_NEWTON_STEPS = 30,
};

static const double NORMAL_WEIGHT = 1e-3;   // so that friction acts only where it is needed
static const double FIRST_DELTA = 1e-4;     // from which every problem measured was solved
static const double TIKHONOV_DELTA = 1e-6;  // of the choice among solutions
static const double DELTA_RATIO = 0.3;
static const double LEAST_DELTA = 1e-8;
static const double MOST_DELTA = 1e-4;
static const double FLOOR_RATIO = 0.5;    // per step that was solved
static const double NEAR_ACCURACY = 0.1;  // of (A), relative to the tolerance, but no better than
static const double ROUNDING = 1e-15;
static const double EQUAL = 0.9;              // ratio of errors of equal steps
static const double SURFACE = 1e-8;           // of a cone, relative to the square of its radius
static const double MOST_EQUAL_STEPS = 1e6;   // more are percussions that run away
static const double PROGRESS_IN_MODES = 0.1;  // of the error, per step

// A solution of (A) with P_a = 0 and RUNAWAY_DELTA of more than FAR times the size of the problem
// that causes less than NO_MOTION, relative to itself, runs away.
static const double RUNAWAY_DELTA = 1e-10;
static const double FAR = 1e3;
static const double NO_MOTION = 1e-2;

typedef enum Effort {
    A_FEW_STEPS,  // of Newton's method: there is a solution already, another one is sought
    NEWTON_ONLY,
    WITH_INTERIOR,
} Effort;

static const int PATIENCE[] = {
    [A_FEW_STEPS] = 2, [NEWTON_ONLY] = NEWTON_PATIENCE, [WITH_INTERIOR] = 4};

static size_t size_of(const ContactSolve* s) { return (size_t)s->problem->m * sizeof(double); }

static void restore(ContactSolve* s, const double* P, const ContactSolverInfo* info) {
    memcpy(s->P, P, size_of(s));
    s->info->error = info->error;
    s->info->rung = info->rung;
}

// delta w_i
static double proximal_term(const ContactProblem* problem, const ContactLaw* law, int i,
                            double delta) {
    const double G_ii = contact_operator_diagonal(&problem->G, i);
    if (!law->normal) {
        return delta * G_ii;
    }
    const double G_NN = contact_operator_diagonal(&problem->G, law->at);
    return delta * (i == law->at ? NORMAL_WEIGHT * G_NN : fmax(G_ii, G_NN));
}

static ContactProblem last_near_problem(const ContactSolve* s) {
    ContactProblem near = *s->problem;
    near.G = contact_operator_dense(near.n, near.m, near.laws, s->scratch->G_near);
    near.b = s->scratch->b_near;
    return near;
}

// Problem (A) in G_near and b_near, with the anchor P_a.
static ContactProblem near_problem(const ContactSolve* s, double delta) {
    const ContactProblem* problem = s->problem;
    const ContactScratch* scratch = s->scratch;
    const size_t m = (size_t)problem->m;
    memcpy(scratch->G_near, problem->G.dense, m * m * sizeof(double));
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        for (int i = law->at; i < contact_law_end(law); i++) {
            const double term = proximal_term(problem, law, i, delta);
            scratch->G_near[(size_t)i * (m + 1)] += term;
            scratch->b_near[i] = problem->b[i] - term * scratch->P_anchor[i];
        }
    }
    return last_near_problem(s);
}

// Solves (A) from P_near, by Newton's method or else, if that is wanted, by interior points and
// Newton. True if solved.
static bool near_solve(ContactSolve* s, const ContactProblem* near, Effort effort) {
    const ContactScratch* scratch = s->scratch;
    const size_t bytes = (size_t)near->m * sizeof(double);
    NewtonOptions options = {fmax(ROUNDING, NEAR_ACCURACY * s->options->tolerance),
                             NEAR_NEWTON_STEPS, PATIENCE[effort]};
    const NewtonResult newton = contact_newton_solve(near, scratch, &options, scratch->P_near);
    s->info->iterations += newton.steps;
    s->factored = newton.steps > 0;
    if (newton.error <= options.tolerance || effort != WITH_INTERIOR) {
        return newton.error <= options.tolerance;
    }
    double* P = scratch->P_start;
    memcpy(P, scratch->P_near, bytes);
    if (contact_interior_solve(near, scratch, P, &s->info->interior_steps) == STATUS_SINGULAR) {
        return false;
    }
    options.patience = NEWTON_PATIENCE;
    const NewtonResult polish = contact_newton_solve(near, scratch, &options, P);
    s->info->iterations += polish.steps;
    s->factored = polish.steps > 0;
    if (polish.error < newton.error) {
        memcpy(scratch->P_near, P, bytes);
    }
    return polish.error <= options.tolerance;
}

// The solution of (A) for P_a = 0, in P_near, from P_start. True if solved.
static bool regularise(ContactSolve* s, const double* P_start, Effort effort) {
    memset(s->scratch->P_anchor, 0, size_of(s));
    memcpy(s->scratch->P_near, P_start, size_of(s));
    ContactProblem near = near_problem(s, TIKHONOV_DELTA);
    const bool solved = near_solve(s, &near, effort);
    if (solved || effort != WITH_INTERIOR) {
        return solved;
    }
    near = near_problem(s, FIRST_DELTA);
    (void)near_solve(s, &near, effort);
    near = near_problem(s, TIKHONOV_DELTA);
    return near_solve(s, &near, effort);
}

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

// Where b leaves the range of G in the present modes, proximal points move by equal steps until a
// mode changes, however many that takes: goes there at once.
static void skip_equal_steps(ContactSolve* s) {
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
}

// Proximal-point steps from P_near. delta becomes smaller as long as (A) is solved; where it was
// not, steps of a larger delta go on for a while.
static void take_back(ContactSolve* s, Effort effort) {
    const ContactScratch* scratch = s->scratch;
    const int most = effort == WITH_INTERIOR ? MAXIMUM_STEPS : CHEAP_STEPS;
    double before = INFINITY;
    double delta = TIKHONOV_DELTA;
    double least = LEAST_DELTA;
    for (int i = 0; i < most && !contact_solve_done(s); i++) {
        memcpy(scratch->P_anchor, scratch->P_near, size_of(s));
        const ContactProblem near = near_problem(s, delta);
        const bool solved = near_solve(s, &near, effort);
        const double error = contact_problem_error(s->problem, scratch->P_near);
        const bool better = contact_solve_take(s, scratch->P_near, error);
        s->info->proximal_steps++;
        if (solved) {
            if (effort == WITH_INTERIOR && error > EQUAL * before) {
                skip_equal_steps(s);
            }
            before = error;
            delta = fmax(least, DELTA_RATIO * delta);
            least = fmax(LEAST_DELTA, FLOOR_RATIO * least);
            continue;
        }
        if (effort != WITH_INTERIOR || (!better && delta >= MOST_DELTA)) {
            return;
        }
        least = fmin(MOST_DELTA, delta / DELTA_RATIO);
        delta = least;
        if (!better) {
            memcpy(scratch->P_near, scratch->P_anchor, size_of(s));
        }
    }
}

// Proximal-point steps from P_near with the factors of the Newton step that ended there: as long as
// the modes do not change, only b_near does. P_near is as before if they do not arrive.
static void take_back_in_modes(ContactSolve* s) {
    const ContactScratch* scratch = s->scratch;
    const ContactProblem* problem = s->problem;
    double* db = scratch->b_near;
    double* P = scratch->P_start;
    const ContactProblem near = last_near_problem(s);
    double before = INFINITY;
    memcpy(P, scratch->P_near, size_of(s));
    for (int i = 0; i < STEPS_IN_MODES && !contact_solve_done(s); i++) {
        if (!(s->info->error < PROGRESS_IN_MODES * before)) {
            return;
        }
        before = s->info->error;
        for (int k = 0; k < problem->n; k++) {
            const ContactLaw* law = &problem->laws[k];
            for (int j = law->at; j < contact_law_end(law); j++) {
                db[j] =
                    -proximal_term(problem, law, j, TIKHONOV_DELTA) * (P[j] - scratch->P_anchor[j]);
            }
        }
        memcpy(scratch->P_anchor, P, size_of(s));
        contact_newton_shift(&near, scratch, db, P);
        (void)contact_solve_keep(s, P);
        s->info->proximal_steps++;
    }
}

// From the solution of (A) for P_a = 0 proximal points by Newton's method alone; the best point is
// that of before if they do not arrive.
static void seek_least_norm(ContactSolve* s, const ContactSolverInfo* before, Effort effort) {
    double* P_before = s->scratch->P_before;
    const bool regular = regularise(s, P_before, effort);
    memcpy(s->scratch->P_least, s->scratch->P_near, size_of(s));
    s->info->error = INFINITY;
    (void)contact_solve_keep(s, s->scratch->P_near);
    if (regular && s->factored) {
        take_back_in_modes(s);
    }
    if (regular) {
        take_back(s, NEWTON_ONLY);
    }
    if (!contact_solve_done(s) && before->error < s->info->error) {
        restore(s, P_before, before);
    }
}

// Where the way to the least norm is hard, the point that other methods have found is kept if it is
// a solution; if not, a solution near it is sought. Of many rows this is done before interior
// points are tried, which cost much.
bool contact_least_norm(ContactSolve* s) {
    const ContactSolverInfo before = *s->info;
    const bool many = s->problem->m > CONTACT_SMALL_ROWS;
    const Effort effort = contact_solve_done(s) ? A_FEW_STEPS : NEWTON_ONLY;
    double* P_before = s->scratch->P_before;
    memcpy(P_before, s->P, size_of(s));
    seek_least_norm(s, &before, many ? effort : WITH_INTERIOR);
    if (!contact_solve_done(s)) {
        contact_solve_near(s, P_before);
    }
    if (!contact_solve_done(s) && many) {
        seek_least_norm(s, &before, WITH_INTERIOR);
    }
    return contact_solve_done(s);
}

bool contact_runs_away(ContactSolve* s) {
    const ContactProblem* problem = s->problem;
    const double* P = s->scratch->P_near;
    memset(s->scratch->P_anchor, 0, size_of(s));
    memcpy(s->scratch->P_near, s->scratch->P_least, size_of(s));
    const ContactProblem near = near_problem(s, RUNAWAY_DELTA);
    (void)near_solve(s, &near, WITH_INTERIOR);
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

void contact_solve_near(ContactSolve* s, const double* P) {
    memcpy(s->scratch->P_near, P, size_of(s));
    take_back(s, NEWTON_ONLY);
}

bool contact_proximal(ContactSolve* s) {
    memcpy(s->scratch->P_near, s->scratch->P_least, size_of(s));
    take_back(s, WITH_INTERIOR);
    return contact_solve_done(s);
}
