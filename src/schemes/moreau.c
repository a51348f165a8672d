// Moreau-Jean theta scheme, PR (18):
//   M (v - u_n) - dt h(t_theta, q_theta, u_theta) = W(q_1) P                     (18a)
//   u_theta = (1-theta) u_n + theta v,  q_1 = q_n + dt u_theta                   (18b)
//   U_1 = W^T(q_1) v                                                             (18c)
//   contacts with g_n + forecast dt U_n <= 0:  the contact laws on U_1 + e U_n   (18d), (61)
// with friction by the same inclusion on the tangential velocities, GA (112). Newton's method on
// (18a) with the exact derivatives of h; the directions W follow the iterate q_1.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "linalg/lu.h"
#include "schemes/scheme.h"
#include "solvers/contact_solver.h"

// The step's constants and the sizes against which its residuals are measured.
typedef struct Step {
    const System* sys;
    double t, dt, theta, damping;
    const State* s;
    Workspace* w;
    Configuration c_1;  // at the end of the step, if there are active contacts
    double energy_n;    // kinetic energy of u_n
    double energy_h;    // and of dt M^-1 h
    double scale;       // sqrt of an energy: the largest of u_n, v and dt M^-1 h in the norm of M
} Step;

static double dot(int n, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// PR (61)
static void activate(const System* sys, double dt, const State* s, Workspace* w) {
    const double forecast = s->p[sys->solver + SOLVER_FORECAST] * dt;
    w->n_active = 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (s->g_N[k] + forecast * s->gamma[CONTACT_ROWS * k + ROW_N] <= 0.0) {
            w->active[w->n_active++] = k;
        }
    }
}

// PR (18b): q_theta and q_1 for the iterate v
static void drift(const Step* step) {
    const Workspace* w = step->w;
    const double* u_n = step->s->u;
    for (int i = 0; i < step->sys->nu; i++) {
        w->u_theta[i] = (1.0 - step->theta) * u_n[i] + step->theta * w->v[i];
    }
    for (int i = 0; i < step->sys->nq; i++) {  // q' = u
        w->q_theta[i] = step->s->q[i] + step->theta * step->dt * w->u_theta[i];
        w->q_1[i] = step->s->q[i] + step->dt * w->u_theta[i];
    }
}

// h, and A = M - dt theta dh/du - dt^2 theta^2 dh/dq where it has derivatives. Where it has none, h
// is the same for all iterates.
static void evaluate_forces(Step* step) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double dt = step->dt;
    const double theta = step->theta;
    const double t = step->t + theta * dt;
    const Configuration c =
        sys->n_forces > 0 ? system_configuration(sys, t, step->s, w->q_theta, w->u_theta, w)
                          : (Configuration){.t = t, .p = step->s->p};  // weight needs no frames
    system_forces(sys, w, &c, w->h);
    if (sys->state_dependent) {
        memset(w->A, 0, (size_t)sys->nu * (size_t)sys->nu * sizeof(double));
        system_add_force_jacobian(sys, &c, -dt * dt * theta * theta, -dt * theta, w->A);
        system_add_mass(sys, w, w->A);
    }
    for (int i = 0; i < sys->nu; i++) {
        w->r_scaled[i] = dt * w->h[i];
    }
    system_mass_solve(sys, w, w->r_scaled);
    step->energy_h = 0.5 * dt * dot(sys->nu, w->h, w->r_scaled);
}

// r = M (v - u_n) - dt h
static void evaluate_smooth(Step* step) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    for (int i = 0; i < sys->nu; i++) {
        w->u_theta[i] = w->v[i] - step->s->u[i];  // u_theta is free again
    }
    system_mass_multiply(sys, w, w->u_theta, w->r);
    for (int i = 0; i < sys->nu; i++) {
        w->r[i] -= step->dt * w->h[i];
    }
    const double energy = fmax(fmax(system_kinetic_energy(sys, w, w->v), step->energy_n),  //
                               step->energy_h);
    step->scale = sqrt(2.0 * energy);
}

// W(q_1) of the active contacts
static void evaluate_contacts(Step* step) {
    Workspace* w = step->w;
    step->c_1 = system_configuration(step->sys, step->t + step->dt, step->s, w->q_1, w->v, w);
    for (int i = 0; i < w->n_active; i++) {
        system_contact(step->sys, &step->c_1, w->active[i], &w->blocks[i]);
    }
}

static double restitution(const Step* step, int k, int row) {
    const double* par = step->s->p + step->sys->contacts[k].element->p.at;
    const double e = par[row == ROW_N ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
    return e * step->s->gamma[CONTACT_ROWS * k + row];
}

// Relative residual of (18a) and of the contact laws at the iterate (v, P).
static double residual(const Step* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const int m = CONTACT_ROWS * w->n_active;
    double worst = 0.0;
    memcpy(w->u_theta, w->r, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < w->n_active; i++) {
        const int k = w->active[i];
        const ContactEntry* contact = &sys->contacts[k];
        double xi[CONTACT_ROWS];
        for (int row = 0; row < CONTACT_ROWS; row++) {
            system_contact_add(contact, w->blocks[i].W[row], -w->P[CONTACT_ROWS * i + row],
                               w->u_theta);
            xi[row] = w->blocks[i].gamma[row] + restitution(step, k, row);
        }
        const int at = CONTACT_ROWS * i;
        worst = fmax(worst, contact_law_error(w->G[(size_t)at * (size_t)m + (size_t)at],
                                              w->G[(size_t)(at + 1) * (size_t)m + (size_t)at + 1],
                                              w->mu[i], 0, w->P + at, xi));
    }
    memcpy(w->r_scaled, w->u_theta, (size_t)sys->nu * sizeof(double));
    system_mass_solve(sys, w, w->r_scaled);
    const double smooth = sqrt(fmax(0.0, dot(sys->nu, w->u_theta, w->r_scaled)));
    const double error = fmax(worst, smooth);
    return error > 0.0 ? error / step->scale : 0.0;
}

// x (nu x n_rhs) = A^-1 x
static void newton_matrix_solve(const Step* step, int n_rhs, double* x) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    if (sys->state_dependent) {
        lu_solve(sys->nu, n_rhs, w->A, w->pivots, x);
        return;
    }
    for (int j = 0; j < n_rhs; j++) {
        system_mass_solve(sys, w, x + (size_t)j * (size_t)sys->nu);
    }
}

// V = A^-1 W, G = W^T V, b = W^T v_free + e gamma_n
static void build_contact_problem(const Step* step) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const size_t nu = (size_t)sys->nu;
    const int m = CONTACT_ROWS * w->n_active;
    memset(w->V, 0, nu * (size_t)m * sizeof(double));
    for (int j = 0; j < m; j++) {
        system_contact_add(&sys->contacts[w->active[j / CONTACT_ROWS]],
                           w->blocks[j / CONTACT_ROWS].W[j % CONTACT_ROWS], 1.0,
                           w->V + (size_t)j * nu);
    }
    newton_matrix_solve(step, m, w->V);
    for (int i = 0; i < m; i++) {
        const int k = w->active[i / CONTACT_ROWS];
        const double* W = w->blocks[i / CONTACT_ROWS].W[i % CONTACT_ROWS];
        for (int j = 0; j < m; j++) {
            w->G[(size_t)j * (size_t)m + (size_t)i] =
                system_contact_dot(&sys->contacts[k], W, w->V + (size_t)j * nu);
        }
        w->b[i] = system_contact_dot(&sys->contacts[k], W, w->v_free) +
                  restitution(step, k, i % CONTACT_ROWS);
    }
    for (int i = 0; i < w->n_active; i++) {
        w->mu[i] = step->s->p[sys->contacts[w->active[i]].element->p.at + FRICTION_COEFFICIENT];
    }
}

// One Newton update of v and P.
static Status update(const Step* step, const ContactSolverOptions* options, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    if (sys->state_dependent) {
        const Status status = lu_factor(sys->nu, w->A, w->pivots);
        if (status != STATUS_OK) {
            return status;
        }
    }
    newton_matrix_solve(step, 1, w->r);
    for (int i = 0; i < sys->nu; i++) {
        w->v_free[i] = w->v[i] - step->damping * w->r[i];
        w->v[i] = w->v_free[i];
    }
    if (w->n_active == 0) {
        return STATUS_OK;
    }
    build_contact_problem(step);
    const ContactProblem problem = {
        .n = w->n_active, .G = w->G, .b = w->b, .mu = w->mu, .scale = step->scale};
    ContactSolverInfo contact_info;
    const Status status =
        contact_solver_solve(&problem, options, &w->contact_scratch, w->P, &contact_info);
    info->iterations += contact_info.iterations + contact_info.sweeps;
    for (int j = 0; j < CONTACT_ROWS * w->n_active; j++) {
        const double* V = w->V + (size_t)j * (size_t)sys->nu;
        for (int i = 0; i < sys->nu; i++) {
            w->v[i] += V[i] * w->P[j];
        }
    }
    // what is within the tolerance of the step is left to the judgement of its residual
    const double tolerance = step->s->p[sys->solver + SOLVER_TOLERANCE];
    return contact_info.error <= tolerance ? STATUS_OK : status;
}

static Status iterate(Step* step, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double* par = step->s->p + sys->solver;
    const double tolerance = par[SOLVER_TOLERANCE];
    const int maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS];
    // the inner problem is solved to a fraction of the tolerance, so that the outer one can reach
    // it
    const ContactSolverOptions options = {.tolerance = 0.1 * tolerance,
                                          .maximum_iterations = maximum,
                                          .maximum_sweeps = 20 * maximum};
    const bool linear = w->n_active == 0 && !sys->state_dependent;
    for (int i = 0;; i++) {
        drift(step);
        if (i > 0 && linear) {
            return STATUS_OK;  // (18a) had constant coefficients: the update solved it
        }
        if (i == 0 || sys->state_dependent) {
            evaluate_forces(step);
        }
        evaluate_smooth(step);
        if (w->n_active > 0) {
            evaluate_contacts(step);
        }
        if (i > 0) {
            info->residual = residual(step);
            if (info->residual <= tolerance) {
                return STATUS_OK;
            }
        }
        if (!isfinite(step->scale) || !isfinite(info->residual)) {
            return STATUS_NOT_FINITE;
        }
        if (i == maximum) {
            return STATUS_NO_CONVERGENCE;
        }
        info->iterations++;
        const Status status = update(step, &options, info);
        if (status != STATUS_OK) {
            return status;
        }
    }
}

// Closed contacts press on each other and do not part faster than the forces of half a step can
// bring them together again; an impact is a closing speed beyond the same measure.
static void classify(const Step* step, State* s, SolveInfo* info) {
    const Workspace* w = step->w;
    for (int k = 0; k < step->sys->n_contacts; k++) {
        s->contact_state[k] = CONTACT_OPEN;
        s->P[CONTACT_ROWS * k + ROW_N] = s->P[CONTACT_ROWS * k + ROW_F] = 0.0;
    }
    const int m = CONTACT_ROWS * w->n_active;
    for (int i = 0; i < w->n_active; i++) {
        const int k = w->active[i];
        const int at = CONTACT_ROWS * i;
        const double* P = w->P + at;
        const double before = s->gamma[CONTACT_ROWS * k + ROW_N];
        const double free = w->b[at] - restitution(step, k, ROW_N);
        const double threshold = 0.5 * fmax(0.0, before - free);
        memcpy(s->P + CONTACT_ROWS * k, P, CONTACT_ROWS * sizeof(double));
        if (!(P[ROW_N] > 0.0)) {
            continue;
        }
        info->impact = info->impact || -before > threshold;
        if (w->blocks[i].gamma[ROW_N] > threshold) {
            continue;
        }
        const double xi_F = w->blocks[i].gamma[ROW_F] + restitution(step, k, ROW_F);
        const double G_FF = w->G[(size_t)(at + 1) * (size_t)m + (size_t)at + 1];
        const double tolerance = s->p[step->sys->solver + SOLVER_TOLERANCE];
        const bool sticks = fabs(xi_F) <= 10.0 * tolerance * step->scale * sqrt(G_FF);
        s->contact_state[k] = sticks && w->mu[i] > 0.0 ? CONTACT_STICK : CONTACT_SLIP;
    }
}

// q_1, v and P become the state; the gaps at t + dt are what the next step starts from. Those of
// active contacts were evaluated there already.
static void commit(Step* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    classify(step, s, info);
    memcpy(s->q, w->q_1, (size_t)sys->nq * sizeof(double));
    memcpy(s->u, w->v, (size_t)sys->nu * sizeof(double));
    if (w->n_active == 0 && sys->n_contacts > 0) {
        step->c_1 = system_configuration(sys, step->t + step->dt, s, s->q, s->u, w);
    }
    int i = 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        ContactBlock other;
        const ContactBlock* block = &other;
        if (i < w->n_active && w->active[i] == k) {
            block = &w->blocks[i++];
        } else {
            system_contact(sys, &step->c_1, k, &other);
        }
        s->g_N[k] = block->g_N;
        memcpy(s->gamma + CONTACT_ROWS * k, block->gamma, sizeof block->gamma);
    }
}

Status moreau_step(const System* sys, double t, double dt, double damping, State* s, Workspace* w,
                   SolveInfo* info) {
    Step step = {.sys = sys,
                 .t = t,
                 .dt = dt,
                 .theta = s->p[sys->solver + SOLVER_THETA],
                 .damping = damping,
                 .s = s,
                 .w = w};
    *info = (SolveInfo){0};
    activate(sys, dt, s, w);
    memcpy(w->v, s->u, (size_t)sys->nu * sizeof(double));
    step.energy_n = system_kinetic_energy(sys, w, s->u);
    for (int i = 0; i < w->n_active; i++) {
        memcpy(w->P + CONTACT_ROWS * i, s->P + CONTACT_ROWS * w->active[i],
               CONTACT_ROWS * sizeof(double));
    }
    const Status status = iterate(&step, info);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < sys->nu; i++) {
        if (!isfinite(w->v[i])) {
            return STATUS_NOT_FINITE;
        }
    }
    commit(&step, s, info);
    return STATUS_OK;
}
