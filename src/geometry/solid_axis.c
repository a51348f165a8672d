// Separating axes of the cores of two hulls: of all directions n, that on which the gap
//     g(n) = min over a of n.x - max over b of n.x
// is largest. If the cores penetrate it is a normal of a face of their Minkowski difference: of a
// face of b or of a, or of two edges whose arcs of normals cross on the sphere of normals.
//
// Faces and edges that cannot do better than the best so far are passed over by a bound: g(n) of a
// face is at most what any point of the other says, g(n) of an edge at most the largest value, over
// its arc of normals, for any point of the other. Ties go to the faces of b, then of a, then edges.
#include "geometry/solid_parts.h"

// The point of a hull that is first in the direction d; passed over (-1) if it is not before `pass`
static int first_point(const Solid* s, Vec3 d, double pass, int guess, double* least) {
    int best = guess;
    *least = dot3(d, s->points[guess]);
    for (int i = 0; i<s->n_points&& * least> pass; i++) {
        const double value = dot3(d, s->points[i]);
        if (value < *least) {
            *least = value;
            best = i;
        }
    }
    return best;
}

// The faces of one of the two; witness: a point of the other to begin with
static void try_faces(const SolidPair* pair, bool of_b, SolidAxis* axis, int* witness) {
    const SolidView view = solid_view(pair, !of_b, axis->n);
    for (int f = 0; f < view.self->n_faces; f++) {
        const SolidFace* face = &view.self->faces[f];
        const Vec3 d = turn_back3(view.R, face->normal);
        const double shift = dot3(face->normal, view.r) - face->offset;
        double least;
        const int i = first_point(view.other, d, axis->gap + pair->tie - shift, *witness, &least);
        if (least + shift > axis->gap + pair->tie) {
            axis->kind = of_b ? AXIS_FACE_B : AXIS_FACE_A;
            axis->i_a = of_b ? i : f;
            axis->i_b = of_b ? f : i;
            axis->gap = least + shift;
            axis->n = of_b ? face->normal : solid_opposite(turn3(pair->R, face->normal));
        }
        *witness = i;
    }
}

SolidArc solid_arc(const SolidPair* pair, bool of_a, int i) {
    const Solid* s = of_a ? pair->a : pair->b;
    const SolidEdge* edge = &s->edges[i];
    SolidArc arc = {.p = s->points[edge->ends[0]], .e = solid_edge_vector(s, edge)};
    arc.circle = edge->faces[0] < 0;
    arc.index = i;
    if (!arc.circle) {
        arc.u = s->faces[edge->faces[0]].normal;
        arc.v = s->faces[edge->faces[1]].normal;
    }
    if (of_a) {
        arc.p = solid_from_a(pair, arc.p);
        arc.e = turn3(pair->R, arc.e);
        arc.u = solid_opposite(turn3(pair->R, arc.u));
        arc.v = solid_opposite(turn3(pair->R, arc.v));
    }
    return arc;
}

// At its ends, or between them where d is over it
double solid_arc_most(const SolidArc* arc, Vec3 d) {
    const double along = dot3(arc->e, d);
    const double across = sqrt(fmax(dot3(d, d) - along * along / dot3(arc->e, arc->e), 0.0));
    if (arc->circle ||
        (dot3(arc->e, cross3(arc->u, d)) >= 0.0 && dot3(arc->e, cross3(d, arc->v)) >= 0.0)) {
        return across;
    }
    return fmax(dot3(arc->u, d), dot3(arc->v, d));
}

// Do the arcs cross, and if so, at which normal? n is not yet of unit length.
static bool arcs_cross(const SolidArc* a, const SolidArc* b, Vec3* n) {
    // the ends of each on different sides of the other's circle
    if ((!b->circle && dot3(a->e, b->u) * dot3(a->e, b->v) >= 0.0) ||
        (!a->circle && dot3(b->e, a->u) * dot3(b->e, a->v) >= 0.0)) {
        return false;
    }
    *n = cross3(a->e, b->e);
    if (!b->circle) {  // what is on an arc, and not opposite to it, is along u + v
        *n = dot3(*n, add3(b->u, b->v)) < 0.0 ? solid_opposite(*n) : *n;
        return a->circle || dot3(*n, add3(a->u, a->v)) > 0.0;
    }
    if (!a->circle) {
        *n = dot3(*n, add3(a->u, a->v)) < 0.0 ? solid_opposite(*n) : *n;
    } else {
        *n = dot3(*n, sub3(a->p, b->p)) < 0.0 ? solid_opposite(*n) : *n;
    }
    return true;
}

// The middle of the points of a hull that are first in the direction d
static Vec3 middle_of_first(const SolidPair* pair, const Solid* s, Vec3 d) {
    double least;
    first_point(s, d, -INFINITY, 0, &least);
    Vec3 sum = {0.0, 0.0, 0.0};
    int n = 0;
    for (int i = 0; i < s->n_points; i++) {
        if (dot3(d, s->points[i]) <= least + pair->same) {
            sum = add3(sum, s->points[i]);
            n++;
        }
    }
    return scale3(1.0 / n, sum);
}

static bool contains(const Solid* s, Vec3 x) {
    for (int f = 0; f < s->n_faces; f++) {
        if (dot3(s->faces[f].normal, x) > s->faces[f].offset) {
            return false;
        }
    }
    return s->n_faces > 0;
}

// Points of a and of b (in b's coordinates) that bound the gap: what is lowest of a, also for b if
// it contains it, and the other way round
typedef struct Witnesses {
    int n_of[2];  // of b, of a
    Vec3 of[2][2];
} Witnesses;

static Witnesses find_witnesses(const SolidPair* pair, Vec3 n) {
    const Vec3 low_a = middle_of_first(pair, pair->a, solid_direction_to_a(pair, n));
    const Vec3 low = solid_from_a(pair, low_a);
    const Vec3 high = middle_of_first(pair, pair->b, solid_opposite(n));
    Witnesses w = {.n_of = {1, 1}, .of = {{high}, {low}}};
    if (contains(pair->b, low)) {
        w.of[0][w.n_of[0]++] = low;
    }
    if (contains(pair->a, solid_to_a(pair, high))) {
        w.of[1][w.n_of[1]++] = high;
    }
    return w;
}

// Can no normal of an edge's arc do better than the best so far?
static bool is_hopeless(const SolidArc* arc, bool of_a, const Witnesses* w, double to_beat) {
    for (int i = 0; i < w->n_of[of_a ? 0 : 1]; i++) {
        const Vec3 d = of_a ? sub3(arc->p, w->of[0][i]) : sub3(w->of[1][i], arc->p);
        if (solid_arc_most(arc, d) <= to_beat) {
            return true;
        }
    }
    return false;
}

static void try_edge_pair(const SolidPair* pair, const SolidArc* a, const SolidArc* b,
                          SolidAxis* axis) {
    Vec3 c;
    if (!arcs_cross(a, b, &c)) {
        return;
    }
    const double square = dot3(c, c);
    const double value = dot3(c, sub3(a->p, b->p));
    const double length = sqrt(square);
    if (square > 1e-16 * dot3(a->e, a->e) * dot3(b->e, b->e) &&
        value > (axis->gap + pair->tie) * length) {
        axis->kind = AXIS_EDGES;
        axis->i_a = a->index;
        axis->i_b = b->index;
        axis->gap = value / length;
        axis->n = scale3(1.0 / length, c);
    }
}

// Edges of b by the block, those of a against each block
static void try_edges(const SolidPair* pair, SolidAxis* axis) {
    enum { BLOCK = 16 };
    const Witnesses w = find_witnesses(pair, axis->n);
    SolidArc block[BLOCK];
    for (int next = 0; next < pair->b->n_edges;) {
        int n = 0;
        for (; next < pair->b->n_edges && n < BLOCK; next++) {
            block[n] = solid_arc(pair, false, next);
            n += !is_hopeless(&block[n], false, &w, axis->gap + pair->tie);
        }
        for (int i = 0; i < pair->a->n_edges && n > 0; i++) {
            const SolidArc a = solid_arc(pair, true, i);
            if (!is_hopeless(&a, true, &w, axis->gap + pair->tie)) {
                for (int k = 0; k < n; k++) {
                    try_edge_pair(pair, &a, &block[k], axis);
                }
            }
        }
    }
}

// Are the features of an axis over each other, so that its gap is the distance?
static bool is_distance(const SolidPair* pair, const SolidAxis* axis) {
    if (axis->kind == AXIS_FACE_B) {
        const Vec3 x = solid_from_a(pair, pair->a->points[axis->i_a]);
        return solid_face_covers(pair->b, axis->i_b, x, 0.0);
    }
    if (axis->kind == AXIS_FACE_A) {
        const Vec3 x = solid_to_a(pair, pair->b->points[axis->i_b]);
        return solid_face_covers(pair->a, axis->i_a, x, 0.0);
    }
    const SolidArc a = solid_arc(pair, true, axis->i_a), b = solid_arc(pair, false, axis->i_b);
    double s, t;
    solid_segments(a.p, a.e, b.p, b.e, &s, &t);
    return s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
}

SolidAxis solid_axis(const SolidPair* pair) {
    SolidAxis axis = {.gap = -INFINITY, .n = {0.0, 0.0, 1.0}};
    int witness_a = 0, witness_b = 0;
    try_faces(pair, true, &axis, &witness_a);
    try_faces(pair, false, &axis, &witness_b);
    if (axis.gap <= 0.0) {
        try_edges(pair, &axis);
    }
    if (axis.gap > 0.0 && !is_distance(pair, &axis)) {
        SolidAxis nearest;
        if (solid_gjk(pair, axis.n, &nearest) && nearest.gap > axis.gap) {
            return nearest;
        }
    }
    return axis;
}
