// LU factorisation without pivoting of a matrix within its envelope: row i of L and column i of U
// have entries from first[i] on. L is stored by rows and U by columns, so that all inner loops run
// over neighbours in memory.
#include "linalg/saddle_parts.h"

#include <limits.h>

// A pivot that is such a small part of the terms of its sum has lost the digits that count.
#define UNSTABLE 1e-10

Status saddle_envelope_create(SaddleEnvelope* e, int n, int* first, Arena* arena) {
    *e = (SaddleEnvelope){.n = n, .first = first};
    long long size = 0;
    e->at = ARENA_NEW(arena, n, int);
    e->diagonal = ARENA_NEW(arena, n, double);
    e->inverse = ARENA_NEW(arena, n, double);
    if (e->at == NULL || e->diagonal == NULL || e->inverse == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        e->at[i] = (int)size - first[i];
        size += i - first[i];
        if (size > INT_MAX / 2) {
            return STATUS_TOO_LARGE;
        }
    }
    e->n_entries = (int)size;
    e->L = ARENA_NEW(arena, size, double);
    e->U = ARENA_NEW(arena, size, double);
    return e->L != NULL && e->U != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void saddle_envelope_clear(SaddleEnvelope* e, bool symmetric) {
    if (!symmetric) {
        memset(e->L, 0, (size_t)e->n_entries * sizeof(double));
    }
    memset(e->U, 0, (size_t)e->n_entries * sizeof(double));
    memset(e->diagonal, 0, (size_t)e->n * sizeof(double));
}

// Row i of L and column i of U; returns the pivot's terms without their signs, the pivot in pivot.
static double eliminate(SaddleEnvelope* e, int i, bool symmetric, double* pivot) {
    const int first = e->first[i];
    double *L_i = e->L + e->at[i], *U_i = e->U + e->at[i];
    double value = e->diagonal[i];
    double sum = fabs(value);
    for (int j = first; j < i; j++) {
        const int from = e->first[j] > first ? e->first[j] : first;
        const double *L_j = e->L + e->at[j], *U_j = e->U + e->at[j];
        U_i[j] -= saddle_dot(j - from, L_j + from, U_i + from);
        const double lower =
            symmetric ? U_i[j] : L_i[j] - saddle_dot(j - from, L_i + from, U_j + from);
        L_i[j] = lower * e->inverse[j];
        U_i[j] = e->inverse[j] != 0.0 ? U_i[j] : 0.0;  // 0 if dropped
        const double term = L_i[j] * U_i[j];
        value -= term;
        sum += fabs(term);
    }
    *pivot = value;
    return sum;
}

static void drop_row(SaddleEnvelope* e, int i) {
    const size_t n_bytes = (size_t)(i - e->first[i]) * sizeof(double);
    memset(e->L + e->at[i] + e->first[i], 0, n_bytes);
    memset(e->U + e->at[i] + e->first[i], 0, n_bytes);
    e->inverse[i] = 0.0;
    e->has_dropped = true;
}

Status saddle_envelope_factor(SaddleEnvelope* e, bool symmetric, const bool* is_row,
                              double dependent) {
    e->loss = 1.0;
    e->has_dropped = false;
    e->is_definite = true;
    for (int i = 0; i < e->n; i++) {
        double pivot;
        const double sum = eliminate(e, i, symmetric, &pivot);
        const bool is_constraint = is_row == NULL || is_row[i];
        const double size = fabs(pivot);
        if (!isfinite(sum) || (!is_constraint && !(size > UNSTABLE * sum))) {
            return STATUS_SINGULAR;
        }
        e->is_definite = e->is_definite && (is_constraint || pivot > 0.0);
        if (is_constraint && !(size > dependent * sum)) {
            drop_row(e, i);
            continue;
        }
        e->inverse[i] = 1.0 / pivot;
        e->loss = size * e->loss < sum ? sum / size : e->loss;
    }
    return STATUS_OK;
}

void saddle_envelope_solve(const SaddleEnvelope* e, double* y) {
    int i = 0;
    while (i < e->n && y[i] == 0.0) {  // right-hand sides of contacts have few entries
        i++;
    }
    for (; i < e->n; i++) {  // y = L^-1 y
        const int first = e->first[i];
        y[i] -= saddle_dot(i - first, e->L + e->at[i] + first, y + first);
    }
    for (i = e->n - 1; i >= 0; i--) {  // y = U^-1 y
        const double* U_i = e->U + e->at[i];
        const double y_i = y[i] * e->inverse[i];
        y[i] = y_i;
        for (int j = e->first[i]; j < i; j++) {
            y[j] -= U_i[j] * y_i;
        }
    }
}

void saddle_envelope_solve_transposed(const SaddleEnvelope* e, double* y) {
    for (int i = 0; i < e->n; i++) {  // y = U^-T y
        const int first = e->first[i];
        y[i] -= saddle_dot(i - first, e->U + e->at[i] + first, y + first);
        y[i] *= e->inverse[i];
    }
    for (int i = e->n - 1; i >= 0; i--) {  // y = L^-T y
        const double* L_i = e->L + e->at[i];
        for (int j = e->first[i]; j < i; j++) {
            y[j] -= L_i[j] * y[i];
        }
    }
}
