// Moreau-Jean theta scheme, PR (18): one step on velocity level (velocity_step.h), with the
// contacts whose forecast gap is closed, PR (61) or (62).
#include "schemes/moreau_jean.h"

#include "schemes/activation.h"
#include "schemes/settings.h"

StateRoom moreau_jean_room(const System* sys) { return velocity_step_room(sys); }

Status moreau_jean_create(const System* sys, const Properties* properties, Arena* arena,
                          void** scratch) {
    return velocity_scratch_create(sys, properties, arena, scratch);
}

void moreau_jean_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)a;
    (void)scratch;
    velocity_step_start(in->sys, s);
}

// The active laws, and the first Newton update with them. The free motion of (62) is that of an
// update without contacts, which is the step's own if it closes none.
static Status activate(VelocityStep* step, SolveInfo* info) {
    if (!activation_needs_free_motion(step)) {
        activation_choose(step, forecast_explicit);  // PR (61)
        return velocity_first_update(step, info);
    }
    activation_choose(step, NO_CONTACTS);
    const Status status = velocity_first_update(step, info);
    if (status != STATUS_OK) {
        return status;
    }
    velocity_drift(step);
    instant_evaluate(step->sys, step->s, &step->m->end);
    return activation_add_contacts(step, forecast_free) ? velocity_first_update(step, info)  // (62)
                                                        : STATUS_OK;
}

Status moreau_jean_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    const double theta = s->p[in->sys->solver + SOLVER_THETA];
    VelocityStep step = velocity_step_begin(in, s, theta, scratch);
    *info = (SolveInfo){0};
    Status status = activate(&step, info);  // PR (61), (62)
    if (status == STATUS_OK) {
        status = velocity_iterate(&step, info);  // (18a) to (18d)
    }
    if (status == STATUS_OK) {
        status = velocity_commit(&step, s, info);
    }
    return status;
}
