// The narrow phase of outlines: passes over the balls of one outline and the surfaces of the other
// (outline_pair.h), in both senses; the pairs that are features (outline_collect.c), without those
// that say what others do (outline_leave_out.c); where outlines overlap and none of these says so,
// the way out (outline_overlap.c).
#include "geometry/outline.h"

#include "geometry/outline_found.h"
#include "geometry/outline_overlap.h"
#include "geometry/outline_part.h"
#include "geometry/outline_smooth.h"

#include <stddef.h>

// rad by which normals are widened: at least, and as far as this means anything
static const double LEAST_WIDE = 0.1;
static const double MOST_WIDE = 0.7;
// Outlines with more pairs of parts than this pay for a bound of their distance.
enum { FEW_PAIRS = 128 };

// In ascending order of their gaps, but for the axis, which comes first
static int list(const OutlinePass passes[2], const OutlineFound* found, int most,
                Feature* features) {
    int order[MOST_OUTLINE_PAIRS] = {0};
    int n = 0;
    for (int i = 0; i < found->n; i++) {
        if (found->dropped[i]) {
            continue;
        }
        const int first = found->has_axis ? 1 : 0;
        int at = n++;
        for (; at > first && found->pairs[order[at - 1]].gap > found->pairs[i].gap; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    n = n < most ? n : most;
    for (int i = 0; i < n; i++) {
        const OutlinePair* pair = &found->pairs[order[i]];
        features[i] = outline_pair_feature(&passes[pair->swapped], pair);
    }
    return n;
}

// What rounding does to lengths: to those of the smaller outline, which its own features are
// compared by, and to the coordinates of the larger one and of the places.
static double length_tolerance(const Outline* a, const Outline* b, Vec3 r_a, Vec3 r_b) {
    const double reach_a = a->infinite || !(a->reach > 0.0) ? b->reach : a->reach;
    const double reach_b = b->infinite || !(b->reach > 0.0) ? reach_a : b->reach;
    return 1e-10 * fmin(reach_a, reach_b) + 1e-14 * fmax(reach_a, reach_b) +
           1e-15 * (fabs(r_a.x) + fabs(r_a.y) + fabs(r_b.x) + fabs(r_b.y));
}

// e_x: of a frame, in the world
static Vec2 in_frame(Vec3 e_x, Vec2 v) {
    return (Vec2){e_x.x * v.x + e_x.y * v.y, e_x.x * v.y - e_x.y * v.x};
}

static OutlinePass make_pass(const Outline* X, const Placement* place_X, const Outline* Y,
                             const Placement* place_Y, const NearOptions* options) {
    OutlinePass pass = {.X = X, .Y = Y, .margin = options->margin};
    const Vec3 e = place_Y->R.e[0];
    const Vec2 turn = in_frame(e, (Vec2){place_X->R.e[0].x, place_X->R.e[0].y});
    pass.cos = turn.x;
    pass.sin = turn.y;
    pass.r = in_frame(e, (Vec2){place_X->r.x - place_Y->r.x, place_X->r.y - place_Y->r.y});
    pass.tolerance = length_tolerance(X, Y, place_X->r, place_Y->r);
    pass.wide = fmin(fmax(options->turn, LEAST_WIDE), MOST_WIDE);
    pass.cos_wide = cos(pass.wide);
    return pass;
}

// The point at which a part of o begins that is nearest to x
static Vec2 nearest_begin(const Outline* o, Vec2 x) {
    Vec2 nearest = {0.0, 0.0};
    double least = INFINITY;
    for (int i = 0; i < o->n; i++) {
        const Vec2 p = part_begin(&o->parts[i]);
        const Vec2 d = sub2(p, x);
        if (dot2(d, d) < least) {
            least = dot2(d, d);
            nearest = p;
        }
    }
    return nearest;
}

// Outlines are not farther from each other than two of their points.
static double distance_bound(const OutlinePass passes[2]) {
    const Outline *a = passes[0].X, *b = passes[0].Y;
    if (a->infinite || b->infinite || a->n * b->n <= FEW_PAIRS) {
        return INFINITY;
    }
    const Vec2 x = pass_point(&passes[0], nearest_begin(a, pass_point(&passes[1], b->centre)));
    return length2(sub2(x, nearest_begin(b, x))) + passes[0].tolerance;
}

static bool penetrates(const OutlineFound* found, double tolerance) {
    for (int i = 0; i < found->n; i++) {
        if (!found->dropped[i] && found->pairs[i].gap < -tolerance) {
            return true;
        }
    }
    return false;
}

// In place of the nearest one that is too far, of one with its key, or of the last if there is no
// room
static void add_way_out(const OutlinePair* out, OutlineFound* found) {
    for (int i = 0; i < found->n; i++) {
        const OutlinePair* pair = &found->pairs[i];
        found->dropped[i] = found->dropped[i] || pair->gap > found->margin ||
                            outline_pair_key(pair) == outline_pair_key(out);
    }
    const int at = found->n < MOST_OUTLINE_PAIRS ? found->n++ : found->n - 1;
    found->pairs[at] = *out;
    found->dropped[at] = false;
}

// Without end, or a window of a curve without end, whose walls are no part of it
static bool is_open(const Outline* outline) {
    return outline->infinite || (outline->smooth != NULL && outline->smooth->period == 0.0);
}

static int near_parts(const Outline* a, const Placement* place_a, const Outline* b,
                      const Placement* place_b, const NearOptions* options, Feature* features) {
    OutlinePass passes[2] = {make_pass(a, place_a, b, place_b, options),
                             make_pass(b, place_b, a, place_a, options)};
    passes[1].swapped = true;
    OutlinePair axis;
    const bool overlap = a->convex && b->convex && outline_pair_axis(passes, &axis) &&
                         axis.gap <= passes[0].tolerance;
    OutlineFound found;
    found.n = 0;
    found.has_corners = false;
    found.margin = fmax(options->margin, passes[0].tolerance);
    found.bound = fmax(found.margin, distance_bound(passes));
    outline_collect(passes, overlap ? &axis : NULL, &found);
    outline_leave_out(passes, &found);
    const bool clear = is_open(a) || is_open(b) || (a->convex && b->convex);
    if (!clear && !penetrates(&found, passes[0].tolerance) && outline_overlaps(passes)) {
        const OutlinePair out = outline_way_out(passes);
        add_way_out(&out, &found);
    }
    return list(passes, &found, options->most, features);
}

static bool is_endless_curve(const Outline* outline) {
    return outline->infinite && outline->smooth != NULL;
}

// A curve without end, as far as it is near to another outline; of one whose function has no value
// there, a feature that has none either.
static int near_window(const Outline* a, const Placement* place_a, const Outline* b,
                       const Placement* place_b, const NearOptions* options, Feature* features) {
    const bool first = is_endless_curve(a);
    const OutlinePass pass = first ? make_pass(b, place_b, a, place_a, options)
                                   : make_pass(a, place_a, b, place_b, options);
    const SmoothCurve* curve = pass.Y->smooth;
    const bool both = pass.X->infinite;  // then the other one does not tell where it is near
    const Vec2 centre = both ? smooth_at(curve, 0.0).x : pass_point(&pass, pass.X->centre);
    const double reach = both ? curve->reach : pass.X->reach;
    OutlineWindow window;
    if (!outline_window_make(curve, centre, reach, options->margin, &window)) {
        features[0] = (Feature){.kind = FEATURE_FLAT, .gap = NAN};
        features[0].sides[1].at.x = NAN;
        features[0].sides[1].axis.y = 1.0;
        return 1;
    }
    return first ? outline_near(&window.outline, place_a, b, place_b, options, features)
                 : outline_near(a, place_a, &window.outline, place_b, options, features);
}

int outline_near(const Outline* a, const Placement* place_a, const Outline* b,
                 const Placement* place_b, const NearOptions* options, Feature* features) {
    if (is_endless_curve(a) || is_endless_curve(b)) {
        return near_window(a, place_a, b, place_b, options, features);
    }
    const int n = near_parts(a, place_a, b, place_b, options, features);
    return a->smooth == NULL && b->smooth == NULL
               ? n
               : outline_take_smooth(a, place_a, b, place_b, options->turn, n, features);
}
