// The solution of least norm where rows of C depend on each other, see saddle_parts.h.
#include "linalg/saddle_parts.h"

#include "linalg/cholesky.h"

bool saddle_norm_create(SaddleNorm* norm, int n_c, Arena* arena) {
    const size_t square = (size_t)n_c * (size_t)n_c;
    *norm = (SaddleNorm){.n_c = n_c};
    norm->redundant = ARENA_NEW(arena, n_c, int);
    norm->B = ARENA_NEW(arena, square, double);
    norm->G = ARENA_NEW(arena, square, double);
    norm->w = ARENA_NEW(arena, n_c, double);
    return norm->redundant != NULL && norm->B != NULL && norm->G != NULL && norm->w != NULL;
}

static double product(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

Status saddle_norm_factor(SaddleNorm* norm) {
    const int n_c = norm->n_c, n_redundant = norm->n_redundant;
    for (int k = 0; k < n_redundant; k++) {
        for (int l = 0; l <= k; l++) {
            norm->G[k * n_redundant + l] =
                product(n_c, norm->B + k * n_c, norm->B + l * n_c) + (k == l ? 1.0 : 0.0);
        }
    }
    const bool finite = saddle_all_finite(n_c * n_redundant, norm->B);
    return finite && cholesky_factor(n_redundant, norm->G) ? STATUS_OK : STATUS_SINGULAR;
}

void saddle_norm_minimise(SaddleNorm* norm, double* y) {
    const int n_c = norm->n_c, n_redundant = norm->n_redundant;
    for (int k = 0; k < n_redundant; k++) {
        y[norm->redundant[k]] = 0.0;
    }
    for (int k = 0; k < n_redundant; k++) {
        norm->w[k] = product(n_c, norm->B + k * n_c, y);
    }
    cholesky_solve(n_redundant, norm->G, norm->w);
    for (int k = 0; k < n_redundant; k++) {
        for (int c = 0; c < n_c; c++) {
            y[c] -= norm->B[k * n_c + c] * norm->w[k];
        }
    }
    for (int k = 0; k < n_redundant; k++) {
        y[norm->redundant[k]] = norm->w[k];
    }
}
