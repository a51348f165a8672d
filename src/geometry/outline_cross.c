// Two parts meet where their lines or circles do, within the extents of both, or where an end of
// one lies on the other (which is all there is if they lie on one line or circle). Parts that
// follow each other join at an end. Near this end they are closer than the tolerance over a length
// that is largest for a smooth joint of an arc of radius R: x^2 / 2R is smaller than the tolerance
// for x up to sqrt(2 R tolerance). There they are not looked at.
#include "geometry/outline_cross.h"

#include "geometry/outline_part.h"

enum { MOST_POINTS = 6 };  // two of lines and circles, four ends

typedef struct Points {
    int n;
    Vec2 x[MOST_POINTS];
} Points;

static void points_add(Points* points, Vec2 x) { points->x[points->n++] = x; }

static void add_line_line(const OutlinePart* p, const OutlinePart* q, Points* points) {
    const Vec2 t = part_along(p);
    const double slope = dot2(q->from, t);
    if (slope != 0.0) {
        points_add(points, add2(p->at, scale2(dot2(q->from, sub2(q->at, p->at)) / slope, t)));
    }
}

// The points at both sides of a foot, by the square of half their distance
static void add_both(Vec2 foot, Vec2 along, double square, double radius, double tolerance,
                     Points* points) {
    if (square < -2.0 * radius * tolerance) {
        return;
    }
    const double half = sqrt(fmax(square, 0.0));
    points_add(points, sub2(foot, scale2(half, along)));
    points_add(points, add2(foot, scale2(half, along)));
}

static void add_line_arc(const OutlinePart* line, const OutlinePart* arc, double tolerance,
                         Points* points) {
    const double distance = dot2(line->from, sub2(arc->at, line->at));
    const Vec2 foot = sub2(arc->at, scale2(distance, line->from));
    const double square = (arc->radius - distance) * (arc->radius + distance);
    add_both(foot, part_along(line), square, arc->radius, tolerance, points);
}

static void add_arc_arc(const OutlinePart* p, const OutlinePart* q, double tolerance,
                        Points* points) {
    const Vec2 d = sub2(q->at, p->at);
    const double distance = length2(d);
    if (distance <= tolerance) {
        return;
    }
    const Vec2 e = scale2(1.0 / distance, d);
    const double along =
        0.5 * (distance + (p->radius - q->radius) * (p->radius + q->radius) / distance);
    const double square = (p->radius - along) * (p->radius + along);
    add_both(add2(p->at, scale2(along, e)), left2(e), square, p->radius, tolerance, points);
}

// Where their lines or circles meet: two at the most
static void add_meeting(const OutlinePart* p, const OutlinePart* q, double tolerance,
                        Points* points) {
    const bool straight_p = p->kind == OUTLINE_STRAIGHT, straight_q = q->kind == OUTLINE_STRAIGHT;
    if (straight_p && straight_q) {
        add_line_line(p, q, points);
    } else if (straight_p) {
        add_line_arc(p, q, tolerance, points);
    } else if (straight_q) {
        add_line_arc(q, p, tolerance, points);
    } else {
        add_arc_arc(p, q, tolerance, points);
    }
}

static bool is_on(const OutlinePart* part, Vec2 x, double tolerance) {
    const Vec2 d = sub2(x, part->at);
    if (part->kind == OUTLINE_STRAIGHT) {
        const double along = dot2(part_along(part), d);
        return fabs(dot2(part->from, d)) <= tolerance && along >= -tolerance &&
               along <= part->length + tolerance;
    }
    const double distance = length2(d);
    if (!(fabs(distance - part->radius) <= tolerance)) {
        return false;
    }
    const double side = part->kind == OUTLINE_HOLLOW ? -1.0 : 1.0;
    return part_has_normal(part, scale2(side / distance, d), tolerance / part->radius);
}

static bool is_near(Vec2 x, Vec2 y, double distance) { return length2(sub2(x, y)) <= distance; }

// joined: p ends where q begins; closed: q ends where p begins
static bool meet(const OutlinePart* p, const OutlinePart* q, bool joined, bool closed,
                 double tolerance) {
    Points points = {0};
    add_meeting(p, q, tolerance, &points);
    const Vec2 ends[4] = {part_begin(p), part_end(p), part_begin(q), part_end(q)};
    for (int i = 0; i < 4; i++) {
        points_add(&points, ends[i]);
    }
    // the radius of a straight part is 0
    const double joint = tolerance + 4.0 * sqrt(tolerance * fmax(p->radius, q->radius));
    for (int i = 0; i < points.n; i++) {
        const Vec2 x = points.x[i];
        if ((joined && is_near(x, ends[1], joint)) || (closed && is_near(x, ends[0], joint))) {
            continue;
        }
        if (is_on(p, x, tolerance) && is_on(q, x, tolerance)) {
            return true;
        }
    }
    return false;
}

int outline_parts_meet(const OutlinePart* p, const OutlinePart* q, double tolerance, Vec2 x[2]) {
    Points points = {0};
    add_meeting(p, q, tolerance, &points);
    int n = 0;
    for (int i = 0; i < points.n; i++) {
        if (is_on(p, points.x[i], tolerance) && is_on(q, points.x[i], tolerance)) {
            x[n++] = points.x[i];
        }
    }
    return n;
}

bool outline_crosses_itself(int n, const OutlinePart* parts, double tolerance) {
    for (int i = 0; i < n; i++) {
        const Around p = part_around(&parts[i]);
        for (int j = i + 1; j < n; j++) {
            const Around q = part_around(&parts[j]);
            if (!arounds_meet(&p, &q, 2.0 * tolerance)) {
                continue;
            }
            const bool joined = j == i + 1, closed = i == 0 && j == n - 1;
            if (meet(&parts[i], &parts[j], joined, closed, tolerance)) {
                return true;
            }
        }
    }
    return false;
}
