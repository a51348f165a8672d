// Half-implicit Euler as a cone complementarity problem, CC (5) to (12): one problem a step, for
// many contacts, without a matrix of them.
#pragma once

#include "schemes/scheme.h"

StateRoom cone_complementarity_room(const System* sys);
MUST_CHECK Status cone_complementarity_create(const System* sys, const Properties* properties,
                                              Arena* arena, void** scratch);
void cone_complementarity_start(const StepInput* in, const double* a, State* s, void* scratch);
MUST_CHECK Status cone_complementarity_step(const StepInput* in, State* s, void* scratch,
                                            SolveInfo* info);
