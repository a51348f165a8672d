// Scratch of a step: nothing here has a meaning between steps except what parameters determine.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "elements/element.h"
#include "linalg/saddle.h"
#include "solvers/contact_problem.h"

typedef struct System System;

typedef struct Workspace {
    // from the parameters
    const double* p;     // (n_parameters) these themselves, in the state
    double* M;           // (n_mass) mass blocks of the bodies, row-major
    double* M_factor;    // (n_mass) their Cholesky factors
    double* M_diagonal;  // (nu)
    Marker* markers;     // (n_markers)
    // configuration
    Frame* frames;  // (n_frames + 1)
    Jet* signals;   // (n_signals)
    Jet* symbols;   // (n_user_parameters + n_inputs)
    // one step
    double* q_theta;      // (nq)
    double* q_1;          // (nq)
    double* u_theta;      // (nu)
    double* v;            // (nu) iterate of u_1
    double* h;            // (nu)
    double* r;            // (nu)
    double* solution;     // (nu + nla_g) of the linear system: v_free, and P_g likewise
    double* joint_force;  // (nu) W_g P_g
    double* P_g;          // (nla_g) iterate
    double* g_dot;        // (nla_g) velocities of the joints' rows
    Rows* joint_rows;     // (n_joints)
    Saddle* saddle;       // Newton matrix; NULL if it is the mass matrix alone
    // contacts and friction in joints that the step considers
    int* active;  // (n_laws) their indices
    int n_active;
    Rows* rows;        // (n_laws)
    double* gamma;     // (nla_c) velocities of their rows
    ContactLaw* laws;  // (n_laws)
    double* V;         // ((nu + nla_g) x nla_c) inverse matrix times W
    double* G;         // (nla_c)^2
    double* b;         // (nla_c)
    double* P;         // (nla_c)
    ContactScratch contact_scratch;
    void* backup;  // (state size) for steps that are retried
} Workspace;

// Takes all arrays from the arena and analyses the matrix. STATUS_OUT_OF_MEMORY if it is exhausted.
MUST_CHECK Status workspace_create(const System* sys, Arena* arena, Workspace* w);
void workspace_destroy(Workspace* w);
