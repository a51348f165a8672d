// The solvers behind saddle.h, and what they share. Not for others.
//
// All scale the matrix symmetrically by powers of two first, so that A has a diagonal near 1 and
// so has C diag(A)^-1 C^T: then one tolerance tells dependent rows of C, whatever the
// units of masses and lengths are.
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"

// A row of C is dependent if what remains of it after projection on the others is less than this
// part of it, both as squared lengths: an angle of 1e-6. Used unless the caller sets another part.
#define SADDLE_DEPENDENT 1e-12

// The power of two near 1/sqrt(v); 1 for 0.
static inline double saddle_scale_for(double v) {
    if (!(v > 0.0)) {
        return 1.0;
    }
    int exponent = 1024;
    if (v >= DBL_MIN && v <= DBL_MAX) {  // as frexp does it, without the call
        uint64_t bits;
        memcpy(&bits, &v, sizeof bits);
        exponent = (int)(bits >> 52) - 1022;
    } else if (isfinite(v)) {
        (void)frexp(v, &exponent);
    }
    const uint64_t power = (uint64_t)(1023 - exponent / 2) << 52;
    double scale;
    memcpy(&scale, &power, sizeof scale);
    return scale;
}

// Of an unknown in x, from its diagonal entry and the largest of its column in A. A diagonal
// that is far too small for a definite A says nothing about the scale.
static inline double saddle_scale_variable(double diagonal, double largest) {
    return saddle_scale_for(fabs(diagonal) > 1e-12 * largest ? fabs(diagonal) : largest);
}

static inline bool saddle_all_finite(int n, const double* v) {
    static const uint64_t EXPONENT = 0x7ff0000000000000u, LOWEST = 0x0010000000000000u;
    uint64_t carries = 0;  // into the sign, where all bits of an exponent are set
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &v[i], sizeof bits);
        carries |= (bits & EXPONENT) + LOWEST;
    }
    return carries >> 63 == 0;
}

// --- least norm ----------------------------------------------------------------------------------
// With C_R^T = C_I^T B for the dependent rows R and the others I, all solutions y differ from one
// with y_R = 0 by N w, N = [B; -1], and
//   y = [y_I - B w; w],  (1 + B^T B) w = B^T y_I
// is the one of least norm.
typedef struct SaddleNorm {
    int n_c, n_redundant;
    int* redundant;  // (n_redundant of n_c) R
    double* B;       // (n_c x n_redundant) zero in rows R
    double* G;       // (n_redundant x n_redundant) Cholesky factor of 1 + B^T B
    double* w;       // (n_redundant of n_c)
} SaddleNorm;

bool saddle_norm_create(SaddleNorm* norm, int n_c, Arena* arena);
// From redundant and B; STATUS_SINGULAR if B is not finite.
MUST_CHECK Status saddle_norm_factor(SaddleNorm* norm);
// y (n_c), whatever it is in rows R, becomes the solution of least norm.
void saddle_norm_minimise(SaddleNorm* norm, double* y);

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
    double* S;        // (n_c x n_c) C A^-1 C^T, then its QR factors
    double* S_scale;  // (n_c)
    int* order;       // (n_c) from 1: rows of C, the dependent ones last
    double *tau, *work;
    int n_work;
    double dependent;  // as SADDLE_DEPENDENT, which it is at first
    SaddleNorm norm;
} SaddleDense;

bool saddle_dense_create(SaddleDense* dense, int n, int n_c, Arena* arena);
void saddle_dense_begin(SaddleDense* dense);
MUST_CHECK Status saddle_dense_factor(SaddleDense* dense);
void saddle_dense_solve(SaddleDense* dense, double* x);  // x (n_all)
bool saddle_dense_is_redundant(const SaddleDense* dense, int c);

// --- sparse --------------------------------------------------------------------------------------
// Compressed columns of a symmetric pattern with a full diagonal, rows ascending.
typedef struct SaddlePattern {
    int n, n_all, n_entries;
    int* start;     // (n_all + 1)
    int* row;       // (n_entries)
    int* diagonal;  // (n_all) entries
    int* border;    // (n_all) the first entry of each column that is in a row of C
    int* order;     // (n_all) order of elimination: a row of C after all of its unknowns
    int* slot;      // (n_calls) entry of the k-th call of saddle_add
    int* calls;     // (2 n_calls) row, column: heap memory while the pattern is recorded
    int n_calls, capacity;
    // Calls from ... to - 1, pairs of these, are couplings: heap memory while it is recorded.
    int* coupling_calls;
    int n_couplings, coupling_capacity;
    bool* is_coupling_call;  // (n_calls); NULL if there are none
    bool* is_coupling;       // (n_entries) of entries that only couplings have; NULL if none
    Status status;
} SaddlePattern;

// order (n_all) = the unknowns as in unknowns (n), each row of C as soon as all of its unknowns are
// there.
MUST_CHECK Status saddle_pattern_place_rows(const SaddlePattern* pattern, const int* unknowns,
                                            int* order, Arena* scratch);
void saddle_pattern_record(SaddlePattern* pattern, int row, int column);
// The calls from this one on to the last one so far are couplings.
void saddle_pattern_record_coupling(SaddlePattern* pattern, int from);
// The pattern without couplings, as far as saddle_schur_plan needs it.
MUST_CHECK Status saddle_pattern_without_couplings(const SaddlePattern* pattern,
                                                   SaddlePattern* base, Arena* scratch);
MUST_CHECK Status saddle_pattern_finish(SaddlePattern* pattern, Arena* arena);
void saddle_pattern_destroy(SaddlePattern* pattern);

// K = L U in the fixed order of a pattern. Rows, columns k are those of order[k] in K.
typedef struct SaddleFactors {
    int n, n_all;
    int* position;         // (n_all) k of each equation
    int* entry;            // (n_entries) k of the row of each entry of the pattern
    int *L_start, *L_row;  // (n_all + 1), (n_L) below the diagonal, which is 1
    int *U_start, *U_row;  // (n_all + 1), (n_U) above the diagonal, ascending in each column
    double *L, *U;         // (n_L), (n_U)
    double* inverse;       // (n_all) of the pivots; 0 for dropped ones
    double* scale;         // (n_all) of rows and columns k
    double* x;             // (n_all) zero between calls
    double loss;           // the largest ratio of the terms of a pivot's sum to the pivot
} SaddleFactors;

// Finds the structure of L and U: position, entry, L_start, L_row, U_start and U_row.
MUST_CHECK Status saddle_symbolic_find(SaddleFactors* factors, const SaddlePattern* pattern,
                                       Arena* arena);
MUST_CHECK Status saddle_factors_create(SaddleFactors* factors, const SaddlePattern* pattern,
                                        Arena* arena);
// Factorises D K D, D = diag(scale (n_all)). Rows of C that are found dependent are dropped:
// dropped (n_all) becomes true, and they are as if their row and column were those of the identity.
// STATUS_SINGULAR if a pivot of A is too small, or rows would be dropped though A is not definite.
MUST_CHECK Status saddle_factors_compute(SaddleFactors* factors, const SaddlePattern* pattern,
                                         const double* values, const double* scale,
                                         double dependent, bool* dropped);
// z (n_all) = K^-1 z, or of the transposed matrix; zero where dropped.
void saddle_factors_solve(SaddleFactors* factors, const SaddlePattern* pattern, double* z);
void saddle_factors_solve_transposed(SaddleFactors* factors, const SaddlePattern* pattern,
                                     double* z);

// --- within an envelope --------------------------------------------------------------------------
static inline double saddle_dot(int n, const double* restrict a, const double* restrict b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Row i of L and column i of U begin at first[i]; their entry j is L[at[i] + j] and U[at[i] + j],
// first[i] <= j < i. Before the factorisation they hold the matrix.
typedef struct SaddleEnvelope {
    int n, n_entries;
    int *first, *at;   // (n)
    double *L, *U;     // (n_entries)
    double* diagonal;  // (n) of the matrix; in memory L, U and diagonal follow each other
    double* inverse;   // (n) of the pivots; 0 for dropped ones
    double loss;       // the largest ratio of the terms of a pivot's sum to the pivot
    bool has_dropped;
    bool is_definite;  // pivots of unknowns are positive
} SaddleEnvelope;

MUST_CHECK Status saddle_envelope_create(SaddleEnvelope* envelope, int n, int* first, Arena* arena);
void saddle_envelope_clear(SaddleEnvelope* envelope, bool symmetric);
// symmetric: L need not be filled. Rows of C, those with is_row (n; NULL: all), are dropped if they
// are dependent. STATUS_SINGULAR if a pivot of an unknown is too small.
MUST_CHECK Status saddle_envelope_factor(SaddleEnvelope* envelope, bool symmetric,
                                         const bool* is_row, double dependent);
void saddle_envelope_solve(const SaddleEnvelope* envelope, double* y);  // zero where dropped
void saddle_envelope_solve_transposed(const SaddleEnvelope* envelope, double* y);

// The whole matrix within an envelope
typedef struct SaddleBand {
    bool is_possible;  // the envelope is not too large
    double work;       // multiplications of a factorisation
    SaddleEnvelope envelope;
    int *order, *position;  // (n_all)
    int* place;             // (n_entries of the pattern) where they are in the envelope
    bool* is_row;           // (n_all) by position
    double* x;              // (n_all)
} SaddleBand;

// Not possible if the factorisation takes more work than work_otherwise.
MUST_CHECK Status saddle_band_plan(SaddleBand* band, const SaddlePattern* pattern,
                                   double work_otherwise, Arena* arena);
// As saddle_factors_compute, without scales.
MUST_CHECK Status saddle_band_factor(SaddleBand* band, const SaddlePattern* pattern,
                                     const double* entries, double dependent, bool* dropped);
void saddle_band_apply(SaddleBand* band, bool is_transposed, double* z);

// --- block-diagonal A ----------------------------------------------------------------------------
enum { SADDLE_MAX_BLOCK = 6 };  // unknowns: those of a rigid body

typedef struct SchurBlock {
    int n;             // unknowns
    bool is_diagonal;  // A has no entries but those on the diagonal
    int n_rows;        // of C that have entries here
    int at;            // the first unknown
    int row_at;        // in the rows of all blocks
    int A_at;          // (n x n, row-major; n if diagonal) in the layout of A
    int C_at;          // (n_rows x n, row-major) in the layouts of C, B and Y
} SchurBlock;

// Elimination on S = C A^-1 B^T. Values are laid out block by block: n_A of A, n_C of C, n_C of B,
// and one for the zeros.
typedef struct SaddleSchur {
    bool is_possible;  // A has small blocks, and the envelope is not too large
    double work;       // multiplications of a factorisation
    int n, n_c, n_blocks, n_A, n_C;
    SaddleEnvelope S;
    SchurBlock* blocks;  // (n_blocks)
    int* row;            // rows of all blocks, as positions in the order of elimination, ascending
    int* place;          // (n_entries of the pattern) where they are in the layout
    int* order;          // (n_c) of elimination
    double* factors;     // (n_A)
    double* Y;           // (n_C) A^-1 B^T
    double* scale;       // (n_c) near 1/sqrt(diagonal)
    bool is_definite;    // all pivots of A are positive
    bool has_border;     // B is filled
    double *y, *correction, *bound;  // (n_c) scratch
} SaddleSchur;

// Not possible if the factorisation takes more work than work_otherwise.
MUST_CHECK Status saddle_schur_plan(SaddleSchur* schur, const SaddlePattern* pattern,
                                    double work_otherwise, Arena* arena);
// Rows of C that are found dependent are dropped, as in saddle_factors_compute. STATUS_SINGULAR if
// A has a singular block, or rows would be dropped though A is not definite.
MUST_CHECK Status saddle_schur_factor(SaddleSchur* schur, const double* values, bool has_border,
                                      double dependent, bool* dropped);
// z (n_all) = K^-1 z, or of the transposed matrix; zero where dropped.
void saddle_schur_apply(SaddleSchur* schur, const double* values, double* z);
void saddle_schur_apply_transposed(SaddleSchur* schur, const double* values, double* z);
// The same with the constraints accurate to rounding; rhs is a copy of z.
void saddle_schur_solve(SaddleSchur* schur, const double* values, const double* rhs, double* z);

// --- pivots chosen for the values ----------------------------------------------------------------
// Compressed columns that grow.
typedef struct SaddleColumns {
    int* start;     // (n_all + 1)
    int* row;       // (capacity) heap memory
    double* value;  // (capacity) heap memory
    int capacity;
} SaddleColumns;

typedef struct SaddlePivoted {
    int n_all;
    SaddleColumns L, U;                   // below and above the diagonal
    double* inverse;                      // (n_all) of the pivots
    int *pivot_of, *row_of;               // (n_all) k of each row or -1, and row of each k
    int *reached, *path, *resume, *mark;  // (n_all) scratch of the search
    double* x;                            // (n_all) scratch
} SaddlePivoted;

bool saddle_pivoted_create(SaddlePivoted* factors, int n_all, Arena* arena);
void saddle_pivoted_destroy(SaddlePivoted* factors);
// STATUS_SINGULAR if a pivot is less than this part of the largest one.
MUST_CHECK Status saddle_pivoted_factor(SaddlePivoted* factors, const SaddlePattern* pattern,
                                        const double* values, double least);
void saddle_pivoted_solve(SaddlePivoted* factors, const SaddlePattern* pattern, double* z);
void saddle_pivoted_solve_transposed(SaddlePivoted* factors, const SaddlePattern* pattern,
                                     double* z);

typedef struct SaddleSparse SaddleSparse;

// is_small: pivots that depend on the values are those of saddle_dense.c, otherwise those of
// saddle_pivoted.c.
SaddleSparse* saddle_sparse_create(int n, int n_c, bool is_small, Arena* arena);
void saddle_sparse_destroy(SaddleSparse* sparse);
SaddlePattern* saddle_sparse_pattern(SaddleSparse* sparse);
MUST_CHECK Status saddle_sparse_finish(SaddleSparse* sparse, Arena* arena);
void saddle_sparse_begin(SaddleSparse* sparse);
// The next n entries in the order in which they were recorded, all of them of A
void saddle_sparse_add(SaddleSparse* sparse, int n, const double* values);
// The next entry, wherever it is
void saddle_sparse_add_entry(SaddleSparse* sparse, double value);
// The next 2 n entries, first of C, then of B in each pair
void saddle_sparse_add_pairs(SaddleSparse* sparse, int n, const double* C, const double* B);
// The next n entries, of a coupling
void saddle_sparse_add_coupling(SaddleSparse* sparse, int n, const double* values);
void saddle_sparse_set_dependent(SaddleSparse* sparse, double dependent);
MUST_CHECK Status saddle_sparse_factor(SaddleSparse* sparse);
void saddle_sparse_solve(SaddleSparse* sparse, double* x);  // x (n_all)
bool saddle_sparse_is_redundant(const SaddleSparse* sparse, int c);
