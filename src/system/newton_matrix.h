// The factorised matrices of a step's linear systems, one for each assembly (system_matrix.h), for
// x (nu) and minus the multipliers of the joints (nla_g).
#pragma once

#include "system/system_matrix.h"

typedef struct NewtonMatrix NewtonMatrix;

// instant: any. STATUS_OUT_OF_MEMORY, STATUS_TOO_LARGE.
MUST_CHECK Status newton_matrix_create(const System* sys, const Instant* instant, Arena* arena,
                                       NewtonMatrix** matrix);
void newton_matrix_destroy(NewtonMatrix* matrix);  // before the arena is freed; NULL is allowed

// The iterate has changed: all factors are of no use any more.
void newton_matrix_forget(NewtonMatrix* matrix);
// Assembles and factorises those that are not at hand with the same terms. STATUS_SINGULAR,
// STATUS_NOT_FINITE.
MUST_CHECK Status newton_matrix_factor(const System* sys, const Instant* instant,
                                       const JointSet* joints, const MatrixTerms* terms,
                                       NewtonMatrix* matrix);
// The rigid body that an assembly is if no joint, and no force that depends on the motion, acts on
// it, or NULL.
const Element* newton_matrix_free_body(const NewtonMatrix* matrix, int assembly);
// A number that changes with the factors.
long long newton_matrix_version(const NewtonMatrix* matrix);
// Do these terms make matrices that are symmetric?
bool newton_matrix_is_symmetric(const System* sys, const MatrixTerms* terms);
// (nu) of the mass matrix
const double* newton_matrix_M_diagonal(const NewtonMatrix* matrix);
// How many factorisations there have been: for profiles.
long long newton_matrix_count(const NewtonMatrix* matrix);

// x (nu + nla_g) = inverse times x; likewise n_rhs columns (n + n_c) of one assembly in its own
// numbering.
void newton_matrix_solve(const System* sys, const NewtonMatrix* matrix, double* x);
void newton_matrix_solve_assembly(const NewtonMatrix* matrix, int assembly, int n_rhs, double* x);
// Rows of joints that follow from the others, as found by the last factorisation: how many, and
// which, ascending, into rows (nla_g) unless it is NULL.
int newton_matrix_redundant(const System* sys, const NewtonMatrix* matrix, int* rows);
