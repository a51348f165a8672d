#include "contacts/percussions.h"

#include <math.h>
#include <string.h>

// The problem of one island: the laws that take part and their rows.
typedef struct Part {
    const ContactSet* set;
    const Island* island;
    ContactLaw* laws;  // (n) that take part
    int* rows;         // (m) their rows in the set
    int* number;       // (laws of the island) the number of each among those that take part, or -1
    int n, m;
    double *b, *P;  // (m)
} Part;

static ContactLaw* take_laws(Pool* pool, int n) {
    return (void*)pool_take(pool,
                            ((size_t)n * sizeof(ContactLaw) + sizeof(double) - 1) / sizeof(double));
}

static Status collect(const ContactSet* set, const Island* island, Pool* pool, Part* part) {
    const int n = island->laws.n;
    const int m = island->rows.n;
    *part = (Part){.set = set,
                   .island = island,
                   .laws = take_laws(pool, n),
                   .rows = pool_take_bytes(pool, (size_t)m, sizeof(int)),
                   .number = pool_take_bytes(pool, (size_t)n, sizeof(int)),
                   .b = pool_take(pool, (size_t)m),
                   .P = pool_take(pool, (size_t)m)};
    if (part->laws == NULL || part->rows == NULL || part->number == NULL || part->b == NULL ||
        part->P == NULL) {
        return STATUS_NO_ROOM;
    }
    for (int i = 0; i < n; i++) {
        const ContactLaw* law = &set->laws[island->laws.at + i];
        const int rows = contact_law_rows(law);
        part->number[i] = rows > 0 ? part->n : -1;
        if (rows == 0) {
            continue;
        }
        part->laws[part->n] = *law;
        part->laws[part->n++].at = part->m;
        for (int r = 0; r < rows; r++) {
            const int row = set->active[island->laws.at + i].row + r;
            part->rows[part->m] = row;
            part->b[part->m] = set->b[row];
            part->P[part->m++] = set->P[row];
        }
    }
    return STATUS_OK;
}

// --- the operator ---

static Status dense_operator(const Part* part, Pool* pool, ContactOperator* G) {
    const size_t m = (size_t)part->m;
    const size_t m_all = (size_t)part->island->rows.n;
    if (m == m_all) {  // all rows, and in the same order
        *G = contact_operator_dense(part->n, part->m, part->laws, part->island->G);
        return STATUS_OK;
    }
    double* values = pool_take(pool, m * m);
    if (values == NULL) {
        return STATUS_NO_ROOM;
    }
    for (size_t j = 0; j < m; j++) {
        const double* column =
            part->island->G + (size_t)(part->rows[j] - part->island->rows.at) * m_all;
        for (size_t i = 0; i < m; i++) {
            values[j * m + i] = column[part->rows[i] - part->island->rows.at];
        }
    }
    *G = contact_operator_dense(part->n, part->m, part->laws, values);
    return STATUS_OK;
}

// The first rows of a block (n_from rows) into one of n_to rows, n_columns of them
static void copy_block(int n_from, int n_to, int n_columns, const double* from, double* to) {
    for (int c = 0; c < n_columns; c++) {
        memcpy(to + (ptrdiff_t)c * n_to, from + (ptrdiff_t)c * n_from,
               (size_t)n_to * sizeof(double));
    }
}

// Blocks among the laws that take part, from those of all laws of the island
static Status block_operator(const Part* part, Pool* pool, ContactBlocks* blocks,
                             ContactOperator* G) {
    const ContactBlocks* all = &part->island->blocks;
    const size_t n_all = (size_t)all->start[part->island->laws.n];
    int* start = pool_take_bytes(pool, (size_t)part->n + 1, sizeof(int));
    int* neighbour = pool_take_bytes(pool, n_all, sizeof(int));
    size_t* offset = (void*)pool_take(pool, n_all * sizeof(size_t) / sizeof(double));
    double* values = pool_take(pool, n_all * LAW_MAX_ROWS * LAW_MAX_ROWS);
    double* diagonal = pool_take(pool, (size_t)part->m);
    if (start == NULL || neighbour == NULL || offset == NULL || values == NULL ||
        diagonal == NULL) {
        return STATUS_NO_ROOM;
    }
    int n = 0;
    start[0] = 0;
    for (int i = 0; i < part->island->laws.n; i++) {
        if (part->number[i] < 0) {
            continue;
        }
        const ContactLaw* law = &part->laws[part->number[i]];
        const int rows = contact_law_rows(law);
        const int rows_all = contact_law_rows(&part->set->active[part->island->laws.at + i].form);
        for (int e = all->start[i]; e < all->start[i + 1]; e++) {
            const int other = part->number[all->neighbour[e]];
            if (other < 0) {
                continue;
            }
            neighbour[n] = other;
            offset[n] = (size_t)n * LAW_MAX_ROWS * LAW_MAX_ROWS;
            copy_block(rows_all, rows, contact_law_rows(&part->laws[other]),
                       all->values + all->offset[e], values + offset[n]);
            n++;
        }
        start[part->number[i] + 1] = n;
        for (int r = 0; r < rows; r++) {
            diagonal[law->at + r] = all->diagonal[part->rows[law->at + r] - part->island->rows.at];
        }
    }
    *blocks = (ContactBlocks){start, neighbour, offset, values, diagonal};
    *G = contact_operator_blocks(part->n, part->m, part->laws, blocks);
    return STATUS_OK;
}

// --- one island ---

// The largest velocity of a row without percussions, in the norm of energy
static double scale_of_b(const ContactProblem* problem) {
    double scale = 0.0;
    for (int i = 0; i < problem->m; i++) {
        const double G = contact_operator_diagonal(&problem->G, i);
        scale = G > 0.0 ? fmax(scale, fabs(problem->b[i]) / sqrt(G)) : scale;
    }
    return scale;
}

// The active law of that number among those that take part; the last of the island if none has it
static int law_in_set(const Part* part, int number) {
    int i = 0;
    while (i < part->island->laws.n - 1 && part->number[i] != number) {
        i++;
    }
    return part->island->laws.at + i;
}

void percussion_info_add(const ContactSolverInfo* solved, int worst, PercussionInfo* info) {
    info->iterations += solved->iterations + solved->interior_steps + solved->sweeps;
    info->regularised = info->regularised || solved->regularised;
    info->swept = info->swept || solved->rung > CONTACT_NEWTON;
    info->unsolvable = info->unsolvable || solved->unsolvable;
    if (!(solved->error <= info->error)) {
        info->error = solved->error;
        info->worst = worst;
    }
}

static Status solve_by_ladder(const ContactProblem* problem, const PercussionTask* task, Pool* pool,
                              double* P, ContactSolverInfo* solved) {
    const size_t n_scratch = contact_scratch_size(problem->n, problem->m);
    double* memory = pool_take(pool, (n_scratch + sizeof(double) - 1) / sizeof(double));
    if (memory == NULL) {
        return STATUS_NO_ROOM;
    }
    const ContactScratch scratch = contact_scratch_lay(memory, problem->n, problem->m);
    return contact_solver_solve(problem, &task->options, &scratch, P, solved);
}

Status contact_island_solve(const ContactProblem* problem, const PercussionTask* task, Pool* pool,
                            double* P, ContactSolverInfo* solved) {
    ContactProblem scaled = *problem;
    scaled.scale = task->scale > 0.0 ? task->scale : scale_of_b(problem);
    if (problem->n == 1 && contact_solver_solve_one(&scaled, &task->options, P, solved)) {
        return STATUS_OK;
    }
    return solve_by_ladder(&scaled, task, pool, P, solved);
}

static Status solve_island(ContactSet* set, Island* island, const PercussionTask* task, Pool* pool,
                           PercussionInfo* info) {
    Part part;
    ContactBlocks blocks;
    ContactProblem problem = {.r = task->r};
    Status status = collect(set, island, pool, &part);
    if (status != STATUS_OK || part.m == 0) {
        return status;
    }
    status = island->G != NULL ? dense_operator(&part, pool, &problem.G)
                               : block_operator(&part, pool, &blocks, &problem.G);
    if (status != STATUS_OK) {
        return status;
    }
    ContactSolverInfo solved;
    problem.n = part.n;
    problem.m = part.m;
    problem.laws = part.laws;
    problem.b = part.b;
    status = contact_island_solve(&problem, task, pool, part.P, &solved);
    if (status == STATUS_NO_ROOM) {
        return status;
    }
    for (int i = 0; i < part.m; i++) {
        set->P[part.rows[i]] = part.P[i];
    }
    percussion_info_add(&solved, law_in_set(&part, solved.worst_law), info);
    island->unsolved = island->unsolved || status == STATUS_NO_CONVERGENCE;
    return status;
}

Status percussions_solve(ContactSet* set, const PercussionTask* task, Pool* pool,
                         PercussionInfo* info) {
    const size_t used = pool->used;
    Status result = STATUS_OK;
    *info = (PercussionInfo){0};
    for (int i = 0; i < set->n_islands; i++) {
        const Status status = solve_island(set, &set->islands[i], task, pool, info);
        pool->used = used;
        if (status == STATUS_NO_ROOM || status == STATUS_NOT_FINITE) {
            return status;
        }
        result = status != STATUS_OK ? status : result;
    }
    return result;
}
