// What tests of solids share: solids with room of their own, random poses, features evaluated as
// the kernels do it, and distances and depths by other ways than those of the library. Included by
// tests, each a program.
#pragma once

#include "numbers.h"
#include "worst_errors.h"

#include "geometry/solid.h"

enum { CASE_POINTS = 64 };

typedef struct Case {
    Solid solid;
    Vec3 points[CASE_POINTS];
    SolidEdge edges[3 * CASE_POINTS];
    SolidFace faces[2 * CASE_POINTS];
    int face_points[6 * CASE_POINTS];
    Placement place;
} Case;

static inline void case_room(Case* c) {
    c->solid.points = c->points;
    c->solid.edges = c->edges;
    c->solid.faces = c->faces;
    c->solid.face_points = c->face_points;
    c->place = (Placement){{0.0, 0.0, 0.0}, MAT3_IDENTITY};
}

static inline Vec3 random_vector(double size) {
    return (Vec3){random_in(-size, size), random_in(-size, size), random_in(-size, size)};
}

static inline Vec3 random_direction(void) {
    Vec3 d;
    do {
        d = random_vector(1.0);
    } while (dot3(d, d) > 1.0 || dot3(d, d) < 0.01);
    return scale3(1.0 / length3(d), d);
}

static inline Mat3 random_rotation(void) {
    return rotation3(random_direction(), random_in(-3.2, 3.2));
}

typedef enum CaseKind {
    CASE_SPHERE,
    CASE_CAPSULE,
    CASE_BOX,
    CASE_HULL,
    CASE_ROUND_HULL,
    CASE_CYLINDER,
    CASE_PLANE,
    CASE_SHAFT,
    CASE_BORE,
    CASE_HOLLOW,
    N_CASE_KINDS
} CaseKind;

static const char* const CASE_NAMES[N_CASE_KINDS] = {"sphere",     "capsule",  "box",   "hull",
                                                     "round hull", "cylinder", "plane", "shaft",
                                                     "bore",       "hollow"};

static inline void random_hull(Case* c, double size, double radius) {
    Vec3 points[CASE_POINTS];
    const int n = 4 + random_below(12);
    const Vec3 middle = random_vector(size);
    for (int i = 0; i < n; i++) {
        points[i] = add3(middle, scale3(random_in(0.5, 1.0) * size, random_direction()));
    }
    assert_null(solid_hull(n, points, radius, &c->solid));
}

static inline void random_case(Case* c, CaseKind kind, double size) {
    case_room(c);
    const Vec3 at = random_vector(size);
    const double half = size * random_in(0.2, 1.0);
    switch (kind) {
        case CASE_SPHERE:
            solid_sphere(at, random_below(8) == 0 ? 0.0 : half, &c->solid);
            break;
        case CASE_CAPSULE:
            solid_capsule(at, add3(at, random_vector(size)), random_below(8) == 0 ? 0.0 : half,
                          &c->solid);
            break;
        case CASE_BOX:
            solid_box(at, random_rotation(),
                      (Vec3){half, size * random_in(0.05, 2.0), size * random_in(0.05, 2.0)},
                      &c->solid);
            break;
        case CASE_HULL:
            random_hull(c, size, 0.0);
            break;
        case CASE_ROUND_HULL:
            random_hull(c, size, 0.3 * half);
            break;
        case CASE_CYLINDER:
            solid_cylinder(at, random_direction(), half, size * random_in(0.05, 2.0), &c->solid);
            break;
        case CASE_PLANE:
            solid_plane(at, random_direction(), &c->solid);
            break;
        case CASE_SHAFT:
            solid_shaft(at, random_direction(), half, &c->solid);
            break;
        case CASE_BORE:
            solid_bore(at, random_direction(), 3.0 * half, &c->solid);
            break;
        default:
            solid_hollow(at, 3.0 * half, &c->solid);
            break;
    }
    c->place = (Placement){random_vector(size), random_rotation()};
}

static inline Vec3 in_world(const Placement* place, Vec3 x) {
    return add3(place->r, turn3(place->R, x));
}

static inline Vec3 place_back(const Placement* place, Vec3 d) { return turn_back3(place->R, d); }

// --- features as the kernels evaluate them ---

static inline double kernel_gap(const Feature* f, const Placement* a, const Placement* b) {
    const Placement* first = f->swapped ? b : a;
    const Placement* second = f->swapped ? a : b;
    const FeatureSide* s = f->sides;
    const Vec3 d = sub3(in_world(first, s[0].at), in_world(second, s[1].at));
    const Vec3 k_0 = turn3(first->R, s[0].axis), k = turn3(second->R, s[1].axis);
    const Vec3 across = sub3(d, scale3(dot3(d, k), k));
    const double radii = s[0].radius + s[1].radius;
    switch (f->kind) {
        case FEATURE_FLAT:
            return dot3(k, d) - s[0].radius;
        case FEATURE_ROUND:
            return length3(d) - radii;
        case FEATURE_RING:
            return s[1].radius - length3(d) - s[0].radius;
        case FEATURE_SHAFT:
            return length3(across) - radii;
        case FEATURE_BORE:
            return s[1].radius - length3(across) - s[0].radius;
        case FEATURE_EDGES: {
            const Vec3 c = cross3(k_0, k);
            return dot3(c, d) / length3(c) - radii;
        }
        default: {
            const double along = dot3(k, k_0);
            const Vec3 m = sub3(k, scale3(along, k_0));
            assert_true(length3(m) > 1e-3);
            return dot3(k, d) - s[0].radius * length3(m);
        }
    }
}

// The normal of a feature as the kernels have it, from b to a
static inline Vec3 kernel_normal(const Feature* f, const Placement* a, const Placement* b) {
    const Placement* first = f->swapped ? b : a;
    const Placement* second = f->swapped ? a : b;
    const FeatureSide* s = f->sides;
    const Vec3 d = sub3(in_world(first, s[0].at), in_world(second, s[1].at));
    const Vec3 k_0 = turn3(first->R, s[0].axis), k = turn3(second->R, s[1].axis);
    Vec3 n = k;  // of a plane
    if (f->kind == FEATURE_ROUND || f->kind == FEATURE_RING) {
        n = d;
    } else if (f->kind == FEATURE_SHAFT || f->kind == FEATURE_BORE) {
        n = sub3(d, scale3(dot3(d, k), k));
    } else if (f->kind == FEATURE_EDGES) {
        n = cross3(k_0, k);
    }
    const bool inside = f->kind == FEATURE_RING || f->kind == FEATURE_BORE;
    return scale3((inside != f->swapped ? -1.0 : 1.0) / length3(n), n);
}

// Gaps that the kernels agree to, in ascending order; keys that differ; unit axes
static inline void check_features(const Case* a, const Case* b, int n, const Feature* f,
                                  double size) {
    for (int i = 0; i < n; i++) {
        assert_close(f[i].gap, kernel_gap(&f[i], &a->place, &b->place), 1e-13 * size, "gap");
        assert_true(f[i].sides[0].radius >= 0.0 && f[i].sides[1].radius >= 0.0);
        assert_close(length3(f[i].sides[1].axis), 1.0, 1e-13, "axis");
        if (i > 0) {
            assert_true(f[i].gap >= f[i - 1].gap);
        }
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(f[i].key, f[k].key);
        }
    }
}

// --- the gap along an axis: min over a of n.x - max over b of n.x, in the world ---

static inline double support_in_world(const Case* c, Vec3 d) {
    return solid_support(&c->solid, place_back(&c->place, d)) + dot3(d, c->place.r);
}

static inline double gap_along(const Case* a, const Case* b, Vec3 n) {
    return -support_in_world(a, scale3(-1.0, n)) - support_in_world(b, n);
}

static inline void try_axis(const Case* a, const Case* b, Vec3 n, double* most) {
    const double length = length3(n);
    if (length > 1e-9) {
        const Vec3 u = scale3(1.0 / length, n);
        *most = fmax(*most, fmax(gap_along(a, b, u), gap_along(a, b, scale3(-1.0, u))));
    }
}

static inline Vec3 case_edge(const Case* c, int e) {
    const int* ends = c->edges[e].ends;
    const Vec3 d = sub3(c->points[ends[1]], c->points[ends[0]]);
    return turn3(c->place.R, scale3(1.0 / length3(d), d));
}

// Over all normals of faces and all common normals of edges
static inline double separation(const Case* a, const Case* b) {
    double most = -INFINITY;
    for (int f = 0; f < a->solid.n_faces; f++) {
        try_axis(a, b, turn3(a->place.R, a->faces[f].normal), &most);
    }
    for (int f = 0; f < b->solid.n_faces; f++) {
        try_axis(a, b, turn3(b->place.R, b->faces[f].normal), &most);
    }
    for (int i = 0; i < a->solid.n_edges; i++) {
        for (int k = 0; k < b->solid.n_edges; k++) {
            try_axis(a, b, cross3(case_edge(a, i), case_edge(b, k)), &most);
        }
    }
    return most;
}

// --- distances of cores by all pairs of features ---

static inline double point_to_segment(Vec3 x, Vec3 p, Vec3 q) {
    const Vec3 e = sub3(q, p);
    const double square = dot3(e, e);
    const double t = square > 0.0 ? fmin(fmax(dot3(sub3(x, p), e) / square, 0.0), 1.0) : 0.0;
    return length3(sub3(sub3(x, p), scale3(t, e)));
}

static inline double segment_to_segment(Vec3 p, Vec3 q, Vec3 r, Vec3 s) {
    double least = fmin(fmin(point_to_segment(p, r, s), point_to_segment(q, r, s)),
                        fmin(point_to_segment(r, p, q), point_to_segment(s, p, q)));
    const Vec3 d = sub3(q, p), e = sub3(s, r), n = cross3(d, e);
    if (length3(n) > 0.0) {  // do they cross, seen along n?
        const double side_r = dot3(cross3(n, d), sub3(r, p)),
                     side_s = dot3(cross3(n, d), sub3(s, p));
        const double side_p = dot3(cross3(n, e), sub3(p, r)),
                     side_q = dot3(cross3(n, e), sub3(q, r));
        if (side_r * side_s < 0.0 && side_p * side_q < 0.0) {
            least = fmin(least, fabs(dot3(n, sub3(r, p))) / length3(n));
        }
    }
    return least;
}

static inline Vec3 case_point(const Case* c, int i) { return in_world(&c->place, c->points[i]); }

static inline double point_to_faces(Vec3 x, const Case* c) {
    double least = INFINITY;
    for (int f = 0; f < c->solid.n_faces; f++) {
        const SolidFace* face = &c->faces[f];
        const Vec3 n = turn3(c->place.R, face->normal);
        bool inside = true;
        for (int k = 0; k < face->n; k++) {
            const Vec3 p = case_point(c, c->face_points[face->first + k]);
            const Vec3 q = case_point(c, c->face_points[face->first + (k + 1) % face->n]);
            inside = inside && dot3(cross3(sub3(q, p), n), sub3(x, p)) <= 0.0;
        }
        if (inside) {
            const Vec3 p = case_point(c, c->face_points[face->first]);
            least = fmin(least, fabs(dot3(n, sub3(x, p))));
        }
    }
    return least;
}

static inline double core_distance(const Case* a, const Case* b) {
    double least = INFINITY;
    for (int i = 0; i < a->solid.n_points; i++) {
        least = fmin(least, point_to_faces(case_point(a, i), b));
        for (int k = 0; k < b->solid.n_points; k++) {
            least = fmin(least, length3(sub3(case_point(a, i), case_point(b, k))));
        }
    }
    for (int k = 0; k < b->solid.n_points; k++) {
        least = fmin(least, point_to_faces(case_point(b, k), a));
    }
    for (int i = 0; i < fmax(a->solid.n_edges, 1); i++) {  // a point is an edge of no length
        const int* ends_a = a->edges[i].ends;
        const Vec3 p = case_point(a, a->solid.n_edges > 0 ? ends_a[0] : 0);
        const Vec3 q = case_point(a, a->solid.n_edges > 0 ? ends_a[1] : 0);
        for (int k = 0; k < fmax(b->solid.n_edges, 1); k++) {
            const int* ends_b = b->edges[k].ends;
            const Vec3 r = case_point(b, b->solid.n_edges > 0 ? ends_b[0] : 0);
            const Vec3 s = case_point(b, b->solid.n_edges > 0 ? ends_b[1] : 0);
            least = fmin(least, segment_to_segment(p, q, r, s));
        }
    }
    return least;
}

// Of two hulls: their distance, or minus the least depth
static inline double hull_gap(const Case* a, const Case* b) {
    const double radii = a->solid.radius + b->solid.radius;
    const bool flat = a->solid.n_faces == 0 && b->solid.n_faces == 0;
    const double separate = separation(a, b);
    if (!flat && separate + radii <= 0.0) {
        return separate;
    }
    return core_distance(a, b) - radii;
}

// --- the distance of a point from a surface, by its definition ---

// Of a cylinder: how far beyond its side and its ends
static inline double distance_to_cylinder(const Case* c, Vec3 x) {
    const Vec3 d = sub3(x, in_world(&c->place, c->solid.centre));
    const double along = dot3(d, turn3(c->place.R, c->solid.axis));
    const double out = sqrt(fmax(dot3(d, d) - along * along, 0.0)) - c->solid.radius;
    const double beyond = fabs(along) - c->solid.half_length;
    if (out > 0.0 && beyond > 0.0) {
        return sqrt(out * out + beyond * beyond);
    }
    return fabs(fmax(out, beyond));
}

// Of the core of a hull, < 0 inside
static inline double distance_to_core(const Case* c, Vec3 x) {
    double deepest = c->solid.n_faces > 0 ? -INFINITY : INFINITY;
    for (int f = 0; f < c->solid.n_faces; f++) {
        const Vec3 p = case_point(c, c->face_points[c->faces[f].first]);
        deepest = fmax(deepest, dot3(turn3(c->place.R, c->faces[f].normal), sub3(x, p)));
    }
    if (deepest <= 0.0) {
        return deepest;
    }
    double least = point_to_faces(x, c);
    for (int i = 0; i < c->solid.n_points; i++) {
        least = fmin(least, length3(sub3(x, case_point(c, i))));
    }
    for (int e = 0; e < c->solid.n_edges; e++) {
        const int* ends = c->edges[e].ends;
        least = fmin(least, point_to_segment(x, case_point(c, ends[0]), case_point(c, ends[1])));
    }
    return least;
}

static inline double distance_to_surface(const Case* c, Vec3 x) {
    const Vec3 d = sub3(x, in_world(&c->place, c->solid.centre));
    const double along = dot3(d, turn3(c->place.R, c->solid.axis));
    switch (c->solid.kind) {
        case SOLID_HULL:
            return fabs(distance_to_core(c, x) - c->solid.radius);
        case SOLID_CYLINDER:
            return distance_to_cylinder(c, x);
        case SOLID_PLANE:
            return fabs(along);
        case SOLID_HOLLOW:
            return fabs(length3(d) - c->solid.radius);
        default:  // SOLID_SHAFT, SOLID_BORE
            return fabs(sqrt(fmax(dot3(d, d) - along * along, 0.0)) - c->solid.radius);
    }
}

// Do the two points of a feature lie on the surfaces, and is its gap the one along its normal? In
// parts of the size. Rounding decides on the direction between points that nearly touch.
static inline void check_feature(const Case* a, const Case* b, const Feature* f, double size,
                                 double tolerance, WorstErrors* worst) {
    const FeaturePoints x = feature_points(f, &a->place, &b->place);
    const double on_a = distance_to_surface(a, f->swapped ? x.second : x.first) / size;
    const double on_b = distance_to_surface(b, f->swapped ? x.first : x.second) / size;
    assert_close(on_a, 0.0, tolerance, "point of the first");
    assert_close(on_b, 0.0, tolerance, "point of the second");
    worst->point = fmax(worst->point, fmax(on_a, on_b));
    const double along = gap_along(a, b, f->swapped ? scale3(-1.0, x.n) : x.n);
    if (isfinite(along) && (f->gap < 0.0 || f->gap > 1e-5 * size)) {
        assert_close(along / size, f->gap / size, tolerance, "gap along the normal");
        worst->normal = fmax(worst->normal, fabs(along - f->gap) / size);
    }
}
