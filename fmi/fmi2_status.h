// What can be asked about fmi2DoStep, from another thread too while it runs. Each is made only
// after instance_accepts.
#pragma once

#include "fmi/instance.h"
#include "fmi2FunctionTypes.h"

fmi2Status fmi2_get_status(Instance* instance, fmi2StatusKind kind, fmi2Status* value);
fmi2Status fmi2_get_real_status(Instance* instance, fmi2StatusKind kind, fmi2Real* value);
fmi2Status fmi2_get_integer_status(Instance* instance, fmi2StatusKind kind, fmi2Integer* value);
fmi2Status fmi2_get_boolean_status(Instance* instance, fmi2StatusKind kind, fmi2Boolean* value);
fmi2Status fmi2_get_string_status(Instance* instance, fmi2StatusKind kind, fmi2String* value);
