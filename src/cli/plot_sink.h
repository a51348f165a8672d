// Takes down chosen variables of a run and writes them as a plot: SVG, PNG or a page, as the name
// of the file ends.
#pragma once

#include "cli/plot_choice.h"
#include "cli/run.h"
#include "plot/series.h"

typedef struct PlotWriter {
    const char* const* wanted;  // (n_wanted) choices in words; none: what is worth seeing
    int n_wanted;
    const char* command;  // for messages
    PlotChoice choice;
    Series* series;  // (n_panels x PLOT_MOST_CURVES)
    const Simulation* simulation;
    FILE* file;
    double t_0, t_1;  // s, of the first and the last row
} PlotWriter;

// Does a name end in a way that tells the form of a plot? False after a message.
bool plot_sink_knows(const char* path, const char* command);

// A sink on a PlotWriter that is zero but for its first three fields and the choice, which
// plot_sink_choose makes.
extern const RunSinkKind plot_sink;

// Finds the variables in the model's table; false after a message.
bool plot_sink_choose(PlotWriter* plot, const VariableTable* variables);
