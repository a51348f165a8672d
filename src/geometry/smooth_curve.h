// Smooth curves of the plane, given by functions: the profiles of cams and y = f(x). An outline of
// arcs stands for such a curve where features are looked for; gaps, normals and their rates are
// those of the curve itself.
#pragma once

#include <stdbool.h>

#include "linalg/vec2.h"

// A point of a curve and its derivatives in the parameter s
typedef struct SmoothPoint {
    Vec2 x, d, dd, ddd;
} SmoothPoint;

// The area, the centre of area and the second moment of area about that centre (polar) of what is
// closed
typedef struct OutlineMoments {
    double area;
    Vec2 centre;
    double polar;
} OutlineMoments;

// The solid is on the left of a curve, its outward normal on the right of d.
typedef struct SmoothCurve {
    SmoothPoint (*at)(const struct SmoothCurve* smooth, double s);
    const void* function;    // what "at" works with
    Vec2 origin, e_x;        // of the curve's own coordinates, in those of its body
    double period;           // of s; 0: the curve goes on without end
    double reach;            // of one without end: from its origin, for others without end
    OutlineMoments moments;  // of a closed curve
} SmoothCurve;

static inline SmoothPoint smooth_at(const SmoothCurve* smooth, double s) {
    return smooth->at(smooth, s);
}

// A point of the curve's own coordinates in those of its body, and a derivative
static inline Vec2 smooth_turned(const SmoothCurve* smooth, Vec2 d) {
    return add2(scale2(d.x, smooth->e_x), scale2(d.y, left2(smooth->e_x)));
}
static inline Vec2 smooth_placed(const SmoothCurve* smooth, Vec2 d) {
    return add2(smooth->origin, smooth_turned(smooth, d));
}

// One side of a contact with a smooth, and where it is: x there is r + x e + y (e turned left). A
// smooth; without one, the first side is a point at r, from whose offset of a radius the contact
// knows, and the second one a straight line through r along e.
typedef struct TouchSide {
    const SmoothCurve* smooth;
    Vec2 r, e;
    double s;     // near which the point of contact is looked for ...
    double span;  // ... and how far from there at the most
} TouchSide;

// A point of a side with its derivatives in s
SmoothPoint touch_point(const TouchSide* side, bool second, double s);

// The parameters s of the points x_a, x_b of two sides at which they face each other:
//   d_b . (x_a - x_b) = 0,  d_b x d_a = 0  (of a point: the first equation alone),
// by Newton's method from the sides' s. False if it comes to no end within their spans: s is then
// what the sides say.
bool touch_solve(const TouchSide sides[2], double s[2]);

// What is taken for a vanishing denominator of these equations: where a point is the centre of
// curvature of its foot, or where two sides bend alike, the foot is not unique. There the curve
// counts as straight (a point), or the first side's point as fixed to it.
static const double TOUCH_DEGENERATE = 1e-6;
