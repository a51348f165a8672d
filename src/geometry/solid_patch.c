// The features of two hulls around a common normal n: points of the one over faces of the other,
// edges that cross, and points over edges that are parallel, of those parts whose normals come
// within a tilt of n. Each is a feature only if it is over the other within both their borders:
// what is beside a border would forbid a motion that is allowed.
#include "geometry/solid_parts.h"

enum { SEEN = 32, MOST_KNOWN = 64 };

// Which of the first edges of a hull face a direction: they are asked for several times.
typedef struct FacingEdges {
    const Solid* solid;
    Vec3 d;
    unsigned long long known;  // bit i: edge i faces d
} FacingEdges;

static FacingEdges facing_edges(const SolidPair* pair, const Solid* s, Vec3 d) {
    FacingEdges facing = {.solid = s, .d = d};
    for (int i = 0; i < s->n_edges && i < MOST_KNOWN; i++) {
        facing.known |= (unsigned long long)solid_edge_faces(pair, s, &s->edges[i], d) << i;
    }
    return facing;
}

static bool edge_faces(const SolidPair* pair, const FacingEdges* facing, int i) {
    return i < MOST_KNOWN
               ? (facing->known >> i & 1) != 0
               : solid_edge_faces(pair, facing->solid, &facing->solid->edges[i], facing->d);
}

// Points that have been treated; when it is full, some are treated twice.
typedef struct Seen {
    int n;
    int points[SEEN];
} Seen;

static bool seen_before(Seen* seen, int i) {
    for (int k = 0; k < seen->n; k++) {
        if (seen->points[k] == i) {
            return true;
        }
    }
    if (seen->n < SEEN) {
        seen->points[seen->n++] = i;
    }
    return false;
}

// --- points over faces ---

static void add_point_over_faces(SolidList* list, const SolidView* view, int i) {
    const SolidPair* pair = list->pair;
    const Vec3 x = add3(view->r, turn3(view->R, view->other->points[i]));
    int best = -1;
    double most = -INFINITY;
    for (int f = 0; f < view->self->n_faces; f++) {
        const SolidFace* face = &view->self->faces[f];
        if (dot3(face->normal, view->out) >= pair->cos_tilt) {
            const double above = dot3(face->normal, x) - face->offset;
            if (above > most + pair->tie) {
                most = above;
                best = f;
            }
        }
    }
    if (best < 0 || most - view->self->radius - view->other->radius > pair->margin ||
        !solid_face_covers(view->self, best, x, pair->same)) {
        return;
    }
    const Feature feature = solid_face_feature(pair, !view->self_is_a, i, best);
    solid_list_add(list, &feature, view->self_is_a ? solid_from_a(pair, x) : x);
}

// The points of the other that belong to an edge of its patch, over the faces of this one
static void add_points_over_faces(SolidList* list, bool faces_of_b, const FacingEdges* of_other) {
    const SolidPair* pair = list->pair;
    const SolidView view = solid_view(pair, !faces_of_b, list->n);
    Seen seen = {.n = 0};
    for (int e = 0; e < view.other->n_edges; e++) {
        const SolidEdge* edge = &view.other->edges[e];
        if (!edge_faces(pair, of_other, e)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            if (!seen_before(&seen, edge->ends[k])) {
                add_point_over_faces(list, &view, edge->ends[k]);
            }
        }
    }
}

// --- edges ---

typedef struct EdgePair {
    int i_a, i_b;
    Vec3 p, d, q, e;  // of a: p + s d, of b: q + t e
    double gap;       // of the cores as wholes
} EdgePair;

static bool both_face(const SolidPair* pair, const EdgePair* g, Vec3 n) {
    const Vec3 d = solid_direction_to_a(pair, solid_opposite(n));
    return solid_edge_faces(pair, pair->a, &pair->a->edges[g->i_a], d) &&
           solid_edge_faces(pair, pair->b, &pair->b->edges[g->i_b], n);
}

// Parameters of the nearest points of the two lines have to be within both edges, and not at ends:
// there a point is over a face.
static void add_crossing(SolidList* list, const EdgePair* g, Vec3 c) {
    const SolidPair* pair = list->pair;
    const Vec3 w = sub3(g->p, g->q);
    const double square = dot3(c, c);
    const double s = dot3(cross3(g->e, w), c) / square;
    const double t = dot3(cross3(g->d, w), c) / square;
    const double at_end_a = pair->same / length3(g->d), at_end_b = pair->same / length3(g->e);
    if (!(s > at_end_a && s < 1.0 - at_end_a && t > at_end_b && t < 1.0 - at_end_b)) {
        return;
    }
    const Vec3 n = scale3((dot3(c, list->n) < 0.0 ? -1.0 : 1.0) / sqrt(square), c);
    if (both_face(pair, g, n)) {
        const Feature f = solid_edges_feature(pair, g->i_a, g->i_b, n);
        solid_list_add(list, &f, add3(g->p, scale3(s, g->d)));
    }
}

// An end of the one over the other, which is nearly parallel: only between cores that are apart,
// for others have it over a face
static void add_end(SolidList* list, const EdgePair* g, bool end_of_a, int end) {
    const SolidPair* pair = list->pair;
    const Vec3 x = end_of_a ? add3(g->p, scale3(end, g->d)) : add3(g->q, scale3(end, g->e));
    const Vec3 p = end_of_a ? g->q : g->p, e = end_of_a ? g->e : g->d;
    const double t = dot3(e, sub3(x, p)) / dot3(e, e);
    const Vec3 between = sub3(sub3(x, p), scale3(t, e));
    const double distance = length3(between);
    if (t < 0.0 || t > 1.0 || distance <= pair->tie) {
        return;
    }
    const Vec3 n = scale3((end_of_a ? 1.0 : -1.0) / distance, between);
    if (!both_face(pair, g, n)) {
        return;
    }
    const int point =
        end_of_a ? pair->a->edges[g->i_a].ends[end] : pair->b->edges[g->i_b].ends[end];
    const Feature f = solid_shaft_feature(pair, end_of_a, point, end_of_a ? g->i_b : g->i_a, n);
    solid_list_add(list, &f, x);
}

static void add_edges(SolidList* list, const EdgePair* g) {
    const Vec3 c = cross3(g->d, g->e);
    if (dot3(c, c) > SOLID_PARALLEL * SOLID_PARALLEL * dot3(g->d, g->d) * dot3(g->e, g->e)) {
        add_crossing(list, g, c);
    } else if (g->gap > 0.0) {
        for (int end = 0; end < 4; end++) {
            add_end(list, g, end < 2, end % 2);
        }
    }
}

static void add_pairs_of(SolidList* list, int i_a, const int* of_b, int n_b, double gap) {
    const SolidPair* pair = list->pair;
    const Solid* a = pair->a;
    const Solid* b = pair->b;
    EdgePair g = {.i_a = i_a, .gap = gap};
    g.p = solid_from_a(pair, a->points[a->edges[i_a].ends[0]]);
    g.d = turn3(pair->R, solid_edge_vector(a, &a->edges[i_a]));
    for (int k = 0; k < n_b; k++) {
        g.i_b = of_b[k];
        g.q = b->points[b->edges[g.i_b].ends[0]];
        g.e = solid_edge_vector(b, &b->edges[g.i_b]);
        add_edges(list, &g);
    }
}

// Edges of b by the block, those of a against each block
static void add_edge_pairs(SolidList* list, double gap, const FacingEdges* facing_a,
                           const FacingEdges* facing_b) {
    enum { BLOCK = 32 };
    const SolidPair* pair = list->pair;
    const Solid* b = pair->b;
    for (int next = 0; next < b->n_edges;) {
        int of_b[BLOCK];
        int n = 0;
        for (; next < b->n_edges && n < BLOCK; next++) {
            of_b[n] = next;
            n += edge_faces(pair, facing_b, next);
        }
        for (int i = 0; i < pair->a->n_edges && n > 0; i++) {
            if (edge_faces(pair, facing_a, i)) {
                add_pairs_of(list, i, of_b, n, gap);
            }
        }
    }
}

void solid_patch(SolidList* list, double gap) {
    const SolidPair* pair = list->pair;
    const Vec3 d = solid_direction_to_a(pair, solid_opposite(list->n));
    const FacingEdges facing_a = facing_edges(pair, pair->a, d);
    const FacingEdges facing_b = facing_edges(pair, pair->b, list->n);
    add_points_over_faces(list, true, &facing_a);
    add_points_over_faces(list, false, &facing_b);
    add_edge_pairs(list, gap, &facing_a, &facing_b);
}

// --- two hulls ---

static Feature axis_feature(const SolidPair* pair, const SolidAxis* axis) {
    switch (axis->kind) {
        case AXIS_FACE_B:
            return solid_face_feature(pair, true, axis->i_a, axis->i_b);
        case AXIS_FACE_A:
            return solid_face_feature(pair, false, axis->i_b, axis->i_a);
        case AXIS_EDGES:
            return solid_edges_feature(pair, axis->i_a, axis->i_b, axis->n);
        case AXIS_EDGE_B:
            return solid_shaft_feature(pair, true, axis->i_a, axis->i_b, axis->n);
        case AXIS_EDGE_A:
            return solid_shaft_feature(pair, false, axis->i_b, axis->i_a, axis->n);
        default:
            return solid_points_feature(pair, axis->x_a, axis->x_b, axis->n, axis->key);
    }
}

// Where the nearest feature is, for the choice of those that span the patch
static Vec3 axis_point(const SolidPair* pair, const SolidAxis* axis) {
    switch (axis->kind) {
        case AXIS_FACE_B:
        case AXIS_EDGE_B:
            return solid_from_a(pair, pair->a->points[axis->i_a]);
        case AXIS_FACE_A:
        case AXIS_EDGE_A:
            return pair->b->points[axis->i_b];
        case AXIS_EDGES: {
            const SolidEdge* a = &pair->a->edges[axis->i_a];
            const SolidEdge* b = &pair->b->edges[axis->i_b];
            const Vec3 p = solid_from_a(pair, pair->a->points[a->ends[0]]);
            const Vec3 d = turn3(pair->R, solid_edge_vector(pair->a, a));
            double s, t;
            solid_segments(p, d, pair->b->points[b->ends[0]], solid_edge_vector(pair->b, b), &s,
                           &t);
            return add3(p, scale3(s, d));
        }
        default:
            return axis->x_a;
    }
}

int solid_near_hulls(const SolidPair* pair, Feature* features) {
    const SolidAxis axis = solid_axis(pair);
    const Feature nearest = axis_feature(pair, &axis);
    if (nearest.gap > pair->margin) {  // there is no patch
        features[0] = nearest;
        return 1;
    }
    SolidList list;
    solid_list_begin(&list, pair, axis.n, nearest.gap);
    solid_patch(&list, axis.gap);
    solid_list_add_nearest(&list, &nearest, axis_point(pair, &axis));
    return solid_list_finish(&list, pair->most, features);
}
