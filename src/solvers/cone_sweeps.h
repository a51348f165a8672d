// One sweep over a part of the contacts of free bodies in a cone problem: the largest change of a
// law in the norm of energy, squared. Both give the same bits.
#pragma once

#include "solvers/cone_problem.h"

typedef struct ConeSweep {
    bool forwards;
    bool goes_on;  // percussions begin ahead of where they are, by ...
    double beta;   // ... this part of the way that the last pair of sweeps has led them
} ConeSweep;

typedef double ConeSweepBlocks(ConeProblem* problem, const Range* blocks, const ConeSweep* sweep);
ConeSweepBlocks cone_sweep_blocks;
ConeSweepBlocks cone_sweep_blocks_avx2;  // platform_has_avx2
