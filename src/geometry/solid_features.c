// Features of points, edges and faces of two hulls, with their radii.
#include "geometry/solid_parts.h"

FeatureSide solid_side(const SolidPair* pair, bool of_a, Vec3 at, Vec3 axis, double radius) {
    if (of_a) {
        at = solid_to_a(pair, at);
        axis = solid_direction_to_a(pair, axis);
    }
    return (FeatureSide){.at = at, .axis = axis, .radius = radius};
}

// Cores apart and round: two balls. Otherwise a ball over a plane with the present normal
Feature solid_points_feature(const SolidPair* pair, Vec3 x_a, Vec3 x_b, Vec3 n, unsigned key) {
    const double R_a = pair->a->radius, R_b = pair->b->radius;
    const Vec3 d = sub3(x_a, x_b);
    const double distance = length3(d);
    if (R_a + R_b > 0.0 && distance > 1e-3 * (R_a + R_b)) {
        return solid_feature(pair, FEATURE_ROUND, true, solid_side(pair, true, x_a, n, R_a),
                             solid_side(pair, false, x_b, n, R_b), distance - R_a - R_b, key);
    }
    return solid_feature(pair, FEATURE_FLAT, true, solid_side(pair, true, x_a, n, R_a),
                         solid_side(pair, false, add3(x_b, scale3(R_b, n)), n, 0.0),
                         dot3(n, d) - R_a - R_b, key);
}

Feature solid_face_feature(const SolidPair* pair, bool face_of_b, int i, int f) {
    const Solid* solid = face_of_b ? pair->b : pair->a;
    const Solid* other = face_of_b ? pair->a : pair->b;
    const SolidFace* face = &solid->faces[f];
    const Vec3 p = solid->points[solid->face_points[face->first]];
    const Vec3 x =
        face_of_b ? solid_from_a(pair, other->points[i]) : solid_to_a(pair, other->points[i]);
    const Vec3 top = add3(p, scale3(solid->radius, face->normal));
    const FeatureSide point = {
        .at = other->points[i], .axis = face->normal, .radius = other->radius};
    const FeatureSide plane = {.at = top, .axis = face->normal, .radius = 0.0};
    const double gap = dot3(face->normal, sub3(x, top)) - other->radius;
    return face_of_b ? solid_feature(pair, FEATURE_FLAT, true, point, plane, gap,
                                     solid_key(PART_POINT, i, PART_FACE, f))
                     : solid_feature(pair, FEATURE_FLAT, false, plane, point, gap,
                                     solid_key(PART_FACE, f, PART_POINT, i));
}

// Of sharp ones a plane through the nearest point of the edge
Feature solid_shaft_feature(const SolidPair* pair, bool edge_of_b, int i, int e, Vec3 n) {
    const Solid* solid = edge_of_b ? pair->b : pair->a;
    const Solid* other = edge_of_b ? pair->a : pair->b;
    const SolidEdge* edge = &solid->edges[e];
    const Vec3 p = solid->points[edge->ends[0]];
    const Vec3 k = solid_unit(solid_edge_vector(solid, edge));
    const Vec3 x =
        edge_of_b ? solid_from_a(pair, other->points[i]) : solid_to_a(pair, other->points[i]);
    const Vec3 foot = add3(p, scale3(dot3(k, sub3(x, p)), k));
    const double radii = solid->radius + other->radius;
    const double distance = length3(sub3(x, foot));
    FeatureKind kind = FEATURE_SHAFT;
    FeatureSide line = {.at = p, .axis = k, .radius = solid->radius};
    FeatureSide point = {.at = other->points[i], .axis = k, .radius = other->radius};
    double gap = distance - radii;
    if (!(radii > 0.0 && distance > 1e-3 * radii)) {
        const Vec3 m = edge_of_b ? n : solid_direction_to_a(pair, solid_opposite(n));
        kind = FEATURE_FLAT;
        line = (FeatureSide){.at = add3(foot, scale3(solid->radius, m)), .axis = m, .radius = 0.0};
        point.axis = m;
        gap = dot3(m, sub3(x, foot)) - radii;
    }
    return edge_of_b ? solid_feature(pair, kind, true, point, line, gap,
                                     solid_key(PART_POINT, i, PART_EDGE, e))
                     : solid_feature(pair, kind, false, line, point, gap,
                                     solid_key(PART_EDGE, e, PART_POINT, i));
}

// The axes are directed so that axis_a x axis_b is along n.
Feature solid_edges_feature(const SolidPair* pair, int e_a, int e_b, Vec3 n) {
    const SolidEdge* a = &pair->a->edges[e_a];
    const SolidEdge* b = &pair->b->edges[e_b];
    Vec3 k_a = solid_unit(solid_edge_vector(pair->a, a));
    const Vec3 k_b = solid_unit(solid_edge_vector(pair->b, b));
    Vec3 c = cross3(turn3(pair->R, k_a), k_b);
    if (dot3(c, n) < 0.0) {
        k_a = solid_opposite(k_a);
        c = solid_opposite(c);
    }
    const Vec3 p_a = pair->a->points[a->ends[0]], p_b = pair->b->points[b->ends[0]];
    const double R_a = pair->a->radius, R_b = pair->b->radius;
    const double gap = dot3(solid_unit(c), sub3(solid_from_a(pair, p_a), p_b)) - R_a - R_b;
    return solid_feature(pair, FEATURE_EDGES, true,
                         (FeatureSide){.at = p_a, .axis = k_a, .radius = R_a},
                         (FeatureSide){.at = p_b, .axis = k_b, .radius = R_b}, gap,
                         solid_key(PART_EDGE, e_a, PART_EDGE, e_b));
}

// --- parts of hulls ---

static double clamp(double x) { return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x; }

// Of the lines first, unless they are parallel; then one parameter is clamped and the other
// follows.
void solid_segments(Vec3 p, Vec3 d, Vec3 q, Vec3 e, double* s, double* t) {
    const Vec3 w = sub3(p, q);
    const double dd = dot3(d, d), ee = dot3(e, e), de = dot3(d, e);
    const double dw = dot3(d, w), ew = dot3(e, w);
    const Vec3 c = cross3(d, e);
    const double square = dot3(c, c);
    double s_line = 0.5;
    if (square > 1e-28 * dd * ee) {
        s_line = dot3(cross3(e, w), c) / square;  // (d x e) . (e x w) / |d x e|^2
    }
    *s = clamp(s_line);
    *t = (de * *s + ew) / ee;
    if (*t < 0.0 || *t > 1.0) {
        *t = clamp(*t);
        *s = clamp((de * *t - dw) / dd);
    }
}

bool solid_face_covers(const Solid* s, int f, Vec3 x, double beyond) {
    const SolidFace* face = &s->faces[f];
    const int* of = s->face_points + face->first;
    Vec3 p = s->points[of[face->n - 1]];
    for (int k = 0; k < face->n; k++) {
        const Vec3 q = s->points[of[k]];
        const Vec3 e = sub3(q, p);
        const double out = dot3(cross3(e, face->normal), sub3(x, p));
        if (out > 0.0 && out * out > beyond * beyond * dot3(e, e)) {
            return false;
        }
        p = q;
    }
    return true;
}

bool solid_edge_faces(const SolidPair* pair, const Solid* s, const SolidEdge* edge, Vec3 d) {
    const Vec3 e = solid_edge_vector(s, edge);
    const double along = dot3(e, d);
    if (along * along > pair->sin_tilt * pair->sin_tilt * dot3(e, e)) {
        return false;
    }
    if (edge->faces[0] < 0) {
        return true;
    }
    const Vec3 left = s->faces[edge->faces[0]].normal, right = s->faces[edge->faces[1]].normal;
    if (dot3(left, d) >= pair->cos_tilt || dot3(right, d) >= pair->cos_tilt) {
        return true;
    }
    return dot3(e, cross3(left, d)) >= 0.0 && dot3(e, cross3(d, right)) >= 0.0;
}
