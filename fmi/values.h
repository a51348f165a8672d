// Reading and writing variables by FMI value reference. Each is made only after instance_accepts.
//
// A set call applies all of its values or none, checked together: in which order they come does not
// matter.
#pragma once

#include "fmi/instance.h"

fmi2Status values_get_real(Instance* instance, const fmi2ValueReference vr[], size_t n,
                           fmi2Real value[]);
fmi2Status values_get_integer(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              fmi2Integer value[]);
fmi2Status values_get_boolean(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              fmi2Boolean value[]);
fmi2Status values_get_string(Instance* instance, const fmi2ValueReference vr[], size_t n,
                             fmi2String value[]);

fmi2Status values_set_real(Instance* instance, const fmi2ValueReference vr[], size_t n,
                           const fmi2Real value[]);
fmi2Status values_set_integer(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              const fmi2Integer value[]);
fmi2Status values_set_boolean(Instance* instance, const fmi2ValueReference vr[], size_t n,
                              const fmi2Boolean value[]);
fmi2Status values_set_string(Instance* instance, const fmi2ValueReference vr[], size_t n,
                             const fmi2String value[]);

// The types that one FMI function serves, as bits.
typedef enum TypeSet {
    TYPES_REAL = 1 << VARIABLE_REAL,
    TYPES_INTEGER = 1 << VARIABLE_INTEGER | 1 << VARIABLE_ENUMERATION,
    TYPES_BOOLEAN = 1 << VARIABLE_BOOLEAN,
    TYPES_STRING = 1 << VARIABLE_STRING,
} TypeSet;

// The variable, or NULL with the reason logged if there is none or it has another type.
const Variable* values_find(Instance* instance, Call call, fmi2ValueReference vr, TypeSet types);
