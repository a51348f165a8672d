// fmi2DoStep and what can be asked about it. Each is made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

// Allocates nothing.
fmi2Status step_do(Instance* instance, double point, double size);

// Callable from another thread while step_do runs.
fmi2Status step_cancel(Instance* instance);
fmi2Status step_get_status(Instance* instance, fmi2StatusKind kind, fmi2Status* value);
fmi2Status step_get_real_status(Instance* instance, fmi2StatusKind kind, fmi2Real* value);
fmi2Status step_get_integer_status(Instance* instance, fmi2StatusKind kind, fmi2Integer* value);
fmi2Status step_get_boolean_status(Instance* instance, fmi2StatusKind kind, fmi2Boolean* value);
fmi2Status step_get_string_status(Instance* instance, fmi2StatusKind kind, fmi2String* value);
