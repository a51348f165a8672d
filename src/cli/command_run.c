// clatter run: simulates a model without any FMI tool.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/csv.h"
#include "cli/exit_code.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "cli/profile_table.h"
#include "cli/progress.h"
#include "cli/setting.h"

enum {
    OPTION_OUTPUT,
    OPTION_STOP,
    OPTION_STEP,
    OPTION_INTERVAL,
    OPTION_SCHEME,
    OPTION_SET,
    OPTION_ALL,
    OPTION_PROFILE,
    OPTION_HELP,
};

static const Option options[] = {
    [OPTION_OUTPUT] = {"--output", 'o', "OUT.csv",
                       "write time and outputs as CSV; - is standard output"},
    [OPTION_STOP] = {"--stop", 0, "T", "end at time T in s; default: the model's stop time"},
    [OPTION_STEP] = {"--step", 0, "DT",
                     "length of a step in s, the same as --set solver.step_size=DT"},
    [OPTION_INTERVAL] = {"--interval", 0, "DT", "time between rows of the CSV; default: the step"},
    [OPTION_SCHEME] = {"--scheme", 0, "NAME", "the same as --set solver.scheme=NAME"},
    [OPTION_SET] = {"--set", 0, "NAME=VALUE",
                    "set a parameter, or an input for all the time, by its name in the\n"
                    "FMU; may be given many times, the last value of a name holds"},
    [OPTION_ALL] = {"--all", 0, NULL, "write the local variables too"},
    [OPTION_PROFILE] = {"--profile", 0, NULL,
                        "print what the steps cost: evaluations, factorisations, contact\n"
                        "problems, and the time of each phase"},
    [OPTION_HELP] = {"--help", 'h', NULL, "this text"},
};

enum { N_OPTIONS = sizeof options / sizeof options[0] };

static const char command_name[] = "clatter run";

typedef struct RunOptions {
    const char* model;
    const char* output;  // NULL: none
    double stop;         // NaN: the model's
    double interval;     // NaN: the step
    bool with_locals;
    bool profile;
    Setting* settings;  // (n_settings), in the order given
    int n_settings;
} RunOptions;

typedef struct Run {
    Simulation* simulation;
    CsvWriter* csv;  // NULL: none
    double t_0, stop, interval;
    long long n_full;  // whole intervals
    double remainder;  // a last, shorter one, or 0
    double last_row;   // time of the newest row
    bool profile;      // wanted
} Run;

static atomic_int interrupted;  // free of locks: a signal handler may touch it

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

// A second Ctrl-C ends the program at once.
static void catch_interrupt(void) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

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

static bool read_time(const char* option, const char* text, double* time) {
    if (!setting_read_number(text, time)) {
        fprintf(stderr, "%s: %s %s: expected a number of seconds\n", command_name, option, text);
        return false;
    }
    return true;
}

// One option's part of the command line; false after a message.
static bool take_option(int option, const char* value, RunOptions* run) {
    switch (option) {
        case OPTION_OUTPUT:
            run->output = value;
            return true;
        case OPTION_STOP:
            return read_time("--stop", value, &run->stop);
        case OPTION_INTERVAL:
            if (!read_time("--interval", value, &run->interval)) {
                return false;
            }
            if (run->interval <= 0) {
                fprintf(stderr, "%s: --interval must be positive\n", command_name);
            }
            return run->interval > 0;
        case OPTION_STEP:
            run->settings[run->n_settings++] = (Setting){"solver.step_size", value};
            return true;
        case OPTION_SCHEME:
            run->settings[run->n_settings++] = (Setting){"solver.scheme", value};
            return true;
        case OPTION_SET:
            run->settings[run->n_settings++] = (Setting){NULL, value};
            return true;
        case OPTION_ALL:
            run->with_locals = true;
            return true;
        case OPTION_PROFILE:
            run->profile = true;
            return true;
        case OPTION_OPERAND:
            if (run->model != NULL) {
                fprintf(stderr, "%s: one model at a time: '%s' is one too many\n", command_name,
                        value);
                return false;
            }
            run->model = value;
            return true;
        default:  // OPTION_ERROR, of which options_next has told
            return false;
    }
}

// Sets the times of a run from the options, the model and its settings; false after a message.
static bool plan(const RunOptions* wanted, Run* run) {
    const ModelInfo* info = simulation_info(run->simulation);
    const int step = variable_find(simulation_variables(run->simulation), "solver.step_size");
    run->t_0 = info->start_time;
    run->stop = isnan(wanted->stop) ? info->stop_time : wanted->stop;
    run->interval = wanted->interval;
    if (isnan(run->interval) &&
        (step < 0 || simulation_get(run->simulation, step, &run->interval) != STATUS_OK)) {
        run->interval = info->step_size;
    }
    const double span = run->stop - run->t_0;
    const double count = span / run->interval;
    if (!(span >= 0)) {
        fprintf(stderr, "%s: the stop time %g s is before the start time %g s\n", command_name,
                run->stop, run->t_0);
        return false;
    }
    if (!(count < 1e15)) {
        fprintf(stderr, "%s: %g s in intervals of %g s are too many\n", command_name, span,
                run->interval);
        return false;
    }
    // A remainder within rounding of a whole interval is none.
    const bool divides = fabs(count - round(count)) <= 1e-6 && round(count) > 0;
    run->n_full = (long long)(divides ? round(count) : floor(count));
    run->remainder = divides ? 0 : span - (double)run->n_full * run->interval;
    return true;
}

static Status write_row(Run* run) {
    run->last_row = simulation_time(run->simulation);
    return run->csv != NULL ? csv_write_row(run->csv) : STATUS_OK;
}

// Steps to the end, a failure or an interruption. The times are those of whole intervals counted
// from the start, for no error to accumulate. *written tells failures to write from failed steps.
static Status move(Run* run, Status* written) {
    Progress progress = progress_start();
    Report report = model_files_report(stderr);
    Status status = STATUS_OK;
    const long long n_intervals = run->n_full + (run->remainder > 0);
    *written = write_row(run);
    for (long long n = 0; n < n_intervals && !interrupted && *written == STATUS_OK; n++) {
        const double duration = n < run->n_full ? run->interval : run->remainder;
        status = simulation_advance(run->simulation, duration, &interrupted);
        if (status != STATUS_OK) {
            break;
        }
        *written = write_row(run);
        progress_update(&progress, (double)(n + 1) / (double)n_intervals);
    }
    // After a failure or an interruption the last good step may lie within an interval.
    if (*written == STATUS_OK && simulation_time(run->simulation) > run->last_row) {
        *written = write_row(run);
    }
    progress_end(&progress);
    simulation_report_impacts(run->simulation, &report);
    return status;
}

static void print_summary(const Run* run, double seconds, FILE* out) {
    const SimulationStatistics statistics = simulation_statistics(run->simulation);
    fprintf(out, "%s: %g s to %g s\n", simulation_info(run->simulation)->name, run->t_0,
            simulation_time(run->simulation));
    fprintf(out, "  steps              %lld\n", statistics.n_steps);
    fprintf(out, "  steps per second   %.0f\n",
            seconds > 0 ? (double)statistics.n_steps / seconds : 0.0);
    fprintf(out, "  iterations         %lld\n", statistics.n_iterations);
    fprintf(out, "  worst residual     %.3g\n", statistics.worst_residual);
    fprintf(out, "  worst penetration  %.3g m\n", statistics.worst_penetration);
    fprintf(out, "  regularised steps  %lld\n", statistics.n_regularised_steps);
    fprintf(out, "  swept steps        %lld\n", statistics.n_swept_steps);
    fprintf(out, "  inexact steps      %lld\n", statistics.n_inexact_steps);
    fprintf(out, "  inelastic steps    %lld\n", statistics.n_inelastic_steps);
    fprintf(out, "  damped steps       %lld\n", statistics.n_damped_steps);
    fprintf(out, "  retried steps      %lld\n", statistics.n_retried_steps);
    fprintf(out, "  failed steps       %lld\n", statistics.n_failed_steps);
}

static int simulate(Run* run, const char* output) {
    const Progress clock = progress_start();
    Status written = STATUS_OK;
    catch_interrupt();
    const Status status = move(run, &written);
    const double seconds = progress_elapsed(&clock);
    if (run->csv != NULL && csv_close(run->csv) != STATUS_OK && written == STATUS_OK) {
        written = STATUS_NO_FILE;
    }
    const char* reason = written == STATUS_NOT_FINITE ? simulation_message(run->simulation)
                         : written != STATUS_OK       ? file_reason(written)
                                                      : NULL;
    FILE* out = output != NULL && strcmp(output, "-") == 0 ? stderr : stdout;
    print_summary(run, seconds, out);
    if (run->csv != NULL && written == STATUS_OK) {
        fprintf(out, "  wrote              %s: %lld rows, %d columns\n",
                out == stderr ? "standard output" : output, run->csv->n_rows,
                run->csv->n_columns + 1);
    }
    if (run->profile) {
        profile_table_print(simulation_profile(run->simulation), out);
    }
    fflush(out);
    if (written != STATUS_OK) {
        fprintf(stderr, "%s: error: the CSV cannot be written: %s\n", output, reason);
        return EXIT_CODE_FAILED;
    }
    if (interrupted) {
        fprintf(stderr, "%s: interrupted at t = %g s\n", command_name,
                simulation_time(run->simulation));
        return EXIT_CODE_INTERRUPTED;
    }
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: error: the step from t = %g s failed: %s\n", command_name,
                simulation_time(run->simulation), simulation_message(run->simulation));
        return EXIT_CODE_FAILED;
    }
    return EXIT_CODE_OK;
}

static int run_model(const RunOptions* wanted, LoadedModel* model) {
    Run run = {.simulation = model->simulation, .profile = wanted->profile};
    for (int i = 0; i < wanted->n_settings; i++) {
        if (!setting_apply(&wanted->settings[i], command_name, model->simulation)) {
            return EXIT_CODE_USAGE;
        }
    }
    if (!plan(wanted, &run)) {
        return EXIT_CODE_USAGE;
    }
    if (wanted->output != NULL && model_files_include(model, wanted->output)) {
        fprintf(stderr, "%s: '%s' is the model itself; -o names the CSV\n", command_name,
                wanted->output);
        return EXIT_CODE_USAGE;
    }
    Report report = model_files_report(stderr);
    if (simulation_initialize(run.simulation, run.t_0, &report) != STATUS_OK) {
        fprintf(stderr, "%s: error: the motion cannot start: %s\n", wanted->model,
                simulation_message(run.simulation));
        return EXIT_CODE_FAILED;
    }
    if (run.profile) {
        simulation_profile_start(run.simulation, profile_clock);
    }
    CsvWriter csv = {0};
    int exit_code = EXIT_CODE_FAILED;
    errno = 0;
    const Status opened = wanted->output == NULL
                              ? STATUS_OK
                              : csv_open(&csv, wanted->output, run.simulation, wanted->with_locals);
    if (opened == STATUS_OK) {
        run.csv = wanted->output != NULL ? &csv : NULL;
        exit_code = simulate(&run, wanted->output);
    } else {
        fprintf(stderr, "%s: error: the CSV cannot be written: %s\n", wanted->output,
                file_reason(opened));
    }
    const Status closed = csv_close(&csv);  // closed before, unless opening failed
    return closed == STATUS_OK ? exit_code : EXIT_CODE_FAILED;
}

// OPTION_END when all is read, OPTION_HELP when help is wanted, else OPTION_ERROR.
static int read_options(int argc, char** argv, RunOptions* wanted) {
    OptionReader reader = {command_name, options, N_OPTIONS, argc, argv, 1, false};
    const char* value;
    int option;
    while ((option = options_next(&reader, &value)) != OPTION_END && option != OPTION_HELP) {
        if (!take_option(option, value, wanted)) {
            return OPTION_ERROR;
        }
    }
    if (option == OPTION_END && wanted->model == NULL) {
        fprintf(stderr, "%s: which model? usage: clatter run MODEL.xml [options]\n", command_name);
        return OPTION_ERROR;
    }
    return option;
}

int command_run(int argc, char** argv) {
    RunOptions wanted = {.stop = NAN, .interval = NAN};
    wanted.settings = calloc((size_t)argc + 1, sizeof *wanted.settings);
    if (wanted.settings == NULL) {
        fprintf(stderr, "%s: %s\n", command_name, status_text(STATUS_OUT_OF_MEMORY));
        return EXIT_CODE_FAILED;
    }
    int exit_code = EXIT_CODE_USAGE;
    const int option = read_options(argc, argv, &wanted);
    if (option == OPTION_HELP) {
        print_help();
        exit_code = EXIT_CODE_OK;
    } else if (option == OPTION_END) {
        LoadedModel model;
        exit_code = model_files_load(wanted.model, stderr, &model) ? run_model(&wanted, &model)
                                                                   : EXIT_CODE_FAILED;
        model_files_free(&model);
    }
    free(wanted.settings);
    return exit_code;
}
