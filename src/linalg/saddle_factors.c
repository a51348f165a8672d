// LU factorisation of a sparse matrix without pivoting, in the order of saddle_pattern.c, which
// says when this is stable. Its structure is that of the pattern for ever, so nothing is allocated
// and no result depends on earlier ones.
//
// A pivot is K_kk - sum_i L_ki U_ik. In a row of C, one that is nothing against the terms of its
// sum tells that the row depends on rows before it.
#include "linalg/saddle_parts.h"

#include <assert.h>
#include <suitesparse/klu.h>

// A pivot of A that is such a small part of the terms of its sum has lost the digits that count.
#define UNSTABLE 1e-10

// A matrix of this pattern that has an LU factorisation in every symmetric order: A symmetric and
// definite, minus the identity in place of 0.
static void fill_exemplar(const SaddlePattern* pattern, double* values) {
    const int n = pattern->n;
    for (int j = 0; j < pattern->n_all; j++) {
        double sum = 0.0;
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            const int i = pattern->row[p];
            values[p] = i < n || j < n ? 0.5 : 0.0;
            sum += i < n ? 0.5 : 0.0;
        }
        values[pattern->diagonal[j]] = j < n ? 1.0 + sum : -1.0;
    }
}

static bool take_memory(SaddleFactors* f, int n_entries, const klu_numeric* numeric, Arena* arena) {
    const int n_all = f->n_all;
    f->entry = ARENA_NEW(arena, n_entries, int);
    f->position = ARENA_NEW(arena, n_all, int);
    f->L_start = ARENA_NEW(arena, n_all + 1, int);
    f->U_start = ARENA_NEW(arena, n_all + 1, int);
    f->L_row = ARENA_NEW(arena, numeric->lnz, int);
    f->U_row = ARENA_NEW(arena, numeric->unz, int);
    f->L = ARENA_NEW(arena, numeric->lnz, double);
    f->U = ARENA_NEW(arena, numeric->unz, double);
    f->inverse = ARENA_NEW(arena, n_all, double);
    f->scale = ARENA_NEW(arena, n_all, double);
    f->x = ARENA_NEW(arena, n_all, double);
    return f->position != NULL && f->entry != NULL && f->L_start != NULL && f->U_start != NULL &&
           f->L_row != NULL && f->U_row != NULL && f->L != NULL && f->U != NULL &&
           f->inverse != NULL && f->scale != NULL && f->x != NULL;
}

// KLU has the diagonals among the entries.
static void remove_diagonal(int n_all, int* start, int* row) {
    int n_kept = 0, first = 0;
    for (int k = 0; k < n_all; k++) {
        for (int p = first; p < start[k + 1]; p++) {
            if (row[p] != k) {
                row[n_kept++] = row[p];
            }
        }
        first = start[k + 1];
        start[k + 1] = n_kept;
    }
}

static Status take_structure(SaddleFactors* f, const SaddlePattern* pattern, klu_symbolic* symbolic,
                             klu_numeric* numeric, klu_common* common, Arena* arena) {
    if (!take_memory(f, pattern->n_entries, numeric, arena)) {
        return STATUS_OUT_OF_MEMORY;
    }
    const int done = klu_sort(symbolic, numeric, common) &&
                     klu_extract(numeric, symbolic, f->L_start, f->L_row, f->L, f->U_start,
                                 f->U_row, f->U, NULL, NULL, NULL, NULL, NULL, NULL, NULL, common);
    if (!done) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < f->n_all; k++) {
        assert(numeric->Pnum[k] == pattern->order[k]);
        f->position[pattern->order[k]] = k;
    }
    for (int p = 0; p < pattern->n_entries; p++) {
        f->entry[p] = f->position[pattern->row[p]];
    }
    remove_diagonal(f->n_all, f->L_start, f->L_row);
    remove_diagonal(f->n_all, f->U_start, f->U_row);
    return STATUS_OK;
}

Status saddle_factors_create(SaddleFactors* f, const SaddlePattern* pattern, Arena* arena) {
    *f = (SaddleFactors){.n = pattern->n, .n_all = pattern->n_all};
    klu_common common;
    klu_defaults(&common);
    common.btf = 0;
    common.scale = -1;
    common.tol = 0.0;  // pivots stay on the diagonal
    Arena scratch = {0};
    Status status = STATUS_OUT_OF_MEMORY;
    double* values = ARENA_NEW(&scratch, pattern->n_entries, double);
    klu_symbolic* symbolic = klu_analyze_given(pattern->n_all, pattern->start, pattern->row,
                                               pattern->order, pattern->order, &common);
    if (values != NULL && symbolic != NULL) {
        fill_exemplar(pattern, values);
        klu_numeric* numeric = klu_factor(pattern->start, pattern->row, values, symbolic, &common);
        if (numeric != NULL) {
            status = take_structure(f, pattern, symbolic, numeric, &common, arena);
        } else if (common.status == KLU_TOO_LARGE) {
            status = STATUS_TOO_LARGE;
        }
        klu_free_numeric(&numeric, &common);
    }
    klu_free_symbolic(&symbolic, &common);
    arena_free(&scratch);
    return status;
}

// Column k of U and what is below, of L times pivot, into x; returns the sum of the terms of the
// pivot without their signs.
static double eliminate(SaddleFactors* f, const SaddlePattern* pattern, const double* values,
                        int k) {
    double* x = f->x;
    const int j = pattern->order[k];
    const double scale = f->scale[k];
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
        const int i = f->entry[p];
        x[i] = values[p] * f->scale[i] * scale;
    }
    double sum = fabs(x[k]);
    for (int q = f->U_start[k]; q < f->U_start[k + 1]; q++) {
        const int i = f->U_row[q];
        const double u = f->inverse[i] != 0.0 ? x[i] : 0.0;  // 0 if dropped
        x[i] = 0.0;
        f->U[q] = u;
        if (u == 0.0) {
            continue;
        }
        const double before = x[k];
        for (int p = f->L_start[i]; p < f->L_start[i + 1]; p++) {
            x[f->L_row[p]] -= f->L[p] * u;  // x -= L_i u
        }
        sum += fabs(x[k] - before);
    }
    return sum;
}

// L_k = x / pivot, or 0 if k is dropped; x = 0
static void finish_column(SaddleFactors* f, int k, bool is_dropped) {
    const double inverse = is_dropped ? 0.0 : 1.0 / f->x[k];
    f->inverse[k] = inverse;
    f->x[k] = 0.0;
    for (int p = f->L_start[k]; p < f->L_start[k + 1]; p++) {
        f->L[p] = f->x[f->L_row[p]] * inverse;
        f->x[f->L_row[p]] = 0.0;
    }
    for (int q = f->U_start[k]; is_dropped && q < f->U_start[k + 1]; q++) {
        f->U[q] = 0.0;
    }
}

Status saddle_factors_compute(SaddleFactors* f, const SaddlePattern* pattern, const double* values,
                              const double* scale, bool* dropped) {
    f->loss = 1.0;
    for (int k = 0; k < f->n_all; k++) {
        f->scale[k] = scale[pattern->order[k]];
    }
    for (int k = 0; k < f->n_all; k++) {
        const int at = pattern->order[k];
        const double sum = eliminate(f, pattern, values, k);
        const double pivot = fabs(f->x[k]);
        const bool is_constraint = at >= f->n;
        const bool is_fine = isfinite(sum) && (is_constraint || pivot > UNSTABLE * sum);
        dropped[at] = is_constraint && !(pivot > SADDLE_DEPENDENT * sum);
        if (!dropped[at] && sum > f->loss * pivot) {
            f->loss = sum / pivot;
        }
        finish_column(f, k, dropped[at]);
        if (!is_fine) {
            return STATUS_SINGULAR;
        }
    }
    return STATUS_OK;
}

void saddle_factors_solve(SaddleFactors* f, const SaddlePattern* pattern, double* z) {
    double* x = f->x;
    for (int k = 0; k < f->n_all; k++) {
        x[k] = z[pattern->order[k]] * f->scale[k];
    }
    for (int k = 0; k < f->n_all; k++) {  // x = L^-1 x
        const double x_k = x[k];
        if (x_k == 0.0) {
            continue;  // right-hand sides of contacts have few entries
        }
        for (int p = f->L_start[k]; p < f->L_start[k + 1]; p++) {
            x[f->L_row[p]] -= f->L[p] * x_k;
        }
    }
    for (int k = f->n_all - 1; k >= 0; k--) {  // x = U^-1 x
        const double x_k = x[k] * f->inverse[k];
        z[pattern->order[k]] = x_k * f->scale[k];
        x[k] = 0.0;
        for (int q = f->U_start[k]; q < f->U_start[k + 1]; q++) {
            x[f->U_row[q]] -= f->U[q] * x_k;
        }
    }
}

void saddle_factors_solve_transposed(SaddleFactors* f, const SaddlePattern* pattern, double* z) {
    double* x = f->x;
    for (int k = 0; k < f->n_all; k++) {  // x = U^-T z
        double sum = z[pattern->order[k]] * f->scale[k];
        for (int q = f->U_start[k]; q < f->U_start[k + 1]; q++) {
            sum -= f->U[q] * x[f->U_row[q]];
        }
        x[k] = sum * f->inverse[k];
    }
    for (int k = f->n_all - 1; k >= 0; k--) {  // x = L^-T x
        for (int p = f->L_start[k]; p < f->L_start[k + 1]; p++) {
            x[k] -= f->L[p] * x[f->L_row[p]];
        }
    }
    for (int k = 0; k < f->n_all; k++) {
        z[pattern->order[k]] = x[k] * f->scale[k];
        x[k] = 0.0;
    }
}
