// How well an iterate (v, P_g, P) fulfils PR (18), in the norm of kinetic energy.
#include <math.h>
#include <string.h>

#include "schemes/settings.h"
#include "schemes/velocity_step.h"

// Rows of joints that depend on others hold to this part of the velocities, the others to the
// tolerance, if they can: where a mechanism with drift passes a singular position all of them
// contradict each other by so much, and Newton's method rests without fulfilling them.
static const double CONTRADICTION = 1e-4;

static void joint_residual(const VelocityStep* step, double* worst, SolveInfo* info) {
    const System* sys = step->sys;
    const double tolerance = step->s->p[sys->solver + SOLVER_TOLERANCE];
    const bool rests = step->last_change <= tolerance;
    const JointSet* joints = &step->w->joints;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        for (int r = 0; r < joint->la.n; r++) {
            const double G =
                joint_rows_mobility(joint, &joints->joints[i], r, step->w->properties.M_diagonal);
            const double g_dot = fabs(joints->g_dot[joint->la.at + r]);
            const bool counts = step->m->counts[joint->la.at + r] && !rests;
            const double weight = counts ? 1.0 : tolerance / CONTRADICTION;
            if (G > 0.0) {
                solve_info_worsen(weight * g_dot / sqrt(G), joint, worst, info);
            }
        }
    }
}

static void law_residual(const VelocityStep* step, double* worst, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double xi[LAW_MAX_ROWS];
        double G[LAW_MAX_ROWS];
        if (info != NULL) {  // where an iteration ends there may be no Delassus operator
            active_mobility(active, step->w->properties.M_diagonal, G);
        }
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            xi[r] = set->gamma[active->row + r] + velocity_restitution(step, active, r);
            G[r] = info != NULL ? G[r] : delassus_diagonal(set, active, r);
        }
        solve_info_worsen(contact_law_error(&active->form, G, set->P + active->row, xi),
                          active->link, worst, info);
    }
}

double velocity_residual(const VelocityStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double smooth = 0.0;
    if (info != NULL) {
        solve_info_clear(info);
    }
    memcpy(w->solution, step->m->r, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < w->contacts.n; i++) {
        const ActiveLaw* active = &w->contacts.active[i];
        double f[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            f[r] = -w->contacts.P[active->row + r];
        }
        active_add(active, f, w->solution);
    }
    for (int i = 0; i < sys->nu; i++) {
        smooth += w->solution[i] * w->solution[i] / w->properties.M_diagonal[i];
    }
    const double error = sqrt(smooth) - step->rounding;
    double worst = error <= 0.0 ? 0.0 : error;  // NaN stays
    joint_residual(step, &worst, info);
    law_residual(step, &worst, info);
    if (info != NULL) {
        solve_info_scale(step->scale, info);
    }
    return relative_error(worst, step->scale);
}

double velocity_position_residual(const VelocityStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const Projection* projection = &step->m->projection;
    const double* M_diagonal = step->w->properties.M_diagonal;
    double worst = 0.0;
    solve_info_clear(info);
    for (int i = 0; i < sys->n_joints; i++) {
        const JointRows* rows = &step->w->joints.joints[i];
        for (int r = 0; r < sys->joints[i].rows->n_position_rows; r++) {
            const double G = joint_rows_mobility(&sys->joints[i], rows, r, M_diagonal);
            if (G > 0.0) {
                solve_info_worsen(fabs(rows->g[r]) / sqrt(G), &sys->joints[i], &worst, info);
            }
        }
    }
    for (int i = 0; i < projection->contacts.n; i++) {
        const ActiveLaw* active = &projection->contacts.active[i];
        double G[LAW_MAX_ROWS];
        active_mobility(active, M_diagonal, G);
        if (G[0] > 0.0) {
            solve_info_worsen(projection_gap_error(projection, active) / sqrt(G[0]), active->link,
                              &worst, info);
        }
    }
    const double scale = step->in->dt * step->scale;
    solve_info_scale(scale, info);
    return relative_error(worst, scale);
}
