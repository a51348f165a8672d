#include "contacts/stage_percussions.h"

#include <math.h>
#include <string.h>

double stage_rate(const StageProblem* problem, int i, int p, int r) {
    const ActiveLaw* active = &problem->sets[p + 1]->active[i];
    if (active->form.normal && r == 0) {
        return active->g[0] / problem->dt;
    }
    const double* weights = stage_friction(problem, active->law)[p];
    double rate = 0.0;
    for (int j = 0; j < problem->stages->s; j++) {
        rate += weights[j] * problem->sets[j]->gamma[active->row + r];
    }
    return rate;
}

double stage_rate_weight(const StageProblem* problem, int i, int p, int r) {
    const ActiveLaw* active = &problem->sets[p + 1]->active[i];
    const Stages* stages = problem->stages;
    if (active->form.normal && r == 0) {
        return stages->T[p + 1][p];
    }
    const double* weights = stage_friction(problem, active->law)[p];
    double weight = 0.0;
    for (int j = 0; j < stages->s; j++) {
        weight += weights[j] * stages->a_hat[j][p];
    }
    return fabs(weight);
}

// One island: its laws at all stages, law by law, stage by stage.
typedef struct Part {
    const StageProblem* problem;
    const Island* island;
    int n_laws, m;      // n times those of the island
    ContactLaw* laws;   // (n_laws)
    double** C;         // (laws of the island) rows in X: (n stages x n x coupling.n x rows)
    double** V;         // (laws of the island x LAW_MAX_SIDES) columns: (n x rows) of
                        // n (assembly->n + assembly->n_c)
    double *G, *b, *P;  // (m x m) column-major, (m), (m)
} Part;

static const ActiveLaw* law_at(const Part* part, int i, int stage) {
    return &part->problem->sets[stage]->active[part->island->laws.at + i];
}

// First row of law i of the island at stage p
static int first_row(const Part* part, int i, int p) {
    const ContactLaw* form = &law_at(part, i, 0)->form;
    return part->problem->stages->n * form->at + p * contact_law_rows(form);
}

static size_t assembly_size(const Part* part, int a) {
    const Assembly* assembly = &part->problem->sys->assemblies.assemblies[a];
    return (size_t)part->problem->stages->n * ((size_t)assembly->n + (size_t)assembly->n_c);
}

static void* take_bytes(Pool* pool, size_t n) {
    return pool_take(pool, (n + sizeof(double) - 1) / sizeof(double));
}

static Status take_memory(Part* part) {
    Pool* pool = part->problem->pool;
    const size_t n = (size_t)part->island->laws.n;
    const size_t m = (size_t)part->m;
    part->laws = take_bytes(pool, (size_t)part->n_laws * sizeof(ContactLaw));
    part->C = take_bytes(pool, n * sizeof(double*));
    part->V = take_bytes(pool, n * LAW_MAX_SIDES * sizeof(double*));
    part->G = pool_take(pool, m * m);
    part->b = pool_take(pool, m);
    part->P = pool_take(pool, m);
    return part->laws != NULL && part->C != NULL && part->V != NULL && part->G != NULL &&
                   part->b != NULL && part->P != NULL
               ? STATUS_OK
               : STATUS_NO_ROOM;
}

// --- rows and columns ---

// What stage j contributes to the friction rates of law i that belong to R_p
static void add_friction_rows(const Part* part, int i, int p, int j, double* C) {
    const Stages* stages = part->problem->stages;
    const ActiveLaw* active = law_at(part, i, j);
    const int n_u = active->link->coupling.n;
    const int rows = contact_law_rows(&active->form);
    for (int l = 0; l < stages->n; l++) {
        const double weight =
            stage_friction(part->problem, active->law)[p][j] * stages->a_hat[j][l];
        for (int k = 0; k < n_u && weight != 0.0; k++) {
            for (int r = contact_law_F(&active->form); r < rows; r++) {
                C[(l * n_u + k) * rows + r] += weight * active->W[k * LAW_MAX_ROWS + r];
            }
        }
    }
}

// C of law i: how its rates that belong to R_p follow from X_l, C[((p n + l) coupling.n + k) rows +
// r]
static Status fill_C(const Part* part, int i) {
    const StageProblem* problem = part->problem;
    const Stages* stages = problem->stages;
    const int n = stages->n;
    const Link* link = law_at(part, i, 0)->link;
    const int n_u = link->coupling.n;
    const int rows = contact_law_rows(&law_at(part, i, 0)->form);
    double* C = pool_take(problem->pool, (size_t)(n * n) * (size_t)(n_u * rows));
    double row[COUPLING_MAX];
    double spread[STAGES_MAX_FORCES * COUPLING_MAX];
    if (C == NULL) {
        return STATUS_NO_ROOM;
    }
    part->C[i] = C;
    memset(C, 0, (size_t)(n * n) * (size_t)(n_u * rows) * sizeof(double));
    for (int p = 0; p < n; p++) {
        const ActiveLaw* active = law_at(part, i, p + 1);
        if (active->form.normal) {
            for (int k = 0; k < n_u; k++) {
                row[k] = active->W[k * LAW_MAX_ROWS];
            }
            stages_spread(problem->sys, stages, problem->instants, link, p + 1, row, spread);
            for (int k = 0; k < n * n_u; k++) {
                C[(p * n * n_u + k) * rows] = spread[k];
            }
        }
        for (int j = 0; j < stages->s; j++) {
            add_friction_rows(part, i, p, j, C + (ptrdiff_t)p * n * n_u * rows);
        }
    }
    return STATUS_OK;
}

// V of law i: A^-1 W, W its directions at stage p
static Status fill_V(const Part* part, int i) {
    const StageProblem* problem = part->problem;
    const System* sys = problem->sys;
    const int n = problem->stages->n;
    const LawSides* sides = law_at(part, i, 0)->sides;
    const int rows = contact_law_rows(&law_at(part, i, 0)->form);
    for (int j = 0; j < sides->n; j++) {
        const LawSide* side = &sides->sides[j];
        const Assembly* assembly = &sys->assemblies.assemblies[side->assembly];
        const size_t size = assembly_size(part, side->assembly);
        double* V = pool_take(problem->pool, (size_t)(n * rows) * size);
        if (V == NULL) {
            return STATUS_NO_ROOM;
        }
        part->V[i * LAW_MAX_SIDES + j] = V;
        memset(V, 0, (size_t)(n * rows) * size * sizeof(double));
        for (int p = 0; p < n; p++) {
            const ActiveLaw* active = law_at(part, i, p);
            for (int k = side->from; k < side->to; k++) {
                const int at =
                    p * assembly->n + sys->assemblies.local_u[active->link->coupling.u[k]];
                for (int r = 0; r < rows; r++) {
                    V[(size_t)(p * rows + r) * size + (size_t)at] = active->W[k * LAW_MAX_ROWS + r];
                }
            }
        }
        stage_matrix_solve_assembly(sys, problem->matrix, side->assembly, n * rows, V);
    }
    return STATUS_OK;
}

// Rates (n rows) of law i += C x, x having velocity u of stage l at (l stride + number[u]); over
// the entries from ... to - 1 of its coupling.
static void add_rates(const Part* part, int i, int from, int to, const double* x, int stride,
                      const int* number, double* rates) {
    const int n = part->problem->stages->n;
    const ActiveLaw* active = law_at(part, i, 0);
    const int n_u = active->link->coupling.n;
    const int rows = contact_law_rows(&active->form);
    const double* C = part->C[i];
    for (int p = 0; p < n; p++) {
        for (int l = 0; l < n; l++, C += n_u * rows) {
            for (int k = from; k < to; k++) {
                const int u = active->link->coupling.u[k];
                const double value = x[l * stride + (number != NULL ? number[u] : u)];
                for (int r = 0; r < rows; r++) {
                    rates[p * rows + r] += C[k * rows + r] * value;
                }
            }
        }
    }
}

// Columns of G that law b's forces make, in the rows of law a
static void fill_block(const Part* part, int a, int b) {
    const System* sys = part->problem->sys;
    const int n = part->problem->stages->n;
    const LawSides* sides_a = law_at(part, a, 0)->sides;
    const LawSides* sides_b = law_at(part, b, 0)->sides;
    const int columns = n * contact_law_rows(&law_at(part, b, 0)->form);
    for (int i = 0; i < sides_a->n; i++) {
        const LawSide* side = &sides_a->sides[i];
        for (int j = 0; j < sides_b->n; j++) {
            if (sides_b->sides[j].assembly != side->assembly) {
                continue;
            }
            const size_t size = assembly_size(part, side->assembly);
            for (int c = 0; c < columns; c++) {
                double* G = part->G + (size_t)(first_row(part, b, 0) + c) * (size_t)part->m;
                add_rates(part, a, side->from, side->to,
                          part->V[b * LAW_MAX_SIDES + j] + (size_t)c * size,
                          sys->assemblies.assemblies[side->assembly].n, sys->assemblies.local_u,
                          G + first_row(part, a, 0));
            }
        }
    }
}

// --- the problem ---

// Laws, b and start values of law i at all stages
static void fill_law(const Part* part, int i, const double* x) {
    const StageProblem* problem = part->problem;
    const int n = problem->stages->n;
    const ActiveLaw* active = law_at(part, i, 0);
    const int rows = contact_law_rows(&active->form);
    for (int p = 0; p < n; p++) {
        const int at = first_row(part, i, p);
        ContactLaw* law = &part->laws[i * n + p];
        *law = active->form;
        law->at = at;
        for (int r = 0; r < rows; r++) {
            part->b[at + r] = stage_rate(problem, part->island->laws.at + i, p, r);
            part->P[at + r] = problem->sets[p]->P[active->row + r];
        }
    }
    add_rates(part, i, 0, active->link->coupling.n, x, problem->sys->nu, NULL,
              part->b + first_row(part, i, 0));
}

static Status fill_problem(Part* part, const double* x) {
    const size_t m = (size_t)part->m;
    Status status = take_memory(part);
    for (int i = 0; i < part->island->laws.n && status == STATUS_OK; i++) {
        status = fill_C(part, i);
        status = status == STATUS_OK ? fill_V(part, i) : status;
        if (status == STATUS_OK) {
            fill_law(part, i, x);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    memset(part->G, 0, m * m * sizeof(double));
    for (int a = 0; a < part->island->laws.n; a++) {
        for (int b = 0; b < part->island->laws.n; b++) {
            fill_block(part, a, b);
        }
    }
    return STATUS_OK;
}

// --- the solution ---

// x += V R of law i
static void add_forces(const Part* part, int i, double* x) {
    const System* sys = part->problem->sys;
    const int n = part->problem->stages->n;
    const ActiveLaw* active = law_at(part, i, 0);
    const int columns = n * contact_law_rows(&active->form);
    const double* P = part->P + first_row(part, i, 0);
    double* rows = x + (ptrdiff_t)n * sys->nu;
    for (int j = 0; j < active->sides->n; j++) {
        const int a = active->sides->sides[j].assembly;
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        const double* V = part->V[i * LAW_MAX_SIDES + j];
        for (int c = 0; c < columns; c++, V += assembly_size(part, a)) {
            for (int l = 0; l < n && P[c] != 0.0; l++) {
                for (int k = 0; k < assembly->n; k++) {
                    x[l * sys->nu + assembly->u[k]] += P[c] * V[l * assembly->n + k];
                }
                for (int k = 0; k < assembly->n_c; k++) {
                    rows[l * sys->nla_g + assembly->rows[k]] +=
                        P[c] * V[n * assembly->n + l * assembly->n_c + k];
                }
            }
        }
    }
}

static void take_solution(const Part* part, double* x) {
    const StageProblem* problem = part->problem;
    for (int i = 0; i < part->island->laws.n; i++) {
        const ActiveLaw* active = law_at(part, i, 0);
        for (int p = 0; p < problem->stages->n; p++) {
            memcpy(problem->sets[p]->P + active->row, part->P + first_row(part, i, p),
                   (size_t)contact_law_rows(&active->form) * sizeof(double));
        }
        add_forces(part, i, x);
    }
}

static Status solve_island(const StageProblem* problem, Island* island, double* x,
                           PercussionInfo* info) {
    const int n = problem->stages->n;
    Part part = {.problem = problem,
                 .island = island,
                 .n_laws = n * island->laws.n,
                 .m = n * island->rows.n};
    Status status = fill_problem(&part, x);
    if (status != STATUS_OK) {
        return status;
    }
    const ContactProblem contact = {
        .n = part.n_laws,
        .m = part.m,
        .laws = part.laws,
        .G = contact_operator_dense(part.n_laws, part.m, part.laws, part.G),
        .b = part.b,
        .r = problem->task->r};
    ContactSolverInfo solved;
    status = contact_island_solve(&contact, problem->task, problem->pool, part.P, &solved);
    if (status == STATUS_NO_ROOM) {
        return status;
    }
    take_solution(&part, x);
    percussion_info_add(&solved,
                        island->laws.at + (solved.worst_law < 0 ? 0 : solved.worst_law / n), info);
    island->unsolved = island->unsolved || status == STATUS_NO_CONVERGENCE;
    return status;
}

Status stage_percussions_solve(const StageProblem* problem, double* x, PercussionInfo* info) {
    ContactSet* set = problem->sets[problem->stages->n];
    Status result = STATUS_OK;
    *info = (PercussionInfo){0};
    for (int i = 0; i < set->n_islands; i++) {
        problem->pool->used = 0;
        const Status status = solve_island(problem, &set->islands[i], x, info);
        if (status == STATUS_NO_ROOM || status == STATUS_NOT_FINITE) {
            return status;
        }
        result = status != STATUS_OK ? status : result;
    }
    return result;
}
