// What holds at an instant: gaps and contact states, consistent positions and velocities, and the
// contact laws on acceleration level, GA (52), (56), (60):
//   M a = h + W_g la_g + W la,  W_g^T a + zeta_g = 0,
//   g_N_ddot = W_N^T a + zeta_N complementary to la_N,
//   friction sticking by gamma_F_dot = W_F^T a + zeta_F, sliding with la_F = -mu la_N
//   gamma_F/|gamma_F|
// for the contacts that are closed.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/contact_assembly.h"
#include "solvers/contact_solver.h"

void scheme_update_contact(const System* sys, const Instant* c, int k, State* s) {
    const Link* link = &sys->laws[k];
    Rows rows;
    double gamma[MAX_ROWS];
    system_rows(c, link, false, &rows);
    s->g_N[k] = rows.g[0];
    system_row_velocities(c, link, &rows, gamma);
    memcpy(s->gamma + link->la.at, gamma, (size_t)link->la.n * sizeof(double));
}

void scheme_update_contacts(const System* sys, const Instant* c, State* s) {
    for (int k = 0; k < sys->n_laws; k++) {
        scheme_update_contact(sys, c, k, s);
    }
}

void scheme_start_contacts(const System* sys, double t, State* s, Workspace* w) {
    instant_set(sys, s, t, s->q, s->u, &w->end);
    const Instant* c = &w->end;
    scheme_update_contacts(sys, c, s);
    const double small = 1e-10 * sqrt(2.0 * system_kinetic_energy_of(sys, &w->end, s->u));
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const double* gamma = s->gamma + link->la.at;
        const bool contact = link->bound < 0;
        Rows rows;
        system_rows(c, link, false, &rows);
        bool sticks = !contact || s->p[link->element->p.at + FRICTION_COEFFICIENT] > 0.0;
        for (int r = contact ? 1 : 0; r < link->la.n; r++) {
            sticks = sticks && fabs(gamma[r]) <= small * sqrt(row_mobility(w, link, rows.W[r]));
        }
        // gaps of rounding size count as closed
        const bool open = contact && (s->g_N[k] > 1e-12 ||
                                      gamma[0] > small * sqrt(row_mobility(w, link, rows.W[0])));
        s->contact_state[k] = open ? CONTACT_OPEN : sticks ? CONTACT_STICK : CONTACT_SLIP;
    }
}

// --- joints at an instant ---

JointViolation scheme_joint_violation(const System* sys, double t, const State* s, Workspace* w) {
    JointViolation worst = {.position_joint = -1, .velocity_joint = -1};
    instant_set(sys, s, t, s->q, s->u, &w->end);
    const Instant* c = &w->end;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        Rows rows;
        double gamma[MAX_ROWS];
        system_rows(c, link, false, &rows);
        system_row_velocities(c, link, &rows, gamma);
        for (int r = 0; r < link->la.n; r++) {
            if (r < link->rows->n_position_rows && fabs(rows.g[r]) > worst.position) {
                worst.position = fabs(rows.g[r]);
                worst.position_joint = i;
            }
            if (fabs(gamma[r]) > worst.velocity) {
                worst.velocity = fabs(gamma[r]);
                worst.velocity_joint = i;
            }
        }
    }
    return worst;
}

// Fills the constraint part of w->solution with minus the joints' g, velocities or zeta.
typedef enum JointLevel { LEVEL_POSITION, LEVEL_VELOCITY, LEVEL_ACCELERATION } JointLevel;

static void joint_right_hand_side(const System* sys, const Instant* c, JointLevel level,
                                  Workspace* w) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        Rows* rows = &w->joint_rows[i];
        double gamma[MAX_ROWS];
        system_rows(c, link, true, rows);
        system_row_velocities(c, link, rows, gamma);
        for (int r = 0; r < link->la.n; r++) {
            // rows on velocity level have g = 0
            const double value = level == LEVEL_POSITION   ? rows->g[r]
                                 : level == LEVEL_VELOCITY ? gamma[r]
                                                           : rows->zeta[r];
            w->solution[sys->nu + link->la.at + r] = -value;
        }
    }
}

// The mass matrix bordered by W_g, factorised
static Status factor_mass(const System* sys, const Instant* c, Workspace* w) {
    if (w->saddle == NULL) {
        return STATUS_OK;
    }
    profile_count(&w->profile, COUNT_FACTORISATIONS, 1);
    system_joint_matrices(sys, c, w->joint_rows, w->W_g);
    system_assemble(sys, c, w->W_g, &(MatrixTerms){.k = 0.0}, (MatrixPattern){false, false},
                    w->saddle);
    return saddle_factor(w->saddle);
}

Status scheme_redundant_rows(const System* sys, double t, const State* s, Workspace* w, int* rows,
                             int* n) {
    *n = 0;
    if (sys->n_joints == 0) {
        return STATUS_OK;
    }
    instant_set(sys, s, t, s->q, s->u, &w->end);
    const Instant* c = &w->end;
    joint_right_hand_side(sys, c, LEVEL_POSITION, w);
    const Status status = factor_mass(sys, c, w);
    if (status == STATUS_OK) {
        *n = saddle_redundant(w->saddle, rows);
    }
    return status;
}

// The positions nearest to those of the start, in the metric of M, where the joints hold: with d
// the displacement so far, M (d + delta) = W la and W^T delta = -g.
static Status project_positions(const System* sys, double t, State* s, Workspace* w) {
    enum { MAXIMUM_ITERATIONS = 100 };
    double* d = w->v;
    memset(d, 0, (size_t)sys->nu * sizeof(double));
    memcpy(w->q_theta, s->q, (size_t)sys->nq * sizeof(double));
    for (int i = 0; i < MAXIMUM_ITERATIONS; i++) {
        instant_set(sys, s, t, s->q, s->u, &w->end);
        const Instant* c = &w->end;
        system_mass_multiply(sys, &w->end, d, w->solution);
        for (int j = 0; j < sys->nu; j++) {
            w->solution[j] = -w->solution[j];
        }
        joint_right_hand_side(sys, c, LEVEL_POSITION, w);
        const Status status = factor_mass(sys, c, w);
        if (status != STATUS_OK) {
            return status;
        }
        newton_matrix_solve(sys, w, 1, w->solution);
        double step = 0.0;
        double size = 0.0;
        for (int j = 0; j < sys->nu; j++) {
            d[j] += w->solution[j];
            step += w->properties.M_diagonal[j] * w->solution[j] * w->solution[j];
            size += w->properties.M_diagonal[j] * d[j] * d[j];
        }
        system_move(sys, w->q_theta, 1.0, d, w->q_1);
        memcpy(s->q, w->q_1, (size_t)sys->nq * sizeof(double));
        const double violation = scheme_joint_violation(sys, t, s, w).position;
        if (violation <= 1e-12 && step <= 1e-20 * size) {
            return STATUS_OK;
        }
    }
    return STATUS_NO_CONVERGENCE;
}

// The velocities nearest to those of the start for which the joints hold: linear
static Status project_velocities(const System* sys, double t, State* s, Workspace* w) {
    instant_set(sys, s, t, s->q, s->u, &w->end);
    const Instant* c = &w->end;
    memset(w->solution, 0, (size_t)sys->nu * sizeof(double));
    joint_right_hand_side(sys, c, LEVEL_VELOCITY, w);
    const Status status = factor_mass(sys, c, w);
    if (status != STATUS_OK) {
        return status;
    }
    newton_matrix_solve(sys, w, 1, w->solution);
    for (int j = 0; j < sys->nu; j++) {
        s->u[j] += w->solution[j];
    }
    return STATUS_OK;
}

Status scheme_project_start(const System* sys, double t, State* s, Workspace* w) {
    if (sys->n_joints == 0) {
        return STATUS_OK;
    }
    const Status status = project_positions(sys, t, s, w);
    return status == STATUS_OK ? project_velocities(sys, t, s, w) : status;
}

// --- accelerations ---

// The closed contacts become the active ones; b = W^T a + zeta
static int build(const System* sys, const State* s, const Instant* c, Workspace* w) {
    w->n_active = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        if (link->bound >= 0 ? s->p[link->bound] > 0.0 : s->contact_state[k] != CONTACT_OPEN) {
            system_rows(c, link, true, &w->rows[w->n_active]);
            directions_set(c, link, &w->rows[w->n_active], &w->directions[w->n_active]);
            w->active[w->n_active++] = k;
        }
    }
    const int m = contact_laws(sys, s, 1.0, true, w);
    contact_delassus(sys, w, m, (DelassusOptions){.symmetric = true});
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        for (int r = 0; r < law_rows(&w->laws[i]); r++) {
            const int row = w->laws[i].at + r;
            w->b[row] =
                system_row_dot(&w->end, link, w->rows[i].W[r], w->solution) + w->rows[i].zeta[r];
            w->P[row] = 0.0;
        }
    }
    return m;
}

static double problem_scale(const Workspace* w, int m) {
    double scale = 0.0;
    for (int i = 0; i < m; i++) {
        const double G = w->G[(size_t)i * (size_t)m + (size_t)i];
        scale = G > 0.0 ? fmax(scale, fabs(w->b[i]) / sqrt(G)) : scale;
    }
    return scale;
}

Status scheme_accelerations(const System* sys, double t, const State* s, Workspace* w, double* a) {
    instant_set(sys, s, t, s->q, s->u, &w->end);
    const Instant* c = &w->end;
    joint_right_hand_side(sys, c, LEVEL_ACCELERATION, w);
    system_forces(sys, c, w->h);
    memcpy(w->solution, w->h, (size_t)sys->nu * sizeof(double));
    Status status = factor_mass(sys, c, w);
    if (status != STATUS_OK) {
        return status;
    }
    newton_matrix_solve(sys, w, 1, w->solution);
    const int m = build(sys, s, c, w);
    memcpy(a, w->solution, (size_t)sys->nu * sizeof(double));
    if (m == 0) {
        return STATUS_OK;
    }
    const ContactProblem problem = {.n = w->n_active,
                                    .m = m,
                                    .laws = w->laws,
                                    .G = w->G,
                                    .b = w->b,
                                    .scale = problem_scale(w, m)};
    const ContactSolverOptions options = {
        .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 10000};
    ContactSolverInfo info;
    status = contact_solver_solve(&problem, &options, &w->contact_scratch, w->P, &info);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    profile_count(&w->profile, COUNT_CONTACT_ITERATIONS, info.iterations + info.sweeps);
    for (int j = 0; j < m; j++) {
        const double* V = w->V + (size_t)j * (size_t)(sys->nu + sys->nla_g);
        for (int i = 0; i < sys->nu; i++) {
            a[i] += V[i] * w->P[j];
        }
    }
    return status;
}

static void clear_forces(const System* sys, State* s) {
    double* const of_joints[] = {s->la_g, s->la_g_bar, s->la_g_change, s->La_g};
    double* const of_laws[] = {s->la, s->la_bar, s->la_change, s->La};
    double* const of_bodies[] = {s->a, s->a_bar, s->a_change};
    for (int i = 0; i < 4; i++) {
        memset(of_joints[i], 0, (size_t)sys->nla_g * sizeof(double));
        memset(of_laws[i], 0, (size_t)sys->nla_c * sizeof(double));
    }
    for (int i = 0; i < 3; i++) {
        memset(of_bodies[i], 0, (size_t)sys->nu * sizeof(double));
    }
}

// GA 9: a_bar_0 = a_0, la_bar_0 = la_0
void scheme_start_forces(const System* sys, double t, State* s, Workspace* w) {
    const size_t size = (size_t)sys->nu + (size_t)sys->nla_g;
    clear_forces(sys, s);
    if (scheme_accelerations(sys, t, s, w, s->a) == STATUS_OK) {
        for (int i = 0; i < sys->nla_g; i++) {
            s->la_g[i] = -w->solution[sys->nu + i];
        }
        for (int i = 0; i < w->n_active; i++) {
            for (int r = 0; r < law_rows(&w->laws[i]); r++) {
                const int row = w->laws[i].at + r;
                s->la[sys->laws[w->active[i]].la.at + r] = w->P[row];
                for (int j = 0; j < sys->nla_g; j++) {
                    s->la_g[j] -= w->V[(size_t)row * size + (size_t)(sys->nu + j)] * w->P[row];
                }
            }
        }
    } else {
        memset(s->a, 0, (size_t)sys->nu * sizeof(double));
    }
    memcpy(s->a_bar, s->a, (size_t)sys->nu * sizeof(double));
    memcpy(s->la_g_bar, s->la_g, (size_t)sys->nla_g * sizeof(double));
    memcpy(s->la_bar, s->la, (size_t)sys->nla_c * sizeof(double));
}
