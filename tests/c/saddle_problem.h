// Saddle-point systems to test with, and their solution by elimination in long double.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/saddle.h"
#include "linalg/saddle_parts.h"

typedef struct Entry {
    int row, column;
    double value;
} Entry;

typedef struct Problem {
    int n, n_c;
    int n_entries, capacity;
    Entry* entries;
} Problem;

static inline int size_of(const Problem* problem) { return problem->n + problem->n_c; }

static uint64_t random_state;  // set it to begin anew

static inline double random_number(void) {  // in (-1, 1)
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (double)(int64_t)(random_state >> 11) / 4503599627370496.0 - 1.0;
}

static inline void put(Problem* problem, int row, int column, double value) {
    if (problem->n_entries == problem->capacity) {
        problem->capacity = 2 * problem->capacity + 64;
        problem->entries =
            realloc(problem->entries, (size_t)problem->capacity * sizeof(*problem->entries));
        assert_non_null(problem->entries);
    }
    problem->entries[problem->n_entries++] = (Entry){row, column, value};
}

static inline void put_constraint(Problem* problem, int c, int column, double value) {
    put(problem, problem->n + c, column, value);
    put(problem, column, problem->n + c, value);
}

static inline void free_problem(Problem* problem) {
    free(problem->entries);
    *problem = (Problem){0};
}

// C is dense, A definite and, if asked for, a little unsymmetric.
static inline Problem random_problem(int n, int n_c, double asymmetry, double unit_A,
                                     double unit_C) {
    Problem problem = {.n = n, .n_c = n_c};
    for (int i = 0; i < n; i++) {
        put(&problem, i, i, unit_A * (1.5 + random_number() + 0.3 * n));
        for (int j = 0; j < i; j++) {
            const double value = unit_A * 0.3 * random_number();
            put(&problem, i, j, value);
            put(&problem, j, i, value * (1.0 + asymmetry * random_number()));
        }
    }
    for (int c = 0; c < n_c; c++) {
        for (int j = 0; j < n; j++) {
            put_constraint(&problem, c, j, unit_C * random_number());
        }
    }
    return problem;
}

// A chain of masses and springs; constraint c couples the unknowns from c * spacing on.
static inline Problem chain_problem(int n, int n_c, int spacing) {
    Problem problem = {.n = n, .n_c = n_c};
    for (int i = 0; i < n; i++) {
        put(&problem, i, i, 2.0 + 0.5 * random_number());
        if (i > 0) {
            put(&problem, i, i - 1, -0.7);
            put(&problem, i - 1, i, -0.7);
        }
    }
    for (int c = 0; c < n_c; c++) {
        for (int k = 0; k < 3; k++) {
            put_constraint(&problem, c, (c * spacing + k) % n, (k == 0 ? 2.0 : random_number()));
        }
    }
    return problem;
}

// Row c of C += factor * row from
static inline void repeat_row(Problem* problem, int from, int c, double factor) {
    const int n_entries = problem->n_entries;
    for (int k = 0; k < n_entries; k++) {
        const Entry entry = problem->entries[k];
        if (entry.row == problem->n + from) {
            put_constraint(problem, c, entry.column, factor * entry.value);
        }
    }
}

static inline double* vector(int n) {
    double* v = calloc((size_t)(n > 0 ? n : 1), sizeof(double));
    assert_non_null(v);
    return v;
}

static inline void multiply(const Problem* problem, const double* z, double* b) {
    const int n_all = size_of(problem);
    long double* sum = calloc((size_t)(n_all > 0 ? n_all : 1), sizeof(long double));
    assert_non_null(sum);
    for (int k = 0; k < problem->n_entries; k++) {
        const Entry* entry = &problem->entries[k];
        sum[entry->row] += (long double)entry->value * z[entry->column];
    }
    for (int i = 0; i < n_all; i++) {
        b[i] = (double)sum[i];
    }
    free(sum);
}

// z = K^-1 z by Gauss and Jordan with complete pivoting; rows and columns from n_used on are left
// out (dependent constraints), their z is 0.
static inline void eliminate(const Problem* problem, int n_used, double* z) {
    const size_t n_all = (size_t)size_of(problem), n = (size_t)n_used;
    long double* K = calloc(n_all * n_all, sizeof(long double));
    long double* b = calloc(n_all, sizeof(long double));
    size_t* column_of = calloc(n_all, sizeof(size_t));
    assert_true(K != NULL && b != NULL && column_of != NULL);
    for (int k = 0; k < problem->n_entries; k++) {
        const Entry* entry = &problem->entries[k];
        K[(size_t)entry->row * n_all + (size_t)entry->column] += entry->value;
    }
    for (size_t i = 0; i < n; i++) {
        b[i] = z[i];
        column_of[i] = i;
    }
    for (size_t k = 0; k < n; k++) {
        size_t row = k, column = k;
        for (size_t i = k; i < n; i++) {
            for (size_t j = k; j < n; j++) {
                if (fabsl(K[i * n_all + column_of[j]]) >
                    fabsl(K[row * n_all + column_of[column]])) {
                    row = i;
                    column = j;
                }
            }
        }
        const size_t pivot_column = column_of[column];
        column_of[column] = column_of[k];
        column_of[k] = pivot_column;
        for (size_t j = 0; j < n; j++) {
            const long double entry = K[row * n_all + j];
            K[row * n_all + j] = K[k * n_all + j];
            K[k * n_all + j] = entry;
        }
        const long double entry = b[row];
        b[row] = b[k];
        b[k] = entry;
        for (size_t i = 0; i < n; i++) {
            const long double factor = K[i * n_all + pivot_column] / K[k * n_all + pivot_column];
            for (size_t j = 0; i != k && factor != 0 && j < n; j++) {
                K[i * n_all + j] -= factor * K[k * n_all + j];
            }
            b[i] -= i != k ? factor * b[k] : 0;
        }
    }
    memset(z, 0, n_all * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        z[column_of[k]] = (double)(b[k] / K[k * n_all + column_of[k]]);
    }
    free(K);
    free(b);
    free(column_of);
}

// How a problem is solved: as a small or as a large system, or by the dense solver with pivots
// alone, which small systems go to when they have to.
enum { ALL_SMALL = 100000, ALL_LARGE = 0, PIVOTED = -1, N_WAYS = 3 };
static const int ways[N_WAYS] = {ALL_SMALL, ALL_LARGE, PIVOTED};

static inline const char* way_name(int way) {
    return way == ALL_SMALL ? "small  " : way == ALL_LARGE ? "large  " : "pivoted";
}

static inline void record(Saddle* saddle, const Problem* problem) {
    saddle_begin_pattern(saddle);
    for (int k = 0; k < problem->n_entries; k++) {
        saddle_add(saddle, problem->entries[k].row, problem->entries[k].column, 0.0);
        saddle_add(saddle, problem->entries[k].row, problem->entries[k].column, 0.0);
    }
    assert_int_equal(saddle_end_pattern(saddle), STATUS_OK);
}

// Each entry in two pieces.
static inline void assemble(Saddle* saddle, const Problem* problem) {
    saddle_begin(saddle);
    for (int k = 0; k < problem->n_entries; k++) {
        const Entry* entry = &problem->entries[k];
        saddle_add(saddle, entry->row, entry->column, 0.25 * entry->value);
        saddle_add(saddle, entry->row, entry->column, 0.75 * entry->value);
    }
}

static inline Status factor_pivoted(const Problem* problem, SaddleDense* dense, Arena* arena) {
    assert_true(saddle_dense_create(dense, problem->n, problem->n_c, arena));
    saddle_dense_begin(dense);
    for (int k = 0; k < problem->n_entries; k++) {
        const Entry* entry = &problem->entries[k];
        dense->K[entry->row + size_of(problem) * entry->column] += entry->value;
    }
    return saddle_dense_factor(dense);
}

static inline Saddle* prepare(const Problem* problem, int dense_limit, Arena* arena) {
    Saddle* saddle = saddle_create(problem->n, problem->n_c, dense_limit, arena);
    assert_non_null(saddle);
    record(saddle, problem);
    return saddle;
}

static inline Status status_of(const Problem* problem, int way) {
    Arena arena = {0};
    Saddle* saddle = NULL;
    Status status;
    if (way == PIVOTED) {
        SaddleDense dense;
        status = factor_pivoted(problem, &dense, &arena);
    } else {
        saddle = prepare(problem, way, &arena);
        assemble(saddle, problem);
        status = saddle_factor(saddle);
    }
    saddle_destroy(saddle);
    arena_free(&arena);
    return status;
}

static inline double largest(int n, const double* v) {
    double value = 0.0;
    for (int i = 0; i < n; i++) {
        value = fmax(value, isnan(v[i]) ? (double)INFINITY : fabs(v[i]));
    }
    return value;
}

static inline double distance(int n, const double* a, const double* b) {
    double value = 0.0;
    for (int i = 0; i < n; i++) {
        value = fmax(value, isnan(a[i] - b[i]) ? (double)INFINITY : fabs(a[i] - b[i]));
    }
    return value / fmax(largest(n, b), 1e-300);
}

// Solves for z (overwritten); returns the number of dependent rows.
static inline int solve(const Problem* problem, int way, double* z) {
    Arena arena = {0};
    int n_redundant = 0;
    if (way == PIVOTED) {
        SaddleDense dense;
        assert_int_equal(factor_pivoted(problem, &dense, &arena), STATUS_OK);
        saddle_dense_solve(&dense, z);
        n_redundant = dense.norm.n_redundant;
    } else {
        Saddle* saddle = prepare(problem, way, &arena);
        assemble(saddle, problem);
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        saddle_solve(saddle, 1, z);
        n_redundant = saddle_redundant(saddle, NULL);
        saddle_destroy(saddle);
    }
    arena_free(&arena);
    return n_redundant;
}
