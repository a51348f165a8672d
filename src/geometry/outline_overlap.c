// Overlap. The border of one outline, cut where it meets the border of the other, is in pieces each
// of which lies inside or outside of the other: outlines overlap if a piece of one lies in the
// other. Where borders lie on each other, as those of equal shapes at the same place do, a point
// beside the piece tells, on its solid side. Pieces of parts that meet nothing are where their
// neighbours are, so that of these the first one of an outline is enough.
//
// The way out. A corner or arc of one that faces a part of the other from beyond it has gone
// through it: moved back by the depth it is out again, and if outlines that are moved so do not
// overlap any more, this is a way out; the shortest of them is taken. If there is none, what
// outlines span has to part. Two outlines are parted by a line as soon as what they span, their
// convex hulls, is. Along a direction n of Y this takes max n.y - min n.x, and the points at which
// these are taken are corners or arcs that bulge out. It is least along a normal of a side of a
// hull, or between the centres of two arcs; the directions looked at are the normals at the ends of
// corners and arcs, and some more all around. While the outlines move out along n the way along n
// becomes shorter faster than any other one, so that the direction stays.
#include "geometry/outline_overlap.h"

#include "geometry/outline_cross.h"
#include "geometry/outline_part.h"

// Of the smaller outline: what lies within both by less is on their borders.
static const double BORDER = 1e-8;
static const double BESIDE = 1e-3;  // of a piece: how far beside it a point is that tells
static const double TURN = 6.283185307179586;

// --- pieces ---

// Further ones are left out: then pieces are taken together, and those of the other outline tell.
enum { MOST_CUTS = 32 };

// A part of X, in the coordinates of Y, with where it is cut: 0 at its beginning, 1 at its end
typedef struct CutPart {
    OutlinePart part;
    Around around;
    int n;
    double cuts[MOST_CUTS];  // in ascending order
} CutPart;

static OutlinePart part_in_Y(const OutlinePass* pass, const OutlinePart* part) {
    OutlinePart moved = *part;
    moved.at = pass_point(pass, part->at);
    moved.from = pass_turn(pass, part->from);
    moved.to = pass_turn(pass, part->to);
    return moved;
}

// How far along a part a point of it is
static double part_place(const OutlinePart* part, Vec2 x) {
    const Vec2 d = sub2(x, part->at);
    if (part->kind == OUTLINE_STRAIGHT) {
        return dot2(part_along(part), d) / part->length;
    }
    const double whole = arc_angle(part);
    const Vec2 e = part->kind == OUTLINE_HOLLOW ? scale2(-1.0, d) : d;
    const double angle = atan2(cross2(part->from, e), dot2(part->from, e));
    return (angle * whole < 0.0 ? angle + copysign(TURN, whole) : angle) / whole;
}

static Vec2 part_normal(const OutlinePart* part, double place) {
    if (part->kind == OUTLINE_STRAIGHT) {
        return part->from;
    }
    const double angle = place * arc_angle(part);
    return (Vec2){cos(angle) * part->from.x - sin(angle) * part->from.y,
                  sin(angle) * part->from.x + cos(angle) * part->from.y};
}

static double part_length(const OutlinePart* part) {
    return part->kind == OUTLINE_STRAIGHT ? part->length : part->radius * fabs(arc_angle(part));
}

static void cut(CutPart* of, double place) {
    if (!(place > 0.0 && place < 1.0) || of->n == MOST_CUTS) {
        return;
    }
    int at = of->n++;
    for (; at > 0 && of->cuts[at - 1] > place; at--) {
        of->cuts[at] = of->cuts[at - 1];
    }
    of->cuts[at] = place;
}

// Cuts a part where it meets Y; false if it is not near any part of it.
static bool cut_by(const OutlinePass* pass, CutPart* of) {
    bool near = false;
    for (int j = 0; j < pass->Y->n; j++) {
        const OutlinePart* other = &pass->Y->parts[j];
        const Around around = part_around(other);
        if (part_is_corner(other) || !arounds_meet(&of->around, &around, pass->tolerance)) {
            continue;
        }
        Vec2 x[2];
        const int n = outline_parts_meet(&of->part, other, pass->tolerance, x);
        for (int i = 0; i < n; i++) {
            cut(of, part_place(&of->part, x[i]));
        }
        near = true;
    }
    return near;
}

// --- what lies in what ---

static double border_of(const OutlinePass* pass) {
    const double reach_X = pass->X->reach > 0.0 ? pass->X->reach : pass->Y->reach;
    return BORDER * fmin(reach_X, pass->Y->reach) + pass->tolerance;
}

static bool lies_in(const Outline* o, Vec2 x, double border) {
    bool inside = outline_contains(o, x);
    for (int i = 0; i < o->n && inside; i++) {
        inside = part_distance(&o->parts[i], x) > border;
    }
    return inside;
}

static bool piece_lies_in(const OutlinePass* pass, const OutlinePart* part, double from,
                          double to) {
    const double border = border_of(pass), middle = 0.5 * (from + to);
    const Vec2 n = part_normal(part, middle);
    const Vec2 x = part->kind == OUTLINE_STRAIGHT
                       ? add2(part->at, scale2(middle * part->length, part_along(part)))
                       : arc_point(part, n);
    if (lies_in(pass->Y, x, border)) {
        return true;
    }
    const double beside = BESIDE * fmin((to - from) * part_length(part), pass->Y->reach);
    const Vec2 y = sub2(x, scale2(beside, n));
    return beside > 2.0 * border && lies_in(pass->Y, y, border) &&
           outline_contains(pass->X, pass_turn_back(pass, sub2(y, pass->r)));
}

static bool part_lies_in(const OutlinePass* pass, int i) {
    CutPart of = {.part = part_in_Y(pass, &pass->X->parts[i])};
    if (part_is_corner(&of.part)) {
        return of.part.whole && lies_in(pass->Y, of.part.at, border_of(pass));  // a point
    }
    const Around Y = {pass->Y->centre, pass->Y->reach};
    of.around = part_around(&of.part);
    if (!arounds_meet(&of.around, &Y, 0.0) || !(cut_by(pass, &of) || i == 0 || of.part.whole)) {
        return false;
    }
    double from = 0.0;
    for (int k = 0; k <= of.n; k++) {
        const double to = k < of.n ? of.cuts[k] : 1.0;
        if (piece_lies_in(pass, &of.part, from, to)) {
            return true;
        }
        from = to;
    }
    return false;
}

bool outline_overlaps(const OutlinePass passes[2]) {
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < passes[k].X->n && passes[k].Y->closed; i++) {
            if (part_lies_in(&passes[k], i)) {
                return true;
            }
        }
    }
    return false;
}

// --- the way out ---

// The corner or arc that reaches farthest along u, and how far
static int farthest(const Outline* o, Vec2 u, double* reach) {
    static const double SLACK = 4.0 * OUTLINE_SMOOTH;  // rad: where parts go on smoothly
    int at = 0;
    *reach = -INFINITY;
    for (int i = 0; i < o->n; i++) {
        const OutlinePart* part = &o->parts[i];
        const double far = dot2(part->at, u) + part->radius;
        if (far > *reach && part_is_ball(part) && part_has_normal(part, u, SLACK)) {
            *reach = far;
            at = i;
        }
    }
    return at;
}

// Along a normal in the coordinates of Y
static void try_way(const OutlinePass* pass, Vec2 n, OutlinePair* out) {
    double reach_X, reach_Y;
    OutlinePair pair = {.frozen = true, .swapped = pass->swapped, .n = n};
    pair.ball = farthest(pass->X, pass_turn_back(pass, scale2(-1.0, n)), &reach_X);
    pair.surface = farthest(pass->Y, n, &reach_Y);
    pair.c = pass_point(pass, pass->X->parts[pair.ball].at);
    pair.dist = dot2(n, pair.c) - reach_Y;
    pair.gap = pair.dist - pass->X->parts[pair.ball].radius;
    if (pair.gap > out->gap) {
        *out = pair;
    }
}

// Along any direction, by what the outlines span
static OutlinePair straight_way(const OutlinePass passes[2]) {
    enum { N_DIRECTIONS = 16 };
    OutlinePair out = {.gap = -INFINITY};
    for (int k = 0; k < 2; k++) {
        const Outline* Y = passes[k].Y;
        for (int j = 0; j < Y->n; j++) {
            if (part_is_ball(&Y->parts[j])) {
                try_way(&passes[k], Y->parts[j].from, &out);
                try_way(&passes[k], Y->parts[j].to, &out);
            }
        }
        for (int j = 0; j < N_DIRECTIONS; j++) {
            const double angle = TURN * j / N_DIRECTIONS;
            try_way(&passes[k], (Vec2){cos(angle), sin(angle)}, &out);
        }
    }
    return out;
}

// The shortest ways of balls that face a part, shortest first; which of them lead out is seen later
enum { MOST_WAYS = 16 };

typedef struct Ways {
    int n;
    OutlinePair pairs[MOST_WAYS];
} Ways;

static void add_way(const OutlinePair* pair, Ways* ways) {
    if (ways->n == MOST_WAYS && ways->pairs[MOST_WAYS - 1].gap >= pair->gap) {
        return;
    }
    int at = ways->n < MOST_WAYS ? ways->n++ : MOST_WAYS - 1;
    for (; at > 0 && ways->pairs[at - 1].gap < pair->gap; at--) {
        ways->pairs[at] = ways->pairs[at - 1];
    }
    ways->pairs[at] = *pair;
}

static void list_ways(const OutlinePass* pass, double least, Ways* ways) {
    for (int i = 0; i < pass->X->n; i++) {
        if (!part_is_ball(&pass->X->parts[i])) {
            continue;
        }
        const Vec2 c = pass_point(pass, pass->X->parts[i].at);
        for (int j = 0; j < pass->Y->n; j++) {
            OutlinePair pair;
            if (outline_pair_near(pass, i, j, c, least, -pass->tolerance, &pair) && !pair.corners) {
                add_way(&pair, ways);
            }
        }
    }
}

// Do outlines not overlap any more when they have been moved along a way?
static bool leads_out(const OutlinePass passes[2], const OutlinePair* pair) {
    OutlinePass moved[2] = {passes[0], passes[1]};
    const int k = pair->swapped ? 1 : 0;
    const Vec2 move = scale2(-pair->gap, pair->n);
    moved[k].r = add2(moved[k].r, move);
    moved[1 - k].r = sub2(moved[1 - k].r, pass_turn_back(&passes[k], move));
    return !outline_overlaps(moved);
}

OutlinePair outline_way_out(const OutlinePass passes[2]) {
    const OutlinePair out = straight_way(passes);
    Ways ways;
    ways.n = 0;
    list_ways(&passes[0], out.gap, &ways);
    list_ways(&passes[1], out.gap, &ways);
    for (int i = 0; i < ways.n; i++) {
        if (leads_out(passes, &ways.pairs[i])) {
            return ways.pairs[i];
        }
    }
    return out;
}
