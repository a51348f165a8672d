// The mass matrix: blocks of the bodies.
#include <assert.h>

#include "system/system.h"

// The number of translations: in a body's block of M they are coupled with nothing.
static int translations(const Element* body) {
    int n = 0;
    while (n < body->u.n && body->kind->body->twist[n] < 3) {
        n++;
    }
    return n;
}

// y (n) = M x, or M^-1 x, M being the block of a body; not in place
static inline void block_multiply(const Element* body, const double* M, const double* x,
                                  double* y) {
    const int n = body->u.n;
    const int first = translations(body);
    for (int i = 0; i < first; i++) {
        y[i] = M[i * n + i] * x[i];
    }
    for (int i = first; i < n; i++) {
        y[i] = 0.0;
        for (int j = first; j < n; j++) {
            y[i] += M[i * n + j] * x[j];
        }
    }
}

void system_mass_multiply(const System* sys, const Instant* instant, const double* x, double* y) {
    const double* M = instant->properties->M;
    if (instant->properties->diagonal) {
        for (int i = 0; i < sys->nu; i++) {
            y[i] = instant->properties->M_diagonal[i] * x[i];
        }
        return;
    }
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range u = body->u;
        if (u.n > 0 && body->kind->body->mass == NULL) {
            const BodyView view = system_body_view(sys, instant, body);
            body->kind->body->mass_multiply(&view, x + u.at, y + u.at);
            continue;
        }
        block_multiply(body, M, x + u.at, y + u.at);
        M += u.n * u.n;
    }
}

void system_mass_solve(const System* sys, const Instant* instant, double* x) {
    const double* inverse = instant->properties->M_inverse;
    assert(sys->mass_is_blocks);
    if (instant->properties->diagonal) {
        for (int i = 0; i < sys->nu; i++) {
            x[i] /= instant->properties->M_diagonal[i];
        }
        return;
    }
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range u = body->u;
        double y[TWIST_SIZE];
        block_multiply(body, inverse, x + u.at, y);
        for (int i = 0; i < u.n; i++) {
            x[u.at + i] = y[i];
        }
        inverse += u.n * u.n;
    }
}

double system_kinetic_energy_of(const System* sys, const Instant* instant, const double* u) {
    const double* M = instant->properties->M;
    double twice = 0.0;
    if (instant->properties->diagonal) {
        for (int i = 0; i < sys->nu; i++) {
            twice += instant->properties->M_diagonal[i] * u[i] * u[i];
        }
        return 0.5 * twice;
    }
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range at = body->u;
        double momentum[TWIST_SIZE] = {0.0};
        if (at.n > 0 && body->kind->body->mass == NULL) {
            BodyView view = system_body_view(sys, instant, body);
            view.u = u + at.at;
            twice += 2.0 * body->kind->body->kinetic(&view);
            continue;
        }
        block_multiply(body, M, u + at.at, momentum);
        for (int i = 0; i < at.n; i++) {
            twice += u[at.at + i] * momentum[i];
        }
        M += at.n * at.n;
    }
    return 0.5 * twice;
}

double system_kinetic_energy(const System* sys, const Instant* instant) {
    return system_kinetic_energy_of(sys, instant, instant->u);
}
