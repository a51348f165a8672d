// Variables by value reference, with the checks of FMI: type, causality, variability, range.
#include "fmi/values.h"

#include <limits.h>
#include <math.h>

static const char* const causality_names[] = {
    [CAUSALITY_PARAMETER] = "parameter",  [CAUSALITY_CALCULATED_PARAMETER] = "calculated parameter",
    [CAUSALITY_INPUT] = "input",          [CAUSALITY_OUTPUT] = "output",
    [CAUSALITY_LOCAL] = "local variable", [CAUSALITY_INDEPENDENT] = "independent variable",
};

static const char* const type_names[] = {
    [VARIABLE_REAL] = "Real",       [VARIABLE_INTEGER] = "Integer",
    [VARIABLE_BOOLEAN] = "Boolean", [VARIABLE_ENUMERATION] = "Enumeration",
    [VARIABLE_STRING] = "String",
};

const Variable* values_find(Instance* instance, Call call, fmi2ValueReference vr, TypeSet types) {
    if (vr >= (unsigned)instance->variables->n_variables) {
        (void)instance_refuse(instance, call, "there is no variable with value reference %u", vr);
        return NULL;
    }
    const Variable* variable = &instance->variables->variables[vr];
    if (!((unsigned)types >> variable->type & 1u)) {
        (void)instance_refuse(instance, call, "%s is of type %s", variable->name,
                              type_names[variable->type]);
        return NULL;
    }
    return variable;
}

// --- get ---

// Common beginning: arrays given, outputs known.
static bool can_get(Instance* instance, Call call, const fmi2ValueReference vr[], size_t n,
                    const void* value) {
    if (n > 0 && (!vr || !value)) {
        (void)instance_refuse(instance, call, "an array is NULL");
        return false;
    }
    return instance_initialize_if_needed(instance, call);
}

static bool get_number(Instance* instance, Call call, fmi2ValueReference vr, TypeSet types,
                       double* value) {
    const Variable* variable = values_find(instance, call, vr, types);
    if (!variable) {
        return false;
    }
    double number;
    Status status = simulation_get(instance->simulation, (int)vr, &number);
    if (status == STATUS_OK && !isfinite(number)) {
        status = STATUS_NOT_FINITE;
    }
    if (status != STATUS_OK) {
        (void)instance_refuse(instance, call, "%s cannot be read: %s", variable->name,
                              status_text(status));
        return false;
    }
    if (variable->from_accelerations && !simulation_accelerations_exist(instance->simulation) &&
        instance_should_warn(instance, variable)) {
        logger_tell(&instance->logger, LOG_WARNING,
                    "%s: %s does not exist at %s, as the contact laws have no solution there: it "
                    "reads 0, now and without further warning",
                    call_name(call), variable->name,
                    number_text(simulation_time(instance->simulation)).text);
    }
    *value = number;
    return true;
}

// Counters may outgrow FMI's 32 bits: they stay at the largest value then.
static fmi2Integer to_integer(double value) {
    if (!(value > INT_MIN)) {
        return isnan(value) ? 0 : INT_MIN;
    }
    return value < INT_MAX ? (fmi2Integer)value : INT_MAX;
}

fmi2Status values_get_real(Instance* instance, const fmi2ValueReference vr[], size_t n,
                           fmi2Real value[]) {
    if (!can_get(instance, CALL_GET_REAL, vr, n, value)) {
        return fmi2Error;
    }
    for (size_t i = 0; i < n; i++) {
        if (!get_number(instance, CALL_GET_REAL, vr[i], TYPES_REAL, &value[i])) {
            return fmi2Error;
        }
    }
    return fmi2OK;
}

fmi2Status values_get_integer(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              fmi2Integer value[]) {
    if (!can_get(instance, CALL_GET_INTEGER, vr, n, value)) {
        return fmi2Error;
    }
    for (size_t i = 0; i < n; i++) {
        double number;
        if (!get_number(instance, CALL_GET_INTEGER, vr[i], TYPES_INTEGER, &number)) {
            return fmi2Error;
        }
        value[i] = to_integer(number);
    }
    return fmi2OK;
}

fmi2Status values_get_boolean(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              fmi2Boolean value[]) {
    if (!can_get(instance, CALL_GET_BOOLEAN, vr, n, value)) {
        return fmi2Error;
    }
    for (size_t i = 0; i < n; i++) {
        double number;
        if (!get_number(instance, CALL_GET_BOOLEAN, vr[i], TYPES_BOOLEAN, &number)) {
            return fmi2Error;
        }
        value[i] = number != 0.0 ? fmi2True : fmi2False;
    }
    return fmi2OK;
}

fmi2Status values_get_string(Instance* instance, const fmi2ValueReference vr[], size_t n,
                             fmi2String value[]) {
    if (!can_get(instance, CALL_GET_STRING, vr, n, value)) {
        return fmi2Error;
    }
    for (size_t i = 0; i < n; i++) {
        const Variable* variable = values_find(instance, CALL_GET_STRING, vr[i], TYPES_STRING);
        if (!variable) {
            return fmi2Error;
        }
        Status status = simulation_get_string(instance->simulation, (int)vr[i], &value[i]);
        if (status != STATUS_OK) {
            return instance_refuse(instance, CALL_GET_STRING, "%s cannot be read: %s",
                                   variable->name, status_text(status));
        }
    }
    return fmi2OK;
}

// --- set ---

// One kind of array of values, read as doubles.
typedef double ValueAt(const void* values, size_t i);

static double real_at(const void* values, size_t i) { return ((const fmi2Real*)values)[i]; }
static double integer_at(const void* values, size_t i) { return ((const fmi2Integer*)values)[i]; }
static double boolean_at(const void* values, size_t i) {
    return ((const fmi2Boolean*)values)[i] != fmi2False ? 1.0 : 0.0;
}

static bool may_be_set(Instance* instance, Call call, const Variable* variable) {
    if (variable->causality != CAUSALITY_PARAMETER && variable->causality != CAUSALITY_INPUT) {
        (void)instance_refuse(instance, call, "%s is of causality \"%s\" and cannot be set",
                              variable->name, causality_names[variable->causality]);
        return false;
    }
    Mode mode = instance_mode(instance);
    if (variable->variability == VARIABILITY_FIXED && mode != MODE_INSTANTIATED &&
        mode != MODE_INITIALIZATION) {
        (void)instance_refuse(
            instance, call,
            "%s is a fixed parameter: it cannot be set after initialization, in state \"%s\"",
            variable->name, mode_name(mode));
        return false;
    }
    return true;
}

// What rounding makes of a bound on its way through a host, relative to it; of a bound that is 0,
// in the variable's unit.
static const double ROUNDING = 1e-9;
static const double ROUNDING_AT_ZERO = 1e-12;

// Values of real inputs beyond their range are taken as the bound: a controller's output may well
// be there. Parameters are what somebody has written down: only rounding is forgiven.
static bool is_taken_as_bound(const Variable* variable, double value, double bound) {
    const double rounding = bound != 0.0 ? ROUNDING * fabs(bound) : ROUNDING_AT_ZERO;
    return variable->type == VARIABLE_REAL &&
           (variable->causality == CAUSALITY_INPUT || fabs(value - bound) <= rounding);
}

// The value that the variable gets for the one that the host gives; false, and the reason logged,
// if it cannot be taken.
static bool take_value(Instance* instance, Call call, const Variable* variable, double given,
                       double* taken) {
    if (!isfinite(given)) {
        (void)instance_refuse(instance, call, "%s must be a finite number, not %s", variable->name,
                              number_text(given).text);
        return false;
    }
    const bool enumeration = variable->type == VARIABLE_ENUMERATION;
    const double min = enumeration ? 1.0 : variable->min;
    const double max = enumeration ? variable->enumeration->n_items : variable->max;
    *taken = fmin(fmax(given, min), max);
    if (*taken == given) {
        return true;
    }
    if (!is_taken_as_bound(variable, given, *taken)) {
        (void)instance_refuse(instance, call, "%s = %s is outside its range %s ... %s",
                              variable->name, number_text(given).text, number_text(min).text,
                              number_text(max).text);
        return false;
    }
    if (instance_should_warn(instance, variable)) {
        logger_tell(&instance->logger, LOG_WARNING,
                    "%s: %s = %s is outside its range %s ... %s: %s is taken instead, now and "
                    "without further warning",
                    call_name(call), variable->name, number_text(given).text, number_text(min).text,
                    number_text(max).text, number_text(*taken).text);
    }
    return true;
}

static fmi2Status set_numbers(Instance* instance, Call call, const fmi2ValueReference vr[],
                              size_t n, TypeSet types, const void* values, ValueAt* value_at) {
    if (n > 0 && (!vr || !values)) {
        return instance_refuse(instance, call, "an array is NULL");
    }
    if (n > (size_t)instance->variables->n_variables) {
        return instance_refuse(instance, call, "more values than the model has variables");
    }
    for (size_t i = 0; i < n; i++) {
        const Variable* variable = values_find(instance, call, vr[i], types);
        if (!variable || !may_be_set(instance, call, variable) ||
            !take_value(instance, call, variable, value_at(values, i), &instance->values[i])) {
            return fmi2Error;
        }
    }
    if (n > 0 && instance_mode(instance) == MODE_INITIALIZATION) {
        simulation_set_up(instance->simulation);
        instance->must_initialize = true;
    }
    // The references were checked to be indices, for which signed and unsigned look the same.
    Status status =
        simulation_set_all(instance->simulation, (const int*)vr, instance->values, (int)n);
    return status == STATUS_OK
               ? fmi2OK
               : instance_refuse(instance, call, "%s (%s)",
                                 simulation_message(instance->simulation), status_text(status));
}

fmi2Status values_set_real(Instance* instance, const fmi2ValueReference vr[], size_t n,
                           const fmi2Real value[]) {
    return set_numbers(instance, CALL_SET_REAL, vr, n, TYPES_REAL, value, real_at);
}

fmi2Status values_set_integer(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              const fmi2Integer value[]) {
    return set_numbers(instance, CALL_SET_INTEGER, vr, n, TYPES_INTEGER, value, integer_at);
}

fmi2Status values_set_boolean(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              const fmi2Boolean value[]) {
    return set_numbers(instance, CALL_SET_BOOLEAN, vr, n, TYPES_BOOLEAN, value, boolean_at);
}

fmi2Status values_set_string(Instance* instance, const fmi2ValueReference vr[], size_t n,
                             const fmi2String value[]) {
    if (n == 0) {
        return fmi2OK;
    }
    if (!vr || !value) {
        return instance_refuse(instance, CALL_SET_STRING, "an array is NULL");
    }
    const Variable* variable = values_find(instance, CALL_SET_STRING, vr[0], TYPES_STRING);
    if (!variable) {
        return fmi2Error;
    }
    return instance_refuse(instance, CALL_SET_STRING, "%s is text, which cannot be set",
                           variable->name);
}
