// The nonsmooth generalized-alpha scheme, see generalized_alpha.c.
#pragma once

#include "schemes/scheme.h"

StateRoom generalized_alpha_room(const System* sys);
MUST_CHECK Status generalized_alpha_create(const System* sys, const Properties* properties,
                                           Arena* arena, void** scratch);
void generalized_alpha_start(const StepInput* in, const double* a, State* s, void* scratch);
void generalized_alpha_jump(const StepInput* in, const double* a, const double* la_g, State* s,
                            void* scratch);
MUST_CHECK Status generalized_alpha_step(const StepInput* in, State* s, void* scratch,
                                         SolveInfo* info);
