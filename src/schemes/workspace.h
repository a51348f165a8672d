// What all schemes work with: nothing here has a meaning between steps but what follows from the
// parameters and from the state, and the profile.
#pragma once

#include "base/crew.h"
#include "contacts/percussions.h"
#include "system/profile.h"

typedef struct Workspace {
    Properties properties;
    Instant present;       // at the state's own time
    JointSet joints;       // their rows at an iterate
    ContactSet contacts;   // the laws that the step considers, and their rows at the iterate
    NewtonMatrix* matrix;  // at the iterate
    double* solution;      // (nu + nla_g) of the linear system
    double* h;             // (nu) applied forces at an instant, accelerations.h
    double* g_N;           // (n_laws) gaps of all laws at the state's time
    double* gamma;         // (nla_c) velocities of their rows at that time
    double* work;          // (nla_c) of each row in a step, of schemes that know it: SolveInfo
    bool laws_known;       // g_N and gamma are valid; otherwise they have to be evaluated
    Pool pool;             // for the matrices of contacts
    Crew* crew;            // who works beside the caller, lent; or NULL
    Profile profile;       // what steps have cost: the motion does not depend on it
} Workspace;

// Takes all arrays from the arena and analyses the matrix. STATUS_OUT_OF_MEMORY, STATUS_TOO_LARGE.
MUST_CHECK Status workspace_create(const System* sys, Arena* arena, Workspace* w);
void workspace_destroy(Workspace* w);

// w->g_N and w->gamma at (t, s), unless they are known.
void workspace_update_laws(const System* sys, double t, const State* s, Workspace* w);
// Those of one law from an instant at the state's time.
void workspace_update_law(const Instant* instant, int k, const Link* law, Workspace* w);
// Those of all laws from the end of a step, at which the active ones have been evaluated already.
void workspace_take_laws(const System* sys, const Instant* end, Workspace* w);
