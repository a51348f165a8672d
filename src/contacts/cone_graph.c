#include "contacts/cone_graph.h"

#include <math.h>
#include <string.h>

#include "contacts/cone_slabs.h"

Status cone_graph_create(const System* sys, Arena* arena, ConeGraph* graph) {
    *graph = (ConeGraph){.sys = sys,
                         .roots = ARENA_NEW(arena, sys->assemblies.n, BodyRoot),
                         .masses = ARENA_NEW(arena, sys->assemblies.n, MassRoot),
                         .of_masses = -1};
    return graph->roots != NULL && graph->masses != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// The root of a body with the next of the masses, unless it has that of the one before; *next: how
// many there are
static BodyRoot find_root(const Element* body, const double* M, MassRoot* masses, int* next) {
    const MassRoot* last = *next > 0 ? &masses[*next - 1] : NULL;
    if (last == NULL || last->M != M || last->twist != body->kind->body->twist) {
        masses[*next] = mass_root_make(body, M);
        last = &masses[(*next)++];
    }
    return (BodyRoot){.mass = last, .u = body->u.at, .frame = body->frame};
}

void cone_graph_update(const Properties* properties, const NewtonMatrix* matrix, ConeGraph* graph) {
    int n_masses = 0;
    for (int a = 0; a < graph->sys->assemblies.n && graph->of_masses != properties->version; a++) {
        const Element* body = newton_matrix_free_body(matrix, a);
        graph->roots[a] = body != NULL ? find_root(body, properties_mass(properties, body),
                                                   graph->masses, &n_masses)
                                       : (BodyRoot){.mass = NULL};
    }
    graph->of_masses = properties->version;
}

// --- rows ---

// The first n rows of one side of a law that is a free body, by its six velocities: rows
// (LAW_MAX_ROWS x 6) of W, the rotations scaled
static void body_rows(const BodyRoot* root, const ActiveLaw* active, const LawSide* side, int n,
                      double (*rows)[6]) {
    const MassRoot* mass = root->mass;
    const int* u = active->link->coupling.u;
    memset(rows, 0, LAW_MAX_ROWS * sizeof *rows);
    for (int k = side->from; k < side->to; k++) {
        const int at = mass->twist[u[k] - root->u];
        for (int r = 0; r < n; r++) {
            rows[r][at] = active->W[k * LAW_MAX_ROWS + r];
        }
    }
    for (int r = 0; r < n; r++) {
        body_root_scale(mass->L_inverse, rows[r] + 3);
    }
}

// The law as far as it takes part
static ContactLaw form_of(const ActiveLaw* active, bool normals_only) {
    ContactLaw form = active->form;
    form.n_F = normals_only ? 0 : form.n_F;
    return form;
}

// --- wide laws ---

// A side that is a free body: W and V are the same where its velocities are scaled.
static Status fill_body_side(const ConeGraph* graph, const ActiveLaw* active, const LawSide* side,
                             int n_rows, Pool* pool, ConeSide* wide) {
    const BodyRoot* root = &graph->roots[side->assembly];
    double rows[LAW_MAX_ROWS][6];
    double* W = pool_take(pool, 6 * LAW_MAX_ROWS);
    if (W == NULL) {
        return STATUS_NO_ROOM;
    }
    body_rows(root, active, side, n_rows, rows);
    for (int i = 0; i < 6; i++) {
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            W[i * LAW_MAX_ROWS + r] = i < 3 ? root->mass->s * rows[r][i] : rows[r][i];
        }
    }
    *wide = (ConeSide){
        .y = graph->problem.bodies[1 + side->assembly].y, .n = 6, .W = W, .n_V = 6, .V = W};
    return STATUS_OK;
}

static void* take_zeros(Pool* pool, size_t n, size_t size) {
    void* x = pool_take_bytes(pool, n, size);
    if (x != NULL) {
        memset(x, 0, n * size);
    }
    return x;
}

// What changes of an assembly (size); false if there is no room
static bool add_joined(ConeGraph* graph, int assembly, int size, Pool* pool) {
    double* y = take_zeros(pool, 2 * (size_t)size, sizeof *y);
    if (y != NULL) {
        graph->joined[assembly] = y;
        graph->problem.joined[graph->problem.n_joined++] =
            (ConeJoined){.y = y, .last = y + size, .n = size};
    }
    return y != NULL;
}

static Status fill_joined_side(ConeGraph* graph, const NewtonMatrix* matrix,
                               const ActiveLaw* active, const LawSide* side, int n_rows, Pool* pool,
                               ConeSide* wide) {
    const System* sys = graph->sys;
    const Assembly* assembly = &sys->assemblies.assemblies[side->assembly];
    const int n = side->to - side->from;
    const int size = assembly->n + assembly->n_c;
    if (graph->joined[side->assembly] == NULL && !add_joined(graph, side->assembly, size, pool)) {
        return STATUS_NO_ROOM;
    }
    double* V = pool_take(pool, (size_t)size * LAW_MAX_ROWS);
    int* at = pool_take_bytes(pool, (size_t)n, sizeof *at);
    const size_t used = pool->used;
    double* columns = take_zeros(pool, (size_t)size * LAW_MAX_ROWS, sizeof(double));
    if (V == NULL || at == NULL || columns == NULL) {
        return STATUS_NO_ROOM;
    }
    const double* W = active->W + (ptrdiff_t)side->from * LAW_MAX_ROWS;
    for (int k = 0; k < n; k++) {
        at[k] = sys->assemblies.local_u[active->link->coupling.u[side->from + k]];
        for (int r = 0; r < n_rows; r++) {
            columns[r * size + at[k]] = W[k * LAW_MAX_ROWS + r];
        }
    }
    newton_matrix_solve_assembly(matrix, side->assembly, n_rows, columns);
    for (int i = 0; i < size; i++) {
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            V[i * LAW_MAX_ROWS + r] = columns[r * size + i];
        }
    }
    pool->used = used;
    *wide = (ConeSide){
        .y = graph->joined[side->assembly], .n = n, .at = at, .W = W, .n_V = size, .V = V};
    return STATUS_OK;
}

// G of its own rows: what a unit percussion of each does to itself, other sides included
static void measure_wide(ConeWide* law) {
    for (int j = 0; j < law->n_sides; j++) {
        const ConeSide* side = &law->sides[j];
        for (int k = 0; k < side->n; k++) {
            const int at = side->at != NULL ? side->at[k] : k;
            for (int r = 0; r < contact_law_rows(&law->form); r++) {
                law->G[r] += side->W[k * LAW_MAX_ROWS + r] * side->V[at * LAW_MAX_ROWS + r];
            }
        }
    }
}

static Status fill_wide(ConeGraph* graph, const ContactSet* set, const NewtonMatrix* matrix,
                        const ActiveLaw* active, const ContactLaw* form, Pool* pool,
                        ConeWide* law) {
    const int n_rows = contact_law_rows(form);
    *law = (ConeWide){.form = *form, .n_sides = active->sides->n};
    for (int j = 0; j < law->n_sides; j++) {
        const LawSide* side = &active->sides->sides[j];
        const Status status =
            body_root_is_free(&graph->roots[side->assembly])
                ? fill_body_side(graph, active, side, n_rows, pool, &law->sides[j])
                : fill_joined_side(graph, matrix, active, side, n_rows, pool, &law->sides[j]);
        if (status != STATUS_OK) {
            return status;
        }
    }
    for (int r = 0; r < n_rows; r++) {
        law->b[r] = set->b[active->row + r];
        law->P[r] = set->P[active->row + r];
    }
    measure_wide(law);
    return STATUS_OK;
}

// --- all ---

// Bodies at rest
static Status lay_bodies(Pool* pool, ConeGraph* graph) {
    ConeProblem* problem = &graph->problem;
    const size_t n_assemblies = (size_t)graph->sys->assemblies.n;
    const size_t n_bodies = (size_t)problem->n_bodies;
    problem->bodies = pool_take_lines(pool, n_bodies, sizeof *problem->bodies);
    graph->joined = take_zeros(pool, n_assemblies, sizeof *graph->joined);
    if (problem->bodies == NULL || graph->joined == NULL) {
        return STATUS_NO_ROOM;
    }
    memset(problem->bodies, 0, n_bodies * sizeof *problem->bodies);
    for (size_t a = 0; a < n_assemblies; a++) {
        problem->bodies[1 + a].s =
            body_root_is_free(&graph->roots[a]) ? graph->roots[a].mass->s : 0.0;
    }
    return STATUS_OK;
}

// Room for all laws, and which of the system's laws each place has
static Status lay_laws(const ContactSet* set, Pool* pool, ConeGraph* graph) {
    ConeProblem* problem = &graph->problem;
    ConePoints* points = &graph->points;
    ConeOrder order = {.open = 0};
    const size_t used = pool->used;
    order.taken = take_zeros(pool, (size_t)problem->n_bodies, sizeof *order.taken);
    if (order.taken == NULL) {
        return STATUS_NO_ROOM;
    }
    cone_points_place(&order, points, problem);
    pool->used = used;
    problem->n_blocks = order.n_blocks;
    problem->n_wide = set->n;
    problem->blocks = pool_take_bytes(pool, (size_t)problem->n_blocks, sizeof *problem->blocks);
    problem->wide = take_zeros(pool, (size_t)problem->n_wide, sizeof *problem->wide);
    problem->joined =
        pool_take_bytes(pool, LAW_MAX_SIDES * (size_t)problem->n_wide, sizeof *problem->joined);
    const int n_places = cone_problem_places(problem);
    graph->law_of =
        pool_take_bytes(pool, (size_t)n_places + (size_t)problem->n_wide, sizeof *graph->law_of);
    if (problem->blocks == NULL || problem->wide == NULL || problem->joined == NULL ||
        graph->law_of == NULL) {
        return STATUS_NO_ROOM;
    }
    for (int i = 0; i < points->n; i++) {
        graph->law_of[points->points[i].place] = points->points[i].law;
    }
    for (int i = 0; i < set->n; i++) {
        graph->law_of[n_places + i] = set->active[i].law;
    }
    return STATUS_OK;
}

Status cone_graph_begin(Pool* pool, ConeGraph* graph) {
    pool->used = 0;
    graph->points.n = 0;
    graph->points.points =
        pool_take_bytes(pool, (size_t)graph->sys->n_laws, sizeof *graph->points.points);
    graph->points.bodies =
        pool_take_bytes(pool, 1 + (size_t)graph->sys->assemblies.n, sizeof *graph->points.bodies);
    graph->used = pool->used;
    return graph->points.points != NULL && graph->points.bodies != NULL ? STATUS_OK
                                                                        : STATUS_NO_ROOM;
}

bool cone_graph_add_point(const double* p, int law, ConeGraph* graph) {
    return cone_points_add(graph->sys, graph->roots, p, law, &graph->points);
}

Status cone_graph_lay(const ContactSet* set, const Instant* instant, const double* change,
                      bool relaxed, Crew* crew, Pool* pool, ConeGraph* graph) {
    pool->used = graph->used;
    graph->problem = (ConeProblem){.n_bodies = 1 + graph->sys->assemblies.n,
                                   .n_rows = CONE_ROWS,
                                   .relaxed = relaxed,
                                   .crew = crew};
    Status status = cone_slabs_divide(graph->roots, instant, pool, &graph->points, &graph->problem);
    if (status == STATUS_OK) {
        status = lay_bodies(pool, graph);
    }
    if (status == STATUS_OK) {
        status = lay_laws(set, pool, graph);
    }
    if (status == STATUS_OK) {
        graph->laid = pool->used;
        cone_points_evaluate(graph->sys, graph->roots, instant, change, &graph->points,
                             &graph->problem);
    }
    return status;
}

void cone_graph_lay_normals(const Instant* instant, double dt, Pool* pool, ConeGraph* graph) {
    ConeProblem* problem = &graph->problem;
    pool->used = graph->laid;
    memset(graph->joined, 0, (size_t)graph->sys->assemblies.n * sizeof *graph->joined);
    problem->n_joined = 0;
    memset(problem->wide, 0, (size_t)problem->n_wide * sizeof *problem->wide);
    cone_problem_restart_normals(problem);
    cone_points_evaluate_normals(graph->sys, graph->roots, instant, dt, &graph->points, problem);
}

Status cone_graph_fill(const ContactSet* set, const NewtonMatrix* matrix, Pool* pool,
                       ConeGraph* graph) {
    const bool normals_only = graph->problem.n_rows == 1;
    Status status = STATUS_OK;
    for (int i = 0; i < set->n && status == STATUS_OK; i++) {
        const ContactLaw form = form_of(&set->active[i], normals_only);
        if (contact_law_rows(&form) > 0) {
            status = fill_wide(graph, set, matrix, &set->active[i], &form, pool,
                               &graph->problem.wide[i]);
        }
    }
    return status;
}

// What percussions change of a body
static void take_body(const BodyRoot* root, const ConeBody* body, double* x) {
    const MassRoot* mass = root->mass;
    double du[6];
    memcpy(du, body->y, sizeof du);
    for (int i = 0; i < 3; i++) {
        du[i] *= mass->s;
    }
    body_root_unscale(mass->L_inverse, du + 3);
    for (int i = 0; i < mass->n; i++) {
        x[root->u + i] += du[mass->twist[i]];
    }
}

// What percussions change of an assembly: y (n + n_c)
static void take_assembly(const System* sys, const Assembly* assembly, const double* y, double* x) {
    for (int i = 0; i < assembly->n; i++) {
        x[assembly->u[i]] += y[i];
    }
    for (int i = 0; i < assembly->n_c; i++) {
        x[sys->nu + assembly->rows[i]] += y[assembly->n + i];
    }
}

void cone_graph_add_velocities(const ConeGraph* graph, double* x) {
    const System* sys = graph->sys;
    for (int a = 0; a < sys->assemblies.n; a++) {
        if (body_root_is_free(&graph->roots[a])) {
            take_body(&graph->roots[a], &graph->problem.bodies[1 + a], x);
        }
        if (graph->joined[a] != NULL) {
            take_assembly(sys, &sys->assemblies.assemblies[a], graph->joined[a], x);
        }
    }
}

void cone_graph_take_percussions(const ConeGraph* graph, ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        memcpy(set->P + active->row, graph->problem.wide[i].P,
               (size_t)contact_law_rows(&active->form) * sizeof(double));
    }
}
