// Outlines that overlap are seen to do so, however deep they lie in each other, and what is told
// then drives them apart. Whether they overlap is found by points of each that lie in the other.
// CLATTER_POSES: poses of each ordered pair.
#include "outline_cases.h"

enum { MOST = 16 };
static const NearOptions OPTIONS = {.margin = 0.03, .turn = 0.05, .most = MOST};
// m: what lies in an outline this far from its curves overlaps; so does what is told to
static const double SURELY = 1e-6;
static const double SEEN = 1e-9;

typedef struct Pose {
    const Shape *a, *b;
    Placement pa, pb;
} Pose;

static void describe(const Pose* p, const char* what) {
    fail_msg("%s: %s at %.17g %.17g, %.17g and %s at %.17g %.17g, %.17g", what, p->a->name,
             p->pa.r.x, p->pa.r.y, atan2(p->pa.R.e[0].y, p->pa.R.e[0].x), p->b->name, p->pb.r.x,
             p->pb.r.y, atan2(p->pb.R.e[0].y, p->pb.R.e[0].x));
}

// --- what lies in what ---

// How often a ray from x along the x axis crosses an arc
static int arc_crossings(const Curve* k, Vec2 x) {
    const double sine = (x.y - k->c.y) / k->radius;
    if (!(fabs(sine) < 1.0)) {
        return 0;
    }
    const double angles[2] = {asin(sine), PI - asin(sine)};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const double on = k->sweep > 0.0 ? angle_between(k->start, angles[i])
                                         : angle_between(angles[i], k->start);
        n += on < fabs(k->sweep) && k->c.x + k->radius * cos(angles[i]) > x.x;
    }
    return n;
}

static bool lies_in(const Curves* curves, Vec2 x) {
    int n = 0;
    for (int i = 0; i < curves->n; i++) {
        const Curve* k = &curves->k[i];
        if (!k->straight) {
            n += k->radius > 0.0 ? arc_crossings(k, x) : 0;
        } else if ((k->p.y > x.y) != (k->q.y > x.y)) {
            n += k->p.x + (x.y - k->p.y) / (k->q.y - k->p.y) * (k->q.x - k->p.x) > x.x;
        }
    }
    return n % 2 != 0;
}

static bool is_away_from(const Curves* curves, Vec2 x) {
    for (int i = 0; i < curves->n; i++) {
        if (curve_distance(&curves->k[i], x) < SURELY) {
            return false;
        }
    }
    return true;
}

// Does a point of one outline lie surely in the other, which is closed?
static bool has_point_in(const Curves* of, const Outline* in, const Placement* place,
                         const Curves* curves) {
    enum { POINTS_OF_A_CURVE = 12 };
    const Vec2 centre = in_world(place, in->centre);
    for (int i = 0; i < of->n && in->closed; i++) {
        for (int s = 0; s < POINTS_OF_A_CURVE; s++) {
            const Vec2 x = curve_at(&of->k[i], (s + 0.5) / POINTS_OF_A_CURVE);
            if (length2(sub2(x, centre)) < in->reach && lies_in(curves, x) &&
                is_away_from(curves, x)) {
                return true;
            }
        }
    }
    return false;
}

static bool overlap(const Pose* p) {
    static Curves a, b;
    curves_of(&p->a->outline, &p->pa, &a);
    curves_of(&p->b->outline, &p->pb, &b);
    return has_point_in(&a, &p->b->outline, &p->pb, &b) ||
           has_point_in(&b, &p->a->outline, &p->pa, &a);
}

// --- what is told ---

static Vec2 normal_on_a(const Feature* f, const Pose* p) {
    const Vec3 n = f->swapped ? scale3(-1.0, feature_normal(f, &p->pb, &p->pa))
                              : feature_normal(f, &p->pa, &p->pb);
    return (Vec2){n.x, n.y};
}

static double gap_of(const Feature* f, const Pose* p) {
    return f->swapped ? feature_gap(f, &p->pb, &p->pa) : feature_gap(f, &p->pa, &p->pb);
}

static int near_of(const Pose* p, Feature* f) {
    return outline_near(&p->a->outline, &p->pa, &p->b->outline, &p->pb, &OPTIONS, f);
}

static void move(Pose* p, double by, Vec2 n) {
    p->pa.r = add3(p->pa.r, ((Vec3){by * n.x, by * n.y, 0.0}));
}

// The first feature penetrates, and is parted by a move along its normal; each key once.
static void check_seen(Pose p) {
    Feature f[MOST];
    const int n = near_of(&p, f);
    if (n == 0 || !(f[0].gap < -SEEN)) {
        describe(&p, "not seen");
    }
    for (int i = 0; i < n; i++) {
        assert_close(gap_of(&f[i], &p), f[i].gap, 1e-12, "gap");
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(f[i].key, f[k].key);
        }
    }
    const double depth = -f[0].gap;
    const Vec2 normal = normal_on_a(&f[0], &p);
    assert_close(length2(normal), 1.0, 1e-12, "normal");
    move(&p, depth, normal);
    assert_close(gap_of(&f[0], &p), 0.0, 1e-12, "gap after the move");
}

// Do moves by what the first feature tells part them? A shape that is caught in another one, too
// large for the room there, goes to and fro.
static bool can_be_parted(Pose p) {
    enum { MOVES = 200 };
    for (int i = 0; i < MOVES; i++) {
        Feature f[MOST];
        if (near_of(&p, f) == 0 || f[0].gap >= -SEEN) {
            return !overlap(&p);
        }
        move(&p, -f[0].gap, normal_on_a(&f[0], &p));
    }
    return false;
}

// --- shapes ---

enum { N_SHAPES = 17 };

static void make_shapes(Shape* shapes) {
    static const char* const plain[] = {"point",         "circle", "segment",
                                        "thick segment", "arc",    "wide arc"};
    int n = 0;
    for (; n < 6; n++) {
        shape_plain(&shapes[n], plain[n], 0.7);
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
    shapes[n].name = "thin ring";
    outline_arc((Vec2){0.0, 0.0}, 0.6, 0.0, 2.0 * PI, 0.01, shapes[n].parts, &shapes[n].outline);
    n++;
    shapes[n].name = "thin arc";
    outline_arc((Vec2){0.0, 0.0}, 0.6, 0.0, 4.0, 1e-3, shapes[n].parts, &shapes[n].outline);
    assert_int_equal(++n, N_SHAPES);
}

static bool is_clear(const Pose* p) { return p->a->outline.convex && p->b->outline.convex; }

static Placement random_place(double far) {
    const double x = random_in(-far, far), y = random_in(-far, far);
    return placed(x, y, random_in(-4.0, 4.0));
}

// --- tests ---

static void test_random(void** state) {
    (void)state;
    static Shape shapes[N_SHAPES];
    make_shapes(shapes);
    int deep = 0, parted = 0;
    for (int i = 0; i < N_SHAPES * N_SHAPES; i++) {
        Pose p = {.a = &shapes[i / N_SHAPES], .b = &shapes[i % N_SHAPES]};
        for (int k = 0; k < poses(15) && !is_clear(&p); k++) {
            p.pa = random_place(1.0);
            p.pb = random_place(1.0);
            if (overlap(&p)) {
                check_seen(p);
                deep++;
                parted += can_be_parted(p);
            }
        }
    }
    print_message("%d overlaps, all seen; %.1f %% of them parted by moves\n", deep,
                  100.0 * parted / deep);
    assert_true(deep > 20 && parted > 0.95 * deep);
}

// Small ones anywhere within large ones, their borders apart
static void test_contained(void** state) {
    (void)state;
    static Shape large[N_SHAPES], small[6];
    make_shapes(large);
    shape_star(&small[0], 5, 0.03, 0.01);
    shape_L(&small[1], 0.03, 0.01);
    shape_gear(&small[2], 8, 0.02, 0.008);
    shape_box(&small[3], 0.02, 0.03);
    shape_plain(&small[4], "wide arc", 0.02);
    shape_plain(&small[5], "point", 0.01);
    int deep = 0;
    for (int i = 0; i < 6 * N_SHAPES; i++) {
        const Pose given = {.a = &small[i / N_SHAPES], .b = &large[i % N_SHAPES]};
        for (int k = 0; k < poses(60) && !is_clear(&given); k++) {
            Pose p = given;
            p.pa = random_place(0.8);
            p.pb = placed(0.0, 0.0, random_in(-4.0, 4.0));
            if (overlap(&p)) {
                deep++;
                check_seen(p);
                check_seen((Pose){p.b, p.a, p.pb, p.pa});
            }
        }
    }
    assert_true(deep > 10);
}

// The same shape twice at the same place, or displaced a little along its own sides
static void test_flush(void** state) {
    (void)state;
    static Shape shapes[N_SHAPES], bar;
    make_shapes(shapes);
    for (int i = 0; i < N_SHAPES; i++) {
        for (int k = 0; k < 20 && shapes[i].outline.closed; k++) {
            const Placement place = k % 2 == 0 ? placed(0.0, 0.0, 0.0) : random_place(1.0);
            Pose p = {&shapes[i], &shapes[i], place, place};
            check_seen(p);
            move(&p, 1e-3 * (k / 4), (Vec2){place.R.e[0].x, place.R.e[0].y});
            check_seen(p);
        }
    }
    shape_box(&bar, 0.3, 0.2);  // as thick as the arms of the L, in one of them
    for (int k = 0; k < 40; k++) {
        const Placement place = random_place(1.0);
        Pose p = {&bar, &shapes[12], place, place};
        const Vec2 at = in_world(&place, (Vec2){0.15 + 0.015 * k, 0.1});
        p.pa.r = (Vec3){at.x, at.y, 0.0};
        check_seen(p);
    }
}

// Moved from apart until they touch: nothing that penetrates is told.
static void test_touching(void** state) {
    (void)state;
    static Shape shapes[N_SHAPES];
    static const double gaps[] = {0.0, 1e-12, -1e-12, 1e-10, -1e-10};
    make_shapes(shapes);
    int touching = 0;
    for (int i = 0; i < N_SHAPES * N_SHAPES; i++) {
        Pose p = {.a = &shapes[i / N_SHAPES], .b = &shapes[i % N_SHAPES]};
        for (int k = 0; k < poses(20) && !is_clear(&p); k++) {
            p.pa = random_place(1.5);
            p.pb = random_place(1.5);
            Feature f[MOST];
            if (near_of(&p, f) == 0 || f[0].gap <= 0.0) {
                continue;
            }
            move(&p, gaps[k % 5] - f[0].gap, normal_on_a(&f[0], &p));
            const int n = near_of(&p, f);
            touching++;
            if (n == 0 || !(fabs(f[0].gap - gaps[k % 5]) <= 1e-9)) {
                print_error("%d features, gap %g\n", n, n > 0 ? f[0].gap : NAN);
                describe(&p, "touching");
            }
        }
    }
    assert_true(touching > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_contained),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_touching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
