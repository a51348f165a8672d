// The features by which one pair of shapes may touch within a step. Shapes that come so far in it
// that one could pass through the other have those by which they first touch on their ways.
#pragma once

#include "contacts/candidates.h"

// How much further than by its velocity a shape may come in a step: forces of the step and impacts
// change it.
static const double CANDIDATE_REACH_OUT = 1.5;

// Of the smaller one of the two shapes of a contact, which is not a point; of those without end a
// metre
double candidate_features_size(const Candidates* c, FoundId id);

// Adds the features of a pair of colliders to what was found. False if memory is short.
bool candidate_features_find(const Instant* instant, const NearPair* near, double dt,
                             Candidates* c);

// The distance of two shapes. Those that overlap so far that no feature tells by how much count as
// if the smaller one were within the other.
double candidate_features_distance(const Instant* instant, int a, int b);
