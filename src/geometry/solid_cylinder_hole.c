// A cylinder within a bore or a hollow sphere touches the wall with points of its rims: the squared
// distance of a point of a rim from the hole's axis, or centre, is a trigonometric polynomial
//     F = const + B cos + C sin + D cos 2 + E sin 2
// of the angle round the rim; the point with its maximum and three at quarters of a turn are
// listed.
#include "geometry/solid_parts.h"

#define PI 3.14159265358979323846
enum { SAMPLES = 16, NEWTON_STEPS = 40 };
#define STEP (2.0 * PI / SAMPLES)

typedef struct Wave {
    double B, C, D, E;
} Wave;

static double wave_value(const Wave* w, double phi) {
    return w->B * cos(phi) + w->C * sin(phi) + w->D * cos(2.0 * phi) + w->E * sin(2.0 * phi);
}

static double wave_slope(const Wave* w, double phi, double* curvature) {
    const double c = cos(phi), s = sin(phi), c2 = cos(2.0 * phi), s2 = sin(2.0 * phi);
    *curvature = -w->B * c - w->C * s - 4.0 * (w->D * c2 + w->E * s2);
    return -w->B * s + w->C * c + 2.0 * (w->E * c2 - w->D * s2);
}

// Newton's method between angles at which the slope goes from + to -
static double climb_wave(const Wave* w, double low, double high) {
    double phi = 0.5 * (low + high);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double curvature;
        const double slope = wave_slope(w, phi, &curvature);
        if (slope > 0.0) {
            low = phi;
        } else {
            high = phi;
        }
        double next = curvature < 0.0 ? phi - slope / curvature : phi;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (next == phi) {
            break;
        }
        phi = next;
    }
    return phi;
}

// Is there one maximum alone between the neighbours of a sample, as the slope falls all the way?
static bool is_single(const Wave* w, double start) {
    double curvature;
    wave_slope(w, start, &curvature);
    const double third = fabs(w->B) + fabs(w->C) + 8.0 * (fabs(w->D) + fabs(w->E));
    return curvature < -third * STEP;
}

// The maxima between the neighbours of a sample that is larger than they are: two may be there.
static void climb_from(const Wave* w, double start, double* best) {
    enum { PIECES = 32 };
    const int n = is_single(w, start) ? 1 : PIECES;
    const double piece = 2.0 * STEP / n;
    double low = start - STEP, curvature;
    double before = wave_slope(w, low, &curvature);
    for (int i = 0; i < n; i++) {
        const double high = low + piece, after = wave_slope(w, high, &curvature);
        if (before >= 0.0 && after <= 0.0) {
            const double phi = climb_wave(w, low, high);
            *best = wave_value(w, phi) > wave_value(w, *best) ? phi : *best;
        }
        low = high;
        before = after;
    }
}

// From all samples that are not less than their neighbours: there are at most two maxima.
static double wave_maximum(const Wave* w) {
    double values[SAMPLES];
    double best = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        values[i] = wave_value(w, i * STEP);
        best = values[i] > wave_value(w, best) ? i * STEP : best;
    }
    for (int i = 0; i < SAMPLES; i++) {
        if (values[i] >= values[(i + 1) % SAMPLES] &&
            values[i] >= values[(i + SAMPLES - 1) % SAMPLES]) {
            climb_from(w, i * STEP, &best);
        }
    }
    return best;
}

// A vector from the hole's centre, or axis
static Vec3 from_hole(const Solid* hole, Vec3 d) {
    return hole->kind == SOLID_BORE ? solid_part_across(d, hole->axis) : d;
}

static void add_wall_point(SolidList* list, Vec3 x, int part) {
    const SolidPair* pair = list->pair;
    const Solid* b = pair->b;
    const double gap = b->radius - length3(from_hole(b, sub3(x, b->centre)));
    const Feature f = solid_feature(pair, b->kind == SOLID_BORE ? FEATURE_BORE : FEATURE_RING, true,
                                    solid_side(pair, true, x, b->axis, 0.0),
                                    (FeatureSide){b->centre, b->axis, b->radius}, gap,
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
