// A function of one argument through given points (x_i, y_i), i = 0 ... n-1, x_i increasing.
//
//   held     the value of the last point at or before the argument; derivatives are 0
//   linear   straight from point to point
//   smooth   a cubic spline: continuous with two derivatives. Its ends are not-a-knot (the two
//            pieces at an end are one cubic), so that it is of fourth order up to them; of three
//            points it is their parabola, of two their line. A repeated one is periodic.
//
// Derivatives at a point are those of the piece right of it; at the last point, unless it repeats,
// those of the piece left of it.
#pragma once

#include "base/arena.h"
#include "expression/expression.h"

typedef enum Interpolation {
    INTERPOLATION_LINEAR = 1,
    INTERPOLATION_HELD,
    INTERPOLATION_SMOOTH,
} Interpolation;

// What holds beyond the first and the last point
typedef enum Beyond {
    BEYOND_HOLD = 1,     // their values
    BEYOND_REPEAT,       // the points again: the last one is the first of the next period
    BEYOND_EXTRAPOLATE,  // straight lines with the slopes at the ends
    BEYOND_ERROR,        // NaN
} Beyond;

struct Table {
    const char* name;
    Interpolation interpolation;
    Beyond beyond;
    int n;                // at least 2
    const double* x;      // (n)
    const double* y;      // (n)
    const double* slope;  // (n) of smooth tables: what table_prepare has found
};

// Completes a table of which all but slope is given. STATUS_OUT_OF_RANGE if numbers are so large or
// points so close that a derivative is not finite.
MUST_CHECK Status table_prepare(Table* table, Arena* arena);

// Value and derivatives in the argument. A remnant of rounding behind the last point still counts
// as being there.
Jet table_at(const Table* table, double x);

// Of an argument with its time derivatives
Jet table_jet(const Table* table, Jet x);
