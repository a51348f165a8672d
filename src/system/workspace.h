// Scratch of a step: nothing here has a meaning between steps except what parameters determine.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "elements/contact.h"
#include "solvers/contact_problem.h"

typedef struct System System;

typedef struct Workspace {
    // from the parameters
    double* M;         // (n_mass) mass blocks of the bodies, row-major
    double* M_factor;  // (n_mass) their Cholesky factors
    // configuration
    Frame* frames;    // (n_bodies + 1)
    double* signals;  // (n_signals)
    double* symbols;  // (n_user_parameters + n_inputs)
    // one step
    double* q_theta;   // (nq)
    double* q_1;       // (nq)
    double* u_theta;   // (nu)
    double* v;         // (nu) iterate of u_1
    double* v_free;    // (nu) velocity without contact percussions
    double* h;         // (nu)
    double* r;         // (nu)
    double* r_scaled;  // (nu) M^-1 r
    double* A;         // (nu x nu) Newton matrix, only if forces depend on the state
    int* pivots;       // (nu)
    // contacts that the step considers
    int* active;  // (n_contacts) their indices
    int n_active;
    ContactBlock* blocks;  // (n_contacts)
    double* V;             // (nu x 2 n_contacts) A^-1 W
    double* G;             // (2 n_contacts)^2
    double* b;             // (2 n_contacts)
    double* P;             // (2 n_contacts)
    double* mu;            // (n_contacts)
    signed char* slip;     // (n_contacts)
    ContactScratch contact_scratch;
    void* backup;  // (state size) for steps that are retried
} Workspace;

// Takes all arrays from the arena. STATUS_OUT_OF_MEMORY if it is exhausted.
MUST_CHECK Status workspace_create(const System* sys, Arena* arena, Workspace* w);
