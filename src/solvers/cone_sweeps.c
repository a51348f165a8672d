// Projected Gauss-Seidel sweeps over the laws of a cone problem: each is solved for in turn, the
// others held, by one projected step with its own masses (CC 6; Tasora and Anitescu 2011).
#define LANES 2
#define SWEEP_BLOCKS cone_sweep_blocks
#include "base/platform_cpu.h"
#include "solvers/cone_sweeps.inc"

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

typedef double SweepBlocks(ConeProblem* problem, bool forwards);

static double sweep(ConeProblem* problem, bool forwards, SweepBlocks* sweep_blocks) {
    double largest = 0.0;
    for (int k = 0; k < problem->n_wide; k++) {
        largest = fmax(largest, visit_wide(problem, forwards ? k : problem->n_wide - 1 - k));
    }
    return fmax(largest, sweep_blocks(problem, forwards));
}

void cone_sweeps_solve(ConeProblem* problem, const ConeOptions* options, ConeInfo* info) {
    SweepBlocks* sweep_blocks = platform_has_avx2() ? cone_sweep_blocks_avx2 : cone_sweep_blocks;
    const double most = options->tolerance * problem->scale;
    bool known = false;  // is the error?
    *info = (ConeInfo){.error = HUGE_VAL};
    while (info->iterations < options->maximum_iterations && !(info->error <= options->tolerance)) {
        known = sweep(problem, info->iterations % 2 == 0, sweep_blocks) <= most * most;
        info->iterations++;
        if (known) {
            info->error = cone_problem_error(problem, &info->worst);
        }
    }
    if (!known) {
        info->error = cone_problem_error(problem, &info->worst);
    }
}
