// Outlines that are not convex and lie in each other so deep that nothing of one faces what it has
// gone through of the other.
#pragma once

#include "geometry/outline_pair.h"

// Do two finite outlines, at least one of which is closed, overlap by more than touching ones do by
// rounding? By both passes.
bool outline_overlaps(const OutlinePass passes[2]);

// A way along which two finite outlines that overlap come apart, short if there is a short one: the
// pair of parts that are the last to part; its gap is minus the way.
OutlinePair outline_way_out(const OutlinePass passes[2]);
