// By names: a variable that is called as the first component of a vector makes one with those that
// are called as the others, of the same element.
#include "simulation/array_variables.h"

#include <stdio.h>
#include <string.h>

typedef struct VectorRule {
    const char* name;
    const char* help;
    const char* components[ARRAY_SIZE_MAX];
    int n_min;  // fewer are no vector
} VectorRule;

static const VectorRule vector_rules[] = {
    {"position", "position", {"x", "y", "z"}, 2},
    {"quaternion",
     "orientation as unit quaternion, real part first",
     {"quaternion_0", "quaternion_1", "quaternion_2", "quaternion_3"},
     4},
    {"velocity", "velocity", {"velocity_x", "velocity_y", "velocity_z"}, 2},
    {"angular_velocity",
     "angular velocity about the body's axes",
     {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"},
     3},
    {"acceleration", "acceleration", {"acceleration_x", "acceleration_y", "acceleration_z"}, 2},
    {"angular_acceleration",
     "angular acceleration about the body's axes",
     {"angular_acceleration_x", "angular_acceleration_y", "angular_acceleration_z"},
     3},
};

enum { N_RULES = sizeof vector_rules / sizeof vector_rules[0], NAME_SIZE = 1024 };

// The name of a variable or array of the same element; false if it is too long.
static bool sibling_name(const char* name, int n_prefix, const char* last, char out[NAME_SIZE]) {
    const int n = snprintf(out, NAME_SIZE, "%.*s%s", n_prefix, name, last);
    return n >= 0 && n < NAME_SIZE;
}

// Index of a real output of that name and unit, or -1.
static int find_component(const VariableTable* table, const char* name, UnitId unit) {
    const int i = variable_find(table, name);
    const Variable* variable = i < 0 ? NULL : &table->variables[i];
    return variable && variable->type == VARIABLE_REAL && variable->unit == unit &&
                   variable->causality == CAUSALITY_OUTPUT
               ? i
               : -1;
}

// The vector whose first component is variable first; n = 0 if there is none.
static ArrayVariable vector_from(const VariableTable* table, int first, const VectorRule* rule) {
    ArrayVariable array = {.help = rule->help, .derivative_of = -1};
    const Variable* variable = &table->variables[first];
    const char* dot = strrchr(variable->name, '.');
    const int n_prefix = dot ? (int)(dot + 1 - variable->name) : 0;
    char name[NAME_SIZE];
    if (!dot || strcmp(dot + 1, rule->components[0]) != 0) {
        return array;
    }
    while (array.n < ARRAY_SIZE_MAX && rule->components[array.n] &&
           sibling_name(variable->name, n_prefix, rule->components[array.n], name)) {
        const int i = find_component(table, name, variable->unit);
        if (i < 0) {
            break;
        }
        array.elements[array.n++] = (unsigned)i;
    }
    const bool named = sibling_name(variable->name, n_prefix, rule->name, name);
    if (array.n < rule->n_min || !named || variable_find(table, name) >= 0) {
        array.n = 0;
    }
    return array;
}

static const char* copy_name(const VariableTable* table, const ArrayVariable* array,
                             const VectorRule* rule, Arena* arena) {
    const char* first = table->variables[array->elements[0]].name;
    char name[NAME_SIZE];
    (void)sibling_name(first, (int)(strrchr(first, '.') + 1 - first), rule->name, name);
    return arena_copy(arena, name, strlen(name));
}

// Is every element the derivative of that of the other?
static bool is_derivative(const VariableTable* table, const ArrayVariable* array,
                          const ArrayVariable* of) {
    bool all = array->n == of->n;
    for (int i = 0; i < array->n && all; i++) {
        all = table->variables[array->elements[i]].derivative_of == (int)of->elements[i];
    }
    return all;
}

// Vectors of one element are made one after the other of their first components, which stand close
// together in the table: those before are looked at from the last one on.
static void find_derivative(const VariableTable* table, ArrayVariable* arrays, int i) {
    const int of = table->variables[arrays[i].elements[0]].derivative_of;
    for (int k = i - 1; of >= 0 && k >= 0 && arrays[i].derivative_of < 0; k--) {
        if ((int)arrays[k].elements[0] == of) {
            arrays[i].derivative_of = is_derivative(table, &arrays[i], &arrays[k]) ? k : -1;
            return;
        }
    }
}

Status array_variables_find(const VariableTable* table, Arena* arena, ArrayTable* arrays) {
    int n = 0;
    ArrayVariable* found = ARENA_NEW(arena, table->n_variables, ArrayVariable);
    if (!found) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < table->n_variables; i++) {
        for (int r = 0; r < N_RULES; r++) {
            ArrayVariable array = vector_from(table, i, &vector_rules[r]);
            if (array.n == 0) {
                continue;
            }
            array.name = copy_name(table, &array, &vector_rules[r], arena);
            if (!array.name) {
                return STATUS_OUT_OF_MEMORY;
            }
            found[n++] = array;
            find_derivative(table, found, n - 1);
        }
    }
    *arrays = (ArrayTable){found, n};
    return STATUS_OK;
}
