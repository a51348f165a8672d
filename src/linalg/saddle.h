// Linear systems of constrained mechanics,
//   [ A   B^T ] [x]   [f]
//   [ C    0  ] [y] = [g],      A (n x n), B and C (n_c x n), B = C or close to it,
// by elimination in an order that follows from the pattern: on C A^-1 B^T if A is block-diagonal,
// as that of bodies is, else of the whole matrix. A may be unsymmetric. Where that is not stable,
// because A is not nearly definite, pivots are chosen for the values. If rows of C depend linearly
// on each other, x is unique all the same when g is consistent, and y is the solution of least
// norm. Rows that depend on others do not take part in x, so if g contradicts itself, x fulfils the
// other rows.
//
// The pattern is recorded once: between saddle_begin_pattern and saddle_end_pattern the calls of
// saddle_add tell which entries there are; later assemblies make the same calls in the same order
// with values. A solution depends on the values of its own assembly only, bit for bit, never on
// earlier ones.
//
// No allocation after saddle_end_pattern, with one exception: a large matrix whose A is not nearly
// definite takes memory for its factors, which is kept for the next one.
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

typedef struct Saddle Saddle;

// n + n_c equations; sizes from dense_limit on are large. saddle_destroy goes first,
// then the arena may be freed.
Saddle* saddle_create(int n, int n_c, int dense_limit, Arena* arena);  // NULL: out of memory
void saddle_destroy(Saddle* saddle);  // frees what the sparse solver took itself; NULL is allowed

void saddle_begin_pattern(Saddle* saddle);  // once
MUST_CHECK Status saddle_end_pattern(Saddle* saddle);

void saddle_begin(Saddle* saddle);  // starts an assembly: all values are zero
// Entry (row, column) of the whole matrix += value; row, column < n + n_c. Rows and columns >= n
// are constraints: add the entries of C and of C^T both.
void saddle_add(Saddle* saddle, int row, int column, double value);
// The same for entries (n) on the diagonal of A, for a block (n x n, row-major) of it in rows and
// columns at (n), and for the entries in columns at (n) of row c of C, with those of C^T.
void saddle_add_diagonal(Saddle* saddle, int n, const int* at, const double* values);
void saddle_add_block(Saddle* saddle, int n, const int* at, const double* block);
void saddle_add_constraint(Saddle* saddle, int c, int n, const int* at, const double* row);
// As saddle_add_block, for a block that couples bodies but is zero in many assemblies: these are
// factorised as if it were not part of the pattern. An assembly makes the call all the same.
void saddle_add_coupling(Saddle* saddle, int n, const int* at, const double* block);
// As saddle_add_constraint, for a row of C and a row of B, the column of B^T, that differ. To the
// pattern it is the same call.
void saddle_add_border(Saddle* saddle, int c, int n, const int* at, const double* row,
                       const double* column);
// Rows of C at less than this angle (rad) to the space of others count as dependent on these in the
// factorisations to come, SADDLE_DEPENDENT_ANGLE unless set. Rows that come from positions with
// errors of their own should not count as independent because of these.
#define SADDLE_DEPENDENT_ANGLE 1e-6
void saddle_set_dependent(Saddle* saddle, double angle);
// STATUS_SINGULAR if A is singular on the null space of C; STATUS_NOT_FINITE if an entry is NaN or
// infinite.
MUST_CHECK Status saddle_factor(Saddle* saddle);
// x ((n + n_c) x n_rhs, column-major) is overwritten by the solution. Only after saddle_factor has
// returned STATUS_OK, and before the next saddle_begin.
void saddle_solve(Saddle* saddle, int n_rhs, double* x);
// Number of dependent rows of C found by the last factorisation, and their indices, ascending, into
// redundant (n_c) unless it is NULL. Each of them depends on the rows that are not listed.
int saddle_redundant(const Saddle* saddle, int* redundant);
