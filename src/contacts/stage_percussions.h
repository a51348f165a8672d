// The contact problems of all stages of a step at once (system/stages.h): force R_p of a law acts
// along its directions at stage p, and belongs to its laws at stage i = p + 1,
//   g_N(Q_i) / dt  complementary to  R_N,p >= 0,     LO (52)
//   gamma_F in the normal cone at -R_F,p             LO (57)
// gamma_F being combined from all stages as Stages.of_friction says,
// whose rates change by C X with X of all stages. Each law of an island so has n problems, which
// act on each other like laws: island by island they are one contact problem, G = C A^-1 W.
#pragma once

#include "contacts/percussions.h"
#include "system/stage_matrix.h"

typedef struct StageProblem {
    const System* sys;
    const Stages* stages;
    double dt;
    const Instant* instants;        // (s)
    ContactSet* const* sets;        // (s) the same laws, with their rows at each stage
    const StageMatrix* matrix;      // factorised
    const PercussionTask* task;
    Pool* pool;
} StageProblem;

// R_p in sets[p]->P, p < n, as start value and solution. x (n (nu + nla_g)): the Newton update of
// the stages without the forces of laws, to which what these do is added. STATUS_NO_CONVERGENCE if
// an island is not solved to the tolerance (R is the best point found), STATUS_NO_ROOM if the pool
// has to grow.
MUST_CHECK Status stage_percussions_solve(const StageProblem* problem, double* x,
                                          PercussionInfo* info);

// Rate of row r of active law i that belongs to R_p, as its law has it: the gap at stage p + 1 over
// dt, or the combined velocity
static inline double stage_rate(const Stages* stages, ContactSet* const* sets, int i, int p, int r,
                                double dt) {
    const ActiveLaw* active = &sets[p + 1]->active[i];
    if (active->form.normal && r == 0) {
        return active->g[0] / dt;
    }
    double rate = 0.0;
    for (int j = 0; j < stages->s; j++) {
        rate += stages->of_friction[p][j] * sets[j]->gamma[active->row + r];
    }
    return rate;
}
