// The matrices of Newton's method on all stages of a step at once (stages.h), one for each
// assembly: of
//   r_j = M X_j - dt h(Q_j, V_j) - W_g(Q_j) R_j - ...            j = 1 ... n
//   g(Q_i) / dt,  gamma(Q_i, V_i) combined over the stages = 0
// in X_1 ... X_n and the forces -R_1 ... -R_n of the joints. The equations of the joints are
// combined so that the p-th belongs to R_p: in a step that is short against the motion the matrix
// is that of n steps apart from each other,
//   [ M  W_g; W_g^T 0 ].
#pragma once

#include "linalg/saddle.h"
#include "system/joint_set.h"
#include "system/stages.h"

typedef struct StageMatrix StageMatrix;

// What the matrices are made of.
typedef struct StageTerms {
    const Stages* stages;
    double dt;
    const Instant* instants;        // (s)
    const JointSet* const* joints;  // (s) rows at each of them
    const double* const* R_g;       // (n x nla_g) forces of the joints
    bool geometric;                 // d(W_g R_g)/dq is part of the matrix
} StageTerms;

// For methods of s stages. STATUS_OUT_OF_MEMORY, STATUS_TOO_LARGE.
MUST_CHECK Status stage_matrix_create(const System* sys, const Instant* instant, int s,
                                      Arena* arena, StageMatrix** matrix);
void stage_matrix_destroy(StageMatrix* matrix);  // before the arena is freed; NULL is allowed

// STATUS_SINGULAR, STATUS_NOT_FINITE.
MUST_CHECK Status stage_matrix_factor(const System* sys, const StageTerms* terms,
                                      StageMatrix* matrix);

// x (n (nu + nla_g)): X_1 ... X_n, then what belongs to R_1 ... R_n, becomes the inverse times x.
void stage_matrix_solve(const System* sys, StageMatrix* matrix, double* x);
// The same for n_rhs columns of one assembly, with its own numbers of velocities and rows.
void stage_matrix_solve_assembly(const System* sys, const StageMatrix* matrix, int assembly,
                                 int n_rhs, double* x);
// Do rows of joints follow from others?
bool stage_matrix_is_redundant(const StageMatrix* matrix);

// x (n (nu + nla_g)): adds a joint's row at stage i, of value g / dt on position or gamma on
// velocity level, to the right-hand side.
void stage_matrix_add_row(const System* sys, const Stages* stages, int row, bool on_position, int i,
                          double value, double* x);
