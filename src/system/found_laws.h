// The laws of a system in which contacts are found while bodies move: fixed contacts come first,
// then those found, by ascending FoundId, then friction in joints, all numbered anew whenever what
// is found changes. Nothing else of a System changes after it is built.
#pragma once

#include "base/arena.h"
#include "system/system.h"

// A pair of features that are near each other
typedef struct FoundContact {
    FoundId id;   // tells the two colliders, too
    int contact;  // element that lets them meet
    bool passes;  // Link.passes
    bool missed;  // was found at the end of the step, which is made again with it
    Feature feature;
} FoundContact;

// The collider of one side of its feature
static inline int found_contact_side(const FoundContact* contact, int side) {
    return found_id_collider(contact->id, contact->feature.swapped ? 1 - side : side);
}

struct FoundLaws {
    Link* laws;                       // (most_laws) those of the system
    const Element** marker_elements;  // likewise
    const Link* frictions;            // (n_frictions) of joints; their rows are numbered anew
    int n_frictions;
    int most;          // found contacts for which there is room
    int n_passing;     // found contacts whose bodies can pass through each other
    int n_markers;     // of the system, and of found contacts behind them
    int* last_marker;  // (n_colliders) of these, the last one of each; or any other number
    int width;         // velocities that one of them couples at most
    int* u;            // (most x width) of their couplings (coupling_make) ...
    int* others;       // (most x 2 width) ... and what else some of these keep
};

// Room for the laws of a system that has been built, with most found contacts; those that are there
// stay. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status found_laws_reserve(int most, Arena* arena, System* sys);

// The contacts (n <= most) become laws of the system: by ascending id. Their markers come after the
// system's in the properties; what touches others with the same side, as a ball, has one for all.
void found_laws_set(const FoundContact* contacts, int n, const Properties* properties, System* sys);

// Records of a state tell which law they are of, whatever its number is (ContactRecord.id): as the
// laws are numbered now.
void found_laws_identify(const System* sys, State* s);
// The number of the law with this id, -1: there is none; guess: the number that it probably has,
// or one after it
int found_laws_find(const System* sys, FoundId id, int guess);

// Where a collider is at an instant
Placement collider_placement(const Instant* instant, int collider);
