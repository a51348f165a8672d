// The pairs of balls and surfaces (outline_pair.h) that the narrow phase of two outlines has found.
#pragma once

#include "geometry/outline_pair.h"

enum { MOST_OUTLINE_PAIRS = 64 };

// Product of two normals that are the same
#define OUTLINE_SAME_NORMAL (1.0 - 1e-6)

typedef struct OutlineFound {
    OutlinePair pairs[MOST_OUTLINE_PAIRS];
    bool dropped[MOST_OUTLINE_PAIRS];
    int n;
    double margin;
    double bound;         // gaps above need not be found
    OutlinePair corners;  // two at the same place, if has_corners; listed if nothing else is nearer
    bool has_corners;
    bool has_axis;  // pairs[0] is the axis of least overlap of two convex outlines
} OutlineFound;

// Adds the pairs with gaps of the margin at the most, or the nearest one, to none. axis: of two
// convex outlines that overlap, or NULL.
void outline_collect(const OutlinePass passes[2], const OutlinePair* axis, OutlineFound* found);

// Marks the pairs that are not to be listed as dropped.
void outline_leave_out(const OutlinePass passes[2], OutlineFound* found);
