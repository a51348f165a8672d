// Which velocities a force, joint or contact between two frames couples.
#pragma once

#include "system/system.h"

enum { COUPLING_NUMBERS = 3 * COUPLING_MAX };  // that a coupling keeps

// Of two frames (NULL: the ground); swapped: the velocities of the second come first. numbers
// (COUPLING_NUMBERS) belong to the coupling from then on.
void coupling_make(const FrameSource* const sources[ELEMENT_MAX_REFERENCES], bool swapped,
                   int* numbers, Coupling* coupling);
