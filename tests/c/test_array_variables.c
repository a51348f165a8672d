// Vectors found among scalar variables by their names.
#include "simulation/array_variables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define REAL(name_, causality_, unit_, of_)                                            \
    {                                                                                  \
        .name = (name_), .type = VARIABLE_REAL, .causality = CAUSALITY_##causality_,   \
        .variability = VARIABILITY_CONTINUOUS, .unit = (unit_), .derivative_of = (of_) \
    }

#define METRE UNIT_METRE
#define SPEED UNIT_METRE_PER_SECOND

static const Variable variables[] = {
    REAL("a.x", OUTPUT, METRE, -1),  // 0: a vector of the plane
    REAL("a.y", OUTPUT, METRE, -1),
    REAL("a.velocity_x", OUTPUT, SPEED, 0),  // 2: its derivative
    REAL("a.velocity_y", OUTPUT, SPEED, 1),
    REAL("b.c.x", OUTPUT, METRE, -1),  // 4: one of space
    REAL("b.c.y", OUTPUT, METRE, -1),
    REAL("b.c.z", OUTPUT, METRE, -1),
    REAL("d.x", OUTPUT, METRE, -1),  // 7: no vector, as y is no output,
    REAL("d.y", LOCAL, METRE, -1),
    REAL("e.x", OUTPUT, METRE, -1),  // 9: as it has another unit,
    REAL("e.y", OUTPUT, SPEED, -1),
    REAL("f.x", OUTPUT, METRE, -1),  // 11: as the name is taken,
    REAL("f.y", OUTPUT, METRE, -1),
    REAL("f.position", OUTPUT, METRE, -1),
    REAL("x", OUTPUT, METRE, -1),  // 14: and as it belongs to no element
    REAL("y", OUTPUT, METRE, -1),
    REAL("b.c.velocity_x", OUTPUT, SPEED, 4),  // 16: a derivative of the first two alone is none
    REAL("b.c.velocity_y", OUTPUT, SPEED, 5),
    REAL("g.quaternion_0", OUTPUT, UNIT_ONE, -1),  // 18: three parts are no quaternion
    REAL("g.quaternion_1", OUTPUT, UNIT_ONE, -1),
    REAL("g.quaternion_2", OUTPUT, UNIT_ONE, -1),
};
enum { N = sizeof variables / sizeof variables[0] };

int variable_find(const VariableTable* table, const char* name) {
    for (int i = 0; i < table->n_variables; i++) {
        if (strcmp(table->variables[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void test_vectors(void** state) {
    (void)state;
    static const ArrayVariable expected[] = {
        {"a.position", "", 2, {0, 1}, -1},
        {"a.velocity", "", 2, {2, 3}, 0},
        {"b.c.position", "", 3, {4, 5, 6}, -1},
        {"b.c.velocity", "", 2, {16, 17}, -1},
    };
    Arena arena = {0};
    ArrayTable arrays;
    const VariableTable table = {variables, N, NULL};
    assert_int_equal(array_variables_find(&table, &arena, &arrays), STATUS_OK);
    assert_int_equal(arrays.n_arrays, 4);
    for (int i = 0; i < 4; i++) {
        const ArrayVariable* array = &arrays.arrays[i];
        assert_string_equal(array->name, expected[i].name);
        assert_int_equal(array->n, expected[i].n);
        assert_memory_equal(array->elements, expected[i].elements, sizeof array->elements);
        assert_int_equal(array->derivative_of, expected[i].derivative_of);
    }
    assert_int_equal(array_variables_reference(&table, 2), N + 2);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
