// Which velocities a force, joint or contact between two frames couples.
#pragma once

#include "system/system.h"

// Of two frames (NULL: the ground), each of which depends on half of width velocities at most;
// swapped: the velocities of the second come first. u (width) and others (2 width) belong to the
// coupling from then on; others are not touched where both frames are those of rigid bodies, all of
// the plane or all of space: those are numbered alike.
void coupling_make(const FrameSource* const sources[ELEMENT_MAX_REFERENCES], bool swapped,
                   int width, int* u, int* others, Coupling* coupling);
