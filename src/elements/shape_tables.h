// What the tables of shapes share: attributes that many of them have, and their coordinates.
#pragma once

#include <math.h>
#include <stddef.h>

#include "elements/shapes.h"

// Where the position is, and what follows it in plane and space
enum { AT_X, AT_Y, PLANE_EXTRA, AT_Z = 2, SPACE_EXTRA };

#define COORDINATE(axis, help_) \
    { .name = (axis), .help = (help_), .unit = UNIT_METRE, .min = -INFINITY, .max = INFINITY }
#define SHAPE_ANGLE(name_, help_) \
    { .name = (name_), .help = (help_), .unit = UNIT_RADIAN, .min = -INFINITY, .max = INFINITY }
// Points do not meet points (contact.c), so that no round shape may be one.
#define SMALLEST_RADIUS 1e-9  // m: less than anything that is made
#define RADIUS_INFO                                                           \
    {                                                                         \
        .name = "radius", .help = "radius", .unit = UNIT_METRE, .start = NAN, \
        .min = SMALLEST_RADIUS, .max = INFINITY                               \
    }
#define DIRECTION(name_, help_, start_)                                                          \
    {                                                                                            \
        .name = (name_), .help = (help_), .unit = UNIT_ONE, .start = (start_), .min = -INFINITY, \
        .max = INFINITY                                                                          \
    }
#define SIZE_INFO(name_, help_)                                                         \
    {                                                                                   \
        .name = (name_), .help = (help_), .unit = UNIT_METRE, .start = NAN, .min = 0.0, \
        .max = INFINITY                                                                 \
    }
// Of what is closed; in the plane a mass per area
#define DENSITY_OF(unit_)                                                                    \
    {                                                                                        \
        .name = SHAPE_DENSITY,                                                               \
        .help =                                                                              \
            "density, from which the body's mass follows if it is left out there: mass per " \
            "area in the plane, per volume in space",                                        \
        .unit = (unit_), .max = INFINITY                                                     \
    }
#define AREA_DENSITY DENSITY_OF(UNIT_KILOGRAM_PER_SQUARE_METRE)
#define VOLUME_DENSITY DENSITY_OF(UNIT_KILOGRAM_PER_CUBIC_METRE)
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SHAPE_TABLE(tag_, type, parameters_, marker_)                                \
    .tag = (tag_), .role = ROLE_SHAPE, .shape = (type), .parameters = (parameters_), \
    .n_parameters = COUNT(parameters_), .marker = (marker_)
#define SHAPE_SURFACE_OF(size_, surface_) .surface_size = (size_), .surface = (surface_)

static inline Vec2 shape_at2(const double* par) { return (Vec2){par[AT_X], par[AT_Y]}; }
static inline Vec3 shape_vector(const double* par) { return (Vec3){par[0], par[1], par[2]}; }

// Axes turned by a rotation vector
static inline Mat3 shape_turned(Vec3 rotation) {
    const double angle = length3(rotation);
    return angle > 0.0 ? rotation3(scale3(1.0 / angle, rotation), angle) : MAT3_IDENTITY;
}

// Room for shapes that are one part of an outline, for solids that are no hull, and for hulls of
// one point
static inline SurfaceSize shape_one_part(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.parts = 1};
}
static inline SurfaceSize shape_no_points(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.points = 0};
}
static inline SurfaceSize shape_one_point(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.points = 1};
}
