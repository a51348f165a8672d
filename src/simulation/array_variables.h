// Vectors among the scalar variables: ball.position is (ball.x, ball.y, ball.z). FMI 3.0 shows them
// beside the scalars; nothing else knows of them.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "simulation/variable.h"

enum { ARRAY_SIZE_MAX = 4 };

typedef struct ArrayVariable {
    const char* name;  // "ball.position"; no variable of the table has it
    const char* help;
    int n;                              // 2 in the plane, 3 or 4 in space
    unsigned elements[ARRAY_SIZE_MAX];  // (n) indices in the table: real outputs of one unit
    int derivative_of;                  // index of the array of which this is the derivative, or -1
} ArrayVariable;

typedef struct ArrayTable {
    const ArrayVariable* arrays;  // (n_arrays)
    int n_arrays;
} ArrayTable;

// All vectors of which every component is an output. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status array_variables_find(const VariableTable* table, Arena* arena,
                                       ArrayTable* arrays);

// Of a table with n scalar variables the value reference of array i is n + i.
static inline unsigned array_variables_reference(const VariableTable* table, int i) {
    return (unsigned)(table->n_variables + i);
}
