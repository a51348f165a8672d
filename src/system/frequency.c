#include "system/frequency.h"

#include <math.h>
#include <string.h>

#include "system/derivatives.h"

// Sums of the entries of a body's blocks, each by its size, by rows
typedef struct RowSums {
    BlockSink sink;
    const int first;     // velocity of the body in the system
    const double* root;  // (nu) entry (i, j) counts by 1 / (root_i root_j); NULL: as it is
    double sign;         // of entries beside the diagonal; that one counts with its own
    double* sum;         // (nu)
} RowSums;

static void add_row_sums(const BlockSink* sink, int n, const int* at, const double* block) {
    const RowSums* sums = (const RowSums*)sink;
    for (int i = 0; i < n; i++) {
        const int row = sums->first + at[i];
        for (int k = 0; k < n; k++) {
            const double value =
                i == k ? fabs(block[i * n + k]) : sums->sign * fabs(block[i * n + k]);
            const double roots =
                sums->root != NULL ? sums->root[row] * sums->root[sums->first + at[k]] : 1.0;
            sums->sum[row] += value / roots;
        }
    }
}

// root (nu): of the least mass that a row leaves
static void mass_roots(const System* sys, const Instant* instant, double* root) {
    memcpy(root, instant->properties->M_diagonal, (size_t)sys->nu * sizeof(double));
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        if (body->kind->body->mass != NULL || body->u.n == 0) {  // a driven frame has none
            continue;
        }
        const BodyView view = system_body_view(sys, instant, body);
        const RowSums sums = {{add_row_sums}, body->u.at, NULL, -1.0, root};
        memset(root + body->u.at, 0, (size_t)body->u.n * sizeof(double));
        body->kind->body->tangent(&view, (BodyTerms){.mass = 1.0}, &sums.sink);
    }
    for (int i = 0; i < sys->nu; i++) {
        root[i] = sqrt(fabs(root[i]));
    }
}

static void add_force(const Instant* instant, const Link* link, const double* root, double* sum) {
    const int n = link->coupling.n;
    const int* u = link->coupling.u;
    double K[COUPLING_MAX * COUPLING_MAX];
    system_force_derivatives(instant, link, K, NULL);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            sum[u[i]] += fabs(K[i * n + k]) / (root[u[i]] * root[u[k]]);
        }
    }
}

double system_frequency_bound(const System* sys, const Instant* instant, double* scratch) {
    double* root = scratch;
    double* sum = scratch + sys->nu;
    double largest = 0.0;
    if (!sys->position_dependent) {
        return 0.0;
    }
    mass_roots(sys, instant, root);
    memset(sum, 0, (size_t)sys->nu * sizeof(double));
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        if (body->kind->body->position_dependent) {
            const BodyView view = system_body_view(sys, instant, body);
            const RowSums sums = {{add_row_sums}, body->u.at, root, 1.0, sum};
            body->kind->body->tangent(&view, (BodyTerms){.k = 1.0}, &sums.sink);
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        if (sys->forces[i].element->kind->force->state_dependent) {
            add_force(instant, &sys->forces[i], root, sum);
        }
    }
    for (int i = 0; i < sys->nu; i++) {
        largest = fmax(largest, sum[i]);
    }
    return sqrt(largest);
}

// --- with joints ---

// y (nu) -= block x of a body
typedef struct Product {
    BlockSink sink;
    const double* x;
    double* y;
} Product;

static void subtract_product(const BlockSink* sink, int n, const int* at, const double* block) {
    const Product* product = (const Product*)sink;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            product->y[at[i]] -= block[i * n + k] * product->x[at[k]];
        }
    }
}

// y (nu) = K x, K = -dh/dq
static void stiffness_times(const System* sys, const Instant* instant, const double* x, double* y) {
    double K[COUPLING_MAX * COUPLING_MAX];
    memset(y, 0, (size_t)sys->nu * sizeof(double));
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        if (body->kind->body->position_dependent) {
            const BodyView view = system_body_view(sys, instant, body);
            const Product product = {{subtract_product}, x + body->u.at, y + body->u.at};
            body->kind->body->tangent(&view, (BodyTerms){.k = 1.0}, &product.sink);
        }
    }
    for (int f = 0; f < sys->n_forces; f++) {
        const Link* link = &sys->forces[f];
        const int n = link->coupling.n;
        if (link->element->kind->force->state_dependent) {
            system_force_derivatives(instant, link, K, NULL);
            for (int i = 0; i < n * n; i++) {
                y[link->coupling.u[i / n]] -= K[i] * x[link->coupling.u[i % n]];
            }
        }
    }
}

double system_frequency(const System* sys, const Instant* instant, const NewtonMatrix* matrix,
                        double bound, double* scratch) {
    enum { ITERATIONS = 40 };
    static const double MARGIN = 1.1;  // of an iteration that comes from below
    const double* M_diagonal = instant->properties->M_diagonal;
    double* x = scratch;
    double* y = scratch + sys->nu;  // (nu + nla_g)
    double largest = 0.0;
    for (int i = 0; i < sys->nu; i++) {  // neither smooth nor symmetric
        x[i] = (i % 2 == 0 ? 1.0 : -0.7) / sqrt(M_diagonal[i]) * (1.0 + 0.3 * (i % 3));
    }
    for (int n = 0; n < ITERATIONS; n++) {
        double before = 0.0;
        double after = 0.0;
        stiffness_times(sys, instant, x, y);
        memset(y + sys->nu, 0, (size_t)sys->nla_g * sizeof(double));
        newton_matrix_solve(sys, matrix, y);
        for (int i = 0; i < sys->nu; i++) {
            before += M_diagonal[i] * x[i] * x[i];
            after += M_diagonal[i] * y[i] * y[i];
        }
        if (!(after > 0.0)) {  // nothing oscillates
            return 0.0;
        }
        largest = n > 0 ? fmax(largest, sqrt(after / before)) : 0.0;  // of the joints' motions
        for (int i = 0; i < sys->nu; i++) {
            x[i] = y[i] / sqrt(after);
        }
    }
    return fmin(bound, MARGIN * sqrt(largest));
}
