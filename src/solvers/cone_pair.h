// Two contacts of free bodies that share none, side by side: all that is done to one is done to the
// other in the same instructions. What a ConeLaw has once is here twice.
#pragma once

#include "linalg/pair.h"
#include "solvers/cone_law.h"

enum { CONE_LANES = 2 };

typedef struct ConePair {
    Pair D[CONE_ROWS][3], R_a[CONE_ROWS][3], R_b[CONE_ROWS][3];
    Pair b[CONE_ROWS], P[CONE_ROWS];
    Pair G_N, G_F, G_FN[2];
    Pair r_N, r_F;  // one over G_N, G_F; 0 if these are
    Pair mu;
    int a[CONE_LANES], b_of[CONE_LANES];  // bodies; those of a place that is not used are 0
} ConePair;

// The velocities that it sees, of both sides
typedef struct ConePairView {
    Pair s_a, s_b;
    Pair a[6], b[6];
} ConePairView;

static inline void cone_pair_gather(const ConePair* pair, const ConeBody* bodies,
                                    ConePairView* view) {
    const ConeBody* a[CONE_LANES] = {&bodies[pair->a[0]], &bodies[pair->a[1]]};
    const ConeBody* b[CONE_LANES] = {&bodies[pair->b_of[0]], &bodies[pair->b_of[1]]};
    view->s_a = (Pair){a[0]->s, a[1]->s};
    view->s_b = (Pair){b[0]->s, b[1]->s};
    for (int i = 0; i < 6; i++) {
        view->a[i] = (Pair){a[0]->y[i], a[1]->y[i]};
        view->b[i] = (Pair){b[0]->y[i], b[1]->y[i]};
    }
}

static inline void cone_pair_scatter(const ConePair* pair, const ConePairView* view,
                                     ConeBody* bodies) {
    for (int lane = 0; lane < CONE_LANES; lane++) {
        ConeBody* a = &bodies[pair->a[lane]];
        ConeBody* b = &bodies[pair->b_of[lane]];
        for (int i = 0; i < 6; i++) {
            a->y[i] = view->a[i][lane];
            b->y[i] = view->b[i][lane];
        }
    }
}

// xi of its rows
static inline void cone_pair_xi(const ConePair* pair, const ConePairView* view, Pair* xi) {
    Pair v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = view->s_a * view->a[i] - view->s_b * view->b[i];
    }
    for (int r = 0; r < CONE_ROWS; r++) {
        const Pair* D = pair->D[r];
        const Pair* R_a = pair->R_a[r];
        const Pair* R_b = pair->R_b[r];
        const Pair translation = (D[0] * v[0] + D[1] * v[1]) + (D[2] * v[2] + pair->b[r]);
        const Pair turn_a = R_a[0] * view->a[3] + R_a[1] * view->a[4] + R_a[2] * view->a[5];
        const Pair turn_b = R_b[0] * view->b[3] + R_b[1] * view->b[4] + R_b[2] * view->b[5];
        xi[r] = translation + (turn_a + turn_b);
    }
}

// A change of its percussions moves its bodies.
static inline void cone_pair_push(const ConePair* pair, const Pair* dP, ConePairView* view) {
    for (int i = 0; i < 3; i++) {
        const Pair f = pair->D[0][i] * dP[0] + pair->D[1][i] * dP[1] + pair->D[2][i] * dP[2];
        view->a[i] += view->s_a * f;
        view->b[i] -= view->s_b * f;
        view->a[3 + i] +=
            pair->R_a[0][i] * dP[0] + pair->R_a[1][i] * dP[1] + pair->R_a[2][i] * dP[2];
        view->b[3 + i] +=
            pair->R_b[0][i] * dP[0] + pair->R_b[1][i] * dP[1] + pair->R_b[2][i] * dP[2];
    }
}

// As cone_project, of two laws with two friction rows each. relaxed is one of all.
static inline void cone_pair_project(Pair mu, Pair G_N, Pair G_F, bool relaxed, Pair* P) {
    const Pair zero = {0.0, 0.0};
    const Pair one = {1.0, 1.0};
    const Pair square = P[1] * P[1] + P[2] * P[2];
    if (!relaxed) {
        P[0] = pair_larger(P[0], zero);
    }
    const PairMask inside = (P[0] >= zero) & (square <= mu * mu * P[0] * P[0]);
    if (pair_all(inside)) {
        return;
    }
    const Pair size = pair_sqrt(square);
    Pair normal = P[0];
    if (relaxed) {
        const Pair slope = mu * G_F / pair_choose(G_N > zero, G_N, one);
        normal = pair_larger((P[0] + slope * size) / (one + mu * slope), zero);
    }
    const Pair part = mu * normal / pair_choose(square > zero, size, one);
    P[0] = pair_choose(inside, P[0], normal);
    P[1] = pair_choose(inside, P[1], part * P[1]);
    P[2] = pair_choose(inside, P[2], part * P[2]);
}

// By how much its percussions have to move, where they are at P with velocities xi, the other laws
// held: friction feels what the normal one has moved.
static inline void cone_pair_step(const ConePair* pair, bool relaxed, const Pair* xi, Pair* dP) {
    const Pair zero = {0.0, 0.0};
    Pair P[CONE_ROWS] = {pair->P[0] - pair->r_N * xi[0]};
    if (relaxed) {
        P[1] = pair->P[1] - pair->r_F * xi[1];
        P[2] = pair->P[2] - pair->r_F * xi[2];
    } else {
        P[0] = pair_larger(P[0], zero);
        const Pair dN = P[0] - pair->P[0];
        P[1] = pair->P[1] - pair->r_F * (xi[1] + pair->G_FN[0] * dN);
        P[2] = pair->P[2] - pair->r_F * (xi[2] + pair->G_FN[1] * dN);
    }
    cone_pair_project(pair->mu, pair->G_N, pair->G_F, relaxed, P);
    for (int r = 0; r < CONE_ROWS; r++) {
        dP[r] = P[r] - pair->P[r];
    }
}

// The square of a change of percussions in the norm of energy, as cone_change
static inline Pair cone_pair_change(const ConePair* pair, const Pair* dP) {
    const Pair friction = pair->G_F * (dP[1] * dP[1] + dP[2] * dP[2]);
    return pair_larger(pair->G_N * dP[0] * dP[0], friction);
}
