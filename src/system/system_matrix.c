#include "system/system_matrix.h"

#include <assert.h>
#include <string.h>

#include "system/derivatives.h"

// --- bodies ---

// Z^-1 of a body's nodes, one after the other
typedef struct Turn {
    const NodeFunctions* node;
    const double *q_0, *q_1;                    // of the body
    int number;                                 // the node whose Z^-1 this is, -1: of none yet
    double Z_inverse[TWIST_SIZE * TWIST_SIZE];  // (nu x nu of a node)
} Turn;

// What a body's blocks are added to: the matrix, after a product with Z^-1 if there is one.
typedef struct BodySink {
    BlockSink sink;
    Saddle* saddle;
    const int* local;  // numbers of the body's velocities in the assembly
    Turn* turn;        // of a body whose velocities turn; NULL: Z is 1
} BodySink;

// Z^-1 (nu x nu) of a node that turns, from q_1 back to q_0
static void invert_Z(const NodeFunctions* node, const double* q_1, const double* q_0, double* Z) {
    const int n = node->nu;
    assert(n <= TWIST_SIZE);
    for (int j = 0; j < n; j++) {
        double d[TWIST_SIZE] = {0.0};
        double w[TWIST_SIZE];
        d[j] = 1.0;
        node->pull_back(q_1, q_0, d, w);
        for (int i = 0; i < n; i++) {
            Z[i * n + j] = w[i];
        }
    }
}

// Columns first ... last - 1 of the product (n x n) of a block with Z^-1: those of one node, of
// which the last three are rotations
static void multiply_node(const Turn* turn, int n, const int* at, int first, int last,
                          const double* block, double* product) {
    const int nu = turn->node->nu;
    const int offset = turn->number * nu;
    int rotations = first;
    while (rotations < last && at[rotations] - offset < nu - 3) {
        rotations++;
    }
    for (int i = 0; i < n; i++) {
        for (int j = first; j < rotations; j++) {
            product[i * n + j] = block[i * n + j];
        }
        for (int j = rotations; j < last; j++) {
            double sum = 0.0;
            for (int k = rotations; k < last; k++) {
                sum += block[i * n + k] * turn->Z_inverse[(at[k] - offset) * nu + (at[j] - offset)];
            }
            product[i * n + j] = sum;
        }
    }
}

static void add_to_saddle(const BlockSink* sink, int n, const int* at, const double* block) {
    const BodySink* body = (const BodySink*)sink;
    int number[POINT_MAX_VELOCITIES];
    double product[POINT_MAX_VELOCITIES * POINT_MAX_VELOCITIES];
    assert(n <= POINT_MAX_VELOCITIES);
    for (int i = 0; i < n; i++) {
        number[i] = body->local[at[i]];
    }
    if (body->turn == NULL) {
        saddle_add_block(body->saddle, n, number, block);
        return;
    }
    Turn* turn = body->turn;
    const int nu = turn->node->nu;
    for (int first = 0, last; first < n; first = last) {  // velocities of a node stand together
        const int k = at[first] / nu;
        for (last = first + 1; last < n && at[last] < (k + 1) * nu; last++) {
        }
        if (k != turn->number) {
            const ptrdiff_t q = (ptrdiff_t)k * turn->node->nq;
            invert_Z(turn->node, turn->q_1 + q, turn->q_0 + q, turn->Z_inverse);
            turn->number = k;
        }
        multiply_node(turn, n, at, first, last, block, product);
    }
    saddle_add_block(body->saddle, n, number, product);
}

// A block of M: translations, which come first, are coupled with nothing, and do not turn.
static void add_mass_block(const Element* body, const double* M, const double* M_diagonal,
                           const BodySink* sink) {
    const int n = body->u.n;
    int first = 0;
    int rotations[TWIST_SIZE];
    double block[TWIST_SIZE * TWIST_SIZE];
    while (first < n && body->kind->body->twist[first] < 3) {
        first++;
    }
    const int n_rotations = n - first;
    const bool is_diagonal = n_rotations <= 1 && sink->turn == NULL;  // a body of the plane
    saddle_add_diagonal(sink->saddle, is_diagonal ? n : first, sink->local, M_diagonal);
    if (is_diagonal) {
        return;
    }
    for (int i = 0; i < n_rotations; i++) {
        rotations[i] = first + i;
        for (int j = 0; j < n_rotations; j++) {
            block[i * n_rotations + j] = M[(first + i) * n + first + j];
        }
    }
    add_to_saddle(&sink->sink, n_rotations, rotations, block);
}

// (mass M + d dh/du) Z^-1 + k dh/dq of a body. Where there may be a Z, the two parts are added one
// after the other, always: the matrix knows its entries by the order in which they come.
static void add_tangent(const BodyView* view, const BodyFunctions* body, BodyTerms terms,
                        BodySink* sink) {
    if (body->node == NULL || !body->position_dependent) {
        body->tangent(view, terms, &sink->sink);
        return;
    }
    body->tangent(view, (BodyTerms){.mass = terms.mass, .d = terms.d}, &sink->sink);
    sink->turn = NULL;
    body->tangent(view, (BodyTerms){.k = terms.k}, &sink->sink);
}

static void add_body(const System* sys, const Instant* instant, const Element* body,
                     const MatrixTerms* terms, Saddle* saddle) {
    const BodyFunctions* functions = body->kind->body;
    Turn turn;
    BodySink sink = {
        .sink = {add_to_saddle}, .saddle = saddle, .local = sys->assemblies.local_u + body->u.at};
    if (terms->q_0 != NULL && functions->node != NULL) {
        turn.node = functions->node;
        turn.q_0 = terms->q_0 + body->q.at;
        turn.q_1 = instant->q + body->q.at;
        turn.number = -1;
        sink.turn = &turn;
    }
    if (functions->mass != NULL) {
        add_mass_block(body, properties_mass(instant->properties, body),
                       instant->properties->M_diagonal + body->u.at, &sink);
    }
    if (functions->tangent != NULL) {
        const BodyView view = system_body_view(sys, instant, body);
        const double mass = functions->mass == NULL ? 1.0 : 0.0;
        add_tangent(&view, functions, (BodyTerms){mass, terms->k, terms->d}, &sink);
    }
}

// --- forces ---

// D (n x n) = D Z^-1 in the velocities entry (nu) of one node
static void turn_node_back(int n, int nu, const int* entry, const double* Z_inverse, double* D) {
    for (int i = 0; i < n; i++) {
        double row[TWIST_SIZE] = {0.0};
        for (int j = 0; j < nu; j++) {
            for (int k = 0; k < nu; k++) {
                row[j] += D[i * n + entry[k]] * Z_inverse[k * nu + j];
            }
        }
        for (int j = 0; j < nu; j++) {
            D[i * n + entry[j]] = row[j];
        }
    }
}

// ... in those of all nodes of the bodies that turn; the two bodies of a link are not the same
static void turn_back(const System* sys, const Instant* instant, const Link* link,
                      const double* q_0, double* D) {
    const int markers[ELEMENT_MAX_REFERENCES] = {link->marker_a, link->marker_b};
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        const CouplingSide* side = &link->coupling.sides[s];
        const int frame = instant->properties->markers[markers[s]].frame;
        const Element* body = side->n > 0 ? sys->frames[frame].body : NULL;
        if (body == NULL || body->kind->body->node == NULL) {
            continue;
        }
        const NodeFunctions* node = body->kind->body->node;
        for (int k = 0; k < side->n; k += node->nu) {  // velocities of a node stand together
            const int number = (link->coupling.u[side->entry[k]] - body->u.at) / node->nu;
            const ptrdiff_t q = body->q.at + (ptrdiff_t)number * node->nq;
            double Z_inverse[TWIST_SIZE * TWIST_SIZE];
            invert_Z(node, instant->q + q, q_0 + q, Z_inverse);
            turn_node_back(link->coupling.n, node->nu, side->entry + k, Z_inverse, D);
        }
    }
}

// A block (n x n) in the velocities of a link
static void add_link_block(const System* sys, const Link* link, const double* block,
                           Saddle* saddle) {
    int at[COUPLING_MAX];
    for (int k = 0; k < link->coupling.n; k++) {
        at[k] = sys->assemblies.local_u[link->coupling.u[k]];
    }
    saddle_add_block(saddle, link->coupling.n, at, block);
}

static void add_force(const System* sys, const Instant* instant, const Link* link,
                      const MatrixTerms* terms, Saddle* saddle) {
    const int n = link->coupling.n;
    double block[COUPLING_MAX * COUPLING_MAX];
    double D[COUPLING_MAX * COUPLING_MAX];
    memset(block, 0, (size_t)(n * n) * sizeof(double));
    if (terms->k != 0.0) {
        system_force_derivatives(instant, link, block, NULL);
        for (int i = 0; i < n * n; i++) {
            block[i] *= terms->k;
        }
    }
    if (terms->d != 0.0) {
        system_force_derivatives(instant, link, NULL, D);
        if (terms->q_0 != NULL) {
            turn_back(sys, instant, link, terms->q_0, D);
        }
        for (int i = 0; i < n * n; i++) {
            block[i] += terms->d * D[i];
        }
    }
    add_link_block(sys, link, block, saddle);
}

// --- points of the plane that coincide (joint_is_pin) ---

// - geometric d(W mu)/dq of a pin: entries on the diagonal; zero without directions
static void add_pin_geometric(const Link* joint, const int* u, const JointRows* directions,
                              const MatrixTerms* terms, Saddle* saddle) {
    int at[ELEMENT_MAX_REFERENCES];
    double values[ELEMENT_MAX_REFERENCES] = {0.0};
    int n = 0;
    for (int k = 0; k < joint->coupling.n; k++) {
        if (!coupling_is_rotation(&joint->coupling, k)) {
            continue;
        }
        if (directions != NULL && terms->geometric != 0.0) {
            const double* W = directions->W + 2 * (ptrdiff_t)k;
            const double* mu = terms->mu_g + joint->la.at;
            values[n] = terms->geometric * (mu[0] * W[1] - mu[1] * W[0]);
        }
        at[n++] = u[k];
    }
    saddle_add_diagonal(saddle, n, at, values);
}

// gamma_q (2 x n) of a pin from its rows at the instant
static void pin_rates_derivative(const Instant* instant, const Link* joint, const JointRows* rows,
                                 double* gamma_q) {
    const int n = joint->coupling.n;
    const Marker* markers = instant->properties->markers;
    const double omega[2] = {instant->frames[markers[joint->marker_a].frame].Omega.z,
                             instant->frames[markers[joint->marker_b].frame].Omega.z};
    for (int k = 0; k < n; k++) {
        const double* W = rows->W + 2 * (ptrdiff_t)k;
        const double turns = coupling_is_rotation(&joint->coupling, k)
                                 ? omega[joint->coupling.column[k] / TWIST_SIZE]
                                 : 0.0;
        gamma_q[k] = -turns * W[1];
        gamma_q[n + k] = turns * W[0];
    }
}

// --- joints ---

// - geometric d(W mu)/dq of a joint; zero without
static void add_geometric(const Instant* instant, const Link* joint, const int* u,
                          const MatrixTerms* terms, Saddle* saddle) {
    const int n = joint->coupling.n;
    double block[COUPLING_MAX * COUPLING_MAX];
    if (terms->geometric != 0.0) {
        system_force_of_rows_derivative(instant, joint, terms->mu_g + joint->la.at, block);
        for (int i = 0; i < n * n; i++) {
            block[i] *= -terms->geometric;
        }
    } else {
        memset(block, 0, (size_t)(n * n) * sizeof(double));
    }
    saddle_add_coupling(saddle, n, u, block);
}

// first: the number of the joint's first row in its assembly, whose other rows follow. Without rows
// the entries are zero.
static void add_border(const Link* joint, const int* u, int first, const JointRows* rows,
                       const JointRows* directions, const MatrixTerms* terms, Saddle* saddle) {
    const int n = joint->coupling.n;
    const bool same = directions == rows && terms->rate == 0.0;  // rows and columns of the border
    double gamma_q[MAX_ROWS * COUPLING_MAX];
    if (terms->rate != 0.0 && joint_is_pin(terms->end, joint)) {
        pin_rates_derivative(terms->end, joint, rows, gamma_q);
    } else if (terms->rate != 0.0) {
        system_row_rates_derivative(terms->end, joint, gamma_q);
    }
    for (int r = 0; r < joint->la.n; r++) {
        const bool left_out =
            rows == NULL || (terms->positions_only && r >= joint->rows->n_position_rows);
        double row[COUPLING_MAX];
        double column[COUPLING_MAX];
        for (int k = 0; k < n; k++) {
            row[k] = left_out ? 0.0 : rows->W[k * joint->la.n + r];
        }
        for (int k = 0; k < n && !same; k++) {
            column[k] = left_out ? 0.0 : directions->W[k * joint->la.n + r];
            row[k] += terms->rate != 0.0 && !left_out ? terms->rate * gamma_q[r * n + k] : 0.0;
        }
        saddle_add_border(saddle, first + r, n, u, row, same ? row : column);
    }
}

// --- all of an assembly ---

static void add_all(const System* sys, const Assembly* assembly, const Instant* instant,
                    const JointSet* joints, const MatrixTerms* terms, Saddle* saddle) {
    for (int i = assembly->bodies; i < assembly[1].bodies; i++) {
        add_body(sys, instant, sys->bodies[sys->assemblies.bodies[i]], terms, saddle);
    }
    for (int i = assembly->forces; i < assembly[1].forces; i++) {
        add_force(sys, instant, &sys->forces[sys->assemblies.forces[i]], terms, saddle);
    }
    const JointSet* directions = terms->directions != NULL ? terms->directions : joints;
    for (int i = assembly->joints; i < assembly[1].joints; i++) {
        const int k = sys->assemblies.joints[i];
        const Link* joint = &sys->joints[k];
        const int* u = sys->assemblies.joint_u[k];
        const int first = sys->assemblies.local_row[joint->la.at];
        const JointRows* rows = joints != NULL ? &joints->joints[k] : NULL;
        const JointRows* of_forces = directions != NULL ? &directions->joints[k] : NULL;
        if (joint_is_pin(instant, joint)) {
            add_pin_geometric(joint, u, of_forces, terms, saddle);
        } else {
            add_geometric(instant, joint, u, terms, saddle);
        }
        add_border(joint, u, first, rows, of_forces, terms, saddle);
    }
}

void system_assemble(const System* sys, const Assembly* assembly, const Instant* instant,
                     const JointSet* joints, const MatrixTerms* terms, Saddle* saddle) {
    saddle_begin(saddle);
    add_all(sys, assembly, instant, joints, terms, saddle);
}

// Values do not matter here.
Status system_record_pattern(const System* sys, const Assembly* assembly, const Instant* instant,
                             Saddle* saddle) {
    static const MatrixTerms none = {.positions_only = false};
    saddle_begin_pattern(saddle);
    add_all(sys, assembly, instant, NULL, &none, saddle);
    return saddle_end_pattern(saddle);
}
