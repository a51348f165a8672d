// The projection after a step of cone_complementarity.
#include <string.h>

#include "schemes/cone_step.h"

// Points: displacements over the step that close gaps
static void ask_for_gaps(const ConeStep* step) {
    ConeGraph* graph = &step->m->graph;
    const double P[CONE_ROWS] = {0.0};
    for (int i = 0; i < graph->points.n; i++) {
        const ConePoint* point = &graph->points.points[i];
        const double b[CONE_ROWS] = {point->g / step->in->dt + point->dU[0]};
        cone_problem_begin(&graph->problem, point->place, b, P);
    }
}

// Rows where the step ends: moves the bodies on by a displacement of least energy, without
// friction, to where joints hold and nothing penetrates.
static Status project_once(const ConeStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    ConeScratch* m = step->m;
    Workspace* w = step->w;
    ContactSet* set = &w->contacts;
    const double dt = step->in->dt;
    const MatrixTerms terms = {.k = 0.0};
    instant_set(sys, step->s, step->in->t_1, m->q_1, m->ahead.u, &m->start);
    joint_set_evaluate(sys, &m->start, false, &w->joints);
    contact_set_evaluate(&m->start, false, set);
    newton_matrix_forget(w->matrix);
    Status status = newton_matrix_factor(sys, &m->start, &w->joints, &terms, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    memset(m->change, 0, bytes(sys->nu));
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
    status = cone_lay_problem(step, true, m->change);
    if (status == STATUS_OK) {
        ask_for_gaps(step);
        status = cone_solve_problem(step, true, info);
    }
    if (status == STATUS_OK) {
        cone_graph_add_velocities(&m->graph, m->change);
        memcpy(m->ahead.q, m->q_1, bytes(sys->nq));
        system_move(sys, m->ahead.q, dt, m->change, m->q_1);
    }
    return status;
}

// Joints and gaps are no linear functions of the displacement: once more, unless the budget of
// iterations has left more than that would mend, for which there are steps to come.
Status cone_project_positions(const ConeStep* step, SolveInfo* info) {
    enum { ROUNDS = 2 };
    Status status = STATUS_OK;
    for (int i = 0; i < ROUNDS && status == STATUS_OK && !(i > 0 && info->inexact); i++) {
        status = project_once(step, info);
        info->projection_iterations++;
    }
    return status;
}
