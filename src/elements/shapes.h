// Geometries that stand on bodies, and the distance between two of them.
#pragma once

#include "elements/element.h"

extern const ElementKind point_kind;
extern const ElementKind circle_kind;
extern const ElementKind ring_kind;
extern const ElementKind line_kind;

// The closest points of two shapes a and b and how they move.
typedef struct Proximity {
    double g_N;             // gap, negative when penetrating
    Vec2 n;                 // normal, from b to a
    double nu;              // angular velocity of the normal: n' = nu e_z x n
    Vec2 arm_a, arm_b;      // contact points, from the bodies' origins
    Vec2 x_a_dot, x_b_dot;  // velocities at which the contact points travel in space
} Proximity;

typedef void (*ProximityFunction)(const Element* a, const Element* b, const Configuration* c,
                                  Proximity* result);

// The function for the pair, or NULL if the pair cannot touch in one point. *swap: call it with the
// two exchanged.
ProximityFunction proximity_find(ShapeType first, ShapeType second, bool* swap);
