// The nearest points of the cores of two hulls that are apart (Gilbert, Johnson and Keerthi 1988):
// the point v nearest to the origin of a simplex of points w = x_a - x_b, to which the w that is
// first along v is added until it is one of them or is no nearer. The nearest point of a simplex is
// the smallest of the nearest points of its parts that lie within them: no part is ruled out by the
// sign of a small number.
#include "geometry/solid_parts.h"

#include <string.h>

enum { GJK_MOST_STEPS = 200 };

typedef struct Vertex {
    int a, b;      // points
    Vec3 w;        // their difference
    double share;  // of it in the nearest point
} Vertex;

typedef struct Simplex {
    int n;
    Vertex of[4];
    Vec3 v;  // the nearest point to the origin
} Simplex;

// Shares of the nearest point of the line through w_0, w_1
static bool nearest_on_line(const Vertex* s, double* shares) {
    const Vec3 e = sub3(s[1].w, s[0].w);
    const double t = -dot3(s[0].w, e) / dot3(e, e);
    shares[0] = 1.0 - t;
    shares[1] = t;
    return t > 0.0 && t < 1.0;
}

// Of the plane through three: areas of the triangles opposite to the points, seen along the normal
static bool nearest_on_plane(const Vertex* s, double* shares) {
    const Vec3 n = cross3(sub3(s[1].w, s[0].w), sub3(s[2].w, s[0].w));
    const double square = dot3(n, n);
    for (int i = 0; i < 3; i++) {
        shares[i] = dot3(n, cross3(s[(i + 1) % 3].w, s[(i + 2) % 3].w)) / square;
        if (!(shares[i] > 0.0)) {
            return false;
        }
    }
    return true;
}

// Is the origin within the tetrahedron? Volumes opposite to the points
static bool contains_origin(const Vertex* s) {
    const double whole =
        dot3(sub3(s[1].w, s[0].w), cross3(sub3(s[2].w, s[0].w), sub3(s[3].w, s[0].w)));
    if (whole == 0.0) {
        return false;
    }
    double rest = 1.0;
    for (int i = 1; i < 4; i++) {
        const Vec3 p = s[i % 3 + 1].w, q = s[(i + 1) % 3 + 1].w;  // the two others beside 0 and i
        const double share = -dot3(s[0].w, cross3(sub3(p, s[0].w), sub3(q, s[0].w))) / whole;
        if (!(share > 0.0)) {
            return false;
        }
        rest -= share;
    }
    return rest > 0.0;
}

// Takes a part of the simplex if its nearest point is within it and nearer than that of `best`.
static void try_part(const Simplex* s, unsigned part, Simplex* best, double* least) {
    Simplex t = {.n = 0};
    for (int i = 0; i < s->n; i++) {
        if ((part >> i & 1u) != 0) {
            t.of[t.n++] = s->of[i];
        }
    }
    double shares[3] = {1.0, 0.0, 0.0};
    if ((t.n == 2 && !nearest_on_line(t.of, shares)) ||
        (t.n == 3 && !nearest_on_plane(t.of, shares))) {
        return;
    }
    t.v = (Vec3){0.0, 0.0, 0.0};
    for (int i = 0; i < t.n; i++) {
        t.of[i].share = shares[i];
        t.v = add3(t.v, scale3(shares[i], t.of[i].w));
    }
    const double square = dot3(t.v, t.v);
    if (square < *least) {
        *least = square;
        *best = t;
    }
}

// Reduces the simplex to the part with the nearest point; false: it contains the origin. The last
// point is new: parts without it have been seen.
static bool reduce(Simplex* s) {
    if (s->n == 4 && contains_origin(s->of)) {
        return false;
    }
    Simplex best = *s;
    double least = INFINITY;
    const unsigned last = 1u << (s->n - 1);
    for (unsigned others = 0; others < last; others++) {
        if (others != 7u) {
            try_part(s, others | last, &best, &least);
        }
    }
    *s = best;
    return true;
}

// The vertex that is first along d
static Vertex first_vertex(const SolidPair* pair, Vec3 d) {
    const Vec3 d_a = solid_direction_to_a(pair, d);
    Vertex w = {0};
    double least = INFINITY;
    for (int i = 0; i < pair->a->n_points; i++) {
        const double value = dot3(d_a, pair->a->points[i]);
        if (value < least) {
            least = value;
            w.a = i;
        }
    }
    double most = -INFINITY;
    for (int i = 0; i < pair->b->n_points; i++) {
        const double value = dot3(d, pair->b->points[i]);
        if (value > most) {
            most = value;
            w.b = i;
        }
    }
    w.w = sub3(solid_from_a(pair, pair->a->points[w.a]), pair->b->points[w.b]);
    return w;
}

static bool has(const Simplex* s, const Vertex* w) {
    for (int i = 0; i < s->n; i++) {
        if (s->of[i].a == w->a && s->of[i].b == w->b) {
            return true;
        }
    }
    return false;
}

// Which points the nearest ones are combined of: indices, sorted, that differ
static int parts_of(const Simplex* s, bool of_a, int ids[4]) {
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        const int id = of_a ? s->of[i].a : s->of[i].b;
        int k = 0;
        while (k < n && ids[k] < id) {
            k++;
        }
        if (k < n && ids[k] == id) {
            continue;
        }
        memmove(ids + k + 1, ids + k, (size_t)(n - k) * sizeof *ids);
        ids[k] = id;
        n++;
    }
    return n;
}

// The edge between two points of a hull, or -1
static int edge_between(const Solid* s, const int ids[2]) {
    for (int e = 0; e < s->n_edges; e++) {
        const int* ends = s->edges[e].ends;
        if ((ends[0] == ids[0] && ends[1] == ids[1]) || (ends[0] == ids[1] && ends[1] == ids[0])) {
            return e;
        }
    }
    return -1;
}

static void describe(const SolidPair* pair, const Simplex* s, SolidAxis* axis) {
    Vec3 x_a = {0.0, 0.0, 0.0}, x_b = x_a;
    for (int i = 0; i < s->n; i++) {
        x_a = add3(x_a, scale3(s->of[i].share, pair->a->points[s->of[i].a]));
        x_b = add3(x_b, scale3(s->of[i].share, pair->b->points[s->of[i].b]));
    }
    int of_a[4] = {0};
    int of_b[4] = {0};
    const int n_a = parts_of(s, true, of_a);
    const int n_b = parts_of(s, false, of_b);
    int e_a = -1;
    int e_b = -1;
    if (n_a == 2) {
        e_a = edge_between(pair->a, of_a);
    }
    if (n_b == 2) {
        e_b = edge_between(pair->b, of_b);
    }
    const double distance = length3(s->v);
    *axis = (SolidAxis){.kind = AXIS_POINTS,
                        .i_a = of_a[0],
                        .i_b = of_b[0],
                        .gap = distance,
                        .n = scale3(1.0 / distance, s->v),
                        .x_a = solid_from_a(pair, x_a),
                        .x_b = x_b};
    if (n_a == 1 && e_b >= 0) {
        axis->kind = AXIS_EDGE_B;
        axis->i_b = e_b;
    } else if (n_b == 1 && e_a >= 0) {
        axis->kind = AXIS_EDGE_A;
        axis->i_a = e_a;
    }
    axis->key = solid_key(n_a == 1 ? PART_POINT : PART_OTHER, of_a[0],
                          n_b == 1 ? PART_POINT : PART_OTHER, of_b[0]);
}

bool solid_gjk(const SolidPair* pair, Vec3 start, SolidAxis* axis) {
    Simplex s = {.n = 1, .of = {first_vertex(pair, start)}};
    s.of[0].share = 1.0;
    s.v = s.of[0].w;
    for (int step = 0; step < GJK_MOST_STEPS; step++) {
        const double square = dot3(s.v, s.v);
        if (square <= pair->tie * pair->tie) {
            return false;
        }
        const Vertex w = first_vertex(pair, s.v);
        // v is the nearest point as soon as nothing is before it
        if (has(&s, &w) || square - dot3(s.v, w.w) <= 1e-15 * square) {
            break;
        }
        Simplex next = s;
        next.of[next.n++] = w;
        if (!reduce(&next)) {
            return false;
        }
        if (dot3(next.v, next.v) >= square) {
            break;  // rounding
        }
        s = next;
    }
    describe(pair, &s, axis);
    return true;
}
