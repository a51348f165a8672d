// Values and derivatives at the present time.
#include "api/handle.h"

_Static_assert(sizeof(int) == sizeof(int32_t), "indices of the interface are ints");

static ClatterStatus check_variables(ClatterSimulation* handle, int32_t n, const int32_t* variables,
                                     const double* values) {
    ClatterStatus status = handle_check(handle);
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, n, variables, "variables");
    }
    if (status == CLATTER_OK) {
        status = handle_check_array(handle, n, values, "values");
    }
    return status == CLATTER_OK ? handle_check_numbers(handle, n, variables) : status;
}

static bool any_fixed(const VariableTable* table, int n, const int32_t* variables) {
    bool any = false;
    for (int i = 0; i < n; i++) {
        any = any || table->variables[variables[i]].variability == VARIABILITY_FIXED;
    }
    return any;
}

ClatterStatus clatter_set(ClatterSimulation* handle, int32_t n, const int32_t* variables,
                          const double* values) {
    const ClatterStatus status = check_variables(handle, n, variables, values);
    if (status != CLATTER_OK) {
        return status;
    }
    const Status set = simulation_set_all(handle->simulation, variables, values, n);
    if (set == STATUS_OK && handle->phase == HANDLE_STARTED &&
        any_fixed(simulation_variables(handle->simulation), n, variables)) {
        simulation_set_up(handle->simulation);
        handle->phase = HANDLE_SET_UP;
    }
    return handle_status(handle, set, CLATTER_REFUSED);
}

ClatterStatus clatter_get(ClatterSimulation* handle, int32_t n, const int32_t* variables,
                          double* values) {
    const ClatterStatus status = check_variables(handle, n, variables, values);
    if (status != CLATTER_OK) {
        return status;
    }
    for (int i = 0; i < n; i++) {
        const Status got = simulation_get(handle->simulation, variables[i], &values[i]);
        if (got != STATUS_OK) {
            return handle_status(handle, got, CLATTER_NOT_AVAILABLE);
        }
    }
    return CLATTER_OK;
}

const char* clatter_get_text(const ClatterSimulation* handle, int32_t variable) {
    const char* text = NULL;
    return clatter_usable(handle) &&
                   simulation_get_string(handle->simulation, variable, &text) == STATUS_OK
               ? text
               : NULL;
}

ClatterStatus clatter_get_derivatives(ClatterSimulation* handle, int32_t n,
                                      const int32_t* variables, double* values) {
    const ClatterStatus status = check_variables(handle, n, variables, values);
    if (status != CLATTER_OK) {
        return status;
    }
    for (int i = 0; i < n; i++) {
        const Status got = simulation_get_derivative(handle->simulation, variables[i], &values[i]);
        if (got != STATUS_OK) {
            return handle_status(handle, got, CLATTER_NOT_AVAILABLE);
        }
    }
    return CLATTER_OK;
}

ClatterStatus clatter_directional_derivative(ClatterSimulation* handle, int32_t n_unknowns,
                                             const int32_t* unknowns, int32_t n_knowns,
                                             const int32_t* knowns, const double* seed,
                                             double* derivative) {
    ClatterStatus status = check_variables(handle, n_unknowns, unknowns, derivative);
    if (status == CLATTER_OK) {
        status = check_variables(handle, n_knowns, knowns, seed);
    }
    if (status == CLATTER_OK && handle->phase == HANDLE_SET_UP) {
        status = handle_refuse(handle, "the motion has no start yet");
    }
    if (status != CLATTER_OK) {
        return status;
    }
    const Status got = simulation_directional_derivative(handle->simulation, unknowns, n_unknowns,
                                                         knowns, n_knowns, seed, derivative);
    return handle_status(handle, got, CLATTER_NOT_AVAILABLE);
}
