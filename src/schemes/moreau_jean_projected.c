// The projected schemes of PR: the step of Moreau-Jean on velocity level, with positions that are
// projected to where joints and gaps hold, within its Newton iterations.
#include "schemes/moreau_jean_projected.h"

#include <string.h>

#include "schemes/activation.h"
#include "schemes/settings.h"

void moreau_jean_projected_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)a;
    (void)scratch;
    s->head->n_own = velocity_projected_room(in->sys).n_own;
    s->head->n_own_contact = 0;
    memset(s->own, 0, (size_t)s->head->n_own * sizeof(double));
}

// PR Algorithm 1, decoupled
Status moreau_jean_projected_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    VelocityStep step = velocity_step_begin(in, s, s->p[in->sys->solver + SOLVER_THETA], scratch);
    step.projects = true;
    *info = (SolveInfo){0};
    Status status = activation_update(&step, info);  // PR (61), (62)
    if (status == STATUS_OK) {
        status = velocity_iterate(&step, info);  // (56) to (58)
    }
    return status == STATUS_OK ? velocity_commit(&step, s, info) : status;
}

// PR Algorithm 2. Departing from it, contacts that pressed in the last step are active from the
// start: they would come in after the first round.
Status moreau_jean_combined_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    VelocityStep step = velocity_step_begin(in, s, s->p[in->sys->solver + SOLVER_THETA], scratch);
    step.projects = step.projects_active = true;
    *info = (SolveInfo){0};
    Status status = STATUS_OK;
    activation_choose(&step, forecast_open);
    do {
        info->activation_iterations++;
        status = velocity_first_update(&step, info);
        if (status == STATUS_OK) {
            status = velocity_iterate(&step, info);  // (65), the rule (68)
        }
        if (status != STATUS_OK) {
            return status;
        }
    } while (activation_add_contacts(&step, forecast_at_end));  // (66)
    return velocity_commit(&step, s, info);
}
