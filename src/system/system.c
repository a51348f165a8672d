#include "system/system.h"

#include <string.h>

#include "elements/settings.h"
#include "linalg/cholesky.h"

Status system_update_mass(const System* sys, const double* p, Workspace* w) {
    int at = 0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const int nu = body->u.n;
        body->kind->body->mass(p + body->p.at, w->M + at);
        memcpy(w->M_factor + at, w->M + at, (size_t)(nu * nu) * sizeof(double));
        if (!cholesky_factor(nu, w->M_factor + at)) {
            return STATUS_SINGULAR;
        }
        at += nu * nu;
    }
    return STATUS_OK;
}

void system_initial(const System* sys, const double* p, double* q, double* u) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        body->kind->body->initial(p + body->p.at, q + body->q.at, u + body->u.at);
    }
}

static void evaluate_signals(const System* sys, double t, const State* s, Workspace* w) {
    memcpy(w->symbols, s->p, (size_t)sys->n_user_parameters * sizeof(double));
    for (int i = 0; i < sys->n_inputs; i++) {
        w->symbols[sys->n_user_parameters + i] =
            s->input[i] + s->input_slope[i] * (t - s->input_time[i]);
    }
    for (int i = 0; i < sys->n_signals; i++) {
        w->signals[i] = expression_value(sys->signals[i], t, w->symbols);
    }
}

Configuration system_configuration(const System* sys, double t, const State* s, const double* q,
                                   const double* u, Workspace* w) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        body->kind->body->frame(q + body->q.at, u + body->u.at, &w->frames[i]);
    }
    w->frames[sys->n_bodies] = (Frame){.c = 1.0};  // the ground
    if (sys->n_signals > 0) {
        evaluate_signals(sys, t, s, w);
    }
    return (Configuration){
        .t = t, .p = s->p, .signals = w->signals, .q = q, .u = u, .frames = w->frames};
}

// Velocities of the body that an element's anchor i refers to.
static Range anchor_range(const System* sys, const Element* element, int i) {
    const int body = element->anchors[i].body;
    return body < sys->n_bodies ? sys->bodies[body]->u : (Range){0, 0};
}

void system_forces(const System* sys, const Workspace* w, const Configuration* c, double* h) {
    const double* gravity = c->p + sys->gravity;
    const double* M = w->M;
    for (int i = 0; i < sys->n_bodies; i++) {  // weight: M times the field of acceleration
        const Range u = sys->bodies[i]->u;
        for (int j = 0; j < u.n; j++) {
            h[u.at + j] = M[j * u.n] * gravity[GRAVITY_X] + M[j * u.n + 1] * gravity[GRAVITY_Y];
        }
        M += u.n * u.n;
    }
    for (int i = 0; i < sys->n_forces; i++) {
        const Element* force = sys->forces[i];
        double f[LOCAL_NU] = {0.0};
        force->kind->force->force(force, c, f);
        for (int side = 0; side < force->kind->n_references; side++) {
            const Range u = anchor_range(sys, force, side);
            for (int j = 0; j < u.n; j++) {
                h[u.at + j] += f[side * BODY_MAX_NU + j];
            }
        }
    }
}

// A += alpha J, scattered from the local rows and columns of an element
static void add_local_matrix(const System* sys, const Element* element, double alpha,
                             const double* J, double* A) {
    for (int side = 0; side < element->kind->n_references; side++) {
        const Range rows = anchor_range(sys, element, side);
        for (int other = 0; other < element->kind->n_references; other++) {
            const Range columns = anchor_range(sys, element, other);
            for (int j = 0; j < columns.n; j++) {
                for (int i = 0; i < rows.n; i++) {
                    A[(size_t)(columns.at + j) * (size_t)sys->nu + (size_t)(rows.at + i)] +=
                        alpha * J[(side * BODY_MAX_NU + i) * LOCAL_NU + other * BODY_MAX_NU + j];
                }
            }
        }
    }
}

void system_add_force_jacobian(const System* sys, const Configuration* c, double k, double d,
                               double* A) {
    for (int i = 0; i < sys->n_forces; i++) {
        const Element* force = sys->forces[i];
        if (!force->kind->force->state_dependent) {
            continue;
        }
        double K[LOCAL_NU * LOCAL_NU] = {0.0};
        double D[LOCAL_NU * LOCAL_NU] = {0.0};
        force->kind->force->jacobian(force, c, K, D);
        add_local_matrix(sys, force, k, K, A);
        add_local_matrix(sys, force, d, D, A);
    }
}

void system_mass_multiply(const System* sys, const Workspace* w, const double* x, double* y) {
    const double* M = w->M;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Range u = sys->bodies[b]->u;
        for (int i = 0; i < u.n; i++) {
            double sum = 0.0;
            for (int j = 0; j < u.n; j++) {
                sum += M[i * u.n + j] * x[u.at + j];
            }
            y[u.at + i] = sum;
        }
        M += u.n * u.n;
    }
}

void system_mass_solve(const System* sys, const Workspace* w, double* x) {
    const double* L = w->M_factor;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Range u = sys->bodies[b]->u;
        cholesky_solve(u.n, L, x + u.at);
        L += u.n * u.n;
    }
}

void system_add_mass(const System* sys, const Workspace* w, double* A) {
    const double* M = w->M;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Range u = sys->bodies[b]->u;
        for (int i = 0; i < u.n; i++) {
            for (int j = 0; j < u.n; j++) {
                A[(size_t)(u.at + j) * (size_t)sys->nu + (size_t)(u.at + i)] += M[i * u.n + j];
            }
        }
        M += u.n * u.n;
    }
}

void system_contact(const System* sys, const Configuration* c, int k, ContactBlock* block) {
    const ContactEntry* contact = &sys->contacts[k];
    contact_block(contact->proximity, contact->a, contact->b, c, block);
}

void system_contact_add(const ContactEntry* contact, const double* W_row, double alpha, double* y) {
    for (int i = 0; i < contact->u_a.n; i++) {
        y[contact->u_a.at + i] += alpha * W_row[i];
    }
    for (int i = 0; i < contact->u_b.n; i++) {
        y[contact->u_b.at + i] += alpha * W_row[BODY_MAX_NU + i];
    }
}

double system_contact_dot(const ContactEntry* contact, const double* W_row, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < contact->u_a.n; i++) {
        sum += W_row[i] * x[contact->u_a.at + i];
    }
    for (int i = 0; i < contact->u_b.n; i++) {
        sum += W_row[BODY_MAX_NU + i] * x[contact->u_b.at + i];
    }
    return sum;
}

double system_kinetic_energy(const System* sys, const Workspace* w, const double* u) {
    const double* M = w->M;
    double twice = 0.0;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Range at = sys->bodies[b]->u;
        for (int i = 0; i < at.n; i++) {
            for (int j = 0; j < at.n; j++) {
                twice += u[at.at + i] * M[i * at.n + j] * u[at.at + j];
            }
        }
        M += at.n * at.n;
    }
    return 0.5 * twice;
}

// Sum over the bodies of -m gravity . x, x being their positions or velocities.
static double weight_work(const System* sys, const Workspace* w, const Configuration* c,
                          bool rate) {
    const Vec2 gravity = {c->p[sys->gravity + GRAVITY_X], c->p[sys->gravity + GRAVITY_Y]};
    const double* M = w->M;
    double work = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const int nu = sys->bodies[i]->u.n;
        work -= M[0] * vec2_dot(gravity, rate ? c->frames[i].v : c->frames[i].r);
        M += nu * nu;
    }
    return work;
}

double system_potential_energy(const System* sys, const Workspace* w, const Configuration* c) {
    double energy = weight_work(sys, w, c, false);
    for (int i = 0; i < sys->n_forces; i++) {
        const ForceFunctions* force = sys->forces[i]->kind->force;
        energy += force->potential != NULL ? force->potential(sys->forces[i], c) : 0.0;
    }
    return energy;
}

double system_potential_rate(const System* sys, const Workspace* w, const Configuration* c) {
    double rate = weight_work(sys, w, c, true);
    for (int i = 0; i < sys->n_forces; i++) {
        const ForceFunctions* force = sys->forces[i]->kind->force;
        rate += force->potential_rate != NULL ? force->potential_rate(sys->forces[i], c) : 0.0;
    }
    return rate;
}
