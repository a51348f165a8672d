// Slopes of inputs, time derivatives of outputs, and derivatives of outputs in inputs and tunable
// parameters. Each is made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

FmiStatus derivatives_set_inputs(Instance* instance, const unsigned vr[], size_t n,
                                 const int order[], const double value[]);
FmiStatus derivatives_get_outputs(Instance* instance, const unsigned vr[], size_t n,
                                  const int order[], double value[]);
FmiStatus derivatives_get_directional(Instance* instance, const unsigned unknowns[],
                                      size_t n_unknowns, const unsigned knowns[], size_t n_knowns,
                                      const double seed[], double derivative[]);
