// The calls that lead an instance from one state to the next, steps aside, and its logging. Each is
// made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

FmiStatus life_cycle_set_logging(Instance* instance, bool on, size_t n,
                                 const char* const categories[]);
FmiStatus life_cycle_set_up(Instance* instance, bool tolerance_defined, double tolerance,
                            double start_time, bool stop_time_defined, double stop_time);
FmiStatus life_cycle_enter_initialization(Instance* instance);
FmiStatus life_cycle_exit_initialization(Instance* instance);
FmiStatus life_cycle_terminate(Instance* instance);
FmiStatus life_cycle_reset(Instance* instance);
