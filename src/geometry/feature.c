#include "geometry/feature.h"

#include <stddef.h>

static Vec3 point_of(const Placement* place, Vec3 x) { return add3(place->r, turn3(place->R, x)); }

// Of the part of d that is perpendicular to a unit vector e
static double distance_across(Vec3 d, Vec3 e) { return length3(sub3(d, scale3(dot3(d, e), e))); }

// --- smooth curves ---

static Vec2 in_plane(Vec3 x) { return (Vec2){x.x, x.y}; }

void feature_touch_sides(const Feature* feature, const Placement* first, const Placement* second,
                         TouchSide sides[2]) {
    for (int i = 0; i < 2; i++) {
        const FeatureSide* side = &feature->sides[i];
        const Placement* place = i == 0 ? first : second;
        sides[i] =
            (TouchSide){.r = in_plane(point_of(place, side->at)), .e = in_plane(place->R.e[0])};
        if (feature->curved[i]) {
            sides[i].smooth = side->curve.smooth;
            sides[i].s = side->curve.s;
            sides[i].span = side->curve.span;
        } else if (i == 1) {  // a line
            sides[i].s = side->s;
            sides[i].e = left2(in_plane(turn3(place->R, side->axis)));
        }
    }
}

// The vector from the second side's point of contact to the first one's, and the normal
static Vec2 touch_vector(const Feature* feature, const Placement* first, const Placement* second,
                         Vec2* n) {
    TouchSide sides[2];
    double s[2];
    feature_touch_sides(feature, first, second, sides);
    (void)touch_solve(sides, s);
    const SmoothPoint a = touch_point(&sides[0], false, s[0]);
    const SmoothPoint b = touch_point(&sides[1], true, s[1]);
    *n = scale2(1.0 / length2(b.d), right2(b.d));
    return sub2(a.x, b.x);
}

static double touch_gap(const Feature* feature, const Placement* first, const Placement* second) {
    Vec2 n;
    const Vec2 l = touch_vector(feature, first, second, &n);
    return dot2(n, l) - feature->sides[0].radius;
}

static Vec3 touch_normal(const Feature* feature, const Placement* first, const Placement* second) {
    Vec2 n;
    (void)touch_vector(feature, first, second, &n);
    return (Vec3){n.x, n.y, 0.0};
}

// --- all kinds ---

double feature_gap(const Feature* feature, const Placement* first, const Placement* second) {
    if (feature->kind == FEATURE_SMOOTH) {
        return touch_gap(feature, first, second);
    }
    const FeatureSide* a = &feature->sides[0];
    const FeatureSide* b = &feature->sides[1];
    const Vec3 e_a = turn3(first->R, a->axis), e_b = turn3(second->R, b->axis);
    const Vec3 d = sub3(point_of(first, a->at), point_of(second, b->at));
    switch (feature->kind) {
        case FEATURE_ROUND:
            return length3(d) - a->radius - b->radius;
        case FEATURE_RING:
            return b->radius - a->radius - length3(d);
        case FEATURE_SHAFT:
            return distance_across(d, e_b) - a->radius - b->radius;
        case FEATURE_BORE:
            return b->radius - a->radius - distance_across(d, e_b);
        case FEATURE_EDGES: {
            const Vec3 m = cross3(e_a, e_b);
            return dot3(m, d) / length3(m) - a->radius - b->radius;
        }
        case FEATURE_RIM:
            return dot3(e_b, d) - a->radius * distance_across(e_b, e_a);
        default:  // FEATURE_FLAT
            return dot3(e_b, d) - a->radius;
    }
}

static Vec3 unit_of(Vec3 d) {
    const double length = length3(d);
    return length > 0.0 ? scale3(1.0 / length, d) : MAT3_IDENTITY.e[0];
}

Vec3 feature_normal(const Feature* feature, const Placement* first, const Placement* second) {
    if (feature->kind == FEATURE_SMOOTH) {
        return touch_normal(feature, first, second);
    }
    const FeatureSide* a = &feature->sides[0];
    const FeatureSide* b = &feature->sides[1];
    const Vec3 e_a = turn3(first->R, a->axis), e_b = turn3(second->R, b->axis);
    const Vec3 d = sub3(point_of(first, a->at), point_of(second, b->at));
    const Vec3 across = sub3(d, scale3(dot3(d, e_b), e_b));
    switch (feature->kind) {
        case FEATURE_ROUND:
            return unit_of(d);
        case FEATURE_RING:
            return unit_of(scale3(-1.0, d));
        case FEATURE_SHAFT:
            return unit_of(across);
        case FEATURE_BORE:
            return unit_of(scale3(-1.0, across));
        case FEATURE_EDGES:
            return unit_of(cross3(e_a, e_b));
        default:  // FEATURE_FLAT, FEATURE_RIM
            return e_b;
    }
}
