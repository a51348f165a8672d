// The mass matrix and the matrices of linear systems made with it.
#include <assert.h>
#include <string.h>

#include "system/derivatives.h"
#include "system/system.h"

// --- mass ---

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
        if (body->kind->body->flexible != NULL) {
            body->kind->body->flexible->mass_multiply(instant->properties->p + body->p.at, u.n,
                                                      x + u.at, y + u.at);
            continue;
        }
        block_multiply(body, M, x + u.at, y + u.at);
        M += u.n * u.n;
    }
}

void system_mass_solve(const System* sys, const Instant* instant, double* x) {
    const double* inverse = instant->properties->M_inverse;
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
        assert(body->kind->body->flexible == NULL);
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
        if (body->kind->body->flexible != NULL) {
            twice += 2.0 * body->kind->body->flexible->kinetic(instant->properties->p + body->p.at,
                                                               at.n, u + at.at);
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

// --- Newton matrix ---

// M Z^-1, Z w the displacement that a change w of the step makes
static void displaced_mass(const Element* body, const Instant* instant, const double* q_0,
                           const double* M, double* MZ) {
    const int n = body->u.n;
    for (int j = 0; j < n; j++) {
        double d[TWIST_SIZE] = {0.0};
        double z[TWIST_SIZE];
        d[j] = 1.0;
        body->kind->body->pull_back(instant->q + body->q.at, q_0 + body->q.at, d, z);
        for (int i = 0; i < n; i++) {
            MZ[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) {
                MZ[i * n + j] += M[i * n + k] * z[k];
            }
        }
    }
}

// A body's part of the matrix: translations are coupled with nothing
static void add_body_block(const Element* body, const double* block, Workspace* w) {
    const Range u = body->u;
    const int first = translations(body);
    const int n = u.n - first;
    int at[TWIST_SIZE];
    double rotations[TWIST_SIZE * TWIST_SIZE];
    for (int i = 0; i < first; i++) {
        saddle_add(w->saddle, u.at + i, u.at + i, block[i * u.n + i]);
    }
    for (int i = 0; i < n; i++) {
        at[i] = u.at + first + i;
        for (int j = 0; j < n; j++) {
            rotations[i * n + j] = block[(first + i) * u.n + first + j];
        }
    }
    saddle_add_block(w->saddle, n, at, rotations);
}

static void assemble_bodies(const System* sys, const Instant* instant, double k, double d,
                            Workspace* w) {
    const double* M = instant->properties->M;
    for (int b = 0; b < sys->n_bodies; b++) {
        const Element* body = sys->bodies[b];
        const Range u = body->u;
        const FlexibleFunctions* flexible = body->kind->body->flexible;
        if (flexible != NULL) {
            flexible->assemble(instant->properties->p + body->p.at, u.n, k, u.at, w->saddle);
            continue;
        }
        if (d != 0.0 && body->kind->body->gyroscopic != NULL) {
            double h[TWIST_SIZE] = {0.0};
            double D[TWIST_SIZE * TWIST_SIZE];
            body->kind->body->gyroscopic(instant->properties->p + body->p.at, instant->u + u.at, h,
                                         D);
            for (int i = 0; i < u.n * u.n; i++) {
                D[i] = M[i] + d * D[i];
            }
            add_body_block(body, D, w);
        } else if (w->q_0 != NULL && body->kind->body->pull_back != NULL) {
            double MZ[TWIST_SIZE * TWIST_SIZE] = {0.0};
            displaced_mass(body, instant, w->q_0, M, MZ);
            add_body_block(body, MZ, w);
        } else {
            add_body_block(body, M, w);
        }
        M += u.n * u.n;
    }
}

static void assemble_force(const Instant* instant, const Link* link, double k, double d,
                           Workspace* w) {
    double K[LOCAL_SIZE * LOCAL_SIZE] = {0.0};
    double D[LOCAL_SIZE * LOCAL_SIZE] = {0.0};
    if (k != 0.0 || d != 0.0) {
        system_force_derivatives(instant, link, k != 0.0 ? K : NULL, d != 0.0 ? D : NULL);
    }
    const Coupling* coupling = &link->coupling;
    double block[LOCAL_SIZE * LOCAL_SIZE];
    for (int i = 0; i < coupling->n; i++) {
        const int row = coupling->column[i] * LOCAL_SIZE;
        for (int j = 0; j < coupling->n; j++) {
            block[i * coupling->n + j] = k * K[row + j] + d * D[row + j];
        }
    }
    saddle_add_block(w->saddle, coupling->n, coupling->u, block);
}

static void add_forces(const System* sys, const Instant* instant, double k, double d,
                       Workspace* w) {
    assemble_bodies(sys, instant, k, d, w);
    for (int i = 0; i < sys->n_forces; i++) {
        if (sys->forces[i].element->kind->force->state_dependent) {
            assemble_force(instant, &sys->forces[i], k, d, w);
        }
    }
}

void system_assemble_forces(const System* sys, const Instant* instant, double k, double d,
                            Workspace* w) {
    saddle_begin(w->saddle);
    add_forces(sys, instant, k, d, w);
}

void system_assemble_joints(const System* sys, const Rows* joint_rows, bool positions_only,
                            Workspace* w) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const bool left_out = positions_only && r >= link->rows->n_position_rows;
            double row[LOCAL_SIZE];
            for (int j = 0; j < link->coupling.n; j++) {
                row[j] = left_out ? 0.0 : joint_rows[i].W[r][link->coupling.column[j]];
            }
            saddle_add_constraint(w->saddle, link->la.at + r, link->coupling.n, link->coupling.u,
                                  row);
        }
    }
}

Status system_record_pattern(const System* sys, Workspace* w) {
    const Instant none = {.properties = &w->properties};  // values do not matter here
    saddle_begin_pattern(w->saddle);
    add_forces(sys, &none, 0.0, 0.0, w);
    system_assemble_joints(sys, w->joint_rows, false, w);  // zero as yet
    return saddle_end_pattern(w->saddle);
}
