// How solids are made, how far they reach, and their moments against closed forms and sums.
#include "solid_cases.h"

static const double PI = 3.14159265358979323846;

static double entry(const Mat3* A, int row, int column) {
    const Vec3 e = A->e[column];
    return row == 0 ? e.x : row == 1 ? e.y : e.z;
}

static void check_moments(const Solid* solid, double volume, Vec3 centre, Mat3 second, double tol) {
    const SolidMoments m = solid_moments(solid);
    assert_close(m.volume, volume, tol * volume, "volume");
    const double size = fmax(length3(centre), 1.0);
    assert_close(length3(sub3(m.centre, centre)), 0.0, tol * size, "centre");
    for (int i = 0; i < 9; i++) {
        assert_close(entry(&m.second, i / 3, i % 3), entry(&second, i / 3, i % 3), tol * volume,
                     "second moment");
    }
}

// sum of s_i e_i e_i^T
static Mat3 along_axes(Mat3 axes, Vec3 s) {
    Mat3 A = {0};
    const double of[3] = {s.x, s.y, s.z};
    for (int i = 0; i < 3; i++) {
        const Vec3 e = axes.e[i];
        A.e[0] = add3(A.e[0], scale3(of[i] * e.x, e));
        A.e[1] = add3(A.e[1], scale3(of[i] * e.y, e));
        A.e[2] = add3(A.e[2], scale3(of[i] * e.z, e));
    }
    return A;
}

static void test_moments_of_boxes(void** state) {
    (void)state;
    Case c;
    case_room(&c);
    for (int trial = 0; trial < 100; trial++) {
        const Mat3 axes = random_rotation();
        const Vec3 s = {random_in(0.1, 1.0), random_in(0.1, 1.0), random_in(0.1, 1.0)};
        const Vec3 at = random_vector(3.0);
        solid_box(at, axes, s, &c.solid);
        const double V = s.x * s.y * s.z;
        const double w = V / 12.0;
        const Vec3 m = {w * s.x * s.x, w * s.y * s.y, w * s.z * s.z};
        check_moments(&c.solid, V, at, along_axes(axes, m), 1e-13);
    }
}

static void test_moments_of_round_ones(void** state) {
    (void)state;
    Case c;
    case_room(&c);
    const double r = 0.3, h = 0.7;  // half length
    const Vec3 at = {1.0, -2.0, 0.5};
    const Mat3 axes = random_rotation();
    const Vec3 half = scale3(h, axes.e[2]);
    const double ball = 4.0 / 3.0 * PI * r * r * r, tube = 2.0 * PI * r * r * h;
    solid_sphere(at, r, &c.solid);
    const double m = ball * r * r / 5.0;
    check_moments(&c.solid, ball, at, along_axes(axes, (Vec3){m, m, m}), 1e-14);
    solid_cylinder(at, scale3(5.0, axes.e[2]), r, 2.0 * h, &c.solid);
    double x = tube * r * r / 4.0, z = tube * h * h / 3.0;
    check_moments(&c.solid, tube, at, along_axes(axes, (Vec3){x, x, z}), 1e-14);
    solid_capsule(sub3(at, half), add3(at, half), r, &c.solid);
    x += m;
    // a half ball: centre at 3/8 r, own 2/5 m r^2 / 2 - (3/8)^2
    const double centre = 3.0 / 8.0 * r;
    z += ball * (r * r / 5.0 - centre * centre + (h + centre) * (h + centre));
    check_moments(&c.solid, ball + tube, at, along_axes(axes, (Vec3){x, x, z}), 1e-14);
    solid_capsule(at, at, r, &c.solid);
    assert_int_equal(c.solid.n_points, 1);
}

// A rounded box is boxes, quarters of cylinders and eighths of balls.
static void test_moments_of_rounded_box(void** state) {
    (void)state;
    Case c, b;
    case_room(&c);
    case_room(&b);
    const Vec3 s = {0.8, 1.1, 0.6}, at = {2.0, 1.0, -1.0};
    const double r = 0.25, V = s.x * s.y * s.z;
    const Mat3 axes = random_rotation();
    solid_box(at, axes, s, &b.solid);
    assert_null(solid_hull(8, b.points, r, &c.solid));
    const double area = 2.0 * (s.x * s.y + s.y * s.z + s.z * s.x);
    const double volume =
        V + area * r + PI * r * r * (s.x + s.y + s.z) + 4.0 / 3.0 * PI * r * r * r;
    // the integral of x^2 from sections of the area A(x), a rounded rectangle
    const double sizes[3] = {s.x, s.y, s.z};
    double second[3];
    for (int i = 0; i < 3; i++) {
        const double h = 0.5 * sizes[i], y = sizes[(i + 1) % 3], z = sizes[(i + 2) % 3];
        const double full = y * z + 2.0 * r * (y + z) + PI * r * r;
        double sum = 2.0 * full * h * h * h / 3.0;
        const int n = 2000;  // Simpson over the angle: x = h + r sin, section rounded by r cos
        for (int k = 0; k <= n; k++) {
            const double angle = 0.5 * PI * k / n, q = r * cos(angle), w = h + r * sin(angle);
            const double section = y * z + 2.0 * q * (y + z) + PI * q * q;
            const double weight = k == 0 || k == n ? 1.0 : k % 2 != 0 ? 4.0 : 2.0;
            sum += 2.0 * weight / 3.0 * (0.5 * PI / n) * section * w * w * q;
        }
        second[i] = sum;
    }
    check_moments(&c.solid, volume, at, along_axes(axes, (Vec3){second[0], second[1], second[2]}),
                  1e-12);
}

// A rounded hull of any kind is between shells of polyhedra: here by random points within a box
static void test_moments_of_rounded_hull(void** state) {
    (void)state;
    Case c;
    case_room(&c);
    const Vec3 p[5] = {
        {0.0, 0.0, 0.0}, {1.0, 0.1, 0.0}, {0.2, 0.9, 0.1}, {0.3, 0.2, 0.8}, {0.9, 0.8, 0.3}};
    assert_null(solid_hull(5, p, 0.3, &c.solid));
    const SolidMoments m = solid_moments(&c.solid);
    Case dot;
    case_room(&dot);
    const NearOptions options = {.margin = 0.0, .turn = 0.0, .most = 1};
    const int n = 200000;
    double inside = 0.0;
    Vec3 first = {0.0, 0.0, 0.0};
    double xx = 0.0, xy = 0.0;
    for (int i = 0; i < n; i++) {
        const Vec3 x = {random_in(-0.3, 1.3), random_in(-0.3, 1.2), random_in(-0.3, 1.1)};
        solid_sphere(x, 0.0, &dot.solid);
        Feature f;
        solid_near(&dot.solid, &dot.place, &c.solid, &c.place, &options, &f);
        if (f.gap < 0.0) {
            const Vec3 d = sub3(x, m.centre);
            inside += 1.0;
            first = add3(first, d);
            xx += d.x * d.x;
            xy += d.x * d.y;
        }
    }
    const double cell = 1.6 * 1.5 * 1.4 / n;
    assert_close(inside * cell, m.volume, 0.01, "volume");
    assert_close(length3(scale3(1.0 / inside, first)), 0.0, 0.005, "centre");
    assert_close(xx * cell, m.second.e[0].x, 0.003, "xx");
    assert_close(xy * cell, m.second.e[0].y, 0.003, "xy");
}

static void test_support(void** state) {
    (void)state;
    for (int trial = 0; trial < 1000; trial++) {
        Case c;
        random_case(&c, (CaseKind)(trial % (CASE_CYLINDER + 1)), 1.0);
        const Vec3 d = random_direction();
        const double most = solid_support(&c.solid, d);
        assert_true(most <= dot3(d, c.solid.middle) + c.solid.reach + 1e-14);
        assert_true(most >= dot3(d, c.solid.middle) - c.solid.reach - 1e-14);
    }
    Case c;
    case_room(&c);
    solid_cylinder((Vec3){0.0, 0.0, 1.0}, (Vec3){0.0, 0.0, 2.0}, 0.5, 3.0, &c.solid);
    assert_close(solid_support(&c.solid, (Vec3){0.0, 0.0, 1.0}), 2.5, 1e-15, "along");
    assert_close(solid_support(&c.solid, (Vec3){0.6, 0.0, 0.8}), 0.8 * 2.5 + 0.3, 1e-15, "oblique");
    assert_close(c.solid.reach, sqrt(2.5), 1e-15, "reach");
    solid_plane((Vec3){0.0, 0.0, 1.0}, (Vec3){0.0, 0.0, 2.0}, &c.solid);
    assert_true(isinf(solid_support(&c.solid, (Vec3){0.0, 0.0, 1.0})));
    assert_true(isinf(c.solid.reach));
}

// The box has the topology of a hull of its corners.
static void test_box(void** state) {
    (void)state;
    Case c, h;
    case_room(&c);
    case_room(&h);
    solid_box((Vec3){1.0, 2.0, 3.0}, random_rotation(), (Vec3){1.0, 2.0, 3.0}, &c.solid);
    assert_null(solid_hull(8, c.points, 0.0, &h.solid));
    for (int e = 0; e < 12; e++) {
        const SolidEdge* edge = &c.edges[e];
        const Vec3 d = sub3(c.points[edge->ends[1]], c.points[edge->ends[0]]);
        const Vec3 left = c.faces[edge->faces[0]].normal, right = c.faces[edge->faces[1]].normal;
        assert_close(dot3(d, cross3(left, right)), length3(d), 1e-14, "edge");
        for (int k = 0; k < 4; k++) {
            const SolidFace* face = &c.faces[edge->faces[k / 2]];
            const Vec3 p = c.points[edge->ends[k % 2]];
            assert_close(dot3(face->normal, p), face->offset, 1e-14, "face");
        }
    }
    for (int f = 0; f < 6; f++) {
        const int* of = c.face_points + c.faces[f].first;
        const Vec3 p = c.points[of[0]], q = c.points[of[1]], r = c.points[of[2]];
        assert_true(dot3(c.faces[f].normal, cross3(sub3(q, p), sub3(r, q))) > 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_of_boxes),
        cmocka_unit_test(test_moments_of_round_ones),
        cmocka_unit_test(test_moments_of_rounded_box),
        cmocka_unit_test(test_moments_of_rounded_hull),
        cmocka_unit_test(test_support),
        cmocka_unit_test(test_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
