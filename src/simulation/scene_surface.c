// Outlines become points around them, between which straight lines are not seen as such: the chord
// of an arc of radius R that turns by f is away from it by R (1 - cos(f/2)) at most. Hulls keep
// their points and faces, capsules turn into a length along an axis. All is told in the coordinates
// of the shape's own marker, so that what moves the marker (centres of mass, uses of parts) moves
// the drawing as well.
#include "simulation/scene_surface.h"

#include <math.h>

static const double TURN = 6.28318530717958647693;
static const double CHORD_TURN = 0.125;  // rad: 0.2 % of the radius
enum { MOST_ARC_POINTS = 450 };          // of one outline; arcs that need more are coarser

// x of the body's coordinates in those of the marker: A^T (x - rho)
static Vec3 in_marker(const Marker* marker, Vec3 x) {
    const Vec3 d = sub3(x, marker->rho);
    return (Vec3){dot3(marker->A.e[0], d), dot3(marker->A.e[1], d), dot3(marker->A.e[2], d)};
}

// --- outlines ---

// By what angle the normal of an arc turns left along it; of hollow ones it turns right
static double turned_by(const OutlinePart* arc) {
    const double side = arc->kind == OUTLINE_HOLLOW ? -1.0 : 1.0;
    if (arc->whole) {
        return side * TURN;
    }
    const double angle = atan2(cross2(arc->from, arc->to), dot2(arc->from, arc->to));
    return side * angle < 0.0 ? angle + side * TURN : angle;
}

// Points of a part without its end, where the next part begins
static int point_count(const OutlinePart* part, double chord_turn) {
    if (part->kind == OUTLINE_STRAIGHT || !(part->radius > 0.0)) {
        return 1;
    }
    return (int)fmax(1.0, ceil(fabs(turned_by(part)) / chord_turn));
}

// How much each chord of the outline turns
static double chord_turn_of(const Outline* outline) {
    double sum = 0.0;
    for (int i = 0; i < outline->n; i++) {
        const OutlinePart* part = &outline->parts[i];
        const bool arc = part->kind != OUTLINE_STRAIGHT && part->radius > 0.0;
        sum += arc ? fabs(turned_by(part)) : 0.0;
    }
    return fmax(CHORD_TURN, sum / MOST_ARC_POINTS);
}

static Vec2 part_point(const OutlinePart* part, double s) {
    if (part->kind == OUTLINE_STRAIGHT) {
        return add2(part->at, scale2(s * part->length, left2(part->from)));
    }
    const double angle = s * turned_by(part);
    const double side = part->kind == OUTLINE_HOLLOW ? -part->radius : part->radius;
    const Vec2 n = add2(scale2(cos(angle), part->from), scale2(sin(angle), left2(part->from)));
    return add2(part->at, scale2(side, n));
}

// A corner is where the part after it begins.
static bool has_points(const OutlinePart* part) {
    return part->kind == OUTLINE_STRAIGHT || part->radius > 0.0;
}

static bool take_outline(const Outline* outline, const Marker* own, Arena* arena,
                         SceneShape* shape) {
    const double chord_turn = chord_turn_of(outline);
    int n = 0;
    for (int i = 0; i < outline->n; i++) {
        n += has_points(&outline->parts[i]) ? point_count(&outline->parts[i], chord_turn) : 0;
    }
    Vec3* points = ARENA_NEW(arena, n, Vec3);
    if (points == NULL) {
        return false;
    }
    shape->points = points;
    for (int i = 0; i < outline->n; i++) {
        const OutlinePart* part = &outline->parts[i];
        const int n_part = has_points(part) ? point_count(part, chord_turn) : 0;
        const bool hole = part->whole && part->kind == OUTLINE_HOLLOW;
        for (int k = 0; k < n_part; k++) {
            const Vec2 x = part_point(part, (double)k / n_part);
            points[shape->n_points++] = in_marker(own, (Vec3){x.x, x.y, 0.0});
        }
        shape->n_rim += hole ? 0 : n_part;
    }
    return true;
}

// --- solids ---

static bool take_hull(const Solid* solid, const Marker* own, Arena* arena, SceneShape* shape) {
    Vec3* points = ARENA_NEW(arena, solid->n_points, Vec3);
    SceneFace* faces = ARENA_NEW(arena, solid->n_faces, SceneFace);
    if (points == NULL || faces == NULL) {
        return false;
    }
    for (int i = 0; i < solid->n_points; i++) {
        points[i] = in_marker(own, solid->points[i]);
    }
    for (int i = 0; i < solid->n_faces; i++) {
        faces[i] = (SceneFace){solid->face_points + solid->faces[i].first, solid->faces[i].n};
    }
    shape->points = points;
    shape->n_points = solid->n_points;
    shape->faces = faces;
    shape->n_faces = solid->n_faces;
    shape->radius = solid->radius;
    return true;
}

// Axes with the third along d, in the coordinates of the marker
static Mat3 axes_along(Vec3 d) {
    const Vec3 helper = fabs(d.x) < 0.9 ? MAT3_IDENTITY.e[0] : MAT3_IDENTITY.e[1];
    const Vec3 across = cross3(helper, d);
    const Vec3 second = scale3(1.0 / length3(across), across);
    return (Mat3){{cross3(second, d), second, d}};
}

static void take_capsule(const Solid* solid, const Marker* own, SceneShape* shape) {
    const Vec3 ends[2] = {in_marker(own, solid->points[0]), in_marker(own, solid->points[1])};
    const Vec3 along = sub3(ends[1], ends[0]);
    const double length = length3(along);
    shape->sizes[0] = length;
    shape->n_sizes = 1;
    shape->radius = solid->radius;
    if (length > 0.0) {
        shape->marker.axes = product3(shape->marker.axes, axes_along(scale3(1.0 / length, along)));
    }
}

bool scene_surface_take(const Surface* surface, bool outlined, const Marker* own, Arena* arena,
                        SceneShape* shape) {
    const Solid* solid = &surface->solid;
    if (outlined) {
        return take_outline(&surface->outline, own, arena, shape);
    }
    if (solid->kind == SOLID_HULL && solid->n_faces > 0) {
        return take_hull(solid, own, arena, shape);
    }
    if (solid->kind == SOLID_HULL && solid->n_points == 2) {
        take_capsule(solid, own, shape);
    }
    return true;
}
