// The contact problems of all stages of a step at once (system/stages.h): force R_p of a law acts
// along its directions at stage p, and belongs to its laws at stage i = p + 1,
//   g_N(Q_i) / dt  complementary to  R_N,p >= 0,     LO (52)
//   gamma_F in the normal cone at -R_F,p             LO (57)
// gamma_F being combined from all stages (Stages.of_friction, of_sliding or of_stages),
// whose rates change by C X with X of all stages. Each law of an island so has n problems, which
// act on each other like laws: island by island they are one contact problem, G = C A^-1 W.
#pragma once

#include "contacts/percussions.h"
#include "system/stage_matrix.h"

typedef struct StageProblem {
    const System* sys;
    const Stages* stages;
    double dt;
    const Instant* instants;    // (s)
    ContactSet* const* sets;    // (s) the same laws, with their rows at each stage
    bool by_stages;             // friction follows LO (57) as it is, otherwise moments
    const bool* slides;         // (n_laws) the law slides, in a direction that may turn
    const StageMatrix* matrix;  // factorised
    const PercussionTask* task;
    Pool* pool;
} StageProblem;

// R_p in sets[p]->P, p < n, as start value and solution. x (n (nu + nla_g)): the Newton update of
// the stages without the forces of laws, to which what these do is added. STATUS_NO_CONVERGENCE if
// an island is not solved to the tolerance (R is the best point found), STATUS_NO_ROOM if the pool
// has to grow.
MUST_CHECK Status stage_percussions_solve(const StageProblem* problem, double* x,
                                          PercussionInfo* info);

// The weights of gamma_F of a law's stages
static inline const double (*stage_friction(const StageProblem* problem, int law))[STAGES_MAX] {
    const Stages* stages = problem->stages;
    return (const double(*)[STAGES_MAX])(problem->by_stages     ? stages->of_stages
                                         : problem->slides[law] ? stages->of_sliding
                                                                : stages->of_friction);
}

// Rate of row r of active law i that belongs to R_p, as its law has it: the gap at stage p + 1 over
// dt, or the combined velocity
double stage_rate(const StageProblem* problem, int i, int p, int r);
// How much of X_p is in it
double stage_rate_weight(const StageProblem* problem, int i, int p, int r);
