#include "linalg/saddle.h"

#include "linalg/saddle_parts.h"

#include <assert.h>
#include <limits.h>

struct Saddle {
    int n, n_c, n_all;
    bool is_trivial, is_recording;
    SaddleDense dense;     // of less than two equations: there is no order to find
    SaddleSparse* sparse;  // of all others
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
    const bool is_small = n_all < dense_limit && n_all < DENSE_MAX;
    *saddle = (Saddle){.n = n, .n_c = n_c, .n_all = n_all, .is_trivial = n_all < 2, .arena = arena};
    if (saddle->is_trivial) {
        return saddle_dense_create(&saddle->dense, n, n_c, arena) ? saddle : NULL;
    }
    saddle->sparse = saddle_sparse_create(n, n_c, is_small, arena);
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
    return saddle->is_trivial ? STATUS_OK : saddle_sparse_finish(saddle->sparse, saddle->arena);
}

void saddle_begin(Saddle* saddle) {
    if (saddle->is_trivial) {
        saddle_dense_begin(&saddle->dense);
    } else {
        saddle_sparse_begin(saddle->sparse);
    }
}

static void record(Saddle* saddle, int row, int column) {
    assert(row >= 0 && row < saddle->n_all && column >= 0 && column < saddle->n_all);
    if (!saddle->is_trivial) {
        saddle_pattern_record(saddle_sparse_pattern(saddle->sparse), row, column);
    }
}

void saddle_add(Saddle* saddle, int row, int column, double value) {
    if (saddle->is_recording) {
        record(saddle, row, column);
    } else if (saddle->is_trivial) {
        saddle->dense.K[row + saddle->n_all * column] += value;
    } else {
        saddle_sparse_add_entry(saddle->sparse, value);
    }
}

void saddle_add_diagonal(Saddle* saddle, int n, const int* at, const double* values) {
    if (!saddle->is_recording && !saddle->is_trivial) {
        saddle_sparse_add(saddle->sparse, n, values);
        return;
    }
    for (int i = 0; i < n; i++) {
        saddle_add(saddle, at[i], at[i], values[i]);
    }
}

void saddle_add_block(Saddle* saddle, int n, const int* at, const double* block) {
    if (!saddle->is_recording && !saddle->is_trivial) {
        saddle_sparse_add(saddle->sparse, n * n, block);
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            saddle_add(saddle, at[i], at[j], block[i * n + j]);
        }
    }
}

void saddle_add_coupling(Saddle* saddle, int n, const int* at, const double* block) {
    if (saddle->is_recording || saddle->is_trivial) {
        const int from = saddle->is_trivial ? 0 : saddle_sparse_pattern(saddle->sparse)->n_calls;
        saddle_add_block(saddle, n, at, block);
        if (!saddle->is_trivial) {
            saddle_pattern_record_coupling(saddle_sparse_pattern(saddle->sparse), from);
        }
        return;
    }
    saddle_sparse_add_coupling(saddle->sparse, n * n, block);
}

void saddle_add_constraint(Saddle* saddle, int c, int n, const int* at, const double* row) {
    saddle_add_border(saddle, c, n, at, row, row);
}

void saddle_add_border(Saddle* saddle, int c, int n, const int* at, const double* row,
                       const double* column) {
    if (!saddle->is_recording && !saddle->is_trivial) {
        saddle_sparse_add_pairs(saddle->sparse, n, row, column);
        return;
    }
    for (int j = 0; j < n; j++) {
        saddle_add(saddle, saddle->n + c, at[j], row[j]);
        saddle_add(saddle, at[j], saddle->n + c, column[j]);
    }
}

void saddle_set_dependent(Saddle* saddle, double angle) {
    if (saddle->is_trivial) {
        saddle->dense.dependent = angle * angle;
    } else {
        saddle_sparse_set_dependent(saddle->sparse, angle * angle);
    }
}

Status saddle_factor(Saddle* saddle) {
    return saddle->is_trivial ? saddle_dense_factor(&saddle->dense)
                              : saddle_sparse_factor(saddle->sparse);
}

void saddle_solve(Saddle* saddle, int n_rhs, double* x) {
    for (int k = 0; k < n_rhs; k++) {
        double* column = x + (size_t)k * (size_t)saddle->n_all;
        if (saddle->is_trivial) {
            saddle_dense_solve(&saddle->dense, column);
        } else {
            saddle_sparse_solve(saddle->sparse, column);
        }
    }
}

static bool is_redundant(const Saddle* saddle, int c) {
    return saddle->is_trivial ? saddle_dense_is_redundant(&saddle->dense, c)
                              : saddle_sparse_is_redundant(saddle->sparse, c);
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
