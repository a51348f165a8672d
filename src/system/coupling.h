// Which velocities a force, joint or contact between two frames couples.
#pragma once

#include "system/system.h"

// Numbers that a coupling keeps, each of its two frames depending on half of width velocities at
// most
static inline size_t coupling_numbers(int width) { return 3 * (size_t)width; }

// Of two frames (NULL: the ground); swapped: the velocities of the second come first. numbers
// (coupling_numbers(width)) belong to the coupling from then on.
void coupling_make(const FrameSource* const sources[ELEMENT_MAX_REFERENCES], bool swapped,
                   int width, int* numbers, Coupling* coupling);
