// Shapes are markers: a position, axes and a radius in the coordinates of the body they stand on.
#include "elements/shapes.h"

#include <math.h>
#include <stddef.h>

enum { X, Y, PLANE_EXTRA, Z = 2, SPACE_EXTRA };  // what follows the position in plane and space

#define COORDINATE(axis, help_) \
    { .name = (axis), .help = (help_), .unit = UNIT_METRE, .min = -INFINITY, .max = INFINITY }
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
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SHAPE_TABLE(tag_, type, parameters_, marker_)                                \
    .tag = (tag_), .role = ROLE_SHAPE, .shape = (type), .parameters = (parameters_), \
    .n_parameters = COUNT(parameters_), .marker = (marker_)

// Axes with the given direction as axis k; the other two are chosen to fit.
static Mat3 axes_with(int k, Vec3 direction) {
    const double length = length3(direction);
    const Vec3 d = length > 0.0 ? scale3(1.0 / length, direction) : MAT3_IDENTITY.e[k];
    const Vec3 helper = fabs(d.x) < 0.9 ? MAT3_IDENTITY.e[0] : MAT3_IDENTITY.e[1];
    Vec3 first = sub3(helper, scale3(dot3(helper, d), d));
    first = scale3(1.0 / length3(first), first);
    Mat3 A;
    A.e[k] = d;
    A.e[(k + 2) % 3] = first;
    A.e[(k + 1) % 3] = cross3(first, d);
    return A;
}

// --- of the plane ---

static const ParameterInfo point_parameters[] = {
    [X] = COORDINATE("x", "position x in the body's coordinates"),
    [Y] = COORDINATE("y", "position y in the body's coordinates"),
};
static const ParameterInfo round_parameters[] = {
    [X] = COORDINATE("x", "centre x in the body's coordinates"),
    [Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [PLANE_EXTRA] = RADIUS_INFO,
};
static const ParameterInfo line_parameters[] = {
    [X] = COORDINATE("x", "x of a point on the line, in the body's coordinates"),
    [Y] = COORDINATE("y", "y of a point on the line, in the body's coordinates"),
    [PLANE_EXTRA] = {.name = "normal_angle",
                     .help = "direction of the normal in the body's coordinates; the free side is "
                             "where it points (the default is up)",
                     .unit = UNIT_RADIAN,
                     .start = 1.57079632679489661923,
                     .min = -INFINITY,
                     .max = INFINITY},
};
static const ParameterInfo frame_parameters[] = {
    [X] = COORDINATE("x", "position x in the body's coordinates"),
    [Y] = COORDINATE("y", "position y in the body's coordinates"),
    [PLANE_EXTRA] = {.name = "angle",
                     .help = "angle of the frame's x axis in the body's coordinates",
                     .unit = UNIT_RADIAN,
                     .min = -INFINITY,
                     .max = INFINITY},
};

static void point_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[X], par[Y], 0.0}, .A = MAT3_IDENTITY};
}

static void round_marker(const double* par, Marker* marker) {
    point_marker(par, marker);
    marker->radius = par[PLANE_EXTRA];
}

// Axis 1 is the normal, axis 0 the normal turned clockwise.
static void line_marker(const double* par, Marker* marker) {
    const double c = cos(par[PLANE_EXTRA]);
    const double s = sin(par[PLANE_EXTRA]);
    point_marker(par, marker);
    marker->A = (Mat3){{{s, -c, 0.0}, {c, s, 0.0}, {0.0, 0.0, 1.0}}};
}

static void frame_marker(const double* par, Marker* marker) {
    const double c = cos(par[PLANE_EXTRA]);
    const double s = sin(par[PLANE_EXTRA]);
    point_marker(par, marker);
    marker->A = (Mat3){{{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

// --- of space ---

static const ParameterInfo spatial_point_parameters[] = {
    [X] = COORDINATE("x", "position x in the body's coordinates"),
    [Y] = COORDINATE("y", "position y in the body's coordinates"),
    [Z] = COORDINATE("z", "position z in the body's coordinates"),
};
static const ParameterInfo sphere_parameters[] = {
    [X] = COORDINATE("x", "centre x in the body's coordinates"),
    [Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [Z] = COORDINATE("z", "centre z in the body's coordinates"),
    [SPACE_EXTRA] = RADIUS_INFO,
};
static const ParameterInfo plane_parameters[] = {
    [X] = COORDINATE("x", "x of a point on the plane, in the body's coordinates"),
    [Y] = COORDINATE("y", "y of a point on the plane, in the body's coordinates"),
    [Z] = COORDINATE("z", "z of a point on the plane, in the body's coordinates"),
    [SPACE_EXTRA] = DIRECTION("normal_x",
                              "direction of the normal, of any length; the free side is "
                              "where it points (the default is up, along z)",
                              0.0),
    [SPACE_EXTRA + 1] = DIRECTION("normal_y", "direction of the normal", 0.0),
    [SPACE_EXTRA + 2] = DIRECTION("normal_z", "direction of the normal", 1.0),
};
static const ParameterInfo cylinder_parameters[] = {
    [X] = COORDINATE("x", "x of a point on the axis, in the body's coordinates"),
    [Y] = COORDINATE("y", "y of a point on the axis, in the body's coordinates"),
    [Z] = COORDINATE("z", "z of a point on the axis, in the body's coordinates"),
    [SPACE_EXTRA] =
        DIRECTION("axis_x", "direction of the axis, of any length (the default is z)", 0.0),
    [SPACE_EXTRA + 1] = DIRECTION("axis_y", "direction of the axis", 0.0),
    [SPACE_EXTRA + 2] = DIRECTION("axis_z", "direction of the axis", 1.0),
    [SPACE_EXTRA + 3] = RADIUS_INFO,
};
static const ParameterInfo spatial_frame_parameters[] = {
    [X] = COORDINATE("x", "position x in the body's coordinates"),
    [Y] = COORDINATE("y", "position y in the body's coordinates"),
    [Z] = COORDINATE("z", "position z in the body's coordinates"),
    [SPACE_EXTRA] = {.name = "rotation_x",
                     .help = "rotation vector of the frame's axes, x: axis times angle",
                     .unit = UNIT_RADIAN,
                     .min = -INFINITY,
                     .max = INFINITY},
    [SPACE_EXTRA + 1] = {.name = "rotation_y",
                         .help = "rotation vector, y",
                         .unit = UNIT_RADIAN,
                         .min = -INFINITY,
                         .max = INFINITY},
    [SPACE_EXTRA + 2] = {.name = "rotation_z",
                         .help = "rotation vector, z",
                         .unit = UNIT_RADIAN,
                         .min = -INFINITY,
                         .max = INFINITY},
};

static void spatial_point_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[X], par[Y], par[Z]}, .A = MAT3_IDENTITY};
}

static void sphere_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->radius = par[SPACE_EXTRA];
}

static void plane_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->A = axes_with(1, (Vec3){par[SPACE_EXTRA], par[SPACE_EXTRA + 1], par[SPACE_EXTRA + 2]});
}

static void cylinder_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->A = axes_with(2, (Vec3){par[SPACE_EXTRA], par[SPACE_EXTRA + 1], par[SPACE_EXTRA + 2]});
    marker->radius = par[SPACE_EXTRA + 3];
}

static void spatial_frame_marker(const double* par, Marker* marker) {
    const Vec3 rotation = {par[SPACE_EXTRA], par[SPACE_EXTRA + 1], par[SPACE_EXTRA + 2]};
    const double angle = length3(rotation);
    spatial_point_marker(par, marker);
    if (angle > 0.0) {
        marker->A = rotation3(scale3(1.0 / angle, rotation), angle);
    }
}

static const ElementKind spatial_frame_kind = {
    SHAPE_TABLE("frame", SHAPE_NONE, spatial_frame_parameters, spatial_frame_marker)};
const ElementKind frame_kind = {
    SHAPE_TABLE("frame", SHAPE_NONE, frame_parameters, frame_marker),
    .help = "A point with axes, for joints: hinges turn about z, slides move along x.",
    .spatial = &spatial_frame_kind,
};

static const ElementKind spatial_point_kind = {
    SHAPE_TABLE("point", SHAPE_POINT, spatial_point_parameters, spatial_point_marker)};
const ElementKind point_kind = {
    SHAPE_TABLE("point", SHAPE_POINT, point_parameters, point_marker),
    .help =
        "A point fixed to the body: it touches other shapes; joints, springs and forces can act "
        "on it.",
    .spatial = &spatial_point_kind,
};

const ElementKind circle_kind = {
    SHAPE_TABLE("circle", SHAPE_ROUND, round_parameters, round_marker),
    .help = "A disc of the plane, solid inside: others touch it from outside.",
};
const ElementKind ring_kind = {
    SHAPE_TABLE("ring", SHAPE_RING, round_parameters, round_marker),
    .help = "A round hole of the plane: points and circles touch it from inside.",
};
const ElementKind line_kind = {
    SHAPE_TABLE("line", SHAPE_FLAT, line_parameters, line_marker),
    .help = "A straight line of the plane without ends, solid on the side away from its normal.",
};
const ElementKind sphere_kind = {
    SHAPE_TABLE("sphere", SHAPE_ROUND, sphere_parameters, sphere_marker),
    .spatial_only = true,
    .help = "A ball, solid inside.",
};
const ElementKind hollow_sphere_kind = {
    SHAPE_TABLE("hollow_sphere", SHAPE_RING, sphere_parameters, sphere_marker),
    .spatial_only = true,
    .help = "A spherical hole: points and spheres touch it from inside.",
};
const ElementKind plane_kind = {
    SHAPE_TABLE("plane", SHAPE_FLAT, plane_parameters, plane_marker),
    .spatial_only = true,
    .help = "A plane without ends, solid on the side away from its normal.",
};
const ElementKind shaft_kind = {
    SHAPE_TABLE("shaft", SHAPE_SHAFT, cylinder_parameters, cylinder_marker),
    .spatial_only = true,
    .help = "A cylinder without ends, solid inside: points and spheres touch it from outside.",
};
const ElementKind bore_kind = {
    SHAPE_TABLE("bore", SHAPE_BORE, cylinder_parameters, cylinder_marker),
    .spatial_only = true,
    .help = "A cylindrical hole without ends: points and spheres touch it from inside.",
};

// --- shapes that touch in several points ---

#define SIZE(name_, help_)                                                              \
    {                                                                                   \
        .name = (name_), .help = (help_), .unit = UNIT_METRE, .start = NAN, .min = 0.0, \
        .max = INFINITY                                                                 \
    }

static const ParameterInfo box_parameters[] = {
    [X] = COORDINATE("x", "centre x in the body's coordinates"),
    [Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [PLANE_EXTRA] = SIZE("length", "size along the body's x axis"),
    [PLANE_EXTRA + 1] = SIZE("height", "size along the body's y axis"),
};
static const ParameterInfo spatial_box_parameters[] = {
    [X] = COORDINATE("x", "centre x in the body's coordinates"),
    [Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [Z] = COORDINATE("z", "centre z in the body's coordinates"),
    [SPACE_EXTRA] = SIZE("length", "size along the body's x axis"),
    [SPACE_EXTRA + 1] = SIZE("width", "size along the body's y axis"),
    [SPACE_EXTRA + 2] = SIZE("height", "size along the body's z axis"),
};
static const ParameterInfo pin_parameters[] = {
    [X] = COORDINATE("x", "centre x in the body's coordinates"),
    [Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [Z] = COORDINATE("z", "centre z in the body's coordinates"),
    [SPACE_EXTRA] =
        DIRECTION("axis_x", "direction of the axis, of any length (the default is z)", 0.0),
    [SPACE_EXTRA + 1] = DIRECTION("axis_y", "direction of the axis", 0.0),
    [SPACE_EXTRA + 2] = DIRECTION("axis_z", "direction of the axis", 1.0),
    [SPACE_EXTRA + 3] = RADIUS_INFO,
    [SPACE_EXTRA + 4] = SIZE("length", "distance of its two ends"),
};

static double side(int i, int bit) { return (i >> bit & 1) != 0 ? 0.5 : -0.5; }

static void box_corner(const MarkerView* view, int i, Marker* marker) {
    const double* par = view->par;
    *marker = (Marker){.rho = {par[X] + side(i, 0) * par[PLANE_EXTRA],
                               par[Y] + side(i, 1) * par[PLANE_EXTRA + 1], 0.0},
                       .A = MAT3_IDENTITY};
}

static void spatial_box_corner(const MarkerView* view, int i, Marker* marker) {
    const double* par = view->par;
    *marker = (Marker){
        .rho = {par[X] + side(i, 0) * par[SPACE_EXTRA], par[Y] + side(i, 1) * par[SPACE_EXTRA + 1],
                par[Z] + side(i, 2) * par[SPACE_EXTRA + 2]},
        .A = MAT3_IDENTITY};
}

// The ends of a pin in a bore: discs, which touch the bore like spheres while the tilt is small.
static void pin_end(const MarkerView* view, int i, Marker* marker) {
    const double length = view->par[SPACE_EXTRA + 4];
    cylinder_marker(view->par, marker);
    marker->rho = add3(marker->rho, scale3(side(i, 0) * length, marker->A.e[2]));
}

static const ElementKind spatial_box_kind = {
    SHAPE_TABLE("box", SHAPE_CORNERS, spatial_box_parameters, NULL),
    .n_markers = 8,
    .corner = spatial_box_corner,
    .sizes = {SPACE_EXTRA, 3},
};
const ElementKind box_kind = {
    SHAPE_TABLE("box", SHAPE_CORNERS, box_parameters, NULL),
    .help =
        "The corners of a box, four in the plane and eight in space: each touches other shapes "
        "as a point, with a contact of its own.",
    .n_markers = 4,
    .corner = box_corner,
    .sizes = {PLANE_EXTRA, 2},
    .spatial = &spatial_box_kind,
};
const ElementKind pin_kind = {
    SHAPE_TABLE("pin", SHAPE_ENDS, pin_parameters, NULL),
    .help =
        "The side of a cylinder that sits in a <bore> with clearance: each of its two ends "
        "touches with a contact of its own.",
    .spatial_only = true,
    .n_markers = 2,
    .corner = pin_end,
    .sizes = {SPACE_EXTRA + 4, 1},
};
