// A stand-in for src/simulation with which every answer that the FMI layer must cope with can be
// provoked: a mass of 13 cannot start, a force of 666 fails half-way through a step, one of 777 is
// an impact in each internal step, a stiffness of 7 is refused although it is in range. Defines all
// of simulation.h, so that nothing of the real one is taken from the library.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/simulation.h"

enum FakeVariable {
    FAKE_TIME,
    FAKE_MASS,
    FAKE_STIFFNESS,
    FAKE_FORCE,
    FAKE_POSITION,
    FAKE_SCHEME,
    FAKE_ENABLED,
    FAKE_COUNT,
    FAKE_MESSAGE,
    FAKE_TOLERANCE,
    N_FAKE
};

struct Simulation {
    double values[N_FAKE];
    double slope;
    double running;
    const char* message;
    void (*watch)(void*);
    void* watch_context;
    bool stop;
};

#define FAKE_GUID "{00000000-0000-0000-0000-00000000fa4e}"

static const EnumerationItem fake_items[] = {{"a", ""}, {"b", ""}};
static const EnumerationType fake_schemes = {"Scheme", "", fake_items, 2, 0};

#define FAKE(name_, type_, causality_, variability_, start_, min_, max_)                     \
    {                                                                                        \
        .name = name_, .type = VARIABLE_##type_, .causality = CAUSALITY_##causality_,        \
        .variability = VARIABILITY_##variability_, .start = start_, .min = min_, .max = max_ \
    }

static const Variable fake_variables[N_FAKE] = {
    [FAKE_TIME] = FAKE("time", REAL, INDEPENDENT, CONTINUOUS, 0, -INFINITY, INFINITY),
    [FAKE_MASS] = FAKE("mass", REAL, PARAMETER, FIXED, 1, 0.001, INFINITY),
    [FAKE_STIFFNESS] = FAKE("stiffness", REAL, PARAMETER, TUNABLE, 2, 0, INFINITY),
    [FAKE_FORCE] = FAKE("force", REAL, INPUT, CONTINUOUS, 3, -INFINITY, INFINITY),
    [FAKE_POSITION] = FAKE("position", REAL, OUTPUT, CONTINUOUS, 0, -INFINITY, INFINITY),
    [FAKE_SCHEME] = {.name = "solver.scheme",
                     .type = VARIABLE_ENUMERATION,
                     .causality = CAUSALITY_PARAMETER,
                     .variability = VARIABILITY_FIXED,
                     .enumeration = &fake_schemes,
                     .start = 1,
                     .min = -INFINITY,
                     .max = INFINITY},
    [FAKE_ENABLED] = FAKE("enabled", BOOLEAN, PARAMETER, TUNABLE, 1, 0, 1),
    [FAKE_COUNT] = FAKE("count", INTEGER, OUTPUT, DISCRETE, 0, -INFINITY, INFINITY),
    [FAKE_MESSAGE] = FAKE("message", STRING, OUTPUT, DISCRETE, 0, 0, 0),
    [FAKE_TOLERANCE] = FAKE("solver.tolerance", REAL, PARAMETER, FIXED, 1e-8, 1e-14, 0.1),
};
static const VariableTable fake_table = {fake_variables, N_FAKE, NULL};
static const ModelInfo fake_info = {.name = "fake", .guid = FAKE_GUID, .stop_time = 1.0};

// Called in the middle of each simulation_advance, if set.
static void (*fake_during_step)(void);
static int fake_n_initializations;

Simulation* simulation_create(const ModelFiles* files, Report* report) {
    if (strcmp(files->model, "good") != 0) {
        report_add(report, SEVERITY_ERROR,
                   (Place){.file = files->model_name, .line = 2, .column = 7}, "100%% %s", "bad");
        report_add(report, SEVERITY_ERROR, (Place){0}, "worse");
        return NULL;
    }
    Simulation* s = calloc(1, sizeof *s);
    simulation_reset(s);
    return s;
}
void simulation_destroy(Simulation* s) { free(s); }

int variable_find(const VariableTable* table, const char* name) {
    for (int i = 0; i < table->n_variables; i++) {
        if (strcmp(table->variables[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
const VariableTable* simulation_variables(const Simulation* s) { return s ? &fake_table : NULL; }
const ModelInfo* simulation_info(const Simulation* s) { return s ? &fake_info : NULL; }
double simulation_time(const Simulation* s) { return s->values[FAKE_TIME]; }
SimulationStatistics simulation_statistics(const Simulation* s) {
    (void)s;
    return (SimulationStatistics){0};
}
const char* simulation_message(const Simulation* s) { return s->message ? s->message : ""; }

Status simulation_get(Simulation* s, int variable, double* value) {
    *value = s->values[variable];
    return STATUS_OK;
}
Status simulation_get_string(const Simulation* s, int variable, const char** text) {
    (void)variable;
    *text = simulation_message(s);
    return STATUS_OK;
}
Status simulation_set(Simulation* s, int variable, double value) {
    const Variable* v = &fake_variables[variable];
    if (!(value >= v->min && value <= v->max) || (variable == FAKE_STIFFNESS && value == 7.0)) {
        s->message = "stiffness 7 is not for this spring";
        return STATUS_OUT_OF_RANGE;
    }
    s->values[variable] = value;
    return STATUS_OK;
}
Status simulation_set_all(Simulation* s, const int* variables, const double* values, int n) {
    const Simulation before = *s;
    Status status = STATUS_OK;
    for (int i = 0; i < n && status == STATUS_OK; i++) {
        status = simulation_set(s, variables[i], values[i]);
    }
    if (status != STATUS_OK) {
        const char* message = s->message;
        *s = before;
        s->message = message;
    }
    return status;
}
void simulation_set_up(Simulation* s) { s->running = 0.0; }
bool simulation_accelerations_exist(const Simulation* s) { return s != NULL; }
Status simulation_set_slope(Simulation* s, int variable, double slope) {
    (void)variable;
    s->slope = slope;
    return STATUS_OK;
}
Status simulation_get_derivative(Simulation* s, int variable, double* value) {
    (void)variable;
    *value = s->values[FAKE_FORCE];
    return s->values[FAKE_FORCE] == 5.0 ? STATUS_NOT_AVAILABLE : STATUS_OK;
}
Status simulation_directional_derivative(Simulation* s, const int* unknowns, int n_unknowns,
                                         const int* knowns, int n_knowns, const double* seed,
                                         double* derivative) {
    double sum = 0.0;
    for (int i = 0; i < n_knowns; i++) {
        sum += seed[i] * knowns[i];
    }
    for (int i = 0; i < n_unknowns; i++) {
        derivative[i] = sum * unknowns[i];
    }
    return s->values[FAKE_FORCE] == 5.0 ? STATUS_NOT_AVAILABLE : STATUS_OK;
}
Status simulation_start_derivative(Simulation* s, const int* unknowns, int n_unknowns,
                                   const int* knowns, int n_knowns, const double* seed,
                                   double* derivative) {
    return simulation_directional_derivative(s, unknowns, n_unknowns, knowns, n_knowns, seed,
                                             derivative);
}

Status simulation_initialize(Simulation* s, double t_0, Report* report) {
    (void)report;
    fake_n_initializations++;
    if (s->values[FAKE_MASS] == 13.0) {
        s->message = "mass 13 brings no luck";
        return STATUS_SINGULAR;
    }
    s->values[FAKE_TIME] = t_0;
    s->values[FAKE_POSITION] = 10.0 * s->values[FAKE_MASS];
    s->running = 1.0;
    return STATUS_OK;
}
void simulation_report_impacts(Simulation* s, Report* report) {
    (void)s;
    (void)report;
}
void simulation_watch_steps(Simulation* s, void (*step)(void*), void* context) {
    s->watch = step;
    s->watch_context = context;
}
void simulation_stop(Simulation* s) { s->stop = true; }
bool simulation_had_impact(const Simulation* s) { return s->values[FAKE_FORCE] == 777.0; }

// position' = force + slope*t, in two internal steps.
Status simulation_advance(Simulation* s, double duration, const atomic_int* cancel) {
    s->stop = false;
    for (int half = 0; half < 2 && !s->stop; half++) {
        if (half == 1 && fake_during_step) {
            fake_during_step();
        }
        if (half == 1 && cancel && *cancel) {
            return STATUS_NOT_AVAILABLE;
        }
        if (half == 1 && s->values[FAKE_FORCE] == 666.0) {
            s->message = "contact ball.floor did not converge";
            return STATUS_NO_CONVERGENCE;
        }
        s->values[FAKE_FORCE] += 0.5 * duration * s->slope;
        s->values[FAKE_POSITION] += 0.5 * duration * s->values[FAKE_FORCE];
        s->values[FAKE_TIME] += 0.5 * duration;
        if (s->watch) {
            s->watch(s->watch_context);
        }
    }
    s->values[FAKE_COUNT] += 1.0;
    return STATUS_OK;
}
void simulation_reset(Simulation* s) {
    *s = (Simulation){.watch = s->watch, .watch_context = s->watch_context};
    for (int i = 0; i < N_FAKE; i++) {
        s->values[i] = fake_variables[i].start;
    }
}

enum { FAKE_SNAPSHOT_SIZE = sizeof(double) * (N_FAKE + 2) };
size_t simulation_snapshot_size(const Simulation* s) { return s ? FAKE_SNAPSHOT_SIZE : 0; }
void simulation_save(const Simulation* s, void* snapshot) {
    memcpy(snapshot, s, FAKE_SNAPSHOT_SIZE);
}
Status simulation_restore(Simulation* s, const void* snapshot, size_t n) {
    assert_int_equal(n, FAKE_SNAPSHOT_SIZE);
    memcpy(s, snapshot, FAKE_SNAPSHOT_SIZE);
    return STATUS_OK;
}
