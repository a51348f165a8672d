#include "system/system.h"

#include <string.h>

#include "elements/settings.h"
#include "linalg/cholesky.h"
#include "system/derivatives.h"

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

Status system_update_parameters(const System* sys, const double* p, Workspace* w) {
    int at = 0;
    w->p = p;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        const int nu = body->u.n;
        if (flexible != NULL) {
            flexible->mass_diagonal(p + body->p.at, nu, w->M_diagonal + body->u.at);
        }
        if (flexible != NULL || nu == 0) {
            continue;
        }
        body->kind->body->mass(p + body->p.at, w->M + at);
        memcpy(w->M_factor + at, w->M + at, (size_t)(nu * nu) * sizeof(double));
        if (!cholesky_factor(nu, w->M_factor + at)) {
            return STATUS_SINGULAR;
        }
        for (int j = 0; j < nu; j++) {
            w->M_diagonal[body->u.at + j] = w->M[at + j * nu + j];
        }
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

Configuration system_configuration(const System* sys, double t, const State* s, const double* q,
                                   const double* u, Workspace* w) {
    if (sys->n_signals > 0) {
        evaluate_signals(sys, t, s, w);
    }
    for (int i = 0; i < sys->n_frames; i++) {
        const Element* element = sys->frame_elements[i];
        const bool shape = element->kind->role == ROLE_SHAPE;
        const Element* body = shape ? &sys->elements[element->parent] : element;
        const BodyFunctions* functions = body->kind->body;
        if (functions->flexible != NULL) {
            functions->flexible->node_frame(element->node, q + body->q.at, u + body->u.at,
                                            &w->frames[i]);
        } else {
            functions->frame(s->p + body->p.at, w->signals + body->signals.at, q + body->q.at,
                             u + body->u.at, &w->frames[i]);
        }
    }
    w->frames[sys->n_frames] = (Frame){.R = MAT3_IDENTITY};  // the ground
    return (Configuration){.t = t,
                           .p = s->p,
                           .signals = w->signals,
                           .q = q,
                           .u = u,
                           .frames = w->frames,
                           .markers = w->markers};
}

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
    const double* M = w->M;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const Range u = body->u;
        if (body->kind->body->flexible != NULL) {
            continue;
        }
        for (int j = 0; j < u.n; j++) {
            h[u.at + j] = 0.0;
            for (int k = 0; k < u.n; k++) {
                const int component = body->kind->body->twist[k];
                h[u.at + j] += component < 3 ? M[j * u.n + k] * gravity[component] : 0.0;
            }
        }
        M += u.n * u.n;
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

// --- mass ---

void system_mass_multiply(const System* sys, const Workspace* w, const double* x, double* y) {
    const double* M = w->M;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range u = body->u;
        if (body->kind->body->flexible != NULL) {
            body->kind->body->flexible->mass_multiply(w->p + body->p.at, u.n, x + u.at, y + u.at);
            continue;
        }
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

// --- Newton matrix ---

static void assemble_bodies(const System* sys, const Configuration* c, double k, double d,
                            Workspace* w) {
    const double* M = w->M;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range u = body->u;
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        if (flexible != NULL) {
            flexible->assemble(c->p + body->p.at, u.n, k, u.at, w->saddle);
            continue;
        }
        double D[TWIST_SIZE * TWIST_SIZE] = {0.0};
        if (d != 0.0 && body->kind->body->gyroscopic != NULL) {
            double h[TWIST_SIZE] = {0.0};
            body->kind->body->gyroscopic(c->p + body->p.at, c->u + u.at, h, D);
        }
        for (int i = 0; i < u.n; i++) {
            for (int j = 0; j < u.n; j++) {
                saddle_add(w->saddle, u.at + i, u.at + j, M[i * u.n + j] + d * D[i * u.n + j]);
            }
        }
        M += u.n * u.n;
    }
}

static void assemble_force(const Configuration* c, const Link* link, double k, double d,
                           Workspace* w) {
    double K[LOCAL_SIZE * LOCAL_SIZE] = {0.0};
    double D[LOCAL_SIZE * LOCAL_SIZE] = {0.0};
    if (k != 0.0 || d != 0.0) {
        system_force_derivatives(c, link, K, D);
    }
    const Coupling* coupling = &link->coupling;
    for (int i = 0; i < coupling->n; i++) {
        const int row = coupling->column[i] * LOCAL_SIZE;
        for (int j = 0; j < coupling->n; j++) {
            saddle_add(w->saddle, coupling->u[i], coupling->u[j], k * K[row + j] + d * D[row + j]);
        }
    }
}

static void add_forces(const System* sys, const Configuration* c, double k, double d,
                       Workspace* w) {
    assemble_bodies(sys, c, k, d, w);
    for (int i = 0; i < sys->n_forces; i++) {
        if (sys->forces[i].element->kind->force->state_dependent) {
            assemble_force(c, &sys->forces[i], k, d, w);
        }
    }
}

void system_assemble_forces(const System* sys, const Configuration* c, double k, double d,
                            Workspace* w) {
    saddle_begin(w->saddle);
    add_forces(sys, c, k, d, w);
}

void system_assemble_joints(const System* sys, const Rows* joint_rows, Workspace* w) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const int row = sys->nu + link->la.at + r;
            for (int j = 0; j < link->coupling.n; j++) {
                const double value = joint_rows[i].W[r][link->coupling.column[j]];
                saddle_add(w->saddle, row, link->coupling.u[j], value);
                saddle_add(w->saddle, link->coupling.u[j], row, value);
            }
        }
    }
}

Status system_record_pattern(const System* sys, Workspace* w) {
    const Configuration none = {.p = w->p};  // values do not matter here
    saddle_begin_pattern(w->saddle);
    add_forces(sys, &none, 0.0, 0.0, w);
    system_assemble_joints(sys, w->joint_rows, w);  // zero as yet
    return saddle_end_pattern(w->saddle);
}

// --- rows ---

void system_rows(const Configuration* c, const Link* link, bool zeta, Rows* rows) {
    Surroundings s = system_surroundings(c, link);
    s.zeta = zeta;
    link->rows->rows(&s, frame_of(c, link->marker_a), frame_of(c, link->marker_b), rows);
}

void system_row_velocities(const Configuration* c, const Link* link, const Rows* rows,
                           double* gamma) {
    const Frame* a = frame_of(c, link->marker_a);
    const Frame* b = frame_of(c, link->marker_b);
    for (int i = 0; i < link->la.n; i++) {
        const double* W = rows->W[i];
        gamma[i] = W[0] * a->v.x + W[1] * a->v.y + W[2] * a->v.z + W[3] * a->Omega.x +
                   W[4] * a->Omega.y + W[5] * a->Omega.z + W[6] * b->v.x + W[7] * b->v.y +
                   W[8] * b->v.z + W[9] * b->Omega.x + W[10] * b->Omega.y + W[11] * b->Omega.z +
                   rows->g_t[i];
    }
}

void system_row_add(const Link* link, const double* W_row, double alpha, double* y) {
    const Coupling* coupling = &link->coupling;
    for (int i = 0; i < coupling->n; i++) {
        y[coupling->u[i]] += alpha * W_row[coupling->column[i]];
    }
}

double system_row_dot(const Link* link, const double* W_row, const double* x) {
    const Coupling* coupling = &link->coupling;
    double sum = 0.0;
    for (int i = 0; i < coupling->n; i++) {
        sum += W_row[coupling->column[i]] * x[coupling->u[i]];
    }
    return sum;
}

// --- energy ---

double system_kinetic_energy(const System* sys, const Workspace* w, const double* u) {
    const double* M = w->M;
    double twice = 0.0;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range at = body->u;
        if (body->kind->body->flexible != NULL) {
            twice += 2.0 * body->kind->body->flexible->kinetic(w->p + body->p.at, at.n, u + at.at);
            continue;
        }
        for (int i = 0; i < at.n; i++) {
            for (int j = 0; j < at.n; j++) {
                twice += u[at.at + i] * M[i * at.n + j] * u[at.at + j];
            }
        }
        M += at.n * at.n;
    }
    return 0.5 * twice;
}

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
