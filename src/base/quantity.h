// Types of the values that users see, and their enumerations.
#pragma once

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
} EnumerationType;
