// Does a closed sequence of straight parts and arcs meet itself but where its parts join?
#pragma once

#include "geometry/outline.h"

// n >= 2 parts without corners, each of which ends where the next one begins; points nearer to each
// other than the length tolerance (m) meet. Takes n^2 operations.
bool outline_crosses_itself(int n, const OutlinePart* parts, double tolerance);
