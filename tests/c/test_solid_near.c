// Distances and depths of pairs of solids at random poses, against other ways to find them.
// CLATTER_POSES: poses of each pair.
#include "solid_cases.h"

static const NearOptions WIDE = {.margin = 0.1, .turn = 0.1, .most = 8};

typedef double (*Reference)(const Case* a, const Case* b);

// Poses that touch or nearly do so among the rest: a is moved along the line of the middles.
static void random_pair(Case* a, Case* b, CaseKind kind_a, CaseKind kind_b, double size) {
    random_case(a, kind_a, size);
    random_case(b, kind_b, size);
    a->place.r = add3(a->place.r, random_vector(random_in(0.0, 2.0) * size));
}

static double check_pair(const Case* a, const Case* b, double expected, double tolerance,
                         double size, const char* what, bool flush, WorstErrors* worst) {
    Feature f[8], back[8];
    const int n = solid_near(&a->solid, &a->place, &b->solid, &b->place, &WIDE, f);
    assert_in_range(n, 1, 8);
    assert_close(f[0].gap, expected, tolerance * size, what);
    check_features(a, b, n, f, size);
    const int n_back = solid_near(&b->solid, &b->place, &a->solid, &a->place, &WIDE, back);
    assert_in_range(n_back, 1, 8);
    assert_close(back[0].gap, expected, tolerance * size, "the other way round");
    worst_gap(worst, (f[0].gap - expected) / size);
    // of flush faces beyond the margin one of several corners may be told
    if (f[0].gap <= WIDE.margin || !flush) {
        check_feature(a, b, &f[0], size, 1e-9, worst);
    }
    return f[0].gap;
}

static void check_kinds(CaseKind kind_a, CaseKind kind_b, int most, double size,
                        Reference reference, WorstErrors* worst) {
    static Case a, b;
    char what[80];
    snprintf(what, sizeof what, "%s and %s", CASE_NAMES[kind_a], CASE_NAMES[kind_b]);
    int penetrating = 0;
    const int trials = poses(most);
    for (int trial = 0; trial < trials; trial++) {
        random_pair(&a, &b, kind_a, kind_b, size);
        // now and then at a place where they just touch
        if (trial % 4 == 0) {
            const double gap = reference(&a, &b);
            Feature f[8];
            solid_near(&a.solid, &a.place, &b.solid, &b.place, &WIDE, f);
            const Placement* second = f[0].swapped ? &a.place : &b.place;
            Vec3 n = turn3(second->R, f[0].sides[1].axis);
            n = f[0].swapped ? scale3(-1.0, n) : n;
            if (f[0].kind == FEATURE_FLAT) {
                a.place.r = sub3(a.place.r, scale3(gap + random_in(-1e-6, 1e-6) * size, n));
            }
        }
        penetrating += check_pair(&a, &b, reference(&a, &b), 1e-12, size, what, false, worst) < 0.0;
    }
    assert_in_range(penetrating, trials / 50, trials);
}

static void test_hulls(void** state) {
    (void)state;
    WorstErrors worst = {0};
    for (CaseKind i = CASE_SPHERE; i <= CASE_ROUND_HULL; i++) {
        for (CaseKind k = CASE_SPHERE; k <= i; k++) {
            const int trials = i <= CASE_BOX ? 10000 : 3000;
            check_kinds(i, k, trials, 1.0, hull_gap, &worst);
        }
    }
    worst_print(&worst, "hulls");
}

// From micrometres to thousands of kilometres
static void test_scales(void** state) {
    (void)state;
    static const double sizes[] = {1e-6, 1e-3, 1e3, 1e6};
    WorstErrors worst = {0};
    for (int i = 0; i < 4; i++) {
        check_kinds(CASE_BOX, CASE_BOX, 500, sizes[i], hull_gap, &worst);
        check_kinds(CASE_CAPSULE, CASE_BOX, 500, sizes[i], hull_gap, &worst);
        check_kinds(CASE_HULL, CASE_SPHERE, 500, sizes[i], hull_gap, &worst);
    }
    worst_print(&worst, "hulls of other sizes, in parts of them");
}

// A small one and one that is a million times larger
static void test_ratio(void** state) {
    (void)state;
    static Case a, b;
    WorstErrors worst = {0};
    for (int trial = 0; trial < poses(3000); trial++) {
        random_case(&a, (CaseKind)(trial % (CASE_ROUND_HULL + 1)), 1e-6);
        random_case(&b, trial % 2 == 0 ? CASE_BOX : CASE_HULL, 1.0);
        // near a face of b
        const int f = random_below(b.solid.n_faces);
        const int* of = b.face_points + b.faces[f].first;
        const Vec3 p =
            scale3(1.0 / 3.0, add3(add3(b.points[of[0]], b.points[of[1]]), b.points[of[2]]));
        a.place.r = sub3(in_world(&b.place, p), turn3(a.place.R, a.solid.middle));
        a.place.r = add3(a.place.r, random_vector(2e-6));
        check_pair(&a, &b, hull_gap(&a, &b), 1e-12, 1.0, "small and large", false, &worst);
    }
    worst_print(&worst, "hulls, one a million times larger");
}

// Boxes along the axes with corners in whole numbers: faces flush, edges and corners on each other
static void test_flush_boxes(void** state) {
    (void)state;
    static Case a, b;
    WorstErrors worst = {0};
    for (int trial = 0; trial < poses(10000); trial++) {
        double out[3], square = 0.0, depth = -INFINITY;
        double halves[2][3], at[2][3];
        Case* both[2] = {&a, &b};
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < 3; i++) {
                halves[c][i] = 0.5 * (1 + random_below(3));
                at[c][i] = halves[c][i] + random_below(4);
            }
            case_room(both[c]);
            const Vec3 sizes = {2.0 * halves[c][0], 2.0 * halves[c][1], 2.0 * halves[c][2]};
            solid_box((Vec3){at[c][0], at[c][1], at[c][2]}, MAT3_IDENTITY, sizes, &both[c]->solid);
        }
        for (int i = 0; i < 3; i++) {
            out[i] = fabs(at[0][i] - at[1][i]) - halves[0][i] - halves[1][i];
            square += out[i] > 0.0 ? out[i] * out[i] : 0.0;
            depth = fmax(depth, out[i]);
        }
        const Placement turned = {random_vector(3.0), random_rotation()};
        a.place = b.place = trial % 2 == 0 ? a.place : turned;
        check_pair(&a, &b, depth > 0.0 ? sqrt(square) : depth, 1e-14, 10.0, "flush boxes", true,
                   &worst);
    }
    worst_print(&worst, "boxes flush with each other");
}

// --- those without end ---

static double plane_gap(const Case* a, const Case* b) {
    const Vec3 n = turn3(b->place.R, b->solid.axis);
    return -support_in_world(a, scale3(-1.0, n)) - dot3(n, in_world(&b->place, b->solid.centre));
}

// The shaft as a long capsule
static double shaft_gap(const Case* a, const Case* b) {
    static Case capsule;
    case_room(&capsule);
    const Solid* s = &b->solid;
    const Vec3 half = scale3(30.0, s->axis);
    solid_capsule(sub3(s->centre, half), add3(s->centre, half), s->radius, &capsule.solid);
    capsule.place = b->place;
    return hull_gap(a, &capsule);
}

static double hole_gap(const Case* a, const Case* b) {
    const Vec3 k = turn3(b->place.R, b->solid.axis);
    double most = 0.0;
    for (int i = 0; i < a->solid.n_points; i++) {
        const Vec3 d = sub3(case_point(a, i), in_world(&b->place, b->solid.centre));
        const double along = b->solid.kind == SOLID_BORE ? dot3(d, k) : 0.0;
        most = fmax(most, sqrt(dot3(d, d) - along * along));
    }
    return b->solid.radius - most - a->solid.radius;
}

static void test_infinite(void** state) {
    (void)state;
    WorstErrors worst = {0};
    for (CaseKind i = CASE_SPHERE; i <= CASE_ROUND_HULL; i++) {
        check_kinds(i, CASE_PLANE, 10000, 1.0, plane_gap, &worst);
        check_kinds(i, CASE_SHAFT, 5000, 1.0, shaft_gap, &worst);
        check_kinds(i, CASE_BORE, 10000, 1.0, hole_gap, &worst);
        check_kinds(i, CASE_HOLLOW, 10000, 1.0, hole_gap, &worst);
    }
    worst_print(&worst, "hulls and those without end");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hulls),    cmocka_unit_test(test_scales),
        cmocka_unit_test(test_ratio),    cmocka_unit_test(test_flush_boxes),
        cmocka_unit_test(test_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
