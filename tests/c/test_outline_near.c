// The narrow phase of outlines against distances and depths that are found by other means.
// CLATTER_POSES: poses of each ordered pair, each of them also moved until they touch.
#include "outline_cases.h"
#include "worst_errors.h"

enum { MOST = 16 };

static const NearOptions OPTIONS = {.margin = 0.05, .turn = 0.05, .most = MOST};

// --- references ---

typedef double (*Function)(const void* context, double s);

// Least of a function with one minimum between low and high, by golden section
static double golden_least(Function f, const void* context, double low, double high) {
    const double ratio = 0.6180339887498949;
    double s = high - ratio * (high - low), t = low + ratio * (high - low);
    double f_s = f(context, s), f_t = f(context, t);
    for (int i = 0; i < 50; i++) {
        if (f_s < f_t) {
            high = t;
            t = s;
            f_t = f_s;
            s = high - ratio * (high - low);
            f_s = f(context, s);
        } else {
            low = s;
            s = t;
            f_s = f_t;
            t = low + ratio * (high - low);
            f_t = f(context, t);
        }
    }
    return fmin(f_s, f_t);
}

enum { MOST_SAMPLES = 400 };

// Least of a function on [0, 1]: around all samples that are less than those beside them, unless
// what they can be less by, in view of the largest slope, is not enough
static double least_of(Function f, const void* context, int samples, double slope, double least) {
    double y[MOST_SAMPLES + 1];
    for (int i = 0; i <= samples; i++) {
        y[i] = f(context, (double)i / samples);
        least = fmin(least, y[i]);
    }
    for (int i = 0; i <= samples; i++) {
        const double before = i > 0 ? y[i - 1] : INFINITY;
        const double after = i < samples ? y[i + 1] : INFINITY;
        if (y[i] <= before && y[i] <= after && y[i] - slope / samples < least) {
            least = fmin(least, golden_least(f, context, fmax((i - 1.0) / samples, 0.0),
                                             fmin((i + 1.0) / samples, 1.0)));
        }
    }
    return least;
}

typedef struct TwoCurves {
    const Curve *p, *q;
} TwoCurves;

static double distance_from(const void* context, double s) {
    const TwoCurves* two = context;
    return curve_distance(two->q, curve_at(two->p, s));
}

// Of two outlines' lines, exact in one of the two curves and minimised over the other
static double reference_distance(const Curves* a, const Curves* b) {
    double least = INFINITY;
    for (int i = 0; i < a->n; i++) {
        for (int j = 0; j < b->n; j++) {
            const TwoCurves two = {&a->k[i], &b->k[j]};
            const double apart = length2(sub2(two.p->middle, two.q->middle));
            if (apart - two.p->reach - two.q->reach >= least) {
                continue;
            }
            const double length =
                two.p->straight ? 2.0 * two.p->reach : fabs(two.p->sweep) * two.p->radius;
            const int samples = two.p->straight ? 12 : two.p->radius > 0.0 ? 40 : 1;
            least = least_of(distance_from, &two, samples, length, least);
        }
    }
    return least;
}

static double curve_support(const Curve* k, double angle) {
    const Vec2 d = polar(1.0, angle);
    if (!k->straight && angle_between(k->start, angle) <= k->sweep) {
        return dot2(k->c, d) + k->radius;
    }
    return fmax(dot2(curve_at(k, 0.0), d), dot2(curve_at(k, 1.0), d));
}

static double curves_support(const Curves* curves, double angle) {
    double most = -INFINITY;
    for (int i = 0; i < curves->n; i++) {
        most = fmax(most, curve_support(&curves->k[i], angle));
    }
    return most;
}

typedef struct TwoOutlines {
    const Curves *a, *b;
} TwoOutlines;

static double overlap_along(const void* context, double s) {
    const TwoOutlines* two = context;
    const double angle = 2.0 * PI * s;
    return curves_support(two->a, angle) + curves_support(two->b, angle + PI);
}

// The normals of straight parts are where the overlap has its kinks, which sampling would miss.
static double reference_depth(const Curves* a, const Curves* b) {
    const TwoOutlines two = {a, b};
    double least = least_of(overlap_along, &two, MOST_SAMPLES, INFINITY, INFINITY);
    for (int side = 0; side < 2; side++) {
        const Curves* curves = side ? b : a;
        for (int i = 0; i < curves->n; i++) {
            if (curves->k[i].straight) {
                const Vec2 t = sub2(curves->k[i].q, curves->k[i].p);
                const double angle = atan2(-t.x, t.y) + (side ? PI : 0.0);
                least = fmin(least, overlap_along(&two, angle / (2.0 * PI)));
            }
        }
    }
    return least;
}

// m: nearer to arcs than this it may err
static const double UNSURE = 2e-3;

// By the angle under which the outline is seen from x
static bool reference_contains(const Curves* curves, Vec2 x) {
    double sum = 0.0;
    for (int i = 0; i < curves->n; i++) {
        const Curve* k = &curves->k[i];
        const int samples = k->straight || k->radius == 0.0 ? 1 : 48;
        Vec2 before = sub2(curve_at(k, 0.0), x);
        for (int s = 1; s <= samples; s++) {
            const Vec2 d = sub2(curve_at(k, (double)s / samples), x);
            sum += atan2(cross2(before, d), dot2(before, d));
            before = d;
        }
    }
    return fabs(sum) > PI;
}

// Is where one of the curves begins within a closed outline?
static bool has_end_in(const Curves* curves, const Outline* o, const Curves* other) {
    for (int i = 0; i < curves->n; i++) {
        const Vec2 x = curve_at(&curves->k[i], 0.0);
        const Vec2 d = sub2(x, other->k[0].middle);
        const double far = other->k[0].reach + 2.0 * o->reach;
        if (o->closed && dot2(d, d) < far * far && reference_contains(other, x)) {
            return true;
        }
    }
    return false;
}

// --- kernels ---

static double kernel_gap(const Feature* f, const Placement* place_a, const Placement* place_b) {
    const Placement* first = f->swapped ? place_b : place_a;
    const Placement* second = f->swapped ? place_a : place_b;
    const Vec3 c = add3(first->r, turn3(first->R, f->sides[0].at));
    const Vec3 p = add3(second->r, turn3(second->R, f->sides[1].at));
    const Vec3 d = sub3(c, p);
    switch (f->kind) {
        case FEATURE_FLAT:
            assert_close(length3(f->sides[1].axis), 1.0, 1e-12, "length of a normal");
            return dot3(turn3(second->R, f->sides[1].axis), d) - f->sides[0].radius;
        case FEATURE_ROUND:
            return length3(d) - f->sides[0].radius - f->sides[1].radius;
        case FEATURE_RING:
            return f->sides[1].radius - length3(d) - f->sides[0].radius;
        default:
            fail_msg("a feature of a kind that outlines do not have");
            return 0.0;
    }
}

typedef struct Listed {
    int n;
    Feature f[MOST];
} Listed;

static Listed near_with(const Shape* a, const Placement* place_a, const Shape* b,
                        const Placement* place_b, const NearOptions* options) {
    Listed l;
    l.n = outline_near(&a->outline, place_a, &b->outline, place_b, options, l.f);
    for (int i = 0; i < l.n; i++) {
        const double size = 1.0 + fabs(place_a->r.x) + fabs(place_b->r.x);
        assert_close(l.f[i].gap, kernel_gap(&l.f[i], place_a, place_b), 1e-11 * size, "gap");
        for (int j = 0; j < i; j++) {
            assert_true(l.f[i].key != l.f[j].key);
        }
        assert_true(i < 2 || l.f[i].gap >= l.f[i - 1].gap);
    }
    return l;
}

static Listed near_of(const Shape* a, const Placement* place_a, const Shape* b,
                      const Placement* place_b) {
    return near_with(a, place_a, b, place_b, &OPTIONS);
}

// The normal of a feature as it moves the first shape
static Vec2 normal_on_a(const Feature* f, const Placement* pa, const Placement* pb) {
    const Placement* first = f->swapped ? pb : pa;
    const Placement* second = f->swapped ? pa : pb;
    Vec3 n = turn3(second->R, f->sides[1].axis);
    if (f->kind != FEATURE_FLAT) {
        const Vec3 c = add3(first->r, turn3(first->R, f->sides[0].at));
        const Vec3 d = sub3(c, add3(second->r, turn3(second->R, f->sides[1].at)));
        n = scale3((f->kind == FEATURE_RING ? -1.0 : 1.0) / length3(d), d);
    }
    return f->swapped ? (Vec2){-n.x, -n.y} : (Vec2){n.x, n.y};
}

// --- random poses ---

enum { N_SHAPES = 17 };

static void make_shapes(Shape* shapes) {
    static const char* const plain[] = {"point",   "circle",        "ring", "line",
                                        "segment", "thick segment", "arc",  "wide arc"};
    int n = 0;
    for (; n < 8; n++) {
        shape_plain(&shapes[n], plain[n], strcmp(plain[n], "ring") == 0 ? 3.0 : 0.7);
    }
    shape_box(&shapes[n++], 1.0, 0.5);
    shape_regular(&shapes[n++], 7, 0.6);
    shape_random_convex(&shapes[n++], 9, 0.8);
    shape_rounded_box(&shapes[n++], 1.0, 0.6, 0.1);
    shape_lens(&shapes[n++], 1.2, 0.9);
    shape_star(&shapes[n++], 5, 0.8, 0.3);
    shape_L(&shapes[n++], 0.9, 0.2);
    shape_gear(&shapes[n++], 12, 0.6, 0.12);
    shape_geneva(&shapes[n++], 4, 0.8);
    assert_int_equal(n, N_SHAPES);
}

static void describe(const Shape* a, const Placement* pa, const Shape* b, const Placement* pb) {
    print_error("%s at %.17g %.17g, %.17g and %s at %.17g %.17g, %.17g\n", a->name, pa->r.x,
                pa->r.y, atan2(pa->R.e[0].y, pa->R.e[0].x), b->name, pb->r.x, pb->r.y,
                atan2(pb->R.e[0].y, pb->R.e[0].x));
}

static void expect(double value, double expected, double tolerance, const char* what,
                   const Shape* a, const Placement* pa, const Shape* b, const Placement* pb) {
    if (!(fabs(value - expected) <= tolerance)) {
        describe(a, pa, b, pb);
        fail_msg("%s: %.17g, expected %.17g", what, value, expected);
    }
}

// Signed distance of a finite outline from an infinite one
static double infinite_gap(const Outline* o, const Placement* place, const Curves* curves) {
    const OutlinePart* part = &o->parts[0];
    const Vec2 at = in_world(place, part->at);
    if (part->kind == OUTLINE_STRAIGHT) {
        const Vec2 n = sub2(in_world(place, add2(part->at, part->from)), at);
        return -curves_support(curves, atan2(-n.y, -n.x)) - dot2(at, n);
    }
    double most = 0.0;
    for (int i = 0; i < curves->n; i++) {
        const Curve* k = &curves->k[i];
        const Vec2 d = sub2(k->c, at);
        most = fmax(most, length2(sub2(curve_at(k, 0.0), at)));
        most = fmax(most, length2(sub2(curve_at(k, 1.0), at)));
        if (!k->straight && k->sweep > 0.0 &&
            angle_between(k->start, atan2(d.y, d.x)) <= k->sweep) {
            most = fmax(most, length2(d) + k->radius);
        }
    }
    return part->radius - most;
}

// By kinds of pairs: apart, convex ones that penetrate, with an infinite one; how many that are not
// convex penetrate
typedef struct Errors {
    WorstErrors apart, deep, infinite;
    int not_convex;
} Errors;

static double distance_to_outline(const Shape* shape, const Placement* place, Vec3 x) {
    static Curves curves;
    const Vec2 y = {x.x, x.y};
    if (strcmp(shape->name, "line") == 0) {
        const Vec2 at = in_world(place, shape->parts[0].at);
        const Vec2 n = sub2(in_world(place, add2(shape->parts[0].at, shape->parts[0].from)), at);
        return fabs(dot2(n, sub2(y, at)));
    }
    curves_of(&shape->outline, place, &curves);
    double least = INFINITY;
    for (int i = 0; i < curves.n; i++) {
        least = fmin(least, curve_distance(&curves.k[i], y));
    }
    return least;
}

// Do the two points of a feature lie on the outlines?
static void check_points(const Feature* f, const Shape* a, const Placement* pa, const Shape* b,
                         const Placement* pb, double tolerance, WorstErrors* worst) {
    const FeaturePoints x = feature_points(f, pa, pb);
    const double on_a = distance_to_outline(a, pa, f->swapped ? x.second : x.first);
    const double on_b = distance_to_outline(b, pb, f->swapped ? x.first : x.second);
    expect(fmax(on_a, on_b), 0.0, tolerance, "point", a, pa, b, pb);
    worst->point = fmax(worst->point, fmax(on_a, on_b));
}

// How far the outlines overlap along the normal of a feature
static double own_overlap(const Feature* f, const Placement* pa, const Curves* on_a,
                          const Placement* pb, const Curves* on_b) {
    const TwoOutlines two = {on_a, on_b};
    const Vec2 n = normal_on_a(f, pa, pb);
    return overlap_along(&two, atan2(-n.y, -n.x) / (2.0 * PI));
}

// Is the gap the one along the normal?
static void check_normal(const Feature* f, const Shape* a, const Placement* pa, const Curves* on_a,
                         const Shape* b, const Placement* pb, const Curves* on_b, double tolerance,
                         WorstErrors* worst) {
    const double along = -own_overlap(f, pa, on_a, pb, on_b);
    expect(along, f->gap, tolerance, "gap along the normal", a, pa, b, pb);
    worst->normal = fmax(worst->normal, fabs(along - f->gap));
}

static void check_poses(const Shape* a, const Placement* pa, const Shape* b, const Placement* pb,
                        double tolerance, Errors* errors) {
    static Curves curves_a, curves_b;
    const Outline *o_a = &a->outline, *o_b = &b->outline;
    Listed l = near_of(a, pa, b, pb);
    if (l.n == 0) {
        l.f[0].gap = NAN;
    }
    curves_of(o_a, pa, &curves_a);
    curves_of(o_b, pb, &curves_b);
    if (o_a->infinite || o_b->infinite) {
        const double gap =
            o_a->infinite ? infinite_gap(o_a, pa, &curves_b) : infinite_gap(o_b, pb, &curves_a);
        expect(l.f[0].gap, gap, tolerance, "gap to an infinite outline", a, pa, b, pb);
        worst_gap(&errors->infinite, l.f[0].gap - gap);
        check_points(&l.f[0], a, pa, b, pb, tolerance, &errors->infinite);
        return;
    }
    const double distance = reference_distance(&curves_a, &curves_b);
    const bool convex = o_a->convex && o_b->convex;
    const double depth = convex ? reference_depth(&curves_a, &curves_b) : 0.0;
    const bool inside =
        convex ? depth > 0.0
               : has_end_in(&curves_a, o_b, &curves_b) || has_end_in(&curves_b, o_a, &curves_a);
    if (!inside && distance > 1e-7) {
        const bool unsure = !convex && distance < UNSURE && l.f[0].gap < 0.0;
        expect(unsure ? distance : l.f[0].gap, distance, tolerance, "distance", a, pa, b, pb);
        for (int i = 0; i < l.n; i++) {
            assert_true(unsure || l.f[i].gap >= -tolerance);
        }
        if (!unsure) {
            worst_gap(&errors->apart, l.f[0].gap - distance);
            check_points(&l.f[0], a, pa, b, pb, tolerance, &errors->apart);
        }
        if (convex) {
            check_normal(&l.f[0], a, pa, &curves_a, b, pb, &curves_b, tolerance, &errors->apart);
        }
    } else if (convex) {
        // the search may end in the less deep one of two minima that are beside each other
        const double least =
            depth > 0.0 ? fmin(depth, own_overlap(&l.f[0], pa, &curves_a, pb, &curves_b)) : depth;
        expect(l.f[0].gap, -least, tolerance, "depth", a, pa, b, pb);
        worst_gap(&errors->deep, l.f[0].gap + least);
        check_points(&l.f[0], a, pa, b, pb, tolerance, &errors->deep);
        if (depth > 0.0) {  // rounding decides on the normal of corners that nearly touch
            check_normal(&l.f[0], a, pa, &curves_a, b, pb, &curves_b, tolerance, &errors->deep);
        }
    } else {
        const double most = distance < UNSURE ? distance : 0.0;
        expect(fmax(l.f[0].gap, 0.0), 0.0, most + tolerance, "overlap", a, pa, b, pb);
        errors->not_convex++;
    }
}

// In an order that does not depend on the compiler
static Placement random_place(double x, double y, double far) {
    const double dx = random_in(-far, far);
    const double dy = random_in(-far, far);
    return placed(x + dx, y + dy, random_in(-4.0, 4.0));
}

// Along the normal of the nearest feature, until its gap is a given one
static Placement moved_to_touch(const Shape* a, const Placement* pa, const Shape* b,
                                const Placement* pb, double gap) {
    const Listed l = near_of(a, pa, b, pb);
    if (l.n == 0) {
        return *pa;
    }
    const Vec2 move = scale2(gap - l.f[0].gap, normal_on_a(&l.f[0], pa, pb));
    Placement moved = *pa;
    moved.r = add3(moved.r, ((Vec3){move.x, move.y, 0.0}));
    return moved;
}

static void test_random_poses(void** state) {
    (void)state;
    static Shape shapes[N_SHAPES];
    make_shapes(shapes);
    Errors errors = {0};
    const double gaps[8] = {0.0, 1e-3, -1e-3, 1e-6, -1e-6, 1e-9, -1e-9, 0.03};
    for (int i = 0; i < N_SHAPES; i++) {
        for (int j = 0; j < N_SHAPES; j++) {
            const Shape *a = &shapes[i], *b = &shapes[j];
            for (int k = 0; k < poses(60) && !(a->outline.infinite && b->outline.infinite); k++) {
                const double far = k % 2 ? 2.0 : 1.0;
                const Placement pa = random_place(0.0, 0.0, 1.0);
                const Placement pb = random_place(pa.r.x, pa.r.y, far);
                check_poses(a, &pa, b, &pb, 1e-9, &errors);
                const Placement touching = moved_to_touch(a, &pa, b, &pb, gaps[k / 2 % 8]);
                check_poses(a, &touching, b, &pb, 1e-9, &errors);
            }
        }
    }
    worst_print(&errors.apart, "apart");
    worst_print(&errors.deep, "convex, in each other");
    worst_print(&errors.infinite, "with an infinite one");
    print_message("not convex, in each other: %d poses, all seen\n", errors.not_convex);
}

// --- which features ---

static Vec2 first_point(const Feature* f, const Placement* pa, const Placement* pb) {
    return in_world(f->swapped ? pb : pa, (Vec2){f->sides[0].at.x, f->sides[0].at.y});
}

static void expect_upward(const Listed* l, const Placement* pa, const Placement* pb) {
    for (int i = 0; i < l->n; i++) {
        assert_close(normal_on_a(&l->f[i], pa, pb).y, 1.0, 1e-2, "normal");
    }
}

// A box on another, displaced: one end of the overlap is a corner of the upper one, the other end a
// corner of the lower one.
static void test_box_on_box(void** state) {
    (void)state;
    static Shape a, b;
    shape_box(&a, 1.0, 0.5);
    shape_box(&b, 1.0, 0.5);
    const double tilts[] = {0.0, 1e-3, -1e-3, 1e-12};
    const double gaps[] = {0.0, 1e-3, -1e-3, 1e-9, -1e-9, 1e-13};
    for (int i = 0; i < 24; i++) {
        const Placement pb = placed(0.0, 0.0, 0.0);
        const Placement pa = placed(0.3, 0.5 + gaps[i % 6], tilts[i / 6]);
        const Listed l = near_of(&a, &pa, &b, &pb);
        assert_int_equal(l.n, 2);
        assert_true(l.f[0].swapped != l.f[1].swapped);
        expect_upward(&l, &pa, &pb);
        for (int j = 0; j < 2; j++) {
            const Vec2 x = first_point(&l.f[j], &pa, &pb);
            assert_close(x.x, l.f[j].swapped ? 0.5 : -0.2, 1e-3, "end of the overlap");
        }
    }
}

// A box within the width of another: both of its corners; and the other way round
static void test_small_box_on_box(void** state) {
    (void)state;
    static Shape a, b;
    shape_box(&a, 0.4, 0.5);
    shape_box(&b, 1.0, 0.5);
    for (int i = 0; i < 12; i++) {
        const double gap = (double[]){0.0, 1e-4, -1e-4}[i % 3];
        const double tilt = (double[]){0.0, 1e-3, -1e-3, 0.01}[i / 3];
        const Placement pb = placed(0.0, 0.0, 0.0);
        const Placement pa = placed(0.1, 0.5 + gap, tilt);
        Listed l = near_of(&a, &pa, &b, &pb);
        assert_int_equal(l.n, 2);
        assert_true(!l.f[0].swapped && !l.f[1].swapped);
        expect_upward(&l, &pa, &pb);
        l = near_of(&b, &pb, &a, &pa);
        assert_int_equal(l.n, 2);
        assert_true(l.f[0].swapped && l.f[1].swapped);
    }
}

// Equal boxes: the same two features, whatever rounding does
static void test_flush_boxes(void** state) {
    (void)state;
    static Shape a, b;
    shape_box(&a, 1.0, 0.5);
    shape_box(&b, 1.0, 0.5);
    const double gaps[] = {0.0, 1e-3, -1e-3, 1e-8, -1e-8};
    const double tilts[] = {0.0, 1e-3, -1e-3};
    for (int k = 0; k < 15; k++) {
        long long keys[2] = {0, 0};
        for (int i = 0; i < 200; i++) {
            const Placement pb = placed(random_in(-1e-12, 1e-12), 0.0, random_in(-1e-12, 1e-12));
            const Placement pa = placed(random_in(-1e-12, 1e-12), 0.5 + gaps[k % 5],
                                        tilts[k / 5] + random_in(-1e-12, 1e-12));
            const Listed l = near_of(&a, &pa, &b, &pb);
            assert_int_equal(l.n, 2);
            expect_upward(&l, &pa, &pb);
            const long long low = l.f[0].key < l.f[1].key ? l.f[0].key : l.f[1].key;
            const long long high = l.f[0].key < l.f[1].key ? l.f[1].key : l.f[0].key;
            assert_true(i == 0 || (low == keys[0] && high == keys[1]));
            keys[0] = low;
            keys[1] = high;
            assert_true(fabs(first_point(&l.f[0], &pa, &pb).x + first_point(&l.f[1], &pa, &pb).x) <
                        1e-2);
        }
    }
}

// A box whose corner hangs beside the table: the table's corner and the box's other one
static void test_over_the_edge(void** state) {
    (void)state;
    static Shape a, table;
    shape_box(&a, 0.2, 0.2);
    shape_box(&table, 2.0, 0.1);
    const Placement pb = placed(0.0, -0.05, 0.0);
    const double hang[] = {1e-6, 1e-3, 0.02, 0.1, 0.15, 0.199};
    for (int i = 0; i < 18; i++) {
        const double gap = (double[]){0.0, 1e-4, -1e-7}[i / 6];
        const Placement pa = placed(0.9 + hang[i % 6], 0.1 + gap, 0.0);
        const Listed l = near_of(&a, &pa, &table, &pb);
        assert_int_equal(l.n, 2);
        expect_upward(&l, &pa, &pb);
        for (int j = 0; j < 2; j++) {
            assert_close(l.f[j].gap, gap, 1e-12, "gap");
            const double x = l.f[j].swapped ? 1.0 : 0.8 + hang[i % 6];
            assert_close(first_point(&l.f[j], &pa, &pb).x, x, 1e-12, "place");
        }
        assert_true(l.f[0].swapped != l.f[1].swapped);
    }
    // beside the table, and below its top: nothing holds it up
    const Placement beside = placed(1.101, -0.02, 0.0);
    const Listed l = near_of(&a, &beside, &table, &pb);
    assert_true(l.n >= 1);
    for (int j = 0; j < l.n; j++) {
        assert_close(normal_on_a(&l.f[j], &beside, &pb).x, 1.0, 1e-12, "normal beside a table");
    }
}

// A corner that is deep in a box near the box's corner has one normal.
static void test_deep_corner(void** state) {
    (void)state;
    static Shape a, b;
    shape_box(&a, 1.0, 1.0);
    shape_box(&b, 1.0, 1.0);
    for (int i = 0; i < tries(500); i++) {
        const Placement pb = placed(0.0, 0.0, 0.0);
        const Placement pa =
            placed(1.0 - random_in(0.01, 0.2), 1.0 - random_in(0.01, 0.2), random_in(-0.4, 0.4));
        const Listed l = near_of(&a, &pa, &b, &pb);
        for (int j = 1; j < l.n; j++) {
            const Vec2 n = normal_on_a(&l.f[0], &pa, &pb);
            const Vec2 m = normal_on_a(&l.f[j], &pa, &pb);
            assert_true(l.f[j].gap >= 0.0 || dot2(n, m) > 0.99);
        }
    }
}

// A tooth's tip in a notch touches both flanks, a little too deep or not.
static void test_tooth_in_notch(void** state) {
    (void)state;
    static Shape tooth, block;
    shape_polygon(&tooth, "tooth", 3, (Vec2[]){{0.0, 0.0}, {0.1, 0.5}, {-0.1, 0.5}});
    shape_polygon(&block, "block", 5,
                  (Vec2[]){{-1.0, -1.0}, {1.0, -1.0}, {1.0, 0.6}, {0.0, 0.0}, {-1.0, 0.6}});
    const Placement pb = placed(0.2, 0.3, 0.1);
    for (int i = 0; i < 7; i++) {
        const double deep = (double[]){0.0, 1e-3, -1e-3, 1e-6, -1e-6, 1e-9, 1e-2}[i];
        for (int k = 0; k < 20; k++) {
            const double beside = k == 0 ? 0.0 : random_in(-1.0, 1.0) * fabs(deep);
            const Vec2 at = in_world(&pb, (Vec2){beside, -deep});
            const Placement pa = placed(at.x, at.y, 0.1);
            const Listed l = near_of(&tooth, &pa, &block, &pb);
            assert_int_equal(l.n, 2);
            const Vec2 n = normal_on_a(&l.f[0], &pa, &pb), m = normal_on_a(&l.f[1], &pa, &pb);
            assert_true(dot2(n, m) < 0.9);
            const double along = 0.6 / sqrt(1.36), up = 1.0 / sqrt(1.36);
            const double right = -deep * up - beside * along, left = -deep * up + beside * along;
            assert_close(l.f[0].gap, fmin(left, right), 1e-12, "flank");
            assert_close(l.f[1].gap, fmax(left, right), 1e-12, "flank");
        }
    }
}

// A body on a thin plate has features of the near side, convex or not.
static void test_thin_plate(void** state) {
    (void)state;
    static Shape plate, bodies[5];
    shape_box(&plate, 1.0, 0.002);
    shape_box(&bodies[0], 0.2, 0.1);
    shape_L(&bodies[1], 0.2, 0.05);
    shape_rounded_box(&bodies[2], 0.2, 0.1, 0.02);
    shape_plain(&bodies[3], "circle", 0.1);
    shape_star(&bodies[4], 5, 0.1, 0.04);
    for (int i = 0; i < tries(2000); i++) {
        const Shape* body = &bodies[i % 5];
        const double angle = random_in(-4.0, 4.0);
        const Placement turned = placed(0.0, 0.0, angle);
        const Vec3 down = turn_back3(turned.R, ((Vec3){0.0, -1.0, 0.0}));
        const double low = outline_support(&body->outline, (Vec2){down.x, down.y});
        const double gap = (double[]){1e-4, -1e-4, 0.0, -5e-4}[i / 5 % 4];
        const Placement pa = placed(random_in(-0.2, 0.2), 0.001 + low + gap, angle);
        const Placement pb = placed(0.0, 0.0, i % 2 ? PI : 0.0);
        const NearOptions options = {.margin = 5e-3, .turn = 0.01, .most = MOST};
        const Listed l = near_with(body, &pa, &plate, &pb, &options);
        assert_true(l.n >= 1 && l.n <= 3);
        assert_close(l.f[0].gap, gap, 1e-12, "gap over a plate");
        for (int j = 0; j < l.n; j++) {
            assert_true(normal_on_a(&l.f[j], &pa, &pb).y > 0.98);
        }
    }
}

// A segment without thickness is touched from both sides.
static void test_segment_sides(void** state) {
    (void)state;
    static Shape segment, bodies[3];
    assert_true(
        outline_segment((Vec2){-1.0, 0.0}, (Vec2){1.0, 0.0}, 0.0, segment.parts, &segment.outline));
    shape_box(&bodies[0], 0.2, 0.1);
    shape_star(&bodies[1], 5, 0.1, 0.04);
    shape_rounded_box(&bodies[2], 0.2, 0.1, 0.02);
    for (int i = 0; i < tries(600); i++) {
        const Shape* body = &bodies[i % 3];
        const double side = i % 2 ? 1.0 : -1.0;
        const double angle = random_in(-4.0, 4.0);
        const Vec3 down = turn_back3(rotation3_z(angle), ((Vec3){0.0, -side, 0.0}));
        const double low = outline_support(&body->outline, (Vec2){down.x, down.y});
        const double gap = (double[]){1e-4, -1e-4, 0.0, -1e-3}[i / 6 % 4];
        const Placement pa = placed(random_in(-0.5, 0.5), side * (low + gap), angle);
        const Placement pb = placed(0.0, 0.0, 0.0);
        const Listed l = near_of(body, &pa, &segment, &pb);
        assert_true(l.n >= 1);
        assert_close(l.f[0].gap, gap, 1e-12, "gap over a segment");
        for (int j = 0; j < l.n; j++) {
            assert_true(side * normal_on_a(&l.f[j], &pa, &pb).y > 0.98);
        }
    }
}

// A pin in the round end of a slot, and one that is too large for it
static void test_pin_in_slot(void** state) {
    (void)state;
    static Shape pin, large, wheel;
    outline_circle((Vec2){0.0, 0.0}, 0.04, pin.parts, &pin.outline);
    outline_circle((Vec2){0.0, 0.0}, 0.08, large.parts, &large.outline);
    shape_geneva(&wheel, 4, 1.0);  // slots of half width 0.06, round about 0.45
    const Placement pb = placed(0.0, 0.0, 0.0);
    const Placement pa = placed(0.45 - 0.015, 0.0, 0.0);
    Listed l = near_of(&pin, &pa, &wheel, &pb);
    assert_int_equal(l.f[0].kind, FEATURE_RING);
    assert_close(l.f[0].gap, 0.005, 1e-12, "gap in a slot's end");
    const Placement half = placed(0.7, 0.01, 0.0);
    l = near_of(&pin, &half, &wheel, &pb);
    assert_int_equal(l.n, 2);
    assert_close(l.f[0].gap, 0.01, 1e-12, "near flank");
    assert_close(l.f[1].gap, 0.03, 1e-12, "far flank");
    // one that just fits in, before it comes to the round end: both flanks and the bottom
    static Shape tight;
    outline_circle((Vec2){0.0, 0.0}, 0.0595, tight.parts, &tight.outline);
    const Placement above = placed(0.45 + 0.01, 0.0, 0.0);
    l = near_of(&tight, &above, &wheel, &pb);
    assert_int_equal(l.n, 3);
    assert_close(l.f[1].gap, 0.0005, 1e-12, "flanks");
    assert_close(l.f[2].gap, 0.0105, 1e-12, "bottom of a slot");
    assert_close(normal_on_a(&l.f[2], &above, &pb).x, 1.0, 1e-12, "bottom of a slot");
    const double x = sqrt(0.08 * 0.08 - 0.06 * 0.06);
    const Placement before = placed(1.0 + x, 0.0, 0.0);
    l = near_of(&large, &before, &wheel, &pb);
    assert_int_equal(l.n, 2);
    assert_int_equal(l.f[0].kind, FEATURE_ROUND);
    assert_close(l.f[0].gap, 0.0, 1e-12, "corner of a slot");
    assert_close(l.f[1].gap, 0.0, 1e-12, "corner of a slot");
}

// Far from the origin, large and small, and much larger than each other
static void test_scales(void** state) {
    (void)state;
    static Shape a, b;
    static Curves curves_a, curves_b;
    const double sizes[][2] = {{1.0, 1.0}, {1e-6, 1e-6}, {1e6, 1e6}, {1.0, 1e6}, {1e-3, 1e3}};
    for (int k = 0; k < tries(2000); k++) {
        const double *size = sizes[k % 5], small = fmin(size[0], size[1]);
        shape_box(&a, size[0], 0.3 * size[0]);
        shape_rounded_box(&b, size[1], 0.5 * size[1], 0.1 * size[1]);
        const Placement pb = placed(1e3, -1e3, 0.0);
        const double x = random_in(-0.4, 0.4) * size[1];
        const Placement pa = placed(1e3 + x, -1e3 + 0.25 * size[1] + random_in(0.0, 1.0) * small,
                                    random_in(-4.0, 4.0));
        const NearOptions options = {.margin = 0.01 * small, .turn = 0.05, .most = MOST};
        Listed l;
        l.n = outline_near(&a.outline, &pa, &b.outline, &pb, &options, l.f);
        assert_true(l.n >= 1);
        curves_of(&a.outline, &pa, &curves_a);
        curves_of(&b.outline, &pb, &curves_b);
        const double depth = reference_depth(&curves_a, &curves_b);
        const double gap = depth > 0.0 ? -depth : reference_distance(&curves_a, &curves_b);
        const double noise = 1e-9 * small + 1e-14 * fmax(size[0], size[1]) + 2e-12;
        assert_close(l.f[0].gap, gap, noise, "gap");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_poses),     cmocka_unit_test(test_box_on_box),
        cmocka_unit_test(test_small_box_on_box), cmocka_unit_test(test_flush_boxes),
        cmocka_unit_test(test_over_the_edge),    cmocka_unit_test(test_deep_corner),
        cmocka_unit_test(test_tooth_in_notch),   cmocka_unit_test(test_thin_plate),
        cmocka_unit_test(test_segment_sides),    cmocka_unit_test(test_pin_in_slot),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
