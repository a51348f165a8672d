// Impacts at their own instants (solver.locate_impacts): a step is divided where the first contact
// closes in it, the laws of impact act there, and the rest of the step goes on, so that the order
// of a scheme goes through impacts. docs/impacts.md.
#pragma once

#include "simulation/attempt.h"

static inline bool locate_is_asked_for(const Simulation* simulation) {
    return simulation->state.p[simulation->model.system.solver + SOLVER_LOCATE_IMPACTS] > 1.0;
}
// Or are there bodies that could pass through each other within the step?
static inline bool locate_is_wanted(const Simulation* simulation) {
    return locate_is_asked_for(simulation) || simulation->model.system.found->n_passing > 0;
}

// A step with the impacts in it. What cannot be located, and what is beyond the limit of impacts in
// a step, is left to the scheme. On failure the state may have moved, which effort tells.
MUST_CHECK Status locate_step(Simulation* simulation, const Interval* step, Effort* effort);
