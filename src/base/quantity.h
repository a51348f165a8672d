// Types of the values that users see, and their enumerations.
#pragma once

#include <stddef.h>

#include "base/unit.h"

typedef enum VariableType {
    VARIABLE_REAL,
    VARIABLE_INTEGER,
    VARIABLE_BOOLEAN,
    VARIABLE_ENUMERATION,
    VARIABLE_STRING,
} VariableType;

// An enumeration's values are 1 ... n_items.
typedef struct EnumerationItem {
    const char* name;
    const char* help;
} EnumerationItem;

typedef struct EnumerationType {
    const char* name;
    const char* help;
    const EnumerationItem* items;  // (n_items)
    int n_items;
    size_t stride;  // bytes from one to the next if they stand within larger things; 0: they do not
} EnumerationType;

static inline const EnumerationItem* enumeration_item(const EnumerationType* type, int i) {
    const size_t stride = type->stride > 0 ? type->stride : sizeof(EnumerationItem);
    return (const EnumerationItem*)(const void*)((const char*)type->items + (size_t)i * stride);
}
