// The projected schemes and those of joints and contacts on velocity level: what each promises of
// penetration and joints, orders of convergence, what it cannot take.
#include "oscillator.h"

enum {  // values of solver.scheme
    MOREAU_JEAN = 1,
    PROJECTED = 3,
    COMBINED,
    ALPHA_VELOCITY,
    NEWMARK,
    PAOLI
};

// --- joints and contacts ---

// A double pendulum whose lower bob strikes a wall.
static const char pendulum[] =
    "<gravity y='-9.81'/>"
    "<planar_body name='a' mass='1' inertia='0.1' initial_x='1'>"
    "<point name='top' x='-1'/><point name='end'/></planar_body>"
    "<planar_body name='b' mass='2' inertia='0.1' initial_x='2'>"
    "<point name='top' x='-1'/><circle name='bob' radius='0.1'/></planar_body>"
    "<ground><line name='wall' x='-0.2' normal_angle='0'/></ground>"
    "<revolute name='p' first='a.top'/>"
    "<revolute name='r' first='b.top' second='a.end'/>"
    "<contact name='c' first='b.bob' second='ground.wall' normal_restitution='0.4'/>";

typedef struct Worst {
    double penetration, joints, joint_velocities;
    bool touched;
} Worst;

static Worst worst_of(const char* content, int scheme, double dt, int n) {
    Simulation* simulation = mechanism_start(content, scheme, dt);
    Worst worst = {0};
    for (int i = 0; i < n; i++) {
        advance(simulation, dt);
        worst.penetration = fmax(worst.penetration, value_of(simulation, "solver.penetration"));
        worst.joints = fmax(worst.joints, value_of(simulation, "solver.joint_violation"));
        worst.joint_velocities =
            fmax(worst.joint_velocities, value_of(simulation, "solver.joint_velocity_violation"));
        worst.touched = worst.touched || value_of(simulation, "c.normal_percussion") > 0.0;
    }
    assert_close(value_of(simulation, "solver.failed_steps"), 0.0, 0.0, "failed steps");
    assert_close(value_of(simulation, "solver.inexact_steps"), 0.0, 0.0, "inexact steps");
    simulation_destroy(simulation);
    return worst;
}

static void test_projected_positions_hold(void** state) {
    (void)state;
    for (int scheme = PROJECTED; scheme <= COMBINED; scheme++) {
        const Worst worst = worst_of(pendulum, scheme, 2e-3, 1000);
        assert_true(worst.touched);
        // joints to the tolerance, 1e-10, of what they hold apart and turn: some metres
        assert_true(worst.penetration < 1e-11 && worst.joints < 1e-9);
        assert_true(worst.joint_velocities < 1e-8);
    }
    // what there is to project
    const Worst worst = worst_of(pendulum, MOREAU_JEAN, 2e-3, 1000);
    assert_true(worst.penetration > 1e-4 && worst.joints > 1e-6);
}

static void test_joints_on_velocity_level(void** state) {
    (void)state;
    for (int scheme = ALPHA_VELOCITY; scheme <= NEWMARK; scheme++) {
        const Worst worst = worst_of(pendulum, scheme, 2e-3, 1000);
        assert_true(worst.touched);
        assert_true(worst.joint_velocities < 1e-8);
        assert_true(worst.joints < 0.1);
    }
}

static void test_laws_on_positions(void** state) {
    (void)state;
    const Worst worst = worst_of(pendulum, PAOLI, 2e-3, 1000);
    assert_true(worst.touched);
    assert_true(worst.joints < 1e-9);
}

// --- rest ---

static const char ball[] =
    "<gravity y='-10'/><planar_body name='b' mass='1' inertia='1' initial_y='0.5'>"
    "<circle name='s' radius='0.2'/></planar_body><ground><line name='floor'/></ground>"
    "<contact name='c' first='b.s' second='ground.floor' normal_restitution='0.5'/>";

static void test_comes_to_rest(void** state) {
    (void)state;
    for (int scheme = PROJECTED; scheme <= PAOLI; scheme++) {
        Simulation* simulation = mechanism_start(ball, scheme, 1e-3);
        advance(simulation, 2.0);
        assert_close(value_of(simulation, "c.normal_force"), 10.0, 1e-6, "weight");
        assert_close(value_of(simulation, "b.y"), 0.2, 5e-3, "height");
        simulation_destroy(simulation);
    }
}

// A weight falls onto a plate that stands on the floor: gaps that are closed have to stay so while
// another one is closed above them.
static void test_lands_on_what_stands(void** state) {
    (void)state;
    for (int scheme = PROJECTED; scheme <= PAOLI; scheme++) {
        Simulation* simulation = mechanism_start(
            "<gravity y='-10'/><planar_body name='plate' mass='2' inertia='0.1' initial_y='0.01'>"
            "<box name='feet' length='1' height='0.02'/><line name='top' y='0.01'/></planar_body>"
            "<point_mass name='weight' mass='1' initial_x='0.1' initial_y='0.52'>"
            "<point name='tip'/></point_mass><ground><line name='floor'/></ground>"
            "<contact name='stands' first='plate.feet' second='ground.floor'/>"
            "<contact name='lands' first='weight.tip' second='plate.top'/>",
            scheme, 1e-3);
        advance(simulation, 0.6);
        assert_close(value_of(simulation, "lands.normal_force"), 10.0, 1e-6, "weight");
        assert_close(value_of(simulation, "stands.total_normal_force"), 30.0, 1e-6, "both");
        assert_close(value_of(simulation, "weight.y"), 0.02, 5e-3, "height");
        simulation_destroy(simulation);
    }
}

// --- order ---

static double scheme_error(int scheme, double alpha, double dt) {
    return oscillator_error(dt, 2,
                            (NamedValue[]){{"solver.scheme", scheme}, {"solver.alpha", alpha}});
}

static void test_order_of_smooth_motion(void** state) {
    (void)state;
    for (int alpha = 1; alpha <= 3; alpha++) {
        const double order = log2(scheme_error(ALPHA_VELOCITY, alpha, 1.0 / 256) /
                                  scheme_error(ALPHA_VELOCITY, alpha, 1.0 / 512));
        assert_close(order, 2.0, 0.03, "order of generalized_alpha_velocity");
    }
    const double order =
        log2(scheme_error(NEWMARK, 1, 1.0 / 1024) / scheme_error(NEWMARK, 1, 1.0 / 2048));
    assert_close(order, 1.0, 0.03, "order of implicit_newmark");
}

// The trapezoidal rule is Moreau-Jean with theta = 1/2, CH after (35).
static void test_newmark_is_trapezoidal(void** state) {
    (void)state;
    assert_close(scheme_error(ALPHA_VELOCITY, 3, 1.0 / 64), scheme_error(MOREAU_JEAN, 1, 1.0 / 64),
                 1e-12, "error of the trapezoidal rule");
}

// --- bars, whose mass is no block ---

static void test_bar(void** state) {
    (void)state;
    Simulation* simulation = mechanism_start(
        "<elastic_bar name='bar' elements='20' length='1' area='1e-4' density='1000'"
        " youngs_modulus='1e6' initial_x='0.01' initial_velocity_x='-1'><point name='tip'/>"
        "</elastic_bar><ground><line name='wall' normal_angle='0'/></ground>"
        "<contact name='c' first='bar.tip' second='ground.wall'/>",
        ALPHA_VELOCITY, 2e-4);
    double largest = 0.0;
    for (int i = 0; i < 200; i++) {
        advance(simulation, 2e-4);
        largest = fmax(largest, value_of(simulation, "c.normal_force"));
    }
    // a wave of pressure sqrt(E rho) v A
    assert_true(largest > 3.0 && largest < 4.5);
    simulation_destroy(simulation);
}

// --- refusal ---

static void test_no_friction(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(ball);
    set_value(simulation, "c.friction_coefficient", 0.3);
    set_value(simulation, "solver.scheme", PAOLI);
    assert_int_not_equal(simulation_initialize(simulation, 0.0, NULL), STATUS_OK);
    assert_non_null(
        strstr(simulation_message(simulation), "schatzman_paoli cannot take contact c"));
    set_value(simulation, "c.friction_coefficient", 0.0);
    start(simulation);
    set_value(simulation, "c.friction_coefficient", 0.3);  // nor later
    assert_int_equal(simulation_advance(simulation, 1e-3, NULL), STATUS_NOT_ALLOWED);
    set_value(simulation, "c.friction_coefficient", 0.0);
    advance(simulation, 1e-3);
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projected_positions_hold),
        cmocka_unit_test(test_joints_on_velocity_level),
        cmocka_unit_test(test_laws_on_positions),
        cmocka_unit_test(test_comes_to_rest),
        cmocka_unit_test(test_lands_on_what_stands),
        cmocka_unit_test(test_order_of_smooth_motion),
        cmocka_unit_test(test_newmark_is_trapezoidal),
        cmocka_unit_test(test_bar),
        cmocka_unit_test(test_no_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
