// The mass matrix: blocks of the bodies.
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
        if (u.n > 0) {
            block_multiply(body, properties_mass(instant->properties, body), x + u.at, y + u.at);
        }
    }
}

// x (n) = M^-1 x of a body without a block, by conjugate gradients with M's diagonal: mass matrices
// of finite elements are close to it whatever their number. scratch (4 n).
static void solve_by_gradients(const BodyFunctions* body, const BodyView* view, const double* m,
                               int n, double* scratch, double* x) {
    enum { MAXIMUM_ITERATIONS = 200 };
    static const double ROUNDING = 1e-32;  // of the square of the residual
    double* r = scratch;
    double* p = r + n;
    double* Mp = p + n;
    double* y = Mp + n;
    double rho = 0.0;
    for (int i = 0; i < n; i++) {
        r[i] = x[i];
        p[i] = r[i] / m[i];
        y[i] = 0.0;
        rho += r[i] * p[i];
    }
    const double enough = ROUNDING * rho;
    for (int k = 0; k < MAXIMUM_ITERATIONS && rho > enough; k++) {
        double curvature = 0.0;
        body->mass_multiply(view, p, Mp);
        for (int i = 0; i < n; i++) {
            curvature += p[i] * Mp[i];
        }
        const double alpha = rho / curvature;
        const double before = rho;
        rho = 0.0;
        for (int i = 0; i < n; i++) {
            y[i] += alpha * p[i];
            r[i] -= alpha * Mp[i];
            rho += r[i] * r[i] / m[i];
        }
        for (int i = 0; i < n; i++) {
            p[i] = r[i] / m[i] + rho / before * p[i];
        }
    }
    for (int i = 0; i < n; i++) {
        x[i] = y[i];
    }
}

void system_mass_solve(const System* sys, const Instant* instant, double* scratch, double* x) {
    const Properties* properties = instant->properties;
    if (properties->diagonal) {
        for (int i = 0; i < sys->nu; i++) {
            x[i] /= properties->M_diagonal[i];
        }
        return;
    }
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range u = body->u;
        if (u.n > 0 && body->kind->body->mass == NULL) {
            const BodyView view = system_body_view(sys, instant, body);
            solve_by_gradients(body->kind->body, &view, properties->M_diagonal + u.at, u.n, scratch,
                               x + u.at);
            continue;
        }
        if (u.n > 0) {
            block_multiply(body, properties_mass_inverse(properties, body), x + u.at, scratch);
        }
        for (int i = 0; i < u.n; i++) {
            x[u.at + i] = scratch[i];
        }
    }
}

double system_kinetic_energy_of(const System* sys, const Instant* instant, const double* u) {
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
        if (at.n > 0) {
            block_multiply(body, properties_mass(instant->properties, body), u + at.at, momentum);
        }
        for (int i = 0; i < at.n; i++) {
            twice += u[at.at + i] * momentum[i];
        }
    }
    return 0.5 * twice;
}

double system_kinetic_energy_of_body(const System* sys, const Instant* instant,
                                     const Element* body) {
    const double* u = instant->u + body->u.at;
    double momentum[TWIST_SIZE] = {0.0};
    double twice = 0.0;
    if (body->u.n > 0 && body->kind->body->mass == NULL) {
        const BodyView view = system_body_view(sys, instant, body);
        return body->kind->body->kinetic(&view);
    }
    if (body->u.n > 0) {
        block_multiply(body, properties_mass(instant->properties, body), u, momentum);
    }
    for (int i = 0; i < body->u.n; i++) {
        twice += u[i] * momentum[i];
    }
    return 0.5 * twice;
}

double system_kinetic_energy(const System* sys, const Instant* instant) {
    return system_kinetic_energy_of(sys, instant, instant->u);
}
