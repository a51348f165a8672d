// The displacement of q_1 in the step of a projected scheme: its first guess, the second problem of
// each Newton update, PR (58), and the projection that ends it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "schemes/settings.h"
#include "schemes/velocity_step.h"

// Behind what is kept for the first guess of velocities: the multipliers of joints and the
// displacement in the last step, their changes, and the changes of these.
typedef struct ProjectedOwn {
    double* n;                              // (1) such steps without a gap or an impact
    double *tau_g, *tau_change, *tau_bend;  // (nla_g)
    double *d, *d_change, *d_bend;          // (nu)
} ProjectedOwn;

static ProjectedOwn projected_own(const System* sys, const State* s) {
    double* n = s->own + velocity_step_room(sys).n_own;
    double* d = n + 1 + 3 * (ptrdiff_t)sys->nla_g;
    return (ProjectedOwn){.n = n,
                          .tau_g = n + 1,
                          .tau_change = n + 1 + sys->nla_g,
                          .tau_bend = n + 1 + 2 * (ptrdiff_t)sys->nla_g,
                          .d = d,
                          .d_change = d + sys->nu,
                          .d_bend = d + 2 * (ptrdiff_t)sys->nu};
}

StateRoom velocity_projected_room(const System* sys) {
    StateRoom room = velocity_step_room(sys);
    room.n_own += sys->n_joints > 0 ? 1 + 3 * (sys->nla_g + sys->nu) : 0;
    return room;
}

// --- the first guess ---

// next (n) = last, with the change and its own where they go on
static void go_on(int n, const double* last, const double* change, const double* bend,
                  double* next) {
    const bool changes = velocity_is_steady(n, NULL, last, change);
    const bool bends = changes && velocity_is_steady(n, NULL, change, bend);
    for (int i = 0; i < n; i++) {
        next[i] = last[i] + (changes ? change[i] : 0.0) + (bends ? bend[i] : 0.0);
    }
}

void velocity_project_guess(const VelocityStep* step, bool smooth) {
    const System* sys = step->sys;
    Projection* projection = &step->m->projection;
    projection_begin(sys, step->s->p[sys->solver + SOLVER_TOLERANCE], projection);
    if (!smooth || sys->n_joints == 0 || step->gaps_free) {
        return;
    }
    const ProjectedOwn own = projected_own(sys, step->s);
    if (*own.n > 0.0) {
        go_on(sys->nla_g, own.tau_g, own.tau_change, own.tau_bend, projection->tau_g);
        go_on(sys->nu, own.d, own.d_change, own.d_bend, projection->d);
    }
}

// value, its change and its bend (n) after the steps so far
static void keep(int n, const double* new, double n_steps, double* value, double* change,
                 double* bend) {
    for (int i = 0; i < n; i++) {
        const double next = new[i] - value[i];
        bend[i] = n_steps > 2.0 ? next - change[i] : 0.0;
        change[i] = n_steps > 1.0 ? next : 0.0;
        value[i] = new[i];
    }
}

// Displacements that are at least this part of what joints allow go on in the next step: they would
// be made at once every few steps otherwise, and velocities would have to follow.
static const double GOES_ON = 0.01;

// Where next to nothing had to be displaced, or an impact did it, there is no guess.
void velocity_project_keep(const VelocityStep* step, double n_smooth, State* s) {
    const System* sys = step->sys;
    const Projection* projection = &step->m->projection;
    if (sys->n_joints == 0 || step->gaps_free) {
        return;
    }
    const ProjectedOwn own = projected_own(sys, s);
    const bool goes_on = n_smooth > 0.0 && projection->corrected > GOES_ON;
    *own.n = goes_on ? fmin(*own.n + 1.0, n_smooth) : 0.0;
    keep(sys->nla_g, projection->tau_g, *own.n, own.tau_g, own.tau_change, own.tau_bend);
    keep(sys->nu, projection->d, *own.n, own.d, own.d_change, own.d_bend);
}

// --- displacements ---

// q_theta moves with q_1.
static void displace_middle(const VelocityStep* step) {
    const VelocityScratch* m = step->m;
    if (velocity_has_middle(step)) {
        projection_displace(step->sys, &m->projection, step->theta, m->q_theta, m->middle.q);
    }
}

void velocity_displace(const VelocityStep* step) {
    const VelocityScratch* m = step->m;
    projection_displace(step->sys, &m->projection, 1.0, m->q_1, m->end.q);
    displace_middle(step);
}

// In units of the displacement that a percussion makes in a step, which is about what it is to take
// back: a contact that presses is pulled closed by no more than this. More contacts may press than
// can be closed at once.
static const double MOST_PULL = 10.0;

// PR (58), all contacts alike; PR (68). A step that fails is tried again without pulls. Is anything
// to be projected?
static bool choose_gaps(const VelocityStep* step) {
    const System* sys = step->sys;
    const bool first = step->in->attempt == ATTEMPT_FIRST;
    const ContactSet* set = &step->w->contacts;
    bool any = sys->n_joints > 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        const bool free = step->gaps_free || step_holds_open(step->in, k);
        GapLaw gap = free ? GAP_FREE : GAP_KEPT;
        double P = 0.0;
        if (step->projects_active && !step->gaps_free) {
            const bool active = set->slot[k] >= 0;
            P = active && first ? set->P[set->active[set->slot[k]].row] : 0.0;  // (70)
            gap = active ? GAP_KEPT : GAP_FREE;
        }
        step->m->projection.gaps[k] = gap;
        step->m->projection.pull[k] = P > 0.0 ? MOST_PULL * step->in->dt * P : 0.0;
        any = any || gap != GAP_FREE;
    }
    return any;
}

Status velocity_project_update(const VelocityStep* step, double part, const double* change,
                               SolveInfo* info) {
    const System* sys = step->sys;
    VelocityScratch* m = step->m;
    if (!step->projects || velocity_flies(step) || !choose_gaps(step)) {
        return STATUS_OK;
    }
    for (int i = 0; i < sys->nu; i++) {
        m->change[i] = part * step->in->dt * step->k * change[i];  // of q_1
    }
    // But for what turns in a step the matrix is that of the masses, unless forces stiffen it.
    const bool near = !sys->position_dependent;
    const int before = m->projection.iterations;
    const Status status =
        projection_improve(sys, step->w, &m->end, m->change, near, &m->projection);
    info->projection_iterations += m->projection.iterations - before;
    return status;
}

bool velocity_is_projected(const VelocityStep* step) {
    return !step->projects || step->unprojected > 0.0 || !choose_gaps(step) ||
           projection_holds(step->sys, step->w, &step->m->end, &step->m->projection);
}

// What no displacement removes is left, if it is small against the motion.
static bool is_accepted(const VelocityStep* step, double residual) {
    const double* par = step->s->p + step->sys->solver;
    return residual <= solver_convergence(par, step->in->attempt).inexact;
}

Status velocity_project(VelocityStep* step, SolveInfo* info) {
    VelocityScratch* m = step->m;
    const int before = m->projection.iterations;
    const Status status =
        projection_solve(step->sys, step->s, step->w, m->q_1, &m->end, &m->projection);
    info->projection_iterations += m->projection.iterations - before;
    if (status != STATUS_OK && status != STATUS_NO_ROOM) {
        info->residual = velocity_position_residual(step, info);
    }
    if (status == STATUS_NO_CONVERGENCE && is_accepted(step, info->residual)) {
        step->unprojected = larger(info->residual, DBL_EPSILON);
        info->inexact = true;
    } else if (status != STATUS_OK) {
        return status;
    }
    displace_middle(step);
    velocity_evaluate_terms(step);
    return STATUS_OK;
}
