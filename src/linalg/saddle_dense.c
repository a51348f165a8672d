// The dense solver of small systems whose pivots have to be chosen: LU of the whole matrix K.
//
// A tiny pivot makes it look for dependent rows of C: QR with column pivoting of S = C A^-1 C^T,
// where A has been replaced by A + C^T C, which leaves the dependencies as they are and is regular
// whenever the system is (S of a vanishing mass would not exist). It yields the dependent rows R,
// the others I, and B with C_R^T = C_I^T B. K is then factorised without R: that gives x and one
// of the solutions y; saddle_norm.c makes of it the one of least norm.
#include "linalg/saddle_parts.h"

#include "linalg/lu.h"

#include <assert.h>
#include <lapacke.h>
#include <string.h>

bool saddle_dense_create(SaddleDense* dense, int n, int n_c, Arena* arena) {
    const int n_all = n + n_c;
    const size_t square = (size_t)n_all * (size_t)n_all;
    const size_t square_c = (size_t)n_c * (size_t)n_c;
    *dense = (SaddleDense){.n = n, .n_c = n_c, .n_all = n_all, .dependent = SADDLE_DEPENDENT};
    double best_size = 0.0;
    if (n_c > 0) {
        const lapack_int info =
            LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n_c, n_c, NULL, n_c, NULL, NULL, &best_size, -1);
        assert(info == 0);
        (void)info;
    }
    dense->n_work = (int)best_size;
    dense->K = ARENA_NEW(arena, square, double);
    dense->LU = ARENA_NEW(arena, square, double);
    dense->pivots = ARENA_NEW(arena, n_all, int);
    dense->scale = ARENA_NEW(arena, n_all, double);
    dense->A = ARENA_NEW(arena, (size_t)n * (size_t)n, double);
    dense->A_pivots = ARENA_NEW(arena, n, int);
    dense->X = ARENA_NEW(arena, (size_t)n * (size_t)n_c, double);
    dense->S = ARENA_NEW(arena, square_c, double);
    dense->S_scale = ARENA_NEW(arena, n_c, double);
    dense->order = ARENA_NEW(arena, n_c, int);
    dense->tau = ARENA_NEW(arena, n_c, double);
    dense->work = ARENA_NEW(arena, dense->n_work, double);
    return saddle_norm_create(&dense->norm, n_c, arena) && dense->K != NULL && dense->LU != NULL &&
           dense->pivots != NULL && dense->scale != NULL && dense->A != NULL &&
           dense->A_pivots != NULL && dense->X != NULL && dense->S != NULL &&
           dense->S_scale != NULL && dense->order != NULL && dense->tau != NULL &&
           dense->work != NULL;
}

void saddle_dense_begin(SaddleDense* dense) {
    memset(dense->K, 0, (size_t)dense->n_all * (size_t)dense->n_all * sizeof(double));
    dense->norm.n_redundant = 0;
}

// K = D K D
static void scale_matrix(SaddleDense* dense) {
    const int n = dense->n, n_all = dense->n_all;
    double *K = dense->K, *scale = dense->scale;
    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        for (int j = 0; j < n; j++) {
            largest = fmax(largest, fmax(fabs(K[i + n_all * j]), fabs(K[j + n_all * i])));
        }
        scale[i] = saddle_scale_variable(K[i + n_all * i], largest);
    }
    for (int c = n; c < n_all; c++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            const double entry = scale[j] * K[c + n_all * j];
            sum += entry * entry;
        }
        scale[c] = saddle_scale_for(sum);
    }
    for (int j = 0; j < n_all; j++) {
        for (int i = 0; i < n_all; i++) {
            K[i + n_all * j] = K[i + n_all * j] * scale[i] * scale[j];
        }
    }
}

// S = C (A + C^T C)^-1 C^T
static Status schur_complement(SaddleDense* dense) {
    const int n = dense->n, n_c = dense->n_c, n_all = dense->n_all;
    const double* K = dense->K;
    for (int j = 0; j < n; j++) {
        double* column = dense->A + n * j;
        memcpy(column, K + n_all * j, (size_t)n * sizeof(double));
        for (int c = n; c < n_all; c++) {
            const double factor = K[c + n_all * j];
            for (int i = 0; i < n && factor != 0.0; i++) {
                column[i] += K[i + n_all * c] * factor;
            }
        }
    }
    if (n > 0) {
        const Status status = lu_factor(n, dense->A, dense->A_pivots);
        if (status != STATUS_OK) {
            return status;
        }
        for (int c = 0; c < n_c; c++) {
            memcpy(dense->X + n * c, K + n_all * (n + c), (size_t)n * sizeof(double));
        }
        lu_solve(n, n_c, dense->A, dense->A_pivots, dense->X);
    }
    for (int c = 0; c < n_c; c++) {
        double* column = dense->S + n_c * c;
        memset(column, 0, (size_t)n_c * sizeof(double));
        for (int j = 0; j < n; j++) {
            const double factor = dense->X[j + n * c];
            for (int r = 0; r < n_c; r++) {
                column[r] += K[n + r + n_all * j] * factor;
            }
        }
    }
    return STATUS_OK;
}

// B from the QR factors of S, and what follows for the least norm
static Status find_B(SaddleDense* dense, int rank) {
    const int n = dense->n, n_c = dense->n_c, n_redundant = n_c - rank;
    double* R = dense->S + (size_t)n_c * (size_t)rank;
    SaddleNorm* norm = &dense->norm;
    norm->n_redundant = n_redundant;
    memset(norm->B, 0, (size_t)n_c * (size_t)n_redundant * sizeof(double));
    if (rank > 0 && n_redundant > 0) {
        const lapack_int info = LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank,
                                                    n_redundant, dense->S, n_c, R, n_c);
        assert(info == 0);
        (void)info;
    }
    for (int k = 0; k < n_redundant; k++) {
        const int c = dense->order[rank + k] - 1;
        const double divisor = dense->S_scale[c] * dense->scale[n + c];
        norm->redundant[k] = c;
        for (int i = 0; i < rank; i++) {
            const int r = dense->order[i] - 1;
            const double factor = dense->S_scale[r] * dense->scale[n + r];
            norm->B[r + n_c * k] = R[i + n_c * k] * (factor / divisor);
        }
    }
    return saddle_norm_factor(norm);
}

// Orders the rows of C, the dependent ones last, and finds B.
static Status find_dependent(SaddleDense* dense) {
    const int n_c = dense->n_c;
    double *S = dense->S, *S_scale = dense->S_scale;
    for (int c = 0; c < n_c; c++) {
        S_scale[c] = saddle_scale_for(fabs(S[c + n_c * c]));
        dense->order[c] = 0;
    }
    for (int c = 0; c < n_c; c++) {
        for (int r = 0; r < n_c; r++) {
            S[r + n_c * c] = S[r + n_c * c] * S_scale[r] * S_scale[c];
        }
    }
    if (!saddle_all_finite(n_c * n_c, S)) {
        return STATUS_SINGULAR;
    }
    const lapack_int info = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n_c, n_c, S, n_c, dense->order,
                                                dense->tau, dense->work, dense->n_work);
    assert(info == 0);
    (void)info;
    int rank = 0;
    while (rank < n_c && fabs(S[rank + n_c * rank]) > dense->dependent * fabs(S[0])) {
        rank++;
    }
    return find_B(dense, rank);
}

// LU of K; its dependent rows and columns are those of the identity.
static Status factor_independent(SaddleDense* dense) {
    const int n_all = dense->n_all;
    memcpy(dense->LU, dense->K, (size_t)n_all * (size_t)n_all * sizeof(double));
    for (int k = 0; k < dense->norm.n_redundant; k++) {
        const int at = dense->n + dense->norm.redundant[k];
        for (int i = 0; i < n_all; i++) {
            dense->LU[i + n_all * at] = 0.0;
            dense->LU[at + n_all * i] = 0.0;
        }
        dense->LU[at + n_all * at] = 1.0;
    }
    return lu_factor(n_all, dense->LU, dense->pivots);
}

static bool has_tiny_pivot(const SaddleDense* dense) {
    for (int i = 0; i < dense->n_all; i++) {
        if (!(fabs(dense->LU[i + dense->n_all * i]) < 1.0 / dense->dependent)) {  // inverted
            return true;
        }
    }
    return false;
}

Status saddle_dense_factor(SaddleDense* dense) {
    dense->norm.n_redundant = 0;
    if (dense->n_all == 0) {
        return STATUS_OK;
    }
    if (!saddle_all_finite(dense->n_all * dense->n_all, dense->K)) {
        return STATUS_NOT_FINITE;
    }
    scale_matrix(dense);
    Status status = factor_independent(dense);
    if (dense->n_c == 0 || (status == STATUS_OK && !has_tiny_pivot(dense))) {
        return status;
    }
    status = schur_complement(dense);
    if (status == STATUS_OK) {
        status = find_dependent(dense);
    }
    return status == STATUS_OK ? factor_independent(dense) : status;
}

void saddle_dense_solve(SaddleDense* dense, double* x) {
    const int n = dense->n, n_all = dense->n_all;
    const SaddleNorm* norm = &dense->norm;
    if (n_all == 0) {
        return;
    }
    for (int i = 0; i < n_all; i++) {
        x[i] *= dense->scale[i];
    }
    for (int k = 0; k < norm->n_redundant; k++) {
        x[n + norm->redundant[k]] = 0.0;
    }
    lu_solve(n_all, 1, dense->LU, dense->pivots, x);
    for (int i = 0; i < n_all; i++) {
        x[i] *= dense->scale[i];
    }
    if (norm->n_redundant > 0) {
        saddle_norm_minimise(&dense->norm, x + n);
    }
}

bool saddle_dense_is_redundant(const SaddleDense* dense, int c) {
    for (int k = 0; k < dense->norm.n_redundant; k++) {
        if (dense->norm.redundant[k] == c) {
            return true;
        }
    }
    return false;
}
