// Moreau-Jean theta scheme, PR (18): one step on velocity level (velocity_step.h), with the
// contacts whose forecast gap is closed, PR (61) or (62).
#include "schemes/moreau_jean.h"

#include "schemes/activation.h"
#include "schemes/settings.h"

void moreau_jean_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)a;
    (void)scratch;
    velocity_step_start(in->sys, s);
}

Status moreau_jean_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    const double theta = s->p[in->sys->solver + SOLVER_THETA];
    VelocityStep step = velocity_step_begin(in, s, theta, scratch);
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
