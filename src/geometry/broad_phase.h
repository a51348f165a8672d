// Which of many boxes overlap: a grid for each size of box, as cells of which it is kept in a
// table. Takes time and memory in proportion to the boxes and to the pairs that overlap, whatever
// their sizes; the pairs come in ascending order, so that what follows from them does not depend on
// how they were found.
#pragma once

#include "base/status.h"
#include "linalg/vec3.h"

typedef struct Box {
    Vec3 low, high;  // z is the same for all boxes in the plane
} Box;

typedef struct BoxPair {
    int a, b;  // a < b
} BoxPair;

typedef struct BroadPhase BroadPhase;

// NULL: no memory.
BroadPhase* broad_phase_create(void);
void broad_phase_destroy(BroadPhase* phase);

// The pairs (n_pairs) of n boxes that overlap or touch; they stay until the next call. Memory is
// taken only where there is more to keep than ever before. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status broad_phase_pairs(BroadPhase* phase, int n, const Box* boxes,
                                    const BoxPair** pairs, int* n_pairs);
