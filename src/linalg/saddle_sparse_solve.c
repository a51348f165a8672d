// Solutions with the factors of saddle_sparse.c: corrected where digits were lost, and of least
// norm.
//
// Without the dependent rows the factors give x and one of the solutions y. The matrix B of the one
// of least norm (SaddleNorm) is formed for small systems alone. For large ones B w is the y of the
// right-hand side C_R^T w, and w comes from conjugate gradients.
#include "linalg/saddle_sparse.h"

static void apply_pivoted(SaddleSparse* s, bool is_transposed, double* z) {
    for (int i = 0; i < s->n_all; i++) {
        z[i] = s->dropped[i] ? 0.0 : z[i] * s->scale[i];
    }
    if (is_transposed) {
        saddle_pivoted_solve_transposed(&s->pivoted, &s->pattern, z);
    } else {
        saddle_pivoted_solve(&s->pivoted, &s->pattern, z);
    }
    for (int i = 0; i < s->n_all; i++) {
        z[i] *= s->scale[i];
    }
}

void saddle_sparse_apply(SaddleSparse* s, bool is_transposed, double* z) {
    if (s->method == SADDLE_PIVOTED) {
        apply_pivoted(s, is_transposed, z);
    } else if (s->method == SADDLE_SCHUR && is_transposed) {
        saddle_schur_apply_transposed(&s->schur, s->values, z);
    } else if (s->method == SADDLE_SCHUR) {
        saddle_schur_apply(&s->schur, s->values, z);
    } else if (s->method == SADDLE_BAND) {
        saddle_band_apply(&s->band, is_transposed, z);
    } else if (is_transposed) {
        saddle_factors_solve_transposed(&s->factors, &s->pattern, z);
    } else {
        saddle_factors_solve(&s->factors, &s->pattern, z);
    }
}

// The largest part that residual is of bound in rows from ... to - 1, or of 1/64 of the largest
// bound among them, or of least, scaled: what is nothing against the rest of the motion need not be
// accurate.
static double largest_error(const SaddleSparse* s, int from, int to, double least) {
    static const double FLOOR = 1.0 / 64.0;
    double largest = least;
    for (int i = from; i < to; i++) {
        largest = saddle_larger(largest, s->scale[i] * s->bound[i]);
    }
    double error = 0.0;
    for (int i = from; i < to && largest > 0.0; i++) {
        const double bound = s->bound[i] * s->scale[i] + FLOOR * largest;
        const double part = fabs(s->residual[i]) * s->scale[i] / bound;
        error = s->dropped[i] ? error : saddle_larger(error, part);
    }
    return error;
}

// That of the constraints in a solution x. What they hold back does not move: a point that is fixed
// to the ground has velocities of rounding alone, so that the motion of all unknowns is the
// measure.
static double constraint_error(const SaddleSparse* s, const double* x) {
    double motion = 0.0;
    for (int i = 0; i < s->n && s->n_c > 0; i++) {
        motion = saddle_larger(motion, fabs(x[i]) / s->scale[i]);
    }
    return largest_error(s, s->n, s->n_all, motion);
}

// residual = rhs - K z without dropped rows and columns; returns the largest part that it is of
// |rhs| + |K| |z|, row by row.
static double find_residual(SaddleSparse* s) {
    const SaddlePattern* pattern = &s->pattern;
    for (int i = 0; i < s->n_all; i++) {
        s->residual[i] = s->rhs[i];
        s->bound[i] = fabs(s->rhs[i]);
    }
    for (int j = 0; j < s->n_all; j++) {
        if (s->dropped[j]) {
            continue;
        }
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            const double product = s->entries[p] * s->z[j];
            s->residual[pattern->row[p]] -= product;
            s->bound[pattern->row[p]] += fabs(product);
        }
    }
    return saddle_larger(largest_error(s, 0, s->n, 0.0), constraint_error(s, s->z));
}

// w (n_c) = B^T v, v (n_all) zero but for rows of C that are not dropped; v is overwritten.
static void apply_B_transposed(SaddleSparse* s, double* v, double* w) {
    saddle_sparse_apply(s, true, v);
    for (int c = s->n; c < s->n_all; c++) {
        double sum = 0.0;
        for (int p = s->pattern.start[c]; s->dropped[c] && p < s->pattern.start[c + 1]; p++) {
            sum += s->pattern.row[p] < s->n ? s->entries[p] * v[s->pattern.row[p]] : 0.0;
        }
        w[c - s->n] = sum;
    }
}

// The part of v (n_all) in rows of C = B w; the rest is of no use.
static void apply_B(SaddleSparse* s, const double* w, double* v) {
    memset(v, 0, (size_t)s->n_all * sizeof(double));
    for (int c = s->n; c < s->n_all; c++) {
        for (int p = s->pattern.start[c]; s->dropped[c] && p < s->pattern.start[c + 1]; p++) {
            v[s->pattern.row[p]] += s->pattern.row[p] < s->n ? s->entries[p] * w[c - s->n] : 0.0;
        }
    }
    saddle_sparse_apply(s, false, v);
}

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// w: (1 + B^T B) w = B^T y_I by conjugate gradients; y (n_c), zero where dropped. v (n_all)
// scratch.
static void find_shift(SaddleSparse* s, const double* y, double* v) {
    enum { MAX_ITERATIONS = 100 };
    const int n_c = s->n_c;
    memset(v, 0, (size_t)s->n * sizeof(double));
    memcpy(v + s->n, y, (size_t)n_c * sizeof(double));
    apply_B_transposed(s, v, s->r);
    memcpy(s->p, s->r, (size_t)n_c * sizeof(double));
    memset(s->w, 0, (size_t)n_c * sizeof(double));
    double rr = dot(n_c, s->r, s->r);
    const double goal = rr * DBL_EPSILON * DBL_EPSILON;
    for (int k = 0; k < MAX_ITERATIONS && rr > goal; k++) {
        apply_B(s, s->p, v);
        memset(v, 0, (size_t)s->n * sizeof(double));
        apply_B_transposed(s, v, s->Gp);
        for (int c = 0; c < n_c; c++) {
            s->Gp[c] += s->p[c];
        }
        const double pGp = dot(n_c, s->p, s->Gp);
        if (!(pGp > 0.0)) {
            return;
        }
        const double alpha = rr / pGp;
        for (int c = 0; c < n_c; c++) {
            s->w[c] += alpha * s->p[c];
            s->r[c] -= alpha * s->Gp[c];
        }
        const double rr_last = rr;
        rr = dot(n_c, s->r, s->r);
        for (int c = 0; c < n_c; c++) {
            s->p[c] = s->r[c] + rr / rr_last * s->p[c];
        }
    }
}

// y (n_c), zero where dropped, becomes the solution of least norm. v (n_all) scratch.
static void minimise_norm(SaddleSparse* s, double* y, double* v) {
    find_shift(s, y, v);
    apply_B(s, s->w, v);
    for (int c = 0; c < s->n_c; c++) {
        y[c] = s->dropped[s->n + c] ? s->w[c] : y[c] - v[s->n + c];
    }
}

// Do the constraints hold in x, a solution for the right-hand side rhs?
static bool constraints_hold(const SaddleSparse* s, const double* x) {
    const SaddlePattern* pattern = &s->pattern;
    for (int c = s->n; c < s->n_all; c++) {
        double residual = s->rhs[c];
        double bound = fabs(residual);
        for (int p = pattern->start[c]; p < pattern->border[c]; p++) {  // C^T is in the column
            const double term = s->entries[p] * x[pattern->row[p]];
            residual -= term;
            bound += fabs(term);
        }
        s->residual[c] = residual;
        s->bound[c] = bound;
    }
    return constraint_error(s, x) <= 1024.0 * DBL_EPSILON;
}

// Corrects x, a solution for the right-hand side rhs, where digits were lost.
static void refine(SaddleSparse* s, double* x) {
    enum { MAX_CORRECTIONS = 3 };
    const double goal = 64.0 * DBL_EPSILON;
    const size_t n_bytes = (size_t)s->n_all * sizeof(double);
    memcpy(s->z, x, n_bytes);
    double error = find_residual(s);
    for (int k = 0; k < MAX_CORRECTIONS && error > goal; k++) {
        memcpy(x, s->z, n_bytes);
        saddle_sparse_apply(s, false, s->residual);
        for (int i = 0; i < s->n_all; i++) {
            s->z[i] += s->residual[i];
        }
        const double last_error = error;
        error = find_residual(s);
        if (!(error < 0.5 * last_error)) {
            if (!(error < last_error)) {
                memcpy(s->z, x, n_bytes);
            }
            break;
        }
    }
    memcpy(x, s->z, n_bytes);
}

void saddle_sparse_solve(SaddleSparse* s, double* x) {
    // Factors without pivots lose a few digits where pivots are small, which they tell, and where
    // constraints hold back what would move fast without them.
    static const double TOLERABLE_LOSS = 100.0;
    if (s->method == SADDLE_DENSE) {
        saddle_dense_solve(s->dense, x);
        return;
    }
    memcpy(s->rhs, x, (size_t)s->n_all * sizeof(double));
    if (s->method == SADDLE_SCHUR) {
        saddle_schur_solve(&s->schur, s->values, s->rhs, x);
    } else {
        saddle_sparse_apply(s, false, x);
        const double loss = s->method == SADDLE_BAND ? s->band.envelope.loss : s->factors.loss;
        if (s->method == SADDLE_PIVOTED || loss > TOLERABLE_LOSS || !constraints_hold(s, x)) {
            refine(s, x);
        }
    }
    if (s->n_dropped > 0 && s->is_small) {
        saddle_norm_minimise(&s->norm, x + s->n);
    } else if (s->n_dropped > 0) {
        minimise_norm(s, x + s->n, s->rhs);
    }
}
