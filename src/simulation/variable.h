// What a user of a model can see and set: one table, read by the FMI functions, the writer of
// modelDescription.xml, the command line and the CSV columns alike.
#pragma once

#include <stdbool.h>

#include "base/quantity.h"

typedef enum Causality {
    CAUSALITY_PARAMETER,             // set by the user
    CAUSALITY_CALCULATED_PARAMETER,  // an expression of parameters
    CAUSALITY_INPUT,
    CAUSALITY_OUTPUT,
    CAUSALITY_LOCAL,        // can be read, is no output
    CAUSALITY_INDEPENDENT,  // time
} Causality;

typedef enum Variability {
    VARIABILITY_FIXED,    // set before the end of initialisation
    VARIABILITY_TUNABLE,  // may be set between steps
    VARIABILITY_DISCRETE,
    VARIABILITY_CONTINUOUS,
} Variability;

// Where a variable's value lives; known to the simulation alone.
typedef enum Store {
    STORE_PARAMETER,  // p[at]
    STORE_INPUT,      // input[at]
    STORE_OUTPUT,     // y[at], computed on demand
    STORE_TIME,
    STORE_MESSAGE,  // text: why the last failed step failed
} Store;

typedef struct Variable {
    const char* name;  // "ball.velocity_x"; unique in the table
    const char* help;
    VariableType type;
    Causality causality;
    Variability variability;
    UnitId unit;                         // of a real
    const EnumerationType* enumeration;  // of an enumeration, else NULL
    double start;                        // of parameters and inputs (calculated ones too)
    double min, max;                     // -INFINITY, INFINITY where there is no bound
    double nominal;                      // 0 where there is none
    int derivative_of;        // index of the variable of which this is the derivative, or -1
    int derivative;           // index of the variable that is its derivative, or -1
    bool from_accelerations;  // needs the contact laws solved for accelerations
    const int* known_inputs;  // (n_known_inputs) inputs on which it depends directly
    int n_known_inputs;
    const int* known_initially;  // (n_known_initially) parameters and inputs that fix its
    int n_known_initially;       // value in initialisation mode
    Store store;
    int at;
} Variable;

// The index of a variable is its FMI value reference.
typedef struct VariableTable {
    const Variable* variables;  // (n_variables)
    int n_variables;
    const int* by_name;  // (n_variables) indices sorted by name
} VariableTable;

// Index of the variable of that name, or -1.
int variable_find(const VariableTable* table, const char* name);
