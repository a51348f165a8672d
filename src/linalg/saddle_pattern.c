// Pattern of a sparse matrix from a record of entries, and the order of its elimination.
//
// Eliminated in this order, a row of C after all of its unknowns, the matrix wants no pivoting if A
// is (nearly) symmetric and definite: the pivot of a row of C is what remains of its part of
// C A^-1 C^T, which vanishes only if it depends on the rows before, and the pivots of unknowns
// are those of A on the null space of the rows before, no smaller than its least eigenvalue. So
// the order follows from the pattern alone.
#include "linalg/saddle_parts.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <suitesparse/amd.h>

void saddle_pattern_record(SaddlePattern* pattern, int row, int column) {
    if (pattern->n_calls == pattern->capacity) {
        const int capacity = pattern->capacity == 0 ? 1024 : 2 * pattern->capacity;
        // The calls, their mirror images and the diagonal are counted by an int.
        if (pattern->status != STATUS_OK || capacity > (INT_MAX - pattern->n_all) / 4) {
            pattern->status = pattern->status != STATUS_OK ? pattern->status : STATUS_TOO_LARGE;
            return;
        }
        int* calls = realloc(pattern->calls, 2 * (size_t)capacity * sizeof(int));
        if (calls == NULL) {
            pattern->status = STATUS_OUT_OF_MEMORY;
            return;
        }
        pattern->calls = calls;
        pattern->capacity = capacity;
    }
    pattern->calls[2 * pattern->n_calls] = row;
    pattern->calls[2 * pattern->n_calls + 1] = column;
    pattern->n_calls++;
}

void saddle_pattern_record_coupling(SaddlePattern* pattern, int from) {
    if (pattern->n_couplings == pattern->coupling_capacity) {
        const int capacity = 2 * pattern->coupling_capacity + 64;
        int* calls = realloc(pattern->coupling_calls, 2 * (size_t)capacity * sizeof(int));
        if (calls == NULL) {
            pattern->status = STATUS_OUT_OF_MEMORY;
            return;
        }
        pattern->coupling_calls = calls;
        pattern->coupling_capacity = capacity;
    }
    pattern->coupling_calls[2 * pattern->n_couplings] = from;
    pattern->coupling_calls[2 * pattern->n_couplings + 1] = pattern->n_calls;
    pattern->n_couplings++;
}

void saddle_pattern_destroy(SaddlePattern* pattern) {
    free(pattern->calls);
    free(pattern->coupling_calls);
    pattern->calls = NULL;
    pattern->coupling_calls = NULL;
}

// What is compressed: the calls, their mirror images, the diagonal.
typedef struct Entry {
    int row, column;
} Entry;

static Entry entry_at(const SaddlePattern* pattern, int k) {
    const int* calls = pattern->calls;
    const int n_calls = pattern->n_calls;
    if (k < n_calls) {
        return (Entry){calls[2 * k], calls[2 * k + 1]};
    }
    if (k < 2 * n_calls) {
        return (Entry){calls[2 * (k - n_calls) + 1], calls[2 * (k - n_calls)]};
    }
    return (Entry){k - 2 * n_calls, k - 2 * n_calls};
}

// sorted = from (NULL: 0, 1, ...), stably sorted by row or column; count (n_all + 1) is scratch.
static void sort_entries(const SaddlePattern* pattern, bool by_row, int n_entries, const int* from,
                         int* sorted, int* count) {
    for (int i = 0; i <= pattern->n_all; i++) {
        count[i] = 0;
    }
    for (int k = 0; k < n_entries; k++) {
        const Entry entry = entry_at(pattern, k);
        count[(by_row ? entry.row : entry.column) + 1]++;
    }
    for (int i = 0; i < pattern->n_all; i++) {
        count[i + 1] += count[i];
    }
    for (int k = 0; k < n_entries; k++) {
        const int at = from != NULL ? from[k] : k;
        const Entry entry = entry_at(pattern, at);
        sorted[count[by_row ? entry.row : entry.column]++] = at;
    }
}

// Merges equal ones of the sorted entries.
static void fill_columns(SaddlePattern* pattern, int n_entries, const int* sorted) {
    int at = -1;
    Entry last = {-1, -1};
    for (int k = 0; k < n_entries; k++) {
        const Entry entry = entry_at(pattern, sorted[k]);
        if (entry.row != last.row || entry.column != last.column) {
            at++;
            pattern->row[at] = entry.row;
            pattern->start[entry.column + 1] = at + 1;
            last = entry;
        }
        if (entry.row == entry.column) {
            pattern->diagonal[entry.row] = at;
        }
        if (sorted[k] < pattern->n_calls) {
            pattern->slot[sorted[k]] = at;
        }
    }
    pattern->n_entries = at + 1;
    for (int j = 0; j < pattern->n_all; j++) {
        int p = pattern->start[j];
        while (p < pattern->start[j + 1] && pattern->row[p] < pattern->n) {
            p++;
        }
        pattern->border[j] = p;
    }
}

// Marks the entries that no other call has, nor its mirror image, nor the diagonal.
static Status mark_couplings(SaddlePattern* pattern, const int* sorted, int n_entries,
                             Arena* arena) {
    pattern->is_coupling_call = ARENA_NEW(arena, pattern->n_calls, bool);
    pattern->is_coupling = ARENA_NEW(arena, pattern->n_entries, bool);
    if (pattern->is_coupling_call == NULL || pattern->is_coupling == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < pattern->n_couplings; k++) {
        const int* calls = pattern->coupling_calls + 2 * k;
        for (int call = calls[0]; call < calls[1]; call++) {
            pattern->is_coupling_call[call] = true;
        }
    }
    for (int p = 0; p < pattern->n_entries; p++) {
        pattern->is_coupling[p] = true;
    }
    int at = -1;
    Entry last = {-1, -1};
    for (int k = 0; k < n_entries; k++) {
        const Entry entry = entry_at(pattern, sorted[k]);
        at += entry.row != last.row || entry.column != last.column;
        last = entry;
        const bool is_call = sorted[k] < 2 * pattern->n_calls;
        if (!is_call || !pattern->is_coupling_call[sorted[k] % pattern->n_calls]) {
            pattern->is_coupling[at] = false;
        }
    }
    return STATUS_OK;
}

Status saddle_pattern_without_couplings(const SaddlePattern* pattern, SaddlePattern* base,
                                        Arena* scratch) {
    *base = (SaddlePattern){.n = pattern->n, .n_all = pattern->n_all};
    base->start = ARENA_NEW(scratch, pattern->n_all + 1, int);
    base->border = ARENA_NEW(scratch, pattern->n_all, int);
    base->row = ARENA_NEW(scratch, pattern->n_entries, int);
    if (base->start == NULL || base->border == NULL || base->row == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int j = 0; j < pattern->n_all; j++) {
        base->border[j] = base->n_entries;
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            if (pattern->is_coupling == NULL || !pattern->is_coupling[p]) {
                base->row[base->n_entries++] = pattern->row[p];
                base->border[j] += pattern->row[p] < pattern->n;
            }
        }
        base->start[j + 1] = base->n_entries;
    }
    return STATUS_OK;
}

static Status compress(SaddlePattern* pattern, Arena* arena, Arena* scratch) {
    const int n_entries = 2 * pattern->n_calls + pattern->n_all;
    int* by_row = ARENA_NEW(scratch, n_entries, int);
    int* sorted = ARENA_NEW(scratch, n_entries, int);
    int* count = ARENA_NEW(scratch, pattern->n_all + 1, int);
    pattern->start = ARENA_NEW(arena, pattern->n_all + 1, int);
    pattern->row = ARENA_NEW(arena, n_entries, int);
    pattern->diagonal = ARENA_NEW(arena, pattern->n_all, int);
    pattern->border = ARENA_NEW(arena, pattern->n_all, int);
    pattern->order = ARENA_NEW(arena, pattern->n_all, int);
    pattern->slot = ARENA_NEW(arena, pattern->n_calls, int);
    if (by_row == NULL || sorted == NULL || count == NULL || pattern->start == NULL ||
        pattern->row == NULL || pattern->diagonal == NULL || pattern->border == NULL ||
        pattern->order == NULL || pattern->slot == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    sort_entries(pattern, true, n_entries, NULL, by_row, count);
    sort_entries(pattern, false, n_entries, by_row, sorted, count);
    fill_columns(pattern, n_entries, sorted);
    return pattern->n_couplings > 0 ? mark_couplings(pattern, sorted, n_entries, arena) : STATUS_OK;
}

Status saddle_pattern_place_rows(const SaddlePattern* pattern, const int* unknowns, int* order,
                                 Arena* scratch) {
    const int n = pattern->n, n_all = pattern->n_all;
    int* n_missing = ARENA_NEW(scratch, n_all, int);  // unknowns of a row of C
    if (n_missing == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    int n_ordered = 0;
    for (int c = n; c < n_all; c++) {
        n_missing[c] = pattern->border[c] - pattern->start[c];
        if (n_missing[c] == 0) {
            order[n_ordered++] = c;
        }
    }
    for (int k = 0; k < n; k++) {
        const int i = unknowns[k];
        order[n_ordered++] = i;
        for (int p = pattern->border[i]; p < pattern->start[i + 1]; p++) {
            const int c = pattern->row[p];
            if (--n_missing[c] == 0) {
                order[n_ordered++] = c;
            }
        }
    }
    assert(n_ordered == n_all);
    return STATUS_OK;
}

// The unknowns in the order of minimum degree of the whole matrix
static Status find_order(SaddlePattern* pattern, Arena* scratch) {
    int* least_degree = ARENA_NEW(scratch, pattern->n_all, int);
    if (least_degree == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    const int outcome =
        amd_order(pattern->n_all, pattern->start, pattern->row, least_degree, NULL, NULL);
    if (outcome != AMD_OK) {
        return outcome == AMD_OUT_OF_MEMORY ? STATUS_OUT_OF_MEMORY : STATUS_TOO_LARGE;
    }
    int n_unknowns = 0;
    for (int k = 0; k < pattern->n_all; k++) {
        if (least_degree[k] < pattern->n) {
            least_degree[n_unknowns++] = least_degree[k];
        }
    }
    return saddle_pattern_place_rows(pattern, least_degree, pattern->order, scratch);
}

Status saddle_pattern_finish(SaddlePattern* pattern, Arena* arena) {
    Arena scratch = {0};
    Status status = pattern->status;
    if (status == STATUS_OK) {
        status = compress(pattern, arena, &scratch);
    }
    if (status == STATUS_OK) {
        status = find_order(pattern, &scratch);
    }
    arena_free(&scratch);
    saddle_pattern_destroy(pattern);
    return status;
}
