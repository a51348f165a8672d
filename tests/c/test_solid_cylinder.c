// Cylinders against all others: distances and depths from a search over directions, and the
// features that span a patch. CLATTER_POSES: poses of each pair.
#include "solid_cases.h"

static const double PI = 3.14159265358979323846;
static const Vec3 X = {1.0, 0.0, 0.0}, Y = {0.0, 1.0, 0.0}, Z = {0.0, 0.0, 1.0};
static const NearOptions WIDE = {.margin = 0.1, .turn = 0.1, .most = 8};

// --- the largest gap over all directions ---

typedef struct Search {
    const Case* a;
    const Case* b;
    double most;
} Search;

static double look(Search* s, Vec3 n) {
    const double gap = gap_along(s->a, s->b, scale3(1.0 / length3(n), n));
    s->most = fmax(s->most, gap);
    return gap;
}

static Vec3 around(Vec3 u, Vec3 w, double angle) {
    return add3(scale3(cos(angle), u), scale3(sin(angle), w));
}

static Vec3 across(Vec3 k) {
    const Vec3 e = fabs(k.x) < 0.6 ? (Vec3){1.0, 0.0, 0.0} : (Vec3){0.0, 1.0, 0.0};
    const Vec3 c = cross3(k, e);
    return scale3(1.0 / length3(c), c);
}

// Around a line: samples, and golden sections about those that are larger than their neighbours
static void look_around(Search* s, Vec3 k) {
    enum { N = 90 };
    const Vec3 u = across(k), w = cross3(k, u);
    double values[N];
    for (int i = 0; i < N; i++) {
        values[i] = look(s, around(u, w, 2.0 * PI * i / N));
    }
    for (int i = 0; i < N; i++) {
        if (values[i] < values[(i + 1) % N] || values[i] < values[(i + N - 1) % N] ||
            values[i] < s->most - 0.05) {
            continue;
        }
        double low = 2.0 * PI * (i - 1) / N, high = 2.0 * PI * (i + 1) / N;
        for (int k_ = 0; k_ < 45; k_++) {
            const double x = high - 0.6180339887 * (high - low),
                         y = low + 0.6180339887 * (high - low);
            if (look(s, around(u, w, x)) > look(s, around(u, w, y))) {
                high = y;
            } else {
                low = x;
            }
        }
    }
}

// A climb with random steps that become shorter
static void climb(Search* s, Vec3 n) {
    double best = look(s, n);
    for (double step = 0.3; step > 1e-13;) {
        bool better = false;
        for (int i = 0; i < 12; i++) {
            const Vec3 d = add3(n, scale3(step, random_direction()));
            const double gap = look(s, d);
            if (gap > best) {
                best = gap;
                n = scale3(1.0 / length3(d), d);
                better = true;
            }
        }
        step *= better ? 1.0 : 0.6;
    }
}

static void lines_of(const Case* c, int* n, Vec3* lines) {
    if (c->solid.kind == SOLID_CYLINDER) {
        lines[(*n)++] = turn3(c->place.R, c->solid.axis);
    }
    for (int e = 0; e < c->solid.n_edges; e++) {
        lines[(*n)++] = case_edge(c, e);
    }
}

// hint: a direction to look in beside all others, for a search alone ends short of sharp ridges
static double searched_gap(const Case* a, const Case* b, Vec3 hint) {
    Search s = {a, b, -INFINITY};
    climb(&s, hint);
    Vec3 lines[200];
    int n = 0;
    lines_of(a, &n, lines);
    const int n_a = n;
    lines_of(b, &n, lines);
    for (int i = 0; i < n; i++) {
        if (i == 0 && a->solid.kind == SOLID_CYLINDER) {
            try_axis(a, b, lines[i], &s.most);
        }
        if (i == n_a && b->solid.kind == SOLID_CYLINDER) {
            try_axis(a, b, lines[i], &s.most);
        }
        for (int k = n_a; k < n && i < n_a; k++) {
            try_axis(a, b, cross3(lines[i], lines[k]), &s.most);
        }
    }
    for (int k = 0; k < 2; k++) {
        const Case* c = k == 0 ? a : b;
        for (int f = 0; f < c->solid.n_faces; f++) {
            try_axis(a, b, turn3(c->place.R, c->faces[f].normal), &s.most);
        }
    }
    Vec3 best[4] = {0};
    double values[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 300; i++) {
        const Vec3 d = random_direction();
        const double gap = look(&s, d);
        for (int k = 0; k < 4; k++) {
            if (gap > values[k]) {
                values[k] = gap;
                best[k] = d;
                break;
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        climb(&s, best[k]);
    }
    for (int i = 0; i < n; i++) {
        look_around(&s, lines[i]);
    }
    return s.most;
}

// --- random poses ---

// The first feature, whose gap is compared, and that of both in the other order
static Feature check_gap(const Case* a, const Case* b, double size, const char* what,
                         WorstErrors* worst) {
    Feature f[8], g[8];
    const int n = solid_near(&a->solid, &a->place, &b->solid, &b->place, &WIDE, f);
    assert_in_range(n, 1, 8);
    check_features(a, b, n, f, size);
    const double gap = searched_gap(a, b, kernel_normal(&f[0], &a->place, &b->place));
    assert_close(f[0].gap, gap, 1e-9 * size, what);
    solid_near(&b->solid, &b->place, &a->solid, &a->place, &WIDE, g);
    assert_close(g[0].gap, gap, 1e-9 * size, "the other way round");
    worst_gap(worst, (f[0].gap - gap) / size);
    return f[0];
}

static void check_random(CaseKind other, int most, double size, WorstErrors* worst) {
    static Case a, b;
    char what[80];
    snprintf(what, sizeof what, "cylinder and %s", CASE_NAMES[other]);
    int penetrating = 0;
    const int trials = poses(most);
    for (int trial = 0; trial < trials; trial++) {
        random_case(&a, CASE_CYLINDER, size);
        random_case(&b, other, size);
        a.place.r = add3(a.place.r, random_vector(random_in(0.0, 2.0) * size));
        const Feature f = check_gap(&a, &b, size, what, worst);
        check_feature(&a, &b, &f, size, 1e-9, worst);
        penetrating += f.gap < 0.0;
    }
    assert_in_range(penetrating, trials / 20, trials);
}

static void test_finite(void** state) {
    (void)state;
    WorstErrors worst = {0};
    for (CaseKind k = CASE_SPHERE; k <= CASE_CYLINDER; k++) {
        check_random(k, k == CASE_HULL || k == CASE_ROUND_HULL ? 500 : 1500, 1.0, &worst);
    }
    worst_print(&worst, "cylinders and finite ones");
}

static void test_scales(void** state) {
    (void)state;
    static const double sizes[] = {1e-6, 1e-3, 1e3, 1e6};
    WorstErrors worst = {0};
    for (int i = 0; i < 4; i++) {
        check_random(CASE_BOX, 100, sizes[i], &worst);
        check_random(CASE_CYLINDER, 100, sizes[i], &worst);
        check_random(CASE_CAPSULE, 100, sizes[i], &worst);
    }
    worst_print(&worst, "cylinders of other sizes, in parts of them");
}

// Hulls, moved along the normal of the nearest features until they touch the cylinder, but for as
// little as rounding and schemes leave of gaps
static void test_touching(void** state) {
    (void)state;
    static const double gaps[] = {-1e-8, -1e-10, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-10, 1e-8};
    enum { N_GAPS = sizeof gaps / sizeof gaps[0] };
    static Case a, b;
    WorstErrors worst = {0};
    for (CaseKind k = CASE_CAPSULE; k <= CASE_ROUND_HULL; k++) {
        const int trials = poses(300);
        for (int trial = 0; trial < trials; trial++) {
            random_case(&a, CASE_CYLINDER, 1.0);
            random_case(&b, k, 1.0);
            Feature f[8];
            assert_in_range(solid_near(&a.solid, &a.place, &b.solid, &b.place, &WIDE, f), 1, 8);
            const Vec3 n = kernel_normal(&f[0], &a.place, &b.place);
            const double way = gaps[trial % N_GAPS] - f[0].gap;
            a.place.r = add3(a.place.r, scale3(way, n));
            check_gap(&a, &b, 1.0, "touching", &worst);
        }
    }
    worst_print(&worst, "cylinders that touch");
}

// Axes parallel or across, but for tilts of all sizes: of features of the patch whose gaps rounding
// does not tell apart, one is told whose normal turns with that tilt, or, of a rim, with the root
// of what rounding leaves of it.
static void test_nearly_parallel(void** state) {
    (void)state;
    static const double tilts[] = {0.0, 1e-13, 1e-10, 1e-7, 1e-4, 1e-2, 0.04};
    static Case a, b;
    WorstErrors worst = {0};
    for (int trial = 0; trial < poses(3000); trial++) {
        const double r = random_in(0.1, 1.0);
        const Vec3 p = random_vector(1.0);
        random_case(&a, CASE_CYLINDER, 1.0);
        a.solid.axis = Z;
        random_case(&b, trial % 3 == 0 ? CASE_BOX : CASE_CYLINDER, 1.0);
        if (trial % 3 == 0) {
            solid_box(p, MAT3_IDENTITY, (Vec3){r, 1.0, 2.0 * r}, &b.solid);
        } else if (trial % 3 == 1) {
            b.solid.axis = trial % 2 == 0 ? Z : X;
        } else {
            solid_capsule(p, add3(p, trial % 2 == 0 ? Z : X), r, &b.solid);
        }
        a.place = (Placement){random_vector(1.5), rotation3(random_direction(), tilts[trial % 7])};
        b.place.R = MAT3_IDENTITY;
        const Feature f = check_gap(&a, &b, 1.0, "nearly parallel", &worst);
        const double own = gap_along(&a, &b, kernel_normal(&f, &a.place, &b.place));
        assert_true(own <= f.gap + 1e-9 && own >= f.gap - 2e-5 - 3.0 * tilts[trial % 7]);
    }
    print_message("cylinders nearly parallel or across: %d poses, worst error of gap %.1e\n",
                  worst.n, worst.gap);
}

// --- those without end ---

static double plane_gap(const Case* a, const Case* b, Vec3 hint) {
    (void)hint;
    const Vec3 n = turn3(b->place.R, b->solid.axis);
    return -support_in_world(a, scale3(-1.0, n)) - dot3(n, in_world(&b->place, b->solid.centre));
}

static double shaft_gap(const Case* a, const Case* b, Vec3 hint) {
    static Case capsule;
    case_room(&capsule);
    const Solid* s = &b->solid;
    const Vec3 half = scale3(30.0, s->axis);
    solid_capsule(sub3(s->centre, half), add3(s->centre, half), s->radius, &capsule.solid);
    capsule.place = b->place;
    return searched_gap(a, &capsule, hint);
}

// Points of both rims
static double hole_gap(const Case* a, const Case* b, Vec3 hint) {
    (void)hint;
    const Vec3 k = turn3(b->place.R, b->solid.axis), axis = turn3(a->place.R, a->solid.axis);
    const Vec3 centre =
        sub3(in_world(&a->place, a->solid.centre), in_world(&b->place, b->solid.centre));
    const Vec3 u = across(axis), w = cross3(axis, u);
    double most = 0.0;
    for (int end = -1; end <= 1; end += 2) {
        const Vec3 c = add3(centre, scale3(end * a->solid.half_length, axis));
        double step = 2.0 * PI / 4000, middle = 0.0;
        for (int pass = 0; pass < 6; pass++, step /= 1000.0) {
            double best = -1.0, at = middle;
            for (int i = -2000; i <= 2000; i++) {
                const Vec3 d = add3(c, scale3(a->solid.radius, around(u, w, middle + i * step)));
                const double along = b->solid.kind == SOLID_BORE ? dot3(d, k) : 0.0;
                const double square = dot3(d, d) - along * along;
                if (square > best) {
                    best = square;
                    at = middle + i * step;
                }
            }
            middle = at;
            most = fmax(most, sqrt(best));
        }
    }
    return b->solid.radius - most;
}

typedef double (*Reference)(const Case* a, const Case* b, Vec3 hint);

static void check_infinite(CaseKind kind, int most, Reference reference, WorstErrors* worst) {
    static Case a, b;
    const int trials = poses(most);
    for (int trial = 0; trial < trials; trial++) {
        random_case(&a, CASE_CYLINDER, 1.0);
        random_case(&b, kind, 1.0);
        Feature f[8];
        const int n = solid_near(&a.solid, &a.place, &b.solid, &b.place, &WIDE, f);
        assert_in_range(n, 1, 8);
        check_features(&a, &b, n, f, 1.0);
        const Vec3 hint = kernel_normal(&f[0], &a.place, &b.place);
        const double gap = reference(&a, &b, hint);
        assert_close(f[0].gap, gap, 1e-9, CASE_NAMES[kind]);
        worst_gap(worst, f[0].gap - gap);
        check_feature(&a, &b, &f[0], 1.0, 1e-9, worst);
    }
}

static void test_infinite(void** state) {
    (void)state;
    WorstErrors worst = {0};
    check_infinite(CASE_PLANE, 10000, plane_gap, &worst);
    check_infinite(CASE_SHAFT, 1000, shaft_gap, &worst);
    check_infinite(CASE_BORE, 300, hole_gap, &worst);
    check_infinite(CASE_HOLLOW, 300, hole_gap, &worst);
    worst_print(&worst, "cylinders and those without end");
}

// --- patches ---

// The lowest point of a rim, or the point, in the world
static Vec3 place_of(const Feature* f, const Placement* a, const Placement* b) {
    const Placement* first = f->swapped ? b : a;
    const Placement* second = f->swapped ? a : b;
    const Vec3 at = in_world(first, f->sides[0].at);
    if (f->kind != FEATURE_RIM) {
        return at;
    }
    const Vec3 n = turn3(second->R, f->sides[1].axis), k = turn3(first->R, f->sides[0].axis);
    const Vec3 m = sub3(n, scale3(dot3(n, k), k));
    return sub3(at, scale3(f->sides[0].radius / length3(m), m));
}

static int near(const Case* a, const Case* b, Feature* f) {
    const NearOptions options = {.margin = 0.02, .turn = 0.0, .most = 8};
    const int n = solid_near(&a->solid, &a->place, &b->solid, &b->place, &options, f);
    check_features(a, b, n, f, 1.0);
    return n;
}

static void make_cylinder(Case* c, double radius, double length) {
    case_room(c);
    solid_cylinder((Vec3){0.0, 0.0, 0.0}, Z, radius, length, &c->solid);
}

// Upright and lying, on a plane and on a box, and a box on its end
static void test_upright_and_lying(void** state) {
    (void)state;
    static Case a, floors[2];
    Feature f[8];
    make_cylinder(&a, 0.3, 1.0);
    case_room(&floors[0]);
    case_room(&floors[1]);
    solid_plane((Vec3){0.0, 0.0, 0.0}, Z, &floors[0].solid);
    solid_box((Vec3){0.0, 0.0, -1.0}, MAT3_IDENTITY, (Vec3){4.0, 4.0, 2.0}, &floors[1].solid);
    for (int k = 0; k < 2; k++) {
        static const double tilts[] = {0.0, 1e-12, 1e-9, 1e-4, 0.01};
        for (int i = 0; i < 5; i++) {
            a.place = (Placement){{0.1, 0.2, 0.5}, rotation3(X, tilts[i])};
            assert_int_equal(near(&a, &floors[k], f), 4);
            assert_close(f[0].gap, 0.5 - 0.5 * cos(tilts[i]) - 0.3 * sin(tilts[i]), 1e-12, "gap");
            Vec3 sum = {0.0, 0.0, 0.0};
            for (int j = 0; j < 4; j++) {
                sum = add3(sum, place_of(&f[j], &a.place, &floors[k].place));
            }
            assert_close(0.25 * sum.x, 0.1, 0.1, "span");
            assert_close(0.25 * sum.y, 0.2, 0.1, "span");
        }
        a.place = (Placement){{0.1, 0.2, 0.3}, rotation3(X, 0.5 * PI)};
        assert_int_equal(near(&a, &floors[k], f), 2);
        for (int j = 0; j < 2; j++) {
            const Vec3 x = place_of(&f[j], &a.place, &floors[k].place);
            assert_close(f[j].gap, 0.0, 1e-15, "lying");
            assert_close(fabs(x.y - 0.2), 0.5, 1e-12, "end");
        }
        a.place = (Placement){{0.1, 0.2, 0.5}, rotation3(X, 0.6)};
        assert_int_equal(near(&a, &floors[k], f), 1);
        assert_int_equal(f[0].kind, FEATURE_RIM);
    }
    // over the border of the box
    a.place = (Placement){{2.1, 0.0, 0.5}, MAT3_IDENTITY};
    const int n = near(&a, &floors[1], f);
    assert_int_equal(n, 3);
    for (int j = 0; j < n; j++) {
        assert_true(place_of(&f[j], &a.place, &floors[1].place).x <= 2.0 + 1e-9);
        assert_close(f[j].gap, 0.0, 1e-15, "over the border");
    }
    a.place = (Placement){{2.0, 0.2, 0.3}, rotation3(Y, 0.5 * PI)};
    assert_int_equal(near(&a, &floors[1], f), 2);
    assert_close(f[1].gap, 0.0, 1e-15, "lying over the border");
}

static void test_other_patches(void** state) {
    (void)state;
    static Case a, b;
    Feature f[8];
    make_cylinder(&a, 0.3, 1.0);
    make_cylinder(&b, 0.5, 1.0);
    // one on the other, in the middle, beside it, and lying on its end
    a.place.r = (Vec3){0.1, 0.0, 1.0};
    assert_int_equal(near(&a, &b, f), 4);
    assert_close(f[3].gap, 0.0, 1e-14, "end on end");
    a.place.r = (Vec3){0.5, 0.1, 1.0};
    assert_int_equal(near(&a, &b, f), 4);
    for (int i = 0; i < 4; i++) {
        const Vec3 x = place_of(&f[i], &a.place, &b.place);
        assert_true(sqrt(x.x * x.x + x.y * x.y) <= 0.5 + 1e-7);
        assert_close(f[i].gap, 0.0, 1e-14, "end over end");
    }
    a.place = (Placement){{0.1, 0.1, 0.8}, rotation3(X, 0.5 * PI)};
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[1].gap, 0.0, 1e-14, "side on end");
    // side by side, and crosswise
    a.place = (Placement){{0.8, 0.0, 0.4}, MAT3_IDENTITY};
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[1].gap, 0.0, 1e-14, "side by side");
    assert_int_equal(f[0].kind, FEATURE_SHAFT);
    a.place = (Placement){{0.81, 0.0, 0.1}, rotation3(X, 0.5 * PI)};
    assert_int_equal(near(&a, &b, f), 1);
    assert_int_equal(f[0].kind, FEATURE_EDGES);
    assert_close(f[0].gap, 0.01, 1e-14, "crosswise");
    // the same one twice
    a = b;
    case_room(&a);
    assert_true(near(&a, &b, f) >= 1);
    assert_close(f[0].gap, -1.0, 1e-14, "the same");
    // a capsule along the side, and a box beside it with an edge along it
    case_room(&a);
    solid_capsule((Vec3){0.0, 0.0, -0.3}, (Vec3){0.0, 0.0, 2.0}, 0.2, &a.solid);
    a.place.r = (Vec3){0.0, 0.7, 0.0};
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[1].gap, 0.0, 1e-14, "capsule along the side");
    solid_box((Vec3){0.0, 0.0, 0.0}, rotation3(Z, 0.25 * PI), (Vec3){1.0, 1.0, 0.6}, &a.solid);
    a.place.r = (Vec3){0.5 + sqrt(0.5), 0.0, 0.1};
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[1].gap, 0.0, 1e-14, "edge along the side");
    solid_box((Vec3){0.0, 0.0, 0.0}, MAT3_IDENTITY, (Vec3){1.0, 1.0, 0.6}, &a.solid);
    a.place.r = (Vec3){1.0, 0.0, 0.1};
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[1].gap, 0.0, 1e-14, "face along the side");
    // a box on the end
    a.place.r = (Vec3){0.1, 0.0, 0.8};
    assert_int_equal(near(&a, &b, f), 4);
    assert_close(f[3].gap, 0.0, 1e-14, "box on the end");
    a.place.r = (Vec3){0.7, 0.1, 0.8};
    const int n = near(&a, &b, f);
    assert_in_range(n, 3, 4);
    assert_close(f[n - 1].gap, 0.0, 1e-14, "box over the end");
}

// A peg in its hole touches with both rims.
static void test_peg_in_hole(void** state) {
    (void)state;
    static Case a, b;
    Feature f[8];
    make_cylinder(&a, 0.3, 1.0);
    case_room(&b);
    solid_bore((Vec3){0.0, 0.0, 5.0}, Z, 0.301, &b.solid);
    assert_int_equal(near(&a, &b, f), 8);
    assert_close(f[0].gap, 0.001, 1e-14, "peg");
    assert_close(f[7].gap, 0.001, 1e-14, "peg");
    solid_hollow((Vec3){0.0, 0.0, 0.0}, sqrt(0.34) + 0.01, &b.solid);
    assert_int_equal(near(&a, &b, f), 8);
    assert_close(f[0].gap, 0.01, 1e-14, "hollow");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finite),        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_touching),      cmocka_unit_test(test_nearly_parallel),
        cmocka_unit_test(test_infinite),      cmocka_unit_test(test_upright_and_lying),
        cmocka_unit_test(test_other_patches), cmocka_unit_test(test_peg_in_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
