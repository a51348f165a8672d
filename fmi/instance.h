// One FMI component: a simulation, the state of the FMI state machine, and who listens to it.
//
// An instance is used by one thread at a time, with FMI's exception: while fmi2DoStep runs, another
// thread may ask for the status, cancel the step or change the logging. What those calls touch is
// atomic, or written before the mode tells them so.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "fmi/call_rules.h"
#include "fmi/logger.h"
#include "simulation/simulation.h"

typedef struct Instance {
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
    fmi2Status step_status;  // of the last fmi2DoStep
} Instance;

// NULL, and the reason logged, if the arguments or the model in the resources are not good.
Instance* instance_create(fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                          const fmi2CallbackFunctions* functions, bool logging);
void instance_destroy(Instance* instance);

static inline Mode instance_mode(const Instance* instance) {
    return (Mode)atomic_load_explicit(&instance->mode, memory_order_acquire);
}

static inline void instance_set_mode(Instance* instance, Mode mode) {
    atomic_store_explicit(&instance->mode, (int)mode, memory_order_release);
}

// Logs the call if wanted. False, and the reason logged, if it is not allowed now; false for NULL.
bool instance_accepts(Instance* instance, Call call);

// Where the simulation sends what it finds.
Report instance_report(Instance* instance);

// Logs an error in the form "call: message" and returns fmi2Error.
fmi2Status instance_refuse(Instance* instance, Call call, const char* format, ...)
    PRINTF_LIKE(3, 4);

// Experiment defaults of the model; warnings are due again.
void instance_forget_experiment(Instance* instance);

// True the first time that it is asked for a variable in a run.
bool instance_should_warn(Instance* instance, const Variable* variable);

// In initialization mode, starts the simulation with the values set so far unless that is done
// already: outputs are known afterwards. False, and the reason logged, if it cannot start.
bool instance_initialize_if_needed(Instance* instance, Call call);
