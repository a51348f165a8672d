// Reading and writing variables by FMI value reference. Each is made only after instance_accepts.
//
// A set call applies all of its values or none, checked together: in which order they come does not
// matter.
#pragma once

#include "fmi/instance.h"

// The types that one FMI function serves, as bits.
typedef enum TypeSet {
    TYPES_REAL = 1 << VARIABLE_REAL,
    TYPES_INTEGER = 1 << VARIABLE_INTEGER | 1 << VARIABLE_ENUMERATION,
    TYPES_BOOLEAN = 1 << VARIABLE_BOOLEAN,
    TYPES_STRING = 1 << VARIABLE_STRING,
    TYPES_ALL = TYPES_REAL | TYPES_INTEGER | TYPES_BOOLEAN | TYPES_STRING,
} TypeSet;

// One kind of array of values, written and read as doubles.
typedef void PutValue(void* values, size_t i, double value);
typedef double ValueAt(const void* values, size_t i);

FmiStatus values_get(Instance* instance, Call call, const unsigned vr[], size_t n, TypeSet types,
                     void* values, PutValue* put);
FmiStatus values_set(Instance* instance, Call call, const unsigned vr[], size_t n, TypeSet types,
                     const void* values, ValueAt* value_at);
FmiStatus values_get_string(Instance* instance, const unsigned vr[], size_t n, const char* value[]);
FmiStatus values_set_string(Instance* instance, const unsigned vr[], size_t n,
                            const char* const value[]);

// The variable, or NULL with the reason logged if there is none or it has another type.
const Variable* values_find(Instance* instance, Call call, unsigned vr, TypeSet types);

// The scalars of which a variable of FMI 3.0 consists: those of an array, or itself, *vr.
typedef struct Elements {
    const unsigned* vr;  // (n)
    size_t n;
} Elements;

// The array with that value reference, or NULL: it is that of a scalar, or of nothing.
const ArrayVariable* values_array(const Instance* instance, unsigned vr);
Elements values_elements(const Instance* instance, const unsigned* vr);
