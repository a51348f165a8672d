// Assemblies: bodies that joints, and forces that depend on the motion, tie together. The linear
// systems of two assemblies share nothing: they are factorised and solved apart. (Contacts tie
// assemblies together from step to step: islands, contacts/contact_set.h.)
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/range.h"
#include "base/status.h"

typedef struct System System;

typedef struct Assembly {
    const int* u;     // (n) velocities by their number in the system, ascending
    const int* rows;  // (n_c) rows of joints by their number in the system, ascending
    int n, n_c;
    int bodies;   // where its own begin in Assemblies.bodies ...
    int joints;   // ... and so on; they end
    int forces;   // where those of the next assembly begin
    bool closed;  // joints close a loop, the ground being a body
} Assembly;
// Is it a body that nothing ties to anything?
static inline bool assembly_is_one_body(const Assembly* assembly) {
    return assembly[1].bodies == assembly->bodies + 1 && assembly[1].joints == assembly->joints &&
           assembly[1].forces == assembly->forces;
}

typedef struct Assemblies {
    const Assembly* assemblies;  // (n + 1) the last one has nothing
    int n;
    // those of each assembly one after the other, by ascending numbers
    const int* bodies;     // of System.bodies that move
    const int* joints;     // those between bodies that move
    const int* forces;     // those that depend on the motion
    const int* of_u;       // (nu) the assembly of each velocity
    const int* local_u;    // (nu) its number there
    const int* local_row;  // (nla_g) of each row of a joint likewise
    const int** joint_u;   // (n_joints) of the velocities of each joint's coupling likewise
} Assemblies;

// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status assemblies_find(const System* sys, Arena* arena, Assemblies* found);
