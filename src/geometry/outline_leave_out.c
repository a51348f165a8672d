// Which pairs of balls and surfaces that have been found are left out.
//
// Where pairs say the same, one of them is listed: at ends of parts that go on smoothly; where
// corners of both outlines face each other along the normal, as those of stacked boxes do. Two
// surfaces that meet at an outward corner would hold a ball that has reached both of them in place:
// the one with the smaller depth is listed.
#include "geometry/outline_found.h"

#include "geometry/outline_part.h"

// Corners face each other along the normal if they are beside each other by less than this part of
// their gap, or of their depth, in which both faces of a corner are about as deep.
static const double BESIDE_GAP = 0.1;
static const double BESIDE_DEPTH = 1.0;
// Of its radius: a centre this near to the one of a hollow part has no direction from it.
static const double COINCIDENT = 1e-6;

static bool are_neighbours(const Outline* o, int i, int j) {
    return o->n > 1 && (part_after(o, i) == j || part_before(o, i) == j);
}

// Do two surfaces meet at an outward corner, or does their outline have none but these?
static bool meet_outward(const Outline* Y, int i, int j) {
    if (Y->convex) {
        return true;
    }
    const int after = part_after(Y, i), before = part_before(Y, i);
    return (part_after(Y, after) == j && part_is_ball(&Y->parts[after])) ||
           (part_before(Y, before) == j && part_is_ball(&Y->parts[before]));
}

// Is this the worse one of two surfaces that a ball faces where they join: a corner, or a hollow
// part, whose circle would hold a ball that moves away from it along the other?
static bool is_worse(const OutlinePart* part) {
    return part_is_corner(part) || part->kind == OUTLINE_HOLLOW;
}

// Do two surfaces that follow each other say the same of a ball? Not in the centre of a hollow
// part.
static bool are_joined(const OutlinePass* pass, const OutlinePair* p, const OutlinePair* q) {
    const OutlinePart* surfaces[2] = {&pass->Y->parts[p->surface], &pass->Y->parts[q->surface]};
    for (int i = 0; i < 2; i++) {
        const double dist = i == 0 ? p->dist : q->dist;
        if (surfaces[i]->kind == OUTLINE_HOLLOW &&
            surfaces[i]->radius - dist <= COINCIDENT * surfaces[i]->radius) {
            return false;
        }
    }
    return are_neighbours(pass->Y, p->surface, q->surface) &&
           dot2(p->n, q->n) >= OUTLINE_SAME_NORMAL;
}

// Which of two pairs with the same ball is left out: -1 none, 0 or 1
static int choose_same_ball(const OutlinePass* pass, const OutlinePair* p, const OutlinePair* q) {
    const double tolerance = pass->tolerance;
    const bool same_gap = fabs(p->gap - q->gap) <= tolerance;
    if (same_gap && are_joined(pass, p, q)) {
        return is_worse(&pass->Y->parts[p->surface]) ? 0 : 1;
    }
    if (p->gap <= tolerance && q->gap <= tolerance && !pass->Y->infinite &&
        meet_outward(pass->Y, p->surface, q->surface)) {
        return same_gap || p->gap > q->gap ? 1 : 0;
    }
    return -1;
}

// p has a ball of the first outline, q one of the second.
static int choose_mutual(const OutlinePass* pass, const OutlinePair* p, const OutlinePair* q) {
    const Outline *a = pass->X, *b = pass->Y;
    const bool ball_p_at_q = are_neighbours(a, p->ball, q->surface);
    const bool ball_q_at_p = are_neighbours(b, q->ball, p->surface);
    if (p->surface == q->ball && ball_p_at_q) {
        return 0;  // two corners, one of which is over a straight part that ends at the other
    }
    if (!ball_p_at_q || !ball_q_at_p) {
        return -1;
    }
    const bool deep = p->gap < -pass->tolerance && q->gap < -pass->tolerance;
    const Vec2 d = sub2(p->c, b->parts[q->ball].at);
    const double share = deep ? BESIDE_DEPTH : BESIDE_GAP;
    const double beside = share * fmax(fabs(p->gap), fabs(q->gap)) + pass->tolerance;
    if (fabs(cross2(p->n, d)) > beside) {
        return -1;
    }
    if (fabs(p->gap - q->gap) <= pass->tolerance) {
        return 1;
    }
    return (p->gap < q->gap) == deep ? 0 : 1;
}

static int choose(const OutlinePass passes[2], const OutlinePair* p, const OutlinePair* q) {
    if (p->swapped != q->swapped) {
        if (p->swapped) {
            const int choice = choose_mutual(&passes[0], q, p);
            return choice < 0 ? -1 : 1 - choice;
        }
        return choose_mutual(&passes[0], p, q);
    }
    const OutlinePass* pass = &passes[p->swapped];
    if (p->ball == q->ball) {
        return choose_same_ball(pass, p, q);
    }
    const bool same = p->surface == q->surface && are_neighbours(pass->X, p->ball, q->ball) &&
                      fabs(p->gap - q->gap) <= pass->tolerance;
    return same ? 1 : -1;
}

void outline_leave_out(const OutlinePass passes[2], OutlineFound* found) {
    for (int i = 0; i < found->n; i++) {
        found->dropped[i] = false;
    }
    for (int i = 0; i < found->n; i++) {
        for (int j = i + 1; j < found->n && !found->dropped[i]; j++) {
            if (found->dropped[j]) {
                continue;
            }
            int choice = choose(passes, &found->pairs[i], &found->pairs[j]);
            if (choice == 0 && i == 0 && found->has_axis) {
                choice = 1;
            }
            found->dropped[i] = choice == 0;
            found->dropped[j] = choice == 1;
        }
    }
}
