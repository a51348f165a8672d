// The page of a motion as a sink of a run.
#pragma once

#include "cli/run.h"
#include "view/recorder.h"

typedef struct ViewWriter {
    const char* source;  // what the page names as the origin of the motion: the model's path
    double interval;     // s, between frames; NaN: one that suits
    Recorder recorder;
    size_t n_frames, n_bytes;  // of what was written
} ViewWriter;

// A sink on a ViewWriter of which source and interval are given. What there is of a motion is
// written, however the run ended.
extern const RunSinkKind view_sink;

// The page that this program carries; without one, false after a message that says how to get it.
bool view_page(const char* command, PageTemplate* page);
