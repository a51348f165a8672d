// The set of features that spans the patch in which two solids touch.
#include "solid_cases.h"

static const NearOptions OPTIONS = {.margin = 0.01, .turn = 0.0, .most = 8};

static const Vec3 X = {1.0, 0.0, 0.0}, Z = {0.0, 0.0, 1.0};

// Where a feature is, in the world: its point or, of edges, where they cross
static Vec3 feature_point(const Feature* f, const Placement* a, const Placement* b) {
    const Placement* first = f->swapped ? b : a;
    const Placement* second = f->swapped ? a : b;
    const Vec3 p = in_world(first, f->sides[0].at);
    if (f->kind != FEATURE_EDGES) {
        return p;
    }
    const Vec3 q = in_world(second, f->sides[1].at);
    const Vec3 d = turn3(first->R, f->sides[0].axis), e = turn3(second->R, f->sides[1].axis);
    const Vec3 c = cross3(d, e);
    return add3(p, scale3(dot3(cross3(e, sub3(p, q)), c) / dot3(c, c), d));
}

static int near(const Case* a, const Case* b, Feature* f) {
    const int n = solid_near(&a->solid, &a->place, &b->solid, &b->place, &OPTIONS, f);
    check_features(a, b, n, f, 1.0);
    return n;
}

static void box_at(Case* c, Vec3 sizes, Vec3 at, Mat3 R) {
    case_room(c);
    solid_box((Vec3){0.0, 0.0, 0.0}, MAT3_IDENTITY, sizes, &c->solid);
    c->place = (Placement){at, R};
}

// All expected points are there, with the gap.
static void check_points(const Case* a, const Case* b, int n_expected, const Vec3* expected,
                         double gap) {
    Feature f[8];
    const int n = near(a, b, f);
    assert_int_equal(n, n_expected);
    for (int i = 0; i < n_expected; i++) {
        double least = INFINITY;
        for (int k = 0; k < n; k++) {
            const Vec3 d = sub3(feature_point(&f[k], &a->place, &b->place), expected[i]);
            least = fmin(least, sqrt(d.x * d.x + d.y * d.y));
            assert_close(f[k].gap, gap, 1e-9, "gap");
        }
        assert_close(least, 0.0, 1e-7, "point");
    }
}

// On top of each other: the corners of the overlap, whichever gap or tiny tilt
static void test_box_flush_on_box(void** state) {
    (void)state;
    static const double gaps[] = {0.0, 1e-12, -1e-12, 0.003, -0.05};
    static Case a, b;
    for (int i = 0; i < 5; i++) {
        for (int tilt = 0; tilt < 20; tilt++) {
            const Mat3 R = rotation3(random_direction(), tilt == 0 ? 0.0 : 1e-12);
            box_at(&b, (Vec3){2.0, 1.0, 0.5}, (Vec3){0.0, 0.0, -0.25}, MAT3_IDENTITY);
            box_at(&a, (Vec3){1.0, 1.0, 1.0}, (Vec3){0.9, 0.3, 0.5 + gaps[i]}, R);
            const Vec3 corners[4] = {
                {0.4, -0.2, 0.0}, {1.0, -0.2, 0.0}, {1.0, 0.5, 0.0}, {0.4, 0.5, 0.0}};
            check_points(&a, &b, 4, corners, gaps[i]);
            check_points(&b, &a, 4, corners, gaps[i]);
            // a smaller one within, and the same size
            box_at(&a, (Vec3){0.4, 0.2, 1.0}, (Vec3){0.2, 0.1, 0.5 + gaps[i]}, R);
            const Vec3 within[4] = {
                {0.0, 0.0, 0.0}, {0.4, 0.0, 0.0}, {0.0, 0.2, 0.0}, {0.4, 0.2, 0.0}};
            check_points(&a, &b, 4, within, gaps[i]);
            box_at(&a, (Vec3){2.0, 1.0, 1.0}, (Vec3){0.0, 0.0, 0.5 + gaps[i]}, R);
            const Vec3 same[4] = {
                {1.0, 0.5, 0.0}, {-1.0, 0.5, 0.0}, {1.0, -0.5, 0.0}, {-1.0, -0.5, 0.0}};
            check_points(&a, &b, 4, same, gaps[i]);
        }
    }
}

// Of four points in any order: the largest of the quadrilaterals
static double spanned_area(const Vec3 x[4]) {
    static const int orders[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const Vec3 p = sub3(x[orders[k][2]], x[orders[k][0]]);
        const Vec3 q = sub3(x[orders[k][3]], x[orders[k][1]]);
        most = fmax(most, 0.5 * fabs(cross3(p, q).z));
    }
    return most;
}

// Turned by 45 degrees the overlap is an octagon: four of its corners, the same ones each time
static void test_box_turned_on_box(void** state) {
    (void)state;
    static Case a, b;
    long long keys[4] = {0};
    for (int trial = 0; trial < 50; trial++) {
        box_at(&b, (Vec3){1.0, 1.0, 0.5}, (Vec3){0.0, 0.0, -0.25}, MAT3_IDENTITY);
        const Mat3 R = product3(rotation3(random_direction(), trial == 0 ? 0.0 : 1e-13),
                                rotation3_z(0.25 * 3.14159265358979323846));
        box_at(&a, (Vec3){1.0, 1.0, 1.0}, (Vec3){0.0, 0.0, 0.5}, R);
        Feature f[8];
        assert_int_equal(near(&a, &b, f), 4);
        Vec3 x[4];
        for (int i = 0; i < 4; i++) {
            x[i] = feature_point(&f[i], &a.place, &b.place);
            assert_int_equal(f[i].kind, FEATURE_EDGES);
            assert_close(f[i].gap, 0.0, 1e-12, "gap");
        }
        assert_true(spanned_area(x) > 0.55);  // the octagon has 0.828, four of it 0.586
        for (int i = 0; i < 4; i++) {
            bool found = trial == 0;
            for (int k = 0; k < 4; k++) {
                found = found || f[i].key == keys[k];
            }
            assert_true(found);
        }
        for (int i = 0; i < 4; i++) {
            keys[i] = f[i].key;
        }
    }
}

// Over an edge: nothing beyond it
static void test_box_over_border(void** state) {
    (void)state;
    static Case a, b;
    box_at(&b, (Vec3){2.0, 2.0, 2.0}, (Vec3){0.0, 0.0, -1.0}, MAT3_IDENTITY);
    // a leans over the edge of b at x = 1, turned down by 0.05 about y
    box_at(&a, (Vec3){1.0, 0.6, 0.4}, (Vec3){1.2, 0.0, 0.2},
           rotation3((Vec3){0.0, 1.0, 0.0}, 0.05));
    Feature f[8];
    int n = near(&a, &b, f);
    assert_true(n >= 2);
    for (int i = 0; i < n; i++) {
        assert_true(feature_point(&f[i], &a.place, &b.place).x <= 1.0 + 1e-3);
    }
    assert_close(feature_point(&f[0], &a.place, &b.place).x, 1.0, 1e-3, "at the edge");
    assert_close(feature_point(&f[1], &a.place, &b.place).x, 1.0, 1e-3, "at the edge");
    // standing on an edge: its two ends
    box_at(&a, (Vec3){0.5, 0.5, 0.5}, (Vec3){0.0, 0.0, sqrt(0.125)},
           rotation3(X, 0.25 * 3.14159265358979323846));
    const Vec3 ends[2] = {{0.25, 0.0, 0.0}, {-0.25, 0.0, 0.0}};
    check_points(&a, &b, 2, ends, 0.0);
    // beside each other, lower than its top: pushed sideways, and nothing from above
    box_at(&a, (Vec3){1.0, 1.0, 1.0}, (Vec3){1.5 + 1e-6, 0.0, -0.2}, MAT3_IDENTITY);
    n = near(&a, &b, f);
    assert_int_equal(n, 4);
    for (int i = 0; i < n; i++) {
        const Vec3 axis = f[i].kind == FEATURE_EDGES
                              ? cross3(f[i].sides[0].axis, f[i].sides[1].axis)
                              : f[i].sides[1].axis;
        assert_close(fabs(axis.x), 1.0, 1e-12, "sideways");
    }
}

static void test_points_and_edges(void** state) {
    (void)state;
    static Case a, b;
    Feature f[8];
    // corner to corner, and edge along edge
    box_at(&b, (Vec3){2.0, 2.0, 2.0}, (Vec3){0.0, 0.0, 0.0}, MAT3_IDENTITY);
    box_at(&a, (Vec3){2.0, 2.0, 2.0}, (Vec3){2.3, 2.3, 2.3}, MAT3_IDENTITY);
    assert_int_equal(near(&a, &b, f), 1);
    assert_close(f[0].gap, 0.3 * sqrt(3.0), 1e-15, "corners");
    a.place.r = (Vec3){2.003, 0.5, 2.004};
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[0].gap, 0.005, 1e-15, "edges");
    assert_close(f[1].gap, 0.005, 1e-15, "edges");
    a.place.r = (Vec3){2.0, 2.0, 2.0};  // corner on corner
    assert_true(near(&a, &b, f) >= 1);
    assert_close(f[0].gap, 0.0, 1e-15, "touching corners");
    a.place.r = (Vec3){2.0, 0.0, 2.0};
    assert_true(near(&a, &b, f) >= 1);
    assert_close(f[0].gap, 0.0, 1e-15, "touching edges");
    a.place.r = (Vec3){0.0, 0.0, 0.0};  // one in the other
    assert_int_equal(near(&a, &b, f), 4);
    assert_close(f[0].gap, -2.0, 1e-15, "the same box");
}

static void test_capsules(void** state) {
    (void)state;
    static Case a, b;
    Feature f[8];
    case_room(&a);
    solid_capsule((Vec3){-0.5, 0.0, 0.0}, (Vec3){0.5, 0.0, 0.0}, 0.1, &a.solid);
    box_at(&b, (Vec3){2.0, 2.0, 2.0}, (Vec3){0.0, 0.0, -1.0}, MAT3_IDENTITY);
    a.place.r = (Vec3){0.0, 0.3, 0.1};
    const Vec3 ends[2] = {{-0.5, 0.3, 0.0}, {0.5, 0.3, 0.0}};
    check_points(&a, &b, 2, ends, 0.0);
    a.place.r.x = 1.0;  // half of it over the border
    const Vec3 border[2] = {{0.5, 0.3, 0.0}, {1.0, 0.3, 0.0}};
    check_points(&a, &b, 2, border, 0.0);
    a.place.r = (Vec3){0.0, 1.06, 0.08};  // along an edge
    const Vec3 along[2] = {{-0.5, 1.06, 0.0}, {0.5, 1.06, 0.0}};
    check_points(&a, &b, 2, along, 0.0);
    assert_int_equal(near(&a, &b, f), 2);
    assert_int_equal(f[0].kind, FEATURE_SHAFT);
    // side by side, one ahead
    case_room(&b);
    solid_capsule((Vec3){-0.3, 0.0, 0.0}, (Vec3){2.0, 0.0, 0.0}, 0.2, &b.solid);
    a.place.r = (Vec3){0.0, 0.0, 0.305};
    const Vec3 sides[2] = {{-0.3, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    check_points(&a, &b, 2, sides, 0.005);
    solid_shaft((Vec3){5.0, 0.0, 0.0}, X, 0.2, &b.solid);
    const Vec3 both[2] = {{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    check_points(&a, &b, 2, both, 0.005);
    // a box lies on the shaft
    box_at(&a, (Vec3){1.0, 0.6, 0.5}, (Vec3){0.0, 0.1, 0.45}, MAT3_IDENTITY);
    assert_int_equal(near(&a, &b, f), 2);
    assert_close(f[0].gap, 0.0, 1e-15, "box on shaft");
    assert_close(fabs(feature_point(&f[0], &a.place, &b.place).x), 0.5, 1e-12, "end");
}

// A sphere-like hull rolls over a plane and a face: several of its points are listed.
static void test_many_corners(void** state) {
    (void)state;
    static Case a, b;
    case_room(&a);
    Vec3 points[60];
    for (int i = 0; i < 60; i++) {
        const double z = 1.0 - 2.0 * (i + 0.5) / 60, angle = 2.399963229728653 * i;
        points[i] = (Vec3){sqrt(1.0 - z * z) * cos(angle), sqrt(1.0 - z * z) * sin(angle), z};
    }
    assert_null(solid_hull(60, points, 0.0, &a.solid));
    box_at(&b, (Vec3){4.0, 4.0, 4.0}, (Vec3){0.0, 0.0, -2.0}, MAT3_IDENTITY);
    static Case plane;
    case_room(&plane);
    solid_plane((Vec3){0.0, 0.0, 0.0}, Z, &plane.solid);
    for (int trial = 0; trial < 100; trial++) {
        a.place = (Placement){{0.0, 0.0, 1.0}, random_rotation()};
        const NearOptions options = {.margin = 0.2, .turn = 0.3, .most = 4};
        Feature f[4], g[4];
        const int n = solid_near(&a.solid, &a.place, &b.solid, &b.place, &options, f);
        const int m = solid_near(&a.solid, &a.place, &plane.solid, &plane.place, &options, g);
        check_features(&a, &b, n, f, 1.0);
        assert_in_range(n, 3, 4);
        assert_in_range(m, 3, 4);
        assert_close(f[0].gap, g[0].gap, 1e-14, "face and plane");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_flush_on_box), cmocka_unit_test(test_box_turned_on_box),
        cmocka_unit_test(test_box_over_border),  cmocka_unit_test(test_points_and_edges),
        cmocka_unit_test(test_capsules),         cmocka_unit_test(test_many_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
