// clatter view: a page that shows a motion in a browser.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/view_result.h"
#include "cli/view_sink.h"

enum { OPTION_OUTPUT, OPTION_MODEL, OPTION_PLOT_VARIABLES, N_OPTIONS };

static const Option options[N_OPTIONS] = {
    [OPTION_OUTPUT] = {"--output", 'o', "OUT.html",
                       "the page to write; default: the model's name with .html, in the\n"
                       "current directory (motion.html for a result); - is standard output"},
    [OPTION_MODEL] = {"--model", 0, "MODEL.xml",
                      "the model of a result: what is shown is then the result, a CSV that any\n"
                      "host of the FMU may have written, and nothing is simulated"},
    [OPTION_PLOT_VARIABLES] = {"--plot-variables", 0, "NAMES",
                               "what the page plots at first: \"ball.x, ball.y; *.state\" are two\n"
                               "plots; may be given many times"},
};

static const char command_name[] = "clatter view";

typedef struct Wanted {
    RunOptions run;
    const char* output;  // NULL: named after the model
    const char* model;   // of a result; NULL: a model is simulated
    ViewPlots plots;
} Wanted;

static void print_help(void) {
    puts(
        "usage: clatter view MODEL.xml [-o OUT.html] [options]\n"
        "       clatter view RESULT.csv --model MODEL.xml [-o OUT.html] [--set NAME=VALUE]...\n"
        "\n"
        "Simulates a model and writes its motion as a page for a browser, one file that needs\n"
        "neither a network nor this program. If a step cannot be solved, the page shows the\n"
        "motion up to there.\n"
        "\n"
        "A result needs a column time and columns with the names of the FMU's variables, perhaps\n"
        "all behind one prefix. Bodies are where their outputs say (x, y, angle; x, y, z and the\n"
        "quaternion); forces and states of contacts are shown if their columns are there.\n"
        "\n"
        "options:");
    options_print_help(options, N_OPTIONS);
    options_print_help(run_options, N_RUN_OPTIONS);
    puts(
        "\n"
        "Without --interval there is a frame every 1/60 s: more of a short motion, at most 6000\n"
        "of a long one.\n"
        "\n"
        "example:\n"
        "  $ clatter view rotating_ball.xml -o ball.html --set ball.initial_angular_velocity=50\n"
        "  $ xdg-open ball.html\n"
        "\n"
        "Exit codes: 0 done, 1 the model cannot be used, a step not be solved or the page not be\n"
        "written, 2 wrong command line, 130 interrupted.");
}

// What belongs to a simulation has no meaning with a result; false after a message.
static bool check_result(const Wanted* wanted) {
    const RunOptions* run = &wanted->run;
    const char* option = !isnan(run->stop)     ? "--stop"
                         : run->inputs != NULL ? "--inputs"
                         : run->profile        ? "--profile"
                                               : NULL;
    if (wanted->model == NULL || option == NULL) {
        return true;
    }
    fprintf(stderr, "%s: %s has no meaning for a result, which is not simulated\n", command_name,
            option);
    return false;
}

// OPTION_END when all is read, RUN_OPTION_HELP after help was printed, else OPTION_ERROR.
static int read_options(int argc, char** argv, Wanted* wanted) {
    OptionReader reader = run_options_reader(command_name, options, N_OPTIONS, argc, argv);
    const char* value;
    for (int option; (option = options_next(&reader, &value)) != OPTION_END;) {
        if (option == N_OPTIONS + RUN_OPTION_HELP) {
            print_help();
            return RUN_OPTION_HELP;
        }
        if (option == OPTION_OUTPUT) {
            wanted->output = value;
        } else if (option == OPTION_MODEL) {
            wanted->model = value;
        } else if (option == OPTION_PLOT_VARIABLES) {
            wanted->plots.texts[wanted->plots.n++] = value;
        } else if (!run_options_take(option < 0 ? option : option - N_OPTIONS, value,
                                     &wanted->run)) {
            return OPTION_ERROR;
        }
    }
    if (wanted->run.model == NULL) {
        fprintf(stderr, "%s: which model? usage: clatter view MODEL.xml [-o OUT.html]\n",
                command_name);
        return OPTION_ERROR;
    }
    return check_result(wanted) ? OPTION_END : OPTION_ERROR;
}

static int simulate(const Wanted* wanted) {
    LoadedModel model;
    PageTemplate page;
    TextBuffer default_output = {0};
    int exit_code = EXIT_CODE_FAILED;
    if (!view_page(command_name, &page)) {
        return EXIT_CODE_FAILED;
    }
    if (model_files_load(wanted->run.model, stderr, &model)) {
        text_add(&default_output, simulation_info(model.simulation)->name);
        text_add(&default_output, ".html");
        const char* path = wanted->output != NULL ? wanted->output : default_output.text;
        RunSinkKind kind = view_sink;
        kind.option = "-o";
        PlotChoice choice = {0};
        ViewWriter writer = {.source = wanted->run.model,
                             .interval = wanted->run.interval,
                             .choice = wanted->plots.n > 0 ? &choice : NULL};
        RunSink sinks[] = {{&kind, &writer, path}};
        if (path == NULL) {
            fprintf(stderr, "%s: %s\n", command_name, status_text(STATUS_OUT_OF_MEMORY));
        } else if (!view_choose(&wanted->plots, model.simulation, command_name, &choice)) {
            exit_code = EXIT_CODE_USAGE;
        } else {
            exit_code = run_model(&wanted->run, &model, sinks, 1);
        }
        text_buffer_free(&default_output);
    }
    model_files_free(&model);
    return exit_code;
}

// The operand is the result then, not the model.
static int show_result(const Wanted* wanted) {
    RunOptions run = wanted->run;
    const char* result = run.model;
    run.model = wanted->model;
    return view_result(&run, &wanted->plots, result,
                       wanted->output != NULL ? wanted->output : "motion.html");
}

int command_view(int argc, char** argv) {
    Wanted wanted = {.plots.texts = calloc((size_t)argc + 1, sizeof *wanted.plots.texts)};
    int exit_code = EXIT_CODE_FAILED;
    if (run_options_start(&wanted.run, command_name, argc) && wanted.plots.texts != NULL) {
        const int option = read_options(argc, argv, &wanted);
        exit_code = option == OPTION_END && wanted.model != NULL ? show_result(&wanted)
                    : option == OPTION_END                       ? simulate(&wanted)
                    : option == RUN_OPTION_HELP                  ? EXIT_CODE_OK
                                                                 : EXIT_CODE_USAGE;
    }
    free(wanted.plots.texts);
    run_options_free(&wanted.run);
    return exit_code;
}
