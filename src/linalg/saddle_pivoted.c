// Sparse LU factorisation with threshold partial pivoting, column by column (J. R. Gilbert and
// T. Peierls, "Sparse partial pivoting in time proportional to arithmetic operations", SIAM J. Sci.
// Stat. Comput. 9, 1988): column k of P K Q is solved for with the columns of L so far, in an order
// found by a search in the graph of L, and the pivot is chosen among what remains.
//
// How much memory the factors need is known only when they are there, so they live in heap memory,
// which grows when it has to and is kept.
#include "linalg/saddle_parts.h"

#include <limits.h>
#include <stdlib.h>

// An entry on the diagonal is good enough as a pivot from this part of the largest one on: it keeps
// the order that was made to save entries.
#define GOOD_ENOUGH 0.1

bool saddle_pivoted_create(SaddlePivoted* f, int n_all, Arena* arena) {
    *f = (SaddlePivoted){.n_all = n_all};
    f->L.start = ARENA_NEW(arena, n_all + 1, int);
    f->U.start = ARENA_NEW(arena, n_all + 1, int);
    f->pivot_of = ARENA_NEW(arena, n_all, int);
    f->row_of = ARENA_NEW(arena, n_all, int);
    f->reached = ARENA_NEW(arena, n_all, int);
    f->path = ARENA_NEW(arena, n_all, int);
    f->resume = ARENA_NEW(arena, n_all, int);
    f->mark = ARENA_NEW(arena, n_all, int);
    f->inverse = ARENA_NEW(arena, n_all, double);
    f->x = ARENA_NEW(arena, n_all, double);
    return f->L.start != NULL && f->U.start != NULL && f->pivot_of != NULL && f->row_of != NULL &&
           f->reached != NULL && f->path != NULL && f->resume != NULL && f->mark != NULL &&
           f->inverse != NULL && f->x != NULL;
}

static void free_columns(SaddleColumns* columns) {
    free(columns->row);
    free(columns->value);
    columns->row = NULL;
    columns->value = NULL;
    columns->capacity = 0;
}

void saddle_pivoted_destroy(SaddlePivoted* f) {
    free_columns(&f->L);
    free_columns(&f->U);
}

// Room for one column more.
static Status reserve(SaddleColumns* columns, int n_used, int n_all) {
    if (n_used <= columns->capacity - n_all) {
        return STATUS_OK;
    }
    if (columns->capacity > (INT_MAX - n_all) / 2) {
        return STATUS_TOO_LARGE;
    }
    const int capacity = 2 * columns->capacity + n_all;
    int* row = realloc(columns->row, (size_t)capacity * sizeof(int));
    if (row == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    columns->row = row;
    double* value = realloc(columns->value, (size_t)capacity * sizeof(double));
    if (value == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    columns->value = value;
    columns->capacity = capacity;
    return STATUS_OK;
}

// Adds the rows that are reached from a row through the columns of L, that row last: the reverse
// of an order in which they can be eliminated. Rows with mark k have been found.
static int search(SaddlePivoted* f, int from, int k, int n_reached) {
    int depth = 0;
    f->path[0] = from;
    f->mark[from] = k;
    f->resume[0] = f->pivot_of[from] >= 0 ? f->L.start[f->pivot_of[from]] : 0;
    while (depth >= 0) {
        const int i = f->path[depth], column = f->pivot_of[i];
        int next = -1;
        while (column >= 0 && next < 0 && f->resume[depth] < f->L.start[column + 1]) {
            const int r = f->L.row[f->resume[depth]++];
            next = f->mark[r] != k ? r : -1;
        }
        if (next < 0) {
            f->reached[n_reached++] = i;
            depth--;
            continue;
        }
        depth++;
        f->path[depth] = next;
        f->mark[next] = k;
        f->resume[depth] = f->pivot_of[next] >= 0 ? f->L.start[f->pivot_of[next]] : 0;
    }
    return n_reached;
}

// x = L^-1 column, on the rows reached; returns their number.
static int solve_column(SaddlePivoted* f, const SaddlePattern* pattern, const double* values,
                        int k) {
    const int j = pattern->order[k];
    int n_reached = 0;
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
        const int i = pattern->row[p];
        f->x[i] = values[p];
        n_reached = f->mark[i] != k ? search(f, i, k, n_reached) : n_reached;
    }
    for (int r = n_reached - 1; r >= 0; r--) {
        const int i = f->reached[r], column = f->pivot_of[i];
        for (int p = column >= 0 ? f->L.start[column] : 0;
             column >= 0 && p < f->L.start[column + 1]; p++) {
            f->x[f->L.row[p]] -= f->L.value[p] * f->x[i];
        }
    }
    return n_reached;
}

// The row of the pivot of column j among those that have none yet; -1 if all are zero.
static int choose_pivot(const SaddlePivoted* f, int j, int k, int n_reached) {
    int pivot = -1;
    double largest = 0.0;
    for (int r = 0; r < n_reached; r++) {
        const int i = f->reached[r];
        if (f->pivot_of[i] < 0 && fabs(f->x[i]) > largest) {
            largest = fabs(f->x[i]);
            pivot = i;
        }
    }
    const bool diagonal_is_free = f->pivot_of[j] < 0 && f->mark[j] == k;
    return diagonal_is_free && largest > 0.0 && fabs(f->x[j]) >= GOOD_ENOUGH * largest ? j : pivot;
}

// Column k of L and U from x, which is zero afterwards.
static void store_column(SaddlePivoted* f, int k, int pivot, int n_reached) {
    int n_L = f->L.start[k], n_U = f->U.start[k];
    f->inverse[k] = 1.0 / f->x[pivot];
    f->pivot_of[pivot] = k;
    f->row_of[k] = pivot;
    for (int r = 0; r < n_reached; r++) {
        const int i = f->reached[r];
        const double value = f->x[i];
        f->x[i] = 0.0;
        if (f->pivot_of[i] < 0) {
            f->L.row[n_L] = i;
            f->L.value[n_L++] = value * f->inverse[k];
        } else if (i != pivot) {
            f->U.row[n_U] = f->pivot_of[i];
            f->U.value[n_U++] = value;
        }
    }
    f->L.start[k + 1] = n_L;
    f->U.start[k + 1] = n_U;
}

static Status factor_column(SaddlePivoted* f, const SaddlePattern* pattern, const double* values,
                            int k) {
    Status status = reserve(&f->L, f->L.start[k], f->n_all);
    if (status == STATUS_OK) {
        status = reserve(&f->U, f->U.start[k], f->n_all);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const int n_reached = solve_column(f, pattern, values, k);
    const int pivot = choose_pivot(f, pattern->order[k], k, n_reached);
    if (pivot < 0 || !isfinite(f->x[pivot])) {
        return STATUS_SINGULAR;
    }
    store_column(f, k, pivot, n_reached);
    return STATUS_OK;
}

Status saddle_pivoted_factor(SaddlePivoted* f, const SaddlePattern* pattern, const double* values,
                             double least) {
    for (int i = 0; i < f->n_all; i++) {
        f->pivot_of[i] = f->mark[i] = -1;
        f->x[i] = 0.0;
    }
    double smallest = INFINITY, largest = 0.0;
    for (int k = 0; k < f->n_all; k++) {
        const Status status = factor_column(f, pattern, values, k);
        if (status != STATUS_OK) {
            return status;
        }
        smallest = fmin(smallest, fabs(1.0 / f->inverse[k]));
        largest = fmax(largest, fabs(1.0 / f->inverse[k]));
    }
    for (int p = 0; p < f->L.start[f->n_all]; p++) {
        f->L.row[p] = f->pivot_of[f->L.row[p]];
    }
    return smallest > least * largest ? STATUS_OK : STATUS_SINGULAR;
}

void saddle_pivoted_solve(SaddlePivoted* f, const SaddlePattern* pattern, double* z) {
    double* x = f->x;
    for (int k = 0; k < f->n_all; k++) {
        x[k] = z[f->row_of[k]];
    }
    for (int k = 0; k < f->n_all; k++) {  // x = L^-1 x
        for (int p = f->L.start[k]; x[k] != 0.0 && p < f->L.start[k + 1]; p++) {
            x[f->L.row[p]] -= f->L.value[p] * x[k];
        }
    }
    for (int k = f->n_all - 1; k >= 0; k--) {  // x = U^-1 x
        x[k] *= f->inverse[k];
        for (int p = f->U.start[k]; x[k] != 0.0 && p < f->U.start[k + 1]; p++) {
            x[f->U.row[p]] -= f->U.value[p] * x[k];
        }
    }
    for (int k = 0; k < f->n_all; k++) {
        z[pattern->order[k]] = x[k];
    }
}

void saddle_pivoted_solve_transposed(SaddlePivoted* f, const SaddlePattern* pattern, double* z) {
    double* x = f->x;
    for (int k = 0; k < f->n_all; k++) {  // x = U^-T z
        x[k] = z[pattern->order[k]];
        for (int p = f->U.start[k]; p < f->U.start[k + 1]; p++) {
            x[k] -= f->U.value[p] * x[f->U.row[p]];
        }
        x[k] *= f->inverse[k];
    }
    for (int k = f->n_all - 1; k >= 0; k--) {  // x = L^-T x
        for (int p = f->L.start[k]; p < f->L.start[k + 1]; p++) {
            x[k] -= f->L.value[p] * x[f->L.row[p]];
        }
    }
    for (int k = 0; k < f->n_all; k++) {
        z[f->row_of[k]] = x[k];
    }
}
