// The equations of generalized-alpha at an iterate: rates of joints and contacts, the sets that the
// laws are in, and residuals, by kinematic level.
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/alpha_step.h"
#include "solvers/contact_problem.h"

// Errors are relative to what the applied forces do in so many steps, so that they do not add up to
// more in smaller steps; but not to less than this fraction of the velocities, where rounding
// begins. Gaps and joints are held to less.
static const double SPAN = 100.0;
static const double SEEN_SPAN = 0.1;
static const double LEAST_SCALE = 1e-3;

// GA (80) says how far impacts displace; an error there displaces once, unlike an error of
// velocity, which lasts, or one of a gap, which is seen.
static const double DISPLACEMENT_WEIGHT = 1e-2;

// --- rates ---

// e_N or e_F
static double restitution(const AlphaStep* step, const Link* link, int r) {
    const double* par = step->s->p + link->element->p.at;
    return link->bound >= 0 ? 0.0 : par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
}

static void joint_rates(AlphaStep* step, bool moved) {
    const System* sys = step->sys;
    AlphaScratch* alpha = &step->w->alpha;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        const Rows* rows = &step->w->joint_rows[i];
        double gamma[MAX_ROWS];
        system_row_velocities(&step->w->end, link, rows, gamma);
        for (int r = 0; r < link->la.n; r++) {
            const int row = link->la.at + r;
            alpha->rate_g[VELOCITY][row] = gamma[r];
            if (moved) {
                alpha->rate_g[POSITION][row] = r < link->rows->n_position_rows ? rows->g[r] : 0.0;
                alpha->mobility_g[row] = row_mobility(step->w, link, rows->W[r]);
            }
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
                system_row_dot(&step->w->end, link, rows->W[r], a) + rows->zeta[r];
        }
    }
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        double of_a[LAW_MAX_ROWS];
        directions_dot(&link->coupling, &w->directions[i], a, of_a);
        for (int r = 0; r < law_rows(&w->laws[i]); r++) {
            alpha->rate[ACCELERATION][w->laws[i].at + r] = of_a[r] + w->rows[i].zeta[r];
        }
    }
}

// What of an active law follows from q_1: gaps, mobilities and the velocities before the step along
// the directions at its end
static void law_positions(const AlphaStep* step, int i, const double* gamma) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    const Coupling* coupling = &step->sys->laws[w->active[i]].coupling;
    const LawDirections* directions = &w->directions[i];
    const double* prescribed = w->rows[i].g_t;
    double gamma_n[LAW_MAX_ROWS];
    double G[LAW_MAX_ROWS] = {0.0};
    double driven[LAW_MAX_ROWS];
    directions_dot(coupling, directions, step->s->u, gamma_n);
    if (step->sys->driven) {
        directions_dot(coupling, directions, alpha->u_1, driven);
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            driven[r] = gamma[r] - driven[r];
        }
        prescribed = driven;
    }
    for (int k = 0; k < coupling->n; k++) {
        const double inverse = 1.0 / w->properties.M_diagonal[coupling->u[k]];
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            G[r] += directions->W[k][r] * directions->W[k][r] * inverse;
        }
    }
    for (int r = 0; r < law_rows(&w->laws[i]); r++) {
        const int at = w->laws[i].at + r;
        alpha->gamma_n[at] = gamma_n[r] + prescribed[r];
        alpha->rate[POSITION][at] = w->rows[i].g[r];
        alpha->mobility[at] = G[r];
    }
}

void alpha_rates(AlphaStep* step, bool moved) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    joint_rates(step, moved);
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        double gamma[MAX_ROWS] = {0.0};
        system_row_velocities(&step->w->end, link, &w->rows[i], gamma);
        if (moved) {
            law_positions(step, i, gamma);
        }
        for (int r = 0; r < law_rows(&w->laws[i]); r++) {
            const int at = w->laws[i].at + r;
            w->gamma[at] = gamma[r];
            // GA (44), (48), (88): the velocities before along the directions at the end
            alpha->rate[VELOCITY][at] = gamma[r] + restitution(step, link, r) * alpha->gamma_n[at];
        }
    }
}

// --- the sets A, B, D ---

double alpha_negligible(const AlphaStep* step, double G) {
    return 10.0 * step->s->p[step->sys->solver + SOLVER_TOLERANCE] * step->scale * sqrt(G);
}

static double largest(int n, const double* x) {
    double value = 0.0;
    for (int i = 0; i < n; i++) {
        value = larger(value, x[i]);
    }
    return value;
}

// 1/r_N, 1/r_F of the prox functions are g_N and g_F. A contact whose sliding velocity is zero to
// the accuracy of the solution sticks: rounding must not choose a direction for la_F.
unsigned alpha_velocity_sets(const AlphaStep* step, const ContactLaw* law, const double* P,
                             const double* xi, const double* G) {
    const double g_N = G[0];
    const double g_F = largest(law_rows(law), G);
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

void alpha_sets(AlphaStep* step) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    for (int i = 0; i < w->n_active; i++) {
        const ContactLaw* law = &w->laws[i];
        const int full = alpha_first_row(step, i);
        const double* G = alpha->mobility + law->at;
        // GA (130); friction in a joint is always closed
        const bool closed =
            !law->normal || G[0] * alpha->mu[POSITION][full] >= alpha->rate[POSITION][law->at];
        alpha->sets[i] = !closed ? 0
                                 : IN_A | alpha_velocity_sets(step, law, alpha->mu[VELOCITY] + full,
                                                              alpha->rate[VELOCITY] + law->at, G);
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

const double* alpha_dynamics(AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    const double weight = step->weight[level];
    double* r_level = alpha->r[level];
    if (step->known[level]) {
        return r_level;
    }
    step->known[level] = true;
    system_mass_multiply(sys, &w->end, alpha->x[level], r_level);
    for (int i = 0; i < sys->nu; i++) {
        r_level[i] -= weight * w->h[i];
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const int row = link->la.at + r;
            if (level == POSITION && r >= link->rows->n_position_rows) {
                alpha->mu_g[POSITION][row] =
                    displacement(step, alpha->mu_g[VELOCITY][row], alpha->mu_g[ACCELERATION][row]);
            }
            system_row_add(&w->end, link, w->joint_rows[i].W[r], -alpha->mu_g[level][row], r_level);
        }
    }
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        const ContactLaw* law = &w->laws[i];
        double force[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < law_rows(law); r++) {
            force[r] = -acting(step, level, link->la.at + r, law->normal && r == 0);
        }
        directions_add(&link->coupling, &w->directions[i], force, r_level);
    }
    return r_level;
}

ContactLaw alpha_level_law(const AlphaStep* step, Level level, int i) {
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

bool alpha_holds(const AlphaStep* step, Level level, int i) {
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
        const ContactLaw law = alpha_level_law(step, level, i);
        const double* mu = alpha->mu[level] + alpha_first_row(step, i);
        const double* G = alpha->mobility + law.at;
        if (alpha_holds(step, level, i)) {
            const double error = contact_law_error(&law, G, mu, alpha->rate[level] + law.at);
            const double slack =
                level == POSITION && G[0] > 0.0 ? step->rounding / sqrt(G[0]) : 0.0;
            worst = larger(worst, error - slack);
            continue;
        }
        for (int r = 0; r < law_rows(&law) && level != POSITION; r++) {
            worst = larger(worst, fabs(mu[r]) * sqrt(G[r]));
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
                const double G = w->alpha.mobility_g[link->la.at + r];
                worst = G > 0.0 ? larger(worst, rate / sqrt(G)) : worst;
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
        force += w->h[i] * w->h[i] / w->properties.M_diagonal[i];
    }
    const double energy =
        larger(system_kinetic_energy_of(sys, &w->end, w->alpha.u_1), step->energy_n);
    const double change = step->dt * sqrt(force);
    step->seen_scale = larger(SEEN_SPAN * change, LEAST_SCALE * sqrt(2.0 * energy));
    step->scale = larger(SPAN * change, step->seen_scale);
}

double alpha_residual(AlphaStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double worst = 0.0;
    profile_count(&step->w->profile, COUNT_RESIDUALS, 1);
    for (Level level = POSITION; level < N_LEVELS; level++) {
        double square = 0.0;
        const double* r = alpha_dynamics(step, level);
        for (int i = 0; i < sys->nu; i++) {
            square += r[i] * r[i] / w->properties.M_diagonal[i];
        }
        const double weight = level == POSITION ? DISPLACEMENT_WEIGHT : 1.0;
        const double of_laws = law_residual(step, level);
        const double of_joints = joint_residual(step, level);
        double error = larger(weight * sqrt(square), larger(of_laws, of_joints));
        if (level != ACCELERATION) {  // what is seen as penetration and violation
            const double seen = larger(of_joints, level == POSITION ? of_laws : 0.0);
            error = larger(error, seen * (step->scale / step->seen_scale));
        }
        if (!isfinite(square)) {
            return NAN;
        }
        step->residual[level] = error > 0.0 ? step->unit[level] * error / step->scale : 0.0;
        worst = larger(worst, step->residual[level]);
    }
    return worst;
}
