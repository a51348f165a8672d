// What tests of derivatives in assembled systems share: a random instant of a system and those
// beside it. Included by tests, each a program.
#pragma once

#include "mechanism.h"
#include "simulation/simulation_struct.h"

enum { MOST = 96 };  // coordinates

typedef struct Neighbourhood {
    Simulation* simulation;
    double q[MOST], u[MOST];
} Neighbourhood;

static const double TIME = 0.3;

static inline const Instant* instant_at(const Neighbourhood* instant, const double* q,
                                        const double* u) {
    Instant* result = &instant->simulation->workspace.present;
    instant_set(&instant->simulation->model.system, &instant->simulation->state, TIME, q, u,
                result);
    return result;
}

static inline Neighbourhood random_instant(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Neighbourhood instant = {.simulation = simulation};
    assert_true(sys->nq <= MOST);
    assert_int_equal(
        system_update_parameters(sys, simulation->state.p, &simulation->workspace.properties),
        STATUS_OK);
    for (int i = 0; i < sys->nq; i++) {
        instant.q[i] = random_in(-0.5, 0.5);
    }
    for (int i = 0; i < sys->nu; i++) {
        instant.u[i] = random_in(-1.0, 1.0);
    }
    for (int i = 0; i < sys->n_bodies; i++) {  // apart from each other and from the ground
        double* q = instant.q + sys->bodies[i]->q.at;
        if (sys->bodies[i]->q.n > 1) {
            q[0] += 5.0 + 4.0 * i;
            q[1] -= 5.0 + 6.0 * i;
        }
        if (sys->bodies[i]->kind->body->spatial) {
            q[2] += 4.0 * i + 5.0;  // tangents jump where the normal is horizontal
        }
        const NodeFunctions* node = sys->bodies[i]->kind->body->node;
        for (int k = 0; node != NULL && k < sys->bodies[i]->q.n; k += node->nq) {
            for (int j = 0; j < node->nq && k > 0; j++) {  // nodes are near each other
                q[k + j] = q[j] + random_in(-0.1, 0.1);
            }
            node->normalize(q + k);
        }
    }
    return instant;
}

// The instant moved along velocity j of the system: in q, or in u
static inline const Instant* moved(const Neighbourhood* instant, int j, bool velocity, double s,
                                   double* q, double* u) {
    const System* sys = &instant->simulation->model.system;
    double direction[MOST] = {0.0};
    direction[j] = 1.0;
    system_move(sys, instant->q, velocity ? 0.0 : s, direction, q);
    memcpy(u, instant->u, sizeof instant->u);
    u[j] += velocity ? s : 0.0;
    return instant_at(instant, q, u);
}

// Shapes may be close to the axis of a shaft or bore, or far apart: differences are a little less
// accurate than in test_kernels.c (rounding: three times as wide a STEP brings the worst near).
static inline void check_near(const char* what, const char* tag, double value, double expected) {
    if (!(fabs(value - expected) <= 3e-9 * (1.0 + fabs(expected)))) {
        fail_msg("%s of %s: %.15g, expected %.15g", what, tag, value, expected);
    }
}
