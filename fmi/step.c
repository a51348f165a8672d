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
        return instance_refuse(instance, CALL_DO_STEP,
                               "communication point %s is not where this FMU is, at %s",
                               number_text(point).text, number_text(time).text);
    }
    if (time + size <= time) {
        return instance_refuse(instance, CALL_DO_STEP,
                               "step size %s is lost in rounding at time %s",
                               number_text(size).text, number_text(time).text);
    }
    if (time + size > instance->stop_time + time_tolerance(size, time)) {
        return instance_refuse(
            instance, CALL_DO_STEP, "a step from %s by %s would pass the stop time %s",
            number_text(time).text, number_text(size).text, number_text(instance->stop_time).text);
    }
    return fmi2OK;
}

// Every failure leaves the simulation at an internal step that was solved, so all are recoverable.
static fmi2Status give_up(Instance* instance, double size, Status status) {
    bool canceled = instance->cancel != 0;
    instance->step_status = fmi2Discard;
    logger_write(
        &instance->logger, LOG_DISCARD, "%s: step from %s by %s %s at %s: %s (%s)",
        call_name(CALL_DO_STEP), number_text(instance->step_start_time).text,
        number_text(size).text, canceled ? "canceled" : "failed",
        number_text(simulation_time(instance->simulation)).text,
        canceled ? "asked for by fmi2CancelStep" : simulation_message(instance->simulation),
        status_text(status));
    instance_set_mode(instance, canceled ? MODE_STEP_CANCELED : MODE_STEP_FAILED);
    return fmi2Discard;
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
    instance->cancel = 0;
    instance->step_start_time = simulation_time(instance->simulation);
    instance_set_mode(instance, MODE_STEP_IN_PROGRESS);
    Status status = simulation_advance(instance->simulation, size, &instance->cancel);
    if (logger_wants(&instance->logger, LOG_SOLVER)) {
        log_statistics(instance);
    }
    if (status != STATUS_OK) {
        return give_up(instance, size, status);
    }
    instance->step_status = fmi2OK;
    instance_set_mode(instance, MODE_STEP_COMPLETE);
    return fmi2OK;
}

fmi2Status step_cancel(Instance* instance) {
    instance->cancel = 1;
    return fmi2OK;
}

// --- status ---

// True if kind is what this function serves; otherwise *answer is what it has to return: a kind of
// FMI's that has another type is discarded, anything else is an error.
static bool kind_is(Instance* instance, Call call, fmi2StatusKind kind, fmi2StatusKind served,
                    const void* value, fmi2Status* answer) {
    if (!value) {
        *answer = instance_refuse(instance, call, "the pointer to the result is NULL");
        return false;
    }
    if (kind == served) {
        return true;
    }
    if ((int)kind < (int)fmi2DoStepStatus || (int)kind > (int)fmi2Terminated) {
        *answer = instance_refuse(instance, call, "there is no status kind %d", (int)kind);
        return false;
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

// FMI defines no status of type Integer.
fmi2Status step_get_integer_status(Instance* instance, fmi2StatusKind kind, fmi2Integer* value) {
    fmi2Status answer = fmi2Discard;
    (void)kind_is(instance, CALL_GET_INTEGER_STATUS, kind, (fmi2StatusKind)-1, value, &answer);
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
