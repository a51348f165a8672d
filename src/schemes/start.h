// The start of a motion: contact states, forces, and positions and velocities for which the joints
// hold.
#pragma once

#include "schemes/workspace.h"

// Contacts that touch, and what counts as no velocity
typedef struct Touching {
    const bool* contacts;  // (n_contacts)
    double still;          // a velocity in the norm of energy
} Touching;
// States of contacts and of friction in joints from velocities alone: closed are the contacts that
// touch (NULL: those whose gaps are closed) and do not part.
void start_states(const System* sys, double t, const Touching* touching, State* s, Workspace* w);

// Accelerations a (nu), and forces of joints and of the closed contacts in s, at the start. Where
// the contact laws have no solution there are none.
void start_forces(const System* sys, double t, State* s, Workspace* w, double* a);

// The largest violation of the joints at (t, s), on position and on velocity level, and the joints
// (-1: there are none) and their rows where it is.
typedef struct JointViolation {
    double position, velocity;
    int position_joint, velocity_joint;
    int position_row, velocity_row;
} JointViolation;
JointViolation joint_violation(const System* sys, double t, const State* s, Workspace* w);

// Moves q and u of s, by the least amount in the metric of the mass matrix, to where the joints
// hold on position and velocity level.
MUST_CHECK Status start_project(const System* sys, double t, State* s, Workspace* w);

// Rows of joints at (t, s) that follow from the others: how many, and which into rows (nla_g).
MUST_CHECK Status start_redundant_rows(const System* sys, double t, const State* s, Workspace* w,
                                       int* rows, int* n);
