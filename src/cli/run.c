// Running a model from the start to the end, with whatever takes down the motion.
#include "cli/run.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/platform_program.h"
#include "cli/exit_code.h"
#include "cli/inputs.h"
#include "cli/profile_table.h"
#include "cli/progress.h"

typedef struct Run {
    const RunOptions* options;
    Simulation* simulation;
    Inputs inputs;
    RunSink* sinks;  // (n_sinks)
    int n_sinks;
    double t_0, stop, interval, step;
    long long n_full;     // whole intervals
    double remainder;     // a last, shorter one, or 0
    double last_row;      // time of the newest row
    Status written;       // of the sinks
    const RunSink* full;  // the one that failed, or NULL
    const char* reason;   // why it did
} Run;

static atomic_int interrupted;  // free of locks: a signal handler may touch it

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

// --- the plan ---

// Sets the times of a run from the options, the model and its settings; false after a message.
static bool plan(Run* run) {
    const RunOptions* options = run->options;
    const ModelInfo* info = simulation_info(run->simulation);
    const int step = variable_find(simulation_variables(run->simulation), "solver.step_size");
    run->t_0 = info->start_time;
    run->stop = isnan(options->stop) ? info->stop_time : options->stop;
    if (step < 0 || simulation_get(run->simulation, step, &run->step) != STATUS_OK) {
        run->step = info->step_size;
    }
    run->interval = isnan(options->interval) ? run->step : options->interval;
    const double span = run->stop - run->t_0;
    const double count = span / run->interval;
    if (!(span >= 0)) {
        fprintf(stderr, "%s: the stop time %g s is before the start time %g s\n", options->command,
                run->stop, run->t_0);
        return false;
    }
    if (!(count < 1e15)) {
        fprintf(stderr, "%s: %g s in intervals of %g s are too many\n", options->command, span,
                run->interval);
        return false;
    }
    // A remainder within rounding of a whole interval is none.
    const bool divides = fabs(count - round(count)) <= 1e-6 && round(count) > 0;
    run->n_full = (long long)(divides ? round(count) : floor(count));
    run->remainder = divides ? 0 : span - (double)run->n_full * run->interval;
    return true;
}

// No file is written over what is read, or over another; false after a message.
static bool check_paths(const Run* run, const LoadedModel* model) {
    const char* inputs = run->options->inputs;
    for (int i = 0; i < run->n_sinks; i++) {
        const RunSink* sink = &run->sinks[i];
        const char* other = model_files_include(model, sink->path) ? "the model itself"
                            : inputs != NULL && platform_same_file(sink->path, inputs)
                                ? "the table of inputs"
                                : NULL;
        for (int k = 0; k < i && other == NULL; k++) {
            const bool same = strcmp(sink->path, run->sinks[k].path) == 0 ||
                              platform_same_file(sink->path, run->sinks[k].path);
            other = same ? run->sinks[k].kind->what : NULL;
        }
        if (other != NULL) {
            fprintf(stderr, "%s: '%s' is %s; %s names %s\n", run->options->command, sink->path,
                    other, sink->kind->option, sink->kind->what);
            return false;
        }
    }
    return true;
}

// --- the sinks ---

typedef Status SinkCall(RunSink* sink, Simulation* simulation);

// Takes note of a sink's failure and its reason; the first one counts.
static void note(Run* run, const RunSink* sink, Status status) {
    if (status != STATUS_OK && run->written == STATUS_OK) {
        run->written = status;
        run->full = sink;
        run->reason =
            status == STATUS_NOT_FINITE ? simulation_message(run->simulation) : file_reason(status);
    }
}

static void open_sinks(Run* run) {
    for (int i = 0; i < run->n_sinks && run->written == STATUS_OK; i++) {
        RunSink* sink = &run->sinks[i];
        errno = 0;
        if (sink->kind->open != NULL) {
            note(run, sink, sink->kind->open(sink, run->simulation, run->stop));
        }
    }
}

static void write_row(Run* run) {
    run->last_row = simulation_time(run->simulation);
    for (int i = 0; i < run->n_sinks; i++) {
        RunSink* sink = &run->sinks[i];
        if (sink->kind->row != NULL) {
            note(run, sink, sink->kind->row(sink, run->simulation));
        }
    }
}

static void close_sinks(Run* run) {
    for (int i = 0; i < run->n_sinks; i++) {
        RunSink* sink = &run->sinks[i];
        if (sink->kind->close != NULL) {
            note(run, sink, sink->kind->close(sink));
        }
    }
}

static bool uses_standard_output(const Run* run) {
    for (int i = 0; i < run->n_sinks; i++) {
        if (strcmp(run->sinks[i].path, "-") == 0) {
            return true;
        }
    }
    return false;
}

// --- the motion ---

// A time in which inputs go straight, in pieces of one internal step where inputs want these: as
// many equal ones as simulation_advance would make.
static Status advance(Run* run, double t, double duration) {
    static const double STRETCH = 1e-6;  // steps may be longer by this, relative
    const bool by_steps = inputs_are_sampled(&run->inputs, t);
    const double n = by_steps ? fmax(1.0, ceil(duration / run->step * (1 - STRETCH))) : 1.0;
    const double piece = duration / n;
    Status status = STATUS_OK;
    for (double i = 0; i < n && status == STATUS_OK && run->written == STATUS_OK; i++) {
        status = inputs_apply(&run->inputs, run->simulation, t + i * piece, t + (i + 1) * piece);
        if (status == STATUS_OK) {
            status = simulation_advance(run->simulation, piece, &interrupted);
        }
    }
    return status;
}

// An interval, divided where inputs jump or kink.
static Status pass_interval(Run* run, double t, double duration) {
    const double end = t + duration;
    double left = duration;
    Status status = STATUS_OK;
    while (left > 0 && status == STATUS_OK && run->written == STATUS_OK) {
        const double next = inputs_next(&run->inputs, t, end);
        status = advance(run, t, next < end ? next - t : left);
        left = next < end ? end - next : 0;
        t = next;
    }
    return status;
}

// Steps to the end, a failure or an interruption. The times are those of whole intervals counted
// from the start, for no error to accumulate.
static Status move(Run* run) {
    Progress progress = progress_start();
    Report report = model_files_report(stderr);
    Status status = STATUS_OK;
    const long long n_intervals = run->n_full + (run->remainder > 0);
    write_row(run);
    for (long long n = 0; n < n_intervals && !interrupted && run->written == STATUS_OK; n++) {
        status = pass_interval(run, run->t_0 + (double)n * run->interval,
                               n < run->n_full ? run->interval : run->remainder);
        if (status != STATUS_OK) {
            break;
        }
        write_row(run);
        progress_update(&progress, (double)(n + 1) / (double)n_intervals);
    }
    // After a failure or an interruption the last good step may lie within an interval.
    if (run->written == STATUS_OK && simulation_time(run->simulation) > run->last_row) {
        write_row(run);
    }
    progress_end(&progress);
    simulation_report_impacts(run->simulation, &report);
    return status;
}

// --- the summary ---

static void print_statistics(const Run* run, double seconds, FILE* out) {
    const SimulationStatistics statistics = simulation_statistics(run->simulation);
    fprintf(out, "%s: %g s to %g s\n", simulation_info(run->simulation)->name, run->t_0,
            simulation_time(run->simulation));
    fprintf(out, "  steps               %lld\n", statistics.n_steps);
    fprintf(out, "  steps per second    %.0f\n",
            seconds > 0 ? (double)statistics.n_steps / seconds : 0.0);
    fprintf(out, "  iterations          %lld\n", statistics.n_iterations);
    fprintf(out, "  contact iterations  %lld\n", statistics.n_contact_iterations);
    fprintf(out, "  worst residual      %.3g\n", statistics.worst_residual);
    fprintf(out, "  worst penetration   %.3g m\n", statistics.worst_penetration);
    fprintf(out, "  regularised steps   %lld\n", statistics.n_regularised_steps);
    fprintf(out, "  swept steps         %lld\n", statistics.n_swept_steps);
    fprintf(out, "  inexact steps       %lld\n", statistics.n_inexact_steps);
    fprintf(out, "  inelastic steps     %lld\n", statistics.n_inelastic_steps);
    fprintf(out, "  damped steps        %lld\n", statistics.n_damped_steps);
    fprintf(out, "  retried steps       %lld\n", statistics.n_retried_steps);
    fprintf(out, "  failed steps        %lld\n", statistics.n_failed_steps);
}

static void print_summary(const Run* run, double seconds) {
    FILE* out = uses_standard_output(run) ? stderr : stdout;
    print_statistics(run, seconds, out);
    for (int i = 0; i < run->n_sinks && run->written == STATUS_OK; i++) {
        fprintf(out, "  wrote               ");
        run->sinks[i].kind->describe(&run->sinks[i], out);
        fprintf(out, "\n");
    }
    if (run->options->profile) {
        profile_table_print(simulation_profile(run->simulation), out);
    }
    fflush(out);
}

static int end(const Run* run, Status moved) {
    const char* command = run->options->command;
    const double t = simulation_time(run->simulation);
    if (run->written != STATUS_OK) {
        fprintf(stderr, "%s: error: %s cannot be written: %s\n", run->full->path,
                run->full->kind->what, run->reason);
        return EXIT_CODE_FAILED;
    }
    if (interrupted) {
        fprintf(stderr, "%s: interrupted at t = %g s\n", command, t);
        return EXIT_CODE_INTERRUPTED;
    }
    if (moved != STATUS_OK) {
        fprintf(stderr, "%s: error: the step from t = %g s failed: %s\n", command, t,
                simulation_message(run->simulation));
        return EXIT_CODE_FAILED;
    }
    return EXIT_CODE_OK;
}

// From the start of the motion to the summary
static int simulate(Run* run) {
    open_sinks(run);
    if (run->written != STATUS_OK) {
        close_sinks(run);
        return end(run, STATUS_OK);
    }
    const Progress clock = progress_start();
    platform_program_on_interrupt(on_interrupt);
    const Status moved = move(run);
    const double seconds = progress_elapsed(&clock);
    close_sinks(run);
    print_summary(run, seconds);
    return end(run, moved);
}

// Values, times and files, before anything starts
static int prepare(Run* run, LoadedModel* model) {
    const RunOptions* options = run->options;
    for (int i = 0; i < options->n_settings; i++) {
        if (!setting_apply(&options->settings[i], options->command, run->simulation)) {
            return EXIT_CODE_USAGE;
        }
    }
    if (!plan(run) || !check_paths(run, model)) {
        return EXIT_CODE_USAGE;
    }
    return inputs_load(&run->inputs, options, run->simulation) ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

// The start of the motion; false after a message.
static bool start(Run* run) {
    Report report = model_files_report(stderr);
    if (inputs_start(&run->inputs, run->simulation, run->t_0, run->stop, run->step) != STATUS_OK ||
        simulation_initialize(run->simulation, run->t_0, &report) != STATUS_OK) {
        fprintf(stderr, "%s: error: the motion cannot start: %s\n", run->options->model,
                simulation_message(run->simulation));
        return false;
    }
    if (run->options->profile) {
        simulation_profile_start(run->simulation, platform_program_clock);
    }
    return true;
}

int run_model(const RunOptions* options, LoadedModel* model, RunSink* sinks, int n_sinks) {
    Run run = {
        .options = options, .simulation = model->simulation, .sinks = sinks, .n_sinks = n_sinks};
    int exit_code = prepare(&run, model);
    if (exit_code == EXIT_CODE_OK) {
        exit_code = start(&run) ? simulate(&run) : EXIT_CODE_FAILED;
    }
    inputs_free(&run.inputs);
    return exit_code;
}
