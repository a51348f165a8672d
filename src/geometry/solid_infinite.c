// Hulls and planes, shafts and holes, which have no end.
#include "geometry/solid_parts.h"

// --- plane ---

static Feature point_over_plane(const SolidPair* pair, int i) {
    const Solid* b = pair->b;
    const Vec3 x = solid_from_a(pair, pair->a->points[i]);
    const double gap = dot3(b->axis, sub3(x, b->centre)) - pair->a->radius;
    return solid_feature(
        pair, FEATURE_FLAT, true,
        (FeatureSide){.at = pair->a->points[i], .axis = b->axis, .radius = pair->a->radius},
        (FeatureSide){.at = b->centre, .axis = b->axis, .radius = 0.0}, gap,
        solid_key(PART_POINT, i, PART_FACE, 0));
}

static int lowest_point(const SolidPair* pair, Vec3 d) {
    int best = 0;
    for (int i = 1; i < pair->a->n_points; i++) {
        best = dot3(d, sub3(pair->a->points[i], pair->a->points[best])) < 0.0 ? i : best;
    }
    return best;
}

int solid_near_plane(const SolidPair* pair, Feature* features) {
    const Solid* a = pair->a;
    if (a->kind == SOLID_CYLINDER) {
        return solid_near_cylinder(pair, features);
    }
    const Vec3 d = solid_direction_to_a(pair, pair->b->axis);
    const int lowest = lowest_point(pair, d);
    features[0] = point_over_plane(pair, lowest);
    if (a->n_points == 1) {
        return 1;
    }
    SolidList list;
    solid_list_begin(&list, pair, pair->b->axis, features[0].gap);
    for (int e = 0; e < a->n_edges; e++) {
        if (solid_edge_faces(pair, a, &a->edges[e], solid_opposite(d))) {
            for (int k = 0; k < 2; k++) {
                const int i = a->edges[e].ends[k];
                const Feature f = point_over_plane(pair, i);
                solid_list_add(&list, &f, solid_from_a(pair, a->points[i]));
            }
        }
    }
    solid_list_add_nearest(&list, &features[0], solid_from_a(pair, a->points[lowest]));
    return solid_list_finish(&list, pair->most, features);
}

// --- shaft ---

// A shaft is a capsule so long that its ends are beyond all of a, wherever it is parted from it: at
// four times the reach no axis that is not perpendicular to it can be better than one that is.
int solid_near_shaft(const SolidPair* pair, Feature* features) {
    const Solid* b = pair->b;
    const Vec3 middle = solid_from_a(pair, pair->a->middle);
    const double along = dot3(b->axis, sub3(middle, b->centre));
    const Vec3 foot = add3(b->centre, scale3(along, b->axis));
    const double distance = length3(sub3(middle, foot));
    const double half = 4.0 * (pair->a->reach + distance + b->radius);
    Vec3 points[2] = {sub3(foot, scale3(half, b->axis)), add3(foot, scale3(half, b->axis))};
    SolidEdge edge = {{0, 1}, {-1, -1}};
    Solid capsule = {.kind = SOLID_HULL, .radius = b->radius, .axis = b->axis};
    capsule.points = points;
    capsule.edges = &edge;
    capsule.n_points = 2;
    capsule.n_edges = 1;
    capsule.middle = foot;
    capsule.reach = half + b->radius;
    SolidPair with = *pair;
    with.b = &capsule;
    with.tie = fmax(pair->tie, 0.1 * SOLID_TIE * half);
    if (pair->a->kind == SOLID_CYLINDER) {
        with = solid_exchanged(&with);
    }
    const int n = with.b->kind == SOLID_CYLINDER ? solid_near_cylinder(&with, features)
                  : with.a->n_points <= 2        ? solid_near_rounds(&with, features)
                                                 : solid_near_hulls(&with, features);
    for (int i = 0; i < n; i++) {  // the line from where it is given
        const int side = features[i].swapped == pair->flipped ? 1 : 0;
        if (features[i].kind == FEATURE_EDGES || (features[i].kind == FEATURE_SHAFT && side == 1)) {
            features[i].sides[side].at = b->centre;
        }
    }
    return n;
}

// --- bore and hollow sphere ---

static Feature point_in_hole(const SolidPair* pair, int i, Vec3* at) {
    const Solid* b = pair->b;
    const bool bore = b->kind == SOLID_BORE;
    const Vec3 x = solid_from_a(pair, pair->a->points[i]);
    Vec3 d = sub3(x, b->centre);
    d = bore ? sub3(d, scale3(dot3(d, b->axis), b->axis)) : d;
    const double gap = b->radius - length3(d) - pair->a->radius;
    *at = x;
    return solid_feature(
        pair, bore ? FEATURE_BORE : FEATURE_RING, true,
        (FeatureSide){.at = pair->a->points[i], .axis = b->axis, .radius = pair->a->radius},
        (FeatureSide){.at = b->centre, .axis = b->axis, .radius = b->radius}, gap,
        solid_key(PART_POINT, i, PART_OTHER, 0));
}

int solid_near_hole(const SolidPair* pair, Feature* features) {
    if (pair->a->kind == SOLID_CYLINDER) {
        return solid_near_cylinder(pair, features);
    }
    Vec3 at;
    double least = INFINITY;
    for (int i = 0; i < pair->a->n_points; i++) {
        least = fmin(least, point_in_hole(pair, i, &at).gap);
    }
    SolidList list;
    solid_list_begin(&list, pair, pair->b->axis, least);
    for (int i = 0; i < pair->a->n_points; i++) {
        const Feature f = point_in_hole(pair, i, &at);
        solid_list_add(&list, &f, at);
    }
    return solid_list_finish_apart(&list, pair->most, features);
}
