// What tests of schemes share: two oscillations across each other of a mass on a spring, whose
// motion is known. Included by tests, each a program.
#pragma once

#include <math.h>

#include "mechanism.h"

typedef struct NamedValue {
    const char* name;
    double value;
} NamedValue;

static const char oscillator[] =
    "<point_mass name='m' mass='2' initial_x='1' initial_velocity_y='0.5'/>"
    "<spring_damper name='k' first='m' stiffness='18'/>";  // omega = 3

// Distance from the exact place at t = 2 with a step and other values (n)
static inline double oscillator_error(double dt, int n, const NamedValue* values) {
    Simulation* simulation = mechanism_new(oscillator);
    set_value(simulation, "solver.step_size", dt);
    for (int i = 0; i < n; i++) {
        set_value(simulation, values[i].name, values[i].value);
    }
    start(simulation);
    advance(simulation, 2.0);
    const double error = hypot(value_of(simulation, "m.x") - cos(6.0),
                               value_of(simulation, "m.y") - 0.5 / 3.0 * sin(6.0));
    simulation_destroy(simulation);
    return error;
}
