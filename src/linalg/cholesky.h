// Cholesky factorisation of small symmetric positive definite blocks, n up to a body's degrees of
// freedom. Row-major, lower triangle, in place; no allocation. The diagonal of L is kept inverted,
// so that solving needs no division.
#pragma once

#include <math.h>
#include <stdbool.h>

// A = L L^T; false if A is not positive definite.
static inline bool cholesky_factor(int n, double* A) {
    for (int j = 0; j < n; j++) {
        double d = A[j * n + j];
        for (int k = 0; k < j; k++) {
            d -= A[j * n + k] * A[j * n + k];
        }
        if (!(d > 0.0)) {
            return false;
        }
        const double inverse = 1.0 / sqrt(d);
        A[j * n + j] = inverse;
        for (int i = j + 1; i < n; i++) {
            double s = A[i * n + j];
            for (int k = 0; k < j; k++) {
                s -= A[i * n + k] * A[j * n + k];
            }
            A[i * n + j] = s * inverse;
        }
    }
    return true;
}

// x = L^-T L^-1 x
static inline void cholesky_solve(int n, const double* L, double* x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= L[i * n + k] * x[k];
        }
        x[i] *= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= L[k * n + i] * x[k];
        }
        x[i] *= L[i * n + i];
    }
}
