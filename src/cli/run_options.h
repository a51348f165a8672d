// The options that clatter run has in common with other commands that simulate a model.
#pragma once

#include "cli/options.h"
#include "cli/setting.h"

enum {
    RUN_OPTION_STOP,
    RUN_OPTION_STEP,
    RUN_OPTION_INTERVAL,
    RUN_OPTION_SCHEME,
    RUN_OPTION_SET,
    RUN_OPTION_INPUTS,
    RUN_OPTION_INTERPOLATION,
    RUN_OPTION_PROFILE,
    RUN_OPTION_HELP,
    N_RUN_OPTIONS
};

extern const Option run_options[N_RUN_OPTIONS];

typedef struct RunOptions {
    const char* command;  // for messages: "clatter run"
    const char* model;    // NULL: not given yet
    double stop;          // s; NaN: the model's
    double interval;      // s, between rows; NaN: the step
    const char* inputs;   // path of their table; NULL: none
    bool inputs_held;     // between its rows, not straight
    bool profile;
    Setting* settings;  // (n_settings), in the order given
    int n_settings;
} RunOptions;

// Room for all settings that argc arguments can make. False, after a message, if there is none;
// run_options_free is to be called in either case.
bool run_options_start(RunOptions* options, const char* command, int argc);
void run_options_free(RunOptions* options);
// Reads a command's own options and, behind them, those of a run.
OptionReader run_options_reader(const char* command, const Option* options, int n_options, int argc,
                                char** argv);

// One option of the table's part of the command line, or OPTION_OPERAND, which is the model; false
// after a message, also for OPTION_ERROR.
bool run_options_take(int option, const char* value, RunOptions* options);
