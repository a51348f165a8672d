#include "linalg/saddle.h"

#include "linalg/saddle_parts.h"

#include <assert.h>
#include <limits.h>

struct Saddle {
    int n, n_c, n_all;
    bool is_dense, is_recording;
    SaddleDense dense;
    SaddleSparse* sparse;
    Arena* arena;
};

enum { DENSE_MAX = 32768 };  // squares of sizes below fit an int

Saddle* saddle_create(int n, int n_c, int dense_limit, Arena* arena) {
    assert(n >= 0 && n_c >= 0);
    if (n > INT_MAX - 1 - n_c) {
        return NULL;
    }
    Saddle* saddle = ARENA_NEW(arena, 1, Saddle);
    if (saddle == NULL) {
        return NULL;
    }
    const int n_all = n + n_c;
    // A sparse system of less than two equations is not worth KLU's special cases.
    const bool is_dense = n_all < 2 || (n_all < dense_limit && n_all < DENSE_MAX);
    *saddle = (Saddle){.n = n, .n_c = n_c, .n_all = n_all, .is_dense = is_dense, .arena = arena};
    if (is_dense) {
        return saddle_dense_create(&saddle->dense, n, n_c, arena) ? saddle : NULL;
    }
    saddle->sparse = saddle_sparse_create(n, n_c, arena);
    return saddle->sparse != NULL ? saddle : NULL;
}

void saddle_destroy(Saddle* saddle) {
    if (saddle != NULL && saddle->sparse != NULL) {
        saddle_sparse_destroy(saddle->sparse);
        saddle->sparse = NULL;
    }
}

void saddle_begin_pattern(Saddle* saddle) { saddle->is_recording = true; }

Status saddle_end_pattern(Saddle* saddle) {
    assert(saddle->is_recording);
    saddle->is_recording = false;
    return saddle->is_dense ? STATUS_OK : saddle_sparse_finish(saddle->sparse, saddle->arena);
}

void saddle_begin(Saddle* saddle) {
    if (saddle->is_dense) {
        saddle_dense_begin(&saddle->dense);
    } else {
        saddle_sparse_begin(saddle->sparse);
    }
}

void saddle_add(Saddle* saddle, int row, int column, double value) {
    assert(row >= 0 && row < saddle->n_all && column >= 0 && column < saddle->n_all);
    if (saddle->is_dense) {
        if (!saddle->is_recording) {
            saddle->dense.K[row + saddle->n_all * column] += value;
        }
    } else if (saddle->is_recording) {
        saddle_pattern_record(saddle_sparse_pattern(saddle->sparse), row, column);
    } else {
        saddle_sparse_add(saddle->sparse, row, column, value);
    }
}

Status saddle_factor(Saddle* saddle) {
    return saddle->is_dense ? saddle_dense_factor(&saddle->dense)
                            : saddle_sparse_factor(saddle->sparse);
}

void saddle_solve(Saddle* saddle, int n_rhs, double* x) {
    for (int k = 0; k < n_rhs; k++) {
        double* column = x + (size_t)k * (size_t)saddle->n_all;
        if (saddle->is_dense) {
            saddle_dense_solve(&saddle->dense, column);
        } else {
            saddle_sparse_solve(saddle->sparse, column);
        }
    }
}

static bool is_redundant(const Saddle* saddle, int c) {
    if (!saddle->is_dense) {
        return saddle_sparse_is_redundant(saddle->sparse, c);
    }
    const SaddleDense* dense = &saddle->dense;
    for (int k = dense->n_c - dense->n_redundant; k < dense->n_c; k++) {
        if (dense->order[k] == c + 1) {
            return true;
        }
    }
    return false;
}

int saddle_redundant(const Saddle* saddle, int* redundant) {
    int n_redundant = 0;
    for (int c = 0; c < saddle->n_c; c++) {
        if (is_redundant(saddle, c)) {
            if (redundant != NULL) {
                redundant[n_redundant] = c;
            }
            n_redundant++;
        }
    }
    return n_redundant;
}
