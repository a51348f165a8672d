// The stages of a partitioned Runge-Kutta method on q' = B(q) u, M u' = h + W la. Forces act at the
// first n = s - 1 stages, and give them X_l = M^-1 F_l, F_l = dt h + W R_l:
//   V_i = u_n + sum over l <= n of a_hat_il X_l
//   Q_i = q_n + dt sum over j of a_ij q'(Q_j, V_j)
// So a change of X_l displaces stage i by dt T_il, T = a a_hat, if the stages do not turn against
// each other. Where they do, rotations measured in the frame at stage i follow those at stage k by
// R_i^T R_k: the displacement is dt sum over k of a_ik a_hat_kl R_i^T R_k X_l, up to the error of
// the quadrature.
#pragma once

#include "system/instant.h"
#include "system/system.h"

enum { STAGES_MAX = 5, STAGES_MAX_FORCES = STAGES_MAX - 1 };

// The equations of joints and the laws of friction belong to the n forces R_p. They are
// combinations of rates at the stages, with weights (n x s):
// - Of rows on position level, g(Q_i) = 0 for i = 2 ... s: the inverse of T combines them, so that
//   in a step that is short against the motion the p-th belongs to R_p alone.
// - Of rows on velocity level, gamma(Q_i, V_i) = 0: V_i is less accurate than the end of the step,
//   and so would be a motion that fulfils them at each stage. Their moments,
//     sum over i of b_i c_i^(p-1) gamma(Q_i, V_i) = 0,  p = 1 ... n   (Jay, SPARK methods)
//   keep the order; they, too, are combined so that the p-th belongs to R_p.
// - Of friction: the polynomial of degree n - 1 with the same moments as gamma_F(Q_i, V_i), at the
//   node p + 1; or as LO (57) has it, gamma_F(Q_i, V_i) itself at i = p + 1. Along straight rows
//   both are the same. Where a direction of sliding turns, friction has to have that of the node p,
//   at which R_p acts.
typedef struct Stages {
    int s;                                    // stages
    int n;                                    // those with forces in V: s - 1
    double c[STAGES_MAX], b[STAGES_MAX];      // nodes and weights
    double a[STAGES_MAX][STAGES_MAX];         // first row zero, last row b
    double a_hat[STAGES_MAX][STAGES_MAX];     // last column zero
    double T[STAGES_MAX][STAGES_MAX_FORCES];  // a a_hat
    double of_positions[STAGES_MAX_FORCES][STAGES_MAX];
    double of_velocities[STAGES_MAX_FORCES][STAGES_MAX];
    double of_friction[STAGES_MAX_FORCES][STAGES_MAX];
    double of_stages[STAGES_MAX_FORCES][STAGES_MAX];  // the same as LO (57) has it
    double of_sliding[STAGES_MAX]
                     [STAGES_MAX];  // along directions that may turn; the last: at the end
    // A rate whose values at both ends are known better than at the stages: the polynomial of
    // degree s with these and the moments of the stages is, at node j, that of of_sliding with
    // to_start_j and to_end_j times what it misses at the ends
    double to_start[STAGES_MAX], to_end[STAGES_MAX];
} Stages;

// T and the combinations, from s, c, b, a and a_hat.
void stages_complete(Stages* stages);

// Positions Q_2 ... Q_s (instants[i].q) for velocities V_1 ... V_s (instants[i].u), from Q_1. Unit
// quaternions are of unit length at the last stage alone.
void stages_collocate(const System* sys, const Stages* stages, double dt, Instant* instants);

// How a row (coupling.n) on the displacement at stage i of what a link connects follows from X_l:
// spread[l * coupling.n + k], l < n, over dt.
void stages_spread(const System* sys, const Stages* stages, const Instant* instants,
                   const Link* link, int i, const double* row, double* spread);

// Likewise of a node of a body: a row w on its rotation at stage i follows from those of X_l by
// of_X[l] w, l < n.
void stages_node_spread(const Stages* stages, const Instant* instants, const Element* body,
                        int number, int i, Mat3* of_X);
