// Projected Gauss-Seidel sweeps over the laws of a cone problem: each is solved for in turn, the
// others held, by one projected step with its own masses (CC 6; Tasora and Anitescu 2011).
#include <math.h>

#include "solvers/cone_problem.h"

// One law: the square of the change of its percussions
static inline double visit(ConeProblem* problem, int i) {
    ConeLaw* law = &problem->laws[i];
    ConeBody* a = &problem->bodies[law->bodies[0]];
    ConeBody* b = &problem->bodies[law->bodies[1]];
    double xi[CONE_ROWS], dP[CONE_ROWS];
    cone_law_xi(law, a, b, xi);
    const double slip =
        problem->relaxed ? law->mu * law->mu * (xi[1] * xi[1] + xi[2] * xi[2]) : 0.0;
    if (law->P[0] == 0.0 && xi[0] >= 0.0 && slip <= xi[0] * xi[0]) {
        return 0.0;  // open, and stays so
    }
    cone_law_step(law, problem->relaxed, xi, dP);
    for (int r = 0; r < CONE_ROWS; r++) {
        law->P[r] += dP[r];
    }
    cone_law_push(law, dP, a, b);
    return cone_change(law->G_N, law->G_F, CONE_ROWS - 1, dP);
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

// The largest change of a law in the norm of energy, squared
static double sweep(ConeProblem* problem, bool forwards) {
    double largest = 0.0;
    for (int k = 0; k < problem->n_wide; k++) {
        largest = fmax(largest, visit_wide(problem, forwards ? k : problem->n_wide - 1 - k));
    }
    for (int k = 0; k < problem->n; k++) {
        const double change = visit(problem, forwards ? k : problem->n - 1 - k);
        largest = change > largest ? change : largest;
    }
    return largest;
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
