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
    e->inverse = ARENA_NEW(arena, n, double);
    if (e->at == NULL || e->inverse == NULL) {
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
    e->L = ARENA_NEW(arena, 2 * size + n, double);
    if (e->L == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    e->U = e->L + size;
    e->diagonal = e->U + size;
    return STATUS_OK;
}

void saddle_envelope_clear(SaddleEnvelope* e, bool symmetric) {
    const size_t n_L = symmetric ? 0 : (size_t)e->n_entries;
    memset(symmetric ? e->U : e->L, 0,
           (n_L + (size_t)e->n_entries + (size_t)e->n) * sizeof(double));
}

// Rows that begin alike are eliminated together, as those of one node of a body are: what all of
// them are multiplied with is looked up once.
enum { PANEL = 3 };

static bool is_panel(const SaddleEnvelope* e, int i) {
    return i + PANEL <= e->n && e->first[i + 1] == e->first[i] && e->first[i + 2] == e->first[i];
}

// Entries j = from_j ... to_j - 1 of the n rows of L and columns of U from i on, which begin alike:
// takes their terms from the pivots, and adds these without their signs to sums. n and symmetric
// are constants where it is called.
static inline void eliminate(SaddleEnvelope* e, int i, int n, bool symmetric, int from_j, int to_j,
                             double* pivots, double* sums) {
    const int first = e->first[i];
    double *L[PANEL], *U[PANEL];
    for (int r = 0; r < n; r++) {
        L[r] = e->L + e->at[i + r];
        U[r] = e->U + e->at[i + r];
    }
    for (int j = from_j; j < to_j; j++) {
        const int from = e->first[j] > first ? e->first[j] : first;
        const double *L_j = e->L + e->at[j], *U_j = e->U + e->at[j];
        double upper[PANEL] = {0.0}, lower[PANEL] = {0.0};
        for (int k = from; k < j; k++) {
            for (int r = 0; r < n; r++) {
                upper[r] += L_j[k] * U[r][k];
            }
        }
        for (int k = from; k < j && !symmetric; k++) {
            for (int r = 0; r < n; r++) {
                lower[r] += L[r][k] * U_j[k];
            }
        }
        const double inverse = e->inverse[j];
        for (int r = 0; r < n; r++) {
            const double u = U[r][j] - upper[r];
            const double l = (symmetric ? u : L[r][j] - lower[r]) * inverse;
            U[r][j] = inverse != 0.0 ? u : 0.0;  // 0 if dropped
            L[r][j] = l;
            const double term = l * U[r][j];
            pivots[r] -= term;
            sums[r] += fabs(term);
        }
    }
}

static void eliminate_rows(SaddleEnvelope* e, int i, int n, bool symmetric, int from_j, int to_j,
                           double* pivots, double* sums) {
    if (n == PANEL && symmetric) {
        eliminate(e, i, PANEL, true, from_j, to_j, pivots, sums);
    } else if (n == PANEL) {
        eliminate(e, i, PANEL, false, from_j, to_j, pivots, sums);
    } else if (symmetric) {
        eliminate(e, i, 1, true, from_j, to_j, pivots, sums);
    } else {
        eliminate(e, i, 1, false, from_j, to_j, pivots, sums);
    }
}

static void drop_row(SaddleEnvelope* e, int i) {
    const size_t n_bytes = (size_t)(i - e->first[i]) * sizeof(double);
    memset(e->L + e->at[i] + e->first[i], 0, n_bytes);
    memset(e->U + e->at[i] + e->first[i], 0, n_bytes);
    e->inverse[i] = 0.0;
    e->has_dropped = true;
}

// The pivot of row i, the terms of which have the given sum without their signs
static Status take_pivot(SaddleEnvelope* e, int i, double pivot, double sum, bool is_constraint,
                         double dependent) {
    const double size = fabs(pivot);
    if (!(sum <= DBL_MAX) || (!is_constraint && !(size > UNSTABLE * sum))) {
        return STATUS_SINGULAR;
    }
    e->is_definite = e->is_definite && (is_constraint || pivot > 0.0);
    if (is_constraint && !(size > dependent * sum)) {
        drop_row(e, i);
        return STATUS_OK;
    }
    e->inverse[i] = 1.0 / pivot;
    e->loss = size * e->loss < sum ? sum / size : e->loss;
    return STATUS_OK;
}

Status saddle_envelope_factor(SaddleEnvelope* e, bool symmetric, const bool* is_row,
                              double dependent) {
    e->loss = 1.0;
    e->has_dropped = false;
    e->is_definite = true;
    for (int i = 0, n; i < e->n; i += n) {
        double pivots[PANEL], sums[PANEL];
        n = is_panel(e, i) ? PANEL : 1;
        for (int r = 0; r < n; r++) {
            pivots[r] = e->diagonal[i + r];
            sums[r] = fabs(pivots[r]);
        }
        eliminate_rows(e, i, n, symmetric, e->first[i], i, pivots, sums);
        for (int r = 0; r < n; r++) {
            eliminate_rows(e, i + r, 1, symmetric, i, i + r, pivots + r, sums + r);
            const Status status = take_pivot(e, i + r, pivots[r], sums[r],
                                             is_row == NULL || is_row[i + r], dependent);
            if (status != STATUS_OK) {
                return status;
            }
        }
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
