// The solver behind saddle.h: elimination without pivoting, on C A^-1 C^T if A is block-diagonal
// (saddle_schur.c), else of the whole matrix, within an envelope if that is narrow (saddle_band.c)
// or entry by entry (saddle_factors.c). All drop dependent rows of C. Only if that is not stable,
// because A is not nearly definite, pivots are chosen for the values at hand: of a small system as
// a dense matrix (saddle_dense.c), of a large one as a sparse matrix (saddle_pivoted.c), which may
// allocate. saddle_sparse_solve.c solves with the factors.
#include "linalg/saddle_sparse.h"

#include <assert.h>

SaddleSparse* saddle_sparse_create(int n, int n_c, bool is_small, Arena* arena) {
    SaddleSparse* s = ARENA_NEW(arena, 1, SaddleSparse);
    if (s != NULL) {
        *s = (SaddleSparse){.n = n, .n_c = n_c, .n_all = n + n_c, .is_small = is_small};
        s->pattern = (SaddlePattern){.n = n, .n_all = n + n_c};
        s->dependent = SADDLE_DEPENDENT;
    }
    return s;
}

void saddle_sparse_destroy(SaddleSparse* s) {
    saddle_pattern_destroy(&s->pattern);
    saddle_pivoted_destroy(&s->pivoted);
}

SaddlePattern* saddle_sparse_pattern(SaddleSparse* s) { return &s->pattern; }

void saddle_sparse_set_dependent(SaddleSparse* s, double dependent) {
    s->dependent = dependent;
    if (s->dense != NULL) {
        s->dense->dependent = dependent;
    }
}

bool saddle_sparse_is_redundant(const SaddleSparse* s, int c) {
    return s->method == SADDLE_DENSE ? saddle_dense_is_redundant(s->dense, c)
                                     : s->dropped != NULL && s->dropped[s->n + c];
}

static bool take_memory(SaddleSparse* s, Arena* arena) {
    const int n_all = s->n_all;
    s->values = ARENA_NEW(arena, s->n_values, double);
    s->entries = s->schur.is_possible ? ARENA_NEW(arena, s->pattern.n_entries, double) : s->values;
    const bool has_couplings = s->schur.is_possible && s->pattern.is_coupling != NULL;
    s->couplings = ARENA_NEW(arena, has_couplings ? s->pattern.n_entries : 0, double);
    s->scale = ARENA_NEW(arena, n_all, double);
    s->dropped = ARENA_NEW(arena, n_all, bool);
    s->z = ARENA_NEW(arena, n_all, double);
    s->rhs = ARENA_NEW(arena, n_all, double);
    s->residual = ARENA_NEW(arena, n_all, double);
    s->bound = ARENA_NEW(arena, n_all, double);
    return s->values != NULL && s->entries != NULL && s->couplings != NULL && s->scale != NULL &&
           s->dropped != NULL && s->z != NULL && s->rhs != NULL && s->residual != NULL &&
           s->bound != NULL;
}

static bool take_memory_if_small(SaddleSparse* s, Arena* arena) {
    s->dense = ARENA_NEW(arena, 1, SaddleDense);
    return s->dense != NULL && saddle_dense_create(s->dense, s->n, s->n_c, arena) &&
           saddle_norm_create(&s->norm, s->n_c, arena);
}

static bool take_memory_if_large(SaddleSparse* s, Arena* arena) {
    const int n_c = s->n_c;
    s->scaled = ARENA_NEW(arena, s->pattern.n_entries, double);
    s->w = ARENA_NEW(arena, n_c, double);
    s->r = ARENA_NEW(arena, n_c, double);
    s->p = ARENA_NEW(arena, n_c, double);
    s->Gp = ARENA_NEW(arena, n_c, double);
    return s->scaled != NULL && s->w != NULL && s->r != NULL && s->p != NULL && s->Gp != NULL &&
           saddle_pivoted_create(&s->pivoted, s->n_all, arena);
}

// Multiplications of the elimination of the whole matrix
static Status work_of_factors(const SaddlePattern* pattern, double* work) {
    Arena scratch = {0};
    SaddleFactors f = {.n = pattern->n, .n_all = pattern->n_all};
    const Status status = saddle_symbolic_find(&f, pattern, &scratch);
    *work = 0.0;
    for (int k = 0; k < f.n_all && status == STATUS_OK; k++) {
        const double n = f.L_start[k + 1] - f.L_start[k];
        *work += n * n + n;
    }
    arena_free(&scratch);
    return status;
}

// Single entries cost several times as much as those of dense blocks do.
#define COST_OF_ENTRIES 4.0

static Status plan_whole(SaddleSparse* s, double work, Arena* arena) {
    const Status status = saddle_band_plan(&s->band, &s->pattern, COST_OF_ENTRIES * work, arena);
    return status == STATUS_OK && !s->band.is_possible
               ? saddle_factors_create(&s->factors, &s->pattern, arena)
               : status;
}

// Makes slots of calls those of the layout of schur; those of couplings stay.
static Status lay_out(SaddleSparse* s, Arena* arena) {
    SaddlePattern* pattern = &s->pattern;
    const bool* is_coupling = pattern->is_coupling;
    s->place = ARENA_NEW(arena, pattern->n_entries, int);
    if (s->place == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    const int zero = s->n_values - 1;
    for (int p = 0, k = 0; p < pattern->n_entries; p++) {
        s->place[p] = is_coupling != NULL && is_coupling[p] ? zero : s->schur.place[k++];
    }
    for (int k = 0; k < pattern->n_calls; k++) {
        if (is_coupling == NULL || !pattern->is_coupling_call[k]) {
            pattern->slot[k] = s->place[pattern->slot[k]];
        }
    }
    return STATUS_OK;
}

static Status plan_schur(SaddleSparse* s, double work, Arena* arena) {
    Arena scratch = {0};
    SaddlePattern base;
    Status status = saddle_pattern_without_couplings(&s->pattern, &base, &scratch);
    if (status == STATUS_OK) {
        status = saddle_schur_plan(&s->schur, &base, COST_OF_ENTRIES * work, arena);
    }
    arena_free(&scratch);
    return status;
}

static Status plan_elimination(SaddleSparse* s, Arena* arena) {
    double work;
    Status status = work_of_factors(&s->pattern, &work);
    if (status == STATUS_OK) {
        status = plan_schur(s, work, arena);
    }
    s->n_values = s->schur.is_possible ? s->schur.n_A + 2 * s->schur.n_C + 1 : s->pattern.n_entries;
    if (status == STATUS_OK && s->schur.is_possible) {
        status = lay_out(s, arena);
    }
    if (status == STATUS_OK && (!s->schur.is_possible || s->pattern.is_coupling != NULL)) {
        status = plan_whole(s, work, arena);
    }
    return status;
}

Status saddle_sparse_finish(SaddleSparse* s, Arena* arena) {
    Status status = saddle_pattern_finish(&s->pattern, arena);
    if (status == STATUS_OK) {
        status = plan_elimination(s, arena);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const bool done = take_memory(s, arena) && (s->is_small ? take_memory_if_small(s, arena)
                                                            : take_memory_if_large(s, arena));
    saddle_sparse_set_dependent(s, s->dependent);
    return done ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// --- assembly ------------------------------------------------------------------------------------
void saddle_sparse_begin(SaddleSparse* s) {
    const bool is_half = s->schur.is_possible && !s->has_border;
    const int n_used = is_half ? s->schur.n_A + s->schur.n_C : s->n_values;
    memset(s->values, 0, (size_t)n_used * sizeof(double));
    s->has_border = false;
    if (s->has_couplings) {
        memset(s->couplings, 0, (size_t)s->pattern.n_entries * sizeof(double));
    }
    s->has_couplings = false;
    s->next_call = 0;
}

// The border B^T has been equal to C^T so far; from now on it may differ.
static void fill_border(SaddleSparse* s) {
    if (s->schur.is_possible && !s->has_border) {
        double* C = s->values + s->schur.n_A;
        memcpy(C + s->schur.n_C, C, (size_t)s->schur.n_C * sizeof(double));
        s->has_border = true;
    }
}

void saddle_sparse_add(SaddleSparse* s, int n, const double* values) {
    const int* slot = s->pattern.slot + s->next_call;
    s->next_call += n;
    assert(s->next_call <= s->pattern.n_calls);
    for (int k = 0; k < n; k++) {
        s->values[slot[k]] += values[k];
    }
}

void saddle_sparse_add_entry(SaddleSparse* s, double value) {
    const bool is_border = s->schur.is_possible && s->pattern.slot[s->next_call] >= s->schur.n_A;
    if (is_border) {
        fill_border(s);
    }
    saddle_sparse_add(s, 1, &value);
}

void saddle_sparse_add_pairs(SaddleSparse* s, int n, const double* C, const double* B) {
    const int* slot = s->pattern.slot + s->next_call;
    s->next_call += 2 * n;
    assert(s->next_call <= s->pattern.n_calls);
    if (B != C) {
        fill_border(s);
    }
    for (int k = 0; k < n; k++) {
        s->values[slot[2 * k]] += C[k];
    }
    for (int k = 0; k < n && (s->has_border || !s->schur.is_possible); k++) {
        s->values[slot[2 * k + 1]] += B[k];
    }
}

void saddle_sparse_add_coupling(SaddleSparse* s, int n, const double* values) {
    if (!s->schur.is_possible) {
        saddle_sparse_add(s, n, values);
        return;
    }
    const int* slot = s->pattern.slot + s->next_call;
    s->next_call += n;
    assert(s->next_call <= s->pattern.n_calls);
    for (int k = 0; k < n; k++) {
        s->couplings[slot[k]] += values[k];
        s->has_couplings = s->has_couplings || values[k] != 0.0;
    }
}

// --- factorisation -------------------------------------------------------------------------------

// Scales of all equations; leaves the squared length of each row of C in bound (n_all).
static void find_scales(SaddleSparse* s) {
    const SaddlePattern* pattern = &s->pattern;
    double *bound = s->bound, *scale = s->scale;
    for (int j = 0; j < s->n; j++) {  // largest of the column in A
        double largest = 0.0;
        for (int p = pattern->start[j]; p < pattern->border[j]; p++) {
            largest = saddle_larger(largest, fabs(s->entries[p]));
        }
        bound[j] = largest;
    }
    memset(bound + s->n, 0, (size_t)s->n_c * sizeof(double));
    for (int j = 0; j < s->n; j++) {
        scale[j] = saddle_scale_variable(s->entries[pattern->diagonal[j]], bound[j]);
        for (int p = pattern->border[j]; p < pattern->start[j + 1]; p++) {
            const double entry = s->entries[p] * scale[j];
            bound[pattern->row[p]] += entry * entry;
        }
    }
    for (int c = s->n; c < s->n_all; c++) {
        scale[c] = saddle_scale_for(bound[c]);
    }
}

// The matrix that is pivoted, with minus shift in place of the zeros. Empty rows of C become those
// of the identity.
static void scale_entries(SaddleSparse* s, double shift) {
    const SaddlePattern* pattern = &s->pattern;
    for (int j = 0; j < s->n_all; j++) {
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            s->scaled[p] = s->entries[p] * s->scale[pattern->row[p]] * s->scale[j];
        }
        if (j >= s->n) {
            s->dropped[j] = s->bound[j] == 0.0;
            s->scaled[pattern->diagonal[j]] = s->dropped[j] ? 1.0 : -shift;
        }
    }
}

// Rows of C that depend on others make the matrix singular. With minus a small number in place of
// the zeros it is not, and the corrections of the solution (refine) take away what that changes but
// for the forces that move nothing.
static Status factor_pivoted(SaddleSparse* s) {
    static const double SHIFT = 1e-10;
    s->method = SADDLE_PIVOTED;
    scale_entries(s, 0.0);
    if (!saddle_all_finite(s->pattern.n_entries, s->scaled)) {
        return STATUS_SINGULAR;
    }
    const Status status = saddle_pivoted_factor(&s->pivoted, &s->pattern, s->scaled, s->dependent);
    if (status != STATUS_SINGULAR || s->n_c == 0) {
        return status;
    }
    scale_entries(s, SHIFT);
    return saddle_pivoted_factor(&s->pivoted, &s->pattern, s->scaled, SADDLE_DEPENDENT);
}

static Status factor_dense(SaddleSparse* s) {
    const SaddlePattern* pattern = &s->pattern;
    saddle_dense_begin(s->dense);
    for (int j = 0; j < s->n_all; j++) {
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            s->dense->K[pattern->row[p] + s->n_all * j] = s->entries[p];
        }
    }
    s->method = SADDLE_DENSE;
    return saddle_dense_factor(s->dense);
}

// Entry p of the pattern, which is one of B^T
static double border_entry(const SaddleSparse* s, int p) {
    if (s->method != SADDLE_SCHUR) {
        return s->entries[p];
    }
    return s->values[s->place[p] - (s->has_border ? 0 : s->schur.n_C)];
}

// Column k of B is the y of the right-hand side [C_R^T e_k; 0].
static Status find_B(SaddleSparse* s) {
    const SaddlePattern* pattern = &s->pattern;
    SaddleNorm* norm = &s->norm;
    norm->n_redundant = 0;
    for (int c = s->n; c < s->n_all; c++) {
        if (!s->dropped[c]) {
            continue;
        }
        const int k = norm->n_redundant++;
        norm->redundant[k] = c - s->n;
        memset(s->z, 0, (size_t)s->n_all * sizeof(double));
        for (int p = pattern->start[c]; p < pattern->border[c]; p++) {
            s->z[pattern->row[p]] = border_entry(s, p);
        }
        saddle_sparse_apply(s, false, s->z);
        memcpy(norm->B + s->n_c * k, s->z + s->n, (size_t)s->n_c * sizeof(double));
    }
    return saddle_norm_factor(norm);
}

// The entries of the pattern from where they are laid out for schur, and what couplings add.
static void gather_entries(SaddleSparse* s) {
    fill_border(s);
    for (int p = 0; p < s->pattern.n_entries && s->schur.is_possible; p++) {
        s->entries[p] = s->values[s->place[p]] + (s->has_couplings ? s->couplings[p] : 0.0);
    }
}

static Status factor_without_pivots(SaddleSparse* s) {
    if (s->schur.is_possible && !s->has_couplings) {
        s->method = SADDLE_SCHUR;
        return saddle_schur_factor(&s->schur, s->values, s->has_border, s->dependent, s->dropped);
    }
    gather_entries(s);
    if (s->has_couplings && !saddle_all_finite(s->pattern.n_entries, s->entries)) {
        return STATUS_NOT_FINITE;
    }
    find_scales(s);
    if (s->band.is_possible) {
        s->method = SADDLE_BAND;
        return saddle_band_factor(&s->band, &s->pattern, s->entries, s->dependent, s->dropped);
    }
    s->method = SADDLE_FACTORS;
    return saddle_factors_compute(&s->factors, &s->pattern, s->entries, s->scale, s->dependent,
                                  s->dropped);
}

static Status factor_with_pivots(SaddleSparse* s) {
    memset(s->dropped, 0, (size_t)s->n_all * sizeof(bool));
    if (s->is_small) {
        return factor_dense(s);
    }
    find_scales(s);
    return factor_pivoted(s);
}

Status saddle_sparse_factor(SaddleSparse* s) {
    memset(s->dropped, 0, (size_t)s->n_all * sizeof(bool));
    s->n_dropped = 0;
    // An entry of C that is not finite makes pivots that are not finite, one of A need not do so.
    const int n_checked = s->schur.is_possible ? s->schur.n_A : s->n_values;
    if (!saddle_all_finite(n_checked, s->values)) {
        return STATUS_NOT_FINITE;
    }
    Status status = factor_without_pivots(s);
    if (status == STATUS_SINGULAR) {
        gather_entries(s);
        return saddle_all_finite(s->pattern.n_entries, s->entries) ? factor_with_pivots(s)
                                                                   : STATUS_NOT_FINITE;
    }
    if (status != STATUS_OK) {
        return status;
    }
    for (int c = s->n; c < s->n_all; c++) {
        s->n_dropped += s->dropped[c];
    }
    if (s->n_dropped > 0) {
        if (s->is_small) {
            return find_B(s);
        }
        gather_entries(s);
    }
    return status;
}
