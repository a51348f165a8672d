// Balls and capsules: nearest points of points, segments and polyhedra by direct formulas.
#include "geometry/solid_parts.h"

// A unit vector perpendicular to d, which may be zero
static Vec3 perpendicular(Vec3 d) {
    const Vec3 e = fabs(d.x) <= fabs(d.y) && fabs(d.x) <= fabs(d.z) ? (Vec3){1.0, 0.0, 0.0}
                   : fabs(d.y) <= fabs(d.z)                         ? (Vec3){0.0, 1.0, 0.0}
                                                                    : (Vec3){0.0, 0.0, 1.0};
    const Vec3 c = cross3(d, e);
    return dot3(c, c) > 0.0 ? solid_unit(c) : e;
}

// The direction from x_b to x_a; where they coincide, one perpendicular to a line
static Vec3 direction(const SolidPair* pair, Vec3 d, Vec3 line) {
    const double length = length3(d);
    return length > pair->tie * 1e-3 ? scale3(1.0 / length, d) : perpendicular(line);
}

// The point of a and the segment of b
static Feature point_segment(const SolidPair* pair) {
    const Vec3 x = solid_from_a(pair, pair->a->points[0]);
    const Vec3 p = pair->b->points[0];
    const Vec3 e = sub3(pair->b->points[1], p);
    const double t = dot3(e, sub3(x, p)) / dot3(e, e);
    if (t > 0.0 && t < 1.0) {
        const Vec3 n = direction(pair, sub3(sub3(x, p), scale3(t, e)), e);
        return solid_shaft_feature(pair, true, 0, 0, n);
    }
    const int end = t >= 1.0;
    const Vec3 q = pair->b->points[end];
    return solid_points_feature(pair, x, q, direction(pair, sub3(x, q), e),
                                solid_key(PART_POINT, 0, PART_POINT, end));
}

typedef struct Segments {
    Vec3 p, d, q, e;  // of a: p + s d, of b: q + t e
    double s, t;
    double sine;  // of the angle between them
    Vec3 n;       // from b to a
} Segments;

static Segments nearest_of_segments(const SolidPair* pair) {
    Segments g = {.p = solid_from_a(pair, pair->a->points[0]), .q = pair->b->points[0]};
    g.d = turn3(pair->R, sub3(pair->a->points[1], pair->a->points[0]));
    g.e = sub3(pair->b->points[1], g.q);
    solid_segments(g.p, g.d, g.q, g.e, &g.s, &g.t);
    const Vec3 c = cross3(g.d, g.e);
    const double product = sqrt(dot3(g.d, g.d) * dot3(g.e, g.e));
    g.sine = length3(c) / product;
    const Vec3 between = sub3(add3(g.p, scale3(g.s, g.d)), add3(g.q, scale3(g.t, g.e)));
    const bool crossing = dot3(between, between) <= pair->tie * pair->tie && g.sine > 1e-9;
    g.n = crossing ? solid_unit(c) : direction(pair, between, g.d);
    return g;
}

static Feature nearest_feature(const SolidPair* pair, const Segments* g) {
    const bool within_a = g->s > 0.0 && g->s < 1.0;
    const bool within_b = g->t > 0.0 && g->t < 1.0;
    const int end_a = g->s >= 1.0, end_b = g->t >= 1.0;
    if (within_a && within_b && g->sine >= SOLID_PARALLEL) {
        return solid_edges_feature(pair, 0, 0, g->n);
    }
    if (within_b && !within_a) {
        return solid_shaft_feature(pair, true, end_a, 0, g->n);
    }
    if (within_a && !within_b) {
        return solid_shaft_feature(pair, false, end_b, 0, g->n);
    }
    const unsigned key = within_a ? solid_key(PART_EDGE, 0, PART_EDGE, 0)
                                  : solid_key(PART_POINT, end_a, PART_POINT, end_b);
    return solid_points_feature(pair, add3(g->p, scale3(g->s, g->d)),
                                add3(g->q, scale3(g->t, g->e)), g->n, key);
}

// Ends that are beside the other segment
static void add_ends(SolidList* list, const Segments* g) {
    const SolidPair* pair = list->pair;
    for (int end = 0; end < 4; end++) {
        const bool of_a = end < 2;
        const Vec3 p = of_a ? g->q : g->p, e = of_a ? g->e : g->d;  // the other segment
        const Vec3 x = of_a ? add3(g->p, scale3(end % 2, g->d)) : add3(g->q, scale3(end % 2, g->e));
        const double t = dot3(e, sub3(x, p)) / dot3(e, e);
        if (t >= 0.0 && t <= 1.0) {
            const Vec3 between = sub3(sub3(x, p), scale3(t, e));
            const Vec3 n = direction(pair, of_a ? between : solid_opposite(between), e);
            const Feature f = solid_shaft_feature(pair, of_a, end % 2, 0, n);
            solid_list_add(list, &f, x);
        }
    }
}

int solid_near_rounds(const SolidPair* pair, Feature* features) {
    if (pair->b->n_points == 1) {
        const Vec3 x = solid_from_a(pair, pair->a->points[0]), y = pair->b->points[0];
        const Vec3 n = direction(pair, sub3(x, y), (Vec3){0.0, 0.0, 0.0});
        features[0] = solid_points_feature(pair, x, y, n, solid_key(PART_POINT, 0, PART_POINT, 0));
        return 1;
    }
    if (pair->a->n_points == 1) {
        features[0] = point_segment(pair);
        return 1;
    }
    const Segments g = nearest_of_segments(pair);
    features[0] = nearest_feature(pair, &g);
    if (g.sine >= SOLID_PARALLEL) {
        return 1;
    }
    SolidList list;
    solid_list_begin(&list, pair, g.n, features[0].gap);
    add_ends(&list, &g);
    solid_list_add_nearest(&list, &features[0], add3(g.p, scale3(g.s, g.d)));
    return solid_list_finish(&list, pair->most, features);
}

// --- a ball and a polyhedron ---

// The face that the point is outside of most, or inside of least
static int outermost_face(const Solid* s, Vec3 x, double* most) {
    int best = 0;
    *most = -INFINITY;
    for (int f = 0; f < s->n_faces; f++) {
        const double out = dot3(s->faces[f].normal, x) - s->faces[f].offset;
        if (out > *most) {
            *most = out;
            best = f;
        }
    }
    return best;
}

// Of a point outside: the nearest edge among those with a face that it is outside of, and where on
// it
static int nearest_edge(const Solid* s, Vec3 x, double* t) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < s->n_edges; i++) {
        const SolidEdge* edge = &s->edges[i];
        const SolidFace* left = &s->faces[edge->faces[0]];
        const SolidFace* right = &s->faces[edge->faces[1]];
        if (dot3(left->normal, x) <= left->offset && dot3(right->normal, x) <= right->offset) {
            continue;
        }
        const Vec3 e = solid_edge_vector(s, edge);
        const Vec3 d = sub3(x, s->points[edge->ends[0]]);
        const double u = fmin(fmax(dot3(e, d) / dot3(e, e), 0.0), 1.0);
        const Vec3 off = sub3(d, scale3(u, e));
        if (dot3(off, off) < least) {
            least = dot3(off, off);
            best = i;
            *t = u;
        }
    }
    return best;
}

int solid_near_ball_hull(const SolidPair* pair, Feature* features) {
    const Solid* b = pair->b;
    const Vec3 x = solid_from_a(pair, pair->a->points[0]);
    double out, t = 0.0;
    const int f = outermost_face(b, x, &out);
    if (out <= 0.0 || solid_face_covers(b, f, x, 0.0)) {
        features[0] = solid_face_feature(pair, true, 0, f);
        return 1;
    }
    const int e = nearest_edge(b, x, &t);
    const SolidEdge* edge = &b->edges[e];
    const Vec3 p = b->points[edge->ends[0]], q = b->points[edge->ends[1]];
    const Vec3 foot = t >= 1.0 ? q : add3(p, scale3(t, sub3(q, p)));
    const Vec3 d = sub3(x, foot);
    const double distance = length3(d);
    const Vec3 n = distance > 1e-3 * pair->tie ? scale3(1.0 / distance, d) : b->faces[f].normal;
    if (t > 0.0 && t < 1.0) {
        features[0] = solid_shaft_feature(pair, true, 0, e, n);
    } else {
        const int end = edge->ends[t >= 1.0];
        features[0] =
            solid_points_feature(pair, x, foot, n, solid_key(PART_POINT, 0, PART_POINT, end));
    }
    return 1;
}
