// The Moreau-Jean theta scheme, see moreau_jean.c.
#pragma once

#include "schemes/scheme.h"

StateRoom moreau_jean_room(const System* sys);
MUST_CHECK Status moreau_jean_create(const System* sys, const Properties* properties, Arena* arena,
                                     void** scratch);
void moreau_jean_start(const StepInput* in, const double* a, State* s, void* scratch);
MUST_CHECK Status moreau_jean_step(const StepInput* in, State* s, void* scratch, SolveInfo* info);
