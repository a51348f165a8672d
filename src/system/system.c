#include "system/system.h"

void system_initial(const System* sys, const double* p, double* q, double* u) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        if (flexible != NULL) {
            flexible->initial(p + body->p.at, body->q.n, q + body->q.at, u + body->u.at);
        } else if (body->u.n > 0) {
            body->kind->body->initial(p + body->p.at, q + body->q.at, u + body->u.at);
        }
    }
}

Surroundings system_surroundings(const Instant* instant, const Link* link) {
    return (Surroundings){.element = link->element,
                          .par = instant->properties->p + link->element->p.at,
                          .signals = instant->signals + link->element->signals.at,
                          .a = &instant->properties->markers[link->marker_a],
                          .b = &instant->properties->markers[link->marker_b]};
}

static const Frame* frame_of(const Instant* instant, int marker) {
    return &instant->frames[instant->properties->markers[marker].frame];
}

// --- forces ---

// Weight: M times the field of acceleration, in the velocities that are world translations.
static void add_weight(const System* sys, const Instant* instant, double* h) {
    const double* gravity = instant->properties->p + sys->gravity;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const Range u = body->u;
        for (int j = 0; body->kind->body->flexible == NULL && j < u.n; j++) {
            const int component = body->kind->body->twist[j];
            h[u.at + j] = component < 3
                              ? instant->properties->M_diagonal[u.at + j] * gravity[component]
                              : 0.0;
        }
    }
}

void system_forces(const System* sys, const Instant* instant, double* h) {
    add_weight(sys, instant, h);
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const BodyFunctions* functions = body->kind->body;
        const double* par = instant->properties->p + body->p.at;
        if (functions->gyroscopic != NULL) {
            functions->gyroscopic(par, instant->u + body->u.at, h + body->u.at, NULL);
        } else if (functions->flexible != NULL) {
            functions->flexible->forces(par, body->u.n, instant->properties->p + sys->gravity,
                                        instant->q + body->q.at, h + body->u.at);
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const Surroundings s = system_surroundings(instant, link);
        double F[LOCAL_SIZE] = {0.0};
        link->element->kind->force->force(&s, frame_of(instant, link->marker_a),
                                          frame_of(instant, link->marker_b), F);
        system_row_add(instant, link, F, 1.0, h);
    }
}

// --- rows ---

void system_rows(const Instant* instant, const Link* link, bool zeta, Rows* rows) {
    const RowFunctions* f = link->rows;
    Surroundings s = system_surroundings(instant, link);
    s.zeta = zeta;
    (instant->properties->planar && f->rows_plane != NULL ? f->rows_plane : f->rows)(
        &s, frame_of(instant, link->marker_a), frame_of(instant, link->marker_b), rows);
}

double system_gap(const Instant* instant, const Link* link) {
    const RowFunctions* f = link->rows;
    if (f->gap != NULL && (instant->properties->planar || f->rows_plane == NULL)) {
        const Surroundings s = system_surroundings(instant, link);
        return f->gap(&s, frame_of(instant, link->marker_a), frame_of(instant, link->marker_b));
    }
    Rows rows;
    system_rows(instant, link, false, &rows);
    return rows.g[0];
}

// W times the twist of one frame
static double twist_product(const double* W, const Frame* f, bool planar) {
    const double plane = W[0] * f->v.x + W[1] * f->v.y + W[5] * f->Omega.z;
    return planar ? plane : plane + W[2] * f->v.z + W[3] * f->Omega.x + W[4] * f->Omega.y;
}

void system_row_velocities(const Instant* instant, const Link* link, const Rows* rows,
                           double* gamma) {
    const Frame* a = frame_of(instant, link->marker_a);
    const Frame* b = frame_of(instant, link->marker_b);
    for (int i = 0; i < link->la.n; i++) {
        const double* W = rows->W[i];
        gamma[i] = twist_product(W, a, instant->properties->planar) +
                   twist_product(W + TWIST_SIZE, b, instant->properties->planar) + rows->g_t[i];
    }
}

// Sums over a coupling, by three: velocities of bodies come in threes, but for masses without
// extent and nodes.
void system_row_add(const Instant* instant, const Link* link, const double* W_row, double alpha,
                    double* y) {
    (void)instant;
    const int *u = link->coupling.u, *column = link->coupling.column;
    const int n = link->coupling.n;
    int i = 0;
    for (; i + 3 <= n; i += 3) {
        y[u[i]] += alpha * W_row[column[i]];
        y[u[i + 1]] += alpha * W_row[column[i + 1]];
        y[u[i + 2]] += alpha * W_row[column[i + 2]];
    }
    for (; i < n; i++) {
        y[u[i]] += alpha * W_row[column[i]];
    }
}

double system_row_dot(const Instant* instant, const Link* link, const double* W_row,
                      const double* x) {
    (void)instant;
    const int *u = link->coupling.u, *column = link->coupling.column;
    const int n = link->coupling.n;
    double sum = 0.0;
    int i = 0;
    for (; i + 3 <= n; i += 3) {
        sum += W_row[column[i]] * x[u[i]] + W_row[column[i + 1]] * x[u[i + 1]] +
               W_row[column[i + 2]] * x[u[i + 2]];
    }
    for (; i < n; i++) {
        sum += W_row[column[i]] * x[u[i]];
    }
    return sum;
}

// --- energy ---

// Sum over the bodies of -m gravity . x, x being their positions or velocities, and what flexible
// bodies store, or its rate.
static double body_potential(const System* sys, const Instant* instant, bool rate) {
    const double* gravity = instant->properties->p + sys->gravity;
    const double* M = instant->properties->M;
    double work = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        const int nu = body->u.n;
        if (flexible != NULL) {
            const double* par = instant->properties->p + body->p.at;
            const double* q = instant->q + body->q.at;
            work += rate ? flexible->potential_rate(par, nu, gravity, q, instant->u + body->u.at)
                         : flexible->potential(par, nu, gravity, q);
            continue;
        }
        const Frame* frame = &instant->frames[body->frame];
        const Vec3 x = rate ? frame->v : frame->r;
        if (nu > 0) {
            work -= M[0] * (gravity[0] * x.x + gravity[1] * x.y + gravity[2] * x.z);
        }
        M += nu * nu;
    }
    return work;
}

double system_potential_energy(const System* sys, const Instant* instant) {
    double energy = body_potential(sys, instant, false);
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ForceFunctions* force = link->element->kind->force;
        if (force->potential != NULL) {
            const Surroundings s = system_surroundings(instant, link);
            energy += force->potential(&s, frame_of(instant, link->marker_a),
                                       frame_of(instant, link->marker_b));
        }
    }
    return energy;
}

double system_potential_rate(const System* sys, const Instant* instant) {
    double rate = body_potential(sys, instant, true);
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ForceFunctions* force = link->element->kind->force;
        if (force->potential == NULL) {
            continue;
        }
        const Surroundings s = system_surroundings(instant, link);
        const DualFrame a = frame_move(frame_of(instant, link->marker_a));
        const DualFrame b = frame_move(frame_of(instant, link->marker_b));
        rate += dual_derivative(force->potential_dual(&s, &a, &b));
    }
    return rate;
}
