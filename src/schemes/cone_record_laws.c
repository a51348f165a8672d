// What contacts did in a step of cone_complementarity.
#include <math.h>
#include <string.h>

#include "schemes/cone_step.h"

typedef struct ConeWork {
    double done;
    double explained;  // at most
} ConeWork;

// Closed contacts press; they slip if friction P_F (n_F) is as large as it can be, most.
static ContactState state_of(int n_F, const double* P_F, double most) {
    static const double FULL = 1.0 - 1e-9;
    double square = 0.0;
    for (int r = 0; r < n_F; r++) {
        square += P_F[r] * P_F[r];
    }
    return n_F > 0 && sqrt(square) < FULL * most ? CONTACT_STICK : CONTACT_SLIP;
}

// Does a contact, of a mobility G, close faster than two steps of the forces explain? They change
// its velocity by du, which is little where they move both of its bodies alike, as weight does.
static bool is_impact(const ConeStep* step, double U, double du, double G) {
    return -U > 2.0 * larger(fabs(du), step->gain * sqrt(G));
}

// The work of the percussions P (n) of a law along the rows at the start: P . W^T (u_n + u_1)/2
static void find_work(const ConeStep* step, int law, int n, const double* P, const double* U,
                      const double* du, const double* moved) {
    double* work = step->w->work + step->sys->laws[law].la.at;
    for (int r = 0; r < step->sys->laws[law].la.n; r++) {
        work[r] = r < n ? P[r] * (U[r] + 0.5 * (du[r] + moved[r])) : 0.0;
    }
}

// What a law with percussions P (n) has done, and the most that this can be without an error: with
// one restitution for all rows what forces change of its velocities, du, in the step; what is taken
// back of a penetration, -g; and what the tolerance leaves in the norm of energy, G being the
// mobility of its first row.
static void add_work(const ConeStep* step, int law, int n, const double* P, const double* du,
                     double g, double G, ConeWork* sum) {
    static const double ROUNDING = 1e-12;
    const double* work = step->w->work + step->sys->laws[law].la.at;
    const double left = larger(step->par[SOLVER_CONE_TOLERANCE], ROUNDING) * step->scale * sqrt(G);
    for (int r = 0; r < n; r++) {
        sum->done += work[r];
        sum->explained += fabs(P[r]) * (fabs(du[r]) + left);
    }
    sum->explained += g < 0.0 ? P[0] * -g / step->in->dt : 0.0;
}

static void settle_points(void* job, int part) {
    const ConeStep* step = job;
    const ConeGraph* graph = &step->m->graph;
    const ConePoints* points = &graph->points;
    const Range* some = &points->parts[part];
    for (int i = some->at; i < some->at + some->n; i++) {
        ConePoint* point = &points->points[points->order[i]];
        double moved[CONE_ROWS];
        cone_problem_percussions(&graph->problem, point->place, point->P);
        if (point->P[0] > 0.0) {
            cone_problem_change(&graph->problem, point->place, moved);
            find_work(step, point->law, point->n, point->P, point->U, point->dU, moved);
            point->impact = is_impact(step, point->U[0], point->dU[0],
                                      cone_problem_mobility(&graph->problem, point->place));
        }
    }
}

static void settle_active(const ConeStep* step, ConeWork* sum, SolveInfo* info) {
    ContactSet* set = &step->w->contacts;
    memcpy(step->m->P, set->P, bytes(set->m));
    for (int i = 0; i < set->n; i++) {
        ActiveLaw* active = &set->active[i];
        const double* P = set->P + active->row;
        double du[LAW_MAX_ROWS], moved[LAW_MAX_ROWS];
        if (active->form.normal && !(P[0] > 0.0)) {
            continue;
        }
        active_dot(active, step->w->solution, du);
        active_dot(active, step->m->change, moved);
        const int n = contact_law_rows(&active->form);
        const double G = step->m->graph.problem.wide[i].G[0];
        find_work(step, active->law, n, P, active->U, du, moved);
        add_work(step, active->law, n, P, du, active->form.normal ? active->g[0] : 0.0, G, sum);
        active->impact = active->form.normal && is_impact(step, active->U[0], du[0], G);
        info->impact = info->impact || active->impact;
    }
}

bool cone_settle_laws(ConeStep* step, SolveInfo* info) {
    const ConeGraph* graph = &step->m->graph;
    ConeWork sum = {0.0, 0.0};
    settle_active(step, &sum, info);
    cone_problem_do(&graph->problem, true, settle_points, step);
    for (int i = 0; i < graph->points.n; i++) {
        const ConePoint* point = &graph->points.points[i];
        info->impact = info->impact || point->impact;
        if (step->restitution > 0.0 && point->P[0] > 0.0) {
            add_work(step, point->law, point->n, point->P, point->dU, point->g,
                     cone_problem_mobility(&graph->problem, point->place), &sum);
        }
    }
    info->knows_work = true;
    return step->restitution > 0.0 && sum.done > sum.explained;
}

// The percussion of a contact counts as a mean force over the step, or as an impulse where it
// closes by an impact.
static void add_record(const ConeStep* step, int law, ContactState state, bool impact, int n,
                       const double* P, State* s) {
    ContactRecord* record = &s->records[s->head->n_records++];
    *record = (ContactRecord){.key = law, .state = state};
    for (int r = 0; r < n; r++) {
        record->P[r] = P[r];
        record->la[r] = impact ? 0.0 : P[r] / step->in->dt;
        record->La[r] = impact ? P[r] : 0.0;
    }
}

static void record_law(const ConeStep* step, const ActiveLaw* active, State* s) {
    const double* P = step->m->P + active->row;
    const double most = active->form.normal ? active->form.mu * P[0] : active->form.bound;
    if (!active->form.normal || P[0] > 0.0) {
        add_record(step, active->law,
                   state_of(active->form.n_F, P + contact_law_F(&active->form), most),
                   active->impact, contact_law_rows(&active->form), P, s);
    }
}

static void record_point(const ConeStep* step, const ConePoint* point, State* s) {
    if (point->P[0] > 0.0) {
        add_record(step, point->law, state_of(point->n - 1, point->P + 1, point->mu * point->P[0]),
                   point->impact, point->n, point->P, s);
    }
}

// By ascending number
void cone_record_laws(const ConeStep* step, State* s) {
    const ContactSet* set = &step->w->contacts;
    const ConePoints* points = &step->m->graph.points;
    int i = 0;
    s->head->n_records = 0;
    for (int c = 0; c < set->n; c++) {
        for (; i < points->n && points->points[i].law < set->chosen[c]; i++) {
            record_point(step, &points->points[i], s);
        }
        record_law(step, &set->active[set->slot[set->chosen[c]]], s);
    }
    for (; i < points->n; i++) {
        record_point(step, &points->points[i], s);
    }
}
