// Shapes are markers: a position, axes and a radius in the coordinates of the body they stand on;
// and surfaces in the same coordinates.
#include "elements/shapes.h"

#include "elements/shape_tables.h"

// --- of the plane ---

static const ParameterInfo point_parameters[] = {
    [AT_X] = COORDINATE("x", "position x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "position y in the body's coordinates"),
};
#define ROUND_PARAMETERS                                            \
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"), \
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"), [PLANE_EXTRA] = RADIUS_INFO
static const ParameterInfo ring_parameters[] = {ROUND_PARAMETERS};
static const ParameterInfo circle_parameters[] = {ROUND_PARAMETERS, AREA_DENSITY};
static const ParameterInfo spatial_circle_parameters[] = {ROUND_PARAMETERS, VOLUME_DENSITY};
static const ParameterInfo line_parameters[] = {
    [AT_X] = COORDINATE("x", "x of a point on the line, in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "y of a point on the line, in the body's coordinates"),
    [PLANE_EXTRA] = {.name = "normal_angle",
                     .help = "direction of the normal in the body's coordinates; the free side is "
                             "where it points (the default is up)",
                     .unit = UNIT_RADIAN,
                     .start = 1.57079632679489661923,
                     .min = -INFINITY,
                     .max = INFINITY},
};
static const ParameterInfo frame_parameters[] = {
    [AT_X] = COORDINATE("x", "position x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "position y in the body's coordinates"),
    [PLANE_EXTRA] = SHAPE_ANGLE("angle", "angle of the frame's x axis in the body's coordinates"),
};

static void point_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[AT_X], par[AT_Y], 0.0}, .A = MAT3_IDENTITY};
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
    [AT_X] = COORDINATE("x", "position x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "position y in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "position z in the body's coordinates"),
};
#define SPHERE_PARAMETERS                                           \
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"), \
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"), \
    [AT_Z] = COORDINATE("z", "centre z in the body's coordinates"), [SPACE_EXTRA] = RADIUS_INFO
static const ParameterInfo hollow_parameters[] = {SPHERE_PARAMETERS};
static const ParameterInfo sphere_parameters[] = {SPHERE_PARAMETERS, VOLUME_DENSITY};
static const ParameterInfo plane_parameters[] = {
    [AT_X] = COORDINATE("x", "x of a point on the plane, in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "y of a point on the plane, in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "z of a point on the plane, in the body's coordinates"),
    [SPACE_EXTRA] = DIRECTION("normal_x",
                              "direction of the normal, of any length; the free side is "
                              "where it points (the default is up, along z)",
                              0.0),
    [SPACE_EXTRA + 1] = DIRECTION("normal_y", "direction of the normal", 0.0),
    [SPACE_EXTRA + 2] = DIRECTION("normal_z", "direction of the normal", 1.0),
};
static const ParameterInfo cylinder_parameters[] = {
    [AT_X] = COORDINATE("x", "x of a point on the axis, in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "y of a point on the axis, in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "z of a point on the axis, in the body's coordinates"),
    [SPACE_EXTRA] =
        DIRECTION("axis_x", "direction of the axis, of any length (the default is z)", 0.0),
    [SPACE_EXTRA + 1] = DIRECTION("axis_y", "direction of the axis", 0.0),
    [SPACE_EXTRA + 2] = DIRECTION("axis_z", "direction of the axis", 1.0),
    [SPACE_EXTRA + 3] = RADIUS_INFO,
};
static const ParameterInfo spatial_frame_parameters[] = {
    [AT_X] = COORDINATE("x", "position x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "position y in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "position z in the body's coordinates"),
    [SPACE_EXTRA] =
        SHAPE_ANGLE("rotation_x", "rotation vector of the frame's axes, x: axis times angle"),
    [SPACE_EXTRA + 1] = SHAPE_ANGLE("rotation_y", "rotation vector, y"),
    [SPACE_EXTRA + 2] = SHAPE_ANGLE("rotation_z", "rotation vector, z"),
};

static void spatial_point_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[AT_X], par[AT_Y], par[AT_Z]}, .A = MAT3_IDENTITY};
}

static void sphere_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->radius = par[SPACE_EXTRA];
}

static void plane_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->A = axes3(1, (Vec3){par[SPACE_EXTRA], par[SPACE_EXTRA + 1], par[SPACE_EXTRA + 2]});
}

static void cylinder_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->A = axes3(2, (Vec3){par[SPACE_EXTRA], par[SPACE_EXTRA + 1], par[SPACE_EXTRA + 2]});
    marker->radius = par[SPACE_EXTRA + 3];
}

static void spatial_frame_marker(const double* par, Marker* marker) {
    spatial_point_marker(par, marker);
    marker->A = shape_turned(shape_vector(par + SPACE_EXTRA));
}

// --- surfaces ---

static const char* point_surface(const ShapeView* view, Surface* s) {
    outline_point(shape_at2(view->par), s->outline.parts, &s->outline);
    return NULL;
}

static const char* circle_surface(const ShapeView* view, Surface* s) {
    outline_circle(shape_at2(view->par), view->par[PLANE_EXTRA], s->outline.parts, &s->outline);
    return NULL;
}

static const char* ring_surface(const ShapeView* view, Surface* s) {
    outline_ring(shape_at2(view->par), view->par[PLANE_EXTRA], s->outline.parts, &s->outline);
    return NULL;
}

static const char* line_surface(const ShapeView* view, Surface* s) {
    const double angle = view->par[PLANE_EXTRA];
    outline_line(shape_at2(view->par), (Vec2){cos(angle), sin(angle)}, s->outline.parts,
                 &s->outline);
    return NULL;
}

static const char* spatial_point_surface(const ShapeView* view, Surface* s) {
    solid_sphere(shape_vector(view->par), 0.0, &s->solid);
    return NULL;
}

static const char* sphere_surface(const ShapeView* view, Surface* s) {
    solid_sphere(shape_vector(view->par), view->par[SPACE_EXTRA], &s->solid);
    return NULL;
}

static const char* hollow_sphere_surface(const ShapeView* view, Surface* s) {
    solid_hollow(shape_vector(view->par), view->par[SPACE_EXTRA], &s->solid);
    return NULL;
}

static const char* plane_surface(const ShapeView* view, Surface* s) {
    Marker marker;
    plane_marker(view->par, &marker);
    solid_plane(marker.rho, marker.A.e[1], &s->solid);
    return NULL;
}

static const char* shaft_surface(const ShapeView* view, Surface* s) {
    Marker marker;
    cylinder_marker(view->par, &marker);
    solid_shaft(marker.rho, marker.A.e[2], marker.radius, &s->solid);
    return NULL;
}

static const char* bore_surface(const ShapeView* view, Surface* s) {
    Marker marker;
    cylinder_marker(view->par, &marker);
    solid_bore(marker.rho, marker.A.e[2], marker.radius, &s->solid);
    return NULL;
}

// Shapes of the plane among bodies of space, as their rows take them: round ones are balls and
// spherical holes, lines are planes.
static const char* circle_solid(const ShapeView* view, Surface* s) {
    Marker marker;
    round_marker(view->par, &marker);
    solid_sphere(marker.rho, marker.radius, &s->solid);
    return NULL;
}

static const char* ring_solid(const ShapeView* view, Surface* s) {
    Marker marker;
    round_marker(view->par, &marker);
    solid_hollow(marker.rho, marker.radius, &s->solid);
    return NULL;
}

static const char* line_solid(const ShapeView* view, Surface* s) {
    Marker marker;
    line_marker(view->par, &marker);
    solid_plane(marker.rho, marker.A.e[1], &s->solid);
    return NULL;
}

// --- kinds ---

static const ElementKind spatial_frame_kind = {
    SHAPE_TABLE("frame", SHAPE_NONE, spatial_frame_parameters, spatial_frame_marker)};
const ElementKind frame_kind = {
    SHAPE_TABLE("frame", SHAPE_NONE, frame_parameters, frame_marker),
    .help = "A point with axes, for joints: hinges turn about z, slides move along x.",
    .spatial = &spatial_frame_kind,
};

static const ElementKind spatial_point_kind = {
    SHAPE_TABLE("point", SHAPE_POINT, spatial_point_parameters, spatial_point_marker),
    SHAPE_SURFACE_OF(shape_one_point, spatial_point_surface)};
const ElementKind point_kind = {
    SHAPE_TABLE("point", SHAPE_POINT, point_parameters, point_marker),
    SHAPE_SURFACE_OF(shape_one_part, point_surface),
    .help =
        "A point fixed to the body: it touches other shapes; joints, springs and forces can act "
        "on it.",
    .spatial = &spatial_point_kind,
};

static const ElementKind spatial_circle_kind = {
    SHAPE_TABLE("circle", SHAPE_ROUND, spatial_circle_parameters, round_marker),
    SHAPE_SURFACE_OF(shape_one_point, circle_solid)};
const ElementKind circle_kind = {
    SHAPE_TABLE("circle", SHAPE_ROUND, circle_parameters, round_marker),
    SHAPE_SURFACE_OF(shape_one_part, circle_surface),
    .spatial = &spatial_circle_kind,
    .help = "A disc of the plane, solid inside: others touch it from outside.",
};
static const ElementKind spatial_ring_kind = {
    SHAPE_TABLE("ring", SHAPE_RING, ring_parameters, round_marker),
    SHAPE_SURFACE_OF(shape_no_points, ring_solid)};
const ElementKind ring_kind = {
    SHAPE_TABLE("ring", SHAPE_RING, ring_parameters, round_marker),
    SHAPE_SURFACE_OF(shape_one_part, ring_surface),
    .spatial = &spatial_ring_kind,
    .help = "A round hole of the plane: points and circles touch it from inside.",
};
static const ElementKind spatial_line_kind = {
    SHAPE_TABLE("line", SHAPE_FLAT, line_parameters, line_marker),
    SHAPE_SURFACE_OF(shape_no_points, line_solid)};
const ElementKind line_kind = {
    SHAPE_TABLE("line", SHAPE_FLAT, line_parameters, line_marker),
    SHAPE_SURFACE_OF(shape_one_part, line_surface),
    .spatial = &spatial_line_kind,
    .help = "A straight line of the plane without ends, solid on the side away from its normal.",
};
const ElementKind sphere_kind = {
    SHAPE_TABLE("sphere", SHAPE_ROUND, sphere_parameters, sphere_marker),
    SHAPE_SURFACE_OF(shape_one_point, sphere_surface),
    .spatial_only = true,
    .help = "A ball, solid inside.",
};
const ElementKind hollow_sphere_kind = {
    SHAPE_TABLE("hollow_sphere", SHAPE_RING, hollow_parameters, sphere_marker),
    SHAPE_SURFACE_OF(shape_no_points, hollow_sphere_surface),
    .spatial_only = true,
    .help = "A spherical hole: points and spheres touch it from inside.",
};
const ElementKind plane_kind = {
    SHAPE_TABLE("plane", SHAPE_FLAT, plane_parameters, plane_marker),
    SHAPE_SURFACE_OF(shape_no_points, plane_surface),
    .spatial_only = true,
    .help = "A plane without ends, solid on the side away from its normal.",
};
const ElementKind shaft_kind = {
    SHAPE_TABLE("shaft", SHAPE_SHAFT, cylinder_parameters, cylinder_marker),
    SHAPE_SURFACE_OF(shape_no_points, shaft_surface),
    .spatial_only = true,
    .help = "A cylinder without ends, solid inside: points and spheres touch it from outside.",
};
const ElementKind bore_kind = {
    SHAPE_TABLE("bore", SHAPE_BORE, cylinder_parameters, cylinder_marker),
    SHAPE_SURFACE_OF(shape_no_points, bore_surface),
    .spatial_only = true,
    .help = "A cylindrical hole without ends: points and spheres touch it from inside.",
};

// --- pin ---

static const ParameterInfo pin_parameters[] = {
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "centre z in the body's coordinates"),
    [SPACE_EXTRA] =
        DIRECTION("axis_x", "direction of the axis, of any length (the default is z)", 0.0),
    [SPACE_EXTRA + 1] = DIRECTION("axis_y", "direction of the axis", 0.0),
    [SPACE_EXTRA + 2] = DIRECTION("axis_z", "direction of the axis", 1.0),
    [SPACE_EXTRA + 3] = RADIUS_INFO,
    [SPACE_EXTRA + 4] = SIZE_INFO("length", "distance of its two ends"),
};

// The ends of a pin in a bore: discs, which touch the bore like spheres while the tilt is small.
static void pin_end(const MarkerView* view, int i, Marker* marker) {
    const double length = view->par[SPACE_EXTRA + 4];
    cylinder_marker(view->par, marker);
    marker->rho = add3(marker->rho, scale3((i == 0 ? -0.5 : 0.5) * length, marker->A.e[2]));
}

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
