// Which of many boxes may overlap: a grid for each size of box, as cells of which it is kept in a
// table. Takes time and memory in proportion to the boxes and to the pairs that overlap, whatever
// their sizes; the pairs come in ascending order, so that what follows from them does not depend on
// how they were found.
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/status.h"
#include "linalg/vec3.h"

// Axes along those of the world. Half its sides are rounded up: they need fewer digits than where
// it is.
typedef struct Box {
    Vec3 middle;    // z is the same for all boxes in the plane
    float half[3];  // of the sides; negative: the box is none, and overlaps nothing
} Box;

Box box_around(Vec3 middle, Vec3 half);
static inline bool box_is_none(const Box* box) { return box->half[0] < 0.0F; }

// Do two boxes overlap or touch?
static inline bool box_overlaps(const Box* a, const Box* b) {
    return fabs(a->middle.x - b->middle.x) <= (double)a->half[0] + (double)b->half[0] &&
           fabs(a->middle.y - b->middle.y) <= (double)a->half[1] + (double)b->half[1] &&
           fabs(a->middle.z - b->middle.z) <= (double)a->half[2] + (double)b->half[2];
}

typedef struct BroadPhase BroadPhase;

// NULL: no memory.
BroadPhase* broad_phase_create(void);
void broad_phase_destroy(BroadPhase* phase);

// Looks for pairs of n boxes. Memory is taken only where there is more to keep than ever before.
// STATUS_OUT_OF_MEMORY, and no pair is known.
MUST_CHECK Status broad_phase_find(BroadPhase* phase, int n, const Box* boxes);

// The boxes after box i (n) that may overlap it, ascending: all that do, and some that are near.
const int* broad_phase_partners(const BroadPhase* phase, int i, int* n);
