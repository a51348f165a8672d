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

// Are the forces and masses of the step without regard to places? Those of bodies alone are, where
// joints and other forces do not act on them.
static bool needs_no_places(const System* sys) {
    return sys->n_joints == 0 && sys->n_forces == 0 && !sys->position_dependent;
}

// Are places at q_theta wanted?
static bool has_middle(const VelocityStep* step) {
    return !velocity_at_end(step) && !needs_no_places(step->sys);
}

void velocity_drift(const VelocityStep* step) {
    const VelocityScratch* m = step->m;
    const double dt = step->in->dt;
    double* u_mean = m->middle.u;
    if (step->k_W != 0.0) {
        evaluate_jump(step);
    }
    for (int i = 0; i < step->sys->nu; i++) {
        u_mean[i] = m->u_0[i] + step->k * m->end.u[i];
        u_mean[i] += step->k_W != 0.0 ? step->k_W * m->jump[i] : 0.0;
    }
    if (has_middle(step)) {
        system_move(step->sys, step->s->q, step->theta * dt, u_mean, m->middle.q);
    }
    system_move(step->sys, step->s->q, dt, u_mean, m->end.q);
    for (int i = 0; i < step->sys->nu && step->positions != NULL; i++) {
        const double weight = step->positions->weight;
        const double u_1 = weight * m->end.u[i] + (1.0 - weight) * step->positions->v_n[i];
        m->middle.u[i] = (1.0 - step->theta) * step->in->u_start[i] + step->theta * u_1;
    }
}

// PR (58), all contacts alike; PR (68). More contacts may press than can be closed at once: a step
// that fails so is tried again without penetration alone.
static void choose_gaps(const VelocityStep* step) {
    const bool first = step->in->attempt == ATTEMPT_FIRST;
    const ContactSet* set = &step->w->contacts;
    for (int k = 0; k < step->sys->n_contacts; k++) {
        GapLaw gap = step_holds_open(step->in, k) ? GAP_FREE : GAP_NOT_BELOW;
        if (step->projects_active) {
            const bool active = set->slot[k] >= 0;
            const bool presses = active && set->P[set->active[set->slot[k]].row] > 0.0;  // (70)
            gap = presses && first ? GAP_CLOSED : active ? GAP_NOT_BELOW : GAP_FREE;
        }
        step->m->projection.gaps[k] = gap;
    }
}

// Moves q (nq) by a part of the displacement.
static void displace(const VelocityStep* step, double part, double* q) {
    Projection* projection = &step->m->projection;
    memcpy(projection->q_0, q, (size_t)step->sys->nq * sizeof(double));
    system_move(step->sys, projection->q_0, part, projection->d, q);
}

// q_theta moves with q_1.
static void displace_middle(const VelocityStep* step) {
    if (has_middle(step)) {
        displace(step, step->theta, step->m->middle.q);
    }
}

// By the multipliers of the joints alone
static void displace_guess(const VelocityStep* step) {
    const System* sys = step->sys;
    VelocityScratch* m = step->m;
    m->end.t = step->in->t_1;
    instant_evaluate(sys, step->s, &m->end);
    joint_set_evaluate(sys, &m->end, false, &step->w->joints);
    joint_set_add(sys, &step->w->joints, 1.0, m->projection.tau_g, m->projection.d);
    system_mass_solve(sys, &m->end, m->solve, m->projection.d);
    displace(step, 1.0, m->end.q);
    displace_middle(step);
}

Status velocity_project(const VelocityStep* step, SolveInfo* info) {
    VelocityScratch* m = step->m;
    Projection* projection = &m->projection;
    if (!step->projects) {
        return STATUS_OK;
    }
    m->end.t = step->in->t_1;
    projection->iterations = 0;
    choose_gaps(step);
    const Status status = projection_solve(step->sys, step->s, step->w, &m->end, projection);
    info->projection_iterations += projection->iterations;
    if (status == STATUS_OK && projection->displaced) {
        displace_middle(step);
    }
    if (status != STATUS_OK && status != STATUS_NO_ROOM) {
        info->residual = velocity_position_residual(step, info);
    }
    return status;
}

// Is nothing evaluated that depends on places? Bodies in free flight, whose forces are constant.
static bool flies_freely(const VelocityStep* step) {
    return velocity_step_is_linear(step->sys) && needs_no_places(step->sys) &&
           step->w->contacts.n == 0;
}

// Forces, and the directions along which the joints' percussions act, if they are not those of the
// end
static void evaluate_middle(const VelocityStep* step) {
    VelocityScratch* m = step->m;
    const bool at_end = velocity_at_end(step);
    Instant* at = at_end ? &m->end : &m->middle;
    if (!at_end) {
        at->t = step->in->t + step->theta * step->in->dt;
    }
    if (at_end ? flies_freely(step) : needs_no_places(step->sys)) {
        instant_evaluate_signals(step->sys, step->s, at);
    } else if (!at_end) {
        instant_evaluate(step->sys, step->s, at);
        joint_set_evaluate(step->sys, at, false, &m->directions);
    }
    system_forces(step->sys, at, m->h);
}

// r = M (v - u_n - c) - kappa h - W_g P_g, and the size of the terms; returns that of forces, an
// energy
static double evaluate_dynamics(VelocityStep* step) {
    const System* sys = step->sys;
    const VelocityScratch* m = step->m;
    const double kappa = step->kappa;
    double force = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        m->change[i] = m->end.u[i] - step->s->u[i] - m->c[i];
        force += kappa * kappa * m->h[i] * m->h[i] / step->w->properties.M_diagonal[i];
    }
    system_mass_multiply(sys, velocity_forces_at(step), m->change, m->r);
    for (int i = 0; i < sys->nu; i++) {
        m->r[i] -= kappa * m->h[i];
    }
    joint_set_add(sys, velocity_directions(step), -1.0, m->P_g, m->r);
    const double energy = fmax(system_kinetic_energy(sys, &m->end), step->energy_n);
    step->scale = sqrt(fmax(2.0 * energy, force));
    return force;
}

// The rows of joints and active laws at q_1, where a projection has been already or not
static void evaluate_rows(const VelocityStep* step, bool projected) {
    Workspace* w = step->w;
    step->m->end.t = step->in->t_1;
    if (!flies_freely(step)) {
        if (!projected) {
            instant_evaluate(step->sys, step->s, &step->m->end);
            joint_set_evaluate(step->sys, &step->m->end, false, &w->joints);
        }
        contact_set_evaluate(&step->m->end, false, &w->contacts);
        if (step->positions != NULL) {
            step->positions->evaluate(step);
        }
    }
    newton_matrix_forget(w->matrix);
}

Status velocity_evaluate_guess(VelocityStep* step, SolveInfo* info) {
    Status status = STATUS_OK;
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
    if (!flies_freely(step)) {
        if (step->k_W != 0.0) {
            evaluate_start(step);
        }
        velocity_drift(step);
        if (step->projects && step->m->projection.guessed) {
            displace_guess(step);
        } else if (step->sys->n_joints > 0) {
            status = velocity_project(step, info);
        }
    }
    if (status != STATUS_OK) {
        return status;
    }
    evaluate_rows(step, false);
    evaluate_middle(step);
    step->scale_n = sqrt(fmax(2.0 * step->energy_n, evaluate_dynamics(step)));
    return STATUS_OK;
}

Status velocity_evaluate(VelocityStep* step, SolveInfo* info) {
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, 1);
    velocity_drift(step);
    const Status status = velocity_project(step, info);
    if (status != STATUS_OK) {
        return status;
    }
    evaluate_rows(step, step->projects);
    if (!velocity_step_is_linear(step->sys)) {
        evaluate_middle(step);
    }
    (void)evaluate_dynamics(step);
    return STATUS_OK;
}

double velocity_restitution(const VelocityStep* step, const ActiveLaw* active, int r) {
    const Link* link = active->link;
    const double* par = step->s->p + link->element->p.at;
    if (link->bound >= 0 || step->positions != NULL || step_is_inelastic(step->in, active->law)) {
        return 0.0;
    }
    const double e = par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
    return e * step->w->gamma[link->la.at + r];
}
