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
