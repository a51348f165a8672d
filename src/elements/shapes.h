// Markers and geometries that stand on bodies.
#pragma once

#include "elements/element.h"

extern const ElementKind frame_kind;
extern const ElementKind point_kind;
extern const ElementKind circle_kind;
extern const ElementKind ring_kind;
extern const ElementKind line_kind;
extern const ElementKind curve_kind;
extern const ElementKind cam_kind;
extern const ElementKind sphere_kind;
extern const ElementKind hollow_sphere_kind;
extern const ElementKind plane_kind;
extern const ElementKind shaft_kind;
extern const ElementKind bore_kind;

// The name of the parameter that says the density of a shape
#define SHAPE_DENSITY "density"

// The s for which (s, f(s)) is nearest to (xi, eta), or nearer than all around it, found by going
// down from s = xi; accurate to 1e-9 relative. f is an expression of x, symbol 0.
double curve_foot(const Expression* f, double xi, double eta);
extern const ElementKind box_kind;
extern const ElementKind pin_kind;
extern const ElementKind skin_kind;

// Those that touch with all of their surface, and what stands in them
extern const ElementKind segment_kind;
extern const ElementKind arc_kind;
extern const ElementKind polygon_kind;
extern const ElementKind outline_kind;
extern const ElementKind capsule_kind;
extern const ElementKind cylinder_kind;
extern const ElementKind hull_kind;
extern const ElementKind vertex_kind;
extern const ElementKind to_kind;
extern const ElementKind arc_to_kind;
