// Dense LU factorisation with partial pivoting, column-major, no allocation.
#pragma once

#include "base/status.h"

// A (n x n) is overwritten by its factors, U with inverted diagonal, pivots (n). STATUS_SINGULAR if
// a pivot vanishes to rounding, relative to the largest entry of A, or an entry is not finite.
MUST_CHECK Status lu_factor(int n, double* A, int* pivots);

// B (n x n_rhs) = A^-1 B with the factors of lu_factor.
void lu_solve(int n, int n_rhs, const double* LU, const int* pivots, double* B);
