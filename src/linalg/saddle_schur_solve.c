// Solutions with the factors of saddle_schur_factor.c:
//   t = A^-1 f,  S y = C t - g,  x = t - Y y.
#include "linalg/saddle_schur_block.h"

// Ratio of the terms of a pivot to the pivot from which on digits are missed.
#define TOLERABLE_LOSS 100.0

// to (n) = A^-T to for a block
static inline void solve_block_transposed(const SchurBlock* block, const double* F, double* to) {
    const int n = block->n;
    if (block->is_diagonal) {
        solve_block(block, F, to, to);
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            to[i] -= F[k * n + i] * to[k];
        }
        to[i] *= F[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            to[i] -= F[k * n + i] * to[k];
        }
    }
}

static inline bool is_zero(int n, const double* v) {
    bool result = true;
    for (int k = 0; k < n; k++) {
        result = result && v[k] == 0.0;
    }
    return result;
}

// t (3) = A^-1 t and y += C t for a block of three unknowns, C (n_rows x 3); returns f^T t, f being
// what t was.
static inline double solve_A_three(const SchurBlock* block, const double* F, const int* row,
                                   const double* C, double* t, double* y) {
    const double f[3] = {t[0], t[1], t[2]};
    double x[3] = {F[0] * f[0], F[1] * f[1], F[2] * f[2]};
    if (!block->is_diagonal) {
        solve_three(F, f, x);
    }
    for (int r = 0; r < block->n_rows; r++) {
        y[row[r]] += C[3 * r] * x[0] + C[3 * r + 1] * x[1] + C[3 * r + 2] * x[2];
    }
    t[0] = x[0];
    t[1] = x[1];
    t[2] = x[2];
    return f[0] * x[0] + f[1] * x[1] + f[2] * x[2];
}

// x = A^-1 x, and y (n_c) += C x; returns f^T x, f being what x was.
static double solve_A(const SaddleSchur* schur, const double* C, double* x, double* y) {
    double energy = 0.0;
    for (int b = 0; b < schur->n_blocks; b++) {
        const SchurBlock* block = &schur->blocks[b];
        const int n = block->n;
        const int* row = schur->row + block->row_at;
        const double *C_b = C + block->C_at, *F = schur->factors + block->A_at;
        double* t = x + block->at;
        if (n == 3 && (t[0] != 0.0 || t[1] != 0.0 || t[2] != 0.0)) {
            energy += solve_A_three(block, F, row, C_b, t, y);
        }
        if (n == 3 || is_zero(n, t)) {
            continue;
        }
        double f[SADDLE_MAX_BLOCK];
        memcpy(f, t, (size_t)n * sizeof(double));
        solve_block(block, F, f, t);
        for (int r = 0; r < block->n_rows; r++) {
            y[row[r]] += saddle_dot(n, C_b + r * n, t);
        }
        energy += saddle_dot(n, f, t);
    }
    return energy;
}

// t (3) -= Y y for a block of three unknowns, Y (n_rows x 3)
static inline void subtract_three(int n_rows, const int* row, const double* Y, const double* y,
                                  double* t) {
    double a = t[0], b = t[1], c = t[2];
    for (int r = 0; r < n_rows; r++) {
        const double y_r = y[row[r]];
        a -= Y[3 * r] * y_r;
        b -= Y[3 * r + 1] * y_r;
        c -= Y[3 * r + 2] * y_r;
    }
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// x -= Y y
static void subtract_Y(const SaddleSchur* schur, const double* y, double* x) {
    for (int b = 0; b < schur->n_blocks; b++) {
        const SchurBlock* block = &schur->blocks[b];
        const int n = block->n;
        const int* row = schur->row + block->row_at;
        const double* Y = schur->Y + block->C_at;
        double* t = x + block->at;
        if (n == 3) {
            subtract_three(block->n_rows, row, Y, y, t);
            continue;
        }
        for (int r = 0; r < block->n_rows; r++) {
            const double y_r = y[row[r]];
            for (int k = 0; k < n; k++) {
                t[k] -= Y[r * n + k] * y_r;
            }
        }
    }
}

// z = K^-1 z, zero where dropped; returns f^T A^-1 f, f being the first part of what z was.
static double apply(SaddleSchur* schur, const double* values, double* z) {
    double* y = schur->y;
    for (int i = 0; i < schur->n_c; i++) {
        y[i] = -z[schur->n + schur->order[i]];
    }
    const double free = solve_A(schur, values + schur->n_A, z, y);
    saddle_envelope_solve(&schur->S, y);
    subtract_Y(schur, y, z);
    for (int i = 0; i < schur->n_c; i++) {
        z[schur->n + schur->order[i]] = y[i];
    }
    return free;
}

void saddle_schur_apply(SaddleSchur* schur, const double* values, double* z) {
    (void)apply(schur, values, z);
}

// residual (n_c) = C x - g where rows are not dropped, the size of its terms in bound; returns the
// largest ratio of both, scaled, where what is nothing against the largest need not be accurate.
static double find_residual(const SaddleSchur* schur, const double* C, const double* g,
                            const double* x, double* residual) {
    static const double FLOOR = 1.0 / 64.0;
    double* bound = schur->bound;
    for (int i = 0; i < schur->n_c; i++) {
        residual[i] = -g[schur->order[i]];
        bound[i] = fabs(residual[i]);
    }
    for (int b = 0; b < schur->n_blocks; b++) {
        const SchurBlock* block = &schur->blocks[b];
        for (int r = 0; r < block->n_rows; r++) {
            const int i = schur->row[block->row_at + r];
            for (int k = 0; k < block->n; k++) {
                const double term = C[block->C_at + r * block->n + k] * x[block->at + k];
                residual[i] += term;
                bound[i] += fabs(term);
            }
        }
    }
    double largest = 0.0;
    for (int i = 0; i < schur->n_c; i++) {
        residual[i] = schur->S.inverse[i] != 0.0 ? residual[i] : 0.0;
        bound[i] *= schur->scale[i];
        largest = bound[i] > largest ? bound[i] : largest;
    }
    double error = 0.0;
    for (int i = 0; i < schur->n_c && largest > 0.0; i++) {
        const double part = fabs(residual[i]) * schur->scale[i] / (bound[i] + FLOOR * largest);
        error = part > error ? part : error;
    }
    return error;
}

// Corrects z, a solution, by what rounding has left of the constraints, if that is much.
static void correct(SaddleSchur* schur, const double* C, const double* g, double* z) {
    enum { MAX_CORRECTIONS = 3 };
    const double tolerable = (schur->S.loss > TOLERABLE_LOSS ? 64.0 : 1024.0) * DBL_EPSILON;
    double* y = schur->correction;
    double error = find_residual(schur, C, g, z, y);
    for (int k = 0; k < MAX_CORRECTIONS && error > tolerable; k++) {
        saddle_envelope_solve(&schur->S, y);
        subtract_Y(schur, y, z);
        for (int i = 0; i < schur->n_c; i++) {
            z[schur->n + schur->order[i]] += y[i];
        }
        const double last_error = error;
        error = find_residual(schur, C, g, z, y);
        if (!(error < 0.5 * last_error)) {
            break;
        }
    }
}

// Digits are lost where pivots were small, and where constraints hold back what would move fast
// without them: if x^T A x = f^T x - g^T y is much less than t^T A t = f^T t.
void saddle_schur_solve(SaddleSchur* schur, const double* values, const double* rhs, double* z) {
    static const double MUCH = 100.0;  // as energies: a tenth in x
    const int n = schur->n, n_c = schur->n_c;
    const double free = apply(schur, values, z);
    const double held = saddle_dot(n, rhs, z) - saddle_dot(n_c, rhs + n, z + n);
    if (schur->S.loss > TOLERABLE_LOSS || !(fabs(free) <= MUCH * fabs(held))) {
        correct(schur, values + schur->n_A, rhs + n, z);
    }
}

void saddle_schur_apply_transposed(SaddleSchur* schur, const double* values, double* z) {
    const double *C = values + schur->n_A, *B = schur->has_border ? C + schur->n_C : C;
    double* y = schur->y;
    for (int i = 0; i < schur->n_c; i++) {
        y[i] = -z[schur->n + schur->order[i]];
    }
    for (int pass = 0; pass < 2; pass++) {  // S^T y = B A^-T f - g, x = A^-T (f - C^T y)
        for (int b = 0; b < schur->n_blocks; b++) {
            const SchurBlock* block = &schur->blocks[b];
            const int n = block->n;
            const int* row = schur->row + block->row_at;
            double t[SADDLE_MAX_BLOCK];
            memcpy(t, z + block->at, (size_t)n * sizeof(double));
            for (int r = 0; r < block->n_rows && pass == 1; r++) {
                for (int k = 0; k < n; k++) {
                    t[k] -= C[block->C_at + r * n + k] * y[row[r]];
                }
            }
            solve_block_transposed(block, schur->factors + block->A_at, t);
            for (int r = 0; r < block->n_rows && pass == 0; r++) {
                y[row[r]] += dot_block(n, B + block->C_at + r * n, t);
            }
            if (pass == 1) {
                memcpy(z + block->at, t, (size_t)n * sizeof(double));
            }
        }
        if (pass == 0) {
            saddle_envelope_solve_transposed(&schur->S, y);
        }
    }
    for (int i = 0; i < schur->n_c; i++) {
        z[schur->n + schur->order[i]] = y[i];
    }
}
