// The scheme of Schatzman and Paoli, see schatzman_paoli.c.
#pragma once

#include "schemes/scheme.h"

StateRoom schatzman_paoli_room(const System* sys);
MUST_CHECK Status schatzman_paoli_create(const System* sys, const Properties* properties,
                                         Arena* arena, void** scratch);
void schatzman_paoli_start(const StepInput* in, const double* a, State* s, void* scratch);
MUST_CHECK Status schatzman_paoli_step(const StepInput* in, State* s, void* scratch,
                                       SolveInfo* info);
// It has no law of friction: the contact or joint that asks for one.
const Element* schatzman_paoli_refuses(const System* sys, const double* p, const char** why);
