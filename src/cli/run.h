// Running a model from the start to the end, with whatever takes down the motion.
#pragma once

#include "cli/model_files.h"
#include "cli/run_options.h"

typedef struct RunSink RunSink;

// What a sink does. All but describe may be NULL, where there is nothing to do. Failures end
// the run: STATUS_NO_FILE with errno, or the status of a value that could not be read.
typedef struct RunSinkKind {
    const char* what;    // "the CSV", in messages
    const char* option;  // that names its file: "-o"
    // Before the first row, at the start of the motion.
    Status (*open)(RunSink* sink, Simulation* simulation, double stop);
    // At each communication point: the start, the end of each interval, and where the motion ended.
    Status (*row)(RunSink* sink, Simulation* simulation);
    // After the last row: what there is is kept, however the run ended. Called once, also after a
    // failure to open it or another one.
    Status (*close)(RunSink* sink);
    // What was written, for the end of the summary: "out.csv: 12 rows, 3 columns".
    void (*describe)(const RunSink* sink, FILE* out);
} RunSinkKind;

struct RunSink {
    const RunSinkKind* kind;
    void* self;        // what the functions work on
    const char* path;  // of the file; "-": standard output, the summary then goes to stderr
};

// Applies the options to a model that was loaded, simulates it, feeds the sinks and prints the
// summary. The exit code, after messages to stderr.
int run_model(const RunOptions* options, LoadedModel* model, RunSink* sinks, int n_sinks);
