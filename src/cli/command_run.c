// clatter run: simulates a model without any FMI tool.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/csv.h"
#include "cli/exit_code.h"
#include "cli/plot_sink.h"
#include "cli/run.h"
#include "cli/view_sink.h"

enum { OPTION_OUTPUT, OPTION_ALL, OPTION_PLOT, OPTION_PLOT_VARIABLES, OPTION_VIEW, N_OPTIONS };

static const Option options[N_OPTIONS] = {
    [OPTION_OUTPUT] = {"--output", 'o', "OUT.csv",
                       "write time and outputs as CSV; - is standard output, and OUT.csv.gz\n"
                       "is compressed (Parquet is made by the Python package)"},
    [OPTION_ALL] = {"--all", 0, NULL, "write the local variables too"},
    [OPTION_PLOT] = {"--plot", 0, "OUT.svg",
                     "draw variables over time; also OUT.png, or OUT.html for a page that\n"
                     "reads values at the cursor"},
    [OPTION_PLOT_VARIABLES] = {"--plot-variables", 0, "NAMES",
                               "what to plot: \"ball.x, ball.y; *.state\" are two panels,\n"
                               "\"ball.y over ball.x\" is a path; may be given many times;\n"
                               "default: positions, contact forces and states"},
    [OPTION_VIEW] = {"--view", 0, "OUT.html",
                     "write the motion as a page for a browser, as clatter view does"},
};

static const char command_name[] = "clatter run";

typedef struct Wanted {
    RunOptions run;
    const char* output;  // NULL: none
    bool with_locals;
    const char* plot;             // NULL: none
    const char** plot_variables;  // (n_plot_variables)
    int n_plot_variables;
    const char* view;  // NULL: none
} Wanted;

static void print_help(void) {
    puts(
        "usage: clatter run MODEL.xml [options]\n"
        "\n"
        "Simulates a model, writes its outputs as CSV if asked to, and says at the end how well\n"
        "the contacts were solved. On a terminal a bar shows the progress; Ctrl-C ends the\n"
        "simulation and keeps what was written.\n"
        "\n"
        "options:");
    options_print_help(options, N_OPTIONS);
    options_print_help(run_options, N_RUN_OPTIONS);
    setting_print_schemes();
    puts(
        "\n"
        "example: a ball with backspin, dropped without rebound\n"
        "  $ clatter run rotating_ball.xml --stop 1 --step 1e-4 -o ball.csv \\\n"
        "        --set ball.initial_angular_velocity=50 \\\n"
        "        --set floor_contact.normal_restitution=0\n"
        "\n"
        "Exit codes: 0 done, 1 the model cannot be used or a step not be solved (the CSV then "
        "ends\n"
        "at the last step that was), 2 wrong command line, 130 interrupted.");
}

// One option's part of the command line; false after a message.
static bool take_option(int option, const char* value, Wanted* wanted) {
    switch (option) {
        case OPTION_OUTPUT:
            wanted->output = value;
            return true;
        case OPTION_ALL:
            wanted->with_locals = true;
            return true;
        case OPTION_PLOT:
            wanted->plot = value;
            return plot_sink_knows(value, command_name);
        case OPTION_PLOT_VARIABLES:
            wanted->plot_variables[wanted->n_plot_variables++] = value;
            return true;
        case OPTION_VIEW:
            wanted->view = value;
            return true;
        default:
            return run_options_take(option < 0 ? option : option - N_OPTIONS, value, &wanted->run);
    }
}

// OPTION_END when all is read, OPTION_HELP when help is wanted, else OPTION_ERROR.
static int read_options(int argc, char** argv, Wanted* wanted) {
    enum { OPTION_HELP = N_OPTIONS + RUN_OPTION_HELP };
    OptionReader reader = run_options_reader(command_name, options, N_OPTIONS, argc, argv);
    const char* value;
    int option;
    while ((option = options_next(&reader, &value)) != OPTION_END) {
        if (option == OPTION_HELP) {
            print_help();
            return RUN_OPTION_HELP;
        }
        if (!take_option(option, value, wanted)) {
            return OPTION_ERROR;
        }
    }
    if (wanted->run.model == NULL) {
        fprintf(stderr, "%s: which model? usage: clatter run MODEL.xml [options]\n", command_name);
        return OPTION_ERROR;
    }
    if (wanted->n_plot_variables > 0 && wanted->plot == NULL && wanted->view == NULL) {
        fprintf(stderr, "%s: --plot-variables needs --plot or --view, which name the file\n",
                command_name);
        return OPTION_ERROR;
    }
    return OPTION_END;
}

static int run_loaded(const Wanted* wanted, LoadedModel* model) {
    CsvWriter csv = {.with_locals = wanted->with_locals};
    PlotWriter plot = {.wanted = wanted->plot_variables,
                       .n_wanted = wanted->n_plot_variables,
                       .command = command_name};
    ViewWriter view = {.source = wanted->run.model,
                       .interval = NAN,
                       .choice = wanted->n_plot_variables > 0 ? &plot.choice : NULL};
    RunSink sinks[3];
    int n_sinks = 0;
    if ((wanted->plot != NULL || view.choice != NULL) &&
        !plot_sink_choose(&plot, simulation_variables(model->simulation))) {
        return EXIT_CODE_USAGE;
    }
    if (wanted->output != NULL) {
        sinks[n_sinks++] = (RunSink){&csv_sink, &csv, wanted->output};
    }
    if (wanted->plot != NULL) {
        sinks[n_sinks++] = (RunSink){&plot_sink, &plot, wanted->plot};
    }
    if (wanted->view != NULL) {
        sinks[n_sinks++] = (RunSink){&view_sink, &view, wanted->view};
    }
    return run_model(&wanted->run, model, sinks, n_sinks);
}

static int run(const Wanted* wanted) {
    LoadedModel model;
    PageTemplate page;
    if (wanted->view != NULL && !view_page(command_name, &page)) {
        return EXIT_CODE_FAILED;
    }
    const bool loaded = model_files_load(wanted->run.model, stderr, &model);
    const int exit_code = loaded ? run_loaded(wanted, &model) : EXIT_CODE_FAILED;
    model_files_free(&model);
    return exit_code;
}

int command_run(int argc, char** argv) {
    Wanted wanted = {.plot_variables = calloc((size_t)argc + 1, sizeof *wanted.plot_variables)};
    int exit_code = EXIT_CODE_FAILED;
    if (run_options_start(&wanted.run, command_name, argc) && wanted.plot_variables != NULL) {
        const int option = read_options(argc, argv, &wanted);
        exit_code = option == OPTION_END        ? run(&wanted)
                    : option == RUN_OPTION_HELP ? EXIT_CODE_OK
                                                : EXIT_CODE_USAGE;
    }
    free(wanted.plot_variables);
    run_options_free(&wanted.run);
    return exit_code;
}
