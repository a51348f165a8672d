// Lobatto IIIA-IIIB scheme of Capobianco, Harsch and Leyendecker (LO): s stages, order 2s - 2 in
// smooth motion; joints and contacts hold on position level at all stages but the first, and on
// velocity level at the end of each step.
#pragma once

#include "schemes/scheme.h"

StateRoom lobatto_room(const System* sys);
MUST_CHECK Status lobatto_create(const System* sys, const Properties* properties, Arena* arena,
                                 void** scratch);
MUST_CHECK Status lobatto_prepare(const double* p, Arena* arena, void* scratch);
void lobatto_destroy(void* scratch);
void lobatto_start(const StepInput* in, const double* a, State* s, void* scratch);
void lobatto_jump(const StepInput* in, const double* a, const double* la_g, State* s,
                  void* scratch);
MUST_CHECK Status lobatto_step(const StepInput* in, State* s, void* scratch, SolveInfo* info);
