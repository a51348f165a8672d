// Where two shapes are near each other, as pairs of features for which the kernels of contacts
// (elements/contact.inc) know gap, normal and their derivatives. A narrow phase picks them; a
// kernel evaluates them while the bodies move on, over one step.
#pragma once

#include <stdbool.h>

#include "geometry/smooth_curve.h"
#include "linalg/vec3.h"

// The second side is what the normal belongs to; n points from the second to the first.
typedef enum FeatureKind {
    FEATURE_FLAT,   // a ball, or a point, over a plane: axis of the second is its normal
    FEATURE_ROUND,  // two balls, or circles, outside of each other
    FEATURE_RING,   // a ball, or point, within a hollow ball, or circle
    FEATURE_SHAFT,  // a ball, or point, outside of a cylinder, or line: axis of the second
    FEATURE_BORE,   // a ball, or point, within a cylindrical hole: likewise
    FEATURE_EDGES,  // two lines that cross, with radii: n is the direction of axis_1 x axis_2
    FEATURE_RIM,    // a circle with its centre, axis and radius over a plane: its lowest point
    // the second side is a smooth curve, the first one a ball, a point, a hollow circle (its radius
    // is negative then) or another smooth curve; or the first is one and the second a straight line
    FEATURE_SMOOTH,
    N_FEATURE_KINDS
} FeatureKind;

// A side of SMOOTH that is a smooth curve, in the coordinates of its shape
typedef struct FeatureCurve {
    const SmoothCurve* smooth;
    double s, span;  // its parameter, and how far that may travel within a step
} FeatureCurve;

typedef struct FeatureSide {
    Vec3 at;  // a point: centre of the ball, point of the plane or line; of curves the origin
    union {
        Vec3 axis;           // unit length; of those that have one
        FeatureCurve curve;  // of a side that is one
    };
    union {
        double radius;  // >= 0, but of SMOOTH; of curves 0
        double s;       // of a line that touches a smooth curve: near which of its points, from at
    };
} FeatureSide;

typedef struct Feature {
    FeatureKind kind;
    bool swapped;          // the first side is of the second shape
    bool curved[2];        // of SMOOTH: the side is a smooth curve
    FeatureSide sides[2];  // each in the coordinates of its own shape; z = 0 in the plane
    double gap;            // as the kernel gives it at the poses for which it was picked
    long long key;         // tells it from the others of the two shapes; the same in the next step,
                           // but of SMOOTH, whose key is a place on a curve
} Feature;

// Keys of SMOOTH: a bit, and for each of the two shapes, in their own order, the parameter of its
// curve in steps of FEATURE_PLACE, or the number of the part that touches a curve.
static const long long FEATURE_SMOOTH_KEY = 1LL << 62;
enum { FEATURE_PLACE_BITS = 30 };
#define FEATURE_PLACE 1e-8  // rad; of curves without end 1e-6 m

static inline bool feature_key_is_place(long long key) { return (key & FEATURE_SMOOTH_KEY) != 0; }
static inline long long feature_key_place(long long key, int shape) {
    return (shape == 0 ? key >> FEATURE_PLACE_BITS : key) & ((1LL << FEATURE_PLACE_BITS) - 1);
}

// Where a shape's coordinates are in the world
typedef struct Placement {
    Vec3 r;
    Mat3 R;
} Placement;

// The two sides of SMOOTH where their shapes are at these places
void feature_touch_sides(const Feature* feature, const Placement* first, const Placement* second,
                         TouchSide sides[2]);

// The gap of a feature where its sides' shapes are at these places: what the kernel gives
double feature_gap(const Feature* feature, const Placement* first, const Placement* second);

// Its normal there, from the second side to the first
Vec3 feature_normal(const Feature* feature, const Placement* first, const Placement* second);

// How far to look
typedef struct NearOptions {
    double margin;  // features with a larger gap are left out, but for the nearest
    double turn;  // rad by which the shapes may turn against each other until they are asked again
    int most;     // room for features, >= 1
} NearOptions;
