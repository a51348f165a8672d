// The motion through values that are set: that of smooth functions, and what it does at jumps.
#include "system/motion.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

static void assert_near(double value, double expected, double error) {
    assert_true(fabs(value - expected) <= error);
}

// The motion through f at 0, h, 2 h ... up to n h
static Motion through(double (*f)(double), double h, int n) {
    Motion motion;
    motion_rest(&motion, 0.0, f(0.0));
    for (int i = 0; i < n; i++) {
        motion_continue(&motion, i * h, (i + 1) * h, f((i + 1) * h));
    }
    return motion;
}

static double parabola(double t) { return 1.0 - 2.0 * t + 3.0 * t * t; }

static void test_values_are_reached_and_the_motion_is_continuous(void** state) {
    (void)state;
    Motion motion;
    motion_rest(&motion, 0.0, 0.5);
    static const double values[] = {0.5, 2.0, 2.0, -1.0, -1.5, 7.0, 7.0};
    double t = 0.0;
    for (int i = 0; i < 7; i++) {
        const double before = motion_at(&motion, t).v;
        const double t_1 = t + 0.1 * (1 + i % 3);  // steps of different lengths
        motion_continue(&motion, t, t_1, values[i]);
        assert_near(motion_at(&motion, t).v, before, 1e-15 * (1.0 + fabs(values[i])));
        assert_true(motion_at(&motion, t_1).v == values[i]);
        t = t_1;
    }
}

static void test_a_parabola_is_exact_after_three_values(void** state) {
    (void)state;
    const double h = 0.1;
    const Motion motion = through(parabola, h, 4);
    for (double t = 3 * h; t <= 4 * h; t += h / 7) {
        const Jet jet = motion_at(&motion, t);
        assert_near(jet.v, parabola(t), 1e-13);
        assert_near(jet.d, -2.0 + 6.0 * t, 1e-12);
        assert_near(jet.dd, 6.0, 1e-11);
    }
}

// Values to rounding, velocities of second and accelerations of first order in the distance
static void test_orders_for_a_smooth_function(void** state) {
    (void)state;
    double error_d[2];
    double error_dd[2];
    for (int k = 0; k < 2; k++) {
        const double h = 0.01 / (k + 1);
        const Motion motion = through(sin, h, 60 * (k + 1));
        const Jet jet = motion_at(&motion, 0.6);
        assert_near(jet.v, sin(0.6), 1e-15);
        error_d[k] = fabs(jet.d - cos(0.6));
        error_dd[k] = fabs(jet.dd + sin(0.6));
    }
    assert_near(log2(error_d[0] / error_d[1]), 2.0, 0.05);
    assert_near(log2(error_dd[0] / error_dd[1]), 1.0, 0.05);
}

// From rest to another value: straight, and at rest again if it is kept, without going beyond it
static void test_a_jump_is_straight(void** state) {
    (void)state;
    Motion motion;
    motion_rest(&motion, 1.0, 2.0);
    motion_continue(&motion, 1.0, 1.5, 3.0);
    assert_near(motion_at(&motion, 1.25).v, 2.5, 1e-15);
    assert_true(motion_at(&motion, 1.0).d == 2.0 && motion_at(&motion, 1.5).d == 2.0);
    motion_continue(&motion, 1.5, 1.7, 3.0);
    const Jet jet = motion_at(&motion, 1.6);
    assert_true(jet.v == 3.0 && jet.d == 0.0 && jet.dd == 0.0);
}

// A step that ended early goes on from where the motion is.
static void test_going_on_from_within(void** state) {
    (void)state;
    Motion motion;
    motion_rest(&motion, 0.0, 0.0);
    motion_continue(&motion, 0.0, 1.0, 4.0);
    motion_continue(&motion, 0.25, 0.5, 0.0);
    assert_near(motion_at(&motion, 0.25).v, 1.0, 1e-15);
    assert_true(motion_at(&motion, 0.5).v == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_reached_and_the_motion_is_continuous),
        cmocka_unit_test(test_a_parabola_is_exact_after_three_values),
        cmocka_unit_test(test_orders_for_a_smooth_function),
        cmocka_unit_test(test_a_jump_is_straight),
        cmocka_unit_test(test_going_on_from_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
