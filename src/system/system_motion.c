// Coordinates and velocities, GA (121)-(125): q' = B u, the update of a step, and how changes of q
// displace frames.
#include <string.h>

#include "system/system.h"

void system_q_dot(const System* sys, const double* q, const double* u, double* q_dot) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->kind->body->q_dot != NULL) {
            body->kind->body->q_dot(q + body->q.at, u + body->u.at, q_dot + body->q.at);
        } else {
            memcpy(q_dot + body->q.at, u + body->u.at, (size_t)body->q.n * sizeof(double));
        }
    }
}

void system_q_ddot(const System* sys, const double* q, const double* u, const double* a,
                   double* q_ddot) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->kind->body->q_ddot != NULL) {
            body->kind->body->q_ddot(q + body->q.at, u + body->u.at, a + body->u.at,
                                     q_ddot + body->q.at);
        } else {
            memcpy(q_ddot + body->q.at, a + body->u.at, (size_t)body->q.n * sizeof(double));
        }
    }
}

void system_base(const System* sys, const double* q_0, const double* u_0, double dt, double* base) {
    memcpy(base, q_0, (size_t)sys->nq * sizeof(double));
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->kind->body->q_ddot == NULL) {
            continue;
        }
        const double zero[TWIST_SIZE] = {0.0};
        double q_ddot[BODY_MAX_NQ];
        body->kind->body->q_ddot(q_0 + body->q.at, u_0 + body->u.at, zero, q_ddot);
        for (int j = 0; j < body->q.n; j++) {
            base[body->q.at + j] += 0.5 * dt * dt * q_ddot[j];
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
        if (body->kind->body->normalize != NULL) {
            body->kind->body->normalize(q_1 + body->q.at);
        }
    }
}

void system_push_forward(const System* sys, const double* q_1, const double* q_0, double* w) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->kind->body->push_forward != NULL) {
            double d[TWIST_SIZE];
            body->kind->body->push_forward(q_1 + body->q.at, q_0 + body->q.at, w + body->u.at, d);
            memcpy(w + body->u.at, d, (size_t)body->u.n * sizeof(double));
        }
    }
}

void system_pull_back(const System* sys, const double* q_1, const double* q_0, const double* d,
                      double* w) {
    memcpy(w, d, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->kind->body->pull_back != NULL) {
            body->kind->body->pull_back(q_1 + body->q.at, q_0 + body->q.at, d + body->u.at,
                                        w + body->u.at);
        }
    }
}

void system_move(const System* sys, const double* q_0, double dt, const double* u, double* q_1) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const int at = body->q.at;
        if (body->kind->body->move != NULL) {
            body->kind->body->move(q_0 + at, dt, u + body->u.at, q_1 + at);
            continue;
        }
        for (int j = 0; j < body->q.n; j++) {
            q_1[at + j] = q_0[at + j] + dt * u[body->u.at + j];
        }
    }
}
