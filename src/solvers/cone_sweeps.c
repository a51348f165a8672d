// Projected Gauss-Seidel sweeps over the laws of a cone problem: each is solved for in turn, the
// others held, by one projected step with its own masses (CC 6; Tasora and Anitescu 2011).
#include <math.h>

#include "solvers/cone_problem.h"

// Two laws: the squares of the changes of their percussions
static inline Pair visit(ConePair* pair, ConeBody* bodies, bool relaxed) {
    const Pair zero = {0.0, 0.0};
    ConePairView view;
    Pair xi[CONE_ROWS], dP[CONE_ROWS];
    cone_pair_gather(pair, bodies, &view);
    cone_pair_xi(pair, &view, xi);
    PairMask open = (pair->P[0] == zero) & (xi[0] >= zero);
    if (relaxed) {
        open &= pair->mu * pair->mu * (xi[1] * xi[1] + xi[2] * xi[2]) <= xi[0] * xi[0];
    }
    if (pair_all(open)) {
        return zero;  // and they stay so
    }
    cone_pair_step(pair, relaxed, xi, dP);
    for (int r = 0; r < CONE_ROWS; r++) {
        pair->P[r] += dP[r];
    }
    cone_pair_push(pair, dP, &view);
    cone_pair_scatter(pair, &view, bodies);
    return cone_pair_change(pair, dP);
}

// The largest change of a law in the norm of energy, squared. relaxed is constant where this is
// used, so that each law has a loop of its own.
static inline double sweep_pairs(ConeProblem* problem, bool forwards, bool relaxed) {
    const int step = forwards ? 1 : -1;
    ConePair* pair = problem->pairs + (forwards ? 0 : problem->n_pairs - 1);
    Pair largest = {0.0, 0.0};
    for (int k = 0; k < problem->n_pairs; k++, pair += step) {
        largest = pair_larger(visit(pair, problem->bodies, relaxed), largest);
    }
    return fmax(largest[0], largest[1]);
}

static double visit_wide(ConeProblem* problem, int i) {
    ConeWide* law = &problem->wide[i];
    double xi[LAW_MAX_ROWS], dP[LAW_MAX_ROWS];
    cone_wide_xi(law, xi);
    cone_wide_step(law, problem->relaxed, xi, dP);
    for (int r = 0; r < LAW_MAX_ROWS; r++) {
        law->P[r] += dP[r];
    }
    cone_wide_push(law, dP);
    return cone_wide_change(law, dP);
}

static double sweep(ConeProblem* problem, bool forwards) {
    double largest = 0.0;
    for (int k = 0; k < problem->n_wide; k++) {
        largest = fmax(largest, visit_wide(problem, forwards ? k : problem->n_wide - 1 - k));
    }
    return fmax(largest, problem->relaxed ? sweep_pairs(problem, forwards, true)
                                          : sweep_pairs(problem, forwards, false));
}

void cone_sweeps_solve(ConeProblem* problem, const ConeOptions* options, ConeInfo* info) {
    const double most = options->tolerance * problem->scale;
    bool small = false;
    *info = (ConeInfo){0};
    while (info->iterations < options->maximum_iterations && !small) {
        small = sweep(problem, info->iterations % 2 == 0) <= most * most;
        info->iterations++;
    }
    info->error = cone_problem_error(problem, &info->worst);
}
