// The Delassus operator of the active laws, G = W^T A^-1 W, island by island, from the factorised
// Newton matrix A of each assembly. Large islands have blocks for pairs of laws that share an
// assembly instead of a dense matrix.
#pragma once

#include "base/pool.h"
#include "contacts/contact_set.h"
#include "solvers/contact_solver.h"
#include "system/newton_matrix.h"

typedef struct DelassusOptions {
    bool normals_only;  // the other rows are not needed
    bool symmetric;     // A is
    double soft;        // the part of its diagonal by which G is larger
} DelassusOptions;

// V = A^-1 W of each active law and G of each island, in memory of the pool, which is emptied
// first. STATUS_NO_ROOM if the pool has to grow.
MUST_CHECK Status delassus_fill(const System* sys, const NewtonMatrix* matrix,
                                DelassusOptions options, ContactSet* set, Pool* pool);
// The same in what is left of the pool, beside those of another set.
MUST_CHECK Status delassus_fill_beside(const System* sys, const NewtonMatrix* matrix,
                                       DelassusOptions options, ContactSet* set, Pool* pool);

// Of two matrices that are factorised one after the other: V = A^-1 W of the first, without G ...
MUST_CHECK Status delassus_fill_columns(const System* sys, const NewtonMatrix* matrix,
                                        DelassusOptions options, ContactSet* set, Pool* pool);
// ... that of friction as it is where the gap of its own contact is held, if that is wanted ...
void delassus_hold_gaps(const System* sys, const ContactSet* set);
// ... (what G would have on the diagonal at row r of an active law) ...
double delassus_column_diagonal(const System* sys, const ActiveLaw* active, int r);
// ... and 1 - part of it with a part of that of the second, and G of both. STATUS_NO_ROOM likewise.
// parts (m): those of the rows
MUST_CHECK Status delassus_blend(const System* sys, const NewtonMatrix* matrix,
                                 DelassusOptions options, const double* parts, ContactSet* set,
                                 Pool* pool);

// Of rows that act in other directions than W, too: after delassus_fill_columns, V of row r of an
// active law gets A^-1 f, f (nu) ...
MUST_CHECK Status delassus_add_to_column(const System* sys, const NewtonMatrix* matrix,
                                         const ActiveLaw* active, int r, const double* f,
                                         Pool* pool);
// ... and G is made of all. STATUS_NO_ROOM likewise.
MUST_CHECK Status delassus_finish_columns(const System* sys, const NewtonMatrix* matrix,
                                          DelassusOptions options, ContactSet* set, Pool* pool);

// The first unless they are at hand for this matrix; delassus_forget: they are not, the rows have
// changed.
MUST_CHECK Status delassus_prepare(const System* sys, const NewtonMatrix* matrix,
                                   DelassusOptions options, ContactSet* set, Pool* pool);
static inline void delassus_forget(ContactSet* set) { set->version = 0; }

// y (m) += alpha G f, f (m); of normal rows alone if the others are not there
void delassus_apply(const ContactSet* set, double alpha, const double* f, double* y);

// x (nu + nla_g) += V f for f (LAW_MAX_ROWS) of one active law, n of its rows
void delassus_add(const System* sys, const ActiveLaw* active, int n, const double* f, double* x);

// The diagonal of G at row r of an active law.
double delassus_diagonal(const ContactSet* set, const ActiveLaw* active, int r);
