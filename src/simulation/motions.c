// Inputs and parameters that prescribe positions: the motion through the values that are set.
#include "simulation/simulation_struct.h"

static double symbol_value(const System* sys, const State* s, int symbol) {
    const int input = symbol - sys->n_user_parameters;
    return input < 0 ? s->p[symbol] : s->input[input];
}

void simulation_rest_motions(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    for (int k = 0; k < sys->n_motions; k++) {
        motion_rest(&s->motions[k], state_time(s), symbol_value(sys, s, sys->motions[k]));
    }
    s->head->moving = 0;
}

bool simulation_continue_motions(Simulation* simulation, double t_1) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    if (!s->head->moving) {
        return false;
    }
    const double t = state_time(s);
    bool moving = false;
    bool jumps = false;
    for (int k = 0; k < sys->n_motions; k++) {
        Motion* motion = &s->motions[k];
        const Jet before = motion_at(motion, t);
        motion_continue(motion, t, t_1, symbol_value(sys, s, sys->motions[k]));
        const Jet after = motion_at(motion, t);
        moving = moving || before.v != motion->value || after.d != 0.0 || after.dd != 0.0;
        jumps = jumps || before.d != after.d || before.dd != after.dd;
    }
    s->head->moving = moving;
    return jumps;
}
