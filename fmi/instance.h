// One FMI component: a simulation, the state of the FMI state machine, and who listens to it.
//
// An instance is used by one thread at a time, with FMI's exception: while a step runs, another
// thread may ask for the status, cancel the step or change the logging. What those calls touch is
// atomic, or written before the mode tells them so.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "fmi/call_rules.h"
#include "fmi/logger.h"
#include "simulation/array_variables.h"
#include "simulation/simulation.h"

// What FMI 3.0 has beyond 2.0; all of it 0 in an instance of FMI 2.0.
typedef struct Events {
    Arena arena;
    ArrayTable arrays;
    bool use_event_mode;   // as the host wants it
    bool return_early;     // likewise
    void (*update)(void);  // the host's fmi3IntermediateUpdateCallback, or NULL
    bool inputs_wanted;    // some inputs may be set by it
    bool impact;           // in the running step
    bool inputs_set;       // by the callback after the last internal step
    double time;           // of the last internal step
    double return_time;    // asked for by the callback; infinite: the end of the step
} Events;

typedef struct Instance {
    const FmiVersion* version;
    Logger logger;
    char* name;  // own copy: the host may free its own
    Simulation* simulation;
    const VariableTable* variables;
    double* values;   // (n_variables) scratch of a set call
    bool* warned;     // (n_variables) the user knows that values of it were replaced in this run
    atomic_int mode;  // a Mode
    bool must_initialize;  // in initialization mode: values were set since the last initialisation
    double start_time;     // of the experiment
    double stop_time;      // likewise; infinite if none was defined
    atomic_int cancel;     // polled by the running step
    double step_start_time;  // of the running step
    FmiStatus step_status;   // of the last step
    Events events;
} Instance;

// What a host asks for: the arguments of fmi2Instantiate or fmi3InstantiateCoSimulation.
typedef struct InstanceRequest {
    const FmiVersion* version;
    LogSend* send;
    void (*callback)(void);
    void* environment;
    const char *name, *token, *location;
    bool co_simulation, logging;
} InstanceRequest;

// NULL, and the reason logged, if the arguments or the model in the resources are not good.
Instance* instance_create(const InstanceRequest* request);
void instance_destroy(Instance* instance);

static inline Mode instance_mode(const Instance* instance) {
    return (Mode)atomic_load_explicit(&instance->mode, memory_order_acquire);
}

static inline void instance_set_mode(Instance* instance, Mode mode) {
    atomic_store_explicit(&instance->mode, (int)mode, memory_order_release);
}

static inline const char* instance_call_name(const Instance* instance, Call call) {
    return instance->version->calls[call].name;
}

// Logs the call if wanted. False, and the reason logged, if it is not allowed now; false for NULL.
bool instance_accepts(Instance* instance, Call call);

// Where the simulation sends what it finds.
Report instance_report(Instance* instance);

// Logs an error in the form "call: message" and returns FMI_ERROR.
FmiStatus instance_refuse(Instance* instance, Call call, const char* format, ...) PRINTF_LIKE(3, 4);

// Experiment defaults of the model; warnings are due again.
void instance_forget_experiment(Instance* instance);

// True the first time that it is asked for a variable in a run.
bool instance_should_warn(Instance* instance, const Variable* variable);

// In initialization mode, starts the simulation with the values set so far unless that is done
// already: outputs are known afterwards. False, and the reason logged, if it cannot start.
bool instance_initialize_if_needed(Instance* instance, Call call);
