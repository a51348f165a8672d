// The laws of a system in which contacts are found while bodies move: fixed contacts come first,
// then those found, by ascending FoundId, then friction in joints, all numbered anew whenever what
// is found changes. Nothing else of a System changes after it is built.
#pragma once

#include "base/arena.h"
#include "system/system.h"

// Pairs of features that are near each other, of colliders a < b.
typedef struct FoundContact {
    FoundId id;
    const Element* contact;  // that lets them meet
    int a, b;
    bool passes;  // Link.passes
    bool missed;  // was found at the end of the step, which is made again with it
    Feature feature;
} FoundContact;

struct FoundLaws {
    Link* laws;                       // (most_laws) those of the system
    const Element** marker_elements;  // likewise
    const Link* frictions;            // (n_frictions) of joints; their rows are numbered anew
    int n_frictions;
    int most;       // found contacts for which there is room
    int n_passing;  // found contacts whose bodies can pass through each other
    int width;      // velocities that one of them couples at most
    int* numbers;   // (most x coupling_numbers(width)) of their couplings
};

// Room for the laws of a system that has been built, with most found contacts; those that are there
// stay. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status found_laws_reserve(int most, Arena* arena, System* sys);

// The contacts (n <= most) become laws of the system: by ascending id. Their markers are those
// after the system's in the properties.
void found_laws_set(const FoundContact* contacts, int n, const Properties* properties, System* sys);

// Records of a state tell which law they are of, whatever its number is (ContactRecord.id): as the
// laws are numbered now.
void found_laws_identify(const System* sys, State* s);
// The number of the law with this id, -1: there is none; guess: the number that it probably has,
// or one after it
int found_laws_find(const System* sys, FoundId id, int guess);

// Where a collider is at an instant
Placement collider_placement(const Instant* instant, int collider);
