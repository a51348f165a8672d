// The Moreau-Jean theta scheme, see moreau_jean.c.
#pragma once

#include "schemes/scheme.h"

void moreau_jean_start(const StepInput* in, const double* a, State* s, void* scratch);
MUST_CHECK Status moreau_jean_step(const StepInput* in, State* s, void* scratch, SolveInfo* info);
