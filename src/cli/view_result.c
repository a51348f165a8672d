#include "cli/view_result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/exit_code.h"
#include "cli/model_files.h"
#include "view/result.h"

enum { LARGEST_RESULT = 1 << 30 };  // bytes

static void tell_missing(const Result* result, const char* path) {
    enum { MOST_TOLD = 10 };
    const VariableTable* variables = simulation_variables(result->frames.simulation);
    for (int i = 0; i < result->n_missing && i < MOST_TOLD; i++) {
        fprintf(stderr, "%s: note: there is no column %s\n", path,
                variables->variables[result->missing[i]].name);
    }
    if (result->n_missing > MOST_TOLD) {
        fprintf(stderr, "%s: note: nor are there %d more\n", path, result->n_missing - MOST_TOLD);
    }
    const Scene* scene = &result->frames.scene;
    int n_unknown = 0;
    for (int b = 1; b < scene->n_bodies; b++) {  // the first is the ground
        n_unknown += scene->bodies[b].n_places == 0;
    }
    if (n_unknown > 0) {
        fprintf(stderr,
                "%s: note: %d bodies are repeated, and the model does not declare the outputs that "
                "tell where they are: they stay where they start\n",
                path, n_unknown);
    }
    if (result->n_untold_contacts > 0) {
        fprintf(stderr,
                "%s: note: no variables tell where %d of the contacts touch (they are found while "
                "bodies move, or repeated): these are not shown\n",
                path, result->n_untold_contacts);
    }
}

static int write_page(Result* result, const PlotChoice* choice, const char* output,
                      const PageTemplate* page) {
    DocumentPlot plots[PLOT_MOST_PANELS];
    Document document = {
        .source = result->table->file, .plots = plots, .n_plots = view_plots(choice, plots)};
    TextBuffer text = {0};
    Status status = result_write(result, &document, page, &text);
    if (status == STATUS_OK) {
        status = view_write(output, &text);
    }
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: error: the page cannot be written: %s\n", output, file_reason(status));
    } else {
        FILE* out = strcmp(output, "-") == 0 ? stderr : stdout;
        view_tell(output, document.n_frames, text.n, out);
        fputc('\n', out);
    }
    text_buffer_free(&text);
    return status == STATUS_OK ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

// The simulation at a start, with the parameters of the result: EXIT_CODE_OK, or another after a
// message.
static int start(const RunOptions* options, Simulation* simulation, Report* report) {
    for (int i = 0; i < options->n_settings; i++) {
        if (!setting_apply(&options->settings[i], options->command, simulation)) {
            return EXIT_CODE_USAGE;
        }
    }
    const double t_0 = simulation_info(simulation)->start_time;
    if (simulation_initialize(simulation, t_0, report) != STATUS_OK) {
        fprintf(stderr, "%s: error: the motion cannot start: %s\n", options->model,
                simulation_message(simulation));
        return EXIT_CODE_FAILED;
    }
    return EXIT_CODE_OK;
}

static int view_table(const RunOptions* options, const ViewPlots* plots, const LoadedModel* model,
                      const CsvTable* table, const char* output) {
    Report report = model_files_report(stderr);
    PageTemplate page;
    PlotChoice choice = {0};
    int exit_code = EXIT_CODE_FAILED;
    if (!view_page(options->command, &page)) {
        return exit_code;
    }
    if (!view_choose(plots, model->simulation, options->command, &choice)) {
        return EXIT_CODE_USAGE;
    }
    exit_code = start(options, model->simulation, &report);
    if (exit_code == EXIT_CODE_OK) {
        Result result;
        const Status status =
            result_read(table, model->simulation, options->interval, &report, &result);
        if (status == STATUS_OK) {
            tell_missing(&result, table->file);
            exit_code = write_page(&result, &choice, output, &page);
        } else {
            exit_code = EXIT_CODE_FAILED;
        }
        if (status == STATUS_OUT_OF_MEMORY) {
            fprintf(stderr, "%s: %s\n", options->command, status_text(status));
        }
        result_free(&result);
    }
    return exit_code;
}

// The result, once the model is known
static int view_file(const RunOptions* options, const ViewPlots* plots, const LoadedModel* model,
                     const char* path, const char* output) {
    Report report = model_files_report(stderr);
    char* text = NULL;
    size_t n = 0;
    int exit_code = EXIT_CODE_FAILED;
    if (model_files_include(model, output)) {
        fprintf(stderr, "%s: '%s' is the model itself; -o names the page\n", options->command,
                output);
        return EXIT_CODE_USAGE;
    }
    errno = 0;
    const Status status = file_read(path, LARGEST_RESULT, &text, &n);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: error: the result cannot be read: %s\n", path, file_reason(status));
        return exit_code;
    }
    CsvTable table;
    const Status read = csv_table_read(text, n, path, &report, &table);
    if (read == STATUS_OK) {
        exit_code = view_table(options, plots, model, &table, output);
    } else if (read == STATUS_OUT_OF_MEMORY) {
        fprintf(stderr, "%s: %s\n", options->command, status_text(read));
    }
    csv_table_free(&table);
    free(text);
    return exit_code;
}

int view_result(const RunOptions* options, const ViewPlots* plots, const char* result,
                const char* output) {
    LoadedModel model;
    const bool loaded = model_files_load(options->model, stderr, &model);
    const int exit_code =
        loaded ? view_file(options, plots, &model, result, output) : (int)EXIT_CODE_FAILED;
    model_files_free(&model);
    return exit_code;
}
