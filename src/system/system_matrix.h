// Matrices of Newton's method on the equations of motion
//   r(w, mu_g) = M w - c h(q, u) - W_g(q) mu_g,
// in the displacements of the frames (dr, dtheta), or in velocities:
//   A = M + k dh/dq + d dh/du - geometric d(W_g mu_g)/dq,
// bordered by the rows of the joints and by the directions of their forces; one for each assembly,
// in its own numbering. k and d have the sign of -c and the factors by which q and u follow the
// unknown; geometric has the factor of q.
//
// Bodies that turn: a step q_1 = base + B(q_0) w displaces the frames at q_1 by Z w (system_push_
// forward), Z = Z(q_1, q_0). Solving for the displacements x = Z dw, all that multiplies the change
// dw itself is multiplied by Z^-1: the mass, and dh/du too, since u follows w. What depends on the
// place of the frames does so by x: with q_0 given,
//   A = (M + d dh/du) Z^-1 + k dh/dq - geometric d(W_g mu_g)/dq.
#pragma once

#include "linalg/saddle.h"
#include "system/joint_set.h"

typedef struct MatrixTerms {
    double k, d;          // derivatives of h are evaluated unless both are zero
    const double* q_0;    // (nq) displacements of a step from here are solved for; NULL: velocities
    bool positions_only;  // the border is of the joints on position level alone, the others zero
    double geometric;     // zero: no such term
    const double* mu_g;   // (nla_g) of it
    // Where the forces of joints do not act along the rows of their equations: their directions
    const JointSet* directions;  // NULL: they do
    // Where the equations of joints are on velocities at an end that moves with the unknowns:
    double rate;         // rate d(g_dot)/dq is added to their rows; zero: nothing
    const Instant* end;  // of it, and of the rows
    // In mechanisms with loops, rows of joints at less than this angle (rad) to others count as
    // dependent on them: positions with errors must not make redundant rows independent. Zero:
    // rounding alone
    double dependent;
} MatrixTerms;

// Records the pattern of the matrices of an assembly.
MUST_CHECK Status system_record_pattern(const System* sys, const Assembly* assembly,
                                        const Instant* instant, Saddle* saddle);

// Derivatives at the instant, at which the directions are taken, too; the rows of the border may be
// those of another one.
void system_assemble(const System* sys, const Assembly* assembly, const Instant* instant,
                     const JointSet* joints, const MatrixTerms* terms, Saddle* saddle);
