// The two solvers behind saddle.h, and what they share. Not for others.
//
// Both scale the matrix symmetrically by powers of two first, so that A has a diagonal near 1 and
// so has C diag(A)^-1 C^T: then one tolerance tells dependent rows of C, whatever the
// units of masses and lengths are.
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"

// A row of C is dependent if what remains of it after projection on the others is less than this
// part of it, both as squared lengths: an angle of 1e-6.
#define SADDLE_DEPENDENT 1e-12

// The power of two near 1/sqrt(v); 1 for 0.
static inline double saddle_scale_for(double v) {
    if (!(v > 0.0)) {
        return 1.0;
    }
    int exponent = 1024;
    if (isfinite(v)) {
        (void)frexp(v, &exponent);
    }
    return ldexp(1.0, -exponent / 2);
}

// Of an unknown in x, from its diagonal entry and the largest of its row or column in A. A diagonal
// that is far too small for a definite A says nothing about the scale.
static inline double saddle_scale_variable(double diagonal, double largest) {
    return saddle_scale_for(fabs(diagonal) > 1e-12 * largest ? fabs(diagonal) : largest);
}

// --- dense ---------------------------------------------------------------------------------------
typedef struct SaddleDense {
    int n, n_c, n_all;
    double* K;        // (n_all x n_all) as assembled, scaled in place by the factorisation
    double* LU;       // (n_all x n_all) factors of K without its dependent rows and columns
    int* pivots;      // (n_all)
    double* scale;    // (n_all)
    double* A;        // (n x n) A + C^T C, its factors
    int* A_pivots;    // (n)
    double* X;        // (n x n_c) A^-1 C^T
    double* S;        // (n_c x n_c) C A^-1 C^T, then its QR factors, then in the last columns B
    double* S_scale;  // (n_c)
    int* order;       // (n_c) from 1: rows of C, the dependent ones last
    double *tau, *work;
    int n_work;
    double* G;  // (n_redundant x n_redundant) Cholesky factor of I + B^T B
    double* w;  // (n_c)
    int n_redundant;
} SaddleDense;

bool saddle_dense_create(SaddleDense* dense, int n, int n_c, Arena* arena);
void saddle_dense_begin(SaddleDense* dense);
MUST_CHECK Status saddle_dense_factor(SaddleDense* dense);
void saddle_dense_solve(SaddleDense* dense, double* x);  // x (n_all)

// --- sparse --------------------------------------------------------------------------------------
// Compressed columns of a symmetric pattern with a full diagonal, rows ascending.
typedef struct SaddlePattern {
    int n, n_all, n_entries;
    int* start;     // (n_all + 1)
    int* row;       // (n_entries)
    int* diagonal;  // (n_all) entries
    int* order;     // (n_all) order of elimination: a row of C after all of its unknowns
    int* slot;      // (n_calls) entry of the k-th call of saddle_add
    int* calls;     // (2 n_calls) row, column: heap memory while the pattern is recorded
    int n_calls, capacity;
    Status status;
} SaddlePattern;

void saddle_pattern_record(SaddlePattern* pattern, int row, int column);
MUST_CHECK Status saddle_pattern_finish(SaddlePattern* pattern, Arena* arena);
void saddle_pattern_destroy(SaddlePattern* pattern);

// K = L U in the fixed order of a pattern. Rows, columns k are those of order[k] in K.
typedef struct SaddleFactors {
    int n, n_all;
    int* position;          // (n_all) k of each equation
    int *L_start, *L_row;   // (n_all + 1), (n_L) below the diagonal, which is 1
    int *U_start, *U_row;   // (n_all + 1), (n_U) above the diagonal, ascending in each column
    double *L, *U, *pivot;  // (n_L), (n_U), (n_all)
    double* x;              // (n_all) zero between calls
} SaddleFactors;

// Finds the structure of L and U.
MUST_CHECK Status saddle_factors_create(SaddleFactors* factors, const SaddlePattern* pattern,
                                        Arena* arena);
// Factorises D K D, D = diag(scale (n_all)). Rows of C that are found dependent are dropped:
// dropped (n_all) becomes true, and they are as if their row and column were those of the identity.
// STATUS_SINGULAR if a pivot of A is too small.
MUST_CHECK Status saddle_factors_compute(SaddleFactors* factors, const SaddlePattern* pattern,
                                         const double* values, const double* scale, bool* dropped);
// z (n_all) = (D K D)^-1 z, or of the transposed matrix; zero where dropped, before and after.
void saddle_factors_solve(SaddleFactors* factors, const SaddlePattern* pattern, double* z);
void saddle_factors_solve_transposed(SaddleFactors* factors, const SaddlePattern* pattern,
                                     double* z);

typedef struct SaddleSparse SaddleSparse;

SaddleSparse* saddle_sparse_create(int n, int n_c, Arena* arena);
void saddle_sparse_destroy(SaddleSparse* sparse);
SaddlePattern* saddle_sparse_pattern(SaddleSparse* sparse);
MUST_CHECK Status saddle_sparse_finish(SaddleSparse* sparse, Arena* arena);
void saddle_sparse_begin(SaddleSparse* sparse);
void saddle_sparse_add(SaddleSparse* sparse, int row, int column, double value);
MUST_CHECK Status saddle_sparse_factor(SaddleSparse* sparse);
void saddle_sparse_solve(SaddleSparse* sparse, double* x);  // x (n_all)
bool saddle_sparse_is_redundant(const SaddleSparse* sparse, int c);
