// Features of smooth curves from those of the arcs that stand for them. Each is a pair of parts of
// which one at least is an arc of a curve: the point at which they touch is where Newton's method
// begins (touch_solve). A circle, from outside or inside, and a corner are points with a radius, a
// straight part is a line, and both are the affair of the kernel that knows the curve itself. Where
// both sides are about as curved as each other no place is nearer than all around it: if nothing
// else is found, the place that the arcs have told is taken, with its normal.
#include "geometry/outline_smooth.h"

#include <stddef.h>

#include "geometry/outline_pair.h"
#include "geometry/outline_part.h"

// One of the two outlines with the part of it that a feature is of
typedef struct Side {
    const Outline* outline;
    const Placement* place;
    int part;
} Side;

static bool is_curve(const Side* side) {
    return side->outline->smooth != NULL && side->part < side->outline->n_stations - 1;
}

// A wall that closes a window is no part of the curve.
static bool is_wall(const Side* side) { return side->outline->smooth != NULL && !is_curve(side); }

static Vec2 in_plane(Vec3 x) { return (Vec2){x.x, x.y}; }
static Vec3 in_space(Vec2 x) { return (Vec3){x.x, x.y, 0.0}; }

static Vec3 world_point(const Placement* place, Vec3 x) {
    return add3(place->r, turn3(place->R, x));
}

// The point at which the first side of a feature of arcs touches, in the world
static Vec3 touching_point(const Feature* f, const Placement* first, const Placement* second) {
    const Vec3 c = world_point(first, f->sides[0].at);
    return sub3(c, scale3(f->sides[0].radius, feature_normal(f, first, second)));
}

// The parameter of a curve's part near a point of the world
static double parameter_near(const Side* side, Vec3 x) {
    const OutlinePart* part = &side->outline->parts[side->part];
    const double* s = side->outline->stations + side->part;
    const Vec2 begin = part_begin(part), chord = sub2(part_end(part), begin);
    const Vec3 own = turn_back3(side->place->R, sub3(x, side->place->r));
    const double share = dot2(sub2(in_plane(own), begin), chord) / dot2(chord, chord);
    return s[0] + (s[1] - s[0]) * fmax(0.0, fmin(share, 1.0));
}

static FeatureCurve curve_of(const Side* side, Vec3 x) {
    static const double SPAN = 0.25;  // of what the arcs stand for
    const double* stations = side->outline->stations;
    const double whole = stations[side->outline->n_stations - 1] - stations[0];
    return (FeatureCurve){
        .smooth = side->outline->smooth, .s = parameter_near(side, x), .span = SPAN * whole};
}

// A part that is no curve: a point with a radius, below 0 if it is hollow, or a line
static FeatureSide plain_side(const Side* side) {
    const OutlinePart* part = &side->outline->parts[side->part];
    const double sign = part->kind == OUTLINE_HOLLOW ? -1.0 : 1.0;
    if (part->kind == OUTLINE_STRAIGHT) {
        return (FeatureSide){.at = in_space(part->at), .axis = in_space(part->from)};
    }
    return (FeatureSide){.at = in_space(part->at), .radius = sign * part->radius};
}

// The place of a side for the key of a feature
static long long place_of(const Side* side, const FeatureSide* taken) {
    static const double METRES = 1e-2;  // curves without end have longer steps
    const long long all = (1LL << FEATURE_PLACE_BITS) - 1;
    if (!is_curve(side)) {
        return side->part;
    }
    const double s = taken->curve.s;
    const double period = side->outline->smooth->period;
    if (period > 0.0) {
        return (long long)((s - period * floor(s / period)) / FEATURE_PLACE);
    }
    return (long long)(s * METRES / FEATURE_PLACE) & all;
}

// 1/m, > 0 where it bulges out
static double curvature_of(const SmoothPoint* p) {
    const double length = length2(p->d);
    return cross2(p->d, p->dd) / (length * length * length);
}

// The feature of curves that a feature of arcs is near, without its gap: a circle is a point with a
// radius, which is the first side.
static Feature start_smooth(const Side sides[2], const Feature* f) {
    const Side *first = &sides[f->swapped], *second = &sides[!f->swapped];
    const Vec3 x = touching_point(f, first->place, second->place);
    const bool line = second->outline->parts[second->part].kind == OUTLINE_STRAIGHT;
    const bool turned = !is_curve(second) && !line;
    Feature taken = {.kind = FEATURE_SMOOTH, .swapped = f->swapped != turned};
    for (int i = 0; i < 2; i++) {
        const Side* side = &sides[(i == 0) == taken.swapped];
        taken.curved[i] = is_curve(side);
        if (taken.curved[i]) {
            taken.sides[i].curve = curve_of(side, x);
        } else {
            taken.sides[i] = plain_side(side);
        }
    }
    return taken;
}

// Is the place at which two sides face each other nearer than all around it? Where a ball lies
// beyond the centre of curvature of its foot, it is the farthest.
static bool is_nearest(const Feature* f, const TouchSide touch[2], const double s[2]) {
    const SmoothPoint a = touch_point(&touch[0], false, s[0]);
    const SmoothPoint b = touch_point(&touch[1], true, s[1]);
    if (touch[0].smooth == NULL) {
        return f->sides[0].radius < 0.0 || dot2(b.dd, sub2(a.x, b.x)) <= dot2(b.d, b.d);
    }
    return dot2(a.d, b.d) < 0.0 && curvature_of(&a) + curvature_of(&b) > 0.0;
}

// Where its curves, and its line, touch
static void keep_parameters(const double s[2], Feature* f) {
    for (int i = 0; i < 2; i++) {
        if (f->curved[i]) {
            f->sides[i].curve.s = s[i];
        } else if (i == 1) {
            f->sides[i].s = s[i];
        }
    }
}

// Replaces a feature of arcs by the one of its curves, with its place for a key. False if there is
// none near it; f is then at the place where one was looked for.
static bool take_smooth(const Side sides[2], Feature* f) {
    static const double APART = 1e-2;  // of the smaller outline: more than arcs and curves differ
    const double reach = fmin(sides[0].outline->reach, sides[1].outline->reach);
    const double size =
        reach > 0.0 ? reach : fmax(sides[0].outline->reach, sides[1].outline->reach);
    const double gap = f->gap;
    TouchSide touch[2];
    double s[2];
    *f = start_smooth(sides, f);
    const Placement* first = sides[f->swapped].place;
    const Placement* second = sides[!f->swapped].place;
    feature_touch_sides(f, first, second, touch);
    const bool found = touch_solve(touch, s) && is_nearest(f, touch, s);
    if (found) {
        keep_parameters(s, f);
    }
    f->gap = found ? feature_gap(f, first, second) : gap;
    f->key = FEATURE_SMOOTH_KEY | place_of(&sides[0], &f->sides[f->swapped]) << FEATURE_PLACE_BITS |
             place_of(&sides[1], &f->sides[!f->swapped]);
    return found && fabs(f->gap - gap) <= APART * size;
}

// The same with the tangent of the second side at the point of contact, which is kept: where a
// hollow is as wide as what lies in it, the point of contact is everywhere at once, and a step with
// the curve itself may have no end.
static void keep_normal(const Placement* first, const Placement* second, Feature* f) {
    TouchSide touch[2];
    feature_touch_sides(f, first, second, touch);
    const SmoothPoint a = touch_point(&touch[0], false, touch[0].s);
    const SmoothPoint b = touch_point(&touch[1], true, touch[1].s);
    const Vec3 n = in_space(scale2(1.0 / length2(b.d), right2(b.d)));
    const Vec3 x_a = sub3(in_space(a.x), scale3(f->sides[0].radius, n));
    f->kind = FEATURE_FLAT;
    f->curved[0] = f->curved[1] = false;
    f->sides[0] = (FeatureSide){.at = turn_back3(first->R, sub3(x_a, first->r))};
    f->sides[1] = (FeatureSide){.at = turn_back3(second->R, sub3(in_space(b.x), second->r)),
                                .axis = turn_back3(second->R, n)};
    f->gap = feature_gap(f, first, second);
}

// Are two features of curves the same place?
static bool is_same(const Feature* f, const Feature* g, const int parts_f[2],
                    const int parts_g[2]) {
    static const double SAME = 1e-6;  // of the span
    if (f->swapped != g->swapped) {
        return false;
    }
    bool same = true;
    for (int i = 0; i < 2; i++) {
        const int shape = f->swapped ? 1 - i : i;
        if (!f->curved[i] || !g->curved[i]) {
            same = same && f->curved[i] == g->curved[i] && parts_f[shape] == parts_g[shape];
            continue;
        }
        const FeatureCurve *p = &f->sides[i].curve, *q = &g->sides[i].curve;
        const double period = p->smooth->period;
        const double apart = period > 0.0 ? remainder(p->s - q->s, period) : p->s - q->s;
        same = same && fabs(apart) <= SAME * p->span;
    }
    return same;
}

static void keep_normals(const Placement* place_a, const Placement* place_b, int n,
                         Feature* features) {
    for (int i = 0; i < n; i++) {
        const bool swapped = features[i].swapped;
        keep_normal(swapped ? place_b : place_a, swapped ? place_a : place_b, &features[i]);
    }
}

int outline_take_smooth(const Outline* a, const Placement* place_a, const Outline* b,
                        const Placement* place_b, double turn, int n, Feature* features) {
    static const double FAR = 0.5;  // rad
    enum { MOST = 64 };
    int parts[MOST][2];
    int n_taken = 0;
    Feature lost = {.gap = INFINITY};
    for (int i = 0; i < n && i < MOST; i++) {
        Feature f = features[i];
        const Side sides[2] = {
            {a, place_a, (int)(f.key >> OUTLINE_KEY_BITS)},
            {b, place_b, (int)(f.key & ((1 << OUTLINE_KEY_BITS) - 1))},
        };
        if (is_wall(&sides[0]) || is_wall(&sides[1])) {
            continue;
        }
        if (!take_smooth(sides, &f)) {
            lost = f.gap < lost.gap ? f : lost;
            continue;
        }
        parts[n_taken][0] = sides[0].part;
        parts[n_taken][1] = sides[1].part;
        bool is_new = true;
        for (int k = 0; k < n_taken && is_new; k++) {
            is_new = !is_same(&features[k], &f, parts[k], parts[n_taken]);
        }
        if (is_new) {
            features[n_taken++] = f;
        }
    }
    const bool none = n_taken == 0 && lost.gap < INFINITY;
    if (none) {
        features[n_taken++] = lost;
    }
    if (none || turn >= FAR) {
        keep_normals(place_a, place_b, n_taken, features);
    }
    return n_taken;
}
