// Coordinates and velocities, GA (121)-(125): q' = B u, the update of a step, and how changes of q
// displace frames. Bodies whose q' is not u are made of nodes, a rigid one of a single one.
#include <string.h>

#include "system/system.h"

// One node of a body: where its coordinates and velocities begin in those of the system
typedef struct Node {
    int q, u;
} Node;

static Node first_node(const Element* body) { return (Node){body->q.at, body->u.at}; }
static bool is_node(const Element* body, Node node) { return node.q < body->q.at + body->q.n; }
static Node next_node(const NodeFunctions* f, Node node) {
    return (Node){node.q + f->nq, node.u + f->nu};
}

void system_q_dot(const System* sys, const double* q, const double* u, double* q_dot) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            memcpy(q_dot + body->q.at, u + body->u.at, (size_t)body->q.n * sizeof(double));
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            f->q_dot(q + n.q, u + n.u, q_dot + n.q);
        }
    }
}

void system_q_ddot(const System* sys, const double* q, const double* u, const double* a,
                   double* q_ddot) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            memcpy(q_ddot + body->q.at, a + body->u.at, (size_t)body->q.n * sizeof(double));
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            f->q_ddot(q + n.q, u + n.u, a + n.u, q_ddot + n.q);
        }
    }
}

void system_base(const System* sys, const double* q_0, const double* u_0, double dt, double* base) {
    memcpy(base, q_0, (size_t)sys->nq * sizeof(double));
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            const double zero[TWIST_SIZE] = {0.0};
            double q_ddot[BODY_MAX_NQ];
            f->q_ddot(q_0 + n.q, u_0 + n.u, zero, q_ddot);
            for (int j = 0; j < f->nq; j++) {
                base[n.q + j] += 0.5 * dt * dt * q_ddot[j];
            }
        }
    }
}

void system_displace(const System* sys, const double* base, const double* q_0, const double* w,
                     double* q_1) {
    system_q_dot(sys, q_0, w, q_1);
    for (int j = 0; j < sys->nq; j++) {
        q_1[j] += base[j];
    }
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            f->normalize(q_1 + n.q);
        }
    }
}

void system_push_forward(const System* sys, const double* q_1, const double* q_0, double* w) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            double d[TWIST_SIZE];
            f->push_forward(q_1 + n.q, q_0 + n.q, w + n.u, d);
            memcpy(w + n.u, d, (size_t)f->nu * sizeof(double));
        }
    }
}

void system_pull_back(const System* sys, const double* q_1, const double* q_0, const double* d,
                      double* w) {
    memcpy(w, d, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            f->pull_back(q_1 + n.q, q_0 + n.q, d + n.u, w + n.u);
        }
    }
}

void system_move(const System* sys, const double* q_0, double dt, const double* u, double* q_1) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const NodeFunctions* f = body->kind->body->node;
        if (f == NULL) {
            for (int j = 0; j < body->q.n; j++) {
                q_1[body->q.at + j] = q_0[body->q.at + j] + dt * u[body->u.at + j];
            }
            continue;
        }
        for (Node n = first_node(body); is_node(body, n); n = next_node(f, n)) {
            f->move(q_0 + n.q, dt, u + n.u, q_1 + n.q);
        }
    }
}
