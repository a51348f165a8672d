// The projected schemes of PR, see moreau_jean_projected.c; the rest is that of
// moreau_jean.h.
#pragma once

#include "schemes/scheme.h"

void moreau_jean_projected_start(const StepInput* in, const double* a, State* s, void* scratch);
MUST_CHECK Status moreau_jean_projected_step(const StepInput* in, State* s, void* scratch,
                                             SolveInfo* info);
MUST_CHECK Status moreau_jean_combined_step(const StepInput* in, State* s, void* scratch,
                                            SolveInfo* info);
