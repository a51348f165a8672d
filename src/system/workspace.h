// Scratch of a step: nothing here has a meaning between steps except what parameters determine, and
// the profile.
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"
#include "elements/element.h"
#include "linalg/saddle.h"
#include "solvers/contact_problem.h"
#include "system/instant.h"
#include "system/profile.h"

typedef struct System System;

// The kinematic levels on which generalized-alpha fulfils its laws.
typedef enum Level { POSITION, VELOCITY, ACCELERATION, N_LEVELS } Level;

// One step of generalized-alpha; entries of the arrays of pointers are by level.
typedef struct AlphaScratch {
    double* q_base;  // (nq) GA (125) without what B(q_0) multiplies
    double* w_0;     // (nu) displacement but for x[POSITION]
    double* u_star;  // (nu) velocity but for x[VELOCITY]
    double* u_1;     // (nu)
    double* z;       // (n_z) x, mu_g and mu of all levels, in this order
    int n_z;
    double* z_before;          // (n_z) at the start of the last two passes ...
    double* z_after;           // (n_z) ... and at the end of the one before
    double* change;            // (n_z) that it made
    double* x[N_LEVELS];       // (nu) beta' a + Q, gamma' a + U, a
    double* mu_g[N_LEVELS];    // (nla_g) kappa_g + beta' la_g, La_g + gamma' la_g, la_g
    double* mu[N_LEVELS];      // (nla_c) kappa_hat, P, la
    double* offset[N_LEVELS];  // (nla_c) what the forces before have in kappa_hat and P
    double* rate[N_LEVELS];    // (nla_c) g_N, xi, second derivatives; rows of the active laws
    double* rate_g[N_LEVELS];  // (nla_g) g, g_dot, g_ddot of joints
    double* gamma_n;           // (nla_c) velocities before the step along the rows at its end
    double* mobility;          // (nla_c) W^T M^-1 W of the active laws, M's diagonal
    double* mobility_g;        // (nla_g) of the joints
    double* r[N_LEVELS];       // (nu) residuals of the equations of motion
    double* g_N;               // (n_laws)
    bool* held;                // (n_laws) the law is active in the step
    unsigned* sets;            // (n_laws) GA's sets that each active law is in
    double* d;                 // (nu)
    ContactLaw* laws;          // (n_laws) of one level's problem
    int* rows;                 // (nla_c) its rows among those of the active laws
    double* G;                 // (nla_c)^2
} AlphaScratch;

// W of one law, all its rows beside each other, for the velocities that it is coupled with; rows
// that there are not are zero.
typedef struct LawDirections {
    double W[LOCAL_SIZE][LAW_MAX_ROWS];
} LawDirections;

typedef struct Workspace {
    Properties properties;
    Instant middle, end;  // between the start and the end of a step, and at its end
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
    double* W_g;          // (n_joint_entries) their W
    Saddle* saddle;       // Newton matrix; NULL if it is the mass matrix alone
    // contacts and friction in joints that the step considers
    int* active;  // (n_laws) their indices
    int n_active;
    Rows* rows;                 // (n_laws)
    LawDirections* directions;  // (n_laws) their W
    double* gamma;              // (nla_c) velocities of their rows
    ContactLaw* laws;           // (n_laws)
    double* V;                  // ((nu + nla_g) x nla_c) inverse matrix times W
    double* G;                  // (nla_c)^2
    double* b;                  // (nla_c)
    double* P;                  // (nla_c)
    ContactScratch contact_scratch;
    AlphaScratch alpha;
    const double* q_0;  // (nq) the start of the step if its displacements are solved for
    bool plain_mass;    // the matrix to solve with is the mass matrix, not that of saddle
    void* backup;       // (state size) for steps that are retried
    Profile profile;    // what steps have cost: the motion does not depend on it
} Workspace;

// Takes all arrays from the arena and analyses the matrix. STATUS_OUT_OF_MEMORY if it is exhausted.
MUST_CHECK Status workspace_create(const System* sys, Arena* arena, Workspace* w);
void workspace_destroy(Workspace* w);
