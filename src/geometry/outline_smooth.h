// Smooth curves as outlines of arcs, and the features of the curves from those of the arcs.
#pragma once

#include "geometry/outline.h"

enum { OUTLINE_WINDOW_ARCS = 256, OUTLINE_WINDOW_PARTS = OUTLINE_WINDOW_ARCS + 7 };

// A piece of a curve without end, closed by walls that are farther away than what is near it.
typedef struct OutlineWindow {
    Outline outline;
    OutlinePart parts[OUTLINE_WINDOW_PARTS];
    double stations[OUTLINE_WINDOW_ARCS + 1];
} OutlineWindow;

// The piece that a shape within a reach of a centre, in the coordinates of the curve's body, can
// touch or is nearest to. False if the curve is not finite there.
bool outline_window_make(const SmoothCurve* smooth, Vec2 centre, double reach, double margin,
                         OutlineWindow* window);

// Replaces features (n) that were found with the arcs by those of the curves: with their gaps, each
// once. How many are left; they stay in order, but where gaps differ by less than arcs and curve.
// Shapes that turn far within a step have features of kind FLAT that keep their normal.
int outline_take_smooth(const Outline* a, const Placement* place_a, const Outline* b,
                        const Placement* place_b, double turn, int n, Feature* features);
