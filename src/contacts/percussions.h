// Solves the contact problems of a set, island by island.
#pragma once

#include "contacts/delassus.h"

typedef struct PercussionInfo {
    int iterations;    // of the contact solver, all islands and methods
    bool regularised;  // an island had dependent force directions
    bool swept;        // an island was not solved by Newton's method
    bool unsolvable;   // an island has no solution
    double error;      // the largest of all islands, on the laws as they are
    int worst;         // the active law that has it
} PercussionInfo;

typedef struct PercussionTask {
    double scale, r;  // ContactProblem; scale 0: there is no motion yet, that of b counts
    ContactSolverOptions options;
} PercussionTask;

// No solution, and no point with an error that a step would accept: its further iterations are in
// vain.
static inline bool percussions_are_hopeless(const PercussionInfo* info, double accepted) {
    return info->unsolvable && info->error > accepted;
}

// set->laws (n): the law of each active one in this problem, with its first rows or none of them;
// set->b (m), and set->P (m) as start value and solution, row by row of the set. Rows that do not
// take part are left alone. STATUS_NO_CONVERGENCE if an island is not solved to the tolerance (P is
// the best point found), STATUS_NO_ROOM if the pool has to grow.
MUST_CHECK Status percussions_solve(ContactSet* set, const PercussionTask* task, Pool* pool,
                                    PercussionInfo* info);

// --- for problems of islands that are put together elsewhere ---

// One problem, by cases or by the ladder; its scale is that of the task.
MUST_CHECK Status contact_island_solve(const ContactProblem* problem, const PercussionTask* task,
                                       Pool* pool, double* P, ContactSolverInfo* solved);
// Takes note of what it took, the active law with the largest error being worst.
void percussion_info_add(const ContactSolverInfo* solved, int worst, PercussionInfo* info);
