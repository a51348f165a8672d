// Block Gauss-Seidel: each law in turn is solved exactly, the others held, forwards and backwards,
// with momentum. Needs no more of G than products, so that it is there for problems of any size.
#include <string.h>

#include "solvers/contact_rungs.h"
#include "solvers/momentum.h"

enum { PAIRS_AT_ONCE = 4 };  // between two looks at the error

static void sweep_there_and_back(const ContactProblem* problem, double* P) {
    for (int k = 0; k < problem->n; k++) {
        contact_problem_solve_one(problem, k, P);
    }
    for (int k = problem->n - 1; k >= 0; k--) {
        contact_problem_solve_one(problem, k, P);
    }
}

// Has a pair of sweeps led uphill?
static bool leads_uphill(const ContactProblem* problem, const double* from, const double* P,
                         const double* last) {
    double slope = 0.0;
    for (int i = 0; i < problem->m; i++) {
        slope += contact_operator_diagonal(&problem->G, i) * momentum_slope(from[i], P[i], last[i]);
    }
    return slope > 0.0;
}

bool contact_sweeps(ContactSolve* s) {
    const ContactProblem* problem = s->problem;
    const size_t size = (size_t)problem->m * sizeof(double);
    double* P = s->scratch->P_try;
    double* from = s->scratch->P_start;   // where the last pair began
    double* last = s->scratch->P_before;  // where the one before it ended
    double theta = 1.0;
    memcpy(P, s->P, size);
    memcpy(from, s->P, size);
    memcpy(last, s->P, size);
    while (!contact_solve_done(s) && s->info->sweeps < s->options->maximum_sweeps) {
        for (int i = 0; i < PAIRS_AT_ONCE; i++) {
            theta = leads_uphill(problem, from, P, last) ? 1.0 : theta;
            momentum_move(momentum_next(&theta), problem->m, P, last);
            memcpy(from, P, size);
            sweep_there_and_back(problem, P);
        }
        s->info->sweeps += 2 * PAIRS_AT_ONCE;
        (void)contact_solve_keep(s, P);
    }
    return contact_solve_done(s);
}
