// Derivatives asked for or given through FMI: checks, then the simulation's own.
#include "fmi/derivatives.h"

#include <limits.h>
#include <math.h>

#include "fmi/values.h"

// Wrong use is an error; a quantity that does not exist at this point is discarded, so that a host
// can go on without it.
static FmiStatus fail(Instance* instance, Call call, const char* what, Status status) {
    if (status != STATUS_NOT_AVAILABLE) {
        return instance_refuse(instance, call, "%s: %s", what, status_text(status));
    }
    logger_write(&instance->logger, LOG_DISCARD, "%s: %s: %s", instance_call_name(instance, call),
                 what, status_text(status));
    return FMI_DISCARD;
}

// Arrays given, every variable a real of that causality, every order 1.
static bool orders_are_good(Instance* instance, Call call, const unsigned vr[], size_t n,
                            const int order[], const void* value, Causality causality) {
    if (n > 0 && (!vr || !order || !value)) {
        (void)instance_refuse(instance, call, "an array is NULL");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const Variable* variable = values_find(instance, call, vr[i], TYPES_REAL);
        if (!variable) {
            return false;
        }
        if (variable->causality != causality) {
            (void)instance_refuse(instance, call, "%s is not an %s", variable->name,
                                  causality == CAUSALITY_INPUT ? "input" : "output");
            return false;
        }
        if (order[i] != 1) {
            (void)instance_refuse(instance, call, "order %d of %s: only order 1 is offered",
                                  order[i], variable->name);
            return false;
        }
    }
    return true;
}

FmiStatus derivatives_set_inputs(Instance* instance, const unsigned vr[], size_t n,
                                 const int order[], const double value[]) {
    const Call call = CALL_SET_REAL_INPUT_DERIVATIVES;
    if (!orders_are_good(instance, call, vr, n, order, value, CAUSALITY_INPUT)) {
        return FMI_ERROR;
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            return instance_refuse(instance, call, "the slope of %s must be a finite number",
                                   instance->variables->variables[vr[i]].name);
        }
    }
    for (size_t i = 0; i < n; i++) {
        Status status = simulation_set_slope(instance->simulation, (int)vr[i], value[i]);
        if (status != STATUS_OK) {
            return fail(instance, call, instance->variables->variables[vr[i]].name, status);
        }
    }
    if (n > 0 && instance_mode(instance) == MODE_INITIALIZATION) {
        simulation_set_up(instance->simulation);
        instance->must_initialize = true;
    }
    return FMI_OK;
}

FmiStatus derivatives_get_outputs(Instance* instance, const unsigned vr[], size_t n,
                                  const int order[], double value[]) {
    const Call call = CALL_GET_OUTPUT_DERIVATIVES;
    if (!orders_are_good(instance, call, vr, n, order, value, CAUSALITY_OUTPUT)) {
        return FMI_ERROR;
    }
    for (size_t i = 0; i < n; i++) {
        Status status = simulation_get_derivative(instance->simulation, (int)vr[i], &value[i]);
        if (status != STATUS_OK) {
            return fail(instance, call, instance->variables->variables[vr[i]].name, status);
        }
    }
    return FMI_OK;
}

static bool unknowns_are_good(Instance* instance, Call call, const unsigned vr[], size_t n) {
    for (size_t i = 0; i < n; i++) {
        const Variable* variable = values_find(instance, call, vr[i], TYPES_REAL);
        if (!variable) {
            return false;
        }
        if (variable->causality != CAUSALITY_OUTPUT) {
            (void)instance_refuse(instance, call, "unknown %s is not an output", variable->name);
            return false;
        }
    }
    return true;
}

static bool knowns_are_good(Instance* instance, Call call, const unsigned vr[], size_t n,
                            const double seed[]) {
    for (size_t i = 0; i < n; i++) {
        const Variable* variable = values_find(instance, call, vr[i], TYPES_REAL);
        if (!variable) {
            return false;
        }
        bool tunable = variable->causality == CAUSALITY_PARAMETER &&
                       variable->variability == VARIABILITY_TUNABLE;
        if (variable->causality != CAUSALITY_INPUT && !tunable) {
            (void)instance_refuse(instance, call,
                                  "known %s is neither an input nor a tunable parameter",
                                  variable->name);
            return false;
        }
        if (!isfinite(seed[i])) {
            (void)instance_refuse(instance, call, "the seed of %s must be a finite number",
                                  variable->name);
            return false;
        }
    }
    return true;
}

FmiStatus derivatives_get_directional(Instance* instance, const unsigned unknowns[],
                                      size_t n_unknowns, const unsigned knowns[], size_t n_knowns,
                                      const double seed[], double derivative[]) {
    const Call call = CALL_GET_DIRECTIONAL_DERIVATIVE;
    if ((n_unknowns > 0 && (!unknowns || !derivative)) || (n_knowns > 0 && (!knowns || !seed))) {
        return instance_refuse(instance, call, "an array is NULL");
    }
    if (n_unknowns > INT_MAX || n_knowns > INT_MAX) {
        return instance_refuse(instance, call, "too many variables");
    }
    if (!unknowns_are_good(instance, call, unknowns, n_unknowns) ||
        !knowns_are_good(instance, call, knowns, n_knowns, seed) ||
        !instance_initialize_if_needed(instance, call)) {
        return FMI_ERROR;
    }
    // The references were checked to be indices, for which signed and unsigned look the same.
    const bool starts = instance_mode(instance) == MODE_INITIALIZATION;
    Status status = (starts ? simulation_start_derivative : simulation_directional_derivative)(
        instance->simulation, (const int*)unknowns, (int)n_unknowns, (const int*)knowns,
        (int)n_knowns, seed, derivative);
    if (status != STATUS_OK) {
        return fail(instance, call, simulation_message(instance->simulation), status);
    }
    return FMI_OK;
}
