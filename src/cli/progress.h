// A progress bar on stderr, for people: nothing is shown where stderr is no terminal.
#pragma once

#include <stdbool.h>

typedef struct Progress {
    bool shown;      // is stderr a terminal?
    double started;  // s, of a clock that never goes back
    double drawn;    // s, when the bar was last drawn; before the first time, started
    bool visible;    // there is a bar on the terminal now
} Progress;

Progress progress_start(void);
// done: share of the work done, 0 ... 1. Cheap enough to be called every step.
void progress_update(Progress* progress, double done);
// Removes the bar.
void progress_end(Progress* progress);
// Seconds since progress_start.
double progress_elapsed(const Progress* progress);
