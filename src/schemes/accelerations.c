// Contact laws at an instant, on acceleration level, GA (52), (60):
//   M a = h + W la,  g_N_ddot = W_N^T a + zeta_N complementary to la_N,
//   friction sticking by gamma_F_dot = W_F^T a + zeta_F, sliding with la_F = -mu la_N sign(gamma_F)
// for the contacts that are closed.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/scheme.h"
#include "solvers/contact_solver.h"

void scheme_start_contacts(const System* sys, double t, State* s, Workspace* w) {
    static const double touching = 1e-12;  // m
    const Configuration c = system_configuration(sys, t, s, s->q, s->u, w);
    const double speed = sqrt(2.0 * system_kinetic_energy(sys, w, s->u));
    for (int k = 0; k < sys->n_contacts; k++) {
        ContactBlock block;
        system_contact(sys, &c, k, &block);
        // shapes that a file places on each other are rarely so to the last digit
        block.g_N = fabs(block.g_N) <= touching ? 0.0 : block.g_N;
        s->g_N[k] = block.g_N;
        memcpy(s->gamma + CONTACT_ROWS * k, block.gamma, sizeof block.gamma);
        // velocities count as zero against those that all the kinetic energy could give the contact
        double G[CONTACT_ROWS];
        for (int row = 0; row < CONTACT_ROWS; row++) {
            memset(w->v, 0, (size_t)sys->nu * sizeof(double));
            system_contact_add(&sys->contacts[k], block.W[row], 1.0, w->v);
            system_mass_solve(sys, w, w->v);
            G[row] = system_contact_dot(&sys->contacts[k], block.W[row], w->v);
        }
        const double small = 1e-10 * speed;
        const double mu = s->p[sys->contacts[k].element->p.at + FRICTION_COEFFICIENT];
        if (block.g_N > 0.0 || block.gamma[ROW_N] > small * sqrt(G[ROW_N])) {
            s->contact_state[k] = CONTACT_OPEN;
        } else if (mu > 0.0 && fabs(block.gamma[ROW_F]) <= small * sqrt(G[ROW_F])) {
            s->contact_state[k] = CONTACT_STICK;
        } else {
            s->contact_state[k] = CONTACT_SLIP;
        }
    }
}

// G and b of the closed contacts, whose indices go to w->active; a holds M^-1 h.
static void build(const System* sys, const State* s, const Configuration* c, const double* a,
                  Workspace* w) {
    const size_t nu = (size_t)sys->nu;
    w->n_active = 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (s->contact_state[k] == CONTACT_OPEN) {
            continue;
        }
        const int i = w->n_active++;
        w->active[i] = k;
        w->mu[i] = s->p[sys->contacts[k].element->p.at + FRICTION_COEFFICIENT];
        const double gamma_F = s->gamma[CONTACT_ROWS * k + ROW_F];
        const bool sticks = s->contact_state[k] == CONTACT_STICK;
        w->slip[i] = sticks || gamma_F == 0.0 ? 0 : gamma_F > 0.0 ? 1 : -1;
        system_contact(sys, c, k, &w->blocks[i]);
        for (int row = 0; row < CONTACT_ROWS; row++) {
            double* V = w->V + (size_t)(CONTACT_ROWS * i + row) * nu;
            memset(V, 0, nu * sizeof(double));
            system_contact_add(&sys->contacts[k], w->blocks[i].W[row], 1.0, V);
            system_mass_solve(sys, w, V);
        }
    }
    const int m = CONTACT_ROWS * w->n_active;
    for (int i = 0; i < m; i++) {
        const ContactEntry* contact = &sys->contacts[w->active[i / CONTACT_ROWS]];
        const ContactBlock* block = &w->blocks[i / CONTACT_ROWS];
        const double* W = block->W[i % CONTACT_ROWS];
        w->b[i] = system_contact_dot(contact, W, a) + block->zeta[i % CONTACT_ROWS];
        w->P[i] = 0.0;
        for (int j = 0; j < m; j++) {
            w->G[(size_t)j * (size_t)m + (size_t)i] =
                system_contact_dot(contact, W, w->V + (size_t)j * nu);
        }
    }
}

Status scheme_accelerations(const System* sys, double t, const State* s, Workspace* w, double* a) {
    const Configuration c = system_configuration(sys, t, s, s->q, s->u, w);
    system_forces(sys, w, &c, a);
    memcpy(w->h, a, (size_t)sys->nu * sizeof(double));
    system_mass_solve(sys, w, a);
    build(sys, s, &c, a, w);
    if (w->n_active == 0) {
        return STATUS_OK;
    }
    ContactProblem problem = {.n = w->n_active, .G = w->G, .b = w->b, .mu = w->mu, .slip = w->slip};
    for (int i = 0; i < CONTACT_ROWS * w->n_active; i++) {
        const size_t diagonal = (size_t)i * (size_t)(CONTACT_ROWS * w->n_active) + (size_t)i;
        if (w->G[diagonal] > 0.0) {
            problem.scale = fmax(problem.scale, fabs(w->b[i]) / sqrt(w->G[diagonal]));
        }
    }
    const ContactSolverOptions options = {
        .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 10000};
    ContactSolverInfo info;
    const Status status =
        contact_solver_solve(&problem, &options, &w->contact_scratch, w->P, &info);
    for (int j = 0; j < CONTACT_ROWS * w->n_active; j++) {
        for (int i = 0; i < sys->nu; i++) {
            a[i] += w->V[(size_t)j * (size_t)sys->nu + (size_t)i] * w->P[j];
        }
    }
    return status;
}
