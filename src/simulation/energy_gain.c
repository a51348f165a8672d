// Contacts take energy or leave it: what the system has more at the end of a step than inputs have
// put in and dampers have taken (schemes/energy.h) is the error of the step.
#include "simulation/energy_gain.h"

// What the forces at the instant present would do with free bodies in so many steps
static double energy_of_forces(const System* sys, double dt, Workspace* w) {
    static const double STEPS = 100.0;
    double* h = w->solution;
    double sum = 0.0;
    system_forces(sys, &w->present, h);
    for (int i = 0; i < sys->nu; i++) {
        const double M = w->properties.M_diagonal[i];
        sum += M > 0.0 ? h[i] * h[i] / M : 0.0;
    }
    return 0.5 * STEPS * STEPS * dt * dt * sum;
}

// Kinetic and, with that, potential energy of a state at t, which becomes the instant present
static double energy_of(const System* sys, const State* s, double t, Workspace* w,
                        double* kinetic) {
    instant_set(sys, s, t, s->q, s->u, &w->present);
    *kinetic = system_kinetic_energy_of(sys, &w->present, s->u);
    return *kinetic + system_potential_energy(sys, &w->present);
}

bool energy_gain_is_large(Simulation* simulation, const Interval* step) {
    static const double LARGEST_GAIN = 5e-4;
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    const StateHead* start = simulation->before.head;
    StateHead* end = simulation->state.head;
    double T_0, T_1;
    const double E_0 = energy_of(sys, &simulation->before, step->t, w, &T_0);
    const double E_1 = energy_of(sys, &simulation->state, step->t_1, w, &T_1);
    const double gain = E_1 - E_0 - (end->input_work - start->input_work) +
                        (end->dissipated_by_damping - start->dissipated_by_damping);
    end->largest_kinetic = larger(larger(T_0, T_1), start->largest_kinetic);
    // a system at rest has next to none; and what parameters have changed is no error
    return gain > LARGEST_GAIN * end->largest_kinetic && !start->changed &&
           gain > LARGEST_GAIN * energy_of_forces(sys, step->dt, w);
}
