// One communication step. Each is made only after instance_accepts.
#pragma once

#include "fmi/instance.h"

// Advances the simulation by a duration, or by a part of it.
typedef Status StepAdvance(Instance* instance, double duration);

// The step from the communication point by size, which advance makes. Allocates nothing.
FmiStatus step_do(Instance* instance, double point, double size, StepAdvance* advance);
