// The matrices of a step's linear systems, one for each assembly:
//   [ A    W_g ]
//   [ W_g^T  0 ],   A = M + k dh/dq + d dh/du + geometric d(W_g mu_g)/dq
// for x (nu) and minus the multipliers of the joints (nla_g). With q_0, x are displacements at the
// end of a step that began there, and the mass acts on what makes them (system_pull_back).
#pragma once

#include "linalg/saddle.h"
#include "system/joint_set.h"

// What the matrices are made of.
typedef struct MatrixTerms {
    double k, d;           // weights of dh/dq and dh/du; zero: left out
    const double* q_0;     // (nq) the start of the step if displacements are solved for, or NULL
    bool positions_only;   // without the joints' rows on velocity level
    double geometric;      // weight of d(W_g mu_g)/dq; zero: left out
    const double* mu_g;    // (nla_g) of the geometric term
} MatrixTerms;

typedef struct NewtonMatrix NewtonMatrix;

// With geometric the pattern has room for that term. STATUS_OUT_OF_MEMORY, STATUS_TOO_LARGE.
MUST_CHECK Status newton_matrix_create(const System* sys, const Properties* properties,
                                       bool geometric, Arena* arena, NewtonMatrix** matrix);
void newton_matrix_destroy(NewtonMatrix* matrix);  // before the arena is freed; NULL is allowed

// The iterate has changed: all factors are of no use any more.
void newton_matrix_forget(NewtonMatrix* matrix);
// Assembles and factorises those that are not at hand with the same terms. STATUS_SINGULAR,
// STATUS_NOT_FINITE.
MUST_CHECK Status newton_matrix_factor(const System* sys, const Instant* instant,
                                       const JointSet* joints, const MatrixTerms* terms,
                                       NewtonMatrix* matrix);
// A number that changes with the factors.
long long newton_matrix_version(const NewtonMatrix* matrix);
// Do these terms make matrices that are symmetric?
bool newton_matrix_is_symmetric(const System* sys, const MatrixTerms* terms);
// How many factorisations there have been: for profiles.
long long newton_matrix_count(const NewtonMatrix* matrix);

// x (nu + nla_g) = inverse times x; likewise n_rhs columns (n + n_c) of one assembly in its own
// numbering.
void newton_matrix_solve(const System* sys, const NewtonMatrix* matrix, double* x);
void newton_matrix_solve_assembly(const System* sys, const NewtonMatrix* matrix, int assembly,
                                  int n_rhs, double* x);
// Rows of joints that follow from the others, as found by the last factorisation: how many, and
// which, ascending, into rows (nla_g) unless it is NULL.
int newton_matrix_redundant(const System* sys, const NewtonMatrix* matrix, int* rows);
