// Outlines of arcs for smooth curves: between points of the curve two arcs each, which have its
// tangents at both ends and a common one where they meet (Bolton, Biarc curves, Computer-Aided
// Design 7, 1975). With v from end to end and the unit tangents t_0, t_1, the arcs meet in the
// middle between p_0 + d t_0 and p_1 - d t_1, where
//   |v|^2 - 2 d v . (t_0 + t_1) - 2 d^2 (1 - t_0 . t_1) = 0.
// Their distance from the curve is of third order in the length; what is left of it does not
// matter, because the features that are found with them are made exact (outline_smooth.c).
#include <stddef.h>

#include "geometry/outline_part.h"
#include "geometry/outline_smooth.h"

// Of the size of the outline: arcs as near as this to the curve will do ...
static const double FINE = 5e-5;
// ... and those that are farther away stand for something else.
static const double COARSE = 1e-4;
// rad: an arc that turns by less is straight. Smaller than the slack of normals in outline_pair.c.
static const double STRAIGHT = 2e-9;

// --- one piece ---

typedef struct Station {
    double s;
    Vec2 x, t;  // point and unit tangent
} Station;

static bool station_at(const SmoothCurve* smooth, double s, Station* station) {
    const SmoothPoint p = smooth_at(smooth, s);
    const double length = length2(p.d);
    *station = (Station){s, p.x, scale2(1.0 / length, p.d)};
    return isfinite(p.x.x) && isfinite(p.x.y) && isfinite(length) && length > 0.0;
}

// From p along the unit tangent t to q; *end is the tangent there
static OutlinePart arc_to(Vec2 p, Vec2 t, Vec2 q, Vec2* end) {
    const Vec2 chord = sub2(q, p);
    const double square = dot2(chord, chord);
    const double across = cross2(t, chord);
    if (fabs(across) <= 0.5 * STRAIGHT * sqrt(square)) {
        *end = t;
        const Vec2 n = right2(t);
        return (OutlinePart){
            .kind = OUTLINE_STRAIGHT, .at = p, .length = sqrt(square), .from = n, .to = n};
    }
    const double radius = 0.5 * square / across;  // > 0: turns left, bulges out
    *end = sub2(scale2(2.0 * dot2(t, chord) / square, chord), t);
    return (OutlinePart){.kind = radius > 0.0 ? OUTLINE_ROUND : OUTLINE_HOLLOW,
                         .at = add2(p, scale2(radius, left2(t))),
                         .radius = fabs(radius),
                         .from = right2(t),
                         .to = right2(*end)};
}

static void make_two(const Station* a, const Station* b, OutlinePart parts[2], double* middle) {
    const Vec2 v = sub2(b->x, a->x);
    const double along = dot2(v, add2(a->t, b->t));
    const double square = dot2(v, v);
    const double bend = 2.0 * (1.0 - dot2(a->t, b->t));
    const double d = square / (along + sqrt(along * along + bend * square));
    const Vec2 joint = scale2(0.5, add2(add2(a->x, scale2(d, a->t)), sub2(b->x, scale2(d, b->t))));
    Vec2 tangent, end;
    parts[0] = arc_to(a->x, a->t, joint, &tangent);
    parts[1] = arc_to(joint, tangent, b->x, &end);
    const double first = length2(sub2(joint, a->x)), second = length2(sub2(b->x, joint));
    *middle = a->s + (b->s - a->s) * first / (first + second);
}

static double away_from(const OutlinePart* part, Vec2 x) {
    const Vec2 d = sub2(x, part->at);
    return part->kind == OUTLINE_STRAIGHT ? fabs(dot2(part->from, d))
                                          : fabs(length2(d) - part->radius);
}

// How far the curve is from two arcs between their ends; INFINITY where it is not finite
static double error_of(const SmoothCurve* smooth, const Station* a, const Station* b,
                       const OutlinePart parts[2]) {
    enum { PIECES = 4 };
    double most = 0.0;
    for (int i = 1; i < PIECES; i++) {
        Station between;
        if (!station_at(smooth, a->s + (b->s - a->s) * i / PIECES, &between)) {
            return INFINITY;
        }
        most = fmax(most, fmin(away_from(&parts[0], between.x), away_from(&parts[1], between.x)));
    }
    return most;
}

// --- all pieces ---

// 2 n arcs from s_0 to s_1, and how far the curve is from them at the most; INFINITY where it is
// not finite. They end at the same place as they begin where the curve does.
static double make_arcs(const SmoothCurve* smooth, double s_0, double s_1, int n,
                        OutlinePart* parts, double* stations) {
    Station a, b;
    double most = 0.0;
    if (!station_at(smooth, s_0, &a)) {
        return INFINITY;
    }
    const Station first = a;
    for (int i = 0; i < n; i++) {
        const bool closes = smooth->period > 0.0 && i == n - 1;
        if (!station_at(smooth, s_0 + (s_1 - s_0) * (i + 1) / n, &b)) {
            return INFINITY;
        }
        if (closes) {
            b = first;
            b.s = s_1;
        }
        stations[2 * i] = a.s;
        make_two(&a, &b, parts + 2 * i, &stations[2 * i + 1]);
        most = fmax(most, error_of(smooth, &a, &b, parts + 2 * i));
        a = b;
    }
    stations[2 * n] = s_1;
    return most;
}

// The circle around the points at which parts begin, and as much more as parts can bulge between
static void enclose(Outline* o) {
    Vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    double longest = 0.0, reach = 0.0;
    for (int i = 0; i < o->n; i++) {
        const Vec2 x = part_begin(&o->parts[i]);
        low = (Vec2){fmin(low.x, x.x), fmin(low.y, x.y)};
        high = (Vec2){fmax(high.x, x.x), fmax(high.y, x.y)};
        longest = fmax(longest, length2(sub2(part_end(&o->parts[i]), x)));
    }
    o->centre = scale2(0.5, add2(low, high));
    for (int i = 0; i < o->n; i++) {
        reach = fmax(reach, length2(sub2(part_begin(&o->parts[i]), o->centre)));
    }
    o->reach = reach + 0.25 * longest;
}

static bool is_convex(const Outline* o) {
    bool convex = true;
    for (int i = 0; i < o->n; i++) {
        convex = convex && o->parts[i].kind != OUTLINE_HOLLOW;
    }
    return convex;
}

const char* outline_from_smooth(const SmoothCurve* smooth, OutlinePart* parts, double* stations,
                                Outline* outline) {
    enum { LEAST = 32, MOST = OUTLINE_SMOOTH_PARTS / 2 };
    double error = INFINITY;
    *outline = (Outline){0};
    for (int n = LEAST; n <= MOST && !(error <= FINE * outline->reach); n *= 2) {
        error = make_arcs(smooth, 0.0, smooth->period, n, parts, stations);
        if (!isfinite(error)) {
            return "its function is not finite at every angle";
        }
        *outline = (Outline){.parts = parts,
                             .n = 2 * n,
                             .closed = true,
                             .smooth = smooth,
                             .stations = stations,
                             .n_stations = 2 * n + 1};
        enclose(outline);
    }
    outline->convex = is_convex(outline);
    return error <= COARSE * outline->reach
               ? NULL
               : "its function has a kink, or changes too quickly, for a smooth profile";
}

// --- windows ---

static OutlinePart wall(Vec2 from, Vec2 to) {
    const Vec2 along = sub2(to, from);
    const double length = length2(along);
    const Vec2 n = right2(scale2(1.0 / length, along));
    return (OutlinePart){
        .kind = OUTLINE_STRAIGHT, .at = from, .length = length, .from = n, .to = n};
}

// Down at the end of the curve, back below it and up to where it begins, with corners between
static void close_window(const SmoothCurve* smooth, double depth, Outline* o) {
    const Vec2 end = part_end(&o->parts[o->n - 1]), begin = part_begin(&o->parts[0]);
    const Vec2 down = scale2(-1.0, left2(smooth->e_x));
    const double low = fmax(dot2(down, end), dot2(down, begin)) + depth;
    const Vec2 below_end = add2(end, scale2(low - dot2(down, end), down));
    const Vec2 below_begin = add2(begin, scale2(low - dot2(down, begin), down));
    const Vec2 corners[5] = {end, below_end, below_begin, begin};
    Vec2 normal = o->parts[o->n - 1].to;
    for (int i = 0; i < 4; i++) {
        const bool last = i == 3;
        const OutlinePart next = last ? o->parts[0] : wall(corners[i], corners[i + 1]);
        o->parts[o->n++] =
            (OutlinePart){.kind = OUTLINE_ROUND, .at = corners[i], .from = normal, .to = next.from};
        if (!last) {
            o->parts[o->n++] = next;
            normal = next.to;
        }
    }
}

// The parameter is minus the curve's own x, so that the solid below is on the left.
bool outline_window_make(const SmoothCurve* smooth, Vec2 centre, double reach, double margin,
                         OutlineWindow* window) {
    static const double WIDER = 1.1;
    enum { LEAST = OUTLINE_WINDOW_ARCS / 16, MOST = OUTLINE_WINDOW_ARCS / 2 };
    const Vec2 d = sub2(centre, smooth->origin);
    const double s = -dot2(smooth->e_x, d);
    const SmoothPoint below = smooth_at(smooth, s);
    const double near = WIDER * (reach + margin) + 1e-9;
    // what is nearest is not farther away than what is below
    const double height = fabs(dot2(left2(smooth->e_x), sub2(centre, below.x)));
    double half = near + WIDER * fmax(height - margin, 0.0);
    double error = INFINITY;
    int n = LEAST;
    for (; n <= MOST && !(error <= FINE * near); n *= 2) {
        error = make_arcs(smooth, s - half, s + half, n, window->parts, window->stations);
        if (!isfinite(error) && half > near) {
            half = near;  // beyond what can touch, the curve may end
            n = LEAST / 2;
        } else if (!isfinite(error)) {
            return false;
        }
    }
    n /= 2;
    window->outline = (Outline){.parts = window->parts,
                                .n = 2 * n,
                                .closed = true,
                                .smooth = smooth,
                                .stations = window->stations,
                                .n_stations = 2 * n + 1};
    close_window(smooth, 4.0 * (half + reach), &window->outline);
    enclose(&window->outline);
    return true;
}
