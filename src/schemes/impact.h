// An impact at an instant, as any scheme may have it within a step: the laws of impact act on the
// contacts that are closed and on those that close there (accelerations.h), and nothing else does.
// To the sums of a motion it is a part of a step that takes no time.
#pragma once

#include "schemes/scheme.h"

typedef struct Impact {
    bool* closes;   // (n_contacts) set by the caller
    bool* touches;  // (n_contacts) they and those that are closed
    double* u;      // (nu) velocities after it
    double* P;      // (nla_c) percussions, by row of all laws
    double* P_g;    // (nla_g)
} Impact;

// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status impact_create(const System* sys, Arena* arena, Impact* impact);

// The impact at in->t = in->t_1. On success s has the velocities and contact states right after it,
// and its percussions; forces are to be solved for, and the scheme is to start anew from there.
// Otherwise s is as it was. STATUS_NO_CONVERGENCE where the laws have no solution.
MUST_CHECK Status impact_step(const StepInput* in, Impact* impact, State* s, SolveInfo* info);
