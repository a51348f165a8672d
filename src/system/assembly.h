// Assemblies: bodies that joints, and forces that depend on the motion, tie together. The linear
// systems of two assemblies share nothing: they are factorised and solved apart. (Contacts tie
// assemblies together from step to step: islands, contacts/contact_set.h.)
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"

typedef struct System System;

typedef struct Assembly {
    const int* u;  // (n) velocities by their number in the system, ascending
    int n;
    const int* rows;  // (n_c) rows of joints by their number in the system, ascending
    int n_c;
    const int* bodies;  // (n_bodies) of System.bodies, likewise
    int n_bodies;
    const int* joints;  // (n_joints)
    int n_joints;
    const int* forces;  // (n_forces) those that depend on the motion
    int n_forces;
    bool closed;  // joints close a loop, the ground being a body
} Assembly;

typedef struct Assemblies {
    const Assembly* assemblies;  // (n)
    int n;
    const int* of_u;       // (nu) the assembly of each velocity
    const int* local_u;    // (nu) its number there
    const int* local_row;  // (nla_g) of each row of a joint likewise
    const int** joint_u;   // (n_joints) of the velocities of each joint's coupling likewise
} Assemblies;

// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status assemblies_find(const System* sys, Arena* arena, Assemblies* found);
