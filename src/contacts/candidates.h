// Contacts that are found while bodies move: which shapes are near each other (geometry/
// broad_phase.h), by which features (outline.h, solid.h); they become laws of the system
// (system/found_laws.h) until they are looked for again, before the next step. What is found
// follows from the state, the length of the step to come and the parameters alone, so that a state
// that comes back finds the same.
#pragma once

#include "geometry/broad_phase.h"
#include "system/found_laws.h"

// Colliders a < b that are near each other, and the element that lets them meet
typedef struct NearPair {
    int a, b;
    int contact;
} NearPair;

typedef struct ClosedPair {
    long long pair;
    long long state;
} ClosedPair;

// A collider is within a ball about the middle of its box.
typedef struct ColliderReach {
    double radius;  // INFINITY of those without end
    double margin;  // how far it may come within a step
} ColliderReach;

// A collider of a group that has no end: all others may be near it.
typedef struct Endless {
    int collider;
    bool is_plane;  // of space:
    Vec3 n, from;   // its normal and a point of it, in the world
} Endless;

typedef struct Candidates {
    const System* sys;
    BroadPhase* phase;
    Box* boxes;            // (n_colliders) that hold finite ones of groups wherever they may come;
                           // the others have none, but a middle
    ColliderReach* reach;  // (n_colliders)
    Endless* endless;      // (n_endless of room_endless)
    int n_endless, room_endless;
    long long* declared;  // (n_declared) pairs of the meetings, ascending
    int n_declared;
    long long* joined;  // (n_joined) pairs of bodies that joints connect, ascending
    int n_joined;
    NearPair* pairs;   // (n_pairs of room_pairs) whose features are looked for, ascending
    NearPair* merged;  // (room_merged) scratch of their order
    int n_pairs, room_pairs, room_merged;
    FoundContact* contacts;  // (n of room) what was found, by ascending id
    int n, room;
    FoundContact* applied;  // (n_applied of room_applied) what became laws before it was looked for
    int n_applied, room_applied;
    bool is_applied;     // contacts are laws themselves
    ClosedPair* closed;  // (n_closed of room_closed) pairs whose closed features are gone
    int n_closed, room_closed;
    double dt;          // the step for which they were looked for
    double extra_turn;  // rad, that shapes may turn beside: where a step has failed
} Candidates;

// STATUS_OUT_OF_MEMORY. Nothing to be freed if there is nothing to find.
MUST_CHECK Status candidates_create(const System* sys, Arena* arena, Candidates* c);
void candidates_destroy(Candidates* c);

// Is there a pair of shapes that a <contacts> lets meet? True where there are too many to look at.
bool candidates_can_meet(const Candidates* c, const Element* contacts);

// Looks for contacts at an instant, for a step of length dt. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status candidates_find(const Instant* instant, double dt, double gravity, Candidates* c);
// What was found becomes laws of the system, and the records of the state, which know their ids,
// follow. STATUS_NO_ROOM, and nothing changed, if the system has no room for c->n of them;
// STATUS_NOT_ALLOWED if the records are not those of any state.
MUST_CHECK Status candidates_apply(const Properties* properties, System* sys, State* s,
                                   Candidates* c);

// After a step with the contacts that were applied, others have been found at its end: those that
// penetrate there, deeper than their shapes did at its start, were missed, because other features
// were nearer then. Are there any? Then they and those applied become what was found, for the step
// to be made again. instant: the end of the step, for which they have been found
bool candidates_add_missed(const Instant* instant, Candidates* c);

// The distance of the shapes of a <contact> whose contacts are found; negative where they penetrate
double candidates_distance(const Instant* instant, const Meeting* meeting);
// The largest penetration at an instant by the features that were found; 0: there is none
double candidates_penetration(const Instant* instant, const Candidates* c);
