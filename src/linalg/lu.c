#include "linalg/lu.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

Status lu_factor(int n, double* A, int* pivots) {
    double largest = 0.0;
    for (int i = 0; i < n * n; i++) {
        largest = fmax(largest, fabs(A[i]));  // fmax ignores NaN; LAPACK's pivots then do not
    }
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots);
    assert(info >= 0);
    if (info > 0) {
        return STATUS_SINGULAR;
    }
    for (int i = 0; i < n; i++) {
        if (!(fabs(A[i * n + i]) > 4.0 * n * DBL_EPSILON * largest)) {
            return STATUS_SINGULAR;
        }
    }
    return STATUS_OK;
}

void lu_solve(int n, int n_rhs, const double* LU, const int* pivots, double* B) {
    const lapack_int info =
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, n_rhs, LU, n, pivots, B, n);
    assert(info == 0);
    (void)info;
}
