// The motion of a simulation: its start, single steps, and many of them in one call.
#include <math.h>

#include "api/handle.h"

ClatterStatus clatter_initialize(ClatterSimulation* handle, double start_time) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK) {
        return status;
    }
    problem_list_cut(&handle->problems, handle->n_loading);
    Report report = problem_list_report(&handle->problems);
    const Status started = simulation_initialize(handle->simulation, start_time, &report);
    if (started == STATUS_OK) {
        handle->phase = HANDLE_STARTED;
    } else if (handle->phase == HANDLE_STARTED) {
        handle->phase = HANDLE_SET_UP;
    }
    return handle_status(handle, started, CLATTER_NO_START);
}

// By a duration > 0; the handle has been checked.
static ClatterStatus advance(ClatterSimulation* handle, double duration) {
    const Status status = simulation_advance(handle->simulation, duration, &handle->cancel);
    if (status == STATUS_OK) {
        handle->phase = HANDLE_MOVING;
        return CLATTER_OK;
    }
    if (status == STATUS_OUT_OF_RANGE || status == STATUS_NOT_ALLOWED) {
        return handle_status(handle, status, CLATTER_REFUSED);
    }
    handle->phase = HANDLE_MOVING;
    if (status == STATUS_NOT_AVAILABLE) {
        return handle_status(handle, status, CLATTER_CANCELLED);
    }
    (void)handle_status(handle, status, CLATTER_STEP_FAILED);  // for the message
    return CLATTER_STEP_FAILED;
}

static void report_impacts(ClatterSimulation* handle) {
    Report report = problem_list_report(&handle->problems);
    simulation_report_impacts(handle->simulation, &report);
}

ClatterStatus clatter_advance(ClatterSimulation* handle, double duration) {
    ClatterStatus status = handle_check(handle);
    if (status == CLATTER_OK) {
        status = advance(handle, duration);
        report_impacts(handle);
    }
    return status;
}

static ClatterStatus check_signals(ClatterSimulation* handle, const ClatterSignals* signals) {
    ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK) {
        return status;
    }
    if (signals == NULL) {
        return handle_refuse(handle, "the signals are NULL");
    }
    if (signals->interpolation != CLATTER_HELD && signals->interpolation != CLATTER_LINEAR) {
        status = handle_refuse(handle, "there is no interpolation %d", (int)signals->interpolation);
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, signals->n_inputs, signals->inputs, "inputs");
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, signals->n_outputs, signals->outputs, "outputs");
    }
    if (status == CLATTER_OK) {
        status = handle_check_numbers(handle, signals->n_inputs, signals->inputs);
    }
    return status == CLATTER_OK ? handle_check_numbers(handle, signals->n_outputs, signals->outputs)
                                : status;
}

static ClatterStatus set_inputs(ClatterSimulation* handle, const ClatterSignals* signals,
                                const double* values) {
    if (signals->n_inputs == 0) {
        return CLATTER_OK;
    }
    const Status status =
        simulation_set_all(handle->simulation, signals->inputs, values, signals->n_inputs);
    return handle_status(handle, status, CLATTER_REFUSED);
}

static ClatterStatus read_outputs(ClatterSimulation* handle, const ClatterSignals* signals,
                                  double* outputs) {
    for (int i = 0; i < signals->n_outputs; i++) {
        const Status status = simulation_get(handle->simulation, signals->outputs[i], &outputs[i]);
        if (status != STATUS_OK) {
            return handle_status(handle, status, CLATTER_NOT_AVAILABLE);
        }
    }
    return CLATTER_OK;
}

ClatterStatus clatter_step(ClatterSimulation* handle, double duration,
                           const ClatterSignals* signals, const double* inputs, double* outputs) {
    ClatterStatus status = check_signals(handle, signals);
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, signals->n_inputs, inputs, "values of inputs");
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, signals->n_outputs, outputs, "values of outputs");
    }
    if (status == CLATTER_OK) {
        status = set_inputs(handle, signals, inputs);
    }
    if (status != CLATTER_OK) {
        return status;
    }
    status = advance(handle, duration);
    report_impacts(handle);
    if (status == CLATTER_REFUSED) {
        return status;
    }
    const ClatterStatus read = read_outputs(handle, signals, outputs);
    return status != CLATTER_OK ? status : read;
}

// --- many steps ---

static ClatterStatus check_times(ClatterSimulation* handle, int64_t n_times, const double* times) {
    ClatterStatus status = handle_check_array(handle, n_times, times, "times");
    if (status == CLATTER_OK && n_times < 1) {
        status = handle_refuse(handle, "there are no times");
    }
    for (int64_t i = 0; i < n_times && status == CLATTER_OK; i++) {
        if (!isfinite(times[i])) {
            status = handle_refuse(handle, "time %lld is no finite number", (long long)i);
        } else if (i > 0 && times[i] <= times[i - 1]) {
            status = handle_refuse(handle, "times have to rise: %.9g s comes after %.9g s",
                                   times[i], times[i - 1]);
        }
    }
    return status;
}

// The motion starts at a time, or is there already.
static ClatterStatus begin(ClatterSimulation* handle, double start_time) {
    if (handle->phase == HANDLE_SET_UP) {
        return clatter_initialize(handle, start_time);
    }
    const double now = simulation_time(handle->simulation);
    return fabs(now - start_time) <= 1e-9 * fmax(1.0, fabs(now))
               ? CLATTER_OK
               : handle_refuse(handle, "the motion is at %.9g s, not at %.9g s", now, start_time);
}

// Slopes (in units per second) with which real inputs go from these values to the next ones;
// next NULL: they stay.
static ClatterStatus set_slopes(ClatterSimulation* handle, const ClatterSignals* signals,
                                const double* values, const double* next, double duration) {
    const Variable* variables = simulation_variables(handle->simulation)->variables;
    for (int i = 0; i < signals->n_inputs; i++) {
        const Variable* variable = &variables[signals->inputs[i]];
        if (variable->causality != CAUSALITY_INPUT || variable->type != VARIABLE_REAL) {
            continue;
        }
        const double slope = next != NULL ? (next[i] - values[i]) / duration : 0.0;
        const Status status = simulation_set_slope(handle->simulation, signals->inputs[i], slope);
        if (status != STATUS_OK) {
            return handle_status(handle, status, CLATTER_REFUSED);
        }
    }
    return CLATTER_OK;
}

// From times[0] to times[1] with the inputs of these rows.
static ClatterStatus go_on(ClatterSimulation* handle, const ClatterSignals* signals,
                           const double* times, const double* inputs) {
    ClatterStatus status = set_inputs(handle, signals, inputs);
    if (status == CLATTER_OK && signals->interpolation == CLATTER_LINEAR) {
        status =
            set_slopes(handle, signals, inputs, inputs + signals->n_inputs, times[1] - times[0]);
    }
    return status == CLATTER_OK ? advance(handle, times[1] - times[0]) : status;
}

// All rows after the first one; *n_rows is 1 before.
static ClatterStatus go_through(ClatterSimulation* handle, int64_t n_times, const double* times,
                                const ClatterSignals* signals, const double* inputs,
                                double* results, int64_t* n_rows) {
    ClatterStatus status = CLATTER_OK;
    double last_row = simulation_time(handle->simulation);
    for (int64_t i = 0; i + 1 < n_times && status == CLATTER_OK; i++) {
        results += signals->n_outputs;
        status = go_on(handle, signals, times + i, inputs + i * signals->n_inputs);
        // After a failure the last good step may lie between two times.
        const bool moved = simulation_time(handle->simulation) > last_row;
        if (status == CLATTER_OK || moved) {
            const ClatterStatus read = read_outputs(handle, signals, results);
            *n_rows += read == CLATTER_OK;
            status = status != CLATTER_OK ? status : read;
        }
        last_row = simulation_time(handle->simulation);
    }
    return status;
}

ClatterStatus clatter_simulate(ClatterSimulation* handle, int64_t n_times, const double* times,
                               const ClatterSignals* signals, const double* inputs, double* results,
                               int64_t* n_rows) {
    ClatterStatus status = check_signals(handle, signals);
    if (status == CLATTER_OK) {
        status = check_times(handle, n_times, times);
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, signals->n_inputs, inputs, "values of inputs");
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, signals->n_outputs, results, "results");
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, 1, n_rows, "numbers of rows");
    }
    if (status != CLATTER_OK) {
        return status;
    }
    *n_rows = 0;
    status = set_inputs(handle, signals, inputs);
    if (status == CLATTER_OK) {
        status = begin(handle, times[0]);
    }
    if (status == CLATTER_OK) {
        status = read_outputs(handle, signals, results);
    }
    if (status == CLATTER_OK) {
        *n_rows = 1;
        status = go_through(handle, n_times, times, signals, inputs, results, n_rows);
    }
    if (signals->interpolation == CLATTER_LINEAR && handle->phase == HANDLE_MOVING) {
        const ClatterStatus stayed = set_slopes(handle, signals, NULL, NULL, 0.0);
        status = status != CLATTER_OK ? status : stayed;
    }
    report_impacts(handle);
    return status;
}

void clatter_cancel(ClatterSimulation* handle) {
    if (handle != NULL) {
        atomic_store(&handle->cancel, 1);
    }
}

void clatter_clear_cancel(ClatterSimulation* handle) {
    if (handle != NULL) {
        atomic_store(&handle->cancel, 0);
    }
}

ClatterStatus clatter_reset(ClatterSimulation* handle) {
    const ClatterStatus status = handle_check(handle);
    if (status == CLATTER_OK) {
        simulation_reset(handle->simulation);
        problem_list_cut(&handle->problems, handle->n_loading);
        clatter_clear_cancel(handle);
        handle->phase = HANDLE_SET_UP;
        handle->message[0] = '\0';
    }
    return status;
}

ClatterStatus clatter_constraints(ClatterSimulation* handle, ClatterConstraints* constraints) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK || constraints == NULL) {
        return status != CLATTER_OK ? status : handle_refuse(handle, "the struct is NULL");
    }
    Report report = problem_list_report(&handle->problems);
    ConstraintSummary own;
    const Status found = simulation_constraints(handle->simulation, &report, &own);
    *constraints = (ClatterConstraints){own.n_velocities, own.n_constraints, own.n_redundant};
    return handle_status(handle, found, CLATTER_NOT_AVAILABLE);
}

double clatter_time(const ClatterSimulation* handle) {
    return clatter_usable(handle) ? simulation_time(handle->simulation) : NAN;
}

ClatterStatus clatter_statistics(ClatterSimulation* handle, ClatterStatistics* statistics) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK || statistics == NULL) {
        return status != CLATTER_OK ? status : handle_refuse(handle, "the struct is NULL");
    }
    const SimulationStatistics own = simulation_statistics(handle->simulation);
    *statistics = (ClatterStatistics){.n_steps = own.n_steps,
                                      .n_iterations = own.n_iterations,
                                      .n_contact_iterations = own.n_contact_iterations,
                                      .n_regularised_steps = own.n_regularised_steps,
                                      .n_swept_steps = own.n_swept_steps,
                                      .n_inexact_steps = own.n_inexact_steps,
                                      .n_inelastic_steps = own.n_inelastic_steps,
                                      .n_damped_steps = own.n_damped_steps,
                                      .n_retried_steps = own.n_retried_steps,
                                      .n_failed_steps = own.n_failed_steps,
                                      .worst_residual = own.worst_residual,
                                      .worst_penetration = own.worst_penetration};
    return CLATTER_OK;
}
