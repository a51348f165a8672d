// What tests of the mechanics share: mechanisms from XML and their values by name. Included by
// tests, each a program.
#pragma once

#include "numbers.h"

#include "simulation/simulation.h"

enum { MECHANISM_MESSAGES = 16384 };

// "line:column: message\n" for each problem
typedef struct Messages {
    char text[MECHANISM_MESSAGES];
    int n_warnings;
} Messages;

static inline void messages_add(void* context, Severity severity, Place place,
                                const char* message) {
    Messages* messages = context;
    const size_t used = strlen(messages->text);
    snprintf(messages->text + used, sizeof messages->text - used, "%ld:%ld: %s\n", place.line,
             place.column, message);
    messages->n_warnings += severity == SEVERITY_WARNING;
}

// From the whole text of a model, and of a table of materials or NULL.
static inline Simulation* mechanism_read(const char* text, const char* materials,
                                         Messages* messages) {
    const ModelFile table = {.name = "materials.xml",
                             .path = "materials.xml",
                             .text = materials,
                             .n = materials != NULL ? strlen(materials) : 0};
    const ModelFiles files = {.model_name = "model.xml",
                              .model = text,
                              .n_model = strlen(text),
                              .named = &table,
                              .n_named = materials != NULL ? 1 : 0};
    *messages = (Messages){0};
    Report report = {.context = messages, .add = messages_add};
    return simulation_create(&files, &report);
}

// From what stands inside <mechanism>, which must be valid.
static inline Simulation* mechanism_new(const char* content) {
    static const char head[] = "<mechanism xmlns=\"urn:clatter:model:1\" name=\"test\">";
    const size_t size = sizeof head + strlen(content) + 16;
    char* text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s</mechanism>", head, content);
    static Messages messages;
    Simulation* simulation = mechanism_read(text, NULL, &messages);
    if (simulation == NULL) {
        fail_msg("%s\n%s", messages.text, text);
    }
    free(text);
    return simulation;
}

static inline int index_of(const Simulation* simulation, const char* name) {
    const int index = variable_find(simulation_variables(simulation), name);
    if (index < 0) {
        fail_msg("there is no variable %s", name);
    }
    return index;
}

static inline double value_of(Simulation* simulation, const char* name) {
    double value = NAN;
    const Status status = simulation_get(simulation, index_of(simulation, name), &value);
    if (status != STATUS_OK) {
        fail_msg("%s: %s", name, simulation_message(simulation));
    }
    return value;
}

static inline void set_value(Simulation* simulation, const char* name, double value) {
    if (simulation_set(simulation, index_of(simulation, name), value) != STATUS_OK) {
        fail_msg("%s: %s", name, simulation_message(simulation));
    }
}

static inline void start(Simulation* simulation) {
    if (simulation_initialize(simulation, simulation_info(simulation)->start_time, NULL) !=
        STATUS_OK) {
        fail_msg("%s", simulation_message(simulation));
    }
}

// A motion that has begun, with a scheme (the value of solver.scheme) and a step
static inline Simulation* mechanism_start(const char* content, int scheme, double dt) {
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "solver.scheme", scheme);
    set_value(simulation, "solver.step_size", dt);
    start(simulation);
    return simulation;
}

static inline void advance(Simulation* simulation, double duration) {
    if (simulation_advance(simulation, duration, NULL) != STATUS_OK) {
        fail_msg("%s", simulation_message(simulation));
    }
}

// --- snapshots ---

typedef struct Snapshot {
    unsigned char* bytes;  // freed by the caller
    size_t n;
} Snapshot;

static inline Snapshot saved(const Simulation* simulation) {
    const Snapshot snapshot = {malloc(simulation_snapshot_size(simulation)),
                               simulation_snapshot_size(simulation)};
    assert_non_null(snapshot.bytes);
    simulation_save(simulation, snapshot.bytes);
    return snapshot;
}

static inline Status restored(Simulation* simulation, Snapshot snapshot) {
    return simulation_restore(simulation, snapshot.bytes, snapshot.n);
}

static inline void assert_same(const Simulation* simulation, Snapshot snapshot) {
    const Snapshot now = saved(simulation);
    assert_int_equal(now.n, snapshot.n);
    assert_memory_equal(now.bytes, snapshot.bytes, now.n);
    free(now.bytes);
}
