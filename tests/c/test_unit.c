// The table of units: complete, unique, found by name, consistent with the mechanics.
#include "mechanism.h"

#include "base/unit.h"

static void test_table(void** state) {
    (void)state;
    for (int i = 0; i < UNIT_COUNT; i++) {
        const Unit* unit = unit_get((UnitId)i);
        assert_non_null(unit->name);
        assert_int_equal(unit_find(unit->name), i);  // unique, too
        if (unit->display_name != NULL) {
            assert_true(unit->display_factor > 0.0);
            assert_string_not_equal(unit->display_name, unit->name);
        }
    }
    assert_string_equal(unit_get(UNIT_ONE)->name, "1");
}

static void test_unknown_names(void** state) {
    (void)state;
    static const char* const unknown[] = {"", "meter", "M", "N ", "kg.m.s", "%s"};
    for (unsigned i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_int_equal(unit_find(unknown[i]), UNIT_COUNT);
    }
}

static void assert_product(UnitId product, UnitId a, int power_a, UnitId b, int power_b) {
    const Unit* p = unit_get(product);
    const Unit* x = unit_get(a);
    const Unit* y = unit_get(b);
    assert_int_equal(p->kg, power_a * x->kg + power_b * y->kg);
    assert_int_equal(p->m, power_a * x->m + power_b * y->m);
    assert_int_equal(p->s, power_a * x->s + power_b * y->s);
    assert_int_equal(p->rad, power_a * x->rad + power_b * y->rad);
}

static void test_exponents(void** state) {
    (void)state;
    assert_product(UNIT_METRE_PER_SECOND, UNIT_METRE, 1, UNIT_SECOND, -1);
    assert_product(UNIT_METRE_PER_SECOND_SQUARED, UNIT_METRE, 1, UNIT_SECOND, -2);
    assert_product(UNIT_RADIAN_PER_SECOND, UNIT_RADIAN, 1, UNIT_SECOND, -1);
    assert_product(UNIT_RADIAN_PER_SECOND_SQUARED, UNIT_RADIAN, 1, UNIT_SECOND, -2);
    assert_product(UNIT_KILOGRAM_METRE_SQUARED, UNIT_KILOGRAM, 1, UNIT_METRE, 2);
    assert_product(UNIT_NEWTON, UNIT_KILOGRAM, 1, UNIT_METRE_PER_SECOND_SQUARED, 1);
    assert_product(UNIT_NEWTON_METRE, UNIT_NEWTON, 1, UNIT_METRE, 1);
    assert_product(UNIT_NEWTON_SECOND, UNIT_NEWTON, 1, UNIT_SECOND, 1);
    assert_product(UNIT_NEWTON_PER_METRE, UNIT_NEWTON, 1, UNIT_METRE, -1);
    assert_product(UNIT_NEWTON_SECOND_PER_METRE, UNIT_NEWTON_SECOND, 1, UNIT_METRE, -1);
    assert_product(UNIT_NEWTON_METRE_PER_RADIAN, UNIT_NEWTON_METRE, 1, UNIT_RADIAN, -1);
    assert_product(UNIT_NEWTON_METRE_SECOND_PER_RADIAN, UNIT_NEWTON_METRE_PER_RADIAN, 1,
                   UNIT_SECOND, 1);
    assert_product(UNIT_JOULE, UNIT_NEWTON, 1, UNIT_METRE, 1);
}

static void test_display_units(void** state) {
    (void)state;
    assert_close(unit_get(UNIT_RADIAN)->display_factor * acos(-1.0), 180.0, 1e-13, "degrees");
    assert_close(unit_get(UNIT_RADIAN_PER_SECOND)->display_factor * 2.0 * acos(-1.0), 60.0, 1e-13,
                 "revolutions per minute");
    assert_close(unit_get(UNIT_METRE)->display_factor, 1000.0, 0.0, "millimetres");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_exponents),
        cmocka_unit_test(test_display_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
