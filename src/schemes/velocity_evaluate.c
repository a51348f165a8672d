// The terms of PR (18a) to (18c) at an iterate (v, P_g) of a step on velocity level.
#include <math.h>

#include "schemes/settings.h"
#include "schemes/velocity_step.h"

void velocity_drift(const VelocityStep* step) {
    const VelocityScratch* m = step->m;
    const double dt = step->in->dt;
    for (int i = 0; i < step->sys->nu; i++) {
        m->middle.u[i] = (1.0 - step->theta) * step->in->u_start[i] + step->theta * m->end.u[i];
    }
    system_move(step->sys, step->s->q, step->theta * dt, m->middle.u, m->middle.q);
    system_move(step->sys, step->s->q, dt, m->middle.u, m->end.q);
}

// Is nothing evaluated that depends on places? Bodies in free flight, whose forces are constant.
static bool flies_freely(const VelocityStep* step) {
    return velocity_step_is_linear(step->sys) && step->sys->n_forces == 0 &&
           step->w->contacts.n == 0;
}

// Forces at the middle, and the directions along which the joints' percussions act
static void evaluate_middle(const VelocityStep* step) {
    VelocityScratch* m = step->m;
    m->middle.t = step->in->t + step->theta * step->in->dt;
    if (flies_freely(step)) {
        instant_evaluate_signals(step->sys, step->s, &m->middle);
    } else {
        instant_evaluate(step->sys, step->s, &m->middle);
    }
    system_forces(step->sys, &m->middle, m->h);
    joint_set_evaluate(step->sys, &m->middle, false, &m->directions);
}

// r = M (v - u_n) - dt h - W_g P_g, and the size of the terms
static void evaluate_dynamics(VelocityStep* step) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    const double dt = step->in->dt;
    double force = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        m->change[i] = m->end.u[i] - step->s->u[i];
        force += dt * dt * m->h[i] * m->h[i] / step->w->properties.M_diagonal[i];
    }
    system_mass_multiply(sys, &m->middle, m->change, m->r);
    for (int i = 0; i < sys->nu; i++) {
        m->r[i] -= dt * m->h[i];
    }
    joint_set_add(sys, &m->directions, -1.0, m->P_g, m->r);
    const double energy = fmax(system_kinetic_energy(sys, &m->end), step->energy_n);
    step->scale = sqrt(fmax(2.0 * energy, force));
}

// The rows of joints and active laws at q_1
static void evaluate_rows(const VelocityStep* step) {
    Workspace* w = step->w;
    step->m->end.t = step->in->t_1;
    if (!flies_freely(step)) {
        instant_evaluate(step->sys, step->s, &step->m->end);
        joint_set_evaluate(step->sys, &step->m->end, false, &w->joints);
        contact_set_evaluate(&step->m->end, false, &w->contacts);
    }
    newton_matrix_forget(w->matrix);
}

void velocity_evaluate_guess(VelocityStep* step) {
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
    if (!flies_freely(step)) {
        velocity_drift(step);
    }
    evaluate_middle(step);
    evaluate_rows(step);
    evaluate_dynamics(step);
}

void velocity_evaluate(VelocityStep* step) {
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
    velocity_drift(step);
    if (!velocity_step_is_linear(step->sys)) {
        evaluate_middle(step);
    }
    evaluate_rows(step);
    evaluate_dynamics(step);
}

double velocity_restitution(const VelocityStep* step, const ActiveLaw* active, int r) {
    const Link* link = active->link;
    const double* par = step->s->p + link->element->p.at;
    if (link->bound >= 0) {
        return 0.0;
    }
    const double e = par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
    return e * step->w->gamma[link->la.at + r];
}
