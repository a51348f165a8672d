// The step of the Lobatto IIIA-IIIB scheme (LO 4, 5). LO solves all equations of a step at once by
// a semismooth Newton method, (60) to (70). Here Newton's method is on the dynamics and the joints
// of all stages, and the laws of all stages are solved exactly in each of its updates; the end of
// the step, which acts back on nothing, follows.
#include "schemes/lobatto.h"

#include <float.h>
#include <math.h>

#include "schemes/lobatto_step.h"

static double largest_coordinate(const System* sys, const double* q) {
    double largest = 0.0;
    for (int i = 0; i < sys->nq; i++) {
        largest = fabs(q[i]) > largest ? fabs(q[i]) : largest;
    }
    return largest;
}

static LobattoStep begin(const StepInput* in, const State* s, LobattoScratch* m) {
    const System* sys = in->sys;
    const int n_stages = (int)s->p[sys->solver + SOLVER_STAGES];
    LobattoStep step = {.sys = sys,
                        .in = in,
                        .dt = in->dt,
                        .s = s,
                        .own = lobatto_own(sys, s, n_stages),
                        .w = in->w,
                        .m = m,
                        .stages = &m->tableau[n_stages],
                        .matrix = m->matrix[n_stages],
                        .energy_n = system_kinetic_energy_of(sys, &in->w->present, s->u),
                        .place_rounding = 4.0 * DBL_EPSILON * largest_coordinate(sys, s->q)};
    for (int j = 0; j < n_stages - 1; j++) {
        step.joints[j] = &m->own_joints[j];
        step.sets[j] = &m->own_sets[j];
    }
    step.joints[n_stages - 1] = &in->w->joints;
    step.sets[n_stages - 1] = &in->w->contacts;
    return step;
}

// Energies must be finite, too.
static bool is_finite(const LobattoStep* step) {
    const double* u = step->m->stages[step->stages->n].u;
    double square = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        square += step->w->properties.M_diagonal[i] * u[i] * u[i];
    }
    return isfinite(square) && isfinite(step->scale);
}

// Joints that move by themselves, and contacts with such bodies, may do any work.
static bool has_drives(const System* sys) {
    bool any = sys->driven || sys->steered;
    for (int k = 0; k < sys->n_joints && !any; k++) {
        any = sys->joints[k].element->kind->n_signals > 0;
    }
    return any;
}

// Joints and contacts without drives take energy or leave it. Where kinetic energy grows by more
// than the work of the forces, and by a good part of itself, the step is too long for the motion.
static bool gains_energy(const LobattoStep* step) {
    static const double LARGEST_GAIN = 0.1;  // of the kinetic energy
    const LobattoScratch* m = step->m;
    double work = 0.0;
    if (step->in->u_start != step->s->u || has_drives(step->sys)) {
        return false;
    }
    for (int j = 0; j < step->stages->s; j++) {
        for (int i = 0; i < step->sys->nu; i++) {
            work += step->stages->b[j] * step->dt * m->h[j][i] * m->stages[j].u[i];
        }
    }
    const double after = system_kinetic_energy(step->sys, &m->stages[step->stages->n]);
    // With an impact, which is placed at the end of its step, the work is known to its size alone.
    const double error = step->sys->n_joints > 0 ? 0.0 : 2.0 * fabs(work);
    return after - step->energy_n - work > LARGEST_GAIN * 0.5 * step->scale * step->scale + error;
}

Status lobatto_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    LobattoStep step = begin(in, s, scratch);
    *info = (SolveInfo){0};
    if (step.dt * *step.own.omega > lobatto_stable(step.stages->s)) {
        return STATUS_TOO_LONG;
    }
    lobatto_predict(&step);                        // forces go on as in the last step
    lobatto_choose_laws(&step);                    // laws that act already
    Status status = lobatto_iterate(&step, info);  // the stages: (47), (50) to (52), (57)
    if (status == STATUS_OK) {
        status = lobatto_end(&step, info);  // u_1 and Delta P: (47b), (50), (51), (56), (58)
    }
    if (status == STATUS_OK && !is_finite(&step)) {
        status = STATUS_NOT_FINITE;
    }
    if (status == STATUS_OK && gains_energy(&step)) {
        status = STATUS_NO_CONVERGENCE;
    }
    if (status != STATUS_OK && status != STATUS_NO_ROOM && !info->unsolvable) {
        info->residual = lobatto_residual(&step, info);  // what is violated most
    }
    if (status == STATUS_OK) {
        lobatto_commit(&step, s, info);
    }
    return status;
}
