// Matrices of mechanisms are small: plain loops are faster than reference LAPACK, whose calls and
// blocks are made for large matrices (42 against 65 us at 66 rows, 405 against 714 us at 130). It
// does those above SMALL, where it makes better use of the cache.
#include "linalg/lu.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    SMALL = 160,
    PANEL = 4,          // pivots eliminated at once
    LEAST_PANELS = 24,  // rows left for which that is worth while
};

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

// The columns after column k, below row k, -= L_k u_kj, four at a time: short loops cost more by
// their ends than by their entries.
static void eliminate(int n, double* A, int k, int end) {
    const double* L = A + k * n;
    int j = k + 1;
    for (; j + 4 <= end; j += 4) {
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
    for (; j < end; j++) {
        subtract(n - k - 1, A[k + j * n], L + k + 1, A + k + 1 + j * n);
    }
}

// Pivot k: its column becomes one of L, and the columns up to end are eliminated.
static inline Status factor_column(int n, double least, double* A, int k, int end, int* pivots) {
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
    eliminate(n, A, k, end);
    return STATUS_OK;
}

// Two numbers at once, which every processor of today can do
typedef double Pair __attribute__((vector_size(16)));

static inline Pair pair_at(const double* v) {
    Pair pair;
    memcpy(&pair, v, sizeof pair);
    return pair;
}

// The columns a and b below the rows k ... k + PANEL - 1 -= L u, for PANEL columns L at once, whose
// entries u in a and b are known: each entry is loaded and stored once for PANEL pivots. The sums
// are those of one pivot after the other.
static void eliminate_panel(int n, const double* L, int k, double* a, double* b) {
    const double *l_0 = L, *l_1 = l_0 + n, *l_2 = l_1 + n, *l_3 = l_2 + n;
    const double a_0 = a[k], a_1 = a[k + 1], a_2 = a[k + 2], a_3 = a[k + 3];
    const double b_0 = b[k], b_1 = b[k + 1], b_2 = b[k + 2], b_3 = b[k + 3];
    int i = k + PANEL;
    for (; i + 2 <= n; i += 2) {
        const Pair p_0 = pair_at(l_0 + i), p_1 = pair_at(l_1 + i);
        const Pair p_2 = pair_at(l_2 + i), p_3 = pair_at(l_3 + i);
        const Pair p_a = pair_at(a + i) - p_0 * a_0 - p_1 * a_1 - p_2 * a_2 - p_3 * a_3;
        const Pair p_b = pair_at(b + i) - p_0 * b_0 - p_1 * b_1 - p_2 * b_2 - p_3 * b_3;
        memcpy(a + i, &p_a, sizeof p_a);
        memcpy(b + i, &p_b, sizeof p_b);
    }
    for (; i < n; i++) {
        a[i] = a[i] - l_0[i] * a_0 - l_1[i] * a_1 - l_2[i] * a_2 - l_3[i] * a_3;
        b[i] = b[i] - l_0[i] * b_0 - l_1[i] * b_1 - l_2[i] * b_2 - l_3[i] * b_3;
    }
}

// The rows k ... k + PANEL - 1 of a column of U
static void solve_panel(int n, const double* L, int k, double* a) {
    for (int p = 0; p < PANEL; p++) {
        for (int i = p + 1; i < PANEL; i++) {
            a[k + i] -= L[p * n + k + i] * a[k + p];
        }
    }
}

static Status factor_small(int n, double least, double* A, int* pivots) {
    int k = 0;
    for (; n - k >= LEAST_PANELS; k += PANEL) {
        double* L = A + k * n;
        for (int p = k; p < k + PANEL; p++) {
            if (factor_column(n, least, A, p, k + PANEL, pivots) != STATUS_OK) {
                return STATUS_SINGULAR;
            }
        }
        int j = k + PANEL;
        for (; j + 2 <= n; j += 2) {
            solve_panel(n, L, k, A + j * n);
            solve_panel(n, L, k, A + (j + 1) * n);
            eliminate_panel(n, L, k, A + j * n, A + (j + 1) * n);
        }
        for (; j < n; j++) {
            double* a = A + j * n;
            solve_panel(n, L, k, a);
            for (int p = 0; p < PANEL; p++) {
                subtract(n - k - PANEL, a[k + p], L + p * n + k + PANEL, a + k + PANEL);
            }
        }
    }
    for (; k < n; k++) {
        if (factor_column(n, least, A, k, n, pivots) != STATUS_OK) {
            return STATUS_SINGULAR;
        }
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
