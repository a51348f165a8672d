// The convex hull of points: faces, edges and normals that fit together, for points of all kinds.
#include "numbers.h"

#include "geometry/solid.h"

enum { MOST = 4000 };

static Vec3 given[MOST];
static Vec3 points[MOST];
static SolidEdge edges[3 * MOST];
static SolidFace faces[2 * MOST];
static int face_points[6 * MOST];
static Solid hull = {.points = points, .edges = edges, .faces = faces, .face_points = face_points};

static Vec3 random_direction(void) {
    Vec3 d;
    do {
        d = (Vec3){random_in(-1.0, 1.0), random_in(-1.0, 1.0), random_in(-1.0, 1.0)};
    } while (dot3(d, d) > 1.0 || dot3(d, d) < 0.01);
    return scale3(1.0 / length3(d), d);
}

// Each edge goes round its left face forwards and round its right face backwards.
static bool goes_round(const SolidFace* face, int from, int to) {
    for (int k = 0; k < face->n; k++) {
        if (face_points[face->first + k] == from &&
            face_points[face->first + (k + 1) % face->n] == to) {
            return true;
        }
    }
    return false;
}

static void check_hull(int n, double size) {
    assert_int_equal(hull.n_points - hull.n_edges + hull.n_faces, 2);  // Euler
    int n_corners = 0;
    for (int f = 0; f < hull.n_faces; f++) {
        const SolidFace* face = &faces[f];
        assert_int_equal(face->first, n_corners);
        n_corners += face->n;
        assert_true(face->n >= 3);
        assert_close(length3(face->normal), 1.0, 1e-14, "normal");
        for (int i = 0; i < n; i++) {
            assert_true(dot3(face->normal, given[i]) <= face->offset + 1e-9 * size);
        }
        for (int k = 0; k < face->n; k++) {
            const Vec3 p = points[face_points[face->first + k]];
            assert_close(dot3(face->normal, p), face->offset, 1e-9 * size, "offset");
        }
    }
    assert_int_equal(n_corners, 2 * hull.n_edges);
    for (int e = 0; e < hull.n_edges; e++) {
        const SolidEdge* edge = &edges[e];
        assert_true(goes_round(&faces[edge->faces[0]], edge->ends[0], edge->ends[1]));
        assert_true(goes_round(&faces[edge->faces[1]], edge->ends[1], edge->ends[0]));
        const Vec3 d = sub3(points[edge->ends[1]], points[edge->ends[0]]);
        const Vec3 c = cross3(faces[edge->faces[0]].normal, faces[edge->faces[1]].normal);
        assert_true(dot3(d, c) > 0.0);  // convex
    }
    for (int i = 0; i < n; i++) {
        assert_true(length3(sub3(given[i], hull.middle)) <= hull.reach + 1e-9 * size);
    }
}

// A grid on the surface of a box (n points along each edge), turned, moved and in random order
static int box_grid(int n, Mat3 R, Vec3 at, Vec3 sizes) {
    int count = 0;
    for (int i = 0; i < n * n * n; i++) {
        const int x = i % n, y = i / n % n, z = i / n / n;
        if (x % (n - 1) == 0 || y % (n - 1) == 0 || z % (n - 1) == 0) {
            const Vec3 p = {sizes.x * (x / (n - 1.0) - 0.5), sizes.y * (y / (n - 1.0) - 0.5),
                            sizes.z * (z / (n - 1.0) - 0.5)};
            given[count++] = add3(at, turn3(R, p));
        }
    }
    for (int i = count - 1; i > 0; i--) {
        const int k = random_below(i + 1);
        const Vec3 p = given[i];
        given[i] = given[k];
        given[k] = p;
    }
    return count;
}

static void test_boxes(void** state) {
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        const int n_grid = 2 + trial % 9;
        const double size = trial % 3 == 0 ? 1.0 : trial % 3 == 1 ? 1e-4 : 1e4;
        const Mat3 R =
            trial < 10 ? MAT3_IDENTITY : rotation3(random_direction(), random_in(0.0, 3.0));
        int n = box_grid(n_grid, R, scale3(size * random_in(0.0, 10.0), random_direction()),
                         (Vec3){size, random_in(0.1, 2.0) * size, random_in(0.1, 2.0) * size});
        for (int i = 0; i < 5; i++, n++) {  // the same ones again
            given[n] = given[random_below(n)];
        }
        assert_null(solid_hull(n, given, 0.0, &hull));
        assert_int_equal(hull.n_points, 8);
        assert_int_equal(hull.n_edges, 12);
        assert_int_equal(hull.n_faces, 6);
        check_hull(n, 10.0 * size);
    }
}

static void test_random_points(void** state) {
    (void)state;
    static const int counts[] = {4, 5, 6, 10, 50, 300, 1000};
    for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int trial = 0; trial < (counts[c] < 100 ? 50 : 1); trial++) {
            const bool ball = trial % 2 != 0;  // within, instead of on it
            for (int i = 0; i < counts[c]; i++) {
                given[i] = scale3(ball ? random_in(0.3, 1.0) : 1.0, random_direction());
            }
            assert_null(solid_hull(counts[c], given, 0.0, &hull));
            check_hull(counts[c], 1.0);
            if (!ball) {
                assert_int_equal(hull.n_points, counts[c]);
                assert_int_equal(hull.n_faces, 2 * counts[c] - 4);
            }
        }
    }
}

// Prisms, pyramids and two of them, and a dense cube
static void test_shapes(void** state) {
    (void)state;
    for (int n = 3; n <= 200; n += 1 + n / 4) {
        for (int i = 0; i < n; i++) {
            const double angle = 2.0 * 3.14159265358979323846 * i / n;
            given[i] = (Vec3){cos(angle), sin(angle), 0.5};
            given[n + i] = (Vec3){cos(angle), sin(angle), -0.5};
        }
        assert_null(solid_hull(2 * n, given, 0.0, &hull));
        check_hull(2 * n, 1.0);
        assert_int_equal(hull.n_faces, n + 2);
        given[n] = (Vec3){0.0, 0.0, -1.0};
        given[n + 1] = (Vec3){0.0, 0.0, 2.0};
        assert_null(solid_hull(n + 1, given, 0.0, &hull));
        check_hull(n + 1, 1.0);
        assert_int_equal(hull.n_faces, n + 1);
        assert_null(solid_hull(n + 2, given, 0.0, &hull));
        check_hull(n + 2, 1.0);
        assert_int_equal(hull.n_faces, n == 4 ? 8 : 2 * n);
    }
}

static void test_many_points(void** state) {
    (void)state;
    const int n = tries(MOST);
    for (int i = 0; i < n; i++) {
        given[i] = random_direction();
    }
    assert_null(solid_hull(n, given, 0.0, &hull));
    assert_int_equal(hull.n_points - hull.n_edges + hull.n_faces, 2);
    const SolidMoments moments = solid_moments(&hull);
    const double missing = 0.02 * MOST / n;
    assert_close(moments.volume, 4.0 / 3.0 * 3.14159265358979323846, missing, "volume");
}

static void test_no_volume(void** state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        given[i] = (Vec3){i, 2.0 * i, 0.3};
    }
    assert_string_equal(solid_hull(3, given, 0.0, &hull), "a hull needs at least four points");
    assert_string_equal(solid_hull(10, given, 0.0, &hull), "all points are on one line");
    given[3].y += 1.0;
    assert_string_equal(solid_hull(10, given, 0.0, &hull), "all points are in one plane");
    given[4].z = NAN;
    assert_string_equal(solid_hull(10, given, 0.0, &hull), "a point is not finite");
    for (int i = 0; i < 10; i++) {
        given[i] = (Vec3){1.0, 2.0, 3.0};
    }
    assert_string_equal(solid_hull(10, given, 0.0, &hull), "all points are the same");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),     cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_shapes),    cmocka_unit_test(test_many_points),
        cmocka_unit_test(test_no_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
