// See the header for the geometry of pairs.
//
// Widened normals. A ball whose normals do not contain -n, but nearly, touches as soon as the
// outlines turn a little. A corner is a point of its solid; its constraint is never false. A round
// part is taken as a whole circle, which beyond the end of the part has to stay within the solid: a
// straight part that goes on smoothly for a length l holds the circle up to the angle w if
// R (1 - cos w) <= l sin w, for which R w <= 2 l is enough; so does an arc of a larger radius.
//
// Axes. The separation of two convex outlines along a normal of a straight part is the gap of the
// ball of the other one that has the opposite normal. The normals of straight parts are in order of
// their angle, so the balls that face them are, too, and both are walked around once. Where two
// round parts have opposite normals along the line through their centres, the gap is their distance
// if the outlines are apart, and a local minimum of the depth if they overlap.
#include "geometry/outline_pair.h"

#include <stddef.h>

#include "geometry/outline_part.h"

// rad: normals this near to the end of a cone are in it. Corners that are left out because their
// parts go on smoothly leave holes of OUTLINE_SMOOTH.
static const double NORMAL_SLACK = 4.0 * OUTLINE_SMOOTH;
// Of the radii: centres this near to each other have no direction that could be relied on.
static const double COINCIDENT = 1e-6;
// Cosine of the most by which an arc goes on beyond an inward corner
static const double COS_ARC_SLACK = 0.9;

// --- balls ---

bool outline_ball_has_normal(const OutlinePass* pass, int ball, Vec2 u) {
    return part_has_normal(&pass->X->parts[ball], u, NORMAL_SLACK);
}

static bool holds_circle(const OutlinePart* neighbour, double radius, double wide) {
    switch (neighbour->kind) {
        case OUTLINE_STRAIGHT:
            return radius * wide <= 2.0 * neighbour->length;
        case OUTLINE_ROUND:
            return neighbour->radius >= radius;
        default:
            return false;
    }
}

bool outline_ball_faces(const OutlinePass* pass, int ball, Vec2 u) {
    const Outline* X = pass->X;
    const OutlinePart* part = &X->parts[ball];
    if (part_has_normal(part, u, NORMAL_SLACK)) {
        return true;
    }
    if (X->smooth != NULL && ball < X->n_stations - 1) {
        return false;  // its neighbours have the normals beside its own, and its feature turns
    }
    const bool corner = part_is_corner(part);
    if (dot2(u, part->from) >= pass->cos_wide &&
        (corner || holds_circle(&X->parts[part_before(X, ball)], part->radius, pass->wide))) {
        return true;
    }
    return dot2(u, part->to) >= pass->cos_wide &&
           (corner || holds_circle(&X->parts[part_after(X, ball)], part->radius, pass->wide));
}

// --- surfaces ---

// Does a foot that lies beyond an end of a surface by a length still count? Then the pair is told.
static bool is_on_end(const OutlinePass* pass, int neighbour, Vec2 end, double by,
                      OutlinePair* pair) {
    if (by <= pass->tolerance) {
        return true;
    }
    if (!pass->Y->parts[neighbour].inward || by > pass->margin + fmax(-pair->dist, 0.0)) {
        return false;
    }
    pair->beyond = true;
    pair->away = length2(sub2(pair->c, end));
    return true;
}

static bool straight_has_foot(const OutlinePass* pass, double along, OutlinePair* pair) {
    const Outline* Y = pass->Y;
    const OutlinePart* part = &Y->parts[pair->surface];
    if (part->whole || (along >= 0.0 && along <= part->length)) {
        return true;
    }
    return along < 0.0 ? is_on_end(pass, part_before(Y, pair->surface), part->at, -along, pair)
                       : is_on_end(pass, part_after(Y, pair->surface), part_end(part),
                                   along - part->length, pair);
}

// The length by which n is beyond an end of an arc, as long as this is a small angle
static double beyond_arc(const OutlinePart* arc, Vec2 end, Vec2 n) {
    return dot2(end, n) > COS_ARC_SLACK ? arc->radius * fabs(cross2(end, n)) : INFINITY;
}

static bool arc_has_foot(const OutlinePass* pass, OutlinePair* pair) {
    const Outline* Y = pass->Y;
    const OutlinePart* arc = &Y->parts[pair->surface];
    const Vec2 n = pair->n;
    if (part_has_normal(arc, n, fmin(NORMAL_SLACK, 1e-12 + pass->tolerance / arc->radius))) {
        return true;
    }
    return arc->radius > 0.0 && (is_on_end(pass, part_before(Y, pair->surface), part_begin(arc),
                                           beyond_arc(arc, arc->from, n), pair) ||
                                 is_on_end(pass, part_after(Y, pair->surface), part_end(arc),
                                           beyond_arc(arc, arc->to, n), pair));
}

// --- pairs ---

static bool near_straight(const OutlinePass* pass, OutlinePair* pair) {
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    const Vec2 d = sub2(pair->c, part->at);
    pair->n = part->from;
    return straight_has_foot(pass, dot2(part_along(part), d), pair) &&
           outline_ball_faces(pass, pair->ball, pass_turn_back(pass, scale2(-1.0, pair->n)));
}

// A normal for a ball and a surface whose centres coincide
static Vec2 any_normal(const OutlinePass* pass, const OutlinePart* ball,
                       const OutlinePart* surface) {
    return surface->whole && !ball->whole ? pass_turn(pass, scale2(-1.0, ball->from))
                                          : surface->from;
}

// The middle of a corner's normals
static Vec2 middle_normal(const OutlinePart* corner) {
    const Vec2 chord = sub2(corner->to, corner->from);
    return scale2(1.0 / length2(chord), right2(chord));
}

// Two corners at the same place, or a little beyond each other, at least one of which has ends: a
// normal of one whose opposite the other has, in the middle between both if that is one
static bool near_corners(const OutlinePass* pass, OutlinePair* pair) {
    const OutlinePart* ball = &pass->X->parts[pair->ball];
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    Vec2 n = part->whole ? (Vec2){0.0, 0.0} : middle_normal(part);
    n = ball->whole ? n : sub2(n, pass_turn(pass, middle_normal(ball)));
    n = length2(n) > OUTLINE_SMOOTH ? scale2(1.0 / length2(n), n) : part->from;
    const Vec2 normals[5] = {n, part->from, part->to, pass_turn(pass, scale2(-1.0, ball->from)),
                             pass_turn(pass, scale2(-1.0, ball->to))};
    for (int i = 0; i < 5; i++) {
        pair->n = normals[i];
        const Vec2 u = pass_turn_back(pass, scale2(-1.0, pair->n));
        if (part_has_normal(part, pair->n, NORMAL_SLACK) &&
            outline_ball_has_normal(pass, pair->ball, u)) {
            pair->corners = pair->frozen = true;
            pair->dist = pair->gap = dot2(pair->n, sub2(pair->c, part->at));
            return true;
        }
    }
    return false;
}

// Corners this near to each other, of the smaller outline, may have gone past each other.
static double past_each_other(const OutlinePass* pass) {
    static const double PAST = 4e-8;
    const double reach_X = pass->X->reach > 0.0 ? pass->X->reach : pass->Y->reach;
    const double reach_Y = pass->Y->reach > 0.0 ? pass->Y->reach : reach_X;
    return PAST * fmin(reach_X, reach_Y);
}

static bool near_round(const OutlinePass* pass, double distance, OutlinePair* pair) {
    const OutlinePart* ball = &pass->X->parts[pair->ball];
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    const bool corners = !(part->radius > 0.0);  // then the ball is one, too
    const bool points = corners && ball->whole && part->whole;
    if (distance > pass->tolerance || (points && distance > 0.0)) {
        pair->n = scale2(1.0 / distance, sub2(pair->c, part->at));
    } else if (corners && !points) {
        return near_corners(pass, pair);
    } else {
        pair->n = any_normal(pass, ball, part);
    }
    pair->frozen = distance <= COINCIDENT * (ball->radius + part->radius);
    pair->frozen = pair->frozen || corners;
    const Vec2 u = pass_turn_back(pass, scale2(-1.0, pair->n));
    const bool near =
        arc_has_foot(pass, pair) && (corners ? outline_ball_has_normal(pass, pair->ball, u)
                                             : outline_ball_faces(pass, pair->ball, u));
    return near ||
           (corners && !points && distance <= past_each_other(pass) && near_corners(pass, pair));
}

// A ball that is on the far side of the centre of a hollow part, between its ends, has no foot on
// it, but if it just fits in, as a pin in the end of a slot does, it comes to touch the middle
// after a short way. The line that touches the middle there is no false constraint: the circle,
// which the ball has to stay in, lies on one side of it. Its gap is not smaller than the distance.
static bool near_middle(const OutlinePass* pass, double most, OutlinePair* pair) {
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    const double R = pass->X->parts[pair->ball].radius;
    const Vec2 chord = sub2(part->to, part->from), d = sub2(pair->c, part->at);
    const double length = length2(chord);
    pair->n = scale2(1.0 / length, left2(chord));  // normals turn right along the part
    const double half_chord = 0.5 * part->radius * length;
    if (dot2(pair->n, d) < 0.0 || fabs(cross2(pair->n, d)) > fmin(half_chord, part->radius - R)) {
        return false;
    }
    pair->dist = part->radius + dot2(pair->n, d);
    pair->gap = pair->dist - R;
    pair->away = pair->dist;
    pair->frozen = true;
    return pair->gap <= most &&
           outline_ball_faces(pass, pair->ball, pass_turn_back(pass, scale2(-1.0, pair->n)));
}

static bool near_hollow(const OutlinePass* pass, double distance, double most, OutlinePair* pair) {
    const OutlinePart* ball = &pass->X->parts[pair->ball];
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    if (!part->whole && ball->radius >= part->radius) {
        return false;  // a ball that is too large touches the ends
    }
    pair->n = distance > pass->tolerance ? scale2(-1.0 / distance, sub2(pair->c, part->at))
                                         : any_normal(pass, ball, part);
    if (!arc_has_foot(pass, pair)) {
        return near_middle(pass, most, pair);
    }
    return outline_ball_faces(pass, pair->ball, pass_turn_back(pass, scale2(-1.0, pair->n)));
}

static void complete(const OutlinePass* pass, OutlinePair* pair) {
    pair->swapped = pass->swapped;
    pair->push = pass->swapped ? pass_turn_back(pass, scale2(-1.0, pair->n)) : pair->n;
}

// Of c, which is d away from a part's place; few pairs are near, so roots are taken of these alone.
typedef struct Span {
    bool near;  // the gap is between least and most
    double distance, dist;
} Span;

static Span straight_span(const OutlinePart* part, Vec2 d, double R, double least, double most) {
    const double dist = dot2(part->from, d);
    return (Span){dist - R >= least && dist - R <= most, 0.0, dist};
}

static Span arc_span(const OutlinePart* part, Vec2 d, double R, double least, double most) {
    const bool round = part->kind == OUTLINE_ROUND;
    const double square = dot2(d, d);
    const double low = round ? part->radius + R + least : part->radius - R - most;
    const double high = round ? part->radius + R + most : part->radius - R - least;
    const double slack = 1.0 + 1e-12;  // rounding of squares
    if (square > high * high * slack || (low > 0.0 && square * slack < low * low) || high < 0.0) {
        return (Span){.near = false};
    }
    const double distance = sqrt(square);
    const double dist = round ? distance - part->radius : part->radius - distance;
    return (Span){dist - R >= least && dist - R <= most, distance, dist};
}

// The smaller one of two round parts is the ball.
static bool is_surface_of(const OutlinePass* pass, const OutlinePart* part, double R) {
    if (part->kind != OUTLINE_ROUND) {
        return true;
    }
    return !part->inward && (R < part->radius || (R == part->radius && !pass->swapped));
}

bool outline_pair_near(const OutlinePass* pass, int ball, int surface, Vec2 c, double least,
                       double most, OutlinePair* pair) {
    const OutlinePart* part = &pass->Y->parts[surface];
    const double R = pass->X->parts[ball].radius;
    if (!is_surface_of(pass, part, R)) {
        return false;
    }
    const Vec2 d = sub2(c, part->at);
    const Span span = part->kind == OUTLINE_STRAIGHT ? straight_span(part, d, R, least, most)
                                                     : arc_span(part, d, R, least, most);
    if (!span.near) {
        return false;
    }
    *pair = (OutlinePair){.ball = ball,
                          .surface = surface,
                          .c = c,
                          .dist = span.dist,
                          .gap = span.dist - R,
                          .away = fabs(span.dist)};
    const double distance = span.distance;
    bool near = false;
    switch (part->kind) {
        case OUTLINE_STRAIGHT:
            near = near_straight(pass, pair);
            break;
        case OUTLINE_ROUND:
            near = near_round(pass, distance, pair);
            break;
        case OUTLINE_HOLLOW:
            near = near_hollow(pass, distance, most, pair);
            break;
    }
    if (near) {
        complete(pass, pair);
    }
    return near;
}

// --- axes ---

// The ball, from one on, that has a normal; -1: none
static int ball_with_normal(const OutlinePass* pass, int ball, Vec2 u) {
    for (int k = 0; k < pass->X->n; k++) {
        if (part_is_ball(&pass->X->parts[ball]) && outline_ball_has_normal(pass, ball, u)) {
            return ball;
        }
        ball = part_after(pass->X, ball);
    }
    return -1;
}

// Of the normals of the straight parts of Y. Ends at an axis along which the outlines are apart.
static void find_straight_axis(const OutlinePass* pass, OutlinePair* axis) {
    int ball = 0;
    for (int j = 0; j < pass->Y->n && axis->gap <= pass->tolerance; j++) {
        const OutlinePart* part = &pass->Y->parts[j];
        if (part->kind != OUTLINE_STRAIGHT) {
            continue;
        }
        const int found =
            ball_with_normal(pass, ball, pass_turn_back(pass, scale2(-1.0, part->from)));
        if (found < 0) {
            continue;
        }
        ball = found;
        const Vec2 c = pass_point(pass, pass->X->parts[ball].at);
        OutlinePair pair = {.ball = ball, .surface = j, .c = c, .n = part->from};
        pair.dist = dot2(pair.n, sub2(c, part->at));
        pair.gap = pair.dist - pass->X->parts[ball].radius;
        if (pair.gap > axis->gap + pass->tolerance) {
            complete(pass, &pair);
            *axis = pair;
        }
    }
}

// Of the directions between centres of round parts; corners among each other only if it is not
// clear whether the outlines overlap.
static void find_round_axis(const OutlinePass* pass, bool corners, OutlinePair* axis) {
    const Outline *X = pass->X, *Y = pass->Y;
    for (int i = 0; i < X->n && axis->gap <= pass->tolerance; i++) {
        if (!part_is_ball(&X->parts[i])) {
            continue;
        }
        const Vec2 c = pass_point(pass, X->parts[i].at);
        for (int j = 0; j < Y->n; j++) {
            const OutlinePart* part = &Y->parts[j];
            if (part->kind != OUTLINE_ROUND || (!corners && !(part->radius > 0.0))) {
                continue;
            }
            OutlinePair pair;
            if (outline_pair_near(pass, i, j, c, axis->gap + pass->tolerance, INFINITY, &pair) &&
                !pair.corners &&
                outline_ball_has_normal(pass, i, pass_turn_back(pass, scale2(-1.0, pair.n)))) {
                *axis = pair;
            }
        }
    }
}

static bool has_arcs(const Outline* o) {
    for (int i = 0; i < o->n; i++) {
        if (o->parts[i].radius > 0.0) {
            return true;
        }
    }
    return false;
}

bool outline_pair_axis(const OutlinePass passes[2], OutlinePair* axis) {
    *axis = (OutlinePair){.gap = -INFINITY};
    find_straight_axis(&passes[0], axis);
    find_straight_axis(&passes[1], axis);
    const bool corners =
        !(axis->gap < -passes[0].tolerance) || has_arcs(passes[0].X) || has_arcs(passes[0].Y);
    find_round_axis(&passes[0], corners, axis);
    find_round_axis(&passes[1], corners, axis);
    return axis->gap > -INFINITY;
}

// --- features ---

static Vec3 in_space(Vec2 x) { return (Vec3){x.x, x.y, 0.0}; }

long long outline_pair_key(const OutlinePair* pair) {
    const unsigned first = (unsigned)(pair->swapped ? pair->surface : pair->ball);
    const unsigned second = (unsigned)(pair->swapped ? pair->ball : pair->surface);
    return (long long)first << OUTLINE_KEY_BITS | second;
}

Feature outline_pair_feature(const OutlinePass* pass, const OutlinePair* pair) {
    const OutlinePart* ball = &pass->X->parts[pair->ball];
    const OutlinePart* part = &pass->Y->parts[pair->surface];
    Feature f = {.swapped = pair->swapped, .gap = pair->gap, .key = outline_pair_key(pair)};
    f.sides[0] = (FeatureSide){.at = in_space(ball->at), .radius = ball->radius};
    f.sides[1] = (FeatureSide){.at = in_space(part->at), .radius = part->radius};
    if (part->kind == OUTLINE_STRAIGHT || pair->frozen) {
        const Vec2 touched = arc_point(part, pair->n);  // of a straight part, without radius: at
        f.kind = FEATURE_FLAT;
        f.sides[1] = (FeatureSide){.at = in_space(touched), .axis = in_space(pair->n)};
    } else {
        f.kind = part->kind == OUTLINE_ROUND ? FEATURE_ROUND : FEATURE_RING;
    }
    return f;
}
