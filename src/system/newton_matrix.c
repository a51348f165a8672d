#include "system/newton_matrix.h"

#include <string.h>

#include "linalg/vec3.h"

// A rigid body without joints and forces that depend on the motion is alone: its matrix is its mass
// block with gyroscopic terms.
typedef struct NewtonBlock {
    union {
        Saddle* saddle;
        const Element* body;  // that is alone
    };
    int inverse;         // of a body alone: where that of M + d D, if that is not M, begins: of the
                         // translations, then of the rotations, row-major
    int n_translations;  // which are coupled with nothing
    bool alone;
    bool position_dependent, velocity_dependent, turning, nonholonomic, closed;
    bool is_mass;  // of a body alone: its matrix is its mass
    bool valid;
} NewtonBlock;

struct NewtonMatrix {
    const Properties* properties;
    NewtonBlock* blocks;  // (n)
    MatrixTerms terms;    // of the factors that are valid
    const double* q_1;    // (nq of the system) where they were made
    double* inverses;     // of bodies alone
    int n;                // assemblies
    double* x;            // (the most equations of an assembly)
    long long version;    // counts factorisations of anything ...
    long long count;      // ... and of matrices of several bodies
};

// --- creation ---

static void set_flags(const System* sys, const Assembly* assembly, NewtonBlock* block) {
    block->position_dependent = block->velocity_dependent = assembly->forces < assembly[1].forces;
    block->closed = assembly->closed;
    for (int i = assembly->bodies; i < assembly[1].bodies; i++) {
        const BodyFunctions* body = sys->bodies[sys->assemblies.bodies[i]]->kind->body;
        block->position_dependent = block->position_dependent || body->position_dependent;
        block->velocity_dependent = block->velocity_dependent || body->velocity_dependent;
        block->turning = block->turning || body->node != NULL;
    }
    for (int i = assembly->joints; i < assembly[1].joints; i++) {
        const Link* joint = &sys->joints[sys->assemblies.joints[i]];
        block->nonholonomic = block->nonholonomic || joint->rows->n_position_rows < joint->la.n;
    }
}

static bool is_alone(const System* sys, const Assembly* assembly) {
    const BodyFunctions* body = sys->bodies[sys->assemblies.bodies[assembly->bodies]]->kind->body;
    return assembly_is_one_body(assembly) && body->mass != NULL && !body->position_dependent;
}

// The number of translations: in a body's block of M they are coupled with nothing.
static int translations(const Element* body) {
    int n = 0;
    while (n < body->u.n && body->kind->body->twist[n] < 3) {
        n++;
    }
    return n;
}

// n_inverses: entries of the inverses so far
static Status create_block(const System* sys, const Assembly* assembly, const Instant* instant,
                           Arena* arena, int* n_inverses, NewtonBlock* block) {
    enum { DENSE_LIMIT = 60 };  // equations
    set_flags(sys, assembly, block);
    if (is_alone(sys, assembly)) {
        block->alone = true;
        block->body = sys->bodies[sys->assemblies.bodies[assembly->bodies]];
        block->inverse = *n_inverses;
        block->n_translations = translations(block->body);
        const int n_rotations = assembly->n - block->n_translations;
        *n_inverses += block->n_translations + n_rotations * n_rotations;
        return STATUS_OK;
    }
    block->saddle = saddle_create(assembly->n, assembly->n_c, DENSE_LIMIT, arena);
    return block->saddle != NULL ? system_record_pattern(sys, assembly, instant, block->saddle)
                                 : STATUS_OUT_OF_MEMORY;
}

Status newton_matrix_create(const System* sys, const Instant* instant, Arena* arena,
                            NewtonMatrix** created) {
    const Assemblies* assemblies = &sys->assemblies;
    NewtonMatrix* matrix = ARENA_NEW(arena, 1, NewtonMatrix);
    *created = matrix;
    if (matrix == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    *matrix = (NewtonMatrix){.properties = instant->properties,
                             .blocks = ARENA_NEW(arena, assemblies->n, NewtonBlock)};
    int largest = 0;
    int n_inverses = 0;
    Status status = matrix->blocks != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    for (int a = 0; a < assemblies->n && status == STATUS_OK; a++) {
        const Assembly* assembly = &assemblies->assemblies[a];
        const int size = assembly->n + assembly->n_c;
        largest = size > largest ? size : largest;
        matrix->n = a + 1;
        status = create_block(sys, assembly, instant, arena, &n_inverses, &matrix->blocks[a]);
    }
    matrix->x = ARENA_NEW(arena, largest, double);
    matrix->inverses = ARENA_NEW(arena, n_inverses, double);
    const bool ok = matrix->x != NULL && matrix->inverses != NULL;
    return status == STATUS_OK && !ok ? STATUS_OUT_OF_MEMORY : status;
}

void newton_matrix_destroy(NewtonMatrix* matrix) {
    for (int a = 0; matrix != NULL && a < matrix->n; a++) {
        if (!matrix->blocks[a].alone) {
            saddle_destroy(matrix->blocks[a].saddle);
        }
    }
}

// --- factors ---

// The terms as far as they concern an assembly
static MatrixTerms terms_of(const NewtonBlock* block, const MatrixTerms* terms) {
    // without loops no row depends on others: where masses differ much, angles are small all the
    // same
    const bool may_depend = block->closed && terms->dependent > 0.0;
    return (MatrixTerms){.k = block->position_dependent ? terms->k : 0.0,
                         .d = block->velocity_dependent ? terms->d : 0.0,
                         .q_0 = block->turning ? terms->q_0 : NULL,
                         .positions_only = block->nonholonomic && terms->positions_only,
                         .geometric = terms->geometric,
                         .mu_g = terms->mu_g,
                         .directions = terms->directions,
                         .rate = terms->rate,
                         .end = terms->end,
                         .dependent = may_depend ? terms->dependent : SADDLE_DEPENDENT_ANGLE};
}

static bool same_terms(const MatrixTerms* a, const MatrixTerms* b) {
    return a->k == b->k && a->d == b->d && a->q_0 == b->q_0 &&
           a->positions_only == b->positions_only && a->geometric == b->geometric &&
           a->directions == b->directions && a->rate == b->rate && a->dependent == b->dependent;
}

// Are the terms of an assembly those that it had of all terms before?
static bool has_terms(const NewtonBlock* block, const MatrixTerms* before,
                      const MatrixTerms* wanted) {
    const MatrixTerms had = terms_of(block, before);
    return same_terms(&had, wanted);
}

// The inverse of the matrix of a body, as in NewtonBlock: translations are coupled with nothing; of
// three rotations by the cross products of the rows. False if it is singular.
static bool invert(const NewtonBlock* block, const double* A, double* inverse) {
    const int n = block->body->u.n;
    const int first = block->n_translations;
    const int n_rotations = n - first;
    double* turning = inverse + first;
    for (int i = 0; i < first; i++) {
        inverse[i] = 1.0 / A[i * n + i];
    }
    const double* R = A + (ptrdiff_t)first * (n + 1);
    if (n_rotations < 3) {
        for (int i = 0; i < n_rotations * n_rotations; i++) {
            turning[i] = i % (n_rotations + 1) == 0 ? 1.0 / R[i / n_rotations * (n + 1)] : 0.0;
        }
        return true;
    }
    const Vec3 a = {R[0], R[1], R[2]};
    const Vec3 b = {R[n], R[n + 1], R[n + 2]};
    const Vec3 c = {R[2 * n], R[2 * n + 1], R[2 * n + 2]};
    const Vec3 columns[3] = {cross3(b, c), cross3(c, a), cross3(a, b)};
    const double determinant = dot3(a, columns[0]);
    for (int j = 0; j < 3; j++) {
        turning[j] = columns[j].x / determinant;
        turning[3 + j] = columns[j].y / determinant;
        turning[6 + j] = columns[j].z / determinant;
    }
    return determinant != 0.0;
}

// A block that is added to a small matrix
typedef struct DenseSink {
    BlockSink sink;
    double* A;  // (n x n)
    int n;
} DenseSink;

static void add_to_dense(const BlockSink* sink, int n, const int* at, const double* block) {
    const DenseSink* dense = (const DenseSink*)sink;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            dense->A[at[i] * dense->n + at[j]] += block[i * n + j];
        }
    }
}

// Is the inertia the same about all axes? Then there are no gyroscopic forces.
static bool turns_alike(int n, int first, const double* M) {
    bool alike = n - first == 3;
    for (int i = first; i < n && alike; i++) {
        for (int j = first; j < n; j++) {
            alike = alike && M[i * n + j] == (i == j ? M[first * n + first] : 0.0);
        }
    }
    return alike;
}

static Status factor_alone(const System* sys, const Instant* instant, const MatrixTerms* terms,
                           NewtonBlock* block, double* inverses) {
    const Element* body = block->body;
    const double* M = properties_mass(instant->properties, body);
    block->is_mass = terms->d == 0.0 || turns_alike(body->u.n, block->n_translations, M);
    if (block->is_mass) {
        return STATUS_OK;
    }
    double A[TWIST_SIZE * TWIST_SIZE];
    const DenseSink sink = {{add_to_dense}, A, body->u.n};
    const BodyView view = system_body_view(sys, instant, body);
    memcpy(A, M, (size_t)(body->u.n * body->u.n) * sizeof(double));
    body->kind->body->tangent(&view, (BodyTerms){.d = terms->d}, &sink.sink);
    return invert(block, A, inverses + block->inverse) ? STATUS_OK : STATUS_SINGULAR;
}

void newton_matrix_forget(NewtonMatrix* matrix) {
    for (int a = 0; a < matrix->n; a++) {
        matrix->blocks[a].valid = false;
    }
}

static Status factor_block(const System* sys, int a, const Instant* instant, const JointSet* joints,
                           const MatrixTerms* terms, NewtonMatrix* matrix) {
    NewtonBlock* block = &matrix->blocks[a];
    if (block->alone) {
        return factor_alone(sys, instant, terms, block, matrix->inverses);
    }
    matrix->count++;
    system_assemble(sys, &sys->assemblies.assemblies[a], instant, joints, terms, block->saddle);
    saddle_set_dependent(block->saddle, terms->dependent);
    return saddle_factor(block->saddle);
}

Status newton_matrix_factor(const System* sys, const Instant* instant, const JointSet* joints,
                            const MatrixTerms* terms, NewtonMatrix* matrix) {
    const MatrixTerms before = matrix->terms;
    Status status = STATUS_OK;
    bool any = false;
    matrix->terms = *terms;
    for (int a = 0; a < matrix->n; a++) {
        NewtonBlock* block = &matrix->blocks[a];
        const MatrixTerms wanted = terms_of(block, terms);
        if (block->valid && has_terms(block, &before, &wanted)) {
            continue;
        }
        any = true;
        matrix->q_1 = instant->q;
        block->valid = false;
        if (status == STATUS_OK) {
            status = factor_block(sys, a, instant, joints, &wanted, matrix);
            block->valid = status == STATUS_OK;
        }
    }
    matrix->version += any && status == STATUS_OK;
    return status;
}

const Element* newton_matrix_free_body(const NewtonMatrix* matrix, int assembly) {
    const NewtonBlock* block = &matrix->blocks[assembly];
    return block->alone ? block->body : NULL;
}

long long newton_matrix_version(const NewtonMatrix* matrix) { return matrix->version; }

const double* newton_matrix_M_diagonal(const NewtonMatrix* matrix) {
    return matrix->properties->M_diagonal;
}

long long newton_matrix_count(const NewtonMatrix* matrix) { return matrix->count; }

bool newton_matrix_is_symmetric(const System* sys, const MatrixTerms* terms) {
    const bool forces = (terms->k != 0.0 && sys->position_dependent) ||
                        (terms->d != 0.0 && sys->velocity_dependent);
    return !forces && !(terms->q_0 != NULL && sys->turning) && terms->geometric == 0.0 &&
           terms->directions == NULL && terms->rate == 0.0;
}

// --- solution ---

// x (n x n_rhs) = A^-1 x, the first of the n velocities being translations. The inverse is as in
// Alone (own), or that of a mass (n x n). Called with constants for the bodies that there are most
// of, so that the loops become straight code.
static inline void apply_inverse(const int n, const int first, const bool own,
                                 const double* inverse, int n_rhs, double* x) {
    const int row = own ? n - first : n;
    const double* turning = own ? inverse + first : inverse + (ptrdiff_t)first * (n + 1);
    for (int j = 0; j < n_rhs; j++, x += n) {
        double y[TWIST_SIZE] = {0.0};
        for (int i = 0; i < first; i++) {
            x[i] *= inverse[own ? i : i * (n + 1)];
        }
        for (int i = first; i < n; i++) {
            for (int k = first; k < n; k++) {
                y[i] += turning[(i - first) * row + k - first] * x[k];
            }
        }
        for (int i = first; i < n; i++) {
            x[i] = y[i];
        }
    }
}

static void solve_alone(const NewtonMatrix* matrix, int assembly, int n_rhs, double* x) {
    const NewtonBlock* block = &matrix->blocks[assembly];
    const double* q_0 = block->turning ? matrix->terms.q_0 : NULL;  // where displacements begin
    const Element* body = block->body;
    const int n = body->u.n;
    const int first = block->n_translations;
    const bool own = !block->is_mass;
    const double* inverse =
        own ? matrix->inverses + block->inverse : properties_mass_inverse(matrix->properties, body);
    if (n == 3 && first == 2 && !own) {  // of the plane
        apply_inverse(3, 2, false, inverse, n_rhs, x);
    } else if (n == TWIST_SIZE && first == 3 && own) {  // of space
        apply_inverse(TWIST_SIZE, 3, true, inverse, n_rhs, x);
    } else if (n == TWIST_SIZE && first == 3) {
        apply_inverse(TWIST_SIZE, 3, false, inverse, n_rhs, x);
    } else {
        apply_inverse(n, first, own, inverse, n_rhs, x);
    }
    for (int j = 0; j < n_rhs && q_0 != NULL; j++, x += n) {
        double y[TWIST_SIZE];
        body->kind->body->node->push_forward(matrix->q_1 + body->q.at, q_0 + body->q.at, x, y);
        memcpy(x, y, (size_t)n * sizeof(double));
    }
}

void newton_matrix_solve_assembly(const NewtonMatrix* matrix, int assembly, int n_rhs, double* x) {
    const NewtonBlock* block = &matrix->blocks[assembly];
    if (block->alone) {
        solve_alone(matrix, assembly, n_rhs, x);
    } else {
        saddle_solve(block->saddle, n_rhs, x);
    }
}

void newton_matrix_solve(const System* sys, const NewtonMatrix* matrix, double* x) {
    const Assembly* first = sys->assemblies.assemblies;
    if (sys->assemblies.n == 1 && first->n == sys->nu && first->n_c == sys->nla_g) {  // in order
        newton_matrix_solve_assembly(matrix, 0, 1, x);
        return;
    }
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
            !block->alone ? saddle_redundant(block->saddle, rows != NULL ? rows + n : NULL) : 0;
        for (int i = n; i < n + n_found && rows != NULL; i++) {
            rows[i] = sys->assemblies.assemblies[a].rows[rows[i]];
        }
        n += n_found;
    }
    return n;
}
