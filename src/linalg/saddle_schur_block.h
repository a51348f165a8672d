// Solutions for one block of A, which saddle_schur_factor.c and saddle_schur_solve.c share. Not for
// others.
#pragma once

#include "linalg/saddle_parts.h"

// a^T b for the unknowns of a block, which are three in most.
static inline double dot_block(int n, const double* restrict a, const double* restrict b) {
    return n == 3 ? a[0] * b[0] + a[1] * b[1] + a[2] * b[2] : saddle_dot(n, a, b);
}

// to (3) = A^-1 from for a block of three unknowns; in place is allowed
static inline void solve_three(const double* F, const double* from, double* to) {
    const double a = from[0];
    const double b = from[1] - F[3] * a;
    const double c = (from[2] - F[6] * a - F[7] * b) * F[8];
    to[2] = c;
    to[1] = (b - F[5] * c) * F[4];
    to[0] = (a - F[1] * to[1] - F[2] * c) * F[0];
}

// to (n) = A^-1 from for a block; in place is allowed
static inline void solve_block(const SchurBlock* block, const double* F, const double* from,
                               double* to) {
    const int n = block->n;
    if (block->is_diagonal) {
        for (int k = 0; k < n; k++) {
            to[k] = F[k] * from[k];
        }
        return;
    }
    if (n == 3) {
        solve_three(F, from, to);
        return;
    }
    for (int i = 0; i < n; i++) {
        double value = from[i];
        for (int k = 0; k < i; k++) {
            value -= F[i * n + k] * to[k];
        }
        to[i] = value;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            to[i] -= F[i * n + k] * to[k];
        }
        to[i] *= F[i * n + i];
    }
}
