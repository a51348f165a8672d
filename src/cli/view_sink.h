// The page of a motion as a sink of a run.
#pragma once

#include "cli/plot_choice.h"
#include "cli/run.h"
#include "view/recorder.h"

typedef struct ViewWriter {
    const char* source;        // what the page names as the origin of the motion: the model's path
    double interval;           // s, between frames; NaN: one that suits
    const PlotChoice* choice;  // plots to show at first; NULL: the page chooses
    Recorder recorder;
    size_t n_frames, n_bytes;  // of what was written
} ViewWriter;

// A sink on a ViewWriter of which source, interval and choice are given. What there is of a motion
// is written, however the run ended.
extern const RunSinkKind view_sink;

// What the user wants to see plotted, as --plot-variables has it
typedef struct ViewPlots {
    const char** texts;  // (n)
    int n;
} ViewPlots;

// Finds the variables; false after a message.
bool view_choose(const ViewPlots* plots, const Simulation* simulation, const char* command,
                 PlotChoice* choice);
// The chosen ones as a page has them, and how many plots they are.
int view_plots(const PlotChoice* choice, DocumentPlot plots[PLOT_MOST_PANELS]);

// The page that this program carries; without one, false after a message that says how to get it.
bool view_page(const char* command, PageTemplate* page);

// Writes a page, "-" being standard output; STATUS_NO_FILE with errno. And tells of it.
MUST_CHECK Status view_write(const char* path, const TextBuffer* text);
void view_tell(const char* path, size_t n_frames, size_t n_bytes, FILE* out);
