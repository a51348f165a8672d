// Linear systems of constrained mechanics,
//   [ A   C^T ] [x]   [f]
//   [ C    0  ] [y] = [g],      A (n x n), C (n_c x n),
// by elimination in an order that follows from the pattern. A may be unsymmetric. Where that order
// is not stable pivots are chosen for the values: dense for small, by KLU for large systems. If
// rows of C depend linearly on each other, x is unique all the same when g is consistent, and y is
// the solution of least norm. Rows that depend on others do not take part in x, so if g contradicts
// itself, x fulfils the other rows.
//
// The pattern is recorded once: between saddle_begin_pattern and saddle_end_pattern the calls of
// saddle_add tell which entries there are; later assemblies make the same calls in the same order
// with values. A solution depends on the values of its own assembly only, bit for bit, never on
// earlier ones.
//
// No allocation after saddle_end_pattern, with one exception: KLU allocates for a large matrix
// whose A is not nearly symmetric and definite.
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
// The same for a block (n x n, row-major) of A in rows and columns at (n), and for the entries in
// columns at (n) of row c of C, with those of C^T.
void saddle_add_block(Saddle* saddle, int n, const int* at, const double* block);
void saddle_add_constraint(Saddle* saddle, int c, int n, const int* at, const double* row);
// STATUS_SINGULAR if A is singular on the null space of C (a large system with dependent rows of C
// also wants the leading part A to be regular); STATUS_NOT_FINITE if an entry is NaN or infinite.
MUST_CHECK Status saddle_factor(Saddle* saddle);
// x ((n + n_c) x n_rhs, column-major) is overwritten by the solution. Only after saddle_factor has
// returned STATUS_OK, and before the next saddle_begin.
void saddle_solve(Saddle* saddle, int n_rhs, double* x);
// Number of dependent rows of C found by the last factorisation, and their indices, ascending, into
// redundant (n_c) unless it is NULL. Each of them depends on the rows that are not listed.
int saddle_redundant(const Saddle* saddle, int* redundant);
