#include "contacts/delassus.h"

#include <string.h>

// Rows of an active law that take part
static int rows_of(const ActiveLaw* active, DelassusOptions options) {
    return options.normals_only ? (int)active->form.normal : contact_law_rows(&active->form);
}

static size_t assembly_size(const System* sys, int a) {
    const Assembly* assembly = &sys->assemblies.assemblies[a];
    return (size_t)assembly->n + (size_t)assembly->n_c;
}

// --- V ---

// V of one side: columns of W in the numbering of its assembly, solved for
static void fill_columns(const System* sys, const NewtonMatrix* matrix, const ActiveLaw* active,
                         const LawSide* side, int n, double* V) {
    const size_t size = assembly_size(sys, side->assembly);
    const int* u = active->link->coupling.u;
    memset(V, 0, (size_t)n * size * sizeof(double));
    for (int k = side->from; k < side->to; k++) {
        const size_t at = (size_t)sys->assemblies.local_u[u[k]];
        for (int r = 0; r < n; r++) {
            V[(size_t)r * size + at] = active->W[k * LAW_MAX_ROWS + r];
        }
    }
    newton_matrix_solve_assembly(matrix, side->assembly, n, V);
}

static Status fill_V(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                     ContactSet* set, Pool* pool) {
    for (int i = 0; i < set->n; i++) {
        ActiveLaw* active = &set->active[i];
        const int n = rows_of(active, options);
        for (int j = 0; j < active->sides->n; j++) {
            const LawSide* side = &active->sides->sides[j];
            active->V[j] = pool_take(pool, (size_t)n * assembly_size(sys, side->assembly));
            if (active->V[j] == NULL) {
                return STATUS_NO_ROOM;
            }
            fill_columns(sys, matrix, active, side, n, active->V[j]);
        }
    }
    return STATUS_OK;
}

void delassus_add(const System* sys, const ActiveLaw* active, int n, const double* f, double* x) {
    for (int j = 0; j < active->sides->n; j++) {
        const Assembly* assembly = &sys->assemblies.assemblies[active->sides->sides[j].assembly];
        const double* V = active->V[j];
        for (int r = 0; r < n; r++, V += assembly->n + assembly->n_c) {
            if (f[r] == 0.0) {
                continue;
            }
            for (int i = 0; i < assembly->n; i++) {
                x[assembly->u[i]] += V[i] * f[r];
            }
            for (int i = 0; i < assembly->n_c; i++) {
                x[sys->nu + assembly->rows[i]] += V[assembly->n + i] * f[r];
            }
        }
    }
}

// --- G ---

// The least that a friction row has on the diagonal of G, as a part of what it would have without
// joints. Where joints keep a row from moving, its friction has no effect on the motion; with this
// floor it has the friction of its law all the same, which the joints then carry.
static const double BLOCKED = 1e-9;

// The diagonal of G is at least this.
static void find_floor(const System* sys, const ActiveLaw* active, const double* M_diagonal,
                       double* floor) {
    memset(floor, 0, LAW_MAX_ROWS * sizeof(double));
    if (sys->n_joints > 0) {
        active_mobility(active, M_diagonal, floor);
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            floor[r] = active->form.normal && r == 0 ? 0.0 : BLOCKED * floor[r];
        }
    }
}

// column (LAW_MAX_ROWS) += W^T V over one side of a law
static inline void add_column(const LawSide* side, const int* local, const int* u, const double* W,
                              const double* V, double* column) {
    double sum[LAW_MAX_ROWS];
    memcpy(sum, column, sizeof sum);
    for (int k = side->from; k < side->to; k++) {
        const double v = V[local[u[k]]];
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            sum[r] += W[k * LAW_MAX_ROWS + r] * v;
        }
    }
    memcpy(column, sum, sizeof sum);
}

// block (LAW_MAX_ROWS x n_b, column-major) = W_a^T V_b; false if they share no assembly
static bool make_block(const System* sys, const ActiveLaw* a, const ActiveLaw* b, int n_b,
                       double* block) {
    const int* local = sys->assemblies.local_u;
    const int* u = a->link->coupling.u;
    bool any = false;
    memset(block, 0, (size_t)n_b * LAW_MAX_ROWS * sizeof(double));
    for (int i = 0; i < a->sides->n; i++) {
        const LawSide* side = &a->sides->sides[i];
        for (int j = 0; j < b->sides->n; j++) {
            if (b->sides->sides[j].assembly != side->assembly) {
                continue;
            }
            any = true;
            const size_t size = assembly_size(sys, side->assembly);
            for (int c = 0; c < n_b; c++) {
                add_column(side, local, u, a->W, b->V[j] + (size_t)c * size,
                           block + (ptrdiff_t)c * LAW_MAX_ROWS);
            }
        }
    }
    return any;
}

static void fill_dense(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                       const ContactSet* set, const Island* island) {
    const size_t m = (size_t)island->rows.n;
    const int end = island->laws.at + island->laws.n;
    if (island->laws.n > 1) {
        memset(island->G, 0, m * m * sizeof(double));
    }
    for (int i = island->laws.at; i < end; i++) {
        const ActiveLaw* a = &set->active[i];
        const int n_a = rows_of(a, options);
        double floor[LAW_MAX_ROWS];
        find_floor(sys, a, newton_matrix_M_diagonal(matrix), floor);
        for (int j = options.symmetric ? i : island->laws.at; j < end; j++) {
            const ActiveLaw* b = &set->active[j];
            const int n_b = rows_of(b, options);
            double block[LAW_MAX_ROWS * LAW_MAX_ROWS];
            if (!make_block(sys, a, b, n_b, block)) {
                continue;
            }
            for (int c = 0; c < n_b; c++) {
                for (int r = 0; r < n_a; r++) {
                    const size_t row = (size_t)a->form.at + (size_t)r;
                    const size_t column = (size_t)b->form.at + (size_t)c;
                    island->G[column * m + row] = block[c * LAW_MAX_ROWS + r];
                    if (options.symmetric) {
                        island->G[row * m + column] = block[c * LAW_MAX_ROWS + r];
                    }
                }
            }
        }
        for (int r = 0; r < n_a; r++) {
            double* diagonal = &island->G[(size_t)(a->form.at + r) * (m + 1)];
            *diagonal = (1.0 + options.soft) * (*diagonal < floor[r] ? floor[r] : *diagonal);
        }
    }
}

// The laws of an island by assembly: a list through the sides of the laws, 2 i and 2 i + 1 being
// those of law i.
typedef struct Neighbours {
    int* first;  // (assemblies) -1: none
    int* next;   // (2 x laws of the island)
    int* seen;   // (laws of the island) the last law that found this one
} Neighbours;

static bool list_neighbours(const System* sys, const ContactSet* set, const Island* island,
                            Pool* pool, Neighbours* list) {
    const size_t n = (size_t)island->laws.n;
    list->first = pool_take_bytes(pool, (size_t)sys->assemblies.n, sizeof(int));
    list->next = pool_take_bytes(pool, LAW_MAX_SIDES * n, sizeof(int));
    list->seen = pool_take_bytes(pool, n, sizeof(int));
    if (list->first == NULL || list->next == NULL || list->seen == NULL) {
        return false;
    }
    for (int a = 0; a < sys->assemblies.n; a++) {
        list->first[a] = -1;
    }
    for (int i = island->laws.n - 1; i >= 0; i--) {  // so that lists ascend
        const LawSides* sides = set->active[island->laws.at + i].sides;
        list->seen[i] = -1;
        for (int j = 0; j < sides->n; j++) {
            const int a = sides->sides[j].assembly;
            list->next[LAW_MAX_SIDES * i + j] = list->first[a];
            list->first[a] = LAW_MAX_SIDES * i + j;
        }
    }
    return true;
}

// Finds the laws that share an assembly with law i of the island: itself first, then the others as
// they come. With neighbour NULL they are counted only.
static int find_neighbours(const ContactSet* set, const Island* island, const Neighbours* list,
                           int i, int stamp, int* neighbour) {
    const LawSides* sides = set->active[island->laws.at + i].sides;
    int n = 0;
    list->seen[i] = stamp;
    if (neighbour != NULL) {
        neighbour[n] = i;
    }
    n++;
    for (int j = 0; j < sides->n; j++) {
        for (int e = list->first[sides->sides[j].assembly]; e >= 0; e = list->next[e]) {
            const int other = e / LAW_MAX_SIDES;
            if (list->seen[other] != stamp) {
                list->seen[other] = stamp;
                if (neighbour != NULL) {
                    neighbour[n] = other;
                }
                n++;
            }
        }
    }
    return n;
}

// Blocks of a large island.
static Status fill_blocks(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                          const ContactSet* set, Island* island, Pool* pool) {
    const int n = island->laws.n;
    Neighbours list;
    int* start = pool_take_bytes(pool, (size_t)n + 1, sizeof(int));
    double* diagonal = pool_take(pool, (size_t)island->rows.n);
    if (start == NULL || diagonal == NULL || !list_neighbours(sys, set, island, pool, &list)) {
        return STATUS_NO_ROOM;
    }
    start[0] = 0;
    for (int i = 0; i < n; i++) {
        start[i + 1] = start[i] + find_neighbours(set, island, &list, i, i, NULL);
    }
    const size_t n_blocks = (size_t)start[n];
    int* neighbour = pool_take_bytes(pool, n_blocks, sizeof(int));
    size_t* offset = pool_take_bytes(pool, n_blocks, sizeof(size_t));
    double* values = pool_take(pool, n_blocks * LAW_MAX_ROWS * LAW_MAX_ROWS);
    if (neighbour == NULL || offset == NULL || values == NULL) {
        return STATUS_NO_ROOM;
    }
    for (int i = 0; i < n; i++) {
        const ActiveLaw* a = &set->active[island->laws.at + i];
        const int n_a = contact_law_rows(&a->form);
        (void)find_neighbours(set, island, &list, i, n + i, neighbour + start[i]);
        for (int e = start[i]; e < start[i + 1]; e++) {
            const ActiveLaw* b = &set->active[island->laws.at + neighbour[e]];
            const int n_b = rows_of(b, options);
            double block[LAW_MAX_ROWS * LAW_MAX_ROWS];
            offset[e] = (size_t)e * LAW_MAX_ROWS * LAW_MAX_ROWS;
            (void)make_block(sys, a, b, n_b, block);
            for (int c = 0; c < n_b; c++) {
                for (int r = 0; r < n_a; r++) {
                    values[offset[e] + (size_t)(c * n_a + r)] = block[c * LAW_MAX_ROWS + r];
                }
            }
        }
        double floor[LAW_MAX_ROWS];
        find_floor(sys, a, newton_matrix_M_diagonal(matrix), floor);
        for (int r = 0; r < rows_of(a, options); r++) {
            double* own = &values[offset[start[i]] + (size_t)(r * n_a + r)];
            *own = (1.0 + options.soft) * (*own < floor[r] ? floor[r] : *own);
            diagonal[a->form.at + r] = *own;
        }
    }
    island->blocks = (ContactBlocks){.start = start,
                                     .neighbour = neighbour,
                                     .offset = offset,
                                     .values = values,
                                     .diagonal = diagonal};
    return STATUS_OK;
}

double delassus_diagonal(const ContactSet* set, const ActiveLaw* active, int r) {
    const Island* island = &set->islands[active->island];
    const size_t i = (size_t)active->form.at + (size_t)r;
    return island->G != NULL ? island->G[i * (size_t)island->rows.n + i]
                             : island->blocks.diagonal[i];
}

// Rows of an active law that are there
static int filled_rows(const ContactSet* set, const ActiveLaw* active) {
    return rows_of(active, (DelassusOptions){.normals_only = set->normals_only});
}

// All rows are there: an island's are in a row
static void apply_full(const Island* island, double alpha, const double* f, double* y) {
    const int m = island->rows.n;
    const double* column = island->G;
    double* to = y + island->rows.at;
    for (int c = 0; c < m; c++, column += m) {
        const double factor = alpha * f[island->rows.at + c];
        for (int r = 0; r < m && factor != 0.0; r++) {
            to[r] += column[r] * factor;
        }
    }
}

static void apply_dense(const ContactSet* set, const Island* island, double alpha, const double* f,
                        double* y) {
    if (!set->normals_only) {
        apply_full(island, alpha, f, y);
        return;
    }
    const size_t m = (size_t)island->rows.n;
    const int end = island->laws.at + island->laws.n;
    for (int j = island->laws.at; j < end; j++) {
        const ActiveLaw* b = &set->active[j];
        for (int c = 0; c < filled_rows(set, b); c++) {
            const double factor = alpha * f[b->row + c];
            const double* column = island->G + (size_t)(b->form.at + c) * m;
            for (int i = island->laws.at; i < end && factor != 0.0; i++) {
                const ActiveLaw* a = &set->active[i];
                for (int r = 0; r < filled_rows(set, a); r++) {
                    y[a->row + r] += column[a->form.at + r] * factor;
                }
            }
        }
    }
}

static void apply_blocks(const ContactSet* set, const Island* island, double alpha, const double* f,
                         double* y) {
    const ContactBlocks* blocks = &island->blocks;
    for (int i = 0; i < island->laws.n; i++) {
        const ActiveLaw* a = &set->active[island->laws.at + i];
        const int n_a = contact_law_rows(&a->form);
        for (int e = blocks->start[i]; e < blocks->start[i + 1]; e++) {
            const ActiveLaw* b = &set->active[island->laws.at + blocks->neighbour[e]];
            const double* values = blocks->values + blocks->offset[e];
            for (int c = 0; c < filled_rows(set, b); c++) {
                for (int r = 0; r < filled_rows(set, a); r++) {
                    y[a->row + r] += values[c * n_a + r] * (alpha * f[b->row + c]);
                }
            }
        }
    }
}

void delassus_apply(const ContactSet* set, double alpha, const double* f, double* y) {
    for (int i = 0; i < set->n_islands; i++) {
        const Island* island = &set->islands[i];
        (island->G != NULL ? apply_dense : apply_blocks)(set, island, alpha, f, y);
    }
}

Status delassus_prepare(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                        ContactSet* set, Pool* pool) {
    const bool at_hand = set->version == newton_matrix_version(matrix) &&
                         (options.normals_only || !set->normals_only);
    return at_hand ? STATUS_OK : delassus_fill(sys, matrix, options, set, pool);
}

Status delassus_fill(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                     ContactSet* set, Pool* pool) {
    pool->used = 0;
    return delassus_fill_beside(sys, matrix, options, set, pool);
}

// G of each island from V
static Status fill_G(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                     ContactSet* set, Pool* pool) {
    Status status = STATUS_OK;
    for (int i = 0; i < set->n_islands && status == STATUS_OK; i++) {
        Island* island = &set->islands[i];
        const size_t m = (size_t)island->rows.n;
        island->G = NULL;
        if (island->rows.n > CONTACT_DENSE_ROWS) {
            status = fill_blocks(sys, matrix, options, set, island, pool);
            continue;
        }
        island->G = pool_take(pool, m * m);
        if (island->G == NULL) {
            return STATUS_NO_ROOM;
        }
        fill_dense(sys, matrix, options, set, island);
    }
    return status;
}

Status delassus_fill_beside(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                            ContactSet* set, Pool* pool) {
    set->version = newton_matrix_version(matrix);
    set->normals_only = options.normals_only;
    const Status status = fill_V(sys, matrix, options, set, pool);
    return status == STATUS_OK ? fill_G(sys, matrix, options, set, pool) : status;
}

Status delassus_fill_columns(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                             ContactSet* set, Pool* pool) {
    pool->used = 0;
    set->normals_only = options.normals_only;
    return fill_V(sys, matrix, options, set, pool);
}

double delassus_column_diagonal(const System* sys, const ActiveLaw* active, int r) {
    double block[LAW_MAX_ROWS * LAW_MAX_ROWS];
    (void)make_block(sys, active, active, contact_law_rows(&active->form), block);
    return block[r * LAW_MAX_ROWS + r];
}

void delassus_hold_gaps(const System* sys, const ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const int n = contact_law_rows(&active->form);
        double block[LAW_MAX_ROWS * LAW_MAX_ROWS];  // its first row: G_NN, G_NF ...
        (void)make_block(sys, active, active, n, block);
        if (!active->form.normal || !(block[0] > 0.0)) {
            continue;
        }
        for (int j = 0; j < active->sides->n; j++) {
            const size_t size = assembly_size(sys, active->sides->sides[j].assembly);
            double* V = active->V[j];
            for (int r = 1; r < n; r++) {
                for (size_t k = 0; k < size; k++) {
                    V[(size_t)r * size + k] -= V[k] * (block[r * LAW_MAX_ROWS] / block[0]);
                }
            }
        }
    }
}

Status delassus_blend(const System* sys, const NewtonMatrix* matrix, DelassusOptions options,
                      const double* parts, ContactSet* set, Pool* pool) {
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const int n = rows_of(active, options);
        for (int j = 0; j < active->sides->n; j++) {
            const LawSide* side = &active->sides->sides[j];
            const size_t size = assembly_size(sys, side->assembly);
            const size_t used = pool->used;
            double* V = pool_take(pool, (size_t)n * size);
            if (V == NULL) {
                return STATUS_NO_ROOM;
            }
            fill_columns(sys, matrix, active, side, n, V);
            for (size_t k = 0; k < (size_t)n * size; k++) {
                const double part = parts[active->row + (int)(k / size)];
                active->V[j][k] += part * (V[k] - active->V[j][k]);
            }
            pool->used = used;
        }
    }
    return delassus_finish_columns(sys, matrix, options, set, pool);
}

Status delassus_add_to_column(const System* sys, const NewtonMatrix* matrix,
                              const ActiveLaw* active, int r, const double* f, Pool* pool) {
    for (int j = 0; j < active->sides->n; j++) {
        const int a = active->sides->sides[j].assembly;
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        const size_t size = assembly_size(sys, a);
        const size_t used = pool->used;
        double* x = pool_take(pool, size);
        if (x == NULL) {
            return STATUS_NO_ROOM;
        }
        memset(x, 0, size * sizeof(double));
        for (int i = 0; i < assembly->n; i++) {
            x[i] = f[assembly->u[i]];
        }
        newton_matrix_solve_assembly(matrix, a, 1, x);
        for (size_t k = 0; k < size; k++) {
            active->V[j][(size_t)r * size + k] += x[k];
        }
        pool->used = used;
    }
    return STATUS_OK;
}

Status delassus_finish_columns(const System* sys, const NewtonMatrix* matrix,
                               DelassusOptions options, ContactSet* set, Pool* pool) {
    delassus_forget(set);
    return fill_G(sys, matrix, options, set, pool);
}
