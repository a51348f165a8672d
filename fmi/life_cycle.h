// The calls that lead an instance from one state to the next, steps aside. Each is made only after
// instance_accepts.
#pragma once

#include "fmi/instance.h"

fmi2Status life_cycle_set_up(Instance* instance, bool tolerance_defined, double tolerance,
                             double start_time, bool stop_time_defined, double stop_time);
fmi2Status life_cycle_enter_initialization(Instance* instance);
fmi2Status life_cycle_exit_initialization(Instance* instance);
fmi2Status life_cycle_terminate(Instance* instance);
fmi2Status life_cycle_reset(Instance* instance);
