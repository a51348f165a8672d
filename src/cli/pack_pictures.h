// What there is to look at in an FMU: the mechanism at its start, and its motion.
#pragma once

#include "base/text.h"
#include "simulation/simulation.h"

typedef struct PackPictures {
    TextBuffer drawing;    // SVG; empty if the model cannot start with its start values
    TextBuffer animation;  // a page; empty if none is wanted, or likewise
} PackPictures;

// Starts and, for an animation, simulates the default experiment. What goes wrong there is a
// warning to stderr: the FMU is the same. source: the model's path. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status pack_pictures_make(Simulation* simulation, const char* source, bool animation,
                                     PackPictures* pictures);
void pack_pictures_free(PackPictures* pictures);
