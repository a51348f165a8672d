// One sweep over a part of the contacts of free bodies in a cone problem: the largest change of a
// law in the norm of energy, squared. Both give the same bits.
#pragma once

#include "solvers/cone_problem.h"

double cone_sweep_blocks(ConeProblem* problem, const Range* blocks, bool forwards);
double cone_sweep_blocks_avx2(ConeProblem* problem, const Range* blocks,
                              bool forwards);  // platform_has_avx2
