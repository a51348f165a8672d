// Reads a model file and the table of materials it names, and makes the simulation of them.
#define _POSIX_C_SOURCE 200809L
#include "cli/model_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { LARGEST_FILE = 64 * 1024 * 1024 };  // bytes

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

const char* model_files_reason(Status status, const char* path) {
    const int error = errno;
    struct stat info;
    if (status == STATUS_NO_FILE && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return "it is a directory";
    }
    if (status == STATUS_NO_FILE && error != 0) {
        return strerror(error);
    }
    return status_text(status);
}

bool model_files_are_same(const char* path_a, const char* path_b) {
    struct stat a, b;
    return stat(path_a, &a) == 0 && stat(path_b, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// path taken relative to the directory of the file beside, as a new text, or NULL.
static char* path_beside(const char* beside, const char* path) {
    const char* slash = strrchr(beside, '/');
    const size_t n_directory = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - beside) + 1;
    const size_t n_path = strlen(path);
    char* joined = malloc(n_directory + n_path + 1);
    if (joined != NULL) {
        memcpy(joined, beside, n_directory);
        memcpy(joined + n_directory, path, n_path + 1);
    }
    return joined;
}

static bool read_text(const char* path, const char* what, const char* named_by, FILE* messages,
                      const char** text, size_t* n) {
    char* bytes = NULL;
    errno = 0;
    const Status status = file_read(path, LARGEST_FILE, &bytes, n);
    *text = bytes;
    if (status != STATUS_OK) {
        const char* reason = model_files_reason(status, path);
        if (named_by != NULL) {
            fprintf(messages, "%s: error: %s '%s', which the model names, cannot be read: %s\n",
                    named_by, what, path, reason);
        } else {
            fprintf(messages, "%s: error: %s cannot be read: %s\n", path, what, reason);
        }
        return false;
    }
    return true;
}

static bool read_materials(FILE* messages, LoadedModel* model) {
    ModelFiles* files = &model->files;
    char* named = simulation_materials_path(files);
    if (named == NULL) {
        return true;
    }
    model->materials_path = path_beside(files->model_name, named);
    free(named);
    if (model->materials_path == NULL) {
        fprintf(messages, "%s: error: %s\n", files->model_name, status_text(STATUS_OUT_OF_MEMORY));
        return false;
    }
    files->materials_name = model->materials_path;
    return read_text(model->materials_path, "the table of materials", files->model_name, messages,
                     &files->materials, &files->n_materials);
}

bool model_files_load(const char* path, FILE* messages, LoadedModel* model) {
    *model = (LoadedModel){.files = {.model_name = path}};
    if (!read_text(path, "the model", NULL, messages, &model->files.model, &model->files.n_model)) {
        return false;
    }
    // Even without its table a model is read, so that all its own problems are told as well.
    const bool has_materials = read_materials(messages, model);
    Report report = model_files_report(messages);
    model->simulation = simulation_create(&model->files, &report);
    if (model->simulation == NULL && report.n_errors == 0) {
        fprintf(messages, "%s: error: the model cannot be loaded: %s\n", path,
                status_text(STATUS_OUT_OF_MEMORY));
    }
    return has_materials && model->simulation != NULL;
}

void model_files_free(LoadedModel* model) {
    simulation_destroy(model->simulation);
    free(model->materials_path);
    free((char*)model->files.model);
    free((char*)model->files.materials);
    *model = (LoadedModel){0};
}
