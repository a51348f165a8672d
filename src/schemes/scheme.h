// Time-stepping schemes: they know the System and nothing of its elements.
#pragma once

#include "system/system.h"
#include "system/system_matrix.h"
#include "system/workspace.h"

typedef struct SolveInfo {
    int iterations;          // Newton updates of the step
    int contact_iterations;  // of its contact problems: Newton steps and sweeps
    bool regularised;        // a contact problem had dependent force directions
    bool swept;              // a contact problem was left to pivoting or Gauss-Seidel sweeps
    double residual;         // relative, on the laws of the step
    double impact_work;      // of applied forces along displacements that an impact makes at once
    bool impact;  // some contact closed with a velocity that the forces of a step do not explain
} SolveInfo;

// One internal step of length dt from (t, s). damping in (0, 1] shortens the Newton updates. On
// success s holds q, u, P, g_N, gamma and contact_state at t + dt; otherwise s is as it was.
typedef Status (*SchemeStep)(const System* sys, double t, double dt, double damping, State* s,
                             Workspace* w, SolveInfo* info);

MUST_CHECK Status moreau_step(const System* sys, double t, double dt, double damping, State* s,
                              Workspace* w, SolveInfo* info);
MUST_CHECK Status generalized_alpha_step(const System* sys, double t, double dt, double damping,
                                         State* s, Workspace* w, SolveInfo* info);

// Gaps and velocities of law k, or of all, of s from the configuration of its q and u.
void scheme_update_contact(const System* sys, const Instant* c, int k, State* s);
void scheme_update_contacts(const System* sys, const Instant* c, State* s);
// Contact states from these alone: for the start.
void scheme_start_contacts(const System* sys, double t, State* s, Workspace* w);

// Accelerations a (nu) at (t, s), with the forces of joints and of the contacts that are closed.
MUST_CHECK Status scheme_accelerations(const System* sys, double t, const State* s, Workspace* w,
                                       double* a);

// Forces of joints and contacts and accelerations of s at t, its auxiliary variables likewise: what
// generalized-alpha starts from. Where the contact laws have no solution, none.
void scheme_start_forces(const System* sys, double t, State* s, Workspace* w);

// Moves q and u of s, by the least amount in the metric of the mass matrix, to where the joints
// hold on position and velocity level.
MUST_CHECK Status scheme_project_start(const System* sys, double t, State* s, Workspace* w);
// The largest violation of the joints at (t, s), on position and on velocity level, and the joints
// where it is (-1: there are none).
typedef struct JointViolation {
    double position, velocity;
    int position_joint, velocity_joint;
} JointViolation;
// Rows of joints at (t, s) that follow from the others: how many, and which into rows (nla_g).
MUST_CHECK Status scheme_redundant_rows(const System* sys, double t, const State* s, Workspace* w,
                                        int* rows, int* n);
JointViolation scheme_joint_violation(const System* sys, double t, const State* s, Workspace* w);
