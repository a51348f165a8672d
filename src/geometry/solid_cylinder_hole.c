// A cylinder within a bore or a hollow sphere touches the wall with points of its rims: the squared
// distance of a point of a rim from the hole's axis, or centre, is a trigonometric polynomial
//     F = const + B cos + C sin + D cos 2 + E sin 2
// of the angle round the rim; the point with its maximum and three at quarters of a turn are
// listed.
#include "geometry/solid_parts.h"

#define PI 3.14159265358979323846
enum { NEWTON_STEPS = 60 };

typedef struct Wave {
    double B, C, D, E;
} Wave;

// Where P cos + Q sin + S cos 2, none of them negative, is largest within the first quarter. Its
// slope over sin cos, Q / sin - P / cos - 4 S, falls all the way from there to here: it has one
// zero, to which Newton's method goes, kept between angles at which the slope goes from + to -.
static double quarter_maximum(double P, double Q, double S) {
    double low = 0.0, high = 0.5 * PI, x = atan2(Q, P + 4.0 * S);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const double c = cos(x), s = sin(x);
        const double slope = Q * c - P * s - 4.0 * S * s * c;
        const double curvature = -P * c - Q * s - 4.0 * S * (c * c - s * s);
        if (slope > 0.0) {
            low = x;
        } else {
            high = x;
        }
        double next = curvature < 0.0 ? x - slope / curvature : x;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - x) <= 1e-16) {
            break;
        }
        x = next;
    }
    return x;
}

// From the angle phi on at which the second waves are D' cos 2, D' > 0, it is
// B' cos + C' sin + D' cos 2: largest in the quarter in which cos and sin have the signs of B' and
// C'.
static double wave_maximum(const Wave* w) {
    const double phi = 0.5 * atan2(w->E, w->D);
    const double c = cos(phi), s = sin(phi);
    const double B = w->B * c + w->C * s, C = w->C * c - w->B * s;
    const double x = quarter_maximum(fabs(B), fabs(C), sqrt(w->D * w->D + w->E * w->E));
    return phi + atan2(copysign(sin(x), C), copysign(cos(x), B));
}

// A vector from the hole's centre, or axis
static Vec3 from_hole(const Solid* hole, Vec3 d) {
    return hole->kind == SOLID_BORE ? solid_part_across(d, hole->axis) : d;
}

static void add_wall_point(SolidList* list, Vec3 x, int part) {
    const SolidPair* pair = list->pair;
    const Solid* b = pair->b;
    const double gap = b->radius - length3(from_hole(b, sub3(x, b->centre)));
    const Feature f =
        solid_feature(pair, b->kind == SOLID_BORE ? FEATURE_BORE : FEATURE_RING, true,
                      solid_side(pair, true, x, b->axis, 0.0),
                      (FeatureSide){.at = b->centre, .axis = b->axis, .radius = b->radius}, gap,
                      solid_key(PART_OTHER, part, PART_OTHER, 0));
    if (gap < list->least) {
        list->least = gap;
    }
    solid_list_add(list, &f, x);
}

// Where the polynomial is all but constant, points fixed to the rim
static void add_rim_in_hole(SolidList* list, const SolidTube* t, const Vec3 across[2], int end) {
    const Solid* b = list->pair->b;
    const Vec3 c = add3(t->c, scale3(end == 0 ? -t->h : t->h, t->k));
    const Vec3 d = from_hole(b, sub3(c, b->centre));
    const Vec3 u = from_hole(b, scale3(t->r, across[0])), v = from_hole(b, scale3(t->r, across[1]));
    const Wave w = {2.0 * dot3(d, u), 2.0 * dot3(d, v), 0.5 * (dot3(u, u) - dot3(v, v)),
                    dot3(u, v)};
    const double size = fabs(w.B) + fabs(w.C) + fabs(w.D) + fabs(w.E);
    const double first = size > list->pair->tie * b->radius ? wave_maximum(&w) : 0.0;
    for (int slot = 0; slot < 4; slot++) {
        const double phi = first + 0.5 * PI * slot;
        const Vec3 e = add3(scale3(t->r * cos(phi), across[0]), scale3(t->r * sin(phi), across[1]));
        add_wall_point(list, add3(c, e), TUBE_RIM_POINT + 8 * end + slot);
    }
}

int solid_near_cylinder_hole(const SolidPair* pair, Feature* features) {
    const SolidTube t = solid_tube(pair, true);
    Vec3 across[2];
    solid_tube_across(pair, &t, across);
    SolidList list;
    solid_list_begin(&list, pair, pair->b->axis, INFINITY);
    for (int pass = 0; pass < 2; pass++) {  // the first finds the least gap
        list.n_features = 0;
        add_rim_in_hole(&list, &t, across, 0);
        add_rim_in_hole(&list, &t, across, 1);
    }
    return solid_list_finish_apart(&list, pair->most, features);
}
