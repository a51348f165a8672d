#include "contacts/cone_graph.h"

#include <math.h>
#include <string.h>

Status cone_graph_create(const System* sys, Arena* arena, ConeGraph* graph) {
    *graph = (ConeGraph){.sys = sys, .roots = ARENA_NEW(arena, sys->assemblies.n, BodyRoot)};
    return graph->roots != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// --- masses ---

// Where a velocity of a free body is in its six: translations, rotations
static int component(const Element* body, int i) { return body->kind->body->twist[i]; }

// The inverse of L, J = L L^T, from the inertia (3 x 3), by rows
static void invert_root(const double* J, double* inverse) {
    const double l00 = sqrt(J[0]);
    const double l10 = J[3] / l00;
    const double l11 = sqrt(J[4] - l10 * l10);
    const double l20 = J[6] / l00;
    const double l21 = (J[7] - l20 * l10) / l11;
    const double l22 = sqrt(J[8] - l20 * l20 - l21 * l21);
    inverse[0] = 1.0 / l00;
    inverse[2] = 1.0 / l11;
    inverse[5] = 1.0 / l22;
    inverse[1] = -l10 * inverse[0] * inverse[2];
    inverse[4] = -l21 * inverse[2] * inverse[5];
    inverse[3] = -(l20 * inverse[0] + l21 * inverse[1]) * inverse[5];
}

static BodyRoot find_root(const Element* body, const double* M) {
    const int n = body->u.n;
    double J[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};  // of rotations that it has not
    BodyRoot root = {.body = body};
    for (int i = 0; i < n; i++) {
        const int at = component(body, i) - 3;
        if (at < 0) {
            root.s = 1.0 / sqrt(M[i * n + i]);
        }
        for (int k = 0; k < n && at >= 0; k++) {
            const int other = component(body, k) - 3;
            if (other >= 0) {
                J[at * 3 + other] = M[i * n + k];
            }
        }
    }
    invert_root(J, root.L_inverse);
    return root;
}

void cone_graph_update(const Properties* properties, const NewtonMatrix* matrix, ConeGraph* graph) {
    for (int a = 0; a < graph->sys->assemblies.n; a++) {
        const Element* body = newton_matrix_free_body(matrix, a);
        graph->roots[a] =
            body != NULL ? find_root(body, properties->M + body->M) : (BodyRoot){.body = NULL};
    }
}

// x (3) = L^-1 x, and L^-T x
static void scale_rotation(const double* L, double* x) {
    x[2] = L[3] * x[0] + L[4] * x[1] + L[5] * x[2];
    x[1] = L[1] * x[0] + L[2] * x[1];
    x[0] = L[0] * x[0];
}
static void unscale_rotation(const double* L, double* x) {
    x[0] = L[0] * x[0] + L[1] * x[1] + L[3] * x[2];
    x[1] = L[2] * x[1] + L[4] * x[2];
    x[2] = L[5] * x[2];
}

// --- rows ---

// The first n rows of one side of a law that is a free body, by its six velocities: rows
// (LAW_MAX_ROWS x 6) of W, the rotations scaled
static void body_rows(const BodyRoot* root, const ActiveLaw* active, const LawSide* side, int n,
                      double (*rows)[6]) {
    const int* u = active->link->coupling.u;
    memset(rows, 0, LAW_MAX_ROWS * sizeof *rows);
    for (int k = side->from; k < side->to; k++) {
        const int at = component(root->body, u[k] - root->body->u.at);
        for (int r = 0; r < n; r++) {
            rows[r][at] = active->W[k * LAW_MAX_ROWS + r];
        }
    }
    for (int r = 0; r < n; r++) {
        scale_rotation(root->L_inverse, rows[r] + 3);
    }
}

// The law as far as it takes part
static ContactLaw form_of(const ActiveLaw* active, bool normals_only) {
    ContactLaw form = active->form;
    form.n_F = normals_only ? 0 : form.n_F;
    return form;
}

// W of a translation of one side: that of component i of the first rows
static const double* translation_row(const BodyRoot* root, const ActiveLaw* active,
                                     const LawSide* side, int i) {
    const int* u = active->link->coupling.u;
    for (int k = side->from; k < side->to; k++) {
        if (component(root->body, u[k] - root->body->u.at) == i) {
            return active->W + (ptrdiff_t)k * LAW_MAX_ROWS;
        }
    }
    return NULL;
}

// Do the translations of two free bodies count with opposite signs?
static bool is_opposite(const BodyRoot* const* roots, const ActiveLaw* active, int n) {
    for (int i = 0; i < 3; i++) {
        const double* a = translation_row(roots[0], active, &active->sides->sides[0], i);
        const double* b = translation_row(roots[1], active, &active->sides->sides[1], i);
        if (a == NULL || b == NULL) {
            return a == b && i == 2;  // of the plane both
        }
        for (int r = 0; r < n; r++) {
            if (a[r] != -b[r]) {
                return false;
            }
        }
    }
    return true;
}

// Is it a contact of one or two free bodies?
static bool is_simple(const ConeGraph* graph, const ActiveLaw* active, const ContactLaw* form) {
    const BodyRoot* roots[LAW_MAX_SIDES];
    const int n = active->sides->n;
    if (!form->normal || form->n_F >= CONE_ROWS || form->slides || n < 1) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        roots[j] = &graph->roots[active->sides->sides[j].assembly];
        if (roots[j]->body == NULL) {
            return false;
        }
    }
    return n == 1 || is_opposite(roots, active, contact_law_rows(form));
}

// --- simple laws ---

static double dot_rows(const double* a, const double* b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// W^T M^-1 W of two rows
static double mobility(const ConeLaw* law, double translation, int r, int c) {
    return translation * dot_rows(law->D[r], law->D[c], 3) + dot_rows(law->R_a[r], law->R_a[c], 3) +
           dot_rows(law->R_b[r], law->R_b[c], 3);
}

// G of normal and friction. A projection to the cone moves both at once: it needs measures that are
// no less than the whole block.
static void measure(double translation, bool relaxed, ConeLaw* law) {
    const double G_11 = mobility(law, translation, 1, 1);
    const double G_22 = mobility(law, translation, 2, 2);
    const double G_12 = mobility(law, translation, 1, 2);
    const double half = 0.5 * (G_11 - G_22);
    law->G_N = mobility(law, translation, 0, 0);
    law->G_F = 0.5 * (G_11 + G_22) + sqrt(half * half + G_12 * G_12);
    for (int i = 0; i < 2; i++) {
        law->G_FN[i] = mobility(law, translation, 1 + i, 0);
    }
    if (relaxed) {
        const double coupling = sqrt(law->G_FN[0] * law->G_FN[0] + law->G_FN[1] * law->G_FN[1]);
        law->G_N += coupling;
        law->G_F += coupling;
    }
}

static void fill_simple(const ConeGraph* graph, const ContactSet* set, const ActiveLaw* active,
                        const ContactLaw* form, ConeLaw* law) {
    const int n = contact_law_rows(form);
    double rows[LAW_MAX_ROWS][6];
    double translation = 0.0;
    memset(law, 0, sizeof *law);
    for (int j = active->sides->n - 1; j >= 0; j--) {  // the rows of a stay
        const LawSide* side = &active->sides->sides[j];
        const BodyRoot* root = &graph->roots[side->assembly];
        body_rows(root, active, side, n, rows);
        law->bodies[j] = 1 + side->assembly;
        translation += root->s * root->s;
        for (int r = 0; r < n; r++) {
            memcpy(j == 0 ? law->R_a[r] : law->R_b[r], rows[r] + 3, sizeof law->R_a[r]);
        }
    }
    for (int r = 0; r < n; r++) {
        memcpy(law->D[r], rows[r], sizeof law->D[r]);
        law->b[r] = set->b[active->row + r];
        law->P[r] = set->P[active->row + r];
    }
    law->mu = form->n_F > 0 ? form->mu : 0.0;
    measure(translation, graph->problem.relaxed, law);
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
            W[i * LAW_MAX_ROWS + r] = i < 3 ? root->s * rows[r][i] : rows[r][i];
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

static Status fill_joined_side(const ConeGraph* graph, const NewtonMatrix* matrix,
                               const ActiveLaw* active, const LawSide* side, int n_rows, Pool* pool,
                               ConeSide* wide) {
    const System* sys = graph->sys;
    const Assembly* assembly = &sys->assemblies.assemblies[side->assembly];
    const int n = side->to - side->from;
    const int size = assembly->n + assembly->n_c;
    if (graph->joined[side->assembly] == NULL) {
        graph->joined[side->assembly] = take_zeros(pool, (size_t)size, sizeof(double));
    }
    double* V = pool_take(pool, (size_t)size * LAW_MAX_ROWS);
    int* at = pool_take_bytes(pool, (size_t)n, sizeof *at);
    const size_t used = pool->used;
    double* columns = take_zeros(pool, (size_t)size * LAW_MAX_ROWS, sizeof(double));
    if (graph->joined[side->assembly] == NULL || V == NULL || at == NULL || columns == NULL) {
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

static Status fill_wide(const ConeGraph* graph, const ContactSet* set, const NewtonMatrix* matrix,
                        const ActiveLaw* active, const ContactLaw* form, Pool* pool,
                        ConeWide* law) {
    const int n_rows = contact_law_rows(form);
    *law = (ConeWide){.form = *form, .n_sides = active->sides->n};
    for (int j = 0; j < law->n_sides; j++) {
        const LawSide* side = &active->sides->sides[j];
        const Status status =
            graph->roots[side->assembly].body != NULL
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
static Status lay_bodies(bool relaxed, Pool* pool, ConeGraph* graph) {
    const size_t n_assemblies = (size_t)graph->sys->assemblies.n;
    ConeBody* bodies = take_zeros(pool, n_assemblies + 1, sizeof *bodies);
    graph->joined = take_zeros(pool, n_assemblies, sizeof *graph->joined);
    if (bodies == NULL || graph->joined == NULL) {
        return STATUS_NO_ROOM;
    }
    for (size_t a = 0; a < n_assemblies; a++) {
        bodies[1 + a].s = graph->roots[a].body != NULL ? graph->roots[a].s : 0.0;
    }
    graph->problem =
        (ConeProblem){.bodies = bodies, .n_bodies = (int)n_assemblies + 1, .relaxed = relaxed};
    return STATUS_OK;
}

// Which place each active law has (graph->place, (n)): -1 if it takes no part. Room for all of them
static Status lay_laws(const ContactSet* set, bool normals_only, Pool* pool, ConeGraph* graph) {
    ConeProblem* problem = &graph->problem;
    ConeOrder order = {.open = 0};
    graph->place = pool_take_bytes(pool, (size_t)set->n, sizeof *graph->place);
    const size_t used = pool->used;
    order.taken = take_zeros(pool, (size_t)problem->n_bodies, sizeof *order.taken);
    if (graph->place == NULL || order.taken == NULL) {
        return STATUS_NO_ROOM;
    }
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactLaw form = form_of(active, normals_only);
        const LawSides* sides = active->sides;
        graph->place[i] = -1;
        if (is_simple(graph, active, &form)) {
            graph->place[i] = cone_order_place(&order, 1 + sides->sides[0].assembly,
                                               sides->n > 1 ? 1 + sides->sides[1].assembly : 0);
        } else if (contact_law_rows(&form) > 0) {
            graph->place[i] = -2 - problem->n_wide++;
        }
    }
    pool->used = used;
    problem->n_blocks = order.n_blocks;
    problem->blocks = take_zeros(pool, (size_t)problem->n_blocks, sizeof *problem->blocks);
    problem->wide = take_zeros(pool, (size_t)problem->n_wide, sizeof *problem->wide);
    const int n_places = cone_problem_places(problem) + problem->n_wide;
    graph->law_of = pool_take_bytes(pool, (size_t)n_places, sizeof *graph->law_of);
    if (problem->blocks == NULL || problem->wide == NULL || graph->law_of == NULL) {
        return STATUS_NO_ROOM;
    }
    for (int i = 0; i < set->n; i++) {
        if (graph->place[i] < -1) {
            graph->place[i] = cone_problem_places(problem) - 2 - graph->place[i];
        }
        if (graph->place[i] >= 0) {
            graph->law_of[graph->place[i]] = i;
        }
    }
    return STATUS_OK;
}

Status cone_graph_fill(const ContactSet* set, const NewtonMatrix* matrix, ConeGraphOptions options,
                       Pool* pool, ConeGraph* graph) {
    ConeProblem* problem = &graph->problem;
    pool->used = 0;
    Status status = lay_bodies(options.relaxed, pool, graph);
    if (status == STATUS_OK) {
        status = lay_laws(set, options.normals_only, pool, graph);
    }
    for (int i = 0; i < set->n && status == STATUS_OK; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactLaw form = form_of(active, options.normals_only);
        const int wide = graph->place[i] - cone_problem_places(problem);
        if (wide >= 0) {
            status = fill_wide(graph, set, matrix, active, &form, pool, &problem->wide[wide]);
        } else if (graph->place[i] >= 0) {
            ConeLaw law;
            fill_simple(graph, set, active, &form, &law);
            cone_problem_set(problem, graph->place[i], &law);
        }
    }
    return status;
}

// What percussions change of a body
static void take_body(const BodyRoot* root, const ConeBody* body, double* x) {
    double du[6];
    memcpy(du, body->y, sizeof du);
    for (int i = 0; i < 3; i++) {
        du[i] *= root->s;
    }
    unscale_rotation(root->L_inverse, du + 3);
    for (int i = 0; i < root->body->u.n; i++) {
        x[root->body->u.at + i] += du[component(root->body, i)];
    }
}

void cone_graph_add_velocities(const ConeGraph* graph, double* x) {
    const System* sys = graph->sys;
    for (int a = 0; a < sys->assemblies.n; a++) {
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        const double* y = graph->joined[a];
        if (graph->roots[a].body != NULL) {
            take_body(&graph->roots[a], &graph->problem.bodies[1 + a], x);
        }
        for (int i = 0; i < assembly->n && y != NULL; i++) {
            x[assembly->u[i]] += y[i];
        }
        for (int i = 0; i < assembly->n_c && y != NULL; i++) {
            x[sys->nu + assembly->rows[i]] += y[assembly->n + i];
        }
    }
}

void cone_graph_take_percussions(const ConeGraph* graph, ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double P[LAW_MAX_ROWS];
        if (graph->place[i] >= 0) {
            cone_problem_percussions(&graph->problem, graph->place[i], P);
            memcpy(set->P + active->row, P,
                   (size_t)contact_law_rows(&active->form) * sizeof(double));
        }
    }
}
