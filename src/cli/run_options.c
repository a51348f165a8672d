// The options that clatter run has in common with other commands that simulate a model.
#include "cli/run_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const Option run_options[N_RUN_OPTIONS] = {
    [RUN_OPTION_STOP] = {"--stop", 0, "T", "end at time T in s; default: the model's stop time"},
    [RUN_OPTION_STEP] = {"--step", 0, "DT",
                         "length of a step in s, the same as --set solver.step_size=DT"},
    [RUN_OPTION_INTERVAL] = {"--interval", 0, "DT", "time between rows; default: the step"},
    [RUN_OPTION_SCHEME] = {"--scheme", 0, "NAME", "the same as --set solver.scheme=NAME"},
    [RUN_OPTION_SET] = {"--set", 0, "NAME=VALUE",
                        "set a parameter, or an input for all the time, by its name in the\n"
                        "FMU; may be given many times, the last value of a name holds"},
    [RUN_OPTION_INPUTS] = {"--inputs", 0, "IN.csv",
                           "inputs as they change: a column time in s, and one for each input by\n"
                           "its name in the FMU; two rows at the same time are a jump"},
    [RUN_OPTION_INTERPOLATION] = {"--interpolation", 0, "linear|held",
                                  "of inputs between rows; default: linear"},
    [RUN_OPTION_PROFILE] = {"--profile", 0, NULL,
                            "print what the steps cost: evaluations, factorisations, contact\n"
                            "problems, and the time of each phase"},
    [RUN_OPTION_HELP] = {"--help", 'h', NULL, "this text"},
};

bool run_options_start(RunOptions* options, const char* command, int argc) {
    *options = (RunOptions){.command = command, .stop = NAN, .interval = NAN};
    options->settings = calloc((size_t)argc + 1, sizeof *options->settings);
    if (options->settings == NULL) {
        fprintf(stderr, "%s: %s\n", command, status_text(STATUS_OUT_OF_MEMORY));
    }
    return options->settings != NULL;
}

OptionReader run_options_reader(const char* command, const Option* options, int n_options, int argc,
                                char** argv) {
    return (OptionReader){.command = command,
                          .options = options,
                          .n_options = n_options,
                          .shared = run_options,
                          .n_shared = N_RUN_OPTIONS,
                          .argc = argc,
                          .argv = argv,
                          .at = 1};
}

void run_options_free(RunOptions* options) { free(options->settings); }

static bool read_time(const RunOptions* options, int option, const char* text, double* time) {
    if (!setting_read_number(text, time)) {
        fprintf(stderr, "%s: %s %s: expected a number of seconds\n", options->command,
                run_options[option].name, text);
        return false;
    }
    return true;
}

bool run_options_take(int option, const char* value, RunOptions* options) {
    switch (option) {
        case RUN_OPTION_STOP:
            return read_time(options, option, value, &options->stop);
        case RUN_OPTION_INTERVAL:
            if (!read_time(options, option, value, &options->interval)) {
                return false;
            }
            if (options->interval <= 0) {
                fprintf(stderr, "%s: --interval must be positive\n", options->command);
            }
            return options->interval > 0;
        case RUN_OPTION_STEP:
            options->settings[options->n_settings++] = (Setting){"solver.step_size", value};
            return true;
        case RUN_OPTION_SCHEME:
            options->settings[options->n_settings++] = (Setting){"solver.scheme", value};
            return true;
        case RUN_OPTION_SET:
            options->settings[options->n_settings++] = (Setting){NULL, value};
            return true;
        case RUN_OPTION_INPUTS:
            options->inputs = value;
            return true;
        case RUN_OPTION_INTERPOLATION:
            options->inputs_held = strcmp(value, "held") == 0;
            if (!options->inputs_held && strcmp(value, "linear") != 0) {
                fprintf(stderr, "%s: --interpolation %s: expected linear or held\n",
                        options->command, value);
                return false;
            }
            return true;
        case RUN_OPTION_PROFILE:
            options->profile = true;
            return true;
        case OPTION_OPERAND:
            if (options->model != NULL) {
                fprintf(stderr, "%s: one model at a time: '%s' is one too many\n", options->command,
                        value);
                return false;
            }
            options->model = value;
            return true;
        default:  // OPTION_ERROR, of which options_next has told
            return false;
    }
}
