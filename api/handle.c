#include "api/handle.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

ClatterStatus handle_refuse(ClatterSimulation* handle, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_format(handle->message, sizeof handle->message, format, arguments);
    va_end(arguments);
    return CLATTER_REFUSED;
}

ClatterStatus handle_status(ClatterSimulation* handle, Status status, ClatterStatus otherwise) {
    if (status == STATUS_OK) {
        return CLATTER_OK;
    }
    const char* message = simulation_message(handle->simulation);
    (void)handle_refuse(handle, "%s", message[0] != '\0' ? message : status_text(status));
    switch (status) {
        case STATUS_NOT_ALLOWED:
            return CLATTER_REFUSED;
        case STATUS_OUT_OF_MEMORY:
            return CLATTER_NO_MEMORY;
        default:
            return otherwise;
    }
}

ClatterStatus handle_check(ClatterSimulation* handle) {
    if (handle == NULL) {
        return CLATTER_REFUSED;
    }
    if (handle->simulation == NULL) {
        (void)handle_refuse(handle, "the model cannot be used: %d problems were found",
                            handle->problems.n_problems);
        return CLATTER_UNUSABLE;
    }
    return CLATTER_OK;
}

ClatterStatus handle_check_array(ClatterSimulation* handle, long long n, const void* array,
                                 const char* what) {
    if (n < 0) {
        return handle_refuse(handle, "the number of %s is negative", what);
    }
    return n > 0 && array == NULL ? handle_refuse(handle, "the array of %s is NULL", what)
                                  : CLATTER_OK;
}

ClatterStatus handle_check_numbers(ClatterSimulation* handle, int n, const int32_t* variables) {
    const VariableTable* table = simulation_variables(handle->simulation);
    for (int i = 0; i < n; i++) {
        if (variables[i] < 0 || variables[i] >= table->n_variables) {
            return handle_refuse(handle, "there is no variable %d", (int)variables[i]);
        }
        if (table->variables[variables[i]].type == VARIABLE_STRING) {
            return handle_refuse(handle, "%s is a text", table->variables[variables[i]].name);
        }
    }
    return CLATTER_OK;
}
