// Which pairs of balls and surfaces are features.
//
// A pair with gap >= 0 is a point of one outline and a point of the other at this distance, so it
// is never a false constraint now, and the least of all gaps is the distance of outlines that are
// apart. All of them within the margin are listed. Of pairs with a negative gap most belong to far
// sides and are none:
// - two convex outlines that overlap: pairs along the axis of least overlap, and others whose
//   normal is the same within the angle by which normals are widened;
// - an infinite outline: all;
// - otherwise, if c is on the outer side of the surface, the pairs whose touching point c - R n is
//   inside of the other outline; if it is on the inner side, of these the one whose surface is
//   nearest to c, with those that it meets at inward corners;
// - a segment without thickness has no inside: pairs as deep as the margin whose ball has its solid
//   on both sides of it; where the ball faces both sides, the one on which it is.
#include "geometry/outline_found.h"

#include "geometry/outline_part.h"

#include <stddef.h>

// Of a segment against the direction into a corner: below, it lies along the corner's sides.
static const double LEAST_SLOPE = 0.05;

static void add_pair(OutlineFound* found, const OutlinePair* pair) {
    if (pair->corners && !found->has_corners) {
        found->corners = *pair;
        found->has_corners = true;
    }
    if (pair->corners) {
        return;
    }
    const bool far = found->n == 1 && found->pairs[0].gap > found->margin;
    if (found->n == 0 || (far && pair->gap < found->pairs[0].gap)) {
        found->pairs[0] = *pair;
        found->n = 1;
        found->bound = fmax(found->margin, pair->gap);
    } else if (pair->gap <= found->margin && found->n < MOST_OUTLINE_PAIRS) {
        found->pairs[found->n++] = *pair;
    } else if (pair->gap <= found->margin) {
        int last = 0;
        for (int i = 1; i < found->n; i++) {
            last = found->pairs[i].gap > found->pairs[last].gap ? i : last;
        }
        if (pair->gap < found->pairs[last].gap) {
            found->pairs[last] = *pair;
        }
    }
}

// Is what lies within a radius of x farther than a bound from all of Y?
static bool is_far(const OutlinePass* pass, Vec2 x, double radius, double bound) {
    const Vec2 d = sub2(x, pass->Y->centre);
    const double far = pass->Y->reach + radius + bound + pass->tolerance;
    return !pass->Y->infinite && dot2(d, d) > far * far;
}

// The points of a ball, with the angle by which its normals are widened, lie around the middle of
// its chord, unless it has more than half a turn.
static bool is_far_ball(const OutlinePass* pass, int i, Vec2 c, double bound) {
    const OutlinePart* parts = pass->X->parts;
    const OutlinePart* ball = &parts[i];
    const double R = ball->radius;
    if (!(R > 0.0) || ball->whole || cross2(ball->from, ball->to) <= 0.0) {
        return is_far(pass, c, R, bound);
    }
    const Vec2 middle = scale2(0.5 * R, add2(ball->from, ball->to));
    const double half = 0.5 * R * length2(sub2(ball->to, ball->from));
    const bool sharp = part_is_corner(&parts[part_before(pass->X, i)]) &&
                       part_is_corner(&parts[part_after(pass->X, i)]);
    const double widened = sharp ? 0.0 : R * pass->wide;
    return is_far(pass, add2(c, pass_turn(pass, middle)), half + widened, bound);
}

// Pairs of convex outlines, and of infinite ones, whose axis is NULL and whose least gap is
// -INFINITY
static void add_convex(const OutlinePass* pass, int ball, Vec2 c, const OutlinePair* axis,
                       double least, OutlineFound* found) {
    for (int j = 0; j < pass->Y->n; j++) {
        OutlinePair pair;
        if (outline_pair_near(pass, ball, j, c, least, found->bound, &pair) &&
            (axis == NULL || pair.gap >= -pass->tolerance ||
             dot2(pair.push, axis->push) >= pass->cos_wide)) {
            add_pair(found, &pair);
        }
    }
}

// Is the point of the ball that touches inside of Y, and, where it is deep there, about as deep as
// the gap says? Otherwise the pair is one of a far side.
static bool touches_inside(const OutlinePass* pass, const OutlinePair* pair) {
    static const double ABOUT = 2.0;
    static const double DEEP = 0.05;  // of the smaller outline
    const double R = pass->X->parts[pair->ball].radius;
    const Vec2 x = sub2(pair->c, scale2(R, pair->n));
    if (is_far(pass, x, 0.0, 0.0) || !outline_contains(pass->Y, x)) {
        return false;
    }
    if (-pair->gap <= DEEP * fmin(pass->X->reach, pass->Y->reach)) {
        return true;
    }
    const double least = (-pair->gap - pass->tolerance) / ABOUT;
    for (int j = 0; j < pass->Y->n; j++) {
        if (part_distance(&pass->Y->parts[j], x) < least) {
            return false;
        }
    }
    return true;
}

// The surface after an inward corner after (step 1), or before (-1), a surface; -1: none
static int beyond_inward(const Outline* Y, int surface, int step) {
    const int corner = step > 0 ? part_after(Y, surface) : part_before(Y, surface);
    if (!Y->parts[corner].inward) {
        return -1;
    }
    return step > 0 ? part_after(Y, corner) : part_before(Y, corner);
}

// Is a ball, whose foot lies beyond an inward corner, on the outer side of what meets its surface
// there? Then it may come to touch both; otherwise it is on the other side of a wall.
static bool is_in_notch(const OutlinePass* pass, const OutlinePair* pair) {
    for (int step = -1; step <= 1; step += 2) {
        const int j = beyond_inward(pass->Y, pair->surface, step);
        OutlinePair other;
        if (j >= 0 &&
            outline_pair_near(pass, pair->ball, j, pair->c, -INFINITY, pass->margin, &other) &&
            !other.beyond && other.dist >= -pass->tolerance) {
            return true;
        }
    }
    return false;
}

static void add_inner(const OutlinePass* pass, const OutlinePair* deep, OutlineFound* found) {
    add_pair(found, deep);
    for (int step = -1; step <= 1; step += 2) {
        const int j = beyond_inward(pass->Y, deep->surface, step);
        OutlinePair pair;
        if (j < 0 || j == deep->surface ||
            !outline_pair_near(pass, deep->ball, j, deep->c, -INFINITY, found->margin, &pair)) {
            continue;
        }
        const bool listed = pair.dist >= -pass->tolerance &&
                            (!pair.beyond || is_in_notch(pass, &pair));  // by add_closed
        if (!listed && (pair.gap >= -pass->tolerance || touches_inside(pass, &pair))) {
            add_pair(found, &pair);
        }
    }
}

// Gaps below need not be looked at: a point inside is not deeper than its distance from the circle
// around Y, but the nearest part may be one that the ball does not face.
static double least_gap(const OutlinePass* pass, Vec2 c, double R) {
    const double inside = pass->Y->reach - length2(sub2(c, pass->Y->centre));
    return -2.0 * fmax(inside, 0.0) - R - pass->margin - pass->tolerance;
}

static void add_closed(const OutlinePass* pass, int ball, Vec2 c, OutlineFound* found) {
    const double least = least_gap(pass, c, pass->X->parts[ball].radius);
    OutlinePair pair, deep = {.away = INFINITY};
    for (int j = 0; j < pass->Y->n; j++) {
        if (!outline_pair_near(pass, ball, j, c, least, found->bound, &pair)) {
            continue;
        }
        if (pair.corners) {
            add_pair(found, &pair);
            continue;
        }
        if (pair.away < deep.away && pair.dist <= pass->tolerance) {
            deep = pair;
        }
        if (pair.dist >= -pass->tolerance && (!pair.beyond || is_in_notch(pass, &pair)) &&
            (pair.gap >= -pass->tolerance || touches_inside(pass, &pair))) {
            add_pair(found, &pair);
        }
    }
    if (deep.dist < -pass->tolerance && touches_inside(pass, &deep)) {
        add_inner(pass, &deep, found);
    }
}

// Does a ball that has gone through a segment without thickness have its solid on both sides? From
// the touching point into the solid, which at a corner is along the middle of its normals, the
// segment has to be met within X.
static bool has_gone_through(const OutlinePass* pass, const OutlinePair* pair) {
    const OutlinePart* ball = &pass->X->parts[pair->ball];
    const Vec2 n = pass_turn_back(pass, pair->n);
    const Vec2 chord = sub2(ball->to, ball->from);
    const bool corner = part_is_corner(ball) && !ball->whole;
    const Vec2 into = corner ? scale2(1.0 / length2(chord), left2(chord)) : n;
    const double slope = dot2(into, n);
    if (slope < LEAST_SLOPE) {
        return false;
    }
    const Vec2 x = sub2(ball->at, scale2(ball->radius, n));
    const Vec2 met = add2(x, scale2(-pair->gap / slope, into));
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    const double along = dot2(part_along(part), sub2(pass_point(pass, met), part->at));
    return along >= 0.0 && along <= part->length && outline_contains(pass->X, met);
}

static void add_open(const OutlinePass* pass, int ball, Vec2 c, OutlineFound* found) {
    const double least = -(pass->margin + pass->tolerance);
    for (int j = 0; j < pass->Y->n; j++) {
        OutlinePair pair;
        if (!outline_pair_near(pass, ball, j, c, least, found->bound, &pair)) {
            continue;
        }
        if (pair.corners || ((pair.gap >= -pass->tolerance || has_gone_through(pass, &pair)) &&
                             (pair.dist >= -pass->tolerance ||
                              !outline_ball_faces(pass, ball, pass_turn_back(pass, pair.n))))) {
            add_pair(found, &pair);
        }
    }
}

static void collect_pass(const OutlinePass* pass, bool convex, const OutlinePair* axis,
                         OutlineFound* found) {
    for (int i = 0; i < pass->X->n; i++) {
        const OutlinePart* ball = &pass->X->parts[i];
        if (!part_is_ball(ball)) {
            continue;
        }
        const Vec2 c = pass_point(pass, ball->at);
        if (is_far_ball(pass, i, c, found->bound)) {
            continue;
        }
        if (convex) {
            add_convex(pass, i, c, axis, axis ? -INFINITY : -pass->tolerance, found);
        } else if (pass->Y->infinite) {
            add_convex(pass, i, c, NULL, -INFINITY, found);
        } else if (pass->Y->closed) {
            add_closed(pass, i, c, found);
        } else {
            add_open(pass, i, c, found);
        }
    }
}

// Corners at the same place, if nothing else is as near as they are
static void add_corners(double tolerance, OutlineFound* found) {
    for (int i = 0; i < found->n; i++) {
        if (found->pairs[i].gap <= found->corners.away + tolerance) {
            return;
        }
    }
    OutlinePair corners = found->corners;
    corners.corners = false;
    add_pair(found, &corners);
}

// Several pairs have the least overlap if parts are parallel: one whose foot lies on its surface.
static void put_axis_first(const OutlinePair* axis, double tolerance, OutlineFound* found) {
    int at = -1;
    for (int i = 0; i < found->n && at < 0; i++) {
        const OutlinePair* pair = &found->pairs[i];
        if (fabs(pair->gap - axis->gap) <= 2.0 * tolerance && dot2(pair->push, axis->push) > 0.0 &&
            fabs(cross2(pair->push, axis->push)) <= OUTLINE_SMOOTH) {
            at = i;
        }
    }
    if (at < 0) {
        found->n += found->n < MOST_OUTLINE_PAIRS;
        at = found->n - 1;
        found->pairs[at] = *axis;
    }
    const OutlinePair first = found->pairs[at];
    found->pairs[at] = found->pairs[0];
    found->pairs[0] = first;
}

void outline_collect(const OutlinePass passes[2], const OutlinePair* axis, OutlineFound* found) {
    const bool convex = passes[0].X->convex && passes[0].Y->convex;
    for (int i = 0; i < 2; i++) {
        collect_pass(&passes[i], convex, axis, found);
    }
    if (found->has_corners) {
        add_corners(passes[0].tolerance, found);
    }
    found->has_axis = axis != NULL;
    if (axis) {
        put_axis_first(axis, passes[0].tolerance, found);
    }
}
