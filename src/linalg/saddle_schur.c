// The plan of the elimination on S = C A^-1 B^T for matrices [A B^T; C 0] whose A is block-diagonal
// with small blocks, as that of rigid bodies is (saddle_schur_factor.c does it): the blocks, the
// order of the rows of C, the envelope of S, and a layout of the values in which the blocks are
// dense.
//
// Neighbouring unknowns that are coupled by A make a block. Uncoupled ones that the same rows of C
// hold, such as the translations of a body, are one diagonal block together. Rows are ordered as R.
// Cuthill and J. McKee do (1969), by distance from a row at an end: two rows that share a block
// then are close to each other, and row k of S has no entries before the first row that it shares a
// block with, in the factors either.
#include "linalg/saddle_parts.h"

#include <limits.h>

enum { MAX_BLOCK = SADDLE_MAX_BLOCK };

// What is known while the plan is made. Lists are as in SaddlePattern: list k is start[k] ...
// start[k + 1] - 1.
typedef struct Plan {
    const SaddlePattern* pattern;
    int* block_of;              // (n)
    int* row_start;             // (n_blocks + 1) rows of each block
    int* rows;                  // rows of C from 0, ascending
    int *block_start, *blocks;  // blocks of each row
    int* queue;                 // (n_c)
    int* position;              // (n_c) in the order of elimination
} Plan;

static bool is_coupled(const SaddlePattern* pattern, int j) {
    return pattern->border[j] - pattern->start[j] > 1;  // more than the diagonal
}

// Gives all that A couples with unknown j to a block; false if these are too many, or if they are
// not neighbours.
static bool gather_block(const Plan* plan, SaddleSchur* schur, SchurBlock* block, int j) {
    const SaddlePattern* pattern = plan->pattern;
    int end = j + 1;
    for (int k = j; k < end; k++) {
        for (int p = pattern->start[k]; p < pattern->border[k]; p++) {
            if (pattern->row[p] < j) {
                return false;
            }
            end = pattern->row[p] >= end ? pattern->row[p] + 1 : end;
        }
        if (end - j > MAX_BLOCK) {
            return false;
        }
        plan->block_of[k] = schur->n_blocks;
    }
    block->n = end - j;
    return true;
}

static bool same_rows(const SaddlePattern* pattern, int i, int j) {
    const int n_rows = pattern->start[i + 1] - pattern->border[i];
    return n_rows == pattern->start[j + 1] - pattern->border[j] &&
           memcmp(pattern->row + pattern->border[i], pattern->row + pattern->border[j],
                  (size_t)n_rows * sizeof(int)) == 0;
}

// Unknown j and the uncoupled ones right after it that are held by the same rows.
static void gather_diagonal(const Plan* plan, SaddleSchur* schur, SchurBlock* block, int j) {
    block->is_diagonal = true;
    block->n = 0;
    while (block->n < MAX_BLOCK && j < schur->n && !is_coupled(plan->pattern, j) &&
           (block->n == 0 || same_rows(plan->pattern, j, j - 1))) {
        plan->block_of[j++] = schur->n_blocks;
        block->n++;
    }
}

static bool find_blocks(const Plan* plan, SaddleSchur* schur) {
    for (int j = 0; j < schur->n; j += schur->blocks[schur->n_blocks++].n) {
        SchurBlock* block = &schur->blocks[schur->n_blocks];
        *block = (SchurBlock){.at = j};
        if (!is_coupled(plan->pattern, j)) {
            gather_diagonal(plan, schur, block, j);
        } else if (!gather_block(plan, schur, block, j)) {
            return false;
        }
    }
    return true;
}

// The rows of each block and the blocks of each row; false: out of memory.
static bool find_rows(Plan* plan, SaddleSchur* schur, Arena* scratch) {
    const SaddlePattern* pattern = plan->pattern;
    const int n_c = schur->n_c;
    int* mark = ARENA_NEW(scratch, n_c, int);  // the last block, from 1, that has the row
    int* next = ARENA_NEW(scratch, n_c + 1, int);
    plan->rows = ARENA_NEW(scratch, pattern->n_entries, int);
    plan->row_start = ARENA_NEW(scratch, schur->n_blocks + 1, int);
    plan->blocks = ARENA_NEW(scratch, pattern->n_entries, int);
    plan->block_start = ARENA_NEW(scratch, n_c + 1, int);
    if (mark == NULL || next == NULL || plan->rows == NULL || plan->row_start == NULL ||
        plan->blocks == NULL || plan->block_start == NULL) {
        return false;
    }
    int n_rows = 0;
    for (int b = 0; b < schur->n_blocks; b++) {
        const SchurBlock* block = &schur->blocks[b];
        for (int j = block->at; j < block->at + block->n; j++) {
            for (int p = pattern->border[j]; p < pattern->start[j + 1]; p++) {
                const int c = pattern->row[p] - schur->n;
                if (mark[c] != b + 1) {
                    mark[c] = b + 1;
                    plan->rows[n_rows++] = c;
                    plan->block_start[c + 1]++;
                }
            }
        }
        plan->row_start[b + 1] = n_rows;
    }
    for (int c = 0; c < n_c; c++) {
        plan->block_start[c + 1] += plan->block_start[c];
        next[c] = plan->block_start[c];
    }
    for (int b = 0; b < schur->n_blocks; b++) {
        for (int p = plan->row_start[b]; p < plan->row_start[b + 1]; p++) {
            plan->blocks[next[plan->rows[p]]++] = b;
        }
    }
    return true;
}

// Appends row c and all rows that are connected with it to queue, by distance; position (n_c) is -1
// for rows that have not been found yet. Returns the new length.
static int search(const Plan* plan, int c, int n_queued) {
    int next = n_queued;
    plan->queue[n_queued] = c;
    plan->position[c] = n_queued++;
    for (; next < n_queued; next++) {
        const int row = plan->queue[next];
        for (int q = plan->block_start[row]; q < plan->block_start[row + 1]; q++) {
            const int b = plan->blocks[q];
            for (int p = plan->row_start[b]; p < plan->row_start[b + 1]; p++) {
                const int other = plan->rows[p];
                if (plan->position[other] < 0) {
                    plan->queue[n_queued] = other;
                    plan->position[other] = n_queued++;
                }
            }
        }
    }
    return n_queued;
}

static void find_order(const Plan* plan, SaddleSchur* schur) {
    int n_queued = 0;
    for (int c = 0; c < schur->n_c; c++) {
        plan->position[c] = -1;
    }
    for (int c = 0; c < schur->n_c; c++) {
        if (plan->position[c] >= 0) {
            continue;
        }
        const int end = search(plan, c, n_queued);
        const int last = plan->queue[end - 1];  // far away from c: at an end
        for (int k = n_queued; k < end; k++) {
            plan->position[plan->queue[k]] = -1;
        }
        n_queued = search(plan, last, n_queued);
    }
    memcpy(schur->order, plan->queue, (size_t)schur->n_c * sizeof(int));
}

// The first entry of each row of S, and the work of its factorisation
static void find_envelope(const Plan* plan, SaddleSchur* schur, int* first) {
    for (int k = 0; k < schur->n_c; k++) {
        const int row = schur->order[k];
        first[k] = k;
        for (int q = plan->block_start[row]; q < plan->block_start[row + 1]; q++) {
            const int b = plan->blocks[q];
            for (int p = plan->row_start[b]; p < plan->row_start[b + 1]; p++) {
                const int other = plan->position[plan->rows[p]];
                first[k] = other < first[k] ? other : first[k];
            }
        }
        schur->work += (double)(k - first[k]) * (k - first[k]);
    }
}

// Layout of the values, and the rows of each block in the order of elimination.
static bool lay_out(const Plan* plan, SaddleSchur* schur) {
    long long n_A = 0, n_C = 0;
    int n_rows = 0;
    for (int b = 0; b < schur->n_blocks; b++) {
        SchurBlock* block = &schur->blocks[b];
        block->row_at = n_rows;
        block->n_rows = plan->row_start[b + 1] - plan->row_start[b];
        block->A_at = (int)n_A;
        block->C_at = (int)n_C;
        n_A += block->is_diagonal ? block->n : block->n * block->n;
        n_C += (long long)block->n * block->n_rows;
        schur->work += (double)block->n * block->n_rows * block->n_rows;
        if (n_A + 2 * n_C >= INT_MAX) {
            return false;
        }
        for (int p = plan->row_start[b]; p < plan->row_start[b + 1]; p++) {  // sorted by insertion
            const int position = plan->position[plan->rows[p]];
            int k = n_rows++;
            for (; k > block->row_at && schur->row[k - 1] > position; k--) {
                schur->row[k] = schur->row[k - 1];
            }
            schur->row[k] = position;
        }
    }
    schur->n_A = (int)n_A;
    schur->n_C = (int)n_C;
    return true;
}

static int find_row(const SaddleSchur* schur, const SchurBlock* block, int position) {
    int k = 0;
    while (schur->row[block->row_at + k] != position) {
        k++;
    }
    return k;
}

// Where the entry (row i, column j) of the matrix is in the layout
static int find_place(const Plan* plan, const SaddleSchur* schur, int i, int j) {
    const int n = schur->n;
    if (i >= n && j >= n) {
        return schur->n_A + 2 * schur->n_C;  // 0
    }
    const int unknown = i < n ? i : j;
    const SchurBlock* block = &schur->blocks[plan->block_of[unknown]];
    const int k = unknown - block->at;
    if (i < n && j < n) {
        return block->A_at + (block->is_diagonal ? k : k * block->n + j - block->at);
    }
    const int c = (i < n ? j : i) - n;
    const int r = find_row(schur, block, plan->position[c]);
    return schur->n_A + (i < n ? schur->n_C : 0) + block->C_at + r * block->n + k;
}

static bool take_memory(SaddleSchur* schur, Arena* arena) {
    const int n_c = schur->n_c;
    schur->factors = ARENA_NEW(arena, schur->n_A, double);
    schur->Y = ARENA_NEW(arena, schur->n_C, double);
    schur->scale = ARENA_NEW(arena, n_c, double);
    schur->y = ARENA_NEW(arena, n_c, double);
    schur->correction = ARENA_NEW(arena, n_c, double);
    schur->bound = ARENA_NEW(arena, n_c, double);
    return schur->factors != NULL && schur->Y != NULL && schur->scale != NULL && schur->y != NULL &&
           schur->correction != NULL && schur->bound != NULL;
}

// Has the matrix entries in place of its zeros?
static bool couples_rows(const SaddlePattern* pattern) {
    bool result = false;
    for (int c = pattern->n; c < pattern->n_all; c++) {
        result = result || pattern->start[c + 1] - pattern->border[c] > 1;
    }
    return result;
}

static Status make_plan(SaddleSchur* schur, Plan* plan, double work_otherwise, Arena* arena,
                        Arena* scratch) {
    const SaddlePattern* pattern = plan->pattern;
    const int n = schur->n, n_c = schur->n_c;
    plan->block_of = ARENA_NEW(scratch, n, int);
    plan->queue = ARENA_NEW(scratch, n_c, int);
    plan->position = ARENA_NEW(scratch, n_c, int);
    schur->blocks = ARENA_NEW(arena, n, SchurBlock);
    schur->order = ARENA_NEW(arena, n_c, int);
    int* first = ARENA_NEW(arena, n_c, int);
    if (plan->block_of == NULL || plan->queue == NULL || plan->position == NULL ||
        schur->blocks == NULL || schur->order == NULL || first == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    if (couples_rows(pattern) || !find_blocks(plan, schur)) {
        return STATUS_OK;
    }
    if (!find_rows(plan, schur, scratch)) {
        return STATUS_OUT_OF_MEMORY;
    }
    find_order(plan, schur);
    schur->row = ARENA_NEW(arena, plan->row_start[schur->n_blocks], int);
    schur->place = ARENA_NEW(arena, pattern->n_entries, int);
    if (schur->row == NULL || schur->place == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    find_envelope(plan, schur, first);
    if (!lay_out(plan, schur) || schur->work > work_otherwise) {
        return STATUS_OK;
    }
    for (int j = 0; j < pattern->n_all; j++) {
        for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            schur->place[p] = find_place(plan, schur, pattern->row[p], j);
        }
    }
    schur->is_possible = true;
    return saddle_envelope_create(&schur->S, n_c, first, arena);
}

Status saddle_schur_plan(SaddleSchur* schur, const SaddlePattern* pattern, double work_otherwise,
                         Arena* arena) {
    *schur = (SaddleSchur){.n = pattern->n, .n_c = pattern->n_all - pattern->n};
    Arena scratch = {0};
    Plan plan = {.pattern = pattern};
    Status status = make_plan(schur, &plan, work_otherwise, arena, &scratch);
    arena_free(&scratch);
    if (status == STATUS_OK && schur->is_possible && !take_memory(schur, arena)) {
        status = STATUS_OUT_OF_MEMORY;
    }
    return status;
}
