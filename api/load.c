// From files or texts to a simulation, and back to nothing.
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"

int32_t clatter_api_version(void) { return CLATTER_API_VERSION; }

const char* clatter_version(void) { return CLATTER_VERSION; }

static char* copy_bytes(const char* bytes, size_t n) {
    char* copy = malloc(n + 1);
    if (copy != NULL) {
        memcpy(copy, bytes, n);
        copy[n] = '\0';
    }
    return copy;
}

static ClatterSimulation* handle_create(const char* path) {
    ClatterSimulation* handle = calloc(1, sizeof *handle);
    if (handle == NULL) {
        return NULL;
    }
    atomic_init(&handle->cancel, 0);
    handle->path = copy_bytes(path, strlen(path));
    if (handle->path == NULL) {
        clatter_free(handle);
        return NULL;
    }
    return handle;
}

// The simulation of the files, all problems being kept; NULL if there is no memory for them.
static ClatterSimulation* take_files(ClatterSimulation* handle, Report* report, bool complete) {
    Simulation* simulation = NULL;
    if (handle->files.model != NULL) {
        simulation = simulation_create(&handle->files, report);
    }
    if (complete) {
        handle->simulation = simulation;
    } else {
        simulation_destroy(simulation);
    }
    handle->n_loading = handle->problems.n_problems;
    if (handle->problems.failed) {
        clatter_free(handle);
        return NULL;
    }
    return handle;
}

ClatterSimulation* clatter_load(const char* path) {
    ClatterSimulation* handle = handle_create(path != NULL ? path : "");
    if (handle == NULL) {
        return NULL;
    }
    Report report = problem_list_report(&handle->problems);
    const bool complete = model_files_read(handle->path, &report, &handle->files);
    return take_files(handle, &report, complete);
}

// Owned copies of the texts, as model_files_release frees them; false if there is no memory.
static bool copy_texts(const ClatterFile* files, int n_files, ModelFiles* copies) {
    ModelFile* named = ARENA_NEW(&copies->arena, n_files, ModelFile);
    copies->model = copy_bytes(files[0].text, files[0].n);
    copies->n_model = files[0].n;
    copies->named = named;
    if (named == NULL || copies->model == NULL) {
        return false;
    }
    for (int i = 1; i < n_files; i++) {
        char* text = copy_bytes(files[i].text, files[i].n);
        const char* name = arena_copy(&copies->arena, files[i].name, strlen(files[i].name));
        named[copies->n_named++] =
            (ModelFile){.name = name, .path = name, .packed = name, .text = text, .n = files[i].n};
        if (text == NULL || name == NULL) {
            return false;
        }
    }
    return true;
}

static bool are_files(const ClatterFile* files, int n_files) {
    bool good = files != NULL && n_files > 0;
    for (int i = 0; i < n_files && good; i++) {
        good = files[i].name != NULL && (files[i].text != NULL || files[i].n == 0);
    }
    return good;
}

ClatterSimulation* clatter_load_texts(const ClatterFile* files, int32_t n_files) {
    const bool given = are_files(files, n_files);
    ClatterSimulation* handle = handle_create(given ? files[0].name : "");
    if (handle == NULL) {
        return NULL;
    }
    Report report = problem_list_report(&handle->problems);
    handle->files.model_name = handle->path;
    if (!given) {
        report_add(&report, SEVERITY_ERROR, (Place){0}, "names or texts of the model are NULL");
    } else if (!copy_texts(files, n_files, &handle->files)) {
        clatter_free(handle);
        return NULL;
    }
    return take_files(handle, &report, given);
}

void clatter_free(ClatterSimulation* handle) {
    if (handle != NULL) {
        simulation_destroy(handle->simulation);
        model_files_release(&handle->files);
        problem_list_free(&handle->problems);
        free(handle->path);
        free(handle);
    }
}

int32_t clatter_usable(const ClatterSimulation* handle) {
    return handle != NULL && handle->simulation != NULL;
}

const char* clatter_message(const ClatterSimulation* handle) {
    return handle != NULL ? handle->message : "the simulation is NULL";
}

int32_t clatter_problem_count(const ClatterSimulation* handle) {
    return handle != NULL ? handle->problems.n_problems : 0;
}

ClatterStatus clatter_problem(ClatterSimulation* handle, int32_t i, ClatterProblem* problem) {
    if (handle == NULL || problem == NULL || i < 0 || i >= handle->problems.n_problems) {
        return handle != NULL ? handle_refuse(handle, "there is no problem %d", (int)i)
                              : CLATTER_REFUSED;
    }
    *problem = handle->problems.problems[i];
    return CLATTER_OK;
}

int32_t clatter_file_count(const ClatterSimulation* handle) {
    return handle != NULL && handle->files.model != NULL ? 1 + handle->files.n_named : 0;
}

ClatterStatus clatter_file(ClatterSimulation* handle, int32_t i, ClatterFile* file) {
    if (handle == NULL || file == NULL || i < 0 || i >= clatter_file_count(handle)) {
        return handle != NULL ? handle_refuse(handle, "there is no file %d", (int)i)
                              : CLATTER_REFUSED;
    }
    const ModelFiles* files = &handle->files;
    if (i == 0) {
        *file = (ClatterFile){files->model_name, files->model, files->n_model};
    } else {
        const ModelFile* named = &files->named[i - 1];
        *file = (ClatterFile){named->name, named->text != NULL ? named->text : "", named->n};
    }
    return CLATTER_OK;
}
