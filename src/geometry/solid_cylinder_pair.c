// Two cylinders. The gap along an axis n, from b to a,
//     g(n) = n.(c_a - c_b) - h_a(n) - h_b(n),   h(n) = h |n.k| + r sqrt(1 - (n.k)^2),
// is largest at the axis of one of them (an end), at their common normal (both sides), around one
// of them (its side and a rim, solid_cylinder_arc.c), or at a line that is across two rims, for
// which all directions are searched (solid_cylinder_depth.c). Apart, there is one maximum alone,
// and the nearest point of a rim to the other, a convex set, gives it. Every n gives a bound of the
// largest gap, so that the best of what is tried is never too large.
#include "geometry/solid_parts.h"

#define PI 3.14159265358979323846
// Samples round a rim, between which zeros are looked for
enum { SAMPLES = 24, ZERO_STEPS = 60 };
#define STEP (2.0 * PI / SAMPLES)
// rad: a normal this near to an axis is along it, one this near to across it is across it
#define UPRIGHT 1e-12
#define ACROSS 1e-12

typedef struct Tubes {
    SolidTube a, b;
} Tubes;

static double gap_along(const Tubes* t, Vec3 n) {
    return dot3(n, sub3(t->a.c, t->b.c)) - solid_tube_support(&t->a, n) -
           solid_tube_support(&t->b, n);
}

typedef struct Best {
    double gap;
    Vec3 n;
} Best;

static void try_normal(const SolidPair* pair, const Tubes* t, Vec3 n, Best* best) {
    const double gap = gap_along(t, n);
    if (gap > best->gap + pair->tie) {
        *best = (Best){gap, n};
    }
}

static void try_both(const SolidPair* pair, const Tubes* t, Vec3 n, Best* best) {
    try_normal(pair, t, n, best);
    try_normal(pair, t, solid_opposite(n), best);
}

// Around the axis of the one: normals from the other to it, or from it to the other
static void try_around(const SolidPair* pair, const Tubes* t, bool around_a, Best* best) {
    const SolidTube* line = around_a ? &t->a : &t->b;
    const SolidArc arc = {.p = line->c, .e = line->k, .circle = true};
    Vec3 n;
    double gap;
    if (solid_tube_arc(around_a ? &t->b : &t->a, &arc, &n, &gap)) {
        try_normal(pair, t, around_a ? n : solid_opposite(n), best);
    }
}

// --- a rim that is outside of the other ---

typedef struct Circle {
    Vec3 c, u, w;  // c + r (u cos + w sin)
    double r;
} Circle;

static Circle rim_of(const SolidPair* pair, const SolidTube* t, int end) {
    Vec3 across[2];
    solid_tube_across(pair, t, across);
    return (Circle){.c = add3(t->c, scale3(end == 0 ? -t->h : t->h, t->k)),
                    .u = across[0],
                    .w = across[1],
                    .r = t->r};
}

// From the nearest point of the other to the point of the circle, and its slope: its product with
// the tangent
static Vec3 off_circle(const Circle* o, const SolidTube* a, double phi, double* slope) {
    const double c = cos(phi), s = sin(phi);
    const Vec3 x = add3(o->c, scale3(o->r, add3(scale3(c, o->u), scale3(s, o->w))));
    const Vec3 d = sub3(x, solid_tube_nearest(a, x));
    *slope = dot3(d, add3(scale3(-s, o->u), scale3(c, o->w)));
    return d;
}

// A change of sign of the slope from - to +: false position with halved weights, and bisection
static Vec3 nearest_on_circle(const Circle* o, const SolidTube* a, double low, double high) {
    double at_low, at_high, slope;
    off_circle(o, a, low, &at_low);
    Vec3 d = off_circle(o, a, high, &at_high);
    for (int i = 0; i < ZERO_STEPS && high - low > 1e-16; i++) {
        double phi =
            i % 3 == 2 ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
        phi = phi > low && phi < high ? phi : 0.5 * (low + high);
        d = off_circle(o, a, phi, &slope);
        if (slope == 0.0 || phi == low || phi == high) {
            break;
        }
        if (slope < 0.0) {
            low = phi;
            at_low = slope;
            at_high *= i % 3 == 1 ? 0.5 : 1.0;
        } else {
            high = phi;
            at_high = slope;
            at_low *= i % 3 == 1 ? 0.5 : 1.0;
        }
    }
    return d;
}

// The nearest points of a rim to the other cylinder, from samples between which the slope changes
static void try_rim_outside(const SolidPair* pair, const Tubes* t, bool rim_of_a, int end,
                            Best* best) {
    const SolidTube* other = rim_of_a ? &t->b : &t->a;
    const Circle o = rim_of(pair, rim_of_a ? &t->a : &t->b, end);
    double before;
    off_circle(&o, other, 0.0, &before);
    for (int i = 1; i <= SAMPLES; i++) {
        double slope;
        off_circle(&o, other, i * STEP, &slope);
        if (before < 0.0 && slope >= 0.0) {
            const Vec3 d = nearest_on_circle(&o, other, (i - 1) * STEP, i * STEP);
            const double distance = length3(d);
            if (distance > pair->tie) {
                try_normal(pair, t, scale3((rim_of_a ? 1.0 : -1.0) / distance, d), best);
            }
        }
        before = slope;
    }
}

static Best best_axis(const SolidPair* pair, const Tubes* t) {
    Best best = {.gap = -INFINITY};
    try_both(pair, t, t->b.k, &best);
    try_both(pair, t, t->a.k, &best);
    const Vec3 c = solid_unit_cross(t->a.k, t->b.k);
    if (length3(c) > 1e-14) {
        try_both(pair, t, solid_unit(c), &best);
    }
    try_around(pair, t, true, &best);
    try_around(pair, t, false, &best);
    const Vec3 d = sub3(t->a.c, t->b.c);
    const Vec3 across = solid_part_across(d, t->b.k);
    if (length3(across) > 0.0) {
        try_normal(pair, t, solid_unit(across), &best);
    }
    for (int i = 0; i < 4; i++) {
        try_rim_outside(pair, t, i < 2, i % 2, &best);
    }
    // apart too, where rounding leaves little of what a rim tells
    const bool unclear = best.gap <= 0.0 || length3(c) < SOLID_PARALLEL;
    Vec3 n;
    if (unclear && solid_least_depth(pair, &t->a, &t->b, -best.gap, &n)) {
        try_normal(pair, t, n, &best);
    }
    return best;
}

// --- features ---

static SolidFloor cap_of(const SolidTube* t, Vec3 towards) {
    const Vec3 up = dot3(t->k, towards) < 0.0 ? solid_opposite(t->k) : t->k;
    return (SolidFloor){
        .p = add3(t->c, scale3(t->h, up)), .n = up, .face = dot3(t->k, towards) > 0.0, .tube = t};
}

// A ball at x, of the one, beside the side of the other
static Feature beside(const SolidPair* pair, const SolidTube* side, Vec3 x, double radius,
                      int part) {
    const double rho = length3(solid_part_across(sub3(x, side->c), side->k));
    const FeatureSide ball = solid_side(pair, !side->of_a, x, side->k, radius);
    const FeatureSide line = solid_side(pair, side->of_a, side->c, side->k, side->r);
    const double gap = rho - radius - side->r;
    return side->of_a ? solid_feature(pair, FEATURE_SHAFT, false, line, ball, gap,
                                      solid_key(PART_OTHER, TUBE_SIDE, PART_OTHER, part))
                      : solid_feature(pair, FEATURE_SHAFT, true, ball, line, gap,
                                      solid_key(PART_OTHER, part, PART_OTHER, TUBE_SIDE));
}

static Feature sides_feature(const SolidPair* pair, const Tubes* t, Vec3 n) {
    Vec3 c = cross3(t->a.k, t->b.k);
    const double sign = dot3(c, n) < 0.0 ? -1.0 : 1.0;
    c = scale3(sign / length3(c), c);
    const double gap = dot3(c, sub3(t->a.c, t->b.c)) - t->a.r - t->b.r;
    return solid_feature(pair, FEATURE_EDGES, true,
                         solid_side(pair, true, t->a.c, scale3(sign, t->a.k), t->a.r),
                         solid_side(pair, false, t->b.c, t->b.k, t->b.r), gap,
                         solid_key(PART_OTHER, TUBE_SIDE, PART_OTHER, TUBE_SIDE));
}

// Sides that are nearly parallel, where their axes are nearest: a ball of each, there
static Feature parallel_feature(const SolidPair* pair, const Tubes* t, Vec3 n) {
    const Vec3 d = scale3(2.0 * t->a.h, t->a.k), e = scale3(2.0 * t->b.h, t->b.k);
    const Vec3 p = sub3(t->a.c, scale3(0.5, d)), q = sub3(t->b.c, scale3(0.5, e));
    double at_a, at_b;
    solid_segments(p, d, q, e, &at_a, &at_b);
    const Vec3 x_a = add3(p, scale3(at_a, d)), x_b = add3(q, scale3(at_b, e));
    return solid_points_feature(pair, x_a, x_b, n,
                                solid_key(PART_OTHER, TUBE_SIDE, PART_OTHER, TUBE_SIDE));
}

// The point of the side of a tube, along its line in the direction out, that is beside x
static Vec3 side_point(const SolidTube* t, Vec3 x, Vec3 out) {
    const double along = dot3(sub3(x, t->c), t->k);
    const Vec3 on_axis = add3(t->c, scale3(fmax(-t->h, fmin(along, t->h)), t->k));
    return add3(on_axis, scale3(t->r, out));
}

// Is x where its distance from the axis is the one along n? Not beyond the axis, nor, where n is
// all but along the axis of the other, so that rounding decides which point of its rim is first,
// aside
static bool is_over(const SolidPair* pair, const SolidTube* side, Vec3 x, Vec3 n) {
    const Vec3 d = sub3(x, side->c);
    const double height = dot3(n, d);
    return height > 1e-3 * side->r &&
           length3(solid_part_across(d, side->k)) - height <= 10.0 * pair->tie;
}

static Feature nearest_feature(const SolidPair* pair, const Tubes* t, Vec3 n) {
    const Vec3 back = solid_opposite(n);
    const double along_a = fabs(dot3(n, t->a.k)), along_b = fabs(dot3(n, t->b.k));
    const bool end_a = length3(solid_part_across(n, t->a.k)) <= UPRIGHT;
    const bool end_b = length3(solid_part_across(n, t->b.k)) <= UPRIGHT;
    if (end_a || end_b) {
        const SolidFloor floor = end_b ? cap_of(&t->b, n) : cap_of(&t->a, back);
        return solid_floor_feature(pair, end_b ? &t->a : &t->b, &floor);
    }
    Vec3 x_a = solid_tube_first(&t->a, back), x_b = solid_tube_first(&t->b, n);
    const int rim_a = TUBE_RIM + (dot3(n, t->a.k) < 0.0),
              rim_b = TUBE_RIM + (dot3(n, t->b.k) > 0.0);
    if (along_a <= ACROSS && along_b <= ACROSS) {
        const bool parallel = length3(cross3(t->a.k, t->b.k)) < SOLID_PARALLEL;
        return parallel ? parallel_feature(pair, t, n) : sides_feature(pair, t, n);
    }
    if (along_a <= ACROSS && is_over(pair, &t->a, x_b, back)) {
        return beside(pair, &t->a, x_b, 0.0, rim_b);
    }
    if (along_b <= ACROSS && is_over(pair, &t->b, x_a, n)) {
        return beside(pair, &t->b, x_a, 0.0, rim_a);
    }
    if (along_a <= ACROSS) {
        x_a = side_point(&t->a, x_b, back);
    } else if (along_b <= ACROSS) {
        x_b = side_point(&t->b, x_a, n);
    }
    return solid_feature(pair, FEATURE_FLAT, true, solid_side(pair, true, x_a, n, 0.0),
                         solid_side(pair, false, x_b, n, 0.0), dot3(n, sub3(x_a, x_b)),
                         solid_key(PART_OTHER, rim_a, PART_OTHER, rim_b));
}

// --- the patch ---

// Where the rim of an end of b, seen along its axis, passes the axis of a, which lies on that end
static void add_rim_on_side(SolidList* list, const SolidTube* lying, const SolidTube* end,
                            Vec3 up) {
    const Vec3 d = solid_part_across(lying->k, end->k);
    const Vec3 u = solid_part_across(sub3(lying->c, end->c), end->k);
    const double dd = dot3(d, d), ud = dot3(u, d),
                 root = ud * ud - dd * (dot3(u, u) - end->r * end->r);
    if (root <= 0.0 || dd < 0.5) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        const double s = (-ud + (k == 0 ? -1.0 : 1.0) * sqrt(root)) / dd;
        if (fabs(s) <= lying->h) {
            const Vec3 x = add3(add3(end->c, add3(u, scale3(s, d))), scale3(end->h, up));
            const Feature f = beside(list->pair, lying, x, 0.0, TUBE_EDGE_POINT + k);
            solid_list_add(list, &f, x);
        }
    }
}

// End on end: where the rims cross
static void add_crossing_rims(SolidList* list, const Tubes* t) {
    const SolidPair* pair = list->pair;
    const SolidFloor floor = cap_of(&t->b, list->n);
    const SolidFloor low = cap_of(&t->a, solid_opposite(list->n));
    const Vec3 d = solid_part_across(sub3(t->b.c, t->a.c), t->a.k);
    const double distance = length3(d), r = t->a.r;
    const double c = (distance * distance + r * r - t->b.r * t->b.r) / (2.0 * distance * r);
    if (!(fabs(c) < 1.0)) {
        return;
    }
    const Vec3 e = scale3(1.0 / distance, d), q = cross3(t->a.k, e);
    for (int k = 0; k < 2; k++) {
        const double s = (k == 0 ? -1.0 : 1.0) * sqrt(1.0 - c * c);
        const Vec3 x = add3(low.p, add3(scale3(r * c, e), scale3(r * s, q)));
        const Feature f = solid_feature(
            pair, FEATURE_FLAT, true, solid_side(pair, true, x, t->a.k, 0.0),
            solid_side(pair, false, floor.p, floor.n, 0.0), dot3(floor.n, sub3(x, floor.p)),
            solid_key(PART_OTHER, TUBE_EDGE_POINT + 8 + k, PART_FACE, floor.face));
        solid_list_add(list, &f, x);
    }
}

// Side along side: the ends of the one that are beside the other
static void add_parallel_sides(SolidList* list, const SolidTube* one, const SolidTube* other) {
    for (int end = 0; end < 2; end++) {
        const Vec3 x = add3(one->c, scale3(end == 0 ? -one->h : one->h, one->k));
        if (fabs(dot3(sub3(x, other->c), other->k)) <= other->h + list->pair->same) {
            const Feature f = beside(list->pair, other, x, one->r, TUBE_CAP + end);
            solid_list_add(list, &f, x);
        }
    }
}

static void add_patch(SolidList* list, const Tubes* t) {
    const SolidPair* pair = list->pair;
    const Vec3 n = list->n, back = solid_opposite(n);
    const double along_a = fabs(dot3(n, t->a.k)), along_b = fabs(dot3(n, t->b.k));
    const bool end_a = along_a >= pair->cos_tilt, end_b = along_b >= pair->cos_tilt;
    const bool side_a = along_a <= pair->sin_tilt, side_b = along_b <= pair->sin_tilt;
    const SolidFloor on_b = cap_of(&t->b, n), on_a = cap_of(&t->a, back);
    if (end_b) {
        solid_add_floor(list, &t->a, &on_b);
    }
    if (end_a) {
        solid_add_floor(list, &t->b, &on_a);
    }
    if (end_a && end_b) {
        add_crossing_rims(list, t);
    }
    if (side_a && end_b) {
        add_rim_on_side(list, &t->a, &t->b, on_b.n);
    }
    if (side_b && end_a) {
        add_rim_on_side(list, &t->b, &t->a, on_a.n);
    }
    if (side_a && side_b && length3(cross3(t->a.k, t->b.k)) < SOLID_PARALLEL) {
        add_parallel_sides(list, &t->a, &t->b);
        add_parallel_sides(list, &t->b, &t->a);
    }
}

int solid_near_cylinders(const SolidPair* pair, Feature* features) {
    const Tubes t = {solid_tube(pair, true), solid_tube(pair, false)};
    const Best best = best_axis(pair, &t);
    features[0] = nearest_feature(pair, &t, best.n);
    SolidList list;
    solid_list_begin(&list, pair, best.n, features[0].gap);
    add_patch(&list, &t);
    solid_list_add_nearest(&list, &features[0], solid_tube_first(&t.b, best.n));
    return solid_list_finish(&list, pair->most, features);
}
