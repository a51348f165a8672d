// One communication step: what is refused, and what is told of its end.
#include "fmi/step.h"

#include <math.h>

// How far two times of host and FMU may be apart and still mean the same: hosts add up steps, or
// multiply, and round differently.
static double time_tolerance(double step_size, double time) {
    return 1e-3 * step_size + 1e-9 * fabs(time);
}

static FmiStatus check_arguments(Instance* instance, double point, double size) {
    if (!isfinite(size) || size <= 0.0) {
        return instance_refuse(instance, CALL_DO_STEP,
                               "the communication step size must be positive and finite, not %s",
                               number_text(size).text);
    }
    double time = simulation_time(instance->simulation);
    // Written so that a NaN is refused.
    if (!(fabs(point - time) <= time_tolerance(size, time))) {
        // Hosts that do not understand a discarded step go on as if the step had been made, or
        // never tried: what they have to be told is why it failed.
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
    return FMI_OK;
}

static FmiStatus end_step(Instance* instance, FmiStatus status, Mode mode) {
    instance->step_status = status;
    instance_set_mode(instance, mode);
    return status;
}

static FmiStatus end_canceled(Instance* instance, double size) {
    logger_write(&instance->logger, LOG_DISCARD, "%s: step from %s by %s canceled at %s",
                 instance_call_name(instance, CALL_DO_STEP),
                 number_text(instance->step_start_time).text, number_text(size).text,
                 number_text(simulation_time(instance->simulation)).text);
    return end_step(instance, FMI_DISCARD, MODE_STEP_CANCELED);
}

// A step that cannot be solved, after all smaller ones that the solver makes of it have failed too.
// "Discard" says that a part of it is done: the host may look at it and go on from there. Where
// there is none, "error" says so: hosts that repeat a discarded step would never end. The reason
// is logged as an error in either case, as hosts hide or drop messages with it.
static FmiStatus end_failed(Instance* instance, double size) {
    const double reached = simulation_time(instance->simulation);
    const bool progress = reached > instance->step_start_time;
    logger_write(&instance->logger, LOG_ERROR, "%s: step from %s by %s failed at %s: %s",
                 instance_call_name(instance, CALL_DO_STEP),
                 number_text(instance->step_start_time).text, number_text(size).text,
                 number_text(reached).text, simulation_message(instance->simulation));
    return progress ? end_step(instance, FMI_DISCARD, MODE_STEP_FAILED)
                    : end_step(instance, FMI_ERROR, MODE_ERROR);
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

FmiStatus step_do(Instance* instance, double point, double size, StepAdvance* advance) {
    FmiStatus checked = check_arguments(instance, point, size);
    if (checked != FMI_OK) {
        return checked;
    }
    const Mode before = instance_mode(instance);
    atomic_store_explicit(&instance->cancel, 0, memory_order_relaxed);
    instance->step_start_time = simulation_time(instance->simulation);
    instance_set_mode(instance, MODE_STEP_IN_PROGRESS);
    Status status = advance(instance, size);
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
        return end_step(instance, FMI_OK, MODE_STEP_COMPLETE);
    }
    return atomic_load_explicit(&instance->cancel, memory_order_relaxed) != 0
               ? end_canceled(instance, size)
               : end_failed(instance, size);
}
