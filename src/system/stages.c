#include "system/stages.h"

#include <string.h>

#include "linalg/lu.h"

typedef double Square[STAGES_MAX_FORCES][STAGES_MAX_FORCES];
typedef double Combination[STAGES_MAX_FORCES][STAGES_MAX];

// inverse of A (n x n)
static void invert(int n, Square A, Square inverse) {
    double LU[STAGES_MAX_FORCES * STAGES_MAX_FORCES];
    double unit[STAGES_MAX_FORCES * STAGES_MAX_FORCES] = {0.0};
    int pivots[STAGES_MAX_FORCES];
    for (int i = 0; i < n; i++) {
        unit[i * (n + 1)] = 1.0;
        for (int j = 0; j < n; j++) {
            LU[j * n + i] = A[i][j];
        }
    }
    if (lu_factor(n, LU, pivots) == STATUS_OK) {  // those of a tableau are regular
        lu_solve(n, n, LU, pivots, unit);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            inverse[i][j] = unit[j * n + i];
        }
    }
}

// product (n x s) = A (n x n) B (n x s)
static void multiply(const Stages* stages, Square A, Combination B, Combination product) {
    for (int p = 0; p < stages->n; p++) {
        for (int i = 0; i < stages->s; i++) {
            product[p][i] = 0.0;
            for (int k = 0; k < stages->n; k++) {
                product[p][i] += A[p][k] * B[k][i];
            }
        }
    }
}

// The combination of B such that its p-th rate follows from X_p alone, if a rate at stage i follows
// from X_l by weights (s x n), rows_apart apart from each other
static void separate(const Stages* stages, Combination B, const double* weights, int rows_apart,
                     Combination separated) {
    Square of_X;
    Square inverse;
    for (int p = 0; p < stages->n; p++) {
        for (int l = 0; l < stages->n; l++) {
            of_X[p][l] = 0.0;
            for (int i = 0; i < stages->s; i++) {
                of_X[p][l] += B[p][i] * weights[i * rows_apart + l];
            }
        }
    }
    invert(stages->n, of_X, inverse);
    multiply(stages, inverse, B, separated);
}

// Legendre's polynomials of degree 0 ... n - 1, which are orthogonal on [0, 1], at c
static void legendre(int n, double c, double* P) {
    const double x = 2.0 * c - 1.0;
    P[0] = 1.0;
    for (int k = 1; k < n; k++) {
        P[k] = k == 1 ? x : ((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k;
    }
}

// The polynomial of degree n - 1 with the moments of the rates, at a node c, as weights (s) of the
// rates: the sum of (2k+1) P_k(c) times the k-th moment
static void project(const Stages* stages, Combination moments, double c, double* weights) {
    double P[STAGES_MAX_FORCES];
    legendre(stages->n, c, P);
    for (int i = 0; i < stages->s; i++) {
        weights[i] = 0.0;
        for (int k = 0; k < stages->n; k++) {
            weights[i] += (2 * k + 1) * P[k] * moments[k][i];
        }
    }
}

void stages_complete(Stages* stages) {
    const int n = stages->n = stages->s - 1;
    Combination places = {{0.0}};
    Combination moments = {{0.0}};
    for (int i = 0; i <= n; i++) {
        for (int l = 0; l < n; l++) {
            stages->T[i][l] = 0.0;
            for (int k = 0; k <= n; k++) {
                stages->T[i][l] += stages->a[i][k] * stages->a_hat[k][l];
            }
        }
    }
    for (int i = 0; i <= n; i++) {
        double P[STAGES_MAX_FORCES];
        legendre(n, stages->c[i], P);
        for (int p = 0; p < n; p++) {
            places[p][i] = i == p + 1 ? 1.0 : 0.0;
            moments[p][i] = stages->b[i] * P[p];
        }
    }
    separate(stages, places, &stages->T[0][0], STAGES_MAX_FORCES, stages->of_positions);
    separate(stages, moments, &stages->a_hat[0][0], STAGES_MAX, stages->of_velocities);
    for (int i = 0; i <= n; i++) {
        double P[STAGES_MAX + 1];
        legendre(n + 2, stages->c[i], P);
        project(stages, moments, stages->c[i], stages->of_sliding[i]);
        stages->to_start[i] = (n % 2 == 0 ? 0.5 : -0.5) * (P[n] - P[n + 1]);
        stages->to_end[i] = 0.5 * (P[n] + P[n + 1]);
    }
    memcpy(stages->of_stages, places, sizeof places);
    for (int p = 0; p < n; p++) {
        memcpy(stages->of_friction[p], stages->of_sliding[p + 1], sizeof stages->of_friction[p]);
    }
}

// The stages of a body made of nodes; u and q (s) are moved on from node to node.
static void collocate_nodes(const Element* body, int s, const double* a, const double** u,
                            double** q) {
    const NodeFunctions* node = body->kind->body->node;
    for (int n = 0; n < body->q.n; n += node->nq) {
        node->collocate(s, a, u, q);
        node->normalize(q[s - 1]);
        for (int i = 0; i < s; i++) {
            u[i] += node->nu;
            q[i] += node->nq;
        }
    }
}

void stages_collocate(const System* sys, const Stages* stages, double dt, Instant* instants) {
    const int s = stages->s;
    double a[STAGES_MAX * STAGES_MAX];
    for (int i = 0; i < s * s; i++) {
        a[i] = dt * stages->a[i / s][i % s];
    }
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const double* u[STAGES_MAX];
        double* q[STAGES_MAX];
        for (int i = 0; i < s; i++) {
            u[i] = instants[i].u + body->u.at;
            q[i] = instants[i].q + body->q.at;
        }
        if (body->kind->body->node != NULL) {
            collocate_nodes(body, s, a, u, q);
            continue;
        }
        for (int i = 1; i < s; i++) {
            for (int k = 0; k < body->q.n; k++) {
                double sum = 0.0;
                for (int j = 0; j < s; j++) {
                    sum += a[i * s + j] * u[j][k];
                }
                q[i][k] = q[0][k] + sum;
            }
        }
    }
}

// What a row has for the rotations of a frame or node at stage i, w, for those at all stages. R
// (s): its orientations at the stages.
static void spread_rotation(const Stages* stages, const Mat3* R, int i, Vec3 w, Vec3* of_X) {
    Vec3 at[STAGES_MAX];
    for (int k = 0; k < stages->s; k++) {
        at[k] = turn_back3(R[k], turn3(R[i], w));  // from one frame to the other
    }
    for (int l = 0; l < stages->n; l++) {
        Vec3 sum = {0.0, 0.0, 0.0};
        for (int k = 0; k < stages->s; k++) {
            const double weight = stages->a[i][k] * stages->a_hat[k][l];
            sum.x += weight * at[k].x;
            sum.y += weight * at[k].y;
            sum.z += weight * at[k].z;
        }
        of_X[l] = sum;
    }
}

// ... entries: those of the three rotations in the row (n_row) and in its spread, -1: none
static void spread_entries(const Stages* stages, const Mat3* R, int i, const int* entries,
                           const double* row, int n_row, double* spread) {
    double w[3] = {0.0};
    Vec3 of_X[STAGES_MAX_FORCES];
    for (int k = 0; k < 3; k++) {
        w[k] = entries[k] >= 0 ? row[entries[k]] : 0.0;
    }
    spread_rotation(stages, R, i, (Vec3){w[0], w[1], w[2]}, of_X);
    for (int l = 0; l < stages->n; l++) {
        const double turned[3] = {of_X[l].x, of_X[l].y, of_X[l].z};
        for (int k = 0; k < 3; k++) {
            if (entries[k] >= 0) {
                spread[l * n_row + entries[k]] = turned[k];
            }
        }
    }
}

// The rotations of a rigid body: those of its frame
static void spread_frame(const Stages* stages, const Instant* instants, const Coupling* coupling,
                         const CouplingSide* side, int frame, int i, const double* row,
                         double* spread) {
    Mat3 R[STAGES_MAX];
    int entries[3] = {-1, -1, -1};
    for (int k = 0; k < stages->s; k++) {
        R[k] = instants[k].frames[frame].R;
    }
    for (int k = 0; k < side->n; k++) {
        if (side->twist[k] >= 3) {
            entries[side->twist[k] - 3] = side->entry[k];
        }
    }
    spread_entries(stages, R, i, entries, row, coupling->n, spread);
}

// The rotations of the nodes on which a point of a body depends
static void spread_nodes(const Stages* stages, const Instant* instants, const Coupling* coupling,
                         const CouplingSide* side, const Element* body, int i, const double* row,
                         double* spread) {
    const NodeFunctions* node = body->kind->body->node;
    for (int n = 0; n < side->n; n += node->nu) {  // velocities of a node stand together
        const int number = (coupling->u[side->entry[n]] - body->u.at) / node->nu;
        Mat3 R[STAGES_MAX];
        for (int k = 0; k < stages->s; k++) {
            R[k] = node->orientation(instants[k].q + body->q.at + (ptrdiff_t)number * node->nq);
        }
        spread_entries(stages, R, i, side->entry + n + node->nu - 3, row, coupling->n, spread);
    }
}

void stages_node_spread(const Stages* stages, const Instant* instants, const Element* body,
                        int number, int i, Mat3* of_X) {
    const NodeFunctions* node = body->kind->body->node;
    Mat3 R[STAGES_MAX];
    for (int k = 0; k < stages->s; k++) {
        R[k] = node->orientation(instants[k].q + body->q.at + (ptrdiff_t)number * node->nq);
    }
    for (int r = 0; r < 3; r++) {
        Vec3 row[STAGES_MAX_FORCES];
        spread_rotation(stages, R, i, MAT3_IDENTITY.e[r], row);
        for (int l = 0; l < stages->n; l++) {
            of_X[l].e[r] = row[l];
        }
    }
}

void stages_spread(const System* sys, const Stages* stages, const Instant* instants,
                   const Link* link, int i, const double* row, double* spread) {
    const Coupling* coupling = &link->coupling;
    const Properties* properties = instants[i].properties;
    const int markers[ELEMENT_MAX_REFERENCES] = {link->marker_a, link->marker_b};
    for (int l = 0; l < stages->n; l++) {
        for (int k = 0; k < coupling->n; k++) {
            spread[l * coupling->n + k] = stages->T[i][l] * row[k];
        }
    }
    for (int m = 0; m < ELEMENT_MAX_REFERENCES && !properties->planar && i > 0; m++) {
        const CouplingSide* side = &coupling->sides[m];
        const int frame = properties->markers[markers[m]].frame;
        const Element* body = side->n > 0 ? sys->frames[frame].body : NULL;
        if (body == NULL || body->kind->body->node == NULL) {
            continue;
        }
        if (side->twist != NULL) {
            spread_frame(stages, instants, coupling, side, frame, i, row, spread);
        } else {
            spread_nodes(stages, instants, coupling, side, body, i, row, spread);
        }
    }
}
