// Shapes of space that touch with all of their surface, convex each.
#include "elements/shape_tables.h"
#include "elements/shapes.h"

// --- capsule ---

enum { CAPSULE_FROM, CAPSULE_TO = 3, CAPSULE_RADIUS = 6 };

static const ParameterInfo capsule_parameters[] = {
    [CAPSULE_FROM] = COORDINATE("x_1", "x of the centre of its one end, in the body's coordinates"),
    COORDINATE("y_1", "y of the centre of its one end"),
    COORDINATE("z_1", "z of the centre of its one end"),
    [CAPSULE_TO] = COORDINATE("x_2", "x of the centre of its other end, in the body's coordinates"),
    COORDINATE("y_2", "y of the centre of its other end"),
    COORDINATE("z_2", "z of the centre of its other end"),
    [CAPSULE_RADIUS] = RADIUS_INFO,
    VOLUME_DENSITY,
};

static void capsule_marker(const double* par, Marker* marker) {
    const Vec3 sum = add3(shape_vector(par + CAPSULE_FROM), shape_vector(par + CAPSULE_TO));
    *marker = (Marker){.rho = scale3(0.5, sum), .A = MAT3_IDENTITY, .radius = par[CAPSULE_RADIUS]};
}

static SurfaceSize capsule_size(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.points = 2};
}

static const char* capsule_surface(const ShapeView* view, Surface* s) {
    const double* par = view->par;
    const Vec3 from = shape_vector(par + CAPSULE_FROM);
    const Vec3 to = shape_vector(par + CAPSULE_TO);
    if (!(length3(sub3(to, from)) > 0.0)) {
        return "its two ends are the same point: expected a <sphere>";
    }
    solid_capsule(from, to, par[CAPSULE_RADIUS], &s->solid);
    return NULL;
}

const ElementKind capsule_kind = {
    SHAPE_TABLE("capsule", SHAPE_SURFACE, capsule_parameters, capsule_marker),
    SHAPE_SURFACE_OF(capsule_size, capsule_surface),
    .spatial_only = true,
    .help =
        "A cylinder with half a ball on each end, solid inside: all that is within the radius of "
        "the straight line between two points.",
};

// --- cylinder ---

enum { CYLINDER_AXIS = SPACE_EXTRA, CYLINDER_RADIUS = SPACE_EXTRA + 3, CYLINDER_LENGTH };

static const ParameterInfo cylinder_parameters[] = {
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "centre z in the body's coordinates"),
    [CYLINDER_AXIS] =
        DIRECTION("axis_x", "direction of the axis, of any length (the default is z)", 0.0),
    [CYLINDER_AXIS + 1] = DIRECTION("axis_y", "direction of the axis", 0.0),
    [CYLINDER_AXIS + 2] = DIRECTION("axis_z", "direction of the axis", 1.0),
    [CYLINDER_RADIUS] = RADIUS_INFO,
    [CYLINDER_LENGTH] = {.name = "length",
                         .help = "distance of its two flat ends",
                         .unit = UNIT_METRE,
                         .start = NAN,
                         .min = SMALLEST_RADIUS,
                         .max = INFINITY},
    VOLUME_DENSITY,
};

static void cylinder_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = shape_vector(par),
                       .A = axes3(2, shape_vector(par + CYLINDER_AXIS)),
                       .radius = par[CYLINDER_RADIUS]};
}

static const char* cylinder_surface(const ShapeView* view, Surface* s) {
    Marker marker;
    cylinder_marker(view->par, &marker);
    solid_cylinder(marker.rho, marker.A.e[2], marker.radius, view->par[CYLINDER_LENGTH], &s->solid);
    return NULL;
}

const ElementKind cylinder_kind = {
    SHAPE_TABLE("cylinder", SHAPE_SURFACE, cylinder_parameters, cylinder_marker),
    SHAPE_SURFACE_OF(shape_no_points, cylinder_surface),
    .spatial_only = true,
    .help = "A cylinder with two flat ends, solid inside.",
    .sizes = {CYLINDER_LENGTH, 1},
};

// --- hull ---

enum { HULL_ROTATION = SPACE_EXTRA, HULL_SCALE = SPACE_EXTRA + 3, HULL_ROUNDING };

static const ParameterInfo hull_parameters[] = {
    [AT_X] = COORDINATE("x", "x of its own origin in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "y of its own origin in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "z of its own origin in the body's coordinates"),
    [HULL_ROTATION] =
        SHAPE_ANGLE("rotation_x", "rotation vector of its own axes, x: axis times angle"),
    [HULL_ROTATION + 1] = SHAPE_ANGLE("rotation_y", "rotation vector, y"),
    [HULL_ROTATION + 2] = SHAPE_ANGLE("rotation_z", "rotation vector, z"),
    [HULL_SCALE] = {.name = "scale",
                    .help = "factor for the coordinates of its points: 0.001 for a file in "
                            "millimetres",
                    .unit = UNIT_ONE,
                    .start = 1.0,
                    .min = 1e-12,
                    .max = 1e12},
    [HULL_ROUNDING] = {.name = "rounding",
                       .help = "what is within this distance of the points' hull belongs to it, "
                               "too; edges and corners are then round",
                       .unit = UNIT_METRE,
                       .max = INFINITY},
    VOLUME_DENSITY,
};
static const ElementKind* const hull_vertices[] = {&vertex_kind};

static void hull_marker(const double* par, Marker* marker) {
    *marker =
        (Marker){.rho = shape_vector(par), .A = shape_turned(shape_vector(par + HULL_ROTATION))};
}

// Room for its points twice: the second half is what the hull is made of.
static int hull_points(const ShapeView* view) { return view->n_vertices + view->n_points; }

static SurfaceSize hull_size(const ShapeView* view) {
    return (SurfaceSize){.points = 2 * hull_points(view)};
}

static const char* hull_surface(const ShapeView* view, Surface* s) {
    const int n = hull_points(view);
    Vec3* points = s->solid.points + n;
    Marker marker;
    if (view->n_vertices > 0 && view->n_points > 0) {
        return "a hull has either vertices or a file";
    }
    if (n < 4) {
        return "a hull needs 4 points at least: <vertex> in it, or a file";
    }
    hull_marker(view->par, &marker);
    for (int i = 0; i < n; i++) {
        const Vec3 point =
            view->n_points > 0 ? view->points[i] : shape_vector(view->p + view->vertices[i].p.at);
        points[i] = add3(marker.rho, turn3(marker.A, scale3(view->par[HULL_SCALE], point)));
    }
    return solid_hull(n, points, view->par[HULL_ROUNDING], &s->solid);
}

const ElementKind hull_kind = {
    SHAPE_TABLE("hull", SHAPE_SURFACE, hull_parameters, hull_marker),
    SHAPE_SURFACE_OF(hull_size, hull_surface),
    .spatial_only = true,
    .help =
        "The convex hull of points, solid inside: of the vertices that stand in it, or of all "
        "points of a file.",
    .vertices = hull_vertices,
    .n_vertex_kinds = COUNT(hull_vertices),
    .has_file = true,
};
