// The three kinematic levels of generalized-alpha: residuals and Newton updates.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/alpha_step.h"
#include "solvers/contact_solver.h"

// Errors are relative to what the applied forces do in so many steps, so that they do not add up to
// more in smaller steps; but not to less than this fraction of the velocities, where rounding
// begins.
static const double SPAN = 100.0;
static const double LEAST_SCALE = 1e-3;

// GA (80) says how far impacts displace; an error there displaces once, unlike an error of
// velocity, which lasts, or one of a gap, which is seen.
static const double DISPLACEMENT_WEIGHT = 1e-2;

// First row of active law i among all rows of laws; its rows are numbered alike among the active.
static int first_row(const AlphaStep* step, int i) {
    return step->sys->laws[step->w->active[i]].la.at;
}

static double row_mobility(const Workspace* w, const Link* link, const double* W) {
    double G = 0.0;
    for (int i = 0; i < link->coupling.n; i++) {
        const double value = W[link->coupling.column[i]];
        G += value * value / w->M_diagonal[link->coupling.u[i]];
    }
    return G;
}

// --- rates ---

// e_N or e_F
static double restitution(const AlphaStep* step, const Link* link, int r) {
    const double* par = step->s->p + link->element->p.at;
    return link->bound >= 0 ? 0.0 : par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
}

static void joint_rates(AlphaStep* step) {
    const System* sys = step->sys;
    AlphaScratch* alpha = &step->w->alpha;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        const Rows* rows = &step->w->joint_rows[i];
        double gamma[MAX_ROWS];
        system_row_velocities(&step->end, link, rows, gamma);
        for (int r = 0; r < link->la.n; r++) {
            const int row = link->la.at + r;
            alpha->rate_g[POSITION][row] = r < link->rows->n_position_rows ? rows->g[r] : 0.0;
            alpha->rate_g[VELOCITY][row] = gamma[r];
        }
    }
}

void alpha_acceleration_rates(AlphaStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    const double* a = alpha->x[ACCELERATION];
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        const Rows* rows = &w->joint_rows[i];
        for (int r = 0; r < link->la.n; r++) {
            alpha->rate_g[ACCELERATION][link->la.at + r] =
                system_row_dot(link, rows->W[r], a) + rows->zeta[r];
        }
    }
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        for (int r = 0; r < law_rows(&w->laws[i]); r++) {
            alpha->rate[ACCELERATION][w->laws[i].at + r] =
                system_row_dot(link, w->rows[i].W[r], a) + w->rows[i].zeta[r];
        }
    }
}

void alpha_rates(AlphaStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    joint_rates(step);
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        const Rows* rows = &w->rows[i];
        double gamma[MAX_ROWS];
        system_row_velocities(&step->end, link, rows, gamma);
        for (int r = 0; r < law_rows(&w->laws[i]); r++) {
            const int at = w->laws[i].at + r;
            const double* W = rows->W[r];
            const double prescribed = gamma[r] - system_row_dot(link, W, alpha->u_1);
            alpha->gamma_n[at] = system_row_dot(link, W, step->s->u) + prescribed;
            w->gamma[at] = gamma[r];
            alpha->rate[POSITION][at] = rows->g[r];
            // GA (44), (48), (88): the velocities before along the directions at the end
            alpha->rate[VELOCITY][at] = gamma[r] + restitution(step, link, r) * alpha->gamma_n[at];
            alpha->mobility[at] = row_mobility(w, link, W);
        }
    }
}

// --- the sets A, B, D ---

double alpha_negligible(const AlphaStep* step, double G) {
    return 10.0 * step->s->p[step->sys->solver + SOLVER_TOLERANCE] * step->scale * sqrt(G);
}

// GA (133), (139) from P, xi (rows of the law) and 1/r_N, 1/r_F. A contact whose sliding velocity
// is zero to the accuracy of the solution sticks: rounding must not choose a direction for la_F.
static unsigned velocity_sets(const AlphaStep* step, const ContactLaw* law, const double* P,
                              const double* xi, double g_N, double g_F) {
    if (law->normal && !(g_N * P[0] >= xi[0])) {
        return 0;
    }
    const int F = law->normal ? 1 : 0;
    const double R = law->normal ? law->mu * P[0] : law->bound;
    double square = 0.0;
    for (int r = F; r < F + law->n_F; r++) {
        const double p = g_F * P[r] - xi[r];
        square += p * p;
    }
    return IN_B | (sqrt(square) <= g_F * R + alpha_negligible(step, g_F) ? IN_D_ST : 0);
}

static double largest(int n, const double* x) {
    double value = 0.0;
    for (int i = 0; i < n; i++) {
        value = fmax(value, x[i]);
    }
    return value;
}

void alpha_sets(AlphaStep* step) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    for (int i = 0; i < w->n_active; i++) {
        const ContactLaw* law = &w->laws[i];
        const int full = first_row(step, i);
        const double* G = alpha->mobility + law->at;
        // GA (130); friction in a joint is always closed
        const bool closed =
            !law->normal || G[0] * alpha->mu[POSITION][full] >= alpha->rate[POSITION][law->at];
        alpha->sets[i] = !closed ? 0
                                 : IN_A | velocity_sets(step, law, alpha->mu[VELOCITY] + full,
                                                        alpha->rate[VELOCITY] + law->at, G[0],
                                                        largest(law_rows(law), G));
    }
}

// --- residuals ---

static double back_weight(const AlphaStep* step) {
    return step->weight[POSITION] - 0.5 * step->dt * step->weight[VELOCITY];
}

// What a row on velocity level has in the equations of position level
static double displacement(const AlphaStep* step, double P, double la) {
    return 0.5 * step->dt * P + back_weight(step) * la;
}

// mu - offset of a row
static double acting(const AlphaStep* step, Level level, int row, bool normal) {
    const AlphaScratch* alpha = &step->w->alpha;
    return level == POSITION && !normal
               ? displacement(step, alpha->mu[VELOCITY][row] - alpha->offset[VELOCITY][row],
                              alpha->mu[ACCELERATION][row])
               : alpha->mu[level][row] - alpha->offset[level][row];
}

// w->r = M x - weight h - W_g mu_g - W (mu - offset), GA (74), (78), (80)
static void evaluate_dynamics(const AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    system_mass_multiply(sys, w, alpha->x[level], w->r);
    for (int i = 0; i < sys->nu; i++) {
        w->r[i] -= step->weight[level] * w->h[i];
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const int row = link->la.at + r;
            if (level == POSITION && r >= link->rows->n_position_rows) {
                alpha->mu_g[POSITION][row] =
                    displacement(step, alpha->mu_g[VELOCITY][row], alpha->mu_g[ACCELERATION][row]);
            }
            system_row_add(link, w->joint_rows[i].W[r], -alpha->mu_g[level][row], w->r);
        }
    }
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        const ContactLaw* law = &w->laws[i];
        for (int r = 0; r < law_rows(law); r++) {
            const double force = acting(step, level, link->la.at + r, law->normal && r == 0);
            if (force != 0.0) {
                system_row_add(link, w->rows[i].W[r], -force, w->r);
            }
        }
    }
}

// The law of active law i on one level; its rows are the first ones of law i.
static ContactLaw level_law(const AlphaStep* step, Level level, int i) {
    const Workspace* w = step->w;
    ContactLaw law = w->laws[i];
    if (level == POSITION) {
        law.n_F = 0;
    }
    if (level != ACCELERATION) {
        return law;
    }
    law.bound /= step->dt;
    law.slides = (w->alpha.sets[i] & IN_D_ST) == 0;
    if (law.slides) {  // GA (120), by xi_F where restitution leaves gamma_F = 0
        const int F = law.at + (law.normal ? 1 : 0);
        const double* velocities[2] = {w->gamma + F, w->alpha.rate[VELOCITY] + F};
        double speed = 0.0;
        for (int j = 0; j < 2 && speed == 0.0; j++) {
            for (int r = 0; r < law.n_F; r++) {
                speed += velocities[j][r] * velocities[j][r];
                law.slip[r] = velocities[j][r];
            }
        }
        speed = sqrt(speed);
        for (int r = 0; r < law.n_F; r++) {
            law.slip[r] = speed > 0.0 ? law.slip[r] / speed : 0.0;
        }
    }
    return law;
}

// Is a law on this level, or are its mu zero?
static bool holds(const AlphaStep* step, Level level, int i) {
    const unsigned sets = step->w->alpha.sets[i];
    return level == POSITION ? step->w->laws[i].normal
                             : (sets & (level == VELOCITY ? IN_A : IN_B)) != 0;
}

// The worst violation of a contact law of the level, in the norm of energy
static double law_residual(const AlphaStep* step, Level level) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    double worst = 0.0;
    for (int i = 0; i < w->n_active; i++) {
        const ContactLaw law = level_law(step, level, i);
        const double* mu = alpha->mu[level] + first_row(step, i);
        const double* G = alpha->mobility + law.at;
        if (holds(step, level, i)) {
            const double error = contact_law_error(&law, G, mu, alpha->rate[level] + law.at);
            const double slack =
                level == POSITION && G[0] > 0.0 ? step->rounding / sqrt(G[0]) : 0.0;
            worst = fmax(worst, error - slack);
            continue;
        }
        for (int r = 0; r < law_rows(&law) && level != POSITION; r++) {
            worst = fmax(worst, fabs(mu[r]) * sqrt(G[r]));
        }
    }
    return worst;
}

static double joint_residual(const AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double worst = 0.0;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const double rate = fabs(w->alpha.rate_g[level][link->la.at + r]) -
                                (level == POSITION ? step->rounding : 0.0);
            if (rate > 0.0) {
                const double G = row_mobility(w, link, w->joint_rows[i].W[r]);
                worst = G > 0.0 ? fmax(worst, rate / sqrt(G)) : worst;
            }
        }
    }
    return worst;
}

void alpha_update_scale(AlphaStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double force = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        force += w->h[i] * w->h[i] / w->M_diagonal[i];
    }
    const double energy = fmax(system_kinetic_energy(sys, w, w->alpha.u_1),
                               system_kinetic_energy(sys, w, step->s->u));
    step->scale = fmax(SPAN * step->dt * sqrt(force), LEAST_SCALE * sqrt(2.0 * energy));
}

double alpha_residual(AlphaStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double worst = 0.0;
    for (Level level = POSITION; level < N_LEVELS; level++) {
        double square = 0.0;
        evaluate_dynamics(step, level);
        for (int i = 0; i < sys->nu; i++) {
            square += w->r[i] * w->r[i] / w->M_diagonal[i];
        }
        const double weight = level == POSITION ? DISPLACEMENT_WEIGHT : 1.0;
        double error = fmax(weight * sqrt(square), law_residual(step, level));
        error = fmax(error, joint_residual(step, level));
        if (!isfinite(square)) {
            return NAN;
        }
        step->residual[level] = error > 0.0 ? step->unit[level] * error / step->scale : 0.0;
        worst = fmax(worst, step->residual[level]);
    }
    return worst;
}

// --- Newton updates ---

// Assembles and factorises the matrix of a level unless it is at hand.
static Status prepare_matrix(AlphaStep* step, Level level) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double k = level == POSITION && sys->position_dependent ? -step->weight[level] : 0.0;
    const double d = level == VELOCITY && sys->velocity_dependent ? -step->weight[level] : 0.0;
    const bool positions_only = level == POSITION && sys->nonholonomic;
    const double* q_0 = level == POSITION && sys->turning ? step->s->q : NULL;
    if (step->factored && step->k == k && step->d == d && w->q_0 == q_0 &&
        step->positions_only == positions_only) {
        return STATUS_OK;
    }
    step->factored = true;
    step->delassus = false;
    step->k = k;
    step->d = d;
    step->positions_only = positions_only;
    w->q_0 = q_0;
    w->plain_mass = sys->n_joints == 0 && !sys->flexible && k == 0.0 && d == 0.0;
    if (w->plain_mass || w->saddle == NULL) {
        return STATUS_OK;
    }
    system_assemble_forces(sys, &step->end, k, d, w);
    system_assemble_joints(sys, w->joint_rows, positions_only, w);
    return saddle_factor(w->saddle);
}

// The update without changes of contact forces, into w->solution: x and minus mu_g
static void free_update(const AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    if (sys->n_joints > 0 && saddle_redundant(w->saddle, NULL) > 0) {
        // the forces of redundant joints are those of least norm, not of least change
        memset(alpha->mu_g[level], 0, (size_t)sys->nla_g * sizeof(double));
    }
    evaluate_dynamics(step, level);
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = -w->r[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -alpha->rate_g[level][i];
    }
    newton_matrix_solve(sys, w, 1, w->solution);
}

// The nearest forces that the law allows, as a start value: where the joints take up a friction
// force whatever it is, it does not enter the problem, and nothing else would bring it there.
static void admit(const ContactLaw* law, double* P) {
    const int F = law->normal ? 1 : 0;
    double R = law->bound;
    if (law->normal) {
        P[0] = fmax(0.0, P[0]);
        R = law->mu * P[0];
    }
    double square = 0.0;
    for (int r = F; r < F + law->n_F; r++) {
        square += P[r] * P[r];
    }
    const double size = sqrt(square);
    for (int r = F; r < F + law->n_F; r++) {
        P[r] = law->slides ? -R * law->slip[r - F] : size > R ? P[r] * (R / size) : P[r];
    }
}

// The laws of the level and their rows: a problem in part of the rows of the active laws. w->b
// becomes rate = G mu + b on these.
static ContactProblem level_problem(const AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    ContactProblem problem = {.laws = alpha->laws,
                              .G = alpha->G,
                              .b = w->b,
                              .scale = step->scale / step->unit[level],
                              .r = step->s->p[sys->solver + SOLVER_PROX_PARAMETER]};
    for (int i = 0; i < w->n_active; i++) {
        if (!holds(step, level, i)) {
            continue;
        }
        const Link* link = &sys->laws[w->active[i]];
        ContactLaw law = level_law(step, level, i);
        for (int r = 0; r < law_rows(&law); r++) {
            const int row = law.at + r;
            alpha->rows[problem.m + r] = row;
            w->P[problem.m + r] = alpha->mu[level][link->la.at + r];
            w->b[problem.m + r] =
                alpha->rate[level][row] + system_row_dot(link, w->rows[i].W[r], w->solution);
        }
        admit(&law, w->P + problem.m);
        law.at = problem.m;
        problem.m += law_rows(&law);
        alpha->laws[problem.n++] = law;
    }
    for (int j = 0; j < problem.m; j++) {
        const double* column = w->G + (size_t)alpha->rows[j] * (size_t)step->m;
        for (int i = 0; i < problem.m; i++) {
            alpha->G[(size_t)j * (size_t)problem.m + (size_t)i] = column[alpha->rows[i]];
        }
    }
    return problem;
}

// b less G times the mu of all rows before the update: those that hold no law become zero
static void subtract_present(const AlphaStep* step, Level level, const ContactProblem* problem) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    for (int i = 0; i < w->n_active; i++) {
        const int full = first_row(step, i);
        for (int r = 0; r < (level == POSITION ? w->laws[i].normal : law_rows(&w->laws[i])); r++) {
            const double mu = alpha->mu[level][full + r];
            const double* column = w->G + (size_t)(w->laws[i].at + r) * (size_t)step->m;
            for (int j = 0; j < problem->m && mu != 0.0; j++) {
                w->b[j] -= column[alpha->rows[j]] * mu;
            }
        }
    }
}

// The sets that follow from the solution of the level's problem
static void take_sets(const AlphaStep* step, Level level, const ContactProblem* problem) {
    const Workspace* w = step->w;
    unsigned* sets = w->alpha.sets;
    int n = 0;
    for (int i = 0; i < w->n_active; i++) {
        if (!holds(step, level, i)) {
            continue;
        }
        const ContactLaw* law = &problem->laws[n++];
        double xi[CONTACT_MAX_ROWS];
        double G[CONTACT_MAX_ROWS];
        for (int r = 0; r < law_rows(law); r++) {
            const size_t row = (size_t)law->at + (size_t)r;
            xi[r] = contact_problem_xi(problem, w->P, law->at + r);
            G[r] = problem->G[row * (size_t)problem->m + row];
        }
        const double* P = w->P + law->at;
        if (level == POSITION) {
            sets[i] = G[0] * P[0] >= xi[0] ? sets[i] | IN_A : 0;
        } else if (level == VELOCITY) {
            sets[i] = IN_A | velocity_sets(step, law, P, xi, G[0], largest(law_rows(law), G));
        }
    }
}

// Adds the change of mu to the solution and takes mu over.
static void take_forces(const AlphaStep* step, Level level, const ContactProblem* problem) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    const int size = sys->nu + sys->nla_g;
    int n = 0;
    for (int i = 0; i < w->n_active; i++) {
        const bool holding = holds(step, level, i);
        const double* P = holding ? w->P + problem->laws[n++].at : NULL;
        for (int r = 0; r < (level == POSITION ? w->laws[i].normal : law_rows(&w->laws[i])); r++) {
            double* mu = &alpha->mu[level][first_row(step, i) + r];
            const double change = (holding ? P[r] : 0.0) - *mu;
            const double* V = w->V + (size_t)(w->laws[i].at + r) * (size_t)size;
            *mu += step->damping * change;
            for (int j = 0; j < size && change != 0.0; j++) {
                w->solution[j] += V[j] * change;
            }
        }
    }
}

static Status solve_contacts(AlphaStep* step, Level level, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double* par = step->s->p + sys->solver;
    const int maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS];
    // solved to a fraction of the tolerance, so that the step can reach it
    const ContactSolverOptions options = {.tolerance = 0.1 * par[SOLVER_TOLERANCE],
                                          .maximum_iterations = maximum,
                                          .maximum_sweeps = 200 * maximum};
    // on position level friction has no law: its rows are wanted if another level has this matrix
    const bool own_matrix =
        sys->turning || sys->position_dependent || sys->velocity_dependent || sys->nonholonomic;
    const bool normals_only = level == POSITION && own_matrix;
    if (!step->delassus || (step->normals_only && !normals_only)) {
        const bool symmetric = step->k == 0.0 && step->d == 0.0 && w->q_0 == NULL;
        contact_delassus(sys, w, step->m, (DelassusOptions){normals_only, symmetric});
        step->delassus = true;
        step->normals_only = normals_only;
    }
    const ContactProblem problem = level_problem(step, level);
    subtract_present(step, level, &problem);
    ContactSolverInfo contact_info;
    const Status status =
        contact_solver_solve(&problem, &options, &w->contact_scratch, w->P, &contact_info);
    info->contact_iterations += contact_info.iterations + contact_info.sweeps;
    info->regularised = info->regularised || contact_info.regularised;
    info->swept = info->swept || contact_info.swept;
    // the order matters: who holds a law on this level follows from the sets before
    take_forces(step, level, &problem);
    take_sets(step, level, &problem);
    return status;
}

Status alpha_solve_level(AlphaStep* step, Level level, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    Status status = prepare_matrix(step, level);
    if (status != STATUS_OK) {
        return status;
    }
    free_update(step, level);
    if (w->n_active > 0) {
        status = solve_contacts(step, level, info);
    }
    for (int i = 0; i < sys->nu + sys->nla_g; i++) {
        w->solution[i] *= step->damping;
    }
    const double* change = w->solution;
    if (level == POSITION) {
        system_pull_back(sys, w->q_1, step->s->q, w->solution, alpha->d);
        change = alpha->d;
    }
    for (int i = 0; i < sys->nu; i++) {
        alpha->x[level][i] += change[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {  // the border has the sign of W_g: the unknown is -mu_g
        alpha->mu_g[level][i] -= w->solution[sys->nu + i];
    }
    return status;
}
