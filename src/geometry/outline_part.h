// Parts of outlines: their ends, their neighbours and the cones of their normals.
#pragma once

#include "geometry/outline.h"

// rad within which normals count as the same; corners turn by more (outline_from_path)
#define OUTLINE_SMOOTH 1e-9

// Is the unit vector u in the cone that opens counter-clockwise from one unit vector to another, or
// out of it by a small angle (rad) at the most? The cone may have more than 180 degrees.
static inline bool cone_contains(Vec2 from, Vec2 to, Vec2 u, double slack) {
    if (cross2(from, to) >= 0.0) {
        return cross2(from, u) >= -slack && cross2(u, to) >= -slack &&
               dot2(u, add2(from, to)) >= -4.0 * slack;
    }
    return !(cross2(to, u) > slack && cross2(u, from) > slack);
}

// Is u a normal of the part?
static inline bool part_has_normal(const OutlinePart* part, Vec2 u, double slack) {
    if (part->whole && part->kind != OUTLINE_STRAIGHT) {
        return true;
    }
    return part->kind == OUTLINE_HOLLOW ? cone_contains(part->to, part->from, u, slack)
                                        : cone_contains(part->from, part->to, u, slack);
}

static inline Vec2 part_along(const OutlinePart* part) { return left2(part->from); }

// The point of an arc at which it has a normal
static inline Vec2 arc_point(const OutlinePart* arc, Vec2 normal) {
    const double side = arc->kind == OUTLINE_HOLLOW ? -arc->radius : arc->radius;
    return add2(arc->at, scale2(side, normal));
}

static inline Vec2 part_begin(const OutlinePart* part) {
    return part->kind == OUTLINE_STRAIGHT ? part->at : arc_point(part, part->from);
}

static inline Vec2 part_end(const OutlinePart* part) {
    return part->kind == OUTLINE_STRAIGHT ? add2(part->at, scale2(part->length, part_along(part)))
                                          : arc_point(part, part->to);
}

// By what angle an arc turns left, rad; of hollow ones negative
static inline double arc_angle(const OutlinePart* arc) {
    const double turn = 6.283185307179586;
    const bool hollow = arc->kind == OUTLINE_HOLLOW;
    if (arc->whole) {
        return hollow ? -turn : turn;
    }
    const double angle = atan2(cross2(arc->from, arc->to), dot2(arc->from, arc->to));
    if (hollow) {
        return angle > 0.0 ? angle - turn : angle;
    }
    return angle < 0.0 ? angle + turn : angle;
}

static inline int part_after(const Outline* o, int i) { return i + 1 < o->n ? i + 1 : 0; }
static inline int part_before(const Outline* o, int i) { return i > 0 ? i - 1 : o->n - 1; }
static inline bool part_is_corner(const OutlinePart* part) {
    return part->kind == OUTLINE_ROUND && !(part->radius > 0.0);
}

// The distance of a point from a part that has ends, or is a whole circle
static inline double part_distance(const OutlinePart* part, Vec2 x) {
    const Vec2 d = sub2(x, part->at);
    if (part->kind == OUTLINE_STRAIGHT) {
        const double along = fmax(0.0, fmin(dot2(d, part_along(part)), part->length));
        return length2(sub2(d, scale2(along, part_along(part))));
    }
    const double distance = length2(d);
    const double side = part->kind == OUTLINE_HOLLOW ? -1.0 : 1.0;
    if (part->whole ||
        (distance > 0.0 && part_has_normal(part, scale2(side / distance, d), OUTLINE_SMOOTH))) {
        return fabs(distance - part->radius);
    }
    return fmin(length2(sub2(x, part_begin(part))), length2(sub2(x, part_end(part))));
}

// A circle around a part
typedef struct Around {
    Vec2 centre;
    double radius;
} Around;

static inline Around part_around(const OutlinePart* part) {
    if (part->kind == OUTLINE_STRAIGHT) {
        const double half = 0.5 * part->length;
        return (Around){add2(part->at, scale2(half, part_along(part))), half};
    }
    const double side = part->kind == OUTLINE_HOLLOW ? -1.0 : 1.0;
    if (part->whole || side * cross2(part->from, part->to) <= 0.0) {  // half a turn or more
        return (Around){part->at, part->radius};
    }
    const Vec2 p = part_begin(part), q = part_end(part);
    return (Around){scale2(0.5, add2(p, q)), 0.5 * length2(sub2(q, p))};
}

static inline bool arounds_meet(const Around* p, const Around* q, double slack) {
    const Vec2 d = sub2(p->centre, q->centre);
    const double far = p->radius + q->radius + slack;
    return dot2(d, d) <= far * far;
}
