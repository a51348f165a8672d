// Projected Gauss-Seidel sweeps over the laws of a cone problem: each is solved for in turn, the
// others held, by one projected step with its own masses (CC 6; Tasora and Anitescu 2011). Pairs of
// sweeps have momentum (cone_momentum.h).
#define LANES 2
#define SWEEP_BLOCKS cone_sweep_blocks
#include "base/platform_cpu.h"
#include "solvers/cone_momentum.h"
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

// One over all laws
typedef struct SweepJob {
    ConeProblem* problem;
    ConeSweepBlocks* blocks;
    ConeSweep sweep;
} SweepJob;

static void sweep_part(void* job, int k) {
    const SweepJob* of = job;
    ConePart* part = &of->problem->parts[k];
    part->largest = of->blocks(of->problem, &part->blocks, &of->sweep);
}

static double sweep_all(SweepJob* job) {
    ConeProblem* problem = job->problem;
    const bool forwards = job->sweep.forwards;
    double largest = 0.0;
    for (int k = 0; k < problem->n_wide; k++) {
        largest = fmax(largest, visit_wide(problem, forwards ? k : problem->n_wide - 1 - k));
    }
    cone_problem_do(problem, forwards, sweep_part, job);
    for (int i = 0; i < problem->phases[CONE_PHASES]; i++) {
        largest = fmax(largest, problem->parts[i].largest);
    }
    return largest;
}

void cone_sweeps_solve(ConeProblem* problem, const ConeOptions* options, ConeWay* ways,
                       ConeInfo* info) {
    SweepJob job = {.problem = problem,
                    .blocks = platform_has_avx2() ? cone_sweep_blocks_avx2 : cone_sweep_blocks};
    ConeMomentum momentum = {.beta = 0.0};
    const double most = options->tolerance * problem->scale;
    bool known = false;  // is the error?
    *info = (ConeInfo){.error = HUGE_VAL};
    while (info->iterations < options->maximum_iterations && !(info->error <= options->tolerance)) {
        const bool forwards = info->iterations % 2 == 0;
        if (ways != NULL && forwards) {
            if (info->iterations == 0) {
                momentum = cone_momentum_begin(problem, ways);
            } else {
                cone_momentum_go_on(&momentum);
            }
        }
        job.sweep = (ConeSweep){forwards, ways != NULL && forwards, momentum.beta};
        known = sweep_all(&job) <= most * most;
        info->iterations++;
        if (known) {
            info->error = cone_problem_error(problem, &info->worst);
        }
    }
    if (!known) {
        info->error = cone_problem_error(problem, &info->worst);
    }
}
