// The structure of the factors of a matrix with symmetric pattern in the order of that pattern.
//
// Column k of L has the rows of column k of the matrix below the diagonal, and those of each column
// whose first row is k: eliminating that column puts them there. U has the same structure,
// transposed.
#include "linalg/saddle_parts.h"

#include <limits.h>
#include <stdlib.h>

// Rows of the columns of L so far, unsorted, in heap memory.
typedef struct Rows {
    int *start, *row;  // (n_all + 1), (capacity)
    int capacity;
    int *first_child, *next_sibling;  // (n_all) the columns whose first row is k, or -1
    int* mark;                        // (n_all) the last column that has this row
} Rows;

// Room for one column more.
static Status reserve(Rows* rows, int n_used, int n_all) {
    if (rows->row != NULL && n_used <= rows->capacity - n_all) {
        return STATUS_OK;
    }
    if (rows->capacity > (INT_MAX - n_all - 1) / 2) {
        return STATUS_TOO_LARGE;
    }
    const int capacity = 2 * rows->capacity + n_all + 1;
    int* row = realloc(rows->row, (size_t)capacity * sizeof(int));
    if (row == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    memset(row + rows->capacity, 0, (size_t)(capacity - rows->capacity) * sizeof(int));
    rows->row = row;
    rows->capacity = capacity;
    return STATUS_OK;
}

static int add_row(Rows* rows, int k, int i, int n_used) {
    if (i <= k || rows->mark[i] == k) {
        return n_used;
    }
    rows->mark[i] = k;
    rows->row[n_used] = i;
    return n_used + 1;
}

static void find_column(const SaddleFactors* f, const SaddlePattern* pattern, Rows* rows, int k) {
    const int j = pattern->order[k];
    int n_used = rows->start[k];
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
        n_used = add_row(rows, k, f->entry[p], n_used);
    }
    for (int c = rows->first_child[k]; c >= 0; c = rows->next_sibling[c]) {
        for (int p = rows->start[c]; p < rows->start[c + 1]; p++) {
            n_used = add_row(rows, k, rows->row[p], n_used);
        }
    }
    rows->start[k + 1] = n_used;
    int parent = INT_MAX;
    for (int p = rows->start[k]; p < n_used; p++) {
        parent = rows->row[p] < parent ? rows->row[p] : parent;
    }
    if (parent < INT_MAX) {
        rows->next_sibling[k] = rows->first_child[parent];
        rows->first_child[parent] = k;
    }
}

static Status find_rows(const SaddleFactors* f, const SaddlePattern* pattern, Rows* rows,
                        Arena* scratch) {
    rows->start = ARENA_NEW(scratch, f->n_all + 1, int);
    rows->first_child = ARENA_NEW(scratch, f->n_all, int);
    rows->next_sibling = ARENA_NEW(scratch, f->n_all, int);
    rows->mark = ARENA_NEW(scratch, f->n_all, int);
    if (rows->start == NULL || rows->first_child == NULL || rows->next_sibling == NULL ||
        rows->mark == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < f->n_all; k++) {
        rows->first_child[k] = rows->next_sibling[k] = rows->mark[k] = -1;
    }
    Status status = reserve(rows, 0, f->n_all);
    for (int k = 0; k < f->n_all && status == STATUS_OK; k++) {
        find_column(f, pattern, rows, k);
        status = reserve(rows, rows->start[k + 1], f->n_all);
    }
    return status;
}

// Rows ascending in each column of to, the transpose of from; next (n_all) is scratch.
static void transpose(int n_all, const int* from_start, const int* from_row, int* to_start,
                      int* to_row, int* next) {
    memset(to_start, 0, (size_t)(n_all + 1) * sizeof(int));
    for (int p = 0; p < from_start[n_all]; p++) {
        to_start[from_row[p] + 1]++;
    }
    for (int k = 0; k < n_all; k++) {
        to_start[k + 1] += to_start[k];
        next[k] = to_start[k];
    }
    for (int k = 0; k < n_all; k++) {
        for (int p = from_start[k]; p < from_start[k + 1]; p++) {
            to_row[next[from_row[p]]++] = k;
        }
    }
}

static Status take_structure(SaddleFactors* f, const Rows* rows, Arena* arena, Arena* scratch) {
    const int n_entries = rows->start[f->n_all];
    int* next = ARENA_NEW(scratch, f->n_all, int);
    f->L_start = ARENA_NEW(arena, f->n_all + 1, int);
    f->U_start = ARENA_NEW(arena, f->n_all + 1, int);
    f->L_row = ARENA_NEW(arena, n_entries, int);
    f->U_row = ARENA_NEW(arena, n_entries, int);
    if (next == NULL || f->L_start == NULL || f->U_start == NULL || f->L_row == NULL ||
        f->U_row == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    transpose(f->n_all, rows->start, rows->row, f->U_start, f->U_row, next);
    transpose(f->n_all, f->U_start, f->U_row, f->L_start, f->L_row, next);
    return STATUS_OK;
}

Status saddle_symbolic_find(SaddleFactors* f, const SaddlePattern* pattern, Arena* arena) {
    f->position = ARENA_NEW(arena, f->n_all, int);
    f->entry = ARENA_NEW(arena, pattern->n_entries, int);
    if (f->position == NULL || f->entry == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < f->n_all; k++) {
        f->position[pattern->order[k]] = k;
    }
    for (int p = 0; p < pattern->n_entries; p++) {
        f->entry[p] = f->position[pattern->row[p]];
    }
    Arena scratch = {0};
    Rows rows = {0};
    Status status = find_rows(f, pattern, &rows, &scratch);
    if (status == STATUS_OK) {
        status = take_structure(f, &rows, arena, &scratch);
    }
    free(rows.row);
    arena_free(&scratch);
    return status;
}
