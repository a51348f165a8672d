// LU factorisation of a sparse matrix without pivoting, in the order of saddle_pattern.c, which
// says when this is stable. Its structure is that of the pattern for ever, so nothing is allocated
// and no result depends on earlier ones.
//
// A pivot is K_kk - sum_i L_ki U_ik. In a row of C, one that is nothing against the terms of its
// sum tells that the row depends on rows before it.
#include "linalg/saddle_parts.h"

// A pivot of A that is such a small part of the terms of its sum has lost the digits that count.
#define UNSTABLE 1e-10

Status saddle_factors_create(SaddleFactors* f, const SaddlePattern* pattern, Arena* arena) {
    *f = (SaddleFactors){.n = pattern->n, .n_all = pattern->n_all};
    const Status status = saddle_symbolic_find(f, pattern, arena);
    if (status != STATUS_OK) {
        return status;
    }
    f->L = ARENA_NEW(arena, f->L_start[f->n_all], double);
    f->U = ARENA_NEW(arena, f->U_start[f->n_all], double);
    f->inverse = ARENA_NEW(arena, f->n_all, double);
    f->scale = ARENA_NEW(arena, f->n_all, double);
    f->x = ARENA_NEW(arena, f->n_all, double);
    const bool done =
        f->L != NULL && f->U != NULL && f->inverse != NULL && f->scale != NULL && f->x != NULL;
    return done ? STATUS_OK : STATUS_OUT_OF_MEMORY;
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
                              const double* scale, double dependent, bool* dropped) {
    bool is_definite = true, has_dropped = false;
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
        dropped[at] = is_constraint && !(pivot > dependent * sum);
        has_dropped = has_dropped || dropped[at];
        is_definite = is_definite && (is_constraint || f->x[k] > 0.0);
        if (!dropped[at] && sum > f->loss * pivot) {
            f->loss = sum / pivot;
        }
        finish_column(f, k, dropped[at]);
        if (!is_fine) {
            return STATUS_SINGULAR;
        }
    }
    // Without a definite A a pivot may vanish though its row does not depend on others.
    return is_definite || !has_dropped ? STATUS_OK : STATUS_SINGULAR;
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
