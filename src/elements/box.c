// A box: its corners are markers, and each touches other shapes as a point; its surface is an
// outline of four sides, in space a hull of eight points.
#include "elements/shape_tables.h"
#include "elements/shapes.h"

enum { LENGTH = PLANE_EXTRA, HEIGHT, ANGLE };
enum { SPATIAL_LENGTH = SPACE_EXTRA, SPATIAL_WIDTH, SPATIAL_HEIGHT, ROTATION };

static const ParameterInfo box_parameters[] = {
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [LENGTH] = SIZE_INFO("length", "size along the box's x axis"),
    [HEIGHT] = SIZE_INFO("height", "size along the box's y axis, in space along its z axis"),
    [ANGLE] = SHAPE_ANGLE("angle", "angle of the box's x axis in the body's coordinates"),
    AREA_DENSITY,
};
static const ParameterInfo spatial_box_parameters[] = {
    [AT_X] = COORDINATE("x", "centre x in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "centre y in the body's coordinates"),
    [AT_Z] = COORDINATE("z", "centre z in the body's coordinates"),
    [SPATIAL_LENGTH] = SIZE_INFO("length", "size along the box's x axis"),
    [SPATIAL_WIDTH] = SIZE_INFO("width", "size along the box's y axis"),
    [SPATIAL_HEIGHT] = SIZE_INFO("height", "size along the box's z axis"),
    [ROTATION] =
        SHAPE_ANGLE("rotation_x", "rotation vector of the box's axes, x: axis times angle"),
    [ROTATION + 1] = SHAPE_ANGLE("rotation_y", "rotation vector, y"),
    [ROTATION + 2] = SHAPE_ANGLE("rotation_z", "rotation vector, z"),
    VOLUME_DENSITY,
};

// --- corners ---

static double side(int i, int bit) { return (i >> bit & 1) != 0 ? 0.5 : -0.5; }

static void box_corner(const MarkerView* view, int i, Marker* marker) {
    const double* par = view->par;
    const Vec3 d = {side(i, 0) * par[LENGTH], side(i, 1) * par[HEIGHT], 0.0};
    *marker = (Marker){.A = rotation3_z(par[ANGLE])};
    marker->rho = turn3(marker->A, d);
    marker->rho.x += par[AT_X];
    marker->rho.y += par[AT_Y];
}

static void spatial_box_corner(const MarkerView* view, int i, Marker* marker) {
    const double* par = view->par;
    const Vec3 d = {side(i, 0) * par[SPATIAL_LENGTH], side(i, 1) * par[SPATIAL_WIDTH],
                    side(i, 2) * par[SPATIAL_HEIGHT]};
    *marker = (Marker){.A = shape_turned(shape_vector(par + ROTATION))};
    marker->rho = add3(shape_vector(par), turn3(marker->A, d));
}

// --- surfaces ---

static const char flat[] = "a box without length, width or height has no surface";

static SurfaceSize box_size(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.steps = 4, .parts = outline_most_parts(4)};
}

static const char* box_surface(const ShapeView* view, Surface* s) {
    static const int around[4] = {0, 1, 3, 2};  // counter-clockwise
    const MarkerView corners = {.par = view->par, .n = 4};
    if (!(view->par[LENGTH] > 0.0 && view->par[HEIGHT] > 0.0)) {
        return flat;
    }
    for (int i = 0; i < 4; i++) {
        Marker marker;
        box_corner(&corners, around[i], &marker);
        s->steps[i] = (OutlineStep){.to = {marker.rho.x, marker.rho.y}};
    }
    return outline_from_path(4, s->steps, s->outline.parts, &s->outline);
}

static SurfaceSize spatial_box_size(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.points = 8};
}

static const char* spatial_box_surface(const ShapeView* view, Surface* s) {
    const double* par = view->par;
    const Vec3 sizes = shape_vector(par + SPATIAL_LENGTH);
    if (!(sizes.x > 0.0 && sizes.y > 0.0 && sizes.z > 0.0)) {
        return flat;
    }
    solid_box(shape_vector(par), shape_turned(shape_vector(par + ROTATION)), sizes, &s->solid);
    return NULL;
}

static const ElementKind spatial_box_kind = {
    SHAPE_TABLE("box", SHAPE_CORNERS, spatial_box_parameters, NULL),
    SHAPE_SURFACE_OF(spatial_box_size, spatial_box_surface),
    .n_markers = 8,
    .corner = spatial_box_corner,
    .sizes = {SPATIAL_LENGTH, 3},
};
const ElementKind box_kind = {
    SHAPE_TABLE("box", SHAPE_CORNERS, box_parameters, NULL),
    SHAPE_SURFACE_OF(box_size, box_surface),
    .help =
        "The corners of a box, four in the plane and eight in space: each touches other shapes "
        "as a point, with a contact of its own.",
    .n_markers = 4,
    .corner = box_corner,
    .sizes = {LENGTH, 2},
    .spatial = &spatial_box_kind,
};
