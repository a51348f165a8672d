// Where straight parts and arcs meet; whether a closed sequence of them meets itself but where its
// parts join.
#pragma once

#include "geometry/outline.h"

// n >= 2 parts without corners, each of which ends where the next one begins; points nearer to each
// other than the length tolerance (m) meet. Takes n^2 operations.
bool outline_crosses_itself(int n, const OutlinePart* parts, double tolerance);

// The points at which two parts meet, corners excepted, in the same coordinates: how many. Parts on
// one line or circle meet in none.
int outline_parts_meet(const OutlinePart* p, const OutlinePart* q, double tolerance, Vec2 x[2]);
