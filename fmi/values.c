// Variables by value reference, with the checks of FMI: type, causality, variability, range.
#include "fmi/values.h"

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

const Variable* values_find(Instance* instance, Call call, unsigned vr, TypeSet types) {
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

const ArrayVariable* values_array(const Instance* instance, unsigned vr) {
    const ArrayTable* table = &instance->events.arrays;
    const unsigned first = array_variables_reference(instance->variables, 0);
    return vr >= first && vr - first < (unsigned)table->n_arrays ? &table->arrays[vr - first]
                                                                 : NULL;
}

Elements values_elements(const Instance* instance, const unsigned* vr) {
    const ArrayVariable* array = values_array(instance, *vr);
    return array ? (Elements){array->elements, (size_t)array->n} : (Elements){vr, 1};
}

// --- get ---

// Common beginning: arrays given, outputs known.
static bool can_get(Instance* instance, Call call, const unsigned vr[], size_t n,
                    const void* value) {
    if (n > 0 && (!vr || !value)) {
        (void)instance_refuse(instance, call, "an array is NULL");
        return false;
    }
    return instance_initialize_if_needed(instance, call);
}

static bool get_number(Instance* instance, Call call, unsigned vr, TypeSet types, double* value) {
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
                    instance_call_name(instance, call), variable->name,
                    number_text(simulation_time(instance->simulation)).text);
    }
    *value = number;
    return true;
}

FmiStatus values_get(Instance* instance, Call call, const unsigned vr[], size_t n, TypeSet types,
                     void* values, PutValue* put) {
    if (!can_get(instance, call, vr, n, values)) {
        return FMI_ERROR;
    }
    for (size_t i = 0; i < n; i++) {
        double number;
        if (!get_number(instance, call, vr[i], types, &number)) {
            return FMI_ERROR;
        }
        put(values, i, number);
    }
    return FMI_OK;
}

FmiStatus values_get_string(Instance* instance, const unsigned vr[], size_t n,
                            const char* value[]) {
    if (!can_get(instance, CALL_GET_STRING, vr, n, value)) {
        return FMI_ERROR;
    }
    for (size_t i = 0; i < n; i++) {
        const Variable* variable = values_find(instance, CALL_GET_STRING, vr[i], TYPES_STRING);
        if (!variable) {
            return FMI_ERROR;
        }
        Status status = simulation_get_string(instance->simulation, (int)vr[i], &value[i]);
        if (status != STATUS_OK) {
            return instance_refuse(instance, CALL_GET_STRING, "%s cannot be read: %s",
                                   variable->name, status_text(status));
        }
    }
    return FMI_OK;
}

// --- set ---

static bool may_be_set(Instance* instance, Call call, const Variable* variable) {
    if (variable->causality != CAUSALITY_PARAMETER && variable->causality != CAUSALITY_INPUT) {
        (void)instance_refuse(instance, call, "%s is of causality \"%s\" and cannot be set",
                              variable->name, causality_names[variable->causality]);
        return false;
    }
    Mode mode = instance_mode(instance);
    if (mode == MODE_INTERMEDIATE_UPDATE && variable->causality != CAUSALITY_INPUT) {
        (void)instance_refuse(instance, call, "%s is no input: it cannot be set in state \"%s\"",
                              variable->name, instance->version->mode_names[mode]);
        return false;
    }
    if (variable->variability == VARIABILITY_FIXED && mode != MODE_INSTANTIATED &&
        mode != MODE_INITIALIZATION) {
        (void)instance_refuse(
            instance, call,
            "%s is a fixed parameter: it cannot be set after initialization, in state \"%s\"",
            variable->name, instance->version->mode_names[mode]);
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
                    instance_call_name(instance, call), variable->name, number_text(given).text,
                    number_text(min).text, number_text(max).text, number_text(*taken).text);
    }
    return true;
}

FmiStatus values_set(Instance* instance, Call call, const unsigned vr[], size_t n, TypeSet types,
                     const void* values, ValueAt* value_at) {
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
            return FMI_ERROR;
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
               ? FMI_OK
               : instance_refuse(instance, call, "%s (%s)",
                                 simulation_message(instance->simulation), status_text(status));
}

FmiStatus values_set_string(Instance* instance, const unsigned vr[], size_t n,
                            const char* const value[]) {
    if (n == 0) {
        return FMI_OK;
    }
    if (!vr || !value) {
        return instance_refuse(instance, CALL_SET_STRING, "an array is NULL");
    }
    const Variable* variable = values_find(instance, CALL_SET_STRING, vr[0], TYPES_STRING);
    if (!variable) {
        return FMI_ERROR;
    }
    return instance_refuse(instance, CALL_SET_STRING, "%s is text, which cannot be set",
                           variable->name);
}
