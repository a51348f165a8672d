// Records the motion of a simulation for a page, from its start to wherever it comes.
#pragma once

#include "view/frames.h"

enum { MOST_IMPACTS = 2000 };  // that a page lists

typedef struct Recorder {
    Frames frames;
    ImpactList* impacts;
} Recorder;

// To be called at the start of the motion; interval: the time between frames, NaN for one that
// suits. STATUS_OUT_OF_MEMORY; recorder_free in either case.
MUST_CHECK Status recorder_open(Recorder* recorder, Simulation* simulation, double stop,
                                double interval);

// As the motion goes on, the oftener the better: takes a frame if one is due. The status of an
// output that cannot be read, or STATUS_OUT_OF_MEMORY.
MUST_CHECK Status recorder_row(Recorder* recorder);

// The page, with the present as its last frame. What the document says of source, failure and plots
// is taken from there.
MUST_CHECK Status recorder_write(Recorder* recorder, Document* document, const PageTemplate* page,
                                 TextBuffer* out);

// Harmless on a recorder that is all zero.
void recorder_free(Recorder* recorder);
