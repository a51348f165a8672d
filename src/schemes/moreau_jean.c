// Moreau-Jean theta scheme, PR (18): one step on velocity level (velocity_step.h), with the
// contacts whose forecast gap is closed, PR (61) or (62).
//
// Equations of joints that follow from others (closed loops of hinges in space) do so only where
// all of them hold on position level. Off by a drift they contradict each other by the drift times
// the velocities; what cannot be fulfilled adds to the drift, which grows with itself. So where
// that begins to show, positions are projected to where joints hold, PR (56b), gaps taking no part.
#include "schemes/moreau_jean.h"

#include "schemes/activation.h"
#include "schemes/settings.h"

void moreau_jean_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)a;
    (void)scratch;
    velocity_step_start(in->sys, s);
}

// Have rows of joints contradicted others?
static bool joints_contradict(const StepInput* in, const State* s) {
    return in->sys->n_joints > 0 && *velocity_own(in->sys, s).contradict != 0.0;
}

Status moreau_jean_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    const double theta = s->p[in->sys->solver + SOLVER_THETA];
    VelocityStep step = velocity_step_begin(in, s, theta, scratch);
    step.projects = step.gaps_free = joints_contradict(in, s);
    *info = (SolveInfo){0};
    Status status = activation_update(&step, info);  // PR (61), (62)
    if (status == STATUS_OK) {
        status = velocity_iterate(&step, info);  // (18a) to (18d)
    }
    if (status == STATUS_OK) {
        status = velocity_commit(&step, s, info);
    }
    return status;
}
