// The terms of a step on velocity level at an iterate (v, P_g, P).
#include <math.h>
#include <string.h>

#include "schemes/settings.h"
#include "schemes/velocity_step.h"

// M^-1 (W_g P_g + W P), with the directions at the last evaluation
static void evaluate_jump(const VelocityStep* step) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    const ContactSet* set = &step->w->contacts;
    memset(m->jump, 0, (size_t)sys->nu * sizeof(double));
    joint_set_add(sys, velocity_directions(step), 1.0, m->P_g, m->jump);
    for (int i = 0; i < set->n; i++) {
        double f[LAW_MAX_ROWS] = {0.0};
        memcpy(f, set->P + set->active[i].row,
               (size_t)contact_law_rows(&set->active[i].form) * sizeof(double));
        active_add(&set->active[i], f, m->jump);
    }
    system_mass_solve(sys, &m->end, m->solve, m->jump);
}

// The directions at the start of the step: those of the last evaluation may be of any other
// instant.
static void evaluate_start(const VelocityStep* step) {
    Instant* end = &step->m->end;
    if (step->sys->n_joints == 0 && step->w->contacts.n == 0) {
        return;
    }
    memcpy(end->q, step->s->q, (size_t)step->sys->nq * sizeof(double));
    end->t = step->in->t;
    instant_evaluate(step->sys, step->s, end);
    joint_set_evaluate(step->sys, end, false, &step->w->joints);
    contact_set_evaluate(end, false, &step->w->contacts);
}

bool velocity_has_middle(const VelocityStep* step) {
    return !velocity_at_end(step) && !step->placeless;
}

void velocity_drift(const VelocityStep* step) {
    const VelocityScratch* m = step->m;
    const double dt = step->in->dt;
    double* u_mean = m->middle.u;
    for (int i = 0; i < step->sys->nu; i++) {
        u_mean[i] = m->u_0[i] + step->k * m->end.u[i];
    }
    if (step->k_W != 0.0) {
        evaluate_jump(step);
        for (int i = 0; i < step->sys->nu; i++) {
            u_mean[i] += step->k_W * m->jump[i];
        }
    }
    if (velocity_has_middle(step)) {
        system_move(step->sys, step->s->q, step->theta * dt, u_mean,
                    step->projects ? m->q_theta : m->middle.q);
    }
    system_move(step->sys, step->s->q, dt, u_mean, step->projects ? m->q_1 : m->end.q);
    if (step->projects) {
        velocity_displace(step);  // PR (56b)
    }
    for (int i = 0; i < step->sys->nu && step->positions != NULL; i++) {
        const double weight = step->positions->weight;
        const double u_1 = weight * m->end.u[i] + (1.0 - weight) * step->positions->v_n[i];
        m->middle.u[i] = (1.0 - step->theta) * step->in->u_start[i] + step->theta * u_1;
    }
}

// Forces, and the directions along which the joints' percussions act, if they are not those of the
// end
static void evaluate_middle(VelocityStep* step) {
    VelocityScratch* m = step->m;
    const bool at_end = velocity_at_end(step);
    Instant* at = at_end ? &m->end : &m->middle;
    if (!at_end) {
        at->t = step->in->t + step->theta * step->in->dt;
    }
    if (at_end ? velocity_flies(step) : step->placeless) {
        instant_evaluate_signals(step->sys, step->s, at);
    } else if (!at_end) {
        instant_evaluate(step->sys, step->s, at);
        joint_set_evaluate(step->sys, at, false, &m->directions);
    }
    system_forces(step->sys, at, m->h);
    step->force = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        const double percussion = step->kappa * m->h[i];
        step->force += percussion * percussion / step->w->properties.M_diagonal[i];
    }
}

// r = M (v - u_n - c) - kappa h - W_g P_g, and the size of the terms
static void evaluate_dynamics(VelocityStep* step) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    for (int i = 0; i < sys->nu; i++) {
        m->change[i] = m->end.u[i] - step->s->u[i] - m->c[i];
    }
    system_mass_multiply(sys, velocity_forces_at(step), m->change, m->r);
    for (int i = 0; i < sys->nu; i++) {
        m->r[i] -= step->kappa * m->h[i];
    }
    joint_set_add(sys, velocity_directions(step), -1.0, m->P_g, m->r);
    const double energy = larger(system_kinetic_energy(sys, &m->end), step->energy_n);
    step->scale = sqrt(larger(step->force, 2.0 * energy));
}

// The rows of joints at q_1
static void evaluate_end(const VelocityStep* step) {
    step->m->end.t = step->in->t_1;
    instant_evaluate(step->sys, step->s, &step->m->end);
    joint_set_evaluate(step->sys, &step->m->end, false, &step->w->joints);
}

// Those of active laws. Where bodies jam, percussions can depend on the directions so strongly that
// these and the velocities never agree, however short the step: the last attempt keeps the
// directions of its guess, which is right to first order.
static void evaluate_laws(const VelocityStep* step, bool keep_directions) {
    if (keep_directions) {
        contact_set_keep_directions(step->m->end.u, &step->w->contacts);
    } else {
        contact_set_evaluate(&step->m->end, false, &step->w->contacts);
    }
    if (step->positions != NULL) {
        step->positions->evaluate(step);
    }
    newton_matrix_forget(step->w->matrix);
}

static void count_evaluation(const VelocityStep* step) {
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
}

void velocity_fly(VelocityStep* step) {
    const VelocityScratch* m = step->m;
    count_evaluation(step);
    step->m->end.t = step->in->t_1;
    evaluate_middle(step);
    for (int i = 0; i < step->sys->nu; i++) {
        m->change[i] = step->kappa * m->h[i];
    }
    system_mass_solve(step->sys, velocity_forces_at(step), m->solve, m->change);
    for (int i = 0; i < step->sys->nu; i++) {
        m->end.u[i] = step->s->u[i] + m->c[i] + m->change[i];
        m->r[i] = 0.0;
    }
    step->scale = step->scale_n = sqrt(larger(step->force, 2.0 * step->energy_n));
}

void velocity_evaluate_guess(VelocityStep* step) {
    count_evaluation(step);
    if (step->k_W != 0.0) {
        evaluate_start(step);
    }
    velocity_drift(step);
    evaluate_end(step);
    evaluate_laws(step, false);
    evaluate_middle(step);
    evaluate_dynamics(step);
    step->scale_n = sqrt(larger(step->force, 2.0 * step->energy_n));
}

void velocity_evaluate_terms(VelocityStep* step) {
    evaluate_laws(step, step->in->attempt == ATTEMPT_LAST && step->positions == NULL);
    if (!step->linear) {
        evaluate_middle(step);
    }
    evaluate_dynamics(step);
}

void velocity_evaluate(VelocityStep* step) {
    count_evaluation(step);
    velocity_drift(step);
    evaluate_end(step);
    velocity_evaluate_terms(step);
}

double velocity_restitution(const VelocityStep* step, const ActiveLaw* active, int r) {
    return step->positions != NULL ? 0.0
                                   : step_restitution(step->in, step->s->p, active, r) *
                                         step->w->gamma[active->link->la.at + r];
}
