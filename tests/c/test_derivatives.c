// Derivatives of outputs: in time, in inputs and in tunable parameters.
#include "mechanism.h"

static const char content[] =
    "<experiment start_time='1' stop_time='3'/><solver step_size='0.002'/><gravity y='-9.81'/>"
    "<parameter name='size' value='0.1' min='0.01' max='1'/>"
    "<parameter name='area' value='size^2' max='0.5'/>"
    "<parameter name='grip' value='0.3' tunable='true'/><input name='push' min='-50' max='50'/>"
    "<planar_body name='b' mass='2' inertia='0.4*area*2' initial_y='0.5' initial_velocity_x='1'>"
    "<circle name='rim' radius='size'/></planar_body><ground><line name='floor'/></ground>"
    "<spring_damper name='k' first='b' stiffness='5' damping='0.1' free_length='0.2'/>"
    "<force name='f' on='b.rim' x='push'/>"
    "<contact name='c' first='b.rim' second='ground.floor' friction_coefficient='grip'"
    " normal_restitution='0.4'/>";

// Outputs' derivatives against differences over a tiny step.
static void test_time_derivatives(void** state) {
    (void)state;
    static const char* const names[] = {
        "b.x",
        "b.y",
        "b.angle",
        "b.velocity_x",
        "b.velocity_y",
        "b.angular_velocity",
        "c.gap",
        "c.sliding_velocity",
        "energy.kinetic",
        "energy.potential",
        "energy.total",
    };
    enum { N = sizeof names / sizeof names[0] };
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "solver.step_size", 1e-6);
    set_value(simulation, "solver.theta", 0.5);
    set_value(simulation, "b.initial_angular_velocity", 3.0);
    start(simulation);
    set_value(simulation, "push", 4.0);
    double before[N];
    double rate[N];
    for (int i = 0; i < N; i++) {
        before[i] = value_of(simulation, names[i]);
        assert_int_equal(
            simulation_get_derivative(simulation, index_of(simulation, names[i]), &rate[i]),
            STATUS_OK);
    }
    advance(simulation, 1e-6);
    for (int i = 0; i < N; i++) {
        assert_close(rate[i], (value_of(simulation, names[i]) - before[i]) / 1e-6, 2e-4, names[i]);
    }
    double value;
    assert_int_equal(
        simulation_get_derivative(simulation, index_of(simulation, "c.normal_percussion"), &value),
        STATUS_NOT_AVAILABLE);
    assert_int_equal(simulation_get_derivative(simulation, index_of(simulation, "c.state"), &value),
                     STATUS_NOT_ALLOWED);
    simulation_destroy(simulation);
}

static void test_directional_derivatives(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    start(simulation);
    advance(simulation, 0.05);
    unsigned char* before = saved(simulation);
    const int unknowns[] = {index_of(simulation, "b.acceleration_x"),
                            index_of(simulation, "b.acceleration_y"), index_of(simulation, "b.x")};
    const int push = index_of(simulation, "push");
    const double seed = 3.0;
    double derivative[3];
    assert_int_equal(
        simulation_directional_derivative(simulation, unknowns, 3, &push, 1, &seed, derivative),
        STATUS_OK);
    assert_close(derivative[0], 1.5, 1e-9, "d a_x / d push");  // 3/m
    assert_close(derivative[1], 0.0, 1e-9, "d a_y / d push");
    assert_close(derivative[2], 0.0, 1e-9, "d x / d push");
    const int knowns[] = {index_of(simulation, "gravity.y"), index_of(simulation, "k.stiffness")};
    const double seeds[] = {1.0, 0.0};
    assert_int_equal(
        simulation_directional_derivative(simulation, unknowns, 2, knowns, 2, seeds, derivative),
        STATUS_OK);
    assert_close(derivative[1], 1.0, 1e-9, "d a_y / d g");
    assert_same(simulation, before);
    const int fixed = index_of(simulation, "b.mass");
    const double nan_seed = NAN;
    assert_int_equal(
        simulation_directional_derivative(simulation, unknowns, 1, &fixed, 1, &seed, derivative),
        STATUS_NOT_ALLOWED);
    assert_int_equal(
        simulation_directional_derivative(simulation, unknowns, 1, &push, 1, &nan_seed, derivative),
        STATUS_NOT_FINITE);
    assert_int_equal(
        simulation_directional_derivative(simulation, &push, 1, &push, 1, &seed, derivative),
        STATUS_NOT_ALLOWED);
    assert_same(simulation, before);
    free(before);
    simulation_destroy(simulation);
}

// A block that sticks does not answer to a small push, one that slides does; on the verge there is
// no derivative.
static void test_directional_derivatives_of_friction(void** state) {
    (void)state;
    static const double pushes[] = {0.5, 5.0, 3.0};  // limit: mu m g = 3
    static const double expected[] = {0.0, 1.0, NAN};
    for (int i = 0; i < 3; i++) {
        Simulation* simulation = mechanism_new(
            "<gravity y='-10'/><input name='push'/><point_mass name='m' mass='1'><point name='p'/>"
            "</point_mass><ground><line name='floor'/></ground><force name='f' on='m' x='push'/>"
            "<contact name='c' first='m.p' second='ground.floor' friction_coefficient='0.3'/>");
        set_value(simulation, "push", pushes[i]);
        start(simulation);
        const int unknown = index_of(simulation, "m.acceleration_x");
        const int known = index_of(simulation, "push");
        const double seed = 1.0;
        double derivative = 0.0;
        const Status status = simulation_directional_derivative(simulation, &unknown, 1, &known, 1,
                                                                &seed, &derivative);
        if (isnan(expected[i])) {
            assert_int_equal(status, STATUS_NOT_AVAILABLE);
        } else {
            assert_int_equal(status, STATUS_OK);
            assert_close(derivative, expected[i], 1e-9, "d a / d push");
        }
        simulation_destroy(simulation);
    }
}

// Inputs with a slope are followed inside a step: theta = 1/2 takes the middle.
static void test_input_slope(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<solver step_size='0.01'/><input name='push'/><point_mass name='m' mass='1'/>"
        "<force name='f' on='m' x='push'/>");
    start(simulation);
    set_value(simulation, "push", 1.0);
    assert_int_equal(simulation_set_slope(simulation, index_of(simulation, "push"), 4.0),
                     STATUS_OK);
    advance(simulation, 1.0);
    assert_close(value_of(simulation, "m.velocity_x"), 1.0 + 2.0, 1e-12, "velocity");
    assert_close(value_of(simulation, "m.acceleration_x"), 5.0, 1e-12, "acceleration");
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_derivatives),
        cmocka_unit_test(test_directional_derivatives),
        cmocka_unit_test(test_directional_derivatives_of_friction),
        cmocka_unit_test(test_input_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
