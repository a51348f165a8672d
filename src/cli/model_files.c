// Reads a model file and the files it names, and makes the simulation of them.
#include "cli/model_files.h"

#include "base/platform.h"

static void print_problem(void* context, Severity severity, Place place, const char* message) {
    static const char* const words[] = {
        [SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};
    FILE* messages = context;
    fprintf(messages, "%s:", place.file != NULL ? place.file : "clatter");
    if (place.line > 0) {
        fprintf(messages, "%ld:%ld:", place.line, place.column);
    }
    fprintf(messages, " %s: %s\n", words[severity], message);
}

Report model_files_report(FILE* messages) {
    return (Report){.context = messages, .add = print_problem};
}

bool model_files_include(const LoadedModel* model, const char* path) {
    bool found = platform_same_file(path, model->files.model_name);
    for (int i = 0; i < model->files.n_named && !found; i++) {
        found = platform_same_file(path, model->files.named[i].path);
    }
    return found;
}

bool model_files_load(const char* path, FILE* messages, LoadedModel* model) {
    *model = (LoadedModel){0};
    Report report = model_files_report(messages);
    const bool has_files = model_files_read(path, &report, &model->files);
    if (model->files.model == NULL) {
        return false;
    }
    // Even without all its files a model is read, so that all its own problems are told as well.
    model->simulation = simulation_create(&model->files, &report);
    if (model->simulation == NULL && report.n_errors == 0) {
        fprintf(messages, "%s: error: the model cannot be loaded: %s\n", path,
                status_text(STATUS_OUT_OF_MEMORY));
    }
    return has_files && model->simulation != NULL;
}

void model_files_free(LoadedModel* model) {
    simulation_destroy(model->simulation);
    model_files_release(&model->files);
    *model = (LoadedModel){0};
}
