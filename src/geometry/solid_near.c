// Which features of two solids are near each other: the choice of the pair of kinds.
//
// A hull is a core (a point, a segment or a polyhedron) with a rounding radius around it; distances
// and depths are those of the cores less the radii. Cores that penetrate are parted along the axis
// on which they do so least: a normal of a face, or the common normal of two edges (solid_axis.c,
// after the separating axes of Gottschalk and the Gauss map of Gregorius). For cores that are
// apart, that axis gives the distance if its features are over each other; otherwise the nearest
// points come from solid_gjk.c (Gilbert, Johnson and Keerthi). Around the axis all features that
// are turned against each other by less than a tilt are listed (solid_patch.c), of which a few that
// span the patch are kept (solid_list.c).
//
// The library libccd has been considered: its distances (GJK) and depths (MPR, expanding polytopes)
// end at a tolerance, without the pair of features that attains them and without further points of
// a patch, and it allocates.
//
// Everything is computed in the coordinates of one of the two, for the world's origin to be as far
// away as it likes.
#include "geometry/solid_parts.h"

// A finite one before an infinite one, the simpler before the more general
static int rank(const Solid* s) {
    switch (s->kind) {
        case SOLID_HULL:
            return s->n_points < 3 ? s->n_points : 3;
        case SOLID_CYLINDER:
            return 4;
        default:
            return 5;
    }
}

static void set_options(SolidPair* pair, const NearOptions* options) {
    const Solid* a = pair->a;
    const Solid* b = pair->b;
    const double tilt = fmin(fmax(options->turn, SOLID_LEAST_TILT), 1.0);
    double large = a->reach;
    double small = large;
    if (isfinite(b->reach)) {
        large = fmax(a->reach, b->reach);
        small = fmin(a->reach, b->reach);
    } else {
        large = fmax(large, b->radius);
    }
    pair->tie = SOLID_TIE * large;
    pair->same = fmax(SOLID_SAME * small, pair->tie);
    pair->margin = options->margin;
    pair->sin_tilt = tilt - tilt * tilt * tilt / 6.0;
    pair->cos_tilt = sqrt(1.0 - pair->sin_tilt * pair->sin_tilt);
    pair->rim_tilt = fmin(fmax(2.0 * options->turn, SOLID_RIM_TILT), 0.7);
    pair->most = options->most;
}

// Lines that may come to be parallel within the step have a common normal that turns over there,
// and points of contact that run away along them. They keep the normal and the points that they
// have.
static void keep_normal(const Placement* first, const Placement* second, double turn, Feature* f) {
    Mat3 R;  // of the first side's coordinates in those of the second
    for (int i = 0; i < 3; i++) {
        R.e[i] = turn_back3(second->R, first->R.e[i]);
    }
    const Vec3 r = turn_back3(second->R, sub3(first->r, second->r));
    const Vec3 p = add3(r, turn3(R, f->sides[0].at)), q = f->sides[1].at;
    const Vec3 d = turn3(R, f->sides[0].axis), e = f->sides[1].axis;
    const Vec3 c = cross3(d, e);
    const double sine = length3(c);
    if (sine >= 2.0 * turn) {  // an impact may turn them as much again
        return;
    }
    const Vec3 n = scale3(1.0 / sine, c), w = sub3(p, q);
    const Vec3 x = add3(p, scale3(dot3(cross3(e, w), c) / (sine * sine), d));
    const Vec3 y = add3(q, scale3(dot3(cross3(d, w), c) / (sine * sine), e));
    f->kind = FEATURE_FLAT;
    f->sides[0].at = turn_back3(R, sub3(x, r));
    f->sides[1] = (FeatureSide){.at = add3(y, scale3(f->sides[1].radius, n)), .axis = n};
}

static int near_features(const SolidPair* pair, Feature* features) {
    if (rank(pair->b) <= 2) {
        return solid_near_rounds(pair, features);
    }
    switch (pair->b->kind) {
        case SOLID_HULL:
            return pair->a->n_points == 1 ? solid_near_ball_hull(pair, features)
                                          : solid_near_hulls(pair, features);
        case SOLID_CYLINDER:
            return solid_near_cylinder(pair, features);
        case SOLID_PLANE:
            return solid_near_plane(pair, features);
        case SOLID_SHAFT:
            return solid_near_shaft(pair, features);
        default:
            return solid_near_hole(pair, features);
    }
}

int solid_near(const Solid* a, const Placement* place_a, const Solid* b, const Placement* place_b,
               const NearOptions* options, Feature* features) {
    const bool flipped = rank(a) > rank(b);
    SolidPair pair = {.a = flipped ? b : a, .b = flipped ? a : b, .flipped = flipped};
    const Placement* first = flipped ? place_b : place_a;
    const Placement* second = flipped ? place_a : place_b;
    for (int i = 0; i < 3; i++) {
        pair.R.e[i] = turn_back3(second->R, first->R.e[i]);
    }
    pair.r = turn_back3(second->R, sub3(first->r, second->r));
    if (!isfinite(pair.a->reach)) {
        return 0;
    }
    set_options(&pair, options);
    const int n = near_features(&pair, features);
    for (int i = 0; i < n; i++) {
        if (features[i].kind == FEATURE_EDGES) {
            const bool swapped = features[i].swapped;
            keep_normal(swapped ? place_b : place_a, swapped ? place_a : place_b, options->turn,
                        &features[i]);
        }
    }
    return n;
}
