// clatter pack --ssp: resources/NAME.fmu of each component and SystemStructure.ssd in one archive.
// A component has the name of its FMU's file, that of the model has the model's name.
#include "cli/pack_ssp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/platform.h"
#include "base/suggest.h"
#include "base/zip.h"
#include "cli/fmu_connectors.h"
#include "cli/model_files.h"
#include "modelDescription/ssp.h"

enum { LARGEST_FMU = 1 << 30 };  // bytes

typedef struct Wrapping {
    Arena arena;
    SspSystem system;
    TextBuffer out;
    ZipWriter zip;
} Wrapping;

bool pack_ssp_add(const char** values, int* n, const char* value) {
    if (*n >= PACK_SSP_MOST) {
        fprintf(stderr, "clatter pack: '%s' is one too many: there can be %d\n", value,
                PACK_SSP_MOST);
        return false;
    }
    values[(*n)++] = value;
    return true;
}

bool pack_ssp_includes(const PackSsp* ssp, const char* path) {
    for (int i = 0; i < ssp->n_fmus; i++) {
        if (platform_same_file(ssp->fmus[i], path)) {
            return true;
        }
    }
    return false;
}

static bool out_of_memory(void) {
    fprintf(stderr, "clatter pack: %s\n", status_text(STATUS_OUT_OF_MEMORY));
    return false;
}

// A new component at the end of the system; NULL: no memory.
static SspComponent* add_component(Wrapping* w, const char* name, size_t n_name) {
    SspComponent* component = ARENA_NEW(&w->arena, 1, SspComponent);
    char* copy = arena_copy(&w->arena, name, n_name);
    TextBuffer source = {0};
    if (component == NULL || copy == NULL) {
        return NULL;
    }
    for (char* c = copy; *c != 0; c++) {  // a name that all masters and --connect can write
        const bool is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!is_letter && (c == copy || *c < '0' || *c > '9')) {
            *c = '_';
        }
    }
    text_add_format(&source, "resources/%s.fmu", copy);
    const char* source_copy = source.failed ? NULL : arena_copy(&w->arena, source.text, source.n);
    text_buffer_free(&source);
    *component = (SspComponent){.name = copy, .source = source_copy};
    ssp_add_component(&w->system, component);
    return source_copy != NULL ? component : NULL;
}

static bool add_plant(Wrapping* w, const ModelInfo* info, const VariableTable* table,
                      const TextBuffer* fmu) {
    SspComponent* component = add_component(w, info->name, strlen(info->name));
    SspConnector* connectors = ARENA_NEW(&w->arena, table->n_variables, SspConnector);
    if (component == NULL || connectors == NULL) {
        return out_of_memory();
    }
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* v = &table->variables[i];
        if (v->causality == CAUSALITY_INPUT || v->causality == CAUSALITY_OUTPUT) {
            connectors[i] = (SspConnector){
                .name = v->name, .type = v->type, .is_output = v->causality == CAUSALITY_OUTPUT};
            ssp_add_connector(component, &connectors[i]);
        }
    }
    zip_add(&w->zip, component->source, fmu->text, fmu->n, false);
    return true;
}

static bool add_fmu(Wrapping* w, const char* path) {
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    const size_t n_name = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
    char* bytes;
    size_t n;
    errno = 0;
    const Status status = file_read(path, LARGEST_FMU, &bytes, &n);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: error: the FMU cannot be read: %s\n", path, file_reason(status));
        return false;
    }
    SspComponent* component = add_component(w, name, n_name);
    if (component == NULL) {
        free(bytes);
        return out_of_memory();
    }
    const char* problem = fmu_connectors_read(bytes, n, &w->arena, component);
    for (const SspComponent* c = w->system.first; problem == NULL && c != component; c = c->next) {
        if (strcmp(c->name, component->name) == 0) {
            problem = "there is a component of this name already: give the file another one";
        }
    }
    if (problem != NULL) {
        fprintf(stderr, "%s: error: %s\n", path, problem);
    } else {
        zip_add(&w->zip, component->source, bytes, n, false);
    }
    free(bytes);
    return problem == NULL;
}

// "COMPONENT.VARIABLE" of n characters: an input or an output. NULL after a message.
static SspConnector* find_end(const Wrapping* w, const char* text, size_t n, bool is_output) {
    char written[512];
    snprintf(written, sizeof written, "%.*s", n < sizeof written ? (int)n : 511, text);
    const char* dot = strchr(written, '.');
    const SspComponent* component =
        dot != NULL ? ssp_find_component(&w->system, written, (size_t)(dot - written)) : NULL;
    if (component == NULL) {
        fprintf(stderr, "clatter pack: --connect: '%s' begins with no component; there are",
                written);
        for (const SspComponent* c = w->system.first; c != NULL; c = c->next) {
            fprintf(stderr, " '%s.'", c->name);
        }
        fputc('\n', stderr);
        return NULL;
    }
    SspConnector* connector = ssp_find_connector(component, dot + 1);
    if (connector == NULL || connector->is_output != is_output) {
        Suggestion suggestion = {0};
        for (const SspConnector* c = component->first; c != NULL; c = c->next) {
            if (c->is_output == is_output) {
                suggest_consider(&suggestion, dot + 1, c->name);
            }
        }
        fprintf(stderr, "clatter pack: --connect: '%s' has no %s '%s'%s\n", component->name,
                is_output ? "output" : "input", dot + 1,
                suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
        return NULL;
    }
    if (connector->type == VARIABLE_ENUMERATION) {
        fprintf(stderr, "clatter pack: --connect: '%s' is an enumeration%s\n", written,
                component == w->system.first ? ": pack with --no-enumerations" : "");
        return NULL;
    }
    return connector;
}

static bool connect(const Wrapping* w, const char* text) {
    const char* equals = strchr(text, '=');
    if (equals == NULL) {
        fprintf(stderr,
                "clatter pack: --connect: '%s' is not of the form "
                "COMPONENT.OUTPUT=COMPONENT.INPUT\n",
                text);
        return false;
    }
    const SspConnector* from = find_end(w, text, (size_t)(equals - text), true);
    SspConnector* to = from != NULL ? find_end(w, equals + 1, strlen(equals + 1), false) : NULL;
    const char* problem = to == NULL               ? NULL
                          : to->source != NULL     ? "has a source already"
                          : to->type != from->type ? "has another type than its source"
                                                   : NULL;
    if (problem != NULL) {
        fprintf(stderr, "clatter pack: --connect: '%s' %s\n", equals + 1, problem);
    }
    if (to == NULL || problem != NULL) {
        return false;
    }
    to->source = from;
    return true;
}

static bool connect_all(Wrapping* w, const PackSsp* ssp) {
    for (int i = 0; i < ssp->n_connections; i++) {
        if (!connect(w, ssp->connections[i])) {
            return false;
        }
    }
    const SspConnector* ambiguous = ssp_connect_equal_names(&w->system);
    if (ambiguous != NULL) {
        fprintf(stderr,
                "clatter pack: '%s.%s' could get either of two outputs of this name: choose with "
                "--connect\n",
                ambiguous->component->name, ambiguous->name);
        return false;
    }
    for (const SspComponent* c = w->system.first; c != NULL; c = c->next) {
        if (!ssp_is_connected(&w->system, c)) {
            fprintf(stderr,
                    "clatter pack: nothing is connected to '%s': no names are equal; use "
                    "--connect\n",
                    c->name);
            return false;
        }
    }
    return true;
}

bool pack_ssp_wrap(const PackSsp* ssp, const ModelInfo* info, const VariableTable* table,
                   TextBuffer* archive) {
    Wrapping w = {.system = {.name = info->name,
                             .start_time = info->start_time,
                             .stop_time = info->stop_time,
                             .step_size = info->step_size}};
    TextBuffer structure = {0};
    w.zip.out = &w.out;
    bool good = add_plant(&w, info, table, archive);
    for (int i = 0; good && i < ssp->n_fmus; i++) {
        good = add_fmu(&w, ssp->fmus[i]);
    }
    good = good && connect_all(&w, ssp);
    if (good) {
        ssp_write_structure(&w.system, &structure);
        zip_add(&w.zip, "SystemStructure.ssd", structure.text, structure.n, false);
        w.out.failed |= structure.failed;
    }
    zip_finish(&w.zip);
    text_buffer_free(&structure);
    arena_free(&w.arena);
    text_buffer_free(archive);
    *archive = w.out;
    return good;
}
