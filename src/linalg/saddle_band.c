// Elimination of the whole matrix within an envelope, for chains of bodies that more than joints
// couple: the unknowns in the order of their distance from one at an end (R. Cuthill and J. McKee
// 1969), each row of C right after the last of its unknowns, see saddle_pattern.c for why. The
// envelope is narrow where bodies have few neighbours, and its loops are several times faster than
// those of single entries (saddle_factors.c).
#include "linalg/saddle_parts.h"

static int degree(const SaddlePattern* pattern, int j) {
    return pattern->start[j + 1] - pattern->start[j];
}

// Sorts unknowns (n) by the number of their neighbours, stably: those that have few, as what lies
// within an element, come before those that go on to others, so that the envelope of these begins
// late.
static void sort_by_degree(const SaddlePattern* pattern, int n, int* unknowns) {
    for (int i = 1; i < n; i++) {
        const int unknown = unknowns[i];
        int k = i;
        for (; k > 0 && degree(pattern, unknowns[k - 1]) > degree(pattern, unknown); k--) {
            unknowns[k] = unknowns[k - 1];
        }
        unknowns[k] = unknown;
    }
}

// Appends unknown j and all that are connected with it to queue, by distance. distance has been
// found for those whose found is true. Returns the new length.
static int search(const SaddlePattern* pattern, int j, int n_queued, int* queue, bool* found) {
    int next = n_queued;
    queue[n_queued++] = j;
    found[j] = true;
    for (; next < n_queued; next++) {
        const int k = queue[next];
        const int n_before = n_queued;
        for (int p = pattern->start[k]; p < pattern->start[k + 1]; p++) {
            const int i = pattern->row[p];
            const int from = i < pattern->n ? p : pattern->start[i];
            const int to = i < pattern->n ? p + 1 : pattern->border[i];
            for (int q = from; q < to; q++) {  // unknown i itself, or all those of row i of C
                const int other = pattern->row[q];
                if (!found[other]) {
                    found[other] = true;
                    queue[n_queued++] = other;
                }
            }
        }
        sort_by_degree(pattern, n_queued - n_before, queue + n_before);
    }
    return n_queued;
}

static void order_unknowns(const SaddlePattern* pattern, int* queue, bool* found) {
    int n_queued = 0;
    for (int j = 0; j < pattern->n; j++) {
        if (found[j]) {
            continue;
        }
        const int end = search(pattern, j, n_queued, queue, found);
        const int last = queue[end - 1];  // far away from j: at an end
        for (int k = n_queued; k < end; k++) {
            found[queue[k]] = false;
        }
        n_queued = search(pattern, last, n_queued, queue, found);
    }
}

// The first entry of each row, and the work of the factorisation
static void find_envelope(SaddleBand* band, const SaddlePattern* pattern, int* first) {
    for (int k = 0; k < pattern->n_all; k++) {
        const int j = band->order[k];
        first[k] = k;
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            const int i = band->position[pattern->row[p]];
            first[k] = i < first[k] ? i : first[k];
        }
        band->work += (double)(k - first[k]) * (k - first[k]);
    }
}

// Where the entries of the pattern are in the envelope, counted from the first of L on
static void find_places(SaddleBand* band, const SaddlePattern* pattern) {
    const SaddleEnvelope* e = &band->envelope;
    for (int j = 0; j < pattern->n_all; j++) {
        const int column = band->position[j];
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            const int row = band->position[pattern->row[p]];
            band->place[p] = row > column   ? e->at[row] + column
                             : row < column ? e->n_entries + e->at[column] + row
                                            : 2 * e->n_entries + row;
        }
    }
}

static Status make_plan(SaddleBand* band, const SaddlePattern* pattern, double work_otherwise,
                        Arena* arena, Arena* scratch) {
    const int n_all = pattern->n_all;
    int* queue = ARENA_NEW(scratch, pattern->n, int);
    bool* found = ARENA_NEW(scratch, pattern->n, bool);
    int* first = ARENA_NEW(arena, n_all, int);
    band->order = ARENA_NEW(arena, n_all, int);
    band->position = ARENA_NEW(arena, n_all, int);
    band->is_row = ARENA_NEW(arena, n_all, bool);
    band->x = ARENA_NEW(arena, n_all, double);
    if (queue == NULL || found == NULL || first == NULL || band->order == NULL ||
        band->position == NULL || band->is_row == NULL || band->x == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    order_unknowns(pattern, queue, found);
    const Status status = saddle_pattern_place_rows(pattern, queue, band->order, scratch);
    if (status != STATUS_OK) {
        return status;
    }
    for (int k = 0; k < n_all; k++) {
        band->position[band->order[k]] = k;
        band->is_row[k] = band->order[k] >= pattern->n;
    }
    find_envelope(band, pattern, first);
    band->is_possible = band->work <= work_otherwise;
    if (!band->is_possible) {
        return STATUS_OK;
    }
    band->place = ARENA_NEW(arena, pattern->n_entries, int);
    const Status made = band->place != NULL
                            ? saddle_envelope_create(&band->envelope, n_all, first, arena)
                            : STATUS_OUT_OF_MEMORY;
    if (made == STATUS_OK) {
        find_places(band, pattern);
    }
    return made;
}

Status saddle_band_plan(SaddleBand* band, const SaddlePattern* pattern, double work_otherwise,
                        Arena* arena) {
    *band = (SaddleBand){0};
    Arena scratch = {0};
    const Status status = make_plan(band, pattern, work_otherwise, arena, &scratch);
    arena_free(&scratch);
    return status;
}

static void fill(SaddleBand* band, const SaddlePattern* pattern, const double* entries) {
    double* values = band->envelope.L;  // followed by those of U and of the diagonal
    saddle_envelope_clear(&band->envelope, false);
    for (int p = 0; p < pattern->n_entries; p++) {
        values[band->place[p]] = entries[p];
    }
}

Status saddle_band_factor(SaddleBand* band, const SaddlePattern* pattern, const double* entries,
                          double dependent, bool* dropped) {
    SaddleEnvelope* e = &band->envelope;
    fill(band, pattern, entries);
    const bool symmetric = memcmp(e->L, e->U, (size_t)e->n_entries * sizeof(double)) == 0;
    const Status status = saddle_envelope_factor(e, symmetric, band->is_row, dependent);
    for (int k = 0; k < e->n && status == STATUS_OK && e->has_dropped; k++) {
        dropped[band->order[k]] = e->inverse[k] == 0.0;
    }
    // Without a definite A a pivot may vanish though its row does not depend on others.
    return e->has_dropped && !e->is_definite ? STATUS_SINGULAR : status;
}

void saddle_band_apply(SaddleBand* band, bool is_transposed, double* z) {
    const SaddleEnvelope* e = &band->envelope;
    for (int k = 0; k < e->n; k++) {
        band->x[k] = z[band->order[k]];
    }
    if (is_transposed) {
        saddle_envelope_solve_transposed(e, band->x);
    } else {
        saddle_envelope_solve(e, band->x);
    }
    for (int k = 0; k < e->n; k++) {
        z[band->order[k]] = band->x[k];
    }
}
