// Shapes of the plane that touch with all of their surface: walls, straight and curved, and closed
// paths. Paths have coordinates of their own, with x, y and angle in those of the body.
#include "elements/shape_tables.h"
#include "elements/shapes.h"

#define SHAPE_THICKNESS(start_, min_, help_)                                         \
    {                                                                                \
        .name = "thickness", .help = (help_), .unit = UNIT_METRE, .start = (start_), \
        .min = (min_), .max = INFINITY                                               \
    }

// A point of the shape's own coordinates in those of the body
static Vec2 placed(const double* par, double angle, Vec2 d) {
    const double c = cos(angle);
    const double s = sin(angle);
    return (Vec2){par[AT_X] + c * d.x - s * d.y, par[AT_Y] + s * d.x + c * d.y};
}

static const double* vertex_par(const ShapeView* view, int i) {
    return view->p + view->vertices[i].p.at;
}

// --- walls ---

enum { FROM_X, FROM_Y, TO_X, TO_Y, SEGMENT_THICKNESS };

static const ParameterInfo segment_parameters[] = {
    [FROM_X] = COORDINATE("x_1", "x of its one end in the body's coordinates"),
    [FROM_Y] = COORDINATE("y_1", "y of its one end in the body's coordinates"),
    [TO_X] = COORDINATE("x_2", "x of its other end in the body's coordinates"),
    [TO_Y] = COORDINATE("y_2", "y of its other end in the body's coordinates"),
    [SEGMENT_THICKNESS] = SHAPE_THICKNESS(0.0, 0.0,
                                          "thickness; its ends are round and reach half of it "
                                          "beyond their points"),
    AREA_DENSITY,
};

static void segment_marker(const double* par, Marker* marker) {
    *marker =
        (Marker){.rho = {0.5 * (par[FROM_X] + par[TO_X]), 0.5 * (par[FROM_Y] + par[TO_Y]), 0.0},
                 .A = MAT3_IDENTITY};
}

static SurfaceSize wall_size(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.parts = 4};
}

static const char* segment_surface(const ShapeView* view, Surface* s) {
    const double* par = view->par;
    const Vec2 ends[2] = {{par[FROM_X], par[FROM_Y]}, {par[TO_X], par[TO_Y]}};
    const bool made =
        outline_segment(ends[0], ends[1], par[SEGMENT_THICKNESS], s->outline.parts, &s->outline);
    return made ? NULL : "its two ends are the same point";
}

const ElementKind segment_kind = {
    SHAPE_TABLE("segment", SHAPE_SURFACE, segment_parameters, segment_marker),
    SHAPE_SURFACE_OF(wall_size, segment_surface),
    .help =
        "A straight wall of the plane between two points: others touch it from both sides and at "
        "its ends.",
};

enum { ARC_RADIUS = PLANE_EXTRA, ARC_FROM, ARC_TO, ARC_THICKNESS };

#define ARC_ANGLE(name_, help_)                                                                \
    {                                                                                          \
        .name = (name_), .help = (help_), .unit = UNIT_RADIAN, .start = NAN, .min = -INFINITY, \
        .max = INFINITY                                                                        \
    }
static const ParameterInfo arc_parameters[] = {
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [ARC_RADIUS] = RADIUS_INFO,
    [ARC_FROM] = ARC_ANGLE("from_angle", "angle at which it begins, from the body's x axis"),
    [ARC_TO] =
        ARC_ANGLE("to_angle",
                  "angle at which it ends, counter-clockwise: more than from_angle, by a turn "
                  "at most"),
    [ARC_THICKNESS] =
        SHAPE_THICKNESS(NAN, SMALLEST_RADIUS,
                        "thickness, half of it on each side of the radius; the ends are round"),
    AREA_DENSITY,
};

static void centre_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[AT_X], par[AT_Y], 0.0}, .A = MAT3_IDENTITY};
}

static const char* arc_surface(const ShapeView* view, Surface* s) {
    static const double TURN = 6.28318530717958647693;
    static const double SLACK = 1e-9;  // rad: of a turn that is written with some digits
    const double* par = view->par;
    const double angle = par[ARC_TO] - par[ARC_FROM];
    if (!(angle > 0.0 && angle <= TURN + SLACK)) {
        return "to_angle must be more than from_angle, by a turn at most";
    }
    if (!(0.5 * par[ARC_THICKNESS] < par[ARC_RADIUS])) {
        return "half its thickness must be less than its radius";
    }
    outline_arc(shape_at2(par), par[ARC_RADIUS], par[ARC_FROM], par[ARC_FROM] + fmin(angle, TURN),
                par[ARC_THICKNESS], s->outline.parts, &s->outline);
    return NULL;
}

const ElementKind arc_kind = {
    SHAPE_TABLE("arc", SHAPE_SURFACE, arc_parameters, centre_marker),
    SHAPE_SURFACE_OF(wall_size, arc_surface),
    .help =
        "A curved wall of the plane, a part of a circle or a whole one: others touch it from "
        "inside, from outside and at its ends.",
};

// --- polygons ---

enum { POLYGON_ANGLE = PLANE_EXTRA, POLYGON_SIDES, POLYGON_RADIUS };
enum { MOST_SIDES = 1000 };

static const ParameterInfo polygon_parameters[] = {
    [AT_X] = COORDINATE("x",
                        "x of its own origin in the body's coordinates; of a regular one its "
                        "centre"),
    [AT_Y] = COORDINATE("y", "y of its own origin in the body's coordinates"),
    [POLYGON_ANGLE] = SHAPE_ANGLE("angle",
                                  "angle of its own x axis in the body's coordinates; a "
                                  "regular one has its first corner there"),
    [POLYGON_SIDES] = {.name = "sides",
                       .help = "number of sides of a regular polygon; 0: it has the vertices that "
                               "stand in it",
                       .type = VARIABLE_INTEGER,
                       .max = MOST_SIDES,
                       .structural = true},
    [POLYGON_RADIUS] = {.name = "radius",
                        .help = "distance of the corners of a regular polygon from its centre",
                        .unit = UNIT_METRE,
                        .max = INFINITY},
    AREA_DENSITY,
};

static void path_marker(const double* par, Marker* marker) {
    centre_marker(par, marker);
    marker->A = rotation3_z(par[PLANE_EXTRA]);
}

static int corner_count(const ShapeView* view) {
    const int sides = (int)view->par[POLYGON_SIDES];
    return sides > 0 ? sides : view->n_vertices;
}

static SurfaceSize polygon_size(const ShapeView* view) {
    const int n = corner_count(view);
    return (SurfaceSize){.steps = n, .parts = outline_most_parts(n)};
}

static Vec2 polygon_corner(const ShapeView* view, int n, int i) {
    static const double TURN = 6.28318530717958647693;
    const double* par = view->par;
    if (par[POLYGON_SIDES] > 0.0) {
        const double angle = TURN * i / n;
        const Vec2 d = {par[POLYGON_RADIUS] * cos(angle), par[POLYGON_RADIUS] * sin(angle)};
        return placed(par, par[POLYGON_ANGLE], d);
    }
    return placed(par, par[POLYGON_ANGLE], shape_at2(vertex_par(view, i)));
}

// The outline of a path, and the step that has no length, if there is one
static const char* path_surface(int n, Surface* s) {
    for (int i = 0; i < n; i++) {
        const Vec2 before = s->steps[(i + n - 1) % n].to;
        if (before.x == s->steps[i].to.x && before.y == s->steps[i].to.y) {
            s->fault = i;
            return i > 0 ? "this point is the same as the one before it"
                         : "this point is the same as the last one, from which the path comes";
        }
    }
    return outline_from_path(n, s->steps, s->outline.parts, &s->outline);
}

// The first corner at which the path turns the other way than it does on the whole, -1: there is
// none.
static int hollow_corner(int n, const OutlineStep* steps) {
    static const double STRAIGHT = 1e-12;  // of the product of the lengths of two sides
    double area = 0.0;
    for (int i = 0; i < n; i++) {
        area += cross2(sub2(steps[i].to, steps[0].to), sub2(steps[(i + 1) % n].to, steps[0].to));
    }
    for (int i = 0; i < n; i++) {
        const Vec2 before = sub2(steps[i].to, steps[(i + n - 1) % n].to);
        const Vec2 after = sub2(steps[(i + 1) % n].to, steps[i].to);
        const double turn = cross2(before, after) * (area < 0.0 ? -1.0 : 1.0);
        if (turn < -STRAIGHT * length2(before) * length2(after)) {
            return i;
        }
    }
    return -1;
}

static const char* polygon_surface(const ShapeView* view, Surface* s) {
    const int n = corner_count(view);
    const bool regular = view->par[POLYGON_SIDES] > 0.0;
    if (regular && view->n_vertices > 0) {
        return "a polygon has either vertices or sides";
    }
    if (n < 3) {
        return regular ? "a polygon has 3 sides at least"
                       : "a polygon needs 3 vertices at least, or sides and radius";
    }
    if (regular && !(view->par[POLYGON_RADIUS] > 0.0)) {
        return "a regular polygon needs a radius above 0";
    }
    for (int i = 0; i < n; i++) {
        s->steps[i] = (OutlineStep){.to = polygon_corner(view, n, i)};
    }
    s->fault = hollow_corner(n, s->steps);
    if (s->fault >= 0) {
        return "the polygon is not convex at this vertex: an <outline> need not be";
    }
    return path_surface(n, s);
}

// --- vertices ---

static const ParameterInfo vertex_parameters[] = {
    [AT_X] = COORDINATE("x", "x in the coordinates of the shape"),
    [AT_Y] = COORDINATE("y", "y in the coordinates of the shape"),
};
static const ParameterInfo spatial_vertex_parameters[] = {
    [AT_X] = COORDINATE("x", "x in the coordinates of the shape"),
    [AT_Y] = COORDINATE("y", "y in the coordinates of the shape"),
    [AT_Z] = COORDINATE("z", "z in the coordinates of the shape"),
};

#define VERTEX_TABLE(tag_, parameters_)                              \
    .tag = (tag_), .role = ROLE_VERTEX, .parameters = (parameters_), \
    .n_parameters = COUNT(parameters_)

static const ElementKind spatial_vertex_kind = {VERTEX_TABLE("vertex", spatial_vertex_parameters)};
const ElementKind vertex_kind = {
    VERTEX_TABLE("vertex", vertex_parameters),
    .help =
        "A corner of a polygon, in the order in which they stand around it; of a hull, a point "
        "of it or within it, in any order.",
    .spatial = &spatial_vertex_kind,
};
static const ElementKind* const polygon_vertices[] = {&vertex_kind};

const ElementKind polygon_kind = {
    SHAPE_TABLE("polygon", SHAPE_SURFACE, polygon_parameters, path_marker),
    SHAPE_SURFACE_OF(polygon_size, polygon_surface),
    .help =
        "A convex polygon of the plane, solid inside: by the vertices that stand in it, in either "
        "sense, or regular.",
    .vertices = polygon_vertices,
    .n_vertex_kinds = COUNT(polygon_vertices),
};

// --- outlines ---

enum { OUTLINE_ANGLE = PLANE_EXTRA };
enum { BULGE = PLANE_EXTRA, LARGE };

static const EnumerationItem large_items[] = {{"no", "the shorter one"}, {"yes", "the longer one"}};
static const EnumerationType large_type = {.name = "LargeArc",
                                           .help = "which one of the two arcs of a radius",
                                           .items = large_items,
                                           .n_items = COUNT(large_items)};

static const ParameterInfo arc_to_parameters[] = {
    [AT_X] = COORDINATE("x", "x of its end in the coordinates of the outline"),
    [AT_Y] = COORDINATE("y", "y of its end in the coordinates of the outline"),
    [BULGE] = {.name = "radius",
               .help = "radius; above 0 it turns left on the way, below 0 right",
               .unit = UNIT_METRE,
               .start = NAN,
               .min = -INFINITY,
               .max = INFINITY},
    [LARGE] = {.name = "large",
               .help = "which one of the two arcs with this radius and these ends",
               .start = 1.0,
               .min = 1.0,
               .max = COUNT(large_items),
               .type = VARIABLE_ENUMERATION,
               .enumeration = &large_type},
};

const ElementKind to_kind = {
    VERTEX_TABLE("to", vertex_parameters),
    .help = "A step of an outline's path: straight on to this point.",
};
const ElementKind arc_to_kind = {
    VERTEX_TABLE("arc_to", arc_to_parameters),
    .help = "A step of an outline's path: along an arc to this point.",
};
static const ElementKind* const outline_vertices[] = {&to_kind, &arc_to_kind};

static const ParameterInfo outline_parameters[] = {
    [AT_X] = COORDINATE("x", "x of its own origin in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "y of its own origin in the body's coordinates"),
    [OUTLINE_ANGLE] = SHAPE_ANGLE("angle", "angle of its own x axis in the body's coordinates"),
    AREA_DENSITY,
};

static SurfaceSize outline_size(const ShapeView* view) {
    return (SurfaceSize){.steps = view->n_vertices, .parts = outline_most_parts(view->n_vertices)};
}

static const char* outline_surface(const ShapeView* view, Surface* s) {
    if (view->n_vertices < 2) {
        return "an outline needs 2 steps at least: <to> and <arc_to>";
    }
    for (int i = 0; i < view->n_vertices; i++) {
        const double* par = vertex_par(view, i);
        const bool arc = view->vertices[i].kind == &arc_to_kind;
        s->steps[i] =
            (OutlineStep){.to = placed(view->par, view->par[OUTLINE_ANGLE], shape_at2(par)),
                          .bulge = arc ? par[BULGE] : 0.0,
                          .large = arc && par[LARGE] > 1.0};
        if (arc && par[BULGE] == 0.0) {
            s->fault = i;
            return "an arc needs a radius other than 0";
        }
    }
    return path_surface(view->n_vertices, s);
}

const ElementKind outline_kind = {
    SHAPE_TABLE("outline", SHAPE_SURFACE, outline_parameters, path_marker),
    SHAPE_SURFACE_OF(outline_size, outline_surface),
    .help =
        "A closed path of the plane, solid inside, convex or not: steps from point to point, "
        "straight or along arcs, the last one ending where the first one begins. It may go round "
        "in either sense.",
    .vertices = outline_vertices,
    .n_vertex_kinds = COUNT(outline_vertices),
};
