// Logging, set-up, initialisation, end and reset.
#include "fmi/life_cycle.h"

#include <math.h>

FmiStatus life_cycle_set_logging(Instance* instance, bool on, size_t n,
                                 const char* const categories[]) {
    if (n > 0 && !categories) {
        return instance_refuse(instance, CALL_SET_DEBUG_LOGGING, "an array is NULL");
    }
    const char* unknown = logger_select(&instance->logger, on, n, categories);
    return unknown ? instance_refuse(instance, CALL_SET_DEBUG_LOGGING,
                                     "there is no log category \"%s\"", unknown)
                   : FMI_OK;
}

// A host's tolerance is a wish for more accuracy, never for less: hosts pass one that is meant for
// the error of integrators (1e-4, 1e-6) without being asked, and a contact problem solved to that
// moves visibly differently. One that is smaller than the solver's own is taken as far as it goes.
static void wish_tolerance(Instance* instance, double tolerance) {
    const int index = variable_find(instance->variables, "solver.tolerance");
    double own = 0.0;
    Status status =
        index < 0 ? STATUS_NOT_AVAILABLE : simulation_get(instance->simulation, index, &own);
    if (status == STATUS_OK && tolerance > 0.0 && tolerance < own) {
        own = fmax(tolerance, instance->variables->variables[index].min);
        status = simulation_set(instance->simulation, index, own);
    }
    if (status == STATUS_OK) {
        logger_write(&instance->logger, LOG_SOLVER, "%s: tolerance %s; solver.tolerance is %s",
                     instance_call_name(instance, CALL_SETUP_EXPERIMENT),
                     number_text(tolerance).text, number_text(own).text);
    }
}

FmiStatus life_cycle_set_up(Instance* instance, bool tolerance_defined, double tolerance,
                            double start_time, bool stop_time_defined, double stop_time) {
    if (!isfinite(start_time)) {
        return instance_refuse(instance, CALL_SETUP_EXPERIMENT, "the start time must be finite");
    }
    if (stop_time_defined && (!isfinite(stop_time) || stop_time < start_time)) {
        return instance_refuse(instance, CALL_SETUP_EXPERIMENT,
                               "stop time %s must be finite and not before start time %s",
                               number_text(stop_time).text, number_text(start_time).text);
    }
    if (tolerance_defined && !isfinite(tolerance)) {
        return instance_refuse(instance, CALL_SETUP_EXPERIMENT, "the tolerance must be finite");
    }
    instance->start_time = start_time;
    instance->stop_time = stop_time_defined ? stop_time : INFINITY;
    if (tolerance_defined) {
        wish_tolerance(instance, tolerance);
    }
    return FMI_OK;
}

// The motion is started only when a value is asked for or the mode is left, so that a host which
// sets parameters one by one does not pay for, or trip over, states it never wanted.
FmiStatus life_cycle_enter_initialization(Instance* instance) {
    instance->must_initialize = true;
    instance_set_mode(instance, MODE_INITIALIZATION);
    return FMI_OK;
}

FmiStatus life_cycle_exit_initialization(Instance* instance) {
    if (!instance_initialize_if_needed(instance, CALL_EXIT_INITIALIZATION_MODE)) {
        instance->must_initialize = false;  // a value read for debugging must not try again
        instance_set_mode(instance, MODE_ERROR);
        return FMI_ERROR;
    }
    instance->step_status = FMI_OK;
    instance_set_mode(instance, instance->events.use_event_mode ? MODE_EVENT : MODE_STEP_COMPLETE);
    return FMI_OK;
}

FmiStatus life_cycle_terminate(Instance* instance) {
    instance_set_mode(instance, MODE_TERMINATED);
    return FMI_OK;
}

FmiStatus life_cycle_reset(Instance* instance) {
    simulation_reset(instance->simulation);
    instance_forget_experiment(instance);
    instance_set_mode(instance, MODE_INSTANTIATED);
    return FMI_OK;
}
