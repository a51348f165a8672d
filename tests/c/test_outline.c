// Outlines of the plane: paths and their errors, parts, inside, support, moments.
#include "outline_cases.h"

#include "geometry/outline_part.h"

// --- paths ---

static void expect_error(const char* part_of_message, int n, const OutlineStep* steps) {
    static OutlinePart parts[MOST_PARTS];
    Outline outline;
    const char* error = outline_from_path(n, steps, parts, &outline);
    if (error == NULL || strstr(error, part_of_message) == NULL) {
        fail_msg("%s instead of %s", error ? error : "no error", part_of_message);
    }
}

static void test_errors(void** state) {
    (void)state;
    const OutlineStep square[] = {{.to = {0, 0}}, {.to = {1, 0}}, {.to = {1, 1}}, {.to = {0, 1}}};
    expect_error("two steps", 1, square);
    expect_error("two steps", 0, NULL);
    expect_error("area", 2, square);
    expect_error("no length", 3, (OutlineStep[]){{.to = {0, 0}}, {.to = {1, 0}}, {.to = {1, 0}}});
    expect_error("no length", 2, (OutlineStep[]){{.to = {3, 3}}, {.to = {3, 3}}});
    expect_error("too small", 3,
                 (OutlineStep[]){{.to = {0, 0}}, {.to = {1, 0}, .bulge = 0.4}, {.to = {1, 1}}});
    expect_error("finite", 3, (OutlineStep[]){{.to = {0, 0}}, {.to = {NAN, 0}}, {.to = {1, 1}}});
    expect_error("finite", 3,
                 (OutlineStep[]){{.to = {0, 0}}, {.to = {INFINITY, 0}}, {.to = {1, 1}}});
    expect_error("finite", 3,
                 (OutlineStep[]){{.to = {0, 0}}, {.to = {1, 0}, .bulge = NAN}, {.to = {1, 1}}});
    // a bow tie; a path that touches itself with a corner, along a side, with a circle
    expect_error("crosses", 4,
                 (OutlineStep[]){{.to = {0, 0}}, {.to = {1, 1}}, {.to = {1, 0}}, {.to = {0, 1}}});
    expect_error(
        "crosses", 5,
        (OutlineStep[]){
            {.to = {0, 0}}, {.to = {2, 0}}, {.to = {2, 2}}, {.to = {1, 0}}, {.to = {0, 2}}});
    expect_error("crosses", 6,
                 (OutlineStep[]){{.to = {0, 0}},
                                 {.to = {3, 0}},
                                 {.to = {3, 1}},
                                 {.to = {2, 0}},
                                 {.to = {1, 0}},
                                 {.to = {0, 1}}});
    expect_error("area", 3, (OutlineStep[]){{.to = {0, 0}}, {.to = {2, 0}}, {.to = {1, 0}}});
    expect_error("crosses", 4,
                 (OutlineStep[]){{.to = {-1, 0}},
                                 {.to = {1, 0}},
                                 {.to = {1, 1}},
                                 {.to = {-1, 1}, .bulge = -1.0, .large = false}});
    expect_error(
        "crosses", 4,
        (OutlineStep[]){
            {.to = {0, 0}}, {.to = {1, 0}}, {.to = {1, 0.3}}, {.to = {0, 0.3}, .bulge = -0.5}});
}

// Straight parts and corners in turn, whichever way the path is given, wherever it begins
static void test_box_parts(void** state) {
    (void)state;
    const Vec2 x[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}};  // one lies on a side
    for (int first = 0; first < 5; first++) {
        for (int sense = -1; sense <= 1; sense += 2) {
            Vec2 y[5];
            for (int i = 0; i < 5; i++) {
                y[i] = x[(first + sense * i + 10) % 5];
            }
            static Shape box;
            shape_polygon(&box, "box", 5, y);
            const Outline* o = &box.outline;
            assert_int_equal(o->n, 8);
            assert_true(o->convex && o->closed && !o->infinite);
            assert_close(o->centre.x, 1.0, 1e-12, "centre");
            assert_close(o->centre.y, 0.5, 1e-12, "centre");
            assert_close(o->reach, sqrt(1.25), 1e-11, "reach");
            for (int i = 0; i < 8; i++) {
                const OutlinePart *p = &o->parts[i], *q = &o->parts[(i + 1) % 8];
                assert_int_equal(p->kind, i % 2 ? OUTLINE_ROUND : OUTLINE_STRAIGHT);
                assert_true(!p->inward && !p->whole && p->radius == 0.0);
                const Vec2 d = sub2(part_end(p), part_begin(q));
                assert_close(length2(d), 0.0, 1e-15, "joint");
                assert_close(length2(sub2(p->to, q->from)), 0.0, 1e-15, "normal at a joint");
                assert_true(dot2(p->from, sub2(part_begin(p), o->centre)) > 0.0);
            }
        }
    }
}

static void test_arcs_of_paths(void** state) {
    (void)state;
    static Shape shape;
    // two half circles are a circle
    shape_path(&shape, "circle", 2,
               (OutlineStep[]){{.to = {1, 2}, .bulge = -1}, {.to = {3, 2}, .bulge = -1}});
    assert_int_equal(shape.outline.n, 1);
    assert_true(shape.parts[0].whole && shape.parts[0].kind == OUTLINE_ROUND);
    assert_close(shape.parts[0].at.x, 2.0, 1e-15, "centre");
    // the larger arc over a chord: a circle of which a segment is cut off
    shape_path(
        &shape, "cut circle", 2,
        (OutlineStep[]){{.to = {-0.6, -0.8}}, {.to = {0.6, -0.8}, .bulge = -1, .large = true}});
    assert_int_equal(shape.outline.n, 4);
    assert_true(shape.outline.convex);
    assert_close(outline_support(&shape.outline, (Vec2){0, 1}), 1.0, 1e-14, "top");
    assert_close(outline_support(&shape.outline, (Vec2){0, -1}), 0.8, 1e-14, "bottom");
    shape_rounded_box(&shape, 2.0, 1.0, 0.2);
    assert_int_equal(shape.outline.n, 8);
    assert_true(shape.outline.convex);
    shape_L(&shape, 1.0, 0.3);
    int inward = 0;
    for (int i = 0; i < shape.outline.n; i++) {
        inward += shape.parts[i].inward;
    }
    assert_int_equal(inward, 1);
    assert_true(!shape.outline.convex);
    // cusps: between two hollow arcs a spike; a drop's tip
    shape_path(&shape, "spikes", 4,
               (OutlineStep[]){{.to = {1, 0}, .bulge = -1},
                               {.to = {0, 1}, .bulge = -1},
                               {.to = {-1, 0}, .bulge = -1},
                               {.to = {0, -1}, .bulge = -1}});
    assert_int_equal(shape.outline.n, 8);
    for (int i = 0; i < 8; i++) {
        assert_true(!shape.parts[i].inward);
    }
    assert_true(outline_contains(&shape.outline, (Vec2){0.0, 0.0}));
    assert_false(outline_contains(&shape.outline, (Vec2){0.3, 0.3}));
}

static void test_segments(void** state) {
    (void)state;
    static Shape shape;
    assert_false(outline_segment((Vec2){1, 1}, (Vec2){1, 1}, 0.1, shape.parts, &shape.outline));
    shape_plain(&shape, "segment", 1.0);
    assert_true(!shape.outline.closed && shape.outline.convex);
    assert_false(outline_contains(&shape.outline, shape.outline.centre));
    assert_close(outline_moments(&shape.outline).area, 0.0, 0.0, "area of a segment");
    shape_plain(&shape, "line", 1.0);
    assert_true(isinf(outline_support(&shape.outline, (Vec2){1, 0})));
    outline_arc((Vec2){1, 1}, 1.0, 0.5, 0.5 + 2.0 * PI, 0.2, shape.parts, &shape.outline);
    assert_int_equal(shape.outline.n, 2);
    assert_false(outline_contains(&shape.outline, (Vec2){1, 1}));
    assert_true(outline_contains(&shape.outline, (Vec2){1, 2.05}));
    assert_false(outline_contains(&shape.outline, (Vec2){1, 2.11}));
    assert_close(outline_moments(&shape.outline).area, PI * (1.21 - 0.81), 1e-13, "area of a tube");
}

// --- inside, support ---

// A polygon that follows the outline closely: its arcs in many pieces
enum { PIECES = 2000, MOST_POINTS = 400000 };

static int fine_polygon(const Outline* o, Vec2* x) {
    const Placement origin = placed(0.0, 0.0, 0.0);
    int n = 0;
    for (int i = 0; i < o->n; i++) {
        const Curve k = curve_of(&o->parts[i], &origin);
        const int pieces = k.straight || k.radius == 0.0 ? 1 : PIECES;
        for (int s = 0; s < pieces && !(!k.straight && k.radius == 0.0); s++) {
            assert_true(n < MOST_POINTS);
            x[n++] = curve_at(&k, (double)s / pieces);
        }
    }
    return n;
}

static bool polygon_contains(int n, const Vec2* x, Vec2 p) {
    bool inside = false;
    for (int i = 0; i < n; i++) {
        const Vec2 u = x[i], v = x[(i + 1) % n];
        if ((u.y > p.y) != (v.y > p.y) && p.x < u.x + (p.y - u.y) * (v.x - u.x) / (v.y - u.y)) {
            inside = !inside;
        }
    }
    return inside;
}

enum { N_CLOSED = 9 };

static void make_closed(Shape* shapes) {
    shape_plain(&shapes[0], "thick segment", 1.0);
    shape_plain(&shapes[1], "arc", 1.0);
    shape_box(&shapes[2], 1.0, 0.5);
    shape_rounded_box(&shapes[3], 1.2, 0.8, 0.2);
    shape_lens(&shapes[4], 1.0, 0.8);
    shape_star(&shapes[5], 7, 1.0, 0.4);
    shape_L(&shapes[6], 1.0, 0.3);
    shape_gear(&shapes[7], 11, 0.9, 0.2);
    shape_geneva(&shapes[8], 5, 1.0);
}

static void test_inside_and_support(void** state) {
    (void)state;
    static Shape shapes[N_CLOSED];
    static Vec2 x[MOST_POINTS];
    make_closed(shapes);
    for (int k = 0; k < N_CLOSED; k++) {
        const Outline* o = &shapes[k].outline;
        const int n = fine_polygon(o, x);
        for (int i = 0; i < 300; i++) {
            const Vec2 p = {random_in(-1.3, 1.3), random_in(-1.3, 1.3)};
            double near = INFINITY;
            for (int j = 0; j < n; j++) {
                near = fmin(near, length2(sub2(x[j], p)));
            }
            if (outline_contains(o, p) != polygon_contains(n, x, p) && near > 1e-3) {
                fail_msg("%s contains %g %g, or not", shapes[k].name, p.x, p.y);
            }
            assert_true(!polygon_contains(n, x, p) || length2(sub2(p, o->centre)) <= o->reach);
        }
        for (int i = 0; i < 100; i++) {
            const Vec2 d = polar(1.0, random_in(-4.0, 4.0));
            double most = -INFINITY;
            for (int j = 0; j < n; j++) {
                most = fmax(most, dot2(x[j], d));
            }
            assert_close(outline_support(o, d), most, 1e-6, "support");
        }
    }
}

// Where lines through corners and centres are hit exactly
static void test_inside_on_lines(void** state) {
    (void)state;
    static Shape shape;
    shape_plain(&shape, "circle", 1.0);
    assert_true(outline_contains(&shape.outline, shape.outline.centre));
    shape_rounded_box(&shape, 2.0, 2.0, 0.5);
    for (int i = -9; i <= 9; i++) {
        for (int j = -9; j <= 9; j++) {
            const double u = fmax(fabs(0.125 * i) - 0.5, 0.0), v = fmax(fabs(0.125 * j) - 0.5, 0.0);
            const double distance = sqrt(u * u + v * v);
            if (fabs(distance - 0.5) > 1e-9) {
                assert_true(outline_contains(&shape.outline, (Vec2){0.125 * i, 0.125 * j}) ==
                            (distance < 0.5));
            }
        }
    }
    shape_star(&shape, 6, 1.0, 0.5);
    for (int i = 0; i < 100; i++) {
        const double t = 0.0199 * (i - 50);
        assert_true(outline_contains(&shape.outline, (Vec2){t, 0.0}));
        assert_false(outline_contains(&shape.outline, (Vec2){t < 0.0 ? t - 1.01 : t + 1.01, 0.0}));
    }
}

// --- moments ---

static void expect_moments(const Outline* o, double area, Vec2 centre, double polar_moment,
                           double tolerance) {
    const OutlineMoments m = outline_moments(o);
    assert_close(m.area, area, tolerance * area, "area");
    assert_close(m.centre.x, centre.x, tolerance, "centre x");
    assert_close(m.centre.y, centre.y, tolerance, "centre y");
    assert_close(m.polar, polar_moment, tolerance * polar_moment, "second moment");
}

static void test_closed_forms(void** state) {
    (void)state;
    static Shape s;
    shape_box(&s, 3.0, 2.0);
    expect_moments(&s.outline, 6.0, (Vec2){0, 0}, 6.0 * (9.0 + 4.0) / 12.0, 1e-14);
    shape_polygon(&s, "triangle", 3, (Vec2[]){{100, 0}, {103, 0}, {100, 6}});
    expect_moments(&s.outline, 9.0, (Vec2){101, 2}, 3.0 * 6.0 * (9.0 + 36.0) / 36.0, 1e-13);
    outline_circle((Vec2){2, -3}, 1.5, s.parts, &s.outline);
    const double square = 2.25;
    expect_moments(&s.outline, PI * square, (Vec2){2, -3}, PI * square * square / 2.0, 1e-14);
    // a box 2a x 2b with corners of radius r: the box less four squares with quarter circles cut
    // out
    const double a = 1.0, b = 0.6, r = 0.25;
    shape_rounded_box(&s, 2.0 * a, 2.0 * b, r);
    const double cut = r * r * (1.0 - PI / 4.0);
    double polar_moment = 4.0 * a * b * (a * a + b * b) / 3.0;
    const double corner =
        r * r * (r * r / 6.0) + r * r * ((a - r / 2) * (a - r / 2) + (b - r / 2) * (b - r / 2));
    const double arm = 4.0 * r / (3.0 * PI), quarter = PI * r * r / 4.0;
    const double about_centre = PI * r * r * r * r / 8.0 - quarter * 2.0 * arm * arm;
    const double sector =
        about_centre + quarter * ((a - r + arm) * (a - r + arm) + (b - r + arm) * (b - r + arm));
    polar_moment += 4.0 * (sector - corner);
    expect_moments(&s.outline, 4.0 * a * b - 4.0 * cut, (Vec2){0, 0}, polar_moment, 1e-13);
    // a segment with round ends: a box and a circle, moved apart
    assert_true(outline_segment((Vec2){-1, 0}, (Vec2){1, 0}, 1.0, s.parts, &s.outline));
    assert_close(outline_moments(&s.outline).area, 2.0 + PI / 4.0, 1e-14, "area of a stadium");
}

static void test_moments_of_polygons(void** state) {
    (void)state;
    static Shape shapes[N_CLOSED];
    static Vec2 x[MOST_POINTS];
    make_closed(shapes);
    for (int k = 0; k < N_CLOSED; k++) {
        const int n = fine_polygon(&shapes[k].outline, x);
        double area = 0.0, polar_moment = 0.0;
        Vec2 first = {0, 0};
        for (int i = 0; i < n; i++) {
            const Vec2 p = x[i], q = x[(i + 1) % n];
            const double c = cross2(p, q);
            area += c / 2.0;
            first = add2(first, scale2(c / 6.0, add2(p, q)));
            polar_moment += c * (dot2(p, p) + dot2(p, q) + dot2(q, q)) / 12.0;
        }
        const Vec2 centre = scale2(1.0 / area, first);
        polar_moment -= area * dot2(centre, centre);
        expect_moments(&shapes[k].outline, area, centre, polar_moment, 1e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_box_parts),
        cmocka_unit_test(test_arcs_of_paths),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_inside_and_support),
        cmocka_unit_test(test_inside_on_lines),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_moments_of_polygons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
