// Where two shapes are near each other, as pairs of features for which the kernels of contacts
// (elements/contact.inc) know gap, normal and their derivatives. A narrow phase picks them; a
// kernel evaluates them while the bodies move on, over one step.
#pragma once

#include <stdbool.h>

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
    N_FEATURE_KINDS
} FeatureKind;

typedef struct FeatureSide {
    Vec3 at;        // a point: centre of the ball, point of the plane or line
    Vec3 axis;      // unit length; of those that have one
    double radius;  // >= 0
} FeatureSide;

typedef struct Feature {
    FeatureKind kind;
    bool swapped;          // the first side is of the second shape
    FeatureSide sides[2];  // each in the coordinates of its own shape; z = 0 in the plane
    double gap;            // as the kernel gives it at the poses for which it was picked
    unsigned key;          // tells it from the others of the two shapes; the same in the next step
} Feature;

// Where a shape's coordinates are in the world
typedef struct Placement {
    Vec3 r;
    Mat3 R;
} Placement;

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
