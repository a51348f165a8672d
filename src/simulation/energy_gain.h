// Energy that a step has added by its error.
#pragma once

#include "simulation/attempt.h"

// Is what steps add looked at: with schemes whose steps may add energy (Scheme.guards_energy),
// where contacts are found?
static inline bool energy_gain_is_guarded(const Simulation* simulation) {
    return schemes[simulation_scheme(simulation)].guards_energy &&
           simulation->model.system.n_colliders > 0;
}

// Has the step that has just been made, from simulation.before to the state, added more energy than
// a small part of the largest kinetic energy so far, which is taken note of?
bool energy_gain_is_large(Simulation* simulation, const Interval* step);
