// The frames of a page and what they are of: the scene, the outputs that are shown, the motion.
#pragma once

#include "base/arena.h"
#include "view/document.h"
#include "view/motion.h"
#include "view/page.h"

typedef struct Frames {
    Simulation* simulation;
    Arena arena;
    Scene scene;
    SceneInstant instant;  // to be filled in before frames_add
    Motion motion;
    int* outputs;  // (n_outputs) variables
    int n_outputs, n_more_outputs;
    double* values;  // (n_outputs) to be filled in likewise
    Span* curves;    // (n_shapes) along x of each curve, what the bodies have been above
    double start, span, interval;
    bool wished;      // the interval is the user's
    long long n_due;  // frames that have been due
    double last;      // time of the newest frame
} Frames;

// Of a motion over these times; the simulation is at a start. interval: the time between frames,
// NaN for one that suits the motion. STATUS_OUT_OF_MEMORY; frames_free in either case.
MUST_CHECK Status frames_open(Frames* frames, Simulation* simulation, Span times, double interval);

// Chooses the outputs among the variables that are available (n_variables), NULL: all that are
// cheap; to be called before the first frame.
MUST_CHECK Status frames_choose_outputs(Frames* frames, const bool* available);

// Is a frame due at t, or has one been since the last that was taken? Takes note of it.
bool frames_are_due(Frames* frames, double t);

// Adds the instant and the values.
MUST_CHECK Status frames_add(Frames* frames);

// The page. The document's info, table, scene, curves, outputs and sizes of the motion are filled
// in here.
MUST_CHECK Status frames_write(Frames* frames, Document* document, const PageTemplate* page,
                               TextBuffer* out);

// Harmless on frames that are all zero.
void frames_free(Frames* frames);
