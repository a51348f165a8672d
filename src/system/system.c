#include "system/system.h"

#include <string.h>

#include "linalg/cholesky.h"

// --- parameters ---

static void update_markers(const System* sys, const double* p, Workspace* w) {
    for (int i = 0; i < sys->n_markers; i++) {
        const Element* element = sys->marker_elements[i];
        Marker* marker = &w->markers[i];
        *marker = (Marker){.frame = sys->n_frames, .A = MAT3_IDENTITY};
        if (element == NULL) {
            continue;  // the ground's origin
        }
        const bool shape = element->kind->role == ROLE_SHAPE;
        const Element* body = shape ? &sys->elements[element->parent] : element;
        if (shape && element->kind->corner != NULL) {
            element->kind->corner(p + element->p.at, i - element->marker, marker);
        } else if (shape) {
            element->kind->marker(p + element->p.at, marker);
            marker->function = element->function;
        }
        marker->frame = element->frame;
        if (body->kind->body->flexible != NULL) {
            marker->rho.x = 0.0;  // the frame is that of the node
        }
        if (body->kind->body->centre_of_mass != NULL) {
            marker->rho = sub3(marker->rho, body->kind->body->centre_of_mass(p + body->p.at));
        }
    }
}

// False if M is not positive definite.
static bool invert_mass(int n, const double* M, double* inverse) {
    double L[TWIST_SIZE * TWIST_SIZE];
    memcpy(L, M, (size_t)(n * n) * sizeof(double));
    if (!cholesky_factor(n, L)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        double* row = inverse + i * n;  // symmetric: a column as well
        for (int j = 0; j < n; j++) {
            row[j] = i == j ? 1.0 : 0.0;
        }
        cholesky_solve(n, L, row);
    }
    return true;
}

// The diagonal of a body's block of M; false if there are other entries.
static bool take_diagonal(int n, const double* M, double* diagonal) {
    bool alone = true;
    for (int i = 0; i < n * n; i++) {
        alone = alone && (i % (n + 1) == 0 || M[i] == 0.0);
    }
    for (int i = 0; i < n; i++) {
        diagonal[i] = M[i * n + i];
    }
    return alone;
}

Status system_update_parameters(const System* sys, const double* p, Workspace* w) {
    int at = 0;
    w->p = p;
    w->diagonal = true;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        const int nu = body->u.n;
        if (flexible != NULL) {
            flexible->mass_diagonal(p + body->p.at, nu, w->M_diagonal + body->u.at);
            w->diagonal = false;
        }
        if (flexible != NULL || nu == 0) {
            continue;
        }
        body->kind->body->mass(p + body->p.at, w->M + at);
        if (!invert_mass(nu, w->M + at, w->M_inverse + at)) {
            return STATUS_SINGULAR;
        }
        w->diagonal = take_diagonal(nu, w->M + at, w->M_diagonal + body->u.at) && w->diagonal;
        at += nu * nu;
    }
    update_markers(sys, p, w);
    return STATUS_OK;
}

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

// --- configuration ---

static void evaluate_signals(const System* sys, double t, const State* s, Workspace* w) {
    for (int i = 0; i < sys->n_user_parameters; i++) {
        w->symbols[i] = (Jet){.v = s->p[i]};
    }
    for (int i = 0; i < sys->n_inputs; i++) {
        w->symbols[sys->n_user_parameters + i] = (Jet){
            .v = s->input[i] + s->input_slope[i] * (t - s->input_time[i]), .d = s->input_slope[i]};
    }
    for (int i = 0; i < sys->n_signals; i++) {
        w->signals[i] = expression_jet(sys->signals[i], t, w->symbols);
    }
}

static void evaluate_frames(const System* sys, const double* p, const double* q, const double* u,
                            Workspace* w) {
    for (int i = 0; i < sys->n_frames; i++) {
        const Element* element = sys->frame_elements[i];
        const bool shape = element->kind->role == ROLE_SHAPE;
        const Element* body = shape ? &sys->elements[element->parent] : element;
        const BodyFunctions* functions = body->kind->body;
        if (functions->flexible != NULL) {
            functions->flexible->node_frame(element->node, q + body->q.at, u + body->u.at,
                                            &w->frames[i]);
        } else {
            functions->frame(p + body->p.at, w->signals + body->signals.at, q + body->q.at,
                             u + body->u.at, &w->frames[i]);
        }
    }
}

Configuration system_configuration(const System* sys, double t, const State* s, const double* q,
                                   const double* u, Workspace* w) {
    if (sys->n_signals > 0) {
        evaluate_signals(sys, t, s, w);
    }
    evaluate_frames(sys, s->p, q, u, w);
    return (Configuration){.t = t,
                           .p = s->p,
                           .signals = w->signals,
                           .q = q,
                           .u = u,
                           .frames = w->frames,
                           .markers = w->markers,
                           .planar = w->planar};
}

Surroundings system_surroundings(const Configuration* c, const Link* link) {
    return (Surroundings){.element = link->element,
                          .par = c->p + link->element->p.at,
                          .signals = c->signals + link->element->signals.at,
                          .a = &c->markers[link->marker_a],
                          .b = &c->markers[link->marker_b]};
}

static const Frame* frame_of(const Configuration* c, int marker) {
    return &c->frames[c->markers[marker].frame];
}

// --- forces ---

// Weight: M times the field of acceleration, in the velocities that are world translations.
static void add_weight(const System* sys, const Workspace* w, const double* p, double* h) {
    const double* gravity = p + sys->gravity;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const Range u = body->u;
        for (int j = 0; body->kind->body->flexible == NULL && j < u.n; j++) {
            const int component = body->kind->body->twist[j];
            h[u.at + j] = component < 3 ? w->M_diagonal[u.at + j] * gravity[component] : 0.0;
        }
    }
}

void system_forces(const System* sys, const Workspace* w, const Configuration* c, double* h) {
    add_weight(sys, w, c->p, h);
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const BodyFunctions* functions = body->kind->body;
        const double* par = c->p + body->p.at;
        if (functions->gyroscopic != NULL) {
            functions->gyroscopic(par, c->u + body->u.at, h + body->u.at, NULL);
        } else if (functions->flexible != NULL) {
            functions->flexible->forces(par, body->u.n, c->p + sys->gravity, c->q + body->q.at,
                                        h + body->u.at);
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const Surroundings s = system_surroundings(c, link);
        double F[LOCAL_SIZE] = {0.0};
        link->element->kind->force->force(&s, frame_of(c, link->marker_a),
                                          frame_of(c, link->marker_b), F);
        system_row_add(link, F, 1.0, h);
    }
}

// --- rows ---

void system_rows(const Configuration* c, const Link* link, bool zeta, Rows* rows) {
    const RowFunctions* f = link->rows;
    Surroundings s = system_surroundings(c, link);
    s.zeta = zeta;
    (c->planar && f->rows_plane != NULL ? f->rows_plane : f->rows)(
        &s, frame_of(c, link->marker_a), frame_of(c, link->marker_b), rows);
}

double system_gap(const Configuration* c, const Link* link) {
    const RowFunctions* f = link->rows;
    if (f->gap != NULL && (c->planar || f->rows_plane == NULL)) {
        const Surroundings s = system_surroundings(c, link);
        return f->gap(&s, frame_of(c, link->marker_a), frame_of(c, link->marker_b));
    }
    Rows rows;
    system_rows(c, link, false, &rows);
    return rows.g[0];
}

// W times the twist of one frame
static double twist_product(const double* W, const Frame* f, bool planar) {
    const double plane = W[0] * f->v.x + W[1] * f->v.y + W[5] * f->Omega.z;
    return planar ? plane : plane + W[2] * f->v.z + W[3] * f->Omega.x + W[4] * f->Omega.y;
}

void system_row_velocities(const Configuration* c, const Link* link, const Rows* rows,
                           double* gamma) {
    const Frame* a = frame_of(c, link->marker_a);
    const Frame* b = frame_of(c, link->marker_b);
    for (int i = 0; i < link->la.n; i++) {
        const double* W = rows->W[i];
        gamma[i] = twist_product(W, a, c->planar) + twist_product(W + TWIST_SIZE, b, c->planar) +
                   rows->g_t[i];
    }
}

// Sums over a coupling, by three: velocities of bodies come in threes, but for masses without
// extent and nodes.
void system_row_add(const Link* link, const double* W_row, double alpha, double* y) {
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

double system_row_dot(const Link* link, const double* W_row, const double* x) {
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
static double body_potential(const System* sys, const Workspace* w, const Configuration* c,
                             bool rate) {
    const double* gravity = c->p + sys->gravity;
    const double* M = w->M;
    double work = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        const int nu = body->u.n;
        if (flexible != NULL) {
            const double* par = c->p + body->p.at;
            const double* q = c->q + body->q.at;
            work += rate ? flexible->potential_rate(par, nu, gravity, q, c->u + body->u.at)
                         : flexible->potential(par, nu, gravity, q);
            continue;
        }
        const Frame* frame = &c->frames[body->frame];
        const Vec3 x = rate ? frame->v : frame->r;
        if (nu > 0) {
            work -= M[0] * (gravity[0] * x.x + gravity[1] * x.y + gravity[2] * x.z);
        }
        M += nu * nu;
    }
    return work;
}

double system_potential_energy(const System* sys, const Workspace* w, const Configuration* c) {
    double energy = body_potential(sys, w, c, false);
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ForceFunctions* force = link->element->kind->force;
        if (force->potential != NULL) {
            const Surroundings s = system_surroundings(c, link);
            energy +=
                force->potential(&s, frame_of(c, link->marker_a), frame_of(c, link->marker_b));
        }
    }
    return energy;
}

double system_potential_rate(const System* sys, const Workspace* w, const Configuration* c) {
    double rate = body_potential(sys, w, c, true);
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ForceFunctions* force = link->element->kind->force;
        if (force->potential == NULL) {
            continue;
        }
        const Surroundings s = system_surroundings(c, link);
        const DualFrame a = frame_move(frame_of(c, link->marker_a));
        const DualFrame b = frame_move(frame_of(c, link->marker_b));
        rate += dual_derivative(force->potential_dual(&s, &a, &b));
    }
    return rate;
}
