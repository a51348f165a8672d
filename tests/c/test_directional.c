// Directional derivatives of outputs with respect to inputs and tunable parameters, and time
// derivatives of outputs, through the simulation's interface: analytic values for sliding,
// sticking and jointed bodies, with every scheme that takes them.
#include "mechanism.h"

// In the order of the enumeration; the last one has no friction.
static const char* const schemes[] = {
    "moreau_jean",          "generalized_alpha",          "moreau_jean_projected",
    "moreau_jean_combined", "generalized_alpha_velocity", "implicit_newmark",
    "schatzman_paoli"};
enum { N_SCHEMES = sizeof schemes / sizeof schemes[0], N_WITH_FRICTION = N_SCHEMES - 1 };

// The mechanism with the k-th scheme, set by its number in the enumeration.
static Simulation* started(const char* content, int k) {
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "solver.scheme", k + 1.0);
    start(simulation);
    return simulation;
}

static Status derivative(Simulation* simulation, const char* unknown, const char* known,
                         double* value) {
    const int of = index_of(simulation, unknown), to = index_of(simulation, known);
    const double seed = 1.0;
    return simulation_directional_derivative(simulation, &of, 1, &to, 1, &seed, value);
}

static double derivative_of(Simulation* simulation, const char* unknown, const char* known) {
    double value = NAN;
    if (derivative(simulation, unknown, known, &value) != STATUS_OK) {
        fail_msg("d %s / d %s: %s", unknown, known, simulation_message(simulation));
    }
    return value;
}

// A sled of 2 kg on a floor with friction 0.5 under 10 m/s2: it sticks below a push of 10 N.
static const char sled[] =
    "<solver step_size='0.001'/><gravity y='-10'/><input name='push'/>"
    "<parameter name='grip' value='0.5' tunable='true'/>"
    "<point_mass name='m' mass='2'><point name='p'/></point_mass><ground><line "
    "name='floor'/></ground>"
    "<force name='f' on='m' x='push'/>"
    "<contact name='c' first='m.p' second='ground.floor' friction_coefficient='grip'/>";

static void test_sliding(void** state) {
    (void)state;
    for (int k = 0; k < N_WITH_FRICTION; k++) {
        Simulation* simulation = started(sled, k);
        set_value(simulation, "push", 16.0);
        advance(simulation, 0.1);
        assert_close(value_of(simulation, "m.acceleration_x"), 3.0, 1e-8, schemes[k]);
        assert_close(derivative_of(simulation, "m.acceleration_x", "push"), 0.5, 1e-9, schemes[k]);
        assert_close(derivative_of(simulation, "m.acceleration_x", "grip"), -10.0, 1e-8,
                     schemes[k]);
        assert_close(derivative_of(simulation, "m.acceleration_y", "push"), 0.0, 1e-9, schemes[k]);
        assert_close(derivative_of(simulation, "m.x", "push"), 0.0, 0.0, schemes[k]);
        double slope = NAN;
        assert_int_equal(
            simulation_get_derivative(simulation, index_of(simulation, "m.velocity_x"), &slope),
            STATUS_OK);
        assert_close(slope, 3.0, 1e-8, schemes[k]);
        simulation_destroy(simulation);
    }
}

static void test_sticking(void** state) {
    (void)state;
    for (int k = 0; k < N_WITH_FRICTION; k++) {
        Simulation* simulation = started(sled, k);
        set_value(simulation, "push", 4.0);
        advance(simulation, 0.1);
        assert_close(value_of(simulation, "m.acceleration_x"), 0.0, 1e-9, schemes[k]);
        assert_close(derivative_of(simulation, "m.acceleration_x", "push"), 0.0, 1e-9, schemes[k]);
        assert_close(derivative_of(simulation, "m.acceleration_x", "grip"), 0.0, 1e-9, schemes[k]);
        simulation_destroy(simulation);
    }
}

// A rod on a hinge with a motor, in the plane and in space: alpha = torque / (I + m l^2).
static void test_joints(void** state) {
    (void)state;
    static const char plane[] =
        "<solver step_size='0.001'/><input name='torque'/>"
        "<planar_body name='rod' mass='3' inertia='0.25' initial_x='0.5'><point name='end' "
        "x='-0.5'/>"
        "</planar_body><revolute name='hinge' first='ground' second='rod.end'/>"
        "<torque name='motor' on='rod' value='torque'/>";
    static const char space[] =
        "<solver step_size='0.001'/><input name='torque'/>"
        "<spatial_body name='rod' mass='3' inertia_xx='0.25' inertia_yy='0.25' inertia_zz='0.25'"
        " initial_x='0.5'><point name='end' x='-0.5'/></spatial_body>"
        "<revolute name='hinge' first='ground' second='rod.end'/>"
        "<torque name='motor' on='rod' z='torque'/>";
    for (int k = 0; k < 2 * N_SCHEMES; k++) {
        const bool in_space = k >= N_SCHEMES;
        Simulation* simulation = started(in_space ? space : plane, k % N_SCHEMES);
        const char* unknown = in_space ? "rod.angular_acceleration_z" : "rod.angular_acceleration";
        set_value(simulation, "torque", 2.0);
        advance(simulation, 0.01);
        assert_close(value_of(simulation, unknown), 2.0, 1e-6, unknown);
        assert_close(derivative_of(simulation, unknown, "torque"), 1.0, 1e-9, unknown);
        simulation_destroy(simulation);
    }
}

// What cannot be asked for.
static void test_refused(void** state) {
    (void)state;
    for (int k = 0; k < N_WITH_FRICTION; k++) {
        Simulation* simulation = started(sled, k);
        advance(simulation, 0.01);
        double value = 7.0;
        assert_int_not_equal(derivative(simulation, "m.x", "m.mass", &value), STATUS_OK);
        assert_int_not_equal(derivative(simulation, "push", "push", &value), STATUS_OK);
        simulation_destroy(simulation);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_sticking),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
