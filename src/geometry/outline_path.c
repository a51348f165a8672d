// The outline of a path of straight steps and arcs.
//
// A path that goes clockwise (by the area of the polygon of its points and of the segments of
// circles over the polygon's sides) is walked backwards, with arcs that turn the other way. Steps
// that go on smoothly on the same line or circle become one part; where a path turns, a corner
// stands between two parts. A turn to the left is an outward corner, to the right an inward one. A
// path that turns back, by 180 degrees, along arcs whose curvatures (> 0 to the left) are k_1 and
// k_2, has the solid between the arcs, at the tip of a spike, if k_1 + k_2 < 0: a distance s from
// the tip they are s^2 (k_1 + k_2)/2 apart.
#include "geometry/outline.h"

#include "geometry/outline_cross.h"
#include "geometry/outline_part.h"

#include <stddef.h>

// Of the size of the path: what counts as no length, and of its square: as no area
static const double NO_LENGTH = 1e-10;
static const double NO_AREA = 1e-12;

typedef struct Path {
    int n;
    const OutlineStep* steps;
    bool backwards;
    double size;
} Path;

// One step in the sense in which it is walked
typedef struct Walk {
    Vec2 from, to;
    double bulge;
    bool large;
} Walk;

static Walk path_walk(const Path* path, int k) {
    const int n = path->n;
    const int at = path->backwards ? n - 1 - k : k;
    const OutlineStep* step = &path->steps[at];
    const Vec2 before = path->steps[at > 0 ? at - 1 : n - 1].to;
    if (path->backwards) {
        return (Walk){step->to, before, -step->bulge, step->large};
    }
    return (Walk){before, step->to, step->bulge, step->large};
}

static OutlinePart arc_of_walk(const Walk* w) {
    const Vec2 chord = sub2(w->to, w->from);
    const double length = length2(chord);
    const double radius = fmax(fabs(w->bulge), 0.5 * length);
    const double height = sqrt((radius - 0.5 * length) * (radius + 0.5 * length));
    const double side = (w->bulge > 0.0) != w->large ? height : -height;  // of the centre: left
    const Vec2 middle = add2(w->from, scale2(0.5, chord));
    OutlinePart part = {.kind = w->bulge > 0.0 ? OUTLINE_ROUND : OUTLINE_HOLLOW,
                        .at = add2(middle, scale2(side / length, left2(chord))),
                        .radius = radius};
    const double sign = w->bulge > 0.0 ? 1.0 : -1.0;
    const Vec2 p = sub2(w->from, part.at), q = sub2(w->to, part.at);
    part.from = scale2(sign / length2(p), p);
    part.to = scale2(sign / length2(q), q);
    return part;
}

static OutlinePart part_of_walk(const Walk* w) {
    if (w->bulge != 0.0) {
        return arc_of_walk(w);
    }
    const Vec2 chord = sub2(w->to, w->from);
    const double length = length2(chord);
    const Vec2 normal = right2(scale2(1.0 / length, chord));
    return (OutlinePart){
        .kind = OUTLINE_STRAIGHT, .at = w->from, .length = length, .from = normal, .to = normal};
}

// --- errors ---

static const char* step_error(const Walk* w, double size) {
    const double length = length2(sub2(w->to, w->from));
    if (!isfinite(length + size) || !isfinite(w->bulge)) {
        return "a number of the path is not finite";
    }
    if (!(length > NO_LENGTH * size)) {
        return "a step of the path has no length";
    }
    if (w->bulge != 0.0 && fabs(w->bulge) < 0.5 * length * (1.0 - OUTLINE_SMOOTH)) {
        return "the radius of an arc is too small for its ends";
    }
    return NULL;
}

static const char* path_error(const Path* path) {
    for (int k = 0; k < path->n; k++) {
        const Walk w = path_walk(path, k);
        const char* error = step_error(&w, path->size);
        if (error) {
            return error;
        }
    }
    return NULL;
}

static double path_size(int n, const OutlineStep* steps) {
    double size = 0.0;
    for (int k = 1; k < n; k++) {
        size = fmax(size, length2(sub2(steps[k].to, steps[0].to)));
    }
    return size;
}

static double path_area(const Path* path) {
    const Vec2 origin = path->steps[0].to;
    double area = 0.0;
    for (int k = 0; k < path->n; k++) {
        const Walk w = path_walk(path, k);
        area += 0.5 * cross2(sub2(w.from, origin), sub2(w.to, origin));
        if (w.bulge != 0.0) {
            const OutlinePart arc = arc_of_walk(&w);
            const double angle = arc_angle(&arc);
            area += 0.5 * arc.radius * arc.radius * (angle - sin(angle));
        }
    }
    return area;
}

// --- parts ---

static bool is_smooth(const OutlinePart* p, const OutlinePart* q) {
    return fabs(cross2(p->to, q->from)) <= OUTLINE_SMOOTH && dot2(p->to, q->from) > 0.0;
}

// Do two parts that follow each other lie on one line, or on one circle?
static bool is_one(const OutlinePart* p, const OutlinePart* q) {
    if (p->kind != q->kind || !is_smooth(p, q)) {
        return false;
    }
    return p->kind == OUTLINE_STRAIGHT ||
           (fabs(p->radius - q->radius) <= OUTLINE_SMOOTH * p->radius &&
            length2(sub2(p->at, q->at)) <= OUTLINE_SMOOTH * p->radius);
}

static double curvature(const OutlinePart* part) {
    if (part->kind == OUTLINE_STRAIGHT) {
        return 0.0;
    }
    return part->kind == OUTLINE_ROUND ? 1.0 / part->radius : -1.0 / part->radius;
}

static OutlinePart corner_between(const OutlinePart* p, const OutlinePart* q) {
    const double turn = cross2(p->to, q->from);
    const bool back = fabs(turn) <= OUTLINE_SMOOTH;
    return (OutlinePart){.kind = OUTLINE_ROUND,
                         .at = part_begin(q),
                         .from = p->to,
                         .to = q->from,
                         .inward = back ? curvature(p) + curvature(q) >= 0.0 : turn < 0.0};
}

// Makes p longer by q, which goes on on the same line or circle to a point.
static void extend(OutlinePart* p, const OutlinePart* q, Vec2 end) {
    if (p->kind == OUTLINE_STRAIGHT) {
        const Vec2 along = sub2(end, p->at);
        p->length = length2(along);
        p->from = p->to = right2(scale2(1.0 / p->length, along));
    } else {
        p->to = q->to;
    }
}

// The first step that does not go on with the one before on one line or circle; -1: a whole circle.
static int first_step(const Path* path) {
    for (int k = 0; k < path->n; k++) {
        const Walk w = path_walk(path, k), before = path_walk(path, k > 0 ? k - 1 : path->n - 1);
        const OutlinePart p = part_of_walk(&before), q = part_of_walk(&w);
        if (!is_one(&p, &q)) {
            return k;
        }
    }
    return -1;
}

// How many parts there are, without corners
static int make_parts(const Path* path, int first, OutlinePart* parts) {
    int n = 0;
    for (int i = 0; i < path->n; i++) {
        const Walk w = path_walk(path, (first + i) % path->n);
        const OutlinePart part = part_of_walk(&w);
        if (n > 0 && is_one(&parts[n - 1], &part)) {
            extend(&parts[n - 1], &part, w.to);
        } else {
            parts[n++] = part;
        }
    }
    return n;
}

// Puts corners between n parts, from behind, for none to be overwritten before it is read: how many
// parts there are then.
static int insert_corners(int n, OutlinePart* parts) {
    int corners = 0;
    for (int i = 0; i < n; i++) {
        corners += !is_smooth(&parts[i], &parts[(i + 1) % n]);
    }
    const OutlinePart first = parts[0];
    int to = n + corners;
    OutlinePart next = first;
    for (int i = n - 1; i >= 0; i--) {
        const OutlinePart part = parts[i];
        if (!is_smooth(&part, &next)) {
            parts[--to] = corner_between(&part, &next);
        }
        parts[--to] = part;
        next = part;
    }
    return n + corners;
}

static void measure(Outline* o) {
    const double right = outline_support(o, (Vec2){1.0, 0.0});
    const double left = -outline_support(o, (Vec2){-1.0, 0.0});
    const double top = outline_support(o, (Vec2){0.0, 1.0});
    const double bottom = -outline_support(o, (Vec2){0.0, -1.0});
    o->centre = (Vec2){0.5 * (left + right), 0.5 * (bottom + top)};
    o->convex = true;
    for (int i = 0; i < o->n; i++) {
        const OutlinePart* part = &o->parts[i];
        o->convex = o->convex && part->kind != OUTLINE_HOLLOW && !part->inward;
        o->reach = fmax(o->reach, length2(sub2(part_begin(part), o->centre)));
        const Vec2 d = sub2(part->at, o->centre);
        const double distance = length2(d);
        if (part->kind == OUTLINE_ROUND && distance > 0.0 &&
            part_has_normal(part, scale2(1.0 / distance, d), 0.0)) {
            o->reach = fmax(o->reach, distance + part->radius);
        }
    }
    o->reach *= 1.0 + 1e-12;  // rounding
}

const char* outline_from_path(int n_steps, const OutlineStep* steps, OutlinePart* parts,
                              Outline* outline) {
    if (n_steps < 2) {
        return "a path has two steps at least";
    }
    Path path = {.n = n_steps, .steps = steps, .size = path_size(n_steps, steps)};
    const char* error = path_error(&path);
    if (error) {
        return error;
    }
    const double area = path_area(&path);
    path.backwards = area < 0.0;
    const int first = first_step(&path);
    const int n = make_parts(&path, first < 0 ? 0 : first, parts);
    if (first >= 0 && outline_crosses_itself(n, parts, NO_LENGTH * path.size)) {
        return "the path crosses or touches itself";
    }
    if (!(fabs(area) > NO_AREA * path.size * path.size)) {
        return "the path encloses no area";
    }
    *outline = (Outline){.parts = parts, .n = n, .closed = true};
    if (first < 0) {
        outline_circle(parts[0].at, parts[0].radius, parts, outline);
        return NULL;
    }
    outline->n = insert_corners(n, parts);
    measure(outline);
    return NULL;
}
