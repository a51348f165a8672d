// Residuals of the equations and laws of generalized-alpha at an iterate, by kinematic level.
#include <math.h>
#include <string.h>

#include "schemes/alpha_step.h"

// Errors are relative to what the applied forces do in so many steps, so that they do not add up to
// more in smaller steps; but not to less than this fraction of the velocities, where rounding
// begins. Gaps and joints, which users see, are held to less.
static const double SPAN = 100.0;
static const double VISIBLE_SPAN = 0.1;
static const double LEAST_SCALE = 1e-3;

// GA (80) says how far impacts displace; an error there displaces once, unlike an error of
// velocity, which lasts, or one of a gap, which is seen.
static const double DISPLACEMENT_WEIGHT = 1e-2;

double alpha_negligible(const AlphaStep* step, double G) {
    static const double TOLERANCES = 10.0;
    const double tolerance = step->s->p[step->sys->solver + SOLVER_TOLERANCE];
    return TOLERANCES * tolerance * step->scale * sqrt(G);
}

void alpha_update_scale(AlphaStep* step) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    const double* M_diagonal = step->w->properties.M_diagonal;
    double force = 0.0;
    double mass = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        force += alpha->h[i] * alpha->h[i] / M_diagonal[i];
        mass = larger(mass, M_diagonal[i]);
    }
    const double energy = larger(system_kinetic_energy(sys, &alpha->end), step->energy_n);
    const double change = step->dt * sqrt(force);
    // at rest and without forces: what rounding of the positions would be as a velocity
    const double least = step->rounding / step->dt * sqrt(mass);
    step->visible_scale =
        larger(least, larger(VISIBLE_SPAN * change, LEAST_SCALE * sqrt(2.0 * energy)));
    step->scale = larger(SPAN * change, step->visible_scale);
}

// --- equations of motion ---

// What a row on velocity level has in the equations of position level
static double displacement(const AlphaStep* step, double P, double la) {
    const double back_weight = step->weight[POSITION] - 0.5 * step->dt * step->weight[VELOCITY];
    return 0.5 * step->dt * P + back_weight * la;
}

// mu - offset of a row
static double acting(const AlphaStep* step, Level level, int row, bool normal) {
    const AlphaScratch* alpha = step->alpha;
    return level == POSITION && !normal
               ? displacement(step, alpha->mu[VELOCITY][row] - alpha->offset[VELOCITY][row],
                              alpha->mu[ACCELERATION][row])
               : alpha->mu[level][row] - alpha->offset[level][row];
}

// Rows of joints on velocity level act on the position level through the levels below.
static void displace_by_joints(const AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    for (int i = 0; i < step->sys->n_joints; i++) {
        const Link* link = &step->sys->joints[i];
        for (int r = link->rows->n_position_rows; r < link->la.n; r++) {
            const int row = link->la.at + r;
            alpha->mu_g[POSITION][row] =
                displacement(step, alpha->mu_g[VELOCITY][row], alpha->mu_g[ACCELERATION][row]);
        }
    }
}

const double* alpha_dynamics(AlphaStep* step, Level level) {
    const System* sys = step->sys;
    const ContactSet* set = &step->w->contacts;
    const AlphaScratch* alpha = step->alpha;
    double* r_level = alpha->r[level];
    if (step->known[level]) {
        return r_level;
    }
    step->known[level] = true;
    if (level == POSITION && sys->nonholonomic) {
        displace_by_joints(step);
    }
    const double weight = step->weight[level];
    system_mass_multiply(sys, &alpha->end, alpha->x[level], r_level);
    for (int i = 0; i < sys->nu; i++) {
        r_level[i] -= weight * alpha->h[i];
    }
    joint_set_add(sys, &step->w->joints, -1.0, alpha->mu_g[level], r_level);
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactLaw* law = &active->form;
        double force[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < contact_law_rows(law); r++) {
            force[r] = -acting(step, level, alpha_first_row(active) + r, law->normal && r == 0);
        }
        active_add(active, force, r_level);
    }
    return r_level;
}

// --- laws ---

// Slow sliding has a direction that follows from small differences: each pass would find another
// one, and with it other forces. The direction of an earlier pass will do, if the velocity slip
// (n_F) of this one is along it to the accuracy of velocities.
static bool keep_slip(const AlphaStep* step, const ActiveLaw* active, double speed,
                      ContactLaw* law) {
    const int F = contact_law_F(law);
    const double* kept = step->alpha->slip + alpha_first_row(active) + F;
    double g_F = 0.0;
    double size = 0.0;
    double square = 0.0;
    for (int r = 0; r < law->n_F; r++) {
        const double across = law->slip[r] - speed * kept[r];
        square += across * across;
        size += kept[r] * kept[r];
        g_F = larger(g_F, step->alpha->mobility[active->row + F + r]);
    }
    if (size == 0.0 || sqrt(square) > alpha_negligible(step, g_F)) {
        return false;
    }
    memcpy(law->slip, kept, (size_t)law->n_F * sizeof(double));
    return true;
}

// The direction of sliding, GA (120), by xi_F where restitution leaves gamma_F = 0
static void set_slip(const AlphaStep* step, const ActiveLaw* active, ContactLaw* law) {
    const int F = active->row + contact_law_F(law);
    const double* velocities[2] = {step->w->contacts.gamma + F, step->alpha->rate[VELOCITY] + F};
    double speed = 0.0;
    for (int j = 0; j < 2 && speed == 0.0; j++) {
        for (int r = 0; r < law->n_F; r++) {
            speed += velocities[j][r] * velocities[j][r];
            law->slip[r] = velocities[j][r];
        }
    }
    speed = sqrt(speed);
    if (step->keep_slip && keep_slip(step, active, speed, law)) {
        return;
    }
    for (int r = 0; r < law->n_F; r++) {
        law->slip[r] = speed > 0.0 ? law->slip[r] / speed : 0.0;
        step->alpha->slip[alpha_first_row(active) + contact_law_F(law) + r] = law->slip[r];
    }
}

// Is active law i on this level, or are its mu zero?
static bool holds(const AlphaStep* step, Level level, int i) {
    const unsigned sets = step->alpha->sets[i];
    const ActiveLaw* active = &step->w->contacts.active[i];
    const bool normal = active->form.normal;
    switch (level) {
        case POSITION:
            return normal && !step_holds_open(step->in, active->law);
        case VELOCITY:
            return (sets & IN_A) != 0;
        default:
            return (sets & IN_B) != 0 && !(step->impulsive && normal);
    }
}

ContactLaw alpha_level_law(const AlphaStep* step, Level level, int i) {
    const ActiveLaw* active = &step->w->contacts.active[i];
    ContactLaw law = active->form;
    if (!holds(step, level, i)) {
        return (ContactLaw){.at = law.at};
    }
    if (level == POSITION) {
        law.n_F = 0;
    } else if (level == ACCELERATION) {
        law.bound /= step->dt;
        law.slides = (step->alpha->sets[i] & IN_D_ST) == 0;
        if (law.slides) {
            set_slip(step, active, &law);
        }
    }
    return law;
}

// Takes note of the error of a link.
static void note(double error, const Link* link, double* worst, SolveInfo* info) {
    *worst = larger(error, *worst);
    if (info != NULL) {
        solve_info_note(link, error, info);
    }
}

// The worst violation of a contact law of the level, in the norm of energy and with a weight
static double law_residual(const AlphaStep* step, Level level, double weight, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    const AlphaScratch* alpha = step->alpha;
    double worst = 0.0;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactLaw law = alpha_level_law(step, level, i);
        const double* mu = alpha->mu[level] + alpha_first_row(active);
        const double* G = alpha->mobility + active->row;
        if (contact_law_rows(&law) > 0) {
            const double error = contact_law_error(&law, G, mu, alpha->rate[level] + active->row);
            const double slack =
                level == POSITION && G[0] > 0.0 ? step->rounding / sqrt(G[0]) : 0.0;
            note(weight * (error - slack), active->link, &worst, info);
            continue;
        }
        const int n =
            level == POSITION ? (int)active->form.normal : contact_law_rows(&active->form);
        for (int r = 0; r < n; r++) {
            note(weight * fabs(mu[r]) * sqrt(G[r]), active->link, &worst, info);
        }
    }
    return worst;
}

static double joint_residual(const AlphaStep* step, Level level, double weight, SolveInfo* info) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    double worst = 0.0;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const double rate = fabs(alpha->rate_g[level][link->la.at + r]) -
                                (level == POSITION ? step->rounding : 0.0);
            note(weight * rate * alpha->unit_g[link->la.at + r], link, &worst, info);
        }
    }
    return worst;
}

// --- the residual ---

// The largest error of a level, in the norm of energy, as a velocity; NaN if there is one
static double level_error(AlphaStep* step, Level level, SolveInfo* info) {
    const double unit = step->unit[level];
    const double* r = alpha_dynamics(step, level);
    const double* M_diagonal = step->w->properties.M_diagonal;
    double square = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        square += r[i] * r[i] / M_diagonal[i];
    }
    if (!isfinite(square) && info == NULL) {
        return NAN;
    }
    const double of_motion = unit * (level == POSITION ? DISPLACEMENT_WEIGHT : 1.0) *
                             (sqrt(square) - step->weight[level] * step->force_rounding);
    // what is seen as penetration and violation
    const double visible = step->visible_scale > 0.0 ? step->scale / step->visible_scale : 1.0;
    const double of_laws =
        law_residual(step, level, unit * (level == POSITION ? visible : 1.0), info);
    const double of_joints =
        joint_residual(step, level, unit * (level != ACCELERATION ? visible : 1.0), info);
    return isfinite(square) ? larger(of_motion, larger(of_laws, of_joints)) : NAN;
}

double alpha_level_residual(AlphaStep* step, Level level, SolveInfo* info) {
    const double error = level_error(step, level, info);
    step->residual[level] = relative_error(error, fmin(step->scale, step->most_scale));
    return step->residual[level];
}

double alpha_residual(AlphaStep* step, Level first, SolveInfo* info) {
    double worst = 0.0;
    if (info != NULL) {
        solve_info_clear(info);
    }
    for (Level level = first; level < N_LEVELS; level++) {
        const double residual = alpha_level_residual(step, level, info);
        if (isnan(residual) && info == NULL) {
            return NAN;
        }
        worst = isnan(residual) || isnan(worst) ? NAN : larger(residual, worst);
    }
    if (info != NULL) {
        solve_info_scale(step->scale, info);
    }
    return worst;
}
