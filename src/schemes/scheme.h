// Time-stepping schemes: they know the System and nothing of its elements.
#pragma once

#include "system/system.h"

typedef struct SolveInfo {
    int iterations;   // of the step's outer iteration and its contact solver
    double residual;  // relative, on the laws of the step
    bool impact;  // some contact closed with a velocity that the forces of a step do not explain
} SolveInfo;

// One internal step of length dt from (t, s). damping in (0, 1] shortens the Newton updates. On
// success s holds q, u, P, g_N, gamma and contact_state at t + dt; otherwise s is as it was.
typedef Status (*SchemeStep)(const System* sys, double t, double dt, double damping, State* s,
                             Workspace* w, SolveInfo* info);

MUST_CHECK Status moreau_step(const System* sys, double t, double dt, double damping, State* s,
                              Workspace* w, SolveInfo* info);

// Gaps, velocities of contacts and contact states at (t, s) from its q and u alone: for the start.
void scheme_start_contacts(const System* sys, double t, State* s, Workspace* w);

// Accelerations a (nu) at (t, s), with the forces of the contacts that are closed there.
MUST_CHECK Status scheme_accelerations(const System* sys, double t, const State* s, Workspace* w,
                                       double* a);
