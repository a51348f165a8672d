// The schemes of CH, see generalized_alpha_velocity.c.
#pragma once

#include "schemes/scheme.h"

StateRoom generalized_alpha_velocity_room(const System* sys);
void generalized_alpha_velocity_start(const StepInput* in, const double* a, State* s,
                                      void* scratch);
void generalized_alpha_velocity_jump(const StepInput* in, const double* a, const double* la_g,
                                     State* s, void* scratch);
MUST_CHECK Status generalized_alpha_velocity_step(const StepInput* in, State* s, void* scratch,
                                                  SolveInfo* info);

StateRoom implicit_newmark_room(const System* sys);
void implicit_newmark_start(const StepInput* in, const double* a, State* s, void* scratch);
MUST_CHECK Status implicit_newmark_step(const StepInput* in, State* s, void* scratch,
                                        SolveInfo* info);
