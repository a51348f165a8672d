// One corner or arc of an outline over one part of another: the pieces from which the narrow phase
// of outlines is made.
//
// A ball is a corner or a round part of the first outline, X, with centre c and radius R (0: a
// corner). A surface is a part of the second one, Y. Only such pairs can be where two outlines are
// nearest to each other: between two straight parts, or in a hollow one, the distance is least at
// an end. In the coordinates of Y, with n the normal of the surface at the foot of c and dist the
// distance of c from the surface, > 0 on its outer side:
//   straight:  n its normal,          dist = n . (c - at)
//   round:     n = (c - at)/|c - at|, dist = |c - at| - radius
//   hollow:    n = (at - c)/|c - at|, dist = radius - |c - at|
// and gap = dist - R. The ball touches the surface if the foot lies on the part and if -n is one of
// the ball's own normals.
#pragma once

#include "geometry/outline.h"

// Of the number of a part in the key of a feature
enum { OUTLINE_KEY_BITS = 16 };

// How balls of X lie over surfaces of Y: x in Y is r + (cos, -sin; sin, cos) x in X.
typedef struct OutlinePass {
    const Outline* X;
    const Outline* Y;
    bool swapped;  // X is the second of the two outlines
    Vec2 r;
    double cos, sin;
    double margin;     // as in NearOptions
    double tolerance;  // m: below which lengths are rounding
    double wide;       // rad by which normals of balls are widened
    double cos_wide;
} OutlinePass;

typedef struct OutlinePair {
    int ball, surface;  // parts of X and Y
    bool swapped;
    bool frozen;   // n is kept while the outlines move on: the kernel is the one of a straight
                   // surface
    bool corners;  // two corners at the same place: n is one of those that both have
    bool beyond;   // the foot lies beyond an inward corner at an end of the surface
    double dist, gap;
    double away;  // distance of c from the surface as far as it goes
    Vec2 c, n;    // in the coordinates of Y
    Vec2 push;    // n as it moves the first outline, in the coordinates of the second
} OutlinePair;

static inline Vec2 pass_turn(const OutlinePass* p, Vec2 u) {
    return (Vec2){p->cos * u.x - p->sin * u.y, p->sin * u.x + p->cos * u.y};
}
static inline Vec2 pass_turn_back(const OutlinePass* p, Vec2 u) {
    return (Vec2){p->cos * u.x + p->sin * u.y, p->cos * u.y - p->sin * u.x};
}
static inline Vec2 pass_point(const OutlinePass* p, Vec2 x) { return add2(p->r, pass_turn(p, x)); }

static inline bool part_is_ball(const OutlinePart* part) {
    return part->kind == OUTLINE_ROUND && !part->inward;
}

// Fills pair and is true if ball and surface face each other, as above, with a gap between least
// and most; c is the ball's centre in Y. The foot may lie beyond an end of the surface by the
// tolerance; at an inward corner, beyond which the surface goes on within the solid, by the margin
// and the distance. The ball's normals are widened where it stays within its outline. Of two round
// parts the smaller is the ball; of two corners, which have to face each other exactly, the one of
// the first outline. Two corners at the same place are told to be so (corners): if anything else
// touches there, that says more.
bool outline_pair_near(const OutlinePass* pass, int ball, int surface, Vec2 c, double least,
                       double most, OutlinePair* pair);

// Is u, in the coordinates of X, among the normals of the ball; by rounding, or widened?
bool outline_ball_has_normal(const OutlinePass* pass, int ball, Vec2 u);
bool outline_ball_faces(const OutlinePass* pass, int ball, Vec2 u);

// Of two convex outlines, by both passes: the pair whose gap is the largest of all axes, which is
// minus the depth if the outlines overlap. If they are apart by more than the tolerance the gap is
// larger than it, but some axis's. false: there is no axis (two points).
bool outline_pair_axis(const OutlinePass passes[2], OutlinePair* axis);

// What the kernels are given, and the key of the two parts
long long outline_pair_key(const OutlinePair* pair);
Feature outline_pair_feature(const OutlinePass* pass, const OutlinePair* pair);
