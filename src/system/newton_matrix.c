#include "system/newton_matrix.h"

#include <string.h>

#include "system/derivatives.h"

// A body alone, without joints and forces that depend on the motion: its matrix is its mass block
// with gyroscopic terms.
typedef struct Alone {
    const Element* body;
    const double* M;          // its mass block ...
    const double* M_inverse;  // ... and the inverse
    double* inverse;          // (nu x nu) of M + d D, if that is not M
    const double *q_0, *q_1;  // (nq of the system) displacements between these; or NULL
} Alone;

typedef struct NewtonBlock {
    Saddle* saddle;  // NULL: a body alone
    Alone alone;
    bool position_dependent, velocity_dependent, turning, nonholonomic;
    MatrixTerms terms;  // of the factors, as far as they concern this assembly
    bool valid;
} NewtonBlock;

struct NewtonMatrix {
    const Properties* properties;
    NewtonBlock* blocks;  // (assemblies)
    double* x;            // (the most equations of an assembly)
    const int* M_at;      // (n_bodies) where the mass block of each begins
    long long version;
    long long count;
};

// --- creation ---

static bool is_flexible(const Element* body) { return body->kind->body->flexible != NULL; }

static void set_flags(const System* sys, const Assembly* assembly, NewtonBlock* block) {
    block->position_dependent = block->velocity_dependent = assembly->n_forces > 0;
    for (int i = 0; i < assembly->n_bodies; i++) {
        const Element* body = sys->bodies[assembly->bodies[i]];
        block->position_dependent = block->position_dependent || is_flexible(body);
        block->velocity_dependent =
            block->velocity_dependent || body->kind->body->gyroscopic != NULL;
        block->turning = block->turning || body->kind->body->pull_back != NULL;
    }
    for (int i = 0; i < assembly->n_joints; i++) {
        const Link* joint = &sys->joints[assembly->joints[i]];
        block->nonholonomic =
            block->nonholonomic || joint->rows->n_position_rows < joint->la.n;
    }
}

static bool is_alone(const System* sys, const Assembly* assembly) {
    return assembly->n_bodies == 1 && assembly->n_joints == 0 && assembly->n_forces == 0 &&
           !is_flexible(sys->bodies[assembly->bodies[0]]);
}

static Status assemble(const System* sys, const NewtonMatrix* matrix, const Instant* instant,
                       const JointSet* joints, int a);

static Status create_block(const System* sys, int a, Arena* arena, NewtonMatrix* matrix) {
    enum { DENSE_LIMIT = 60 };  // equations
    const Assembly* assembly = &sys->assemblies.assemblies[a];
    NewtonBlock* block = &matrix->blocks[a];
    set_flags(sys, assembly, block);
    if (is_alone(sys, assembly)) {
        const int b = assembly->bodies[0];
        block->alone = (Alone){.body = sys->bodies[b],
                               .M = matrix->properties->M + matrix->M_at[b],
                               .M_inverse = matrix->properties->M_inverse + matrix->M_at[b],
                               .inverse = ARENA_NEW(arena, assembly->n * assembly->n, double)};
        return block->alone.inverse != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    }
    block->saddle = saddle_create(assembly->n, assembly->n_c, DENSE_LIMIT, arena);
    if (block->saddle == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    saddle_begin_pattern(block->saddle);
    const Status status = assemble(sys, matrix, NULL, NULL, a);
    return status == STATUS_OK ? saddle_end_pattern(block->saddle) : status;
}

Status newton_matrix_create(const System* sys, const Properties* properties, Arena* arena,
                            NewtonMatrix** created) {
    NewtonMatrix* matrix = ARENA_NEW(arena, 1, NewtonMatrix);
    int* M_at = ARENA_NEW(arena, sys->n_bodies, int);
    *created = matrix;
    if (matrix == NULL || M_at == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    *matrix = (NewtonMatrix){.properties = properties,
                             .blocks = ARENA_NEW(arena, sys->assemblies.n, NewtonBlock),
                             .M_at = M_at};
    int n = 0;
    for (int i = 0; i < sys->n_bodies; i++) {
        M_at[i] = n;
        n += is_flexible(sys->bodies[i]) ? 0 : sys->bodies[i]->u.n * sys->bodies[i]->u.n;
    }
    int largest = 0;
    Status status = matrix->blocks != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    for (int a = 0; a < sys->assemblies.n && status == STATUS_OK; a++) {
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        const int size = assembly->n + assembly->n_c;
        largest = size > largest ? size : largest;
        status = create_block(sys, a, arena, matrix);
    }
    matrix->x = ARENA_NEW(arena, largest, double);
    return status == STATUS_OK && matrix->x == NULL ? STATUS_OUT_OF_MEMORY : status;
}

void newton_matrix_destroy(const System* sys, NewtonMatrix* matrix) {
    for (int a = 0; matrix != NULL && matrix->blocks != NULL && a < sys->assemblies.n; a++) {
        saddle_destroy(matrix->blocks[a].saddle);
    }
}

// --- assembly ---

// The number of translations: in a body's block of M they are coupled with nothing.
static int translations(const Element* body) {
    int n = 0;
    while (n < body->u.n && body->kind->body->twist[n] < 3) {
        n++;
    }
    return n;
}

// M Z^-1, Z w the displacement that a change w of the step makes
static void displace_mass(const Element* body, const double* q_1, const double* q_0, double* M) {
    const int n = body->u.n;
    double MZ[TWIST_SIZE * TWIST_SIZE];
    for (int j = 0; j < n; j++) {
        double d[TWIST_SIZE] = {0.0};
        double z[TWIST_SIZE];
        d[j] = 1.0;
        body->kind->body->pull_back(q_1 + body->q.at, q_0 + body->q.at, d, z);
        for (int i = 0; i < n; i++) {
            MZ[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) {
                MZ[i * n + j] += M[i * n + k] * z[k];
            }
        }
    }
    memcpy(M, MZ, (size_t)(n * n) * sizeof(double));
}

static void add_body_block(const System* sys, const Element* body, const double* block,
                           Saddle* saddle) {
    const int* local = sys->assemblies.local_u + body->u.at;
    const int n_u = body->u.n;
    const int first = translations(body);
    const int n = n_u - first;
    double rotations[TWIST_SIZE * TWIST_SIZE];
    for (int i = 0; i < first; i++) {
        saddle_add(saddle, local[i], local[i], block[i * n_u + i]);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            rotations[i * n + j] = block[(first + i) * n_u + first + j];
        }
    }
    saddle_add_block(saddle, n, local + first, rotations);
}

// M + d dh/du of a rigid body's own forces
static void gyroscopic_block(const Element* body, const Instant* instant, double d,
                             const double* M, double* block) {
    const int n = body->u.n;
    memcpy(block, M, (size_t)(n * n) * sizeof(double));
    if (d != 0.0 && body->kind->body->gyroscopic != NULL) {
        const double* p = instant->properties->p + body->p.at;
        double h[TWIST_SIZE] = {0.0};
        double D[TWIST_SIZE * TWIST_SIZE];
        body->kind->body->gyroscopic(p, instant->u + body->u.at, h, D);
        for (int i = 0; i < n * n; i++) {
            block[i] += d * D[i];
        }
    }
}

static void assemble_body(const System* sys, const NewtonMatrix* matrix, const Instant* instant,
                          const MatrixTerms* terms, int b, Saddle* saddle) {
    const Element* body = sys->bodies[b];
    if (is_flexible(body)) {
        const double* p = matrix->properties->p + body->p.at;
        body->kind->body->flexible->assemble(p, body->u.n, terms->k,
                                             sys->assemblies.local_u[body->u.at], saddle);
        return;
    }
    double block[TWIST_SIZE * TWIST_SIZE] = {0.0};
    if (instant != NULL) {
        gyroscopic_block(body, instant, terms->d, matrix->properties->M + matrix->M_at[b], block);
        if (terms->q_0 != NULL && body->kind->body->pull_back != NULL) {
            displace_mass(body, instant->q, terms->q_0, block);
        }
    }
    add_body_block(sys, body, block, saddle);
}

static void assemble_force(const System* sys, const Instant* instant, const MatrixTerms* terms,
                           const Link* force, Saddle* saddle) {
    double K[LOCAL_SIZE * LOCAL_SIZE] = {0.0};
    double D[LOCAL_SIZE * LOCAL_SIZE] = {0.0};
    double block[LOCAL_SIZE * LOCAL_SIZE];
    int at[LOCAL_SIZE];
    const Coupling* coupling = &force->coupling;
    const int n = coupling->n;
    if (instant != NULL && (terms->k != 0.0 || terms->d != 0.0)) {
        system_force_derivatives(instant, force, terms->k != 0.0 ? K : NULL,
                                 terms->d != 0.0 ? D : NULL);
    }
    for (int i = 0; i < n; i++) {
        const int row = coupling->column[i] * LOCAL_SIZE;
        at[i] = sys->assemblies.local_u[coupling->u[i]];
        for (int j = 0; j < n; j++) {
            block[i * n + j] = terms->k * K[row + j] + terms->d * D[row + j];
        }
    }
    saddle_add_block(saddle, n, at, block);
}

static void assemble_joint(const System* sys, const JointRows* rows, const MatrixTerms* terms,
                           const Link* joint, Saddle* saddle) {
    const int n = joint->coupling.n;
    int at[LOCAL_SIZE];
    for (int k = 0; k < n; k++) {
        at[k] = sys->assemblies.local_u[joint->coupling.u[k]];
    }
    for (int r = 0; r < joint->la.n; r++) {
        const bool left_out = terms->positions_only && r >= joint->rows->n_position_rows;
        double row[LOCAL_SIZE];
        for (int k = 0; k < n; k++) {
            row[k] = left_out || rows == NULL ? 0.0 : rows->W[k * joint->la.n + r];
        }
        saddle_add_constraint(saddle, sys->assemblies.local_row[joint->la.at + r], n, at, row);
    }
}

// The matrix of assembly a; its pattern, with zeros for values, if there is no instant
static Status assemble(const System* sys, const NewtonMatrix* matrix, const Instant* instant,
                       const JointSet* joints, int a) {
    const Assembly* assembly = &sys->assemblies.assemblies[a];
    const NewtonBlock* block = &matrix->blocks[a];
    for (int i = 0; i < assembly->n_bodies; i++) {
        assemble_body(sys, matrix, instant, &block->terms, assembly->bodies[i], block->saddle);
    }
    for (int i = 0; i < assembly->n_forces; i++) {
        assemble_force(sys, instant, &block->terms, &sys->forces[assembly->forces[i]],
                       block->saddle);
    }
    for (int i = 0; i < assembly->n_joints; i++) {
        const int joint = assembly->joints[i];
        assemble_joint(sys, joints != NULL ? &joints->joints[joint] : NULL, &block->terms,
                       &sys->joints[joint], block->saddle);
    }
    return STATUS_OK;
}

// --- factors ---

// The terms as far as they concern an assembly
static MatrixTerms terms_of(const NewtonBlock* block, const MatrixTerms* terms) {
    return (MatrixTerms){.k = block->position_dependent ? terms->k : 0.0,
                         .d = block->velocity_dependent ? terms->d : 0.0,
                         .q_0 = block->turning ? terms->q_0 : NULL,
                         .positions_only = block->nonholonomic && terms->positions_only};
}

static bool same_terms(const MatrixTerms* a, const MatrixTerms* b) {
    return a->k == b->k && a->d == b->d && a->q_0 == b->q_0 &&
           a->positions_only == b->positions_only;
}

// inverse (n x n) of a matrix, by the block of rotations; false if it is singular
static bool invert(const Element* body, const double* A, double* inverse) {
    const int n = body->u.n;
    const int first = translations(body);
    const int n_r = n - first;
    double block[TWIST_SIZE * TWIST_SIZE];
    int pivots[TWIST_SIZE];
    memset(inverse, 0, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < first; i++) {
        inverse[i * n + i] = 1.0 / A[i * n + i];
    }
    for (int i = 0; i < n_r; i++) {
        for (int j = 0; j < n_r; j++) {
            block[j * n_r + i] = A[(first + i) * n + first + j];
        }
    }
    if (n_r == 0) {
        return true;
    }
    if (lu_factor(n_r, block, pivots) != STATUS_OK) {
        return false;
    }
    for (int j = 0; j < n_r; j++) {
        double column[TWIST_SIZE] = {0.0};
        column[j] = 1.0;
        lu_solve(n_r, 1, block, pivots, column);
        for (int i = 0; i < n_r; i++) {
            inverse[(first + i) * n + first + j] = column[i];
        }
    }
    return true;
}

static Status factor_alone(const Instant* instant, NewtonBlock* block) {
    Alone* alone = &block->alone;
    alone->q_0 = block->terms.q_0;
    alone->q_1 = instant->q;
    if (block->terms.d == 0.0) {
        return STATUS_OK;
    }
    double A[TWIST_SIZE * TWIST_SIZE];
    gyroscopic_block(alone->body, instant, block->terms.d, alone->M, A);
    return invert(alone->body, A, alone->inverse) ? STATUS_OK : STATUS_SINGULAR;
}

void newton_matrix_forget(const System* sys, NewtonMatrix* matrix) {
    for (int a = 0; a < sys->assemblies.n; a++) {
        matrix->blocks[a].valid = false;
    }
}

Status newton_matrix_factor(const System* sys, const Instant* instant, const JointSet* joints,
                            const MatrixTerms* terms, NewtonMatrix* matrix) {
    bool any = false;
    for (int a = 0; a < sys->assemblies.n; a++) {
        NewtonBlock* block = &matrix->blocks[a];
        const MatrixTerms wanted = terms_of(block, terms);
        if (block->valid && same_terms(&wanted, &block->terms)) {
            continue;
        }
        any = true;
        block->terms = wanted;
        block->valid = false;
        Status status;
        if (block->saddle == NULL) {
            status = factor_alone(instant, block);
        } else {
            matrix->count++;
            saddle_begin(block->saddle);
            status = assemble(sys, matrix, instant, joints, a);
            status = status == STATUS_OK ? saddle_factor(block->saddle) : status;
        }
        if (status != STATUS_OK) {
            return status;
        }
        block->valid = true;
    }
    matrix->version += any;
    return STATUS_OK;
}

long long newton_matrix_version(const NewtonMatrix* matrix) { return matrix->version; }

long long newton_matrix_count(const NewtonMatrix* matrix) { return matrix->count; }

bool newton_matrix_is_symmetric(const System* sys, const MatrixTerms* terms) {
    const bool forces = (terms->k != 0.0 && sys->position_dependent) ||
                        (terms->d != 0.0 && sys->velocity_dependent);
    return !forces && !(terms->q_0 != NULL && sys->turning);
}

// --- solution ---

static void solve_alone(const NewtonBlock* block, int n_rhs, double* x) {
    const Alone* alone = &block->alone;
    const Element* body = alone->body;
    const int n = body->u.n;
    const int first = translations(body);
    const double* inverse = block->terms.d == 0.0 ? alone->M_inverse : alone->inverse;
    for (int j = 0; j < n_rhs; j++, x += n) {
        double y[TWIST_SIZE];
        for (int i = 0; i < first; i++) {
            x[i] *= inverse[i * n + i];
        }
        for (int i = first; i < n; i++) {
            y[i] = 0.0;
            for (int k = first; k < n; k++) {
                y[i] += inverse[i * n + k] * x[k];
            }
        }
        for (int i = first; i < n; i++) {
            x[i] = y[i];
        }
        if (alone->q_0 != NULL) {
            body->kind->body->push_forward(alone->q_1 + body->q.at, alone->q_0 + body->q.at, x, y);
            memcpy(x, y, (size_t)n * sizeof(double));
        }
    }
}

void newton_matrix_solve_assembly(const NewtonMatrix* matrix, int assembly, int n_rhs, double* x) {
    const NewtonBlock* block = &matrix->blocks[assembly];
    if (block->saddle == NULL) {
        solve_alone(block, n_rhs, x);
    } else {
        saddle_solve(block->saddle, n_rhs, x);
    }
}

void newton_matrix_solve(const System* sys, const NewtonMatrix* matrix, double* x) {
    for (int a = 0; a < sys->assemblies.n; a++) {
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        double* local = matrix->x;
        for (int i = 0; i < assembly->n; i++) {
            local[i] = x[assembly->u[i]];
        }
        for (int i = 0; i < assembly->n_c; i++) {
            local[assembly->n + i] = x[sys->nu + assembly->rows[i]];
        }
        newton_matrix_solve_assembly(matrix, a, 1, local);
        for (int i = 0; i < assembly->n; i++) {
            x[assembly->u[i]] = local[i];
        }
        for (int i = 0; i < assembly->n_c; i++) {
            x[sys->nu + assembly->rows[i]] = local[assembly->n + i];
        }
    }
}

int newton_matrix_redundant(const System* sys, const NewtonMatrix* matrix, int* rows) {
    int n = 0;
    for (int a = 0; a < sys->assemblies.n; a++) {
        const NewtonBlock* block = &matrix->blocks[a];
        const int n_found =
            block->saddle != NULL ? saddle_redundant(block->saddle, rows != NULL ? rows + n : NULL)
                                  : 0;
        for (int i = n; i < n + n_found && rows != NULL; i++) {
            rows[i] = sys->assemblies.assemblies[a].rows[rows[i]];
        }
        n += n_found;
    }
    return n;
}
