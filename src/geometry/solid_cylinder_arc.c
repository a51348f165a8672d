// The gap between a line and a cylinder along the normals n around the line: with n at the angle
// theta from the part of the cylinder's axis k that is across the line, n.k = kappa cos(theta) and
//     g = d_u cos + d_w sin - h kappa |cos| - r sqrt(1 - kappa^2 cos^2).
// Its local maxima are at the kinks cos = 0, where the line is along the side, and between them,
// where it is at a rim: zeros of the slope, which are looked for between samples of each half.
// Where the line is all but parallel to the ends of the cylinder, kappa = 1, the slope changes
// within sqrt(1 - kappa^2) of the middle of the half, where samples are closer to each other.
#include "geometry/solid_parts.h"

#define PI 3.14159265358979323846
// Of each half: SAMPLES on either side of its middle, and up to four more beside it
enum { SAMPLES = 8, MOST_NODES = 2 * SAMPLES + 5, ZERO_STEPS = 60, DIP_STEPS = 8 };
#define STEP (0.5 * PI / SAMPLES)

typedef struct Around {
    double d_u, d_w, kappa, r, h;
    double rest;  // 1 - kappa^2, without cancellation
    Vec3 u, w;
} Around;

// sqrt(1 - kappa^2 cos^2)
static double sine_at(const Around* a, double s) {
    return sqrt(fmax(a->rest + a->kappa * a->kappa * s * s, 1e-300));
}

static double gap_at(const Around* a, double theta) {
    const double c = cos(theta), s = sin(theta);
    return a->d_u * c + a->d_w * s - a->h * a->kappa * fabs(c) - a->r * sine_at(a, s);
}

// Of the half around 0 (half = 1) or around pi (-1), at an angle from its middle
static double slope_at(const Around* a, double half, double phi) {
    const double c = half * cos(phi), s = half * sin(phi);
    const double bend = a->r * a->kappa * a->kappa * c * s / sine_at(a, s);
    return -a->d_u * s + a->d_w * c + a->h * a->kappa * half * s - bend;
}

// Where the slope goes from + to -: false position with halved weights, and bisection
static double zero_between(const Around* a, double half, double low, double high) {
    double at_low = slope_at(a, half, low), at_high = slope_at(a, half, high);
    double phi = low;
    for (int i = 0; i < ZERO_STEPS && high - low > 1e-16; i++) {
        phi =
            i % 3 == 2 ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
        phi = phi > low && phi < high ? phi : 0.5 * (low + high);
        const double slope = slope_at(a, half, phi);
        if (slope == 0.0 || phi == low || phi == high) {
            break;
        }
        if (slope > 0.0) {
            low = phi;
            at_low = slope;
            at_high *= i % 3 == 1 ? 0.5 : 1.0;
        } else {
            high = phi;
            at_high = slope;
            at_low *= i % 3 == 1 ? 0.5 : 1.0;
        }
    }
    return phi;
}

// Between low and high the slope has one sign at the ends and comes near to zero: an angle where it
// has the other sign, if golden sections find one
static bool find_dip(const Around* a, double half, double low, double high, double* at) {
    const double sign = slope_at(a, half, low);
    for (int i = 0; i < DIP_STEPS; i++) {
        const double p = high - 0.618 * (high - low), q = low + 0.618 * (high - low);
        const double x = slope_at(a, half, p), y = slope_at(a, half, q);
        if (x * sign < 0.0 || y * sign < 0.0) {
            *at = x * sign < 0.0 ? p : q;
            return true;
        }
        if (fabs(x) < fabs(y)) {
            high = q;
        } else {
            low = p;
        }
    }
    return false;
}

static Vec3 normal_at(const Around* a, double theta) {
    return add3(scale3(cos(theta), a->u), scale3(sin(theta), a->w));
}

static bool on_arc(const SolidArc* arc, Vec3 n) {
    return arc->circle ||
           (dot3(arc->e, cross3(arc->u, n)) >= 0.0 && dot3(arc->e, cross3(n, arc->v)) >= 0.0);
}

static void try_angle(const Around* a, const SolidArc* arc, double theta, bool* found, Vec3* n,
                      double* gap) {
    const double value = gap_at(a, theta);
    const Vec3 at = normal_at(a, theta);
    if ((!*found || value > *gap) && on_arc(arc, at)) {
        *found = true;
        *gap = value;
        *n = at;
    }
}

// Angles from the middle of a half at which the slope is looked at, in ascending order; how many
static int nodes_of(const Around* a, double nodes[MOST_NODES]) {
    const double narrow = sqrt(a->rest);
    const double beside[2] = {narrow, 3.0 * narrow};
    const bool more = beside[1] < STEP;
    int n = 0;
    for (int i = -SAMPLES; i <= SAMPLES; i++) {
        for (int k = 1; k >= 0 && more && i == 0; k--) {
            nodes[n++] = -beside[k];
        }
        nodes[n++] = i * STEP;
        for (int k = 0; k < 2 && more && i == 0; k++) {
            nodes[n++] = beside[k];
        }
    }
    return n;
}

// Local maxima between the kinks
static void try_rims(const Around* a, const SolidArc* arc, double half, bool* found, Vec3* n,
                     double* gap) {
    double nodes[MOST_NODES], slopes[MOST_NODES];
    const int n_nodes = nodes_of(a, nodes);
    const double middle = half > 0.0 ? 0.0 : PI;
    for (int i = 0; i < n_nodes; i++) {
        slopes[i] = slope_at(a, half, nodes[i]);
    }
    for (int i = 0; i + 1 < n_nodes; i++) {
        double phi, dip;
        if (slopes[i] >= 0.0 && slopes[i + 1] <= 0.0) {
            phi = zero_between(a, half, nodes[i], nodes[i + 1]);
        } else if (i > 0 && slopes[i] * slopes[i + 1] > 0.0 && slopes[i] * slopes[i - 1] > 0.0 &&
                   fabs(slopes[i]) <= fabs(slopes[i + 1]) &&
                   fabs(slopes[i]) <= fabs(slopes[i - 1]) &&
                   find_dip(a, half, nodes[i - 1], nodes[i + 1], &dip)) {
            phi = slopes[i] > 0.0 ? zero_between(a, half, nodes[i - 1], dip)
                                  : zero_between(a, half, dip, nodes[i + 1]);
        } else {
            continue;
        }
        try_angle(a, arc, middle + phi, found, n, gap);
    }
}

// A line along the axis: what is left is a point and a circle.
static bool along_axis(const SolidTube* t, const SolidArc* arc, Vec3* n, double* gap) {
    const Vec3 d = sub3(arc->p, t->c);
    const Vec3 off = solid_part_across(d, arc->e);
    const double length = length3(off);
    if (length == 0.0 || !on_arc(arc, scale3(1.0 / length, off))) {
        return false;
    }
    *n = scale3(1.0 / length, off);
    *gap = dot3(d, *n) - solid_tube_support(t, *n);
    return true;
}

bool solid_tube_arc(const SolidTube* t, const SolidArc* arc, Vec3* n, double* gap) {
    const Vec3 across = solid_unit_across(t->k, arc->e);
    const Vec3 d = sub3(arc->p, t->c);
    const double along = dot3(t->k, arc->e);
    Around a = {.kappa = length3(across), .r = t->r, .h = t->h, .rest = along * along};
    if (a.kappa < 1e-14) {
        return along_axis(t, arc, n, gap);
    }
    a.u = scale3(1.0 / a.kappa, across);
    a.w = cross3(arc->e, a.u);
    a.d_u = dot3(d, a.u);
    a.d_w = dot3(d, a.w);
    bool found = false;
    try_rims(&a, arc, 1.0, &found, n, gap);
    try_rims(&a, arc, -1.0, &found, n, gap);
    try_angle(&a, arc, 0.5 * PI, &found, n, gap);
    try_angle(&a, arc, -0.5 * PI, &found, n, gap);
    return found;
}
