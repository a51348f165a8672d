// Points divided into parts that several threads do at once: slabs of space across the direction in
// which the bodies are spread furthest. A point belongs to the lower slab of its two bodies, so
// that those of every second slab share no body. How points are divided follows from them and from
// where the bodies are, not from the number of threads: nor do results.
#pragma once

#include "contacts/cone_points.h"

// The parts of the points, and of a problem with so many bodies, without blocks yet: all in one
// where the problem has no crew. STATUS_NO_ROOM
MUST_CHECK Status cone_slabs_divide(const BodyRoot* roots, const Instant* instant, Pool* pool,
                                    ConePoints* points, ConeProblem* problem);
