// The iterate of generalized-alpha: which laws are active, their rows, rates and sets.
#include <math.h>
#include <string.h>

#include "schemes/alpha_step.h"

// --- active laws ---

// The active laws are those considered.
static void activate(AlphaStep* step) {
    const System* sys = step->sys;
    ContactSet* set = &step->w->contacts;
    int n = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        if (step->alpha->considered[k]) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(sys, step->s->p, step->dt, n, set);
}

void alpha_choose_laws(AlphaStep* step) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        bool considered =
            link->bound >= 0 ? step->s->p[link->bound] > 0.0 : alpha->state_n[k] != CONTACT_OPEN;
        for (int r = 0; r < link->la.n && !considered; r++) {
            const int row = link->la.at + r;
            considered = alpha->la_n[row] != 0.0 || alpha->la_bar_n[row] != 0.0;
        }
        alpha->considered[k] = considered;
    }
    activate(step);
}

static void evaluate_rows(AlphaStep* step, Evaluation what);

bool alpha_close_contacts(AlphaStep* step) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    bool any = false;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (!alpha->considered[k] && !step_holds_open(step->in, k)) {
            alpha->considered[k] = !(system_gap(&alpha->end, &sys->laws[k]) > 0.0);
            any = any || alpha->considered[k];
        }
    }
    if (any) {
        activate(step);
        evaluate_rows(step, (Evaluation){.moved = true, .zeta = true});
    }
    return any;
}

// --- rates ---

// Scales of the joints' errors; zero for rows that nothing can move
static void joint_units(const AlphaStep* step) {
    const System* sys = step->sys;
    const double* M_diagonal = step->w->properties.M_diagonal;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        const JointRows* rows = &step->w->joints.joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const double G = joint_rows_mobility(link, rows, r, M_diagonal);
            step->alpha->unit_g[link->la.at + r] = G > 0.0 ? 1.0 / sqrt(G) : 0.0;
        }
    }
}

static void joint_rates(AlphaStep* step, bool moved) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    const JointSet* joints = &step->w->joints;
    memcpy(alpha->rate_g[VELOCITY], joints->g_dot, (size_t)sys->nla_g * sizeof(double));
    for (int i = 0; i < sys->n_joints && moved; i++) {
        const Link* link = &sys->joints[i];
        const JointRows* rows = &joints->joints[i];
        for (int r = 0; r < link->la.n; r++) {
            const int row = link->la.at + r;
            alpha->rate_g[POSITION][row] = r < link->rows->n_position_rows ? rows->g[r] : 0.0;
        }
    }
}

void alpha_acceleration_rates(AlphaStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = step->alpha;
    const double* a = alpha->x[ACCELERATION];
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        double* rate = alpha->rate_g[ACCELERATION] + link->la.at;
        joint_rows_dot(link, &w->joints.joints[i], a, rate);
        for (int r = 0; r < link->la.n; r++) {
            rate[r] += w->joints.joints[i].zeta[r];
        }
    }
    for (int i = 0; i < w->contacts.n; i++) {
        const ActiveLaw* active = &w->contacts.active[i];
        double of_a[LAW_MAX_ROWS];
        active_dot(active, a, of_a);
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            alpha->rate[ACCELERATION][active->row + r] = of_a[r] + active->zeta[r];
        }
    }
}

// The gap g of a row with mobility G. In a very short step no force could close a gap that is off
// by rounding, or by the tolerance of what forces do in a whole step, and the contact would open:
// one that was closed stays so. Whole steps close such gaps, so that they do not add up.
static double effective_gap(const AlphaStep* step, const ActiveLaw* active, double g, double G) {
    static const double SHORT = 1e-2;  // of a whole step
    static const double TOLERANCES = 10.0;
    const double* par = step->s->p + step->sys->solver;
    const double dt = par[SOLVER_STEP_SIZE];
    if (!(g > 0.0) || step->dt > SHORT * dt || step->alpha->state_n[active->law] == CONTACT_OPEN) {
        return g;
    }
    const double moved = dt * dt * G * step->alpha->la_n[alpha_first_row(active)];
    return g <= step->rounding + TOLERANCES * par[SOLVER_TOLERANCE] * moved ? 0.0 : g;
}

// What of an active law follows from q_1: gaps, mobilities and the velocities before the step along
// the directions at its end
static void law_positions(const AlphaStep* step, const ActiveLaw* active) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = step->alpha;
    double gamma_n[LAW_MAX_ROWS];
    double driven[LAW_MAX_ROWS] = {0.0};
    double G[LAW_MAX_ROWS];
    active_dot(active, step->s->u, gamma_n);
    active_mobility(active, w->properties.M_diagonal, G);
    if (step->sys->driven) {
        active_dot(active, alpha->end.u, driven);
    }
    for (int r = 0; r < contact_law_rows(&active->form); r++) {
        const int at = active->row + r;
        // what moves by itself, at the end of the step
        const double prescribed =
            step->sys->driven ? w->contacts.gamma[at] - driven[r] : active->g_t[r];
        alpha->gamma_n[at] = gamma_n[r] + prescribed;
        alpha->rate[POSITION][at] = effective_gap(step, active, active->g[r], G[r]);
        alpha->mobility[at] = G[r];
    }
}

static void law_rates(AlphaStep* step, bool moved) {
    const ContactSet* set = &step->w->contacts;
    const AlphaScratch* alpha = step->alpha;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        if (moved) {
            law_positions(step, active);
        }
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            const int at = active->row + r;
            // GA (44), (48), (88): the velocities before along the directions at the end
            alpha->rate[VELOCITY][at] =
                set->gamma[at] +
                step_restitution(step->in, step->s->p, active, r) * alpha->gamma_n[at];
        }
    }
}

// --- evaluation ---

static void evaluate_rows(AlphaStep* step, Evaluation what) {
    const Instant* end = &step->alpha->end;
    if (what.moved) {
        joint_set_evaluate(step->sys, end, what.zeta, &step->w->joints);
        contact_set_evaluate(end, what.zeta, &step->w->contacts);
    } else {
        joint_set_evaluate_velocities(step->sys, end, &step->w->joints);
        contact_set_evaluate_velocities(end, &step->w->contacts);
    }
    joint_rates(step, what.moved);
    law_rates(step, what.moved);
    step->zeta_known = what.zeta || !what.moved;
    if (step->zeta_known) {
        alpha_acceleration_rates(step);
    }
    memset(step->known, 0, sizeof step->known);
}

void alpha_evaluate(AlphaStep* step, Evaluation what) {
    const System* sys = step->sys;
    AlphaScratch* alpha = step->alpha;
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
    for (int i = 0; i < sys->nu; i++) {
        alpha->end.u[i] = alpha->u_star[i] + alpha->x[VELOCITY][i];  // GA (73)
    }
    if (what.moved) {
        for (int i = 0; i < sys->nu; i++) {
            alpha->d[i] = alpha->w_0[i] + alpha->x[POSITION][i];
        }
        alpha->end.t = step->in->t_1;
        system_displace(sys, alpha->q_base, step->s->q, alpha->d, alpha->end.q);  // GA (125)
        instant_evaluate(sys, step->s, &alpha->end);
    } else {
        instant_evaluate_velocities(sys, &alpha->end);
    }
    if (what.forces) {
        system_forces(sys, &alpha->end, alpha->h);
    }
    evaluate_rows(step, what);
    if (what.first) {
        joint_units(step);
    }
}

// --- the sets A, B, D ---

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
    const double g_F = largest(contact_law_rows(law), G);
    if (law->normal && !(g_N * P[0] >= xi[0])) {
        return 0;
    }
    const int F = contact_law_F(law);
    const double R = law->normal ? law->mu * P[0] : law->bound;
    double square = 0.0;
    for (int r = F; r < F + law->n_F; r++) {
        const double p = g_F * P[r] - xi[r];
        square += p * p;
    }
    return IN_B | (sqrt(square) <= g_F * R + alpha_negligible(step, g_F) ? IN_D_ST : 0);
}

void alpha_sets(AlphaStep* step) {
    const ContactSet* set = &step->w->contacts;
    const AlphaScratch* alpha = step->alpha;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactLaw* law = &active->form;
        const int full = alpha_first_row(active);
        const double* G = alpha->mobility + active->row;
        // GA (130); friction in a joint is always closed
        const bool closed = !law->normal || (G[0] * alpha->mu[POSITION][full] >=
                                                 alpha->rate[POSITION][active->row] &&
                                             !step_holds_open(step->in, active->law));
        alpha->sets[i] = !closed
                             ? 0
                             : IN_A | alpha_velocity_sets(step, law, alpha->mu[VELOCITY] + full,
                                                          alpha->rate[VELOCITY] + active->row, G);
    }
}
