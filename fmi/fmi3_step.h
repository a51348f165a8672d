// fmi3DoStep: events, early return and intermediate updates. Made only after instance_accepts.
//
// Impacts are the events. Motion, contact forces and energies are right across them whether the
// host looks at them or not: event mode tells when they are, and lets a controller answer at once.
#pragma once

#include "fmi/step.h"

typedef struct StepResult {
    bool event;        // there was an impact, and the host uses event mode
    bool early;        // the step ended before its end
    double last_time;  // that has been reached
} StepResult;

// From here on the simulation tells its internal steps, if the host wants to know of them.
void fmi3_step_watch(Instance* instance);

FmiStatus fmi3_step_do(Instance* instance, double point, double size, StepResult* result);
