// The impacts of a motion, found at every internal step: the largest of them, with their times.
#pragma once

#include "base/arena.h"
#include "simulation/simulation.h"

typedef struct ImpactRecord {
    double time;     // end of the step, or of the part of it, in which it was
    int contact;     // of the scene
    double impulse;  // of the normal force, N s
} ImpactRecord;

typedef struct ImpactList ImpactList;

// A list to which impacts are added by hand, of which at most n_most are kept, the largest; NULL if
// memory is exhausted.
ImpactList* impacts_create(int n_most, Arena* arena);
void impacts_add(ImpactList* list, ImpactRecord impact);

// Takes note of the impacts of each step from here on, as long as the arena and the simulation
// live.
ImpactList* impacts_watch(Simulation* simulation, int n_most, Arena* arena);

// Those kept so far, sorted by time, and how many there were in all; *n: how many are kept.
const ImpactRecord* impacts_sorted(ImpactList* list, int* n, long long* n_all);
