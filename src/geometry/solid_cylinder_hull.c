// A hull a and a cylinder b.
//
// Apart: the distance of a point from the cylinder, a convex set, is convex along each edge of the
// core, so that its least value there is where its slope vanishes (bisection and secants); over a
// face of the core the nearest is the lowest point of the cylinder, if the face is below it.
// Penetrating: the gap along an axis n is largest at a normal of a face or of an end of the
// cylinder, or between the side and a point, or at a local maximum around an edge
// (solid_cylinder_arc.c).
#include "geometry/solid_parts.h"

enum { MOST_STEPS = 100 };
// A normal whose product with the axis is less is that of the side.
#define ACROSS 1e-12

typedef enum HullPart { AT_FACE, AT_EDGE, AT_POINT } HullPart;

typedef struct Nearest {
    double gap;  // of the core
    Vec3 n;      // from the cylinder to the hull
    HullPart at;
    int index;
    Vec3 x;  // of the core, but of a face
} Nearest;

static Vec3 point_a(const SolidPair* pair, int i) { return solid_from_a(pair, pair->a->points[i]); }

static Vec3 normal_a(const SolidPair* pair, int f) {
    return turn3(pair->R, pair->a->faces[f].normal);
}

// The least product of a point of the core with n
static double lowest_of_core(const SolidPair* pair, Vec3 n, int* at) {
    const Vec3 d = solid_direction_to_a(pair, n);
    double least = INFINITY;
    for (int i = 0; i < pair->a->n_points; i++) {
        const double value = dot3(d, pair->a->points[i]);
        if (value < least) {
            least = value;
            *at = i;
        }
    }
    return least + dot3(n, pair->r);
}

static void try_nearest(const SolidPair* pair, Nearest* best, Nearest with) {
    if (with.gap > best->gap + pair->tie) {
        *best = with;
    }
}

// --- penetrating ---

static void try_faces(const SolidPair* pair, const SolidTube* t, Nearest* best) {
    for (int f = 0; f < pair->a->n_faces; f++) {
        const Vec3 m = normal_a(pair, f);
        const int i = pair->a->face_points[pair->a->faces[f].first];
        const double gap = dot3(m, sub3(t->c, point_a(pair, i))) - solid_tube_support(t, m);
        try_nearest(pair, best, (Nearest){gap, solid_opposite(m), AT_FACE, f, {0.0, 0.0, 0.0}});
    }
}

static void try_axis(const SolidPair* pair, const SolidTube* t, Vec3 n, Nearest* best) {
    int i = 0;
    const double low = lowest_of_core(pair, n, &i);
    const double gap = low - dot3(n, t->c) - solid_tube_support(t, n);
    try_nearest(pair, best, (Nearest){gap, n, AT_POINT, i, point_a(pair, i)});
}

// The side and a point: an upper bound of the gap tells if it is worth the search.
static void try_points(const SolidPair* pair, const SolidTube* t, Nearest* best) {
    for (int i = 0; i < pair->a->n_points; i++) {
        const Vec3 d = solid_part_across(sub3(point_a(pair, i), t->c), t->k);
        const double rho = length3(d);
        if (rho > 0.0 && rho - t->r > best->gap + pair->tie) {
            try_axis(pair, t, scale3(1.0 / rho, d), best);
        }
    }
}

// With a direction of unit length
static SolidArc arc_of(const SolidPair* pair, int e) {
    SolidArc arc = solid_arc(pair, true, e);
    arc.e = solid_unit(arc.e);
    return arc;
}

// The middle of what is first of the cylinder along n
static Vec3 middle_of_first(const SolidPair* pair, const SolidTube* t, Vec3 n) {
    const double along = dot3(n, t->k);
    if (fabs(along) > pair->cos_tilt) {
        return add3(t->c, scale3(along < 0.0 ? -t->h : t->h, t->k));
    }
    const Vec3 x = solid_tube_first(t, n);
    return fabs(along) < pair->sin_tilt ? sub3(x, solid_part_along(sub3(x, t->c), t->k)) : x;
}

// The point of an edge that is nearest to where the cylinder is first along n
static Vec3 on_edge(const SolidPair* pair, const SolidTube* t, int e, Vec3 n) {
    const SolidEdge* edge = &pair->a->edges[e];
    const Vec3 p = point_a(pair, edge->ends[0]), d = sub3(point_a(pair, edge->ends[1]), p);
    Vec3 x = solid_tube_first(t, n);
    if (fabs(dot3(n, t->k)) <= ACROSS) {  // somewhere along the side
        const Vec3 c = cross3(d, t->k);
        const double square = dot3(c, c);
        const Vec3 w = sub3(p, sub3(x, scale3(dot3(sub3(x, t->c), t->k), t->k)));
        const double s = square > 0.0 ? dot3(cross3(t->k, w), c) / square : 0.5;
        return add3(p, scale3(fmin(fmax(s, 0.0), 1.0), d));
    }
    const double s = dot3(d, sub3(x, p)) / dot3(d, d);
    return add3(p, scale3(fmin(fmax(s, 0.0), 1.0), d));
}

// Edges of which no normal can do better are passed over: a point of the cylinder bounds the gap.
static void try_edges(const SolidPair* pair, const SolidTube* t, Nearest* best) {
    const Vec3 y = middle_of_first(pair, t, best->n);
    for (int e = 0; e < pair->a->n_edges; e++) {
        const SolidArc arc = arc_of(pair, e);
        // h(n) is not less than the smaller of h and r
        const double bound =
            length3(solid_part_across(sub3(arc.p, t->c), arc.e)) - fmin(t->h, t->r);
        if (fmin(bound, solid_arc_most(&arc, sub3(arc.p, y))) <= best->gap + pair->tie) {
            continue;
        }
        Nearest with = {.at = AT_EDGE, .index = e};
        if (solid_tube_arc(t, &arc, &with.n, &with.gap) && with.gap > best->gap + pair->tie) {
            with.x = on_edge(pair, t, e, with.n);
            *best = with;
        }
    }
}

static Nearest least_depth(const SolidPair* pair, const SolidTube* t) {
    Nearest best = {.gap = -INFINITY};
    try_faces(pair, t, &best);
    try_axis(pair, t, t->k, &best);
    try_axis(pair, t, solid_opposite(t->k), &best);
    try_points(pair, t, &best);
    try_edges(pair, t, &best);
    return best;
}

// --- apart ---

// Slope of half the squared distance along an edge d: (x - nearest) . d, which ascends
static double slope_on_edge(const SolidTube* t, Vec3 p, Vec3 d, double s) {
    const Vec3 x = add3(p, scale3(s, d));
    return dot3(d, sub3(x, solid_tube_nearest(t, x)));
}

// Where it vanishes: false position with halved weights (Illinois), and bisection in every other
// step: beside a rim the slope is far steeper on one side than on the other, and secants creep.
static double least_on_edge(const SolidTube* t, Vec3 p, Vec3 d) {
    double low = 0.0, high = 1.0;
    double at_low = slope_on_edge(t, p, d, low), at_high = slope_on_edge(t, p, d, high);
    if (at_low >= 0.0) {
        return 0.0;
    }
    if (at_high <= 0.0) {
        return 1.0;
    }
    int side = 0;
    for (int i = 0; i < MOST_STEPS && high - low > 1e-16; i++) {
        const double secant = (low * at_high - high * at_low) / (at_high - at_low);
        double s = i % 2 == 1 ? 0.5 * (low + high) : secant;
        s = s > low && s < high ? s : 0.5 * (low + high);
        const double slope = slope_on_edge(t, p, d, s);
        if (slope == 0.0 || s == low || s == high) {
            return s;
        }
        if (slope < 0.0) {
            low = s;
            at_low = slope;
            at_high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = s;
            at_high = slope;
            at_low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return 0.5 * (low + high);
}

// The nearest feature of a point: of one inside the end or the side that is nearest
static Nearest nearest_of_point(const SolidTube* t, Vec3 x) {
    const Vec3 d = sub3(x, t->c);
    const double z = dot3(d, t->k);
    const Vec3 across = sub3(d, scale3(z, t->k));
    const double rho = length3(across);
    const double over = fabs(z) - t->h, beside = rho - t->r;
    const Vec3 up = scale3(z < 0.0 ? -1.0 : 1.0, t->k);
    Nearest g = {.at = AT_POINT, .x = x};
    if (over > 0.0 && beside > 0.0) {
        g.gap = sqrt(over * over + beside * beside);
        g.n = add3(scale3(over / g.gap, up), scale3(beside / g.gap / rho, across));
    } else if (over > beside || rho == 0.0) {
        g.gap = over;
        g.n = up;
    } else {
        g.gap = beside;
        g.n = scale3(1.0 / rho, across);
    }
    return g;
}

static void try_point_distance(const SolidPair* pair, const SolidTube* t, Vec3 x, HullPart at,
                               int index, Nearest* best) {
    Nearest with = nearest_of_point(t, x);
    if (with.gap < best->gap - pair->tie && with.gap > 0.0) {
        with.at = at;
        with.index = index;
        *best = with;
    }
}

static void edge_distances(const SolidPair* pair, const SolidTube* t, Nearest* best) {
    for (int e = 0; e < pair->a->n_edges; e++) {
        const SolidEdge* edge = &pair->a->edges[e];
        const Vec3 p = point_a(pair, edge->ends[0]), q = point_a(pair, edge->ends[1]);
        const Vec3 middle = scale3(0.5, add3(p, q)), d = sub3(q, p);
        const double half = 0.5 * length3(d);
        if (length3(sub3(middle, solid_tube_nearest(t, middle))) - half > best->gap) {
            continue;
        }
        const double s = least_on_edge(t, p, d);
        const bool end = s <= 0.0 || s >= 1.0;
        try_point_distance(pair, t, add3(p, scale3(s, d)), end ? AT_POINT : AT_EDGE,
                           end ? edge->ends[s >= 1.0] : e, best);
    }
}

static void face_distances(const SolidPair* pair, const SolidTube* t, Nearest* best) {
    for (int f = 0; f < pair->a->n_faces; f++) {
        const Vec3 m = normal_a(pair, f);
        const int i = pair->a->face_points[pair->a->faces[f].first];
        const double gap = dot3(m, sub3(t->c, point_a(pair, i))) - solid_tube_support(t, m);
        const Vec3 low = solid_tube_first(t, solid_opposite(m));
        if (gap > 0.0 && gap < best->gap + pair->tie &&
            solid_face_covers(pair->a, f, solid_to_a(pair, low), 0.0)) {
            *best = (Nearest){gap, solid_opposite(m), AT_FACE, f, {0.0, 0.0, 0.0}};
        }
    }
}

static Nearest nearest_of(const SolidPair* pair, const SolidTube* t) {
    Nearest over = {.gap = INFINITY};
    face_distances(pair, t, &over);
    if (isfinite(over.gap)) {
        return over;
    }
    const Nearest best = least_depth(pair, t);
    if (best.gap <= pair->tie) {
        return best;
    }
    // Along an edge the axes around it know the normal better than two points do that may be as
    // close to each other as rounding.
    Nearest apart = {.gap = INFINITY};
    edge_distances(pair, t, &apart);
    const bool same_edge = apart.at == AT_EDGE && best.at == AT_EDGE && apart.index == best.index;
    return isfinite(apart.gap) && apart.gap > best.gap - pair->tie && !same_edge ? apart : best;
}

// --- features ---

static Feature side_feature(const SolidPair* pair, const SolidTube* t, Vec3 x, unsigned key) {
    const double rho = length3(solid_part_across(sub3(x, t->c), t->k));
    return solid_feature(
        pair, FEATURE_SHAFT, true, solid_side(pair, true, x, t->k, pair->a->radius),
        solid_side(pair, false, t->c, t->k, t->r), rho - t->r - pair->a->radius, key);
}

static Feature edge_on_side(const SolidPair* pair, const SolidTube* t, int e, Vec3 n) {
    SolidArc arc = arc_of(pair, e);
    Vec3 c = cross3(arc.e, t->k);
    if (dot3(c, n) < 0.0) {
        arc.e = solid_opposite(arc.e);
        c = solid_opposite(c);
    }
    const double R = pair->a->radius;
    const double gap = dot3(solid_unit(c), sub3(arc.p, t->c)) - R - t->r;
    return solid_feature(pair, FEATURE_EDGES, true, solid_side(pair, true, arc.p, arc.e, R),
                         solid_side(pair, false, t->c, t->k, t->r), gap,
                         solid_key(PART_EDGE, e, PART_OTHER, TUBE_SIDE));
}

// A point of a over a plane of the cylinder
static Feature frozen(const SolidPair* pair, Vec3 x, Vec3 p, Vec3 n, unsigned key) {
    const double R = pair->a->radius;
    return solid_feature(pair, FEATURE_FLAT, true, solid_side(pair, true, x, n, R),
                         solid_side(pair, false, p, n, 0.0), dot3(n, sub3(x, p)) - R, key);
}

static SolidFloor floor_of(const SolidPair* pair, int f) {
    const Vec3 m = normal_a(pair, f);
    const Vec3 p = point_a(pair, pair->a->face_points[pair->a->faces[f].first]);
    return (SolidFloor){
        .p = add3(p, scale3(pair->a->radius, m)), .n = m, .hull = pair->a, .face = f};
}

static Feature nearest_feature(const SolidPair* pair, const SolidTube* t, const Nearest* g) {
    if (g->at == AT_FACE) {
        const SolidFloor floor = floor_of(pair, g->index);
        return solid_floor_feature(pair, t, &floor);
    }
    const SolidPart part = g->at == AT_EDGE ? PART_EDGE : PART_POINT;
    const Vec3 d = sub3(g->x, t->c);
    const double along = dot3(g->n, t->k);
    if (fabs(along) <= ACROSS) {  // the side
        const SolidArc arc = g->at == AT_EDGE ? arc_of(pair, g->index) : (SolidArc){0};
        if (length3(cross3(arc.e, t->k)) >= SOLID_PARALLEL) {
            return edge_on_side(pair, t, g->index, g->n);
        }
        if (dot3(g->n, d) > 1e-3 * t->r) {  // not beyond the axis
            return side_feature(pair, t, g->x, solid_key(part, g->index, PART_OTHER, TUBE_SIDE));
        }
    }
    const int end = along > 0.0;
    const bool cap = fabs(along) >= 1.0 - 1e-15;
    return frozen(pair, g->x, solid_tube_first(t, g->n), g->n,
                  solid_key(part, g->index, PART_OTHER, (cap ? TUBE_CAP : TUBE_RIM) + end));
}

// --- the patch ---

static bool within(const SolidPair* pair, Vec3 n, Vec3 m) { return dot3(n, m) >= pair->cos_tilt; }

// A point of a (its core) over an end of the cylinder, or beside its side
static void add_point(SolidList* list, const SolidTube* t, Vec3 x, SolidPart part, int index,
                      int slot) {
    const SolidPair* pair = list->pair;
    const Vec3 d = sub3(x, t->c);
    const double z = dot3(d, t->k);
    const Vec3 across = sub3(d, scale3(z, t->k));
    const double rho = length3(across);
    const double sign = dot3(list->n, t->k) < 0.0 ? -1.0 : 1.0;
    const Vec3 up = scale3(sign, t->k);
    if (within(pair, list->n, up) && rho <= t->r + pair->same) {
        const Feature f =
            frozen(pair, x, add3(t->c, scale3(t->h, up)), up,
                   solid_key(part, index, PART_OTHER, TUBE_CAP + (sign > 0.0) + slot));
        solid_list_add(list, &f, x);
    }
    if (rho > 1e-3 * t->r && fabs(z) <= t->h + pair->same &&
        within(pair, list->n, scale3(1.0 / rho, across))) {
        const Feature f =
            side_feature(pair, t, x, solid_key(part, index, PART_OTHER, TUBE_SIDE + slot));
        solid_list_add(list, &f, x);
    }
}

// Where an edge crosses the rim (seen along the axis), and where it passes an end of the side
static void add_edge_points(SolidList* list, const SolidTube* t, int e) {
    const SolidPair* pair = list->pair;
    const SolidEdge* edge = &pair->a->edges[e];
    const Vec3 p = point_a(pair, edge->ends[0]), d = sub3(point_a(pair, edge->ends[1]), p);
    const Vec3 u = solid_part_across(sub3(p, t->c), t->k), v = solid_part_across(d, t->k);
    const double uu = dot3(u, u) - t->r * t->r, uv = dot3(u, v), vv = dot3(v, v);
    const double root = uv * uv - uu * vv;
    const double along = dot3(d, t->k), z = dot3(sub3(p, t->c), t->k);
    for (int k = 0; k < 4; k++) {
        const double sign = k % 2 == 0 ? -1.0 : 1.0;
        const bool rim = k < 2;
        if (rim ? root <= 0.0 || vv <= 1e-12 * dot3(d, d) : along * along < 0.5 * dot3(d, d)) {
            continue;
        }
        const double s = rim ? (-uv + sign * sqrt(root)) / vv : (sign * t->h - z) / along;
        if (s > 0.0 && s < 1.0) {
            add_point(list, t, add3(p, scale3(s, d)), PART_EDGE, e, TUBE_EDGE_POINT + 4 * k);
        }
    }
}

// An edge across the side
static void add_edge_on_side(SolidList* list, const SolidTube* t, int e) {
    const SolidPair* pair = list->pair;
    const SolidEdge* edge = &pair->a->edges[e];
    const Vec3 p = point_a(pair, edge->ends[0]), d = sub3(point_a(pair, edge->ends[1]), p);
    const Vec3 c = cross3(d, t->k), w = sub3(p, t->c);
    const double square = dot3(c, c);
    if (square < SOLID_PARALLEL * SOLID_PARALLEL * dot3(d, d)) {
        return;
    }
    const double s = dot3(cross3(t->k, w), c) / square, z = dot3(cross3(d, w), c) / square;
    const Vec3 n = scale3((dot3(c, list->n) < 0.0 ? -1.0 : 1.0) / sqrt(square), c);
    if (s >= 0.0 && s <= 1.0 && fabs(z) <= t->h && within(pair, list->n, n)) {
        const Feature f = edge_on_side(pair, t, e, n);
        solid_list_add(list, &f, add3(p, scale3(s, d)));
    }
}

static void add_patch(SolidList* list, const SolidTube* t) {
    const SolidPair* pair = list->pair;
    const Vec3 out = solid_direction_to_a(pair, solid_opposite(list->n));
    for (int f = 0; f < pair->a->n_faces; f++) {
        if (dot3(pair->a->faces[f].normal, out) >= pair->cos_tilt) {
            const SolidFloor floor = floor_of(pair, f);
            solid_add_floor(list, t, &floor);
        }
    }
    for (int e = 0; e < pair->a->n_edges; e++) {
        const SolidEdge* edge = &pair->a->edges[e];
        if (solid_edge_faces(pair, pair->a, edge, out)) {
            add_point(list, t, point_a(pair, edge->ends[0]), PART_POINT, edge->ends[0], 0);
            add_point(list, t, point_a(pair, edge->ends[1]), PART_POINT, edge->ends[1], 0);
            add_edge_on_side(list, t, e);
            add_edge_points(list, t, e);
        }
    }
}

int solid_near_cylinder_hull(const SolidPair* pair, Feature* features) {
    const SolidTube t = solid_tube(pair, false);
    const bool ball = pair->a->n_points == 1;
    const Nearest g = ball ? nearest_of_point(&t, point_a(pair, 0)) : nearest_of(pair, &t);
    features[0] = nearest_feature(pair, &t, &g);
    if (ball) {
        return 1;
    }
    SolidList list;
    solid_list_begin(&list, pair, g.n, features[0].gap);
    add_patch(&list, &t);
    const Vec3 at = g.at == AT_FACE ? solid_tube_first(&t, g.n) : g.x;
    solid_list_add_nearest(&list, &features[0], at);
    return solid_list_finish(&list, pair->most, features);
}
