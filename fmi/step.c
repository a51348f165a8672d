// One communication step, and its status after it failed or while it runs.
#include "fmi/step.h"

#include <math.h>

// How far two times of host and FMU may be apart and still mean the same: hosts add up steps, or
// multiply, and round differently.
static double time_tolerance(double step_size, double time) {
    return 1e-3 * step_size + 1e-9 * fabs(time);
}

static fmi2Status check_arguments(Instance* instance, double point, double size) {
    if (!isfinite(size) || size <= 0.0) {
        return instance_refuse(instance, CALL_DO_STEP,
                               "the communication step size must be positive and finite, not %s",
                               number_text(size).text);
    }
    double time = simulation_time(instance->simulation);
    // Written so that a NaN is refused.
    if (!(fabs(point - time) <= time_tolerance(size, time))) {
        // Hosts that do not understand fmi2Discard go on as if the step had been made, or never
        // tried: what they have to be told is why it failed.
        const bool failed = instance_mode(instance) == MODE_STEP_FAILED;
        return instance_refuse(instance, CALL_DO_STEP,
                               "communication point %s is not where this FMU is, at %s%s%s",
                               number_text(point).text, number_text(time).text,
                               failed ? ", where the last step failed: " : "",
                               failed ? simulation_message(instance->simulation) : "");
    }
    if (time + size > instance->stop_time + time_tolerance(size, time)) {
        return instance_refuse(
            instance, CALL_DO_STEP, "a step from %s by %s would pass the stop time %s",
            number_text(time).text, number_text(size).text, number_text(instance->stop_time).text);
    }
    return fmi2OK;
}

static fmi2Status end_step(Instance* instance, fmi2Status status, Mode mode) {
    instance->step_status = status;
    instance_set_mode(instance, mode);
    return status;
}

static fmi2Status end_canceled(Instance* instance, double size) {
    logger_write(&instance->logger, LOG_DISCARD, "%s: step from %s by %s canceled at %s",
                 call_name(CALL_DO_STEP), number_text(instance->step_start_time).text,
                 number_text(size).text, number_text(simulation_time(instance->simulation)).text);
    return end_step(instance, fmi2Discard, MODE_STEP_CANCELED);
}

// A step that cannot be solved, after all smaller ones that the solver makes of it have failed too.
// fmi2Discard says that a part of it is done: the host may look at it and go on from there. Where
// there is none, fmi2Error says so: hosts that repeat a discarded step would never end. The reason
// is logged as an error in either case, as hosts hide or drop messages with fmi2Discard.
static fmi2Status end_failed(Instance* instance, double size) {
    const double reached = simulation_time(instance->simulation);
    const bool progress = reached > instance->step_start_time;
    logger_write(&instance->logger, LOG_ERROR, "%s: step from %s by %s failed at %s: %s",
                 call_name(CALL_DO_STEP), number_text(instance->step_start_time).text,
                 number_text(size).text, number_text(reached).text,
                 simulation_message(instance->simulation));
    return progress ? end_step(instance, fmi2Discard, MODE_STEP_FAILED)
                    : end_step(instance, fmi2Error, MODE_ERROR);
}

// What the user must know of a step that was made, whatever is logged
static void tell(void* context, Severity severity, Place place, const char* message) {
    Instance* instance = context;
    (void)severity;
    logger_tell(&instance->logger, LOG_WARNING, "%s:%ld:%ld: %s", place.file, place.line,
                place.column, message);
}

static void log_statistics(Instance* instance) {
    SimulationStatistics statistics = simulation_statistics(instance->simulation);
    logger_write(&instance->logger, LOG_SOLVER,
                 "at %s: %lld internal steps, %lld iterations, %lld retried steps, %lld failed "
                 "steps, worst residual %s, worst penetration %s m so far",
                 number_text(simulation_time(instance->simulation)).text, statistics.n_steps,
                 statistics.n_iterations, statistics.n_retried_steps, statistics.n_failed_steps,
                 number_text(statistics.worst_residual).text,
                 number_text(statistics.worst_penetration).text);
}

fmi2Status step_do(Instance* instance, double point, double size) {
    fmi2Status checked = check_arguments(instance, point, size);
    if (checked != fmi2OK) {
        return checked;
    }
    const Mode before = instance_mode(instance);
    atomic_store_explicit(&instance->cancel, 0, memory_order_relaxed);
    instance->step_start_time = simulation_time(instance->simulation);
    instance_set_mode(instance, MODE_STEP_IN_PROGRESS);
    Status status = simulation_advance(instance->simulation, size, &instance->cancel);
    simulation_report_impacts(instance->simulation, &(Report){.context = instance, .add = tell});
    if (logger_wants(&instance->logger, LOG_SOLVER)) {
        log_statistics(instance);
    }
    if (status == STATUS_OUT_OF_RANGE) {  // more internal steps than can be counted: none was made
        instance_set_mode(instance, before);
        return instance_refuse(instance, CALL_DO_STEP, "%s",
                               simulation_message(instance->simulation));
    }
    if (status == STATUS_OK) {
        return end_step(instance, fmi2OK, MODE_STEP_COMPLETE);
    }
    return atomic_load_explicit(&instance->cancel, memory_order_relaxed) != 0
               ? end_canceled(instance, size)
               : end_failed(instance, size);
}

fmi2Status step_cancel(Instance* instance) {
    atomic_store_explicit(&instance->cancel, 1, memory_order_relaxed);
    return fmi2OK;
}

// --- status ---

enum { NO_KIND = -1 };

// True if kind is what this function serves; otherwise *answer is what it has to return: a kind of
// FMI's that has another type is discarded, anything else is an error.
static bool kind_is(Instance* instance, Call call, fmi2StatusKind kind, int served,
                    const void* value, fmi2Status* answer) {
    if (!value) {
        *answer = instance_refuse(instance, call, "the pointer to the result is NULL");
        return false;
    }
    if ((int)kind < (int)fmi2DoStepStatus || (int)kind > (int)fmi2Terminated) {
        *answer = instance_refuse(instance, call, "there is no status kind %d", (int)kind);
        return false;
    }
    if ((int)kind == served) {
        return true;
    }
    logger_write(&instance->logger, LOG_DISCARD, "%s: status kind %d is not of this type",
                 call_name(call), (int)kind);
    *answer = fmi2Discard;
    return false;
}

fmi2Status step_get_status(Instance* instance, fmi2StatusKind kind, fmi2Status* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_STATUS, kind, fmi2DoStepStatus, value, &answer)) {
        return answer;
    }
    bool running = instance_mode(instance) == MODE_STEP_IN_PROGRESS;
    *value = running ? fmi2Pending : instance->step_status;
    return fmi2OK;
}

fmi2Status step_get_real_status(Instance* instance, fmi2StatusKind kind, fmi2Real* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_REAL_STATUS, kind, fmi2LastSuccessfulTime, value, &answer)) {
        return answer;
    }
    bool running = instance_mode(instance) == MODE_STEP_IN_PROGRESS;
    *value = running ? instance->step_start_time : simulation_time(instance->simulation);
    return fmi2OK;
}

// FMI defines no status of type Integer: no kind is served.
fmi2Status step_get_integer_status(Instance* instance, fmi2StatusKind kind, fmi2Integer* value) {
    fmi2Status answer;
    (void)kind_is(instance, CALL_GET_INTEGER_STATUS, kind, NO_KIND, value, &answer);
    return answer;
}

fmi2Status step_get_boolean_status(Instance* instance, fmi2StatusKind kind, fmi2Boolean* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_BOOLEAN_STATUS, kind, fmi2Terminated, value, &answer)) {
        return answer;
    }
    *value = fmi2False;  // a mechanism never asks for the end of the simulation
    return fmi2OK;
}

fmi2Status step_get_string_status(Instance* instance, fmi2StatusKind kind, fmi2String* value) {
    fmi2Status answer;
    if (!kind_is(instance, CALL_GET_STRING_STATUS, kind, fmi2PendingStatus, value, &answer)) {
        return answer;
    }
    if (instance_mode(instance) == MODE_STEP_IN_PROGRESS) {
        *value = "the step is being computed";
    } else if (instance_mode(instance) == MODE_STEP_CANCELED) {
        *value = "the step was canceled";
    } else if (instance->step_status == fmi2OK) {
        *value = "no step is pending";
    } else {
        *value = simulation_message(instance->simulation);
    }
    return fmi2OK;
}
