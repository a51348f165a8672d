// Slopes of inputs, time derivatives of outputs, and derivatives of outputs in inputs and tunable
// parameters. Each is made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

fmi2Status derivatives_set_inputs(Instance* instance, const fmi2ValueReference vr[], size_t n,
                                  const fmi2Integer order[], const fmi2Real value[]);
fmi2Status derivatives_get_outputs(Instance* instance, const fmi2ValueReference vr[], size_t n,
                                   const fmi2Integer order[], fmi2Real value[]);
fmi2Status derivatives_get_directional(Instance* instance, const fmi2ValueReference unknowns[],
                                       size_t n_unknowns, const fmi2ValueReference knowns[],
                                       size_t n_knowns, const fmi2Real seed[],
                                       fmi2Real derivative[]);
