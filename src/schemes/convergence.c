// When the iteration of a step ends (scheme.h).
#include <math.h>

#include "schemes/scheme.h"

static const double PROGRESS = 0.5;  // of the best residual so far
enum { PATIENCE = 4 };               // checks without progress

Verdict convergence_check(Convergence* convergence, double residual, int iterations) {
    if (residual <= convergence->tolerance) {
        return SOLVED;
    }
    if (!isfinite(residual)) {
        return NOT_SOLVED;
    }
    const bool progress = residual < PROGRESS * convergence->best;
    convergence->n_idle = progress ? 0 : convergence->n_idle + 1;
    convergence->best = fmin(convergence->best, residual);
    const bool give_up = convergence->n_idle >= PATIENCE || iterations >= convergence->maximum;
    if (give_up && residual <= convergence->inexact) {
        return SOLVED_INEXACTLY;
    }
    return iterations >= convergence->maximum ? NOT_SOLVED : GO_ON;
}

Status verdict_status(Verdict verdict, double residual) {
    if (verdict == SOLVED || verdict == SOLVED_INEXACTLY) {
        return STATUS_OK;
    }
    return isfinite(residual) ? STATUS_NO_CONVERGENCE : STATUS_NOT_FINITE;
}

void solve_info_add(const PercussionInfo* contacts, SolveInfo* info) {
    info->contact_iterations += contacts->iterations;
    info->regularised = info->regularised || contacts->regularised;
    info->swept = info->swept || contacts->swept;
    info->unsolvable = info->unsolvable || contacts->unsolvable;
}
