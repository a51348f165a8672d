#include "system/stage_matrix.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "system/derivatives.h"

enum { MOST = STAGES_MAX_FORCES };

typedef struct StageBlock {
    Saddle* saddle;       // NULL: a body whose matrix is its mass
    const Element* body;  // that body
} StageBlock;

struct StageMatrix {
    const Properties* properties;
    StageBlock* blocks;  // (n_blocks)
    int n_blocks;        // assemblies
    int n;               // stages with forces
    double* x;           // (the most equations of an assembly)
    // of one link: blocks and rows in the velocities of its coupling at all stages
    double* block;  // ((MOST COUPLING_MAX)^2)
    int* at;        // (MOST COUPLING_MAX)
};

// --- what is added to a matrix ---

typedef struct Assembling {
    const System* sys;
    const Assembly* assembly;
    const StageTerms* terms;  // NULL: the pattern is recorded, values do not matter
    StageMatrix* matrix;
    const Instant* instant;  // any one of the stages
    int n;                   // stages with forces
    Saddle* saddle;
} Assembling;

// Numbers of the velocities u (n_u) of the assembly at all stages, stage by stage
static void number_all(const Assembling* to, int n_u, const int* u) {
    for (int l = 0; l < to->n; l++) {
        for (int k = 0; k < n_u; k++) {
            to->matrix->at[l * n_u + k] = l * to->assembly->n + u[k];
        }
    }
}

// --- bodies ---

// What a body's blocks of stages j and l are added to
typedef struct BodySink {
    BlockSink sink;
    const Assembling* to;
    const Element* body;
    const int* local;  // of the body's velocities in the assembly
    int j, l;
} BodySink;

static void add_to_saddle(const BlockSink* sink, int n, const int* at, const double* block) {
    const BodySink* body = (const BodySink*)sink;
    const int rows = body->j * body->to->assembly->n;
    const int columns = body->l * body->to->assembly->n;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            saddle_add(body->to->saddle, rows + body->local[at[i]], columns + body->local[at[k]],
                       block[i * n + k]);
        }
    }
}

// The derivative in displacements at stage j of a body made of nodes, whose rotations follow from
// those at all stages, each in the frame that the node has there: block T_jl for translations,
// block times the carried sum of a_jk a_hat_kl for rotations, for all l.
static void add_turned(const BlockSink* sink, int n, const int* at, const double* block) {
    const BodySink* body = (const BodySink*)sink;
    const Assembling* to = body->to;
    const Stages* stages = to->terms != NULL ? to->terms->stages : NULL;
    const int nu = body->body->kind->body->node->nu;
    BodySink of_stage = *body;
    double products[MOST][POINT_MAX_VELOCITIES * POINT_MAX_VELOCITIES] = {{0.0}};
    assert(n <= POINT_MAX_VELOCITIES && n % nu == 0);
    for (int first = 0; first < n && stages != NULL; first += nu) {  // node by node
        Mat3 of_X[MOST];
        stages_node_spread(stages, to->terms->instants, body->body, at[first] / nu, body->j, of_X);
        for (int l = 0; l < to->n; l++) {
            for (int i = 0; i < n; i++) {
                const double* row = block + i * n + first;
                double* product = products[l] + i * n + first;
                const Vec3 w = {row[nu - 3], row[nu - 2], row[nu - 1]};
                for (int k = 0; k < nu - 3; k++) {
                    product[k] = stages->T[body->j][l] * row[k];
                }
                const Vec3 turned = turn3(of_X[l], w);
                product[nu - 3] = turned.x;
                product[nu - 2] = turned.y;
                product[nu - 1] = turned.z;
            }
        }
    }
    for (int l = 0; l < to->n; l++) {
        of_stage.l = l;
        add_to_saddle(&of_stage.sink, n, at, products[l]);
    }
}

// The constant mass of a body at stage j
static void add_mass(const Assembling* to, const Element* body, const int* local, int j) {
    const int n = body->u.n;
    const double* M = properties_mass(to->instant->properties, body);
    const int first = j * to->assembly->n;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            const bool turns = body->kind->body->twist[i] >= 3 && body->kind->body->twist[k] >= 3;
            if (i == k || turns) {  // translations are coupled with nothing
                saddle_add(to->saddle, first + local[i], first + local[k], M[i * n + k]);
            }
        }
    }
}

// M delta_jl - dt (dt T_jl dh/dq + a_hat_jl dh/du)
static void add_body(const Assembling* to, const Element* body) {
    const BodyFunctions* functions = body->kind->body;
    BodySink sink = {.sink = {add_to_saddle},
                     .to = to,
                     .body = body,
                     .local = to->sys->assemblies.local_u + body->u.at};
    const bool turned = functions->node != NULL && functions->position_dependent;
    for (int j = 0; j < to->n; j++) {
        if (functions->mass != NULL) {
            add_mass(to, body, sink.local, j);
        }
        if (functions->tangent == NULL) {
            continue;
        }
        const StageTerms* terms = to->terms;
        const Instant* instant = terms != NULL ? &terms->instants[j] : to->instant;
        const BodyView view = system_body_view(to->sys, instant, body);
        for (int l = 0; l < to->n; l++) {
            BodyTerms values = {.mass = functions->mass == NULL && j == l ? 1.0 : 0.0};
            if (terms != NULL) {
                values.k = turned ? 0.0 : -terms->dt * terms->dt * terms->stages->T[j][l];
                values.d = -terms->dt * terms->stages->a_hat[j][l];
            }
            sink.j = j;
            sink.l = l;
            functions->tangent(&view, values, &sink.sink);
        }
        if (turned) {
            BodySink turning = sink;
            turning.sink.add = add_turned;
            const double k = terms != NULL ? -terms->dt * terms->dt : 0.0;
            functions->tangent(&view, (BodyTerms){.k = k}, &turning.sink);
        }
    }
}

// --- forces and joints ---

// Adds factor times the derivative B (n_u x n_u) in displacements at stage j, which follow from all
// X_l, to the block of a link.
static void add_spread(const Assembling* to, const Link* link, int j, double factor,
                       const double* B) {
    const int n_u = link->coupling.n;
    const int size = to->n * n_u;
    double spread[MOST * COUPLING_MAX];
    for (int i = 0; i < n_u; i++) {
        double* row = to->matrix->block + (ptrdiff_t)(j * n_u + i) * size;
        stages_spread(to->sys, to->terms->stages, to->terms->instants, link, j,
                      B + (ptrdiff_t)i * n_u, spread);
        for (int k = 0; k < size; k++) {
            row[k] += factor * spread[k];
        }
    }
}

static void clear_block(const Assembling* to, int n_u) {
    const size_t size = (size_t)to->n * (size_t)n_u;
    memset(to->matrix->block, 0, size * size * sizeof(double));
}

// - dt (dt dh/dq dQ/dX + a_hat dh/du)
static void add_force(const Assembling* to, const Link* link) {
    const StageTerms* terms = to->terms;
    const int n_u = link->coupling.n;
    double K[COUPLING_MAX * COUPLING_MAX];
    double D[COUPLING_MAX * COUPLING_MAX];
    int local[COUPLING_MAX];
    for (int k = 0; k < n_u; k++) {
        local[k] = to->sys->assemblies.local_u[link->coupling.u[k]];
    }
    number_all(to, n_u, local);
    clear_block(to, n_u);
    for (int j = 0; j < to->n && terms != NULL; j++) {
        system_force_derivatives(&terms->instants[j], link, K, NULL);
        system_force_derivatives(&terms->instants[j], link, NULL, D);
        add_spread(to, link, j, -terms->dt * terms->dt, K);
        for (int l = 0; l < to->n; l++) {
            for (int i = 0; i < n_u * n_u; i++) {
                const int row = j * n_u + i / n_u;
                to->matrix->block[row * (to->n * n_u) + l * n_u + i % n_u] -=
                    terms->dt * terms->stages->a_hat[j][l] * D[i];
            }
        }
    }
    saddle_add_block(to->saddle, to->n * n_u, to->matrix->at, to->matrix->block);
}

// - dt T_jl d(W R_j)/dq of a pin
static void add_pin_geometric(const Assembling* to, int k, const Link* joint, const int* u) {
    const StageTerms* terms = to->terms;
    for (int i = 0; i < joint->coupling.n; i++) {
        double block[MOST * MOST] = {0.0};
        if (!coupling_is_rotation(&joint->coupling, i)) {
            continue;
        }
        for (int j = 0; j < to->n && terms != NULL && terms->geometric; j++) {
            const double* W = terms->joints[j]->joints[k].W + 2 * (ptrdiff_t)i;
            const double* mu = terms->R_g[j] + joint->la.at;
            for (int l = 0; l < to->n; l++) {
                block[j * to->n + l] =
                    terms->dt * terms->stages->T[j][l] * (mu[0] * W[1] - mu[1] * W[0]);
            }
        }
        number_all(to, 1, &u[i]);
        saddle_add_block(to->saddle, to->n, to->matrix->at, block);
    }
}

static void add_geometric(const Assembling* to, const Link* joint, const int* u) {
    const StageTerms* terms = to->terms;
    const int n_u = joint->coupling.n;
    double B[COUPLING_MAX * COUPLING_MAX];
    number_all(to, n_u, u);
    clear_block(to, n_u);
    for (int j = 1; j < to->n && terms != NULL && terms->geometric; j++) {  // Q_1 is given
        system_force_of_rows_derivative(&terms->instants[j], joint, terms->R_g[j] + joint->la.at,
                                        B);
        add_spread(to, joint, j, -terms->dt, B);
    }
    saddle_add_coupling(to->saddle, to->n * n_u, to->matrix->at, to->matrix->block);
}

// Row r of a joint at stage i in all X_l (n n_u)
static void stage_row(const Assembling* to, int k, const Link* joint, int r, int i, double* row) {
    const StageTerms* terms = to->terms;
    const int n_u = joint->coupling.n;
    double W[COUPLING_MAX];
    for (int m = 0; m < n_u; m++) {
        W[m] = terms->joints[i]->joints[k].W[m * joint->la.n + r];
    }
    if (r < joint->rows->n_position_rows) {
        stages_spread(to->sys, terms->stages, terms->instants, joint, i, W, row);
        return;
    }
    for (int l = 0; l < to->n; l++) {
        for (int m = 0; m < n_u; m++) {
            row[l * n_u + m] = terms->stages->a_hat[i][l] * W[m];
        }
    }
}

// The weights that combine the stages of a joint's row
static const double (*combination(const Stages* stages, bool on_position))[STAGES_MAX] {
    return (const double(*)[STAGES_MAX])(on_position ? stages->of_positions
                                                     : stages->of_velocities);
}

static void add_border(const Assembling* to, int k, const Link* joint, const int* u) {
    const int n_u = joint->coupling.n;
    const int size = to->n * n_u;
    const int first = to->sys->assemblies.local_row[joint->la.at];
    double row[MOST * COUPLING_MAX] = {0.0};
    double rows[MOST * MOST * COUPLING_MAX];
    double column[MOST * COUPLING_MAX];
    number_all(to, n_u, u);
    for (int r = 0; r < joint->la.n; r++) {
        memset(rows, 0, sizeof rows);
        const bool on_position = r < joint->rows->n_position_rows;
        for (int i = on_position ? 1 : 0; i <= to->n && to->terms != NULL; i++) {
            const double(*combined)[STAGES_MAX] = combination(to->terms->stages, on_position);
            stage_row(to, k, joint, r, i, row);
            for (int p = 0; p < to->n; p++) {
                for (int m = 0; m < size; m++) {
                    rows[p * size + m] += combined[p][i] * row[m];
                }
            }
        }
        for (int p = 0; p < to->n; p++) {
            memset(column, 0, sizeof column);
            for (int m = 0; m < n_u && to->terms != NULL; m++) {
                column[p * n_u + m] = to->terms->joints[p]->joints[k].W[m * joint->la.n + r];
            }
            saddle_add_border(to->saddle, p * to->assembly->n_c + first + r, size, to->matrix->at,
                              rows + (ptrdiff_t)p * size, column);
        }
    }
}

static void add_all(const Assembling* to) {
    const System* sys = to->sys;
    const Assembly* assembly = to->assembly;
    for (int i = assembly->bodies; i < assembly[1].bodies; i++) {
        add_body(to, sys->bodies[sys->assemblies.bodies[i]]);
    }
    for (int i = assembly->forces; i < assembly[1].forces; i++) {
        add_force(to, &sys->forces[sys->assemblies.forces[i]]);
    }
    for (int i = assembly->joints; i < assembly[1].joints; i++) {
        const int k = sys->assemblies.joints[i];
        const Link* joint = &sys->joints[k];
        const int* u = sys->assemblies.joint_u[k];
        if (joint_is_pin(to->instant, joint)) {
            add_pin_geometric(to, k, joint, u);
        } else {
            add_geometric(to, joint, u);
        }
        add_border(to, k, joint, u);
    }
}

// --- creation ---

static bool is_mass_alone(const System* sys, const Assembly* assembly) {
    const BodyFunctions* body = sys->bodies[sys->assemblies.bodies[assembly->bodies]]->kind->body;
    return assembly_is_one_body(assembly) && body->mass != NULL && !body->position_dependent &&
           !body->velocity_dependent;
}

static Status create_block(const System* sys, const Assembly* assembly, const Instant* instant,
                           Arena* arena, StageMatrix* matrix, StageBlock* block) {
    enum { DENSE_LIMIT = 60 };  // equations
    if (is_mass_alone(sys, assembly)) {
        block->body = sys->bodies[sys->assemblies.bodies[assembly->bodies]];
        return STATUS_OK;
    }
    if (assembly->n > (INT_MAX - 1) / MOST || assembly->n_c > (INT_MAX - 1) / MOST) {
        return STATUS_TOO_LARGE;
    }
    block->saddle =
        saddle_create(matrix->n * assembly->n, matrix->n * assembly->n_c, DENSE_LIMIT, arena);
    if (block->saddle == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    const Assembling to = {.sys = sys,
                           .assembly = assembly,
                           .matrix = matrix,
                           .instant = instant,
                           .n = matrix->n,
                           .saddle = block->saddle};
    saddle_begin_pattern(block->saddle);
    add_all(&to);
    return saddle_end_pattern(block->saddle);
}

Status stage_matrix_create(const System* sys, const Instant* instant, int s, Arena* arena,
                           StageMatrix** created) {
    StageMatrix* matrix = ARENA_NEW(arena, 1, StageMatrix);
    if (matrix == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    *matrix =
        (StageMatrix){.properties = instant->properties,
                      .blocks = ARENA_NEW(arena, sys->assemblies.n, StageBlock),
                      .n = s - 1,
                      .block = ARENA_NEW(arena, MOST * MOST * COUPLING_MAX * COUPLING_MAX, double),
                      .at = ARENA_NEW(arena, MOST * COUPLING_MAX, int)};
    if (matrix->blocks == NULL || matrix->block == NULL || matrix->at == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    *created = matrix;
    int largest = 0;
    for (int a = 0; a < sys->assemblies.n; a++) {
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        const int size = matrix->n * (assembly->n + assembly->n_c);
        largest = size > largest ? size : largest;
        matrix->n_blocks = a + 1;
        const Status status =
            create_block(sys, assembly, instant, arena, matrix, &matrix->blocks[a]);
        if (status != STATUS_OK) {
            return status;
        }
    }
    matrix->x = ARENA_NEW(arena, largest, double);
    return matrix->x != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void stage_matrix_destroy(StageMatrix* matrix) {
    for (int a = 0; matrix != NULL && a < matrix->n_blocks; a++) {
        saddle_destroy(matrix->blocks[a].saddle);
    }
}

// --- factors and solution ---

Status stage_matrix_factor(const System* sys, const StageTerms* terms, StageMatrix* matrix) {
    for (int a = 0; a < matrix->n_blocks; a++) {
        Saddle* saddle = matrix->blocks[a].saddle;
        if (saddle == NULL) {
            continue;
        }
        const Assembling to = {.sys = sys,
                               .assembly = &sys->assemblies.assemblies[a],
                               .terms = terms,
                               .matrix = matrix,
                               .instant = terms->instants,
                               .n = matrix->n,
                               .saddle = saddle};
        saddle_begin(saddle);
        add_all(&to);
        const Status status = saddle_factor(saddle);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

static void apply_mass_inverse(const Properties* properties, const Element* body, double* x) {
    const int n = body->u.n;
    const double* inverse = properties_mass_inverse(properties, body);
    double y[TWIST_SIZE] = {0.0};
    assert(n <= TWIST_SIZE);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            y[i] += inverse[i * n + k] * x[k];
        }
    }
    memcpy(x, y, (size_t)n * sizeof(double));
}

void stage_matrix_solve_assembly(const System* sys, const StageMatrix* matrix, int a, int n_rhs,
                                 double* x) {
    const StageBlock* block = &matrix->blocks[a];
    if (block->saddle != NULL) {
        saddle_solve(block->saddle, n_rhs, x);
        return;
    }
    const int n = sys->assemblies.assemblies[a].n;
    for (int i = 0; i < n_rhs * matrix->n; i++) {
        apply_mass_inverse(matrix->properties, block->body, x + (ptrdiff_t)i * n);
    }
}

void stage_matrix_solve(const System* sys, StageMatrix* matrix, double* x) {
    const int n = matrix->n;
    double* rows = x + (ptrdiff_t)n * sys->nu;
    for (int a = 0; a < matrix->n_blocks; a++) {
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        double* local = matrix->x;
        for (int l = 0; l < n; l++) {
            for (int i = 0; i < assembly->n; i++) {
                local[l * assembly->n + i] = x[l * sys->nu + assembly->u[i]];
            }
            for (int i = 0; i < assembly->n_c; i++) {
                local[n * assembly->n + l * assembly->n_c + i] =
                    rows[l * sys->nla_g + assembly->rows[i]];
            }
        }
        stage_matrix_solve_assembly(sys, matrix, a, 1, local);
        for (int l = 0; l < n; l++) {
            for (int i = 0; i < assembly->n; i++) {
                x[l * sys->nu + assembly->u[i]] = local[l * assembly->n + i];
            }
            for (int i = 0; i < assembly->n_c; i++) {
                rows[l * sys->nla_g + assembly->rows[i]] =
                    local[n * assembly->n + l * assembly->n_c + i];
            }
        }
    }
}

bool stage_matrix_is_redundant(const StageMatrix* matrix) {
    bool any = false;
    for (int a = 0; a < matrix->n_blocks && !any; a++) {
        any = matrix->blocks[a].saddle != NULL && saddle_redundant(matrix->blocks[a].saddle, NULL);
    }
    return any;
}

void stage_matrix_add_row(const System* sys, const Stages* stages, int row, bool on_position, int i,
                          double value, double* x) {
    const double(*combined)[STAGES_MAX] = combination(stages, on_position);
    for (int p = 0; p < stages->n; p++) {
        x[stages->n * sys->nu + p * sys->nla_g + row] += combined[p][i] * value;
    }
}
