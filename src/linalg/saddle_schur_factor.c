// Elimination on S = C A^-1 B^T for matrices [A B^T; C 0] with block-diagonal A, planned by
// saddle_schur.c:
//   A = L_A U_A block by block,  Y = A^-1 B^T,  S = C Y = L U,
//   t = A^-1 f,  S y = C t - g,  x = t - Y y.
// With A symmetric and definite and B = C, S is symmetric and definite unless rows depend on each
// other; then the pivot of such a row vanishes to rounding against its diagonal entry of S. So LU
// needs no pivoting, nor does it if A is unsymmetric but its symmetric part is definite, as S then
// has that property too, and the order of elimination follows from the pattern alone.
#include "linalg/saddle_schur_block.h"

// A pivot of A that is such a small part of the terms of its sum has lost the digits that count; if
// A is not definite, small pivots make large terms of others, and digits are lost much earlier.
#define UNSTABLE 1e-10
#define UNSTABLE_UNLESS_DEFINITE 0.1

// --- blocks of A ---------------------------------------------------------------------------------
// F (n x n, row-major) = L U, U with inverted diagonal; false if a pivot is lost.
static bool factor_block(int n, double* F, bool* is_definite) {
    bool is_positive = true;
    double least = 1.0;  // part that a pivot is of its terms
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const int n_terms = i < k ? i : k;  // row i of L, column k of U
            double value = F[i * n + k];
            double size = fabs(value);
            for (int l = 0; l < n_terms; l++) {
                const double term = F[i * n + l] * F[l * n + k];
                value -= term;
                size += fabs(term);
            }
            if (i == k) {
                if (!(fabs(value) > UNSTABLE * size)) {
                    return false;
                }
                is_positive = is_positive && value > 0.0;
                least = fabs(value) < least * size ? fabs(value) / size : least;
                value = 1.0 / value;
            }
            F[i * n + k] = i > k ? value * F[k * n + k] : value;
        }
    }
    *is_definite = *is_definite && is_positive;
    return is_positive || least > UNSTABLE_UNLESS_DEFINITE;
}

static bool factor_A(SaddleSchur* schur, const double* values) {
    schur->is_definite = true;
    memcpy(schur->factors, values, (size_t)schur->n_A * sizeof(double));
    for (int b = 0; b < schur->n_blocks; b++) {
        const SchurBlock* block = &schur->blocks[b];
        double* F = schur->factors + block->A_at;
        for (int k = 0; block->is_diagonal && k < block->n; k++) {
            if (!(fabs(F[k]) >= DBL_MIN)) {
                return false;
            }
            schur->is_definite = schur->is_definite && F[k] > 0.0;
            F[k] = 1.0 / F[k];
        }
        if (!block->is_diagonal && !factor_block(block->n, F, &schur->is_definite)) {
            return false;
        }
    }
    return true;
}

// --- S and its factors ---------------------------------------------------------------------------
static bool is_symmetric(const SaddleSchur* schur, const double* values) {
    const double* C = values + schur->n_A;
    bool result =
        !schur->has_border || memcmp(C, C + schur->n_C, (size_t)schur->n_C * sizeof(double)) == 0;
    for (int b = 0; b < schur->n_blocks && result; b++) {
        const SchurBlock* block = &schur->blocks[b];
        const double* A = values + block->A_at;
        for (int i = 0; i < block->n && !block->is_diagonal; i++) {
            for (int j = 0; j < i; j++) {
                result = result && A[i * block->n + j] == A[j * block->n + i];
            }
        }
    }
    return result;
}

// Adds the part of a diagonal block of three unknowns to a symmetric S, and finds its Y: the bodies
// of the plane and the translations of those in space.
static void add_three(SaddleSchur* schur, const SchurBlock* block, const double* C,
                      const double* F) {
    const int* row = schur->row + block->row_at;
    double* Y = schur->Y + block->C_at;
    SaddleEnvelope* S = &schur->S;
    for (int r = 0; r < block->n_rows; r++) {
        const double* C_r = C + 3 * r;
        const double a = F[0] * C_r[0], b = F[1] * C_r[1], c = F[2] * C_r[2];
        double* U_r = S->U + S->at[row[r]];
        for (int s = 0; s < r; s++) {
            U_r[row[s]] += C[3 * s] * a + C[3 * s + 1] * b + C[3 * s + 2] * c;
        }
        S->diagonal[row[r]] += C_r[0] * a + C_r[1] * b + C_r[2] * c;
        Y[3 * r] = a;
        Y[3 * r + 1] = b;
        Y[3 * r + 2] = c;
    }
}

// Adds a block's part to S: its upper triangle to U, the lower one to L unless S is symmetric.
static void add_block(SaddleSchur* schur, const SchurBlock* block, const double* C,
                      bool symmetric) {
    const int n = block->n;
    const int* row = schur->row + block->row_at;
    const double* Y = schur->Y + block->C_at;
    SaddleEnvelope* S = &schur->S;
    for (int r = 0; r < block->n_rows; r++) {
        const int at = S->at[row[r]];
        const double *C_r = C + r * n, *Y_r = Y + r * n;
        for (int s = 0; s < r; s++) {
            S->U[at + row[s]] += dot_block(n, C + s * n, Y_r);
        }
        for (int s = 0; s < r && !symmetric; s++) {
            S->L[at + row[s]] += dot_block(n, C_r, Y + s * n);
        }
        S->diagonal[row[r]] += dot_block(n, C_r, Y_r);
    }
}

static void form_S(SaddleSchur* schur, const double* values, bool symmetric) {
    saddle_envelope_clear(&schur->S, symmetric);
    const double *C = values + schur->n_A, *B = schur->has_border ? C + schur->n_C : C;
    for (int b = 0; b < schur->n_blocks; b++) {
        const SchurBlock* block = &schur->blocks[b];
        const double* F = schur->factors + block->A_at;
        double* Y = schur->Y + block->C_at;
        if (symmetric && block->is_diagonal && block->n == 3) {
            add_three(schur, block, C + block->C_at, F);
            continue;
        }
        for (int r = 0; r < block->n_rows; r++) {
            solve_block(block, F, B + block->C_at + r * block->n, Y + r * block->n);
        }
        add_block(schur, block, C + block->C_at, symmetric);
    }
}

Status saddle_schur_factor(SaddleSchur* schur, const double* values, bool has_border,
                           double dependent, bool* dropped) {
    SaddleEnvelope* S = &schur->S;
    schur->has_border = has_border;
    if (!factor_A(schur, values)) {
        return STATUS_SINGULAR;
    }
    const bool symmetric = is_symmetric(schur, values);
    form_S(schur, values, symmetric);
    const Status status = saddle_envelope_factor(S, symmetric, NULL, dependent);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < schur->n_c; i++) {
        schur->scale[i] = saddle_scale_for(fabs(S->diagonal[i]));
        dropped[schur->n + schur->order[i]] = S->inverse[i] == 0.0;
    }
    // Without a definite A a pivot may vanish though its row does not depend on others.
    return schur->is_definite || (!S->has_dropped && S->loss < 1.0 / UNSTABLE) ? STATUS_OK
                                                                               : STATUS_SINGULAR;
}
