// Newton steps each of which must lessen the error (Levenberg and Marquardt's rule): a step is one
// of Newton's method on the problem with the proximal term weight G_ii (P_i - P_i,old) in xi_i. If
// the error does not become less, the weight grows, which makes the step shorter.
#include <math.h>
#include <string.h>

#include "solvers/contact_newton.h"
#include "solvers/contact_rungs.h"

// Weights relative to G_ii
static const double FIRST_WEIGHT = 1e-10;
static const double LEAST_WEIGHT = 1e-12;
static const double MOST_WEIGHT = 10.0;
static const double GROWTH = 10.0;     // after a step that failed
static const double DECAY = 0.01;      // after one that did not
static const double PROGRESS = 0.999;  // the error must become less than this part of itself

// One Newton step from P_near. INFINITY if there is none, else the error.
static double step(ContactSolve* s, double weight) {
    const ContactScratch* scratch = s->scratch;
    const size_t m = (size_t)s->problem->m;
    ContactProblem near = *s->problem;
    memcpy(scratch->G_near, near.G.dense, m * m * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        const double term = weight * scratch->G_near[i * (m + 1)];
        scratch->G_near[i * (m + 1)] += term;
        scratch->b_near[i] = near.b[i] - term * scratch->P_near[i];
    }
    near.G = contact_operator_dense(near.n, near.m, near.laws, scratch->G_near);
    near.b = scratch->b_near;
    double smallest_pivot;
    s->info->iterations++;
    const Status status = contact_newton_step(&near, scratch, scratch->P_near, &smallest_pivot);
    return status == STATUS_OK ? contact_problem_error(s->problem, scratch->P_near) : INFINITY;
}

void contact_solve_damped(ContactSolve* s, const double* P) {
    const ContactScratch* scratch = s->scratch;
    const size_t bytes = (size_t)s->problem->m * sizeof(double);
    double error = contact_problem_error(s->problem, P);
    double weight = FIRST_WEIGHT;
    memcpy(scratch->P_start, P, bytes);
    for (int i = 0; i < s->options->maximum_iterations && weight < MOST_WEIGHT; i++) {
        if (contact_solve_done(s)) {
            return;
        }
        memcpy(scratch->P_near, scratch->P_start, bytes);
        const double reached = step(s, weight);
        if (reached < PROGRESS * error) {
            memcpy(scratch->P_start, scratch->P_near, bytes);
            (void)contact_solve_keep(s, scratch->P_near);
            error = reached;
            weight = fmax(LEAST_WEIGHT, DECAY * weight);
        } else {
            weight *= GROWTH;
        }
    }
}
