// Matrices of mechanisms are small: plain loops are faster than reference LAPACK, whose calls and
// blocks are made for large matrices (42 against 65 us at 66 rows, 405 against 714 us at 130). It
// does those above SMALL, where it makes better use of the cache.
#include "linalg/lu.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

enum { SMALL = 160 };

// The largest entry; NAN if one is not finite.
static double largest_of(int n, const double* v) {
    double largest = 0.0;
    double difference = 0.0;  // of infinities and NANs is NAN
    for (int i = 0; i < n; i++) {
        const double size = fabs(v[i]);
        largest = size > largest ? size : largest;
        difference += v[i] - v[i];
    }
    return largest + difference;
}

static int find_pivot(int n, const double* column, int k) {
    int pivot = k;
    double largest = fabs(column[k]);
    for (int i = k + 1; i < n; i++) {
        const double size = fabs(column[i]);
        pivot = size > largest ? i : pivot;
        largest = size > largest ? size : largest;
    }
    return pivot;
}

static void swap_rows(int n, double* A, int a, int b) {
    for (int j = 0; j < n && a != b; j++) {
        const double entry = A[a + j * n];
        A[a + j * n] = A[b + j * n];
        A[b + j * n] = entry;
    }
}

// y (n) -= c x (n)
static inline void subtract(int n, double c, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] -= c * x[i];
    }
}

// Columns j ... n - 1 below row k -= L_k u_kj, four at a time: short loops cost more by their ends
// than by their entries.
static void eliminate(int n, double* A, int k) {
    const double* L = A + k * n;
    int j = k + 1;
    for (; j + 4 <= n; j += 4) {
        double *a = A + j * n, *b = a + n, *c = b + n, *d = c + n;
        const double u_a = a[k], u_b = b[k], u_c = c[k], u_d = d[k];
        for (int i = k + 1; i < n; i++) {
            const double l = L[i];
            a[i] -= l * u_a;
            b[i] -= l * u_b;
            c[i] -= l * u_c;
            d[i] -= l * u_d;
        }
    }
    for (; j < n; j++) {
        subtract(n - k - 1, A[k + j * n], L + k + 1, A + k + 1 + j * n);
    }
}

static Status factor_small(int n, double least, double* A, int* pivots) {
    for (int k = 0; k < n; k++) {
        double* L = A + k * n;
        pivots[k] = find_pivot(n, L, k);
        swap_rows(n, A, k, pivots[k]);
        if (!(fabs(L[k]) > least)) {
            return STATUS_SINGULAR;
        }
        L[k] = 1.0 / L[k];
        for (int i = k + 1; i < n; i++) {
            L[i] *= L[k];
        }
        eliminate(n, A, k);
    }
    return STATUS_OK;
}

static Status factor_large(int n, double least, double* A, int* pivots) {
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots);
    assert(info >= 0);
    if (info > 0) {
        return STATUS_SINGULAR;
    }
    for (int i = 0; i < n; i++) {
        if (!(fabs(A[i * n + i]) > least)) {
            return STATUS_SINGULAR;
        }
        A[i * n + i] = 1.0 / A[i * n + i];
        pivots[i]--;  // LAPACK counts from 1
    }
    return STATUS_OK;
}

Status lu_factor(int n, double* A, int* pivots) {
    const double least = 4.0 * n * DBL_EPSILON * largest_of(n * n, A);
    return n <= SMALL ? factor_small(n, least, A, pivots) : factor_large(n, least, A, pivots);
}

void lu_solve(int n, int n_rhs, const double* LU, const int* pivots, double* B) {
    for (int r = 0; r < n_rhs; r++) {
        double* x = B + r * n;
        for (int k = 0; k < n; k++) {  // x = P x
            const double x_k = x[pivots[k]];
            x[pivots[k]] = x[k];
            x[k] = x_k;
        }
        for (int k = 0; k < n; k++) {  // x = L^-1 x
            subtract(n - k - 1, x[k], LU + k + 1 + k * n, x + k + 1);
        }
        for (int k = n - 1; k >= 0; k--) {  // x = U^-1 x
            x[k] *= LU[k + k * n];
            subtract(k, x[k], LU + k * n, x);
        }
    }
}
