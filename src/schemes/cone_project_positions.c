// The projection after a step of cone_complementarity.
#include <string.h>

#include "schemes/cone_step.h"

// Joints, and laws of bodies that they connect or that deform, at w->present: m->change is what
// closes the joints over the step, and the laws are to close what it leaves of their gaps.
static Status ask_for_joints(const ConeStep* step) {
    const System* sys = step->sys;
    const double dt = step->in->dt;
    ConeScratch* m = step->m;
    Workspace* w = step->w;
    const Instant* end = &w->present;
    ContactSet* set = &w->contacts;
    const MatrixTerms terms = {.k = 0.0};
    joint_set_evaluate(sys, end, false, &w->joints);
    contact_set_evaluate(end, false, set);
    newton_matrix_forget(w->matrix);
    const Status status = newton_matrix_factor(sys, end, &w->joints, &terms, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Range rows = sys->joints[i].la;
        for (int r = 0; r < rows.n; r++) {
            m->change[sys->nu + rows.at + r] = -w->joints.joints[i].g[r] / dt;
        }
    }
    newton_matrix_solve(sys, w->matrix, m->change);
    for (int i = 0; i < set->n; i++) {
        double moved[LAW_MAX_ROWS];
        active_dot(&set->active[i], m->change, moved);
        set->b[set->active[i].row] = set->active[i].g[0] / dt + moved[0];
        set->P[set->active[i].row] = 0.0;
    }
    return STATUS_OK;
}

// Rows where the step ends: moves the bodies on by a displacement of least energy, without
// friction, to where joints hold and nothing penetrates. moves: there was something to do
static Status project_once(const ConeStep* step, bool* moves, SolveInfo* info) {
    const System* sys = step->sys;
    ConeScratch* m = step->m;
    Instant* end = &step->w->present;
    const int iterations = info->contact_iterations;
    const bool joined = sys->n_joints > 0 || step->w->contacts.n > 0;
    Status status = STATUS_OK;
    instant_set(sys, step->s, step->in->t_1, m->q_1, m->u_1, end);
    memset(m->change, 0, bytes(sys->nu + sys->nla_g));
    if (joined) {
        status = ask_for_joints(step);
    }
    if (status == STATUS_OK) {
        cone_graph_lay_normals(end, step->in->dt, &step->w->pool, &m->graph);
        status = cone_solve_problem(step, info);
    }
    *moves = sys->n_joints > 0 || info->contact_iterations > iterations;
    if (status == STATUS_OK && *moves) {
        cone_graph_add_velocities(&m->graph, m->change);
        system_move(sys, end->q, step->in->dt, m->change, m->q_1);
    }
    return status;
}

// Joints and gaps are no linear functions of the displacement: once more, unless the budget of
// iterations has left more than that would mend, for which there are steps to come.
Status cone_project_positions(const ConeStep* step, SolveInfo* info) {
    enum { ROUNDS = 2 };
    Status status = STATUS_OK;
    bool moves = true;
    for (int i = 0; i < ROUNDS && moves && status == STATUS_OK && !(i > 0 && info->inexact); i++) {
        status = project_once(step, &moves, info);
        info->projection_iterations++;
    }
    return status;
}
