// What tests of narrow phases share: the two points at which a feature says that shapes are
// nearest, and the worst errors of gaps, normals and points against references.
#pragma once

#include "numbers.h"

#include "geometry/feature.h"

typedef struct WorstErrors {
    int n;
    double gap, normal, point;
} WorstErrors;

static inline void worst_gap(WorstErrors* worst, double error) {
    worst->n++;
    worst->gap = fmax(worst->gap, fabs(error));
}

static inline void worst_print(const WorstErrors* worst, const char* what) {
    print_message("%s: %d poses, worst error of gap %.1e, normal %.1e, points %.1e\n", what,
                  worst->n, worst->gap, worst->normal, worst->point);
}

// In the world: on the shape of the first side of the feature and on that of its second side
typedef struct FeaturePoints {
    Vec3 first, second;
    Vec3 n;  // from the second to the first
} FeaturePoints;

static inline FeaturePoints feature_points(const Feature* f, const Placement* place_a,
                                           const Placement* place_b) {
    const Placement* p = f->swapped ? place_b : place_a;
    const Placement* q = f->swapped ? place_a : place_b;
    const FeatureSide *a = &f->sides[0], *b = &f->sides[1];
    const Vec3 c_a = add3(p->r, turn3(p->R, a->at)), c_b = add3(q->r, turn3(q->R, b->at));
    const Vec3 k_a = turn3(p->R, a->axis), k_b = turn3(q->R, b->axis);
    FeaturePoints x = {.n = feature_normal(f, p, q)};
    Vec3 on_a = c_a;
    double radius = a->radius;
    if (f->kind == FEATURE_EDGES) {  // the point of the first line that is nearest to the second
        const Vec3 c = cross3(k_a, k_b);
        const double along = dot3(cross3(sub3(c_b, c_a), k_b), c) / dot3(c, c);
        on_a = add3(c_a, scale3(along, k_a));
    } else if (f->kind == FEATURE_RIM) {  // the lowest point of the circle
        const Vec3 m = sub3(x.n, scale3(dot3(x.n, k_a), k_a));
        on_a = sub3(c_a, scale3(a->radius / length3(m), m));
        radius = 0.0;
    }
    x.first = sub3(on_a, scale3(radius, x.n));
    x.second = sub3(x.first, scale3(f->gap, x.n));
    return x;
}
