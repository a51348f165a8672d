// Matrices of Newton's method on the equations of motion
//   r(w, mu_g) = M w - c h(q, u) - W_g(q) mu_g - W(q) mu,
// in the displacements of the frames (dr, dtheta), or in velocities:
//   A = M + k dh/dq + d dh/du - geometric d(W_g mu_g + W mu)/dq,
// bordered by the rows of the joints. k and d have the sign of -c and the factors by which q and u
// follow the unknown; geometric has the factor of q.
//
// Bodies that turn: a step q_1 = base + B(q_0) w displaces the frames at q_1 by Z w (system_push_
// forward), Z = Z(q_1, q_0). Solving for the displacements x = Z dw, all that multiplies the change
// dw itself is multiplied by Z^-1: the mass, and dh/du too, since u follows w. What depends on the
// place of the frames does so by x: with q_0 given,
//   A = (M + d dh/du) Z^-1 + k dh/dq - geometric d(W_g mu_g + W mu)/dq.
#pragma once

#include "linalg/saddle.h"
#include "system/system.h"

// Which blocks of geometric terms a matrix has room for; systems that never use them have none.
typedef struct MatrixPattern {
    bool joints, laws;
} MatrixPattern;

typedef struct MatrixTerms {
    double k, d;          // derivatives of h are evaluated unless both are zero
    const double* q_0;    // (nq) displacements of a step from here are solved for; NULL: velocities
    bool positions_only;  // the border is of the joints on position level alone, the others zero
    double geometric;     // zero: no such terms
    const double* mu_g;   // (nla_g) of joints; NULL: without
    const double* mu;     // (nla_c) of laws; NULL: without. Laws whose mu are zero cost nothing
} MatrixTerms;

// Records the pattern of all matrices of this kind.
MUST_CHECK Status system_record_pattern(const System* sys, const Instant* instant,
                                        MatrixPattern pattern, Saddle* saddle);

// Derivatives at the instant; W_g (n_joint_entries): system_joint_matrices of the border, perhaps
// at another instant. The pattern must be the recorded one.
void system_assemble(const System* sys, const Instant* instant, const double* W_g,
                     const MatrixTerms* terms, MatrixPattern pattern, Saddle* saddle);

// W of all joints from their rows (n_joints), in the velocities of their couplings: that of a joint
// (la.n x coupling.n, row-major) begins at its entry `matrix`.
void system_joint_matrices(const System* sys, const Instant* instant, const Rows* rows,
                           double* W_g);
