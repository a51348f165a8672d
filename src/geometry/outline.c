// Outlines other than paths, and what they are asked: support, inside, moments.
//
// Inside: the points at which parts begin are the corners of a polygon; between its sides and the
// arcs lie segments of circles. A point is inside if the polygon and the segments contain it an odd
// number of times altogether. A part ends where the next one begins, with the same bits, and which
// side of a chord a point is on is decided once for both, so that no point falls between them. A
// point on a line counts as the one a little above it (and, of a vertical line, to its right).
//
// Moments: by Green's theorem every straight piece from p to q adds the triangle (0, p, q): with
// k = p x q the area k/2, the first moment k (p + q)/6, the polar one k (p.p + p.q + q.q)/12. An
// arc about c from p to q adds the triangles (0, p, c), (0, c, q) and its sector, which has about c
// with the angle f the area R^2 f/2, the first moment R^3/3 (d_q - d_p turned right), where d are
// the directions of p and q from c, and the polar moment R^4 f/4.
#include "geometry/outline.h"

#include <stddef.h>

#include "geometry/outline_part.h"

// --- making ---

static const Vec2 E_X = {1.0, 0.0};

static OutlinePart arc_part(OutlinePartKind kind, Vec2 centre, double radius, Vec2 from, Vec2 to) {
    return (OutlinePart){.kind = kind, .at = centre, .radius = radius, .from = from, .to = to};
}

static OutlinePart whole_part(OutlinePartKind kind, Vec2 centre, double radius) {
    OutlinePart part = arc_part(kind, centre, radius, E_X, E_X);
    part.whole = true;
    return part;
}

static OutlinePart straight_part(Vec2 at, Vec2 normal, double length) {
    return (OutlinePart){
        .kind = OUTLINE_STRAIGHT, .at = at, .length = length, .from = normal, .to = normal};
}

void outline_point(Vec2 at, OutlinePart parts[1], Outline* outline) {
    parts[0] = whole_part(OUTLINE_ROUND, at, 0.0);
    *outline = (Outline){.parts = parts, .n = 1, .convex = true, .centre = at};
}

void outline_circle(Vec2 centre, double radius, OutlinePart parts[1], Outline* outline) {
    parts[0] = whole_part(OUTLINE_ROUND, centre, radius);
    *outline = (Outline){
        .parts = parts, .n = 1, .closed = true, .convex = true, .centre = centre, .reach = radius};
}

void outline_ring(Vec2 centre, double radius, OutlinePart parts[1], Outline* outline) {
    parts[0] = whole_part(OUTLINE_HOLLOW, centre, radius);
    *outline = (Outline){.parts = parts, .n = 1, .infinite = true, .centre = centre};
}

void outline_line(Vec2 at, Vec2 normal, OutlinePart parts[1], Outline* outline) {
    parts[0] = straight_part(at, scale2(1.0 / length2(normal), normal), 0.0);
    parts[0].whole = true;
    *outline = (Outline){.parts = parts, .n = 1, .infinite = true, .centre = at};
}

bool outline_segment(Vec2 a, Vec2 b, double thickness, OutlinePart parts[4], Outline* outline) {
    const Vec2 along = sub2(b, a);
    const double length = length2(along);
    if (!(length > 0.0)) {
        return false;
    }
    const double half = 0.5 * thickness;
    const Vec2 n = right2(scale2(1.0 / length, along));
    const Vec2 m = scale2(-1.0, n);
    parts[0] = straight_part(add2(a, scale2(half, n)), n, length);
    parts[1] = arc_part(OUTLINE_ROUND, b, half, n, m);
    parts[2] = straight_part(add2(b, scale2(half, m)), m, length);
    parts[3] = arc_part(OUTLINE_ROUND, a, half, m, n);
    *outline = (Outline){.parts = parts,
                         .n = 4,
                         .closed = half > 0.0,
                         .convex = true,
                         .centre = scale2(0.5, add2(a, b)),
                         .reach = 0.5 * length + half};
    return true;
}

void outline_arc(Vec2 centre, double radius, double from, double to, double thickness,
                 OutlinePart parts[4], Outline* outline) {
    const double half = 0.5 * thickness;
    *outline = (Outline){.parts = parts, .closed = true, .centre = centre, .reach = radius + half};
    if (to - from >= 6.283185307179586 - OUTLINE_SMOOTH) {
        parts[0] = whole_part(OUTLINE_ROUND, centre, radius + half);
        parts[1] = whole_part(OUTLINE_HOLLOW, centre, radius - half);
        outline->n = 2;
        return;
    }
    const Vec2 e = {cos(from), sin(from)}, f = {cos(to), sin(to)};
    const Vec2 minus_e = scale2(-1.0, e), minus_f = scale2(-1.0, f);
    parts[0] = arc_part(OUTLINE_ROUND, centre, radius + half, e, f);
    parts[1] = arc_part(OUTLINE_ROUND, add2(centre, scale2(radius, f)), half, f, minus_f);
    parts[2] = arc_part(OUTLINE_HOLLOW, centre, radius - half, minus_f, minus_e);
    parts[3] = arc_part(OUTLINE_ROUND, add2(centre, scale2(radius, e)), half, minus_e, e);
    outline->n = 4;
}

// --- support ---

static double part_support(const OutlinePart* part, Vec2 d) {
    if (part->kind == OUTLINE_ROUND && part_has_normal(part, d, 0.0)) {
        return dot2(part->at, d) + part->radius;
    }
    return fmax(dot2(part_begin(part), d), dot2(part_end(part), d));
}

double outline_support(const Outline* outline, Vec2 d) {
    if (outline->infinite) {
        return INFINITY;
    }
    double most = -INFINITY;
    for (int i = 0; i < outline->n; i++) {
        most = fmax(most, part_support(&outline->parts[i], d));
    }
    return most;
}

// --- inside ---

// Is x to the right of the line from p to q?
static bool is_right_of(Vec2 p, Vec2 q, Vec2 x) {
    const Vec2 along = sub2(q, p);
    double left = cross2(along, sub2(x, p));
    if (left == 0.0) {
        left = along.x != 0.0 ? along.x : -along.y;
    }
    return left < 0.0;
}

// Does the ray from x along the x axis cross the chord from p to q, and is x between chord and arc?
static bool is_crossed(const OutlinePart* part, Vec2 p, Vec2 q, Vec2 x) {
    const bool right = is_right_of(p, q, x);
    bool crossed = false;
    if ((p.y > x.y) != (q.y > x.y)) {
        crossed = q.y > p.y ? !right : right;
    }
    if (part->kind == OUTLINE_STRAIGHT || right != (part->kind == OUTLINE_ROUND)) {
        return crossed;
    }
    const Vec2 d = sub2(x, part->at);
    return crossed != (dot2(d, d) < part->radius * part->radius);
}

bool outline_contains(const Outline* outline, Vec2 x) {
    if (!outline->closed) {
        return false;
    }
    bool inside = false;
    Vec2 p = part_begin(&outline->parts[0]);
    for (int i = 0; i < outline->n; i++) {
        const OutlinePart* part = &outline->parts[i];
        if (part->whole) {
            const Vec2 d = sub2(x, part->at);
            inside ^= dot2(d, d) < part->radius * part->radius;
            continue;
        }
        const Vec2 q = part_begin(&outline->parts[part_after(outline, i)]);
        if (!part_is_corner(part)) {
            inside ^= is_crossed(part, p, q, x);
        }
        p = q;
    }
    return inside;
}

// --- moments ---

// About the origin
typedef struct RawMoments {
    double area;
    Vec2 first;
    double polar;
} RawMoments;

static void add_triangle(Vec2 p, Vec2 q, RawMoments* m) {
    const double k = cross2(p, q);
    m->area += k / 2.0;
    m->first = add2(m->first, scale2(k / 6.0, add2(p, q)));
    m->polar += k * (dot2(p, p) + dot2(p, q) + dot2(q, q)) / 12.0;
}

static void add_sector(Vec2 c, double radius, double angle, Vec2 turn, RawMoments* m) {
    const double square = radius * radius;
    const double area = square * angle / 2.0;
    const Vec2 first = scale2(square * radius / 3.0, right2(turn));
    m->area += area;
    m->first = add2(m->first, add2(scale2(area, c), first));
    m->polar += square * square * angle / 4.0 + 2.0 * dot2(c, first) + dot2(c, c) * area;
}

static void add_part(const OutlinePart* part, Vec2 origin, Vec2 p, Vec2 q, RawMoments* m) {
    if (part->kind == OUTLINE_STRAIGHT) {
        add_triangle(p, q, m);
        return;
    }
    const Vec2 c = sub2(part->at, origin);
    const double side = part->kind == OUTLINE_HOLLOW ? -1.0 : 1.0;
    if (!part->whole) {
        add_triangle(p, c, m);
        add_triangle(c, q, m);
    }
    add_sector(c, part->radius, arc_angle(part), scale2(side, sub2(part->to, part->from)), m);
}

OutlineMoments outline_moments(const Outline* outline) {
    if (outline->smooth != NULL) {
        return outline->smooth->moments;
    }
    RawMoments m = {0};
    const Vec2 origin = outline->centre;
    for (int i = 0; i < outline->n; i++) {
        const OutlinePart* next = &outline->parts[part_after(outline, i)];
        const OutlinePart* part = &outline->parts[i];
        add_part(part, origin, sub2(part_begin(part), origin), sub2(part_begin(next), origin), &m);
    }
    if (!(m.area > 0.0)) {
        return (OutlineMoments){.centre = origin};
    }
    const Vec2 arm = scale2(1.0 / m.area, m.first);
    return (OutlineMoments){m.area, add2(origin, arm), m.polar - m.area * dot2(arm, arm)};
}
