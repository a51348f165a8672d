// fmi3Get and fmi3Set of the types that variables have. Arrays are read element by element; none of
// them can be set. Each value is checked and converted by values.h.
#include <string.h>

#include "fmi/values.h"
#include "fmi3Functions.h"

static fmi3Status to_fmi3(FmiStatus status) { return (fmi3Status)status; }

// --- get ---

// False, and the reason logged, if the sizes of the variables do not add up to n_values.
static bool sizes_fit(Instance* instance, Call call, const fmi3ValueReference vr[], size_t n,
                      size_t n_values) {
    if (n > 0 && !vr) {
        (void)instance_refuse(instance, call, "an array is NULL");
        return false;
    }
    size_t sum = 0;
    for (size_t i = 0; i < n && sum <= n_values; i++) {
        sum += values_elements(instance, &vr[i]).n;
    }
    if (sum != n_values) {
        (void)instance_refuse(instance, call,
                              "the variables do not have %zu values, for which the array is",
                              n_values);
    }
    return sum == n_values;
}

// values of n_bytes each
static fmi3Status get(Instance* instance, Call call, const fmi3ValueReference vr[], size_t n,
                      TypeSet types, void* values, size_t n_values, size_t n_bytes, PutValue* put) {
    if (!instance_accepts(instance, call) || !sizes_fit(instance, call, vr, n, n_values)) {
        return fmi3Error;
    }
    if (n > 0 && !values) {
        return to_fmi3(instance_refuse(instance, call, "an array is NULL"));
    }
    char* at = values;
    for (size_t i = 0; i < n; i++) {
        const Elements elements = values_elements(instance, &vr[i]);
        const FmiStatus status =
            values_get(instance, call, elements.vr, elements.n, types, at, put);
        if (status != FMI_OK) {
            return to_fmi3(status);
        }
        at += elements.n * n_bytes;
    }
    return fmi3OK;
}

static void put_float64(void* values, size_t i, double value) { ((fmi3Float64*)values)[i] = value; }
static void put_int64(void* values, size_t i, double value) {
    ((fmi3Int64*)values)[i] = (fmi3Int64)value;  // counters stay far below 2^63
}
static void put_boolean(void* values, size_t i, double value) {
    ((fmi3Boolean*)values)[i] = value != 0.0;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, fmi3Float64 values[], size_t nValues) {
    return get(instance, CALL_GET_REAL, valueReferences, nValueReferences, TYPES_REAL, values,
               nValues, sizeof *values, put_float64);
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Int64 values[], size_t nValues) {
    return get(instance, CALL_GET_INTEGER, valueReferences, nValueReferences, TYPES_INTEGER, values,
               nValues, sizeof *values, put_int64);
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, fmi3Boolean values[], size_t nValues) {
    return get(instance, CALL_GET_BOOLEAN, valueReferences, nValueReferences, TYPES_BOOLEAN, values,
               nValues, sizeof *values, put_boolean);
}

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, fmi3String values[], size_t nValues) {
    return to_fmi3(
        instance_accepts(instance, CALL_GET_STRING) &&
                sizes_fit(instance, CALL_GET_STRING, valueReferences, nValueReferences, nValues)
            ? values_get_string(instance, valueReferences, nValueReferences, values)
            : FMI_ERROR);
}

// --- set ---

static bool may_be_set(Instance* instance, Call call, const fmi3ValueReference vr[], size_t n,
                       size_t n_values) {
    if (!instance_accepts(instance, call) || !sizes_fit(instance, call, vr, n, n_values)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const ArrayVariable* array = values_array(instance, vr[i]);
        if (array) {
            (void)instance_refuse(instance, call, "%s is an output and cannot be set", array->name);
            return false;
        }
    }
    return true;
}

static fmi3Status set(Instance* instance, Call call, const fmi3ValueReference vr[], size_t n,
                      TypeSet types, const void* values, size_t n_values, ValueAt* value_at) {
    if (!may_be_set(instance, call, vr, n, n_values)) {
        return fmi3Error;
    }
    const FmiStatus status = values_set(instance, call, vr, n, types, values, value_at);
    instance->events.inputs_set |= status == FMI_OK;
    return to_fmi3(status);
}

static double float64_at(const void* values, size_t i) { return ((const fmi3Float64*)values)[i]; }
static double int64_at(const void* values, size_t i) {
    return (double)((const fmi3Int64*)values)[i];
}
static double boolean_at(const void* values, size_t i) {
    return ((const fmi3Boolean*)values)[i] ? 1.0 : 0.0;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, const fmi3Float64 values[], size_t nValues) {
    return set(instance, CALL_SET_REAL, valueReferences, nValueReferences, TYPES_REAL, values,
               nValues, float64_at);
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Int64 values[], size_t nValues) {
    return set(instance, CALL_SET_INTEGER, valueReferences, nValueReferences, TYPES_INTEGER, values,
               nValues, int64_at);
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, const fmi3Boolean values[], size_t nValues) {
    return set(instance, CALL_SET_BOOLEAN, valueReferences, nValueReferences, TYPES_BOOLEAN, values,
               nValues, boolean_at);
}

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const fmi3String values[], size_t nValues) {
    return to_fmi3(may_be_set(instance, CALL_SET_STRING, valueReferences, nValueReferences, nValues)
                       ? values_set_string(instance, valueReferences, nValueReferences, values)
                       : FMI_ERROR);
}
