// The generalized-alpha scheme through the simulation's interface alone: forces at the start,
// sliding, sticking, impacts, joints and flexible bodies against analytic values, and the order of
// convergence. The Python tests go further; these are here so that sanitizers and valgrind see the
// scheme.
#include "mechanism.h"

#define ALPHA "<solver scheme='generalized_alpha' step_size='0.001'/>"

static const double gravity = 10.0;

// A mass of 2 kg that slides with 3 m/s on a floor with friction 0.5: 20 N up, 10 N back, it stops
// after 0.6 s and 0.9 m and stays.
static void test_sliding_mass(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        ALPHA
        "<gravity y='-10'/><point_mass name='m' mass='2' initial_velocity_x='3'><point name='p'/>"
        "</point_mass><ground><line name='floor'/></ground>"
        "<contact name='c' first='m.p' second='ground.floor' friction_coefficient='0.5'/>");
    start(simulation);
    assert_close(value_of(simulation, "c.normal_force"), 20.0, 1e-9, "normal force at the start");
    assert_close(value_of(simulation, "c.friction_force"), -10.0, 1e-9, "friction at the start");
    assert_close(value_of(simulation, "m.acceleration_x"), -5.0, 1e-9, "deceleration at the start");
    for (int i = 1; i <= 590; i++) {
        advance(simulation, 1e-3);
        const double t = 1e-3 * i;
        assert_close(value_of(simulation, "m.x"), 3.0 * t - 2.5 * t * t, 1e-9, "x");
        assert_close(value_of(simulation, "c.friction_force"), -10.0, 1e-7, "friction");
    }
    advance(simulation, 0.2);
    assert_close(value_of(simulation, "m.x"), 0.9, 1e-5, "where it stopped");
    assert_close(value_of(simulation, "m.velocity_x"), 0.0, 1e-9, "rest");
    assert_close(value_of(simulation, "c.state"), 3.0, 0.0, "it sticks");
    assert_close(value_of(simulation, "c.friction_force"), 0.0, 1e-6, "no friction at rest");
    simulation_destroy(simulation);
}

// A rod released from the horizontal: its hinge carries a quarter of its weight.
static void test_forces_at_the_start(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        ALPHA
        "<gravity y='-10'/><planar_body name='rod' mass='3' inertia='3/12' initial_x='0.5'>"
        "<point name='end' x='-0.5'/></planar_body>"
        "<revolute name='hinge' first='ground' second='rod.end'/>");
    start(simulation);
    assert_close(value_of(simulation, "hinge.force_y"), 0.25 * 3.0 * gravity, 1e-9, "hinge");
    assert_close(value_of(simulation, "hinge.force_x"), 0.0, 1e-9, "hinge");
    assert_close(value_of(simulation, "rod.angular_acceleration"), -1.5 * gravity, 1e-9, "rod");
    advance(simulation, 0.3);
    assert_close(value_of(simulation, "solver.joint_violation"), 0.0, 1e-12, "position");
    assert_close(value_of(simulation, "solver.joint_velocity_violation"), 0.0, 1e-10, "velocity");
    simulation_destroy(simulation);
}

// Two equal masses on rods of 1 m in the slower of their two small vibrations: the second angle is
// sqrt(2) times the first, the square of the frequency is (2 - sqrt(2)) g. At an amplitude of 1e-4
// the vibration is small to 1e-8.
static double double_pendulum_error(double dt) {
    static const double amplitude = 1e-4;
    Simulation* simulation = mechanism_new(
        "<solver scheme='generalized_alpha' project_start='yes'/><gravity y='-10'/>"
        "<point_mass name='a' mass='1' initial_x='1e-4' initial_y='-1'/>"
        "<point_mass name='b' mass='1' initial_x='1e-4*(1 + sqrt(2))' initial_y='-2'/>"
        "<distance name='upper' first='a' length='1'/>"
        "<distance name='lower' first='a' second='b' length='1'/>");
    set_value(simulation, "solver.step_size", dt);
    start(simulation);
    advance(simulation, 2.0);
    const double phase = 2.0 * sqrt((2.0 - sqrt(2.0)) * gravity);
    const double error =
        hypot(value_of(simulation, "a.x") / amplitude - cos(phase),
              value_of(simulation, "b.x") / amplitude - (1.0 + sqrt(2.0)) * cos(phase));
    simulation_destroy(simulation);
    return error;
}

static void test_order_of_a_double_pendulum(void** state) {
    (void)state;
    const double coarse = double_pendulum_error(1.0 / 64);
    const double fine = double_pendulum_error(1.0 / 128);
    assert_true(coarse < 0.01);
    assert_close(log2(coarse / fine), 2.0, 0.1, "order");
}

// Dropped from 0.8 m, restitution 1/2: it strikes at 0.4 s with 4 m/s and leaves with 2 m/s.
static void test_impact(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        ALPHA
        "<gravity y='-10'/><point_mass name='m' mass='2' initial_y='0.8'><point name='p'/>"
        "</point_mass><ground><line name='floor'/></ground>"
        "<contact name='c' first='m.p' second='ground.floor' normal_restitution='0.5'/>");
    start(simulation);
    assert_close(value_of(simulation, "c.normal_force"), 0.0, 0.0, "free at the start");
    double impulse = 0.0;
    for (int i = 0; i < 450; i++) {
        advance(simulation, 1e-3);
        impulse += value_of(simulation, "c.normal_impulse");
        assert_true(value_of(simulation, "c.gap") > -1e-12);
    }
    assert_close(impulse, 2.0 * (4.0 + 2.0), 0.05, "impulse");
    assert_close(value_of(simulation, "m.velocity_y"), 2.0 - gravity * 0.05, 0.02, "velocity");
    assert_close(value_of(simulation, "solver.last_impact_time"), 0.4, 2.1e-3, "time of impact");
    assert_close(value_of(simulation, "energy.dissipated_by_impact"), 0.5 * 2.0 * (16.0 - 4.0), 0.1,
                 "energy");
    simulation_destroy(simulation);
}

// In space: a ball too heavy to turn slides in any direction, with friction of two components.
static void test_ball_in_space(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        ALPHA
        "<gravity z='-10'/><spatial_body name='b' mass='2' inertia_xx='1e6' inertia_yy='1e6'"
        " inertia_zz='1e6' initial_z='0.1' initial_velocity_x='0.6' initial_velocity_y='-0.8'>"
        "<sphere name='s' radius='0.1'/></spatial_body><ground><plane name='floor'/></ground>"
        "<contact name='c' first='b.s' second='ground.floor' friction_coefficient='0.25'/>");
    start(simulation);
    assert_close(value_of(simulation, "c.normal_force"), 20.0, 1e-8, "normal force");
    assert_close(hypot(value_of(simulation, "c.friction_force_1"),
                       value_of(simulation, "c.friction_force_2")),
                 5.0, 1e-8, "friction at the start");
    advance(simulation, 0.2);
    assert_close(value_of(simulation, "b.velocity_x"), 0.6 * 0.5, 1e-6, "half of it is gone");
    assert_close(value_of(simulation, "b.velocity_y"), -0.8 * 0.5, 1e-6, "in its direction");
    simulation_destroy(simulation);
}

// A flywheel of 0.5 kg m2 with 2 rad/s in a hinge of space whose dry friction is 0.25 N m: it
// stands after 4 s and friction then carries nothing.
static void test_friction_in_a_hinge(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<solver scheme='generalized_alpha' step_size='0.01'/>"
        "<spatial_body name='b' mass='1' inertia_xx='0.5' inertia_yy='0.5' inertia_zz='0.5'"
        " initial_angular_velocity_z='2'/>"
        "<revolute name='h' first='ground' second='b' friction_torque='0.25'/>");
    start(simulation);
    advance(simulation, 1.0);
    assert_close(value_of(simulation, "b.angular_velocity_z"), 1.5, 1e-8, "after 1 s");
    assert_close(value_of(simulation, "h.acting_friction"), -0.25, 1e-8, "friction");
    advance(simulation, 4.0);
    assert_close(value_of(simulation, "b.angular_velocity_z"), 0.0, 1e-8, "stands");
    assert_close(value_of(simulation, "energy.dissipated_by_friction"), 1.0, 1e-3, "energy");
    simulation_destroy(simulation);
}

// An elastic bar that strikes a wall head on with e = 0 stays there until the wave has come back,
// 2 L/c = 0.2 s, under the pressure A sqrt(E rho) v = 20 N, and leaves as fast as it came.
static void test_elastic_bar(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<solver scheme='generalized_alpha' step_size='0.0005'/>"
        "<elastic_bar name='bar' length='1' elements='100' area='0.1' youngs_modulus='1000'"
        " density='10' initial_x='-1.0001' initial_velocity_x='2'><point name='tip' x='1'/>"
        "</elastic_bar><ground><line name='wall' normal_angle='pi'/></ground>"
        "<contact name='c' first='bar.tip' second='ground.wall'/>");
    start(simulation);
    double impulse = 0.0, pressed = 0.0;
    for (int i = 0; i < 600; i++) {
        advance(simulation, 5e-4);
        const double percussion = value_of(simulation, "c.normal_percussion");
        assert_true(value_of(simulation, "c.gap") > -1e-12);
        impulse += percussion;
        pressed += percussion > 0.0 ? 5e-4 : 0.0;
    }
    assert_true(value_of(simulation, "c.gap") > 0.0);
    assert_close(impulse, 2.0 * 2.0, 0.05, "it leaves as fast as it came");
    assert_close(pressed, 0.2, 0.01, "time of contact");
    simulation_destroy(simulation);
}

// A loop of hinges in space repeats three of its equations; a spring and a drive act on it.
static void test_redundant_loop(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        ALPHA
        "<gravity y='-10'/>"
        "<spatial_body name='a' mass='1' inertia_xx='0.01' inertia_yy='0.1' inertia_zz='0.1'"
        " initial_y='0.5' initial_rotation_z='pi/2'><point name='s' x='-0.5'/><point name='e' "
        "x='0.5'/>"
        "</spatial_body>"
        "<spatial_body name='b' mass='1' inertia_xx='0.01' inertia_yy='0.1' inertia_zz='0.1'"
        " initial_x='0.5' initial_y='1'><point name='s' x='-0.5'/><point name='e' x='0.5'/>"
        "</spatial_body>"
        "<spatial_body name='c' mass='1' inertia_xx='0.01' inertia_yy='0.1' inertia_zz='0.1'"
        " initial_x='1' initial_y='0.5' initial_rotation_z='pi/2'><point name='s' x='-0.5'/>"
        "<point name='e' x='0.5'/></spatial_body>"
        "<ground><point name='g'/><point name='h' x='1'/></ground>"
        "<revolute name='j1' first='ground.g' second='a.s'/>"
        "<revolute name='j2' first='a.e' second='b.s'/><revolute name='j3' first='b.e' "
        "second='c.e'/>"
        "<revolute name='j4' first='ground.h' second='c.s'/>"
        "<angle_drive name='d' first='ground.g' second='a.s' angle='pi/2 - 0.1*(1 - cos(5*t))'/>");
    start(simulation);
    advance(simulation, 0.5);
    const double angle = 3.14159265358979323846 / 2 - 0.1 * (1 - cos(2.5));
    assert_close(value_of(simulation, "b.x"), 0.5 + cos(angle), 1e-9, "parallelogram");
    assert_close(value_of(simulation, "b.y"), sin(angle), 1e-9, "parallelogram");
    assert_close(value_of(simulation, "solver.joint_violation"), 0.0, 1e-10, "violation");
    simulation_destroy(simulation);
}

// Steps of any split of time, after a restore, and after a reset: the same to the last bit.
static void test_repeatable(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        ALPHA
        "<gravity y='-10'/><planar_body name='b' mass='1' inertia='0.01' initial_y='0.3'"
        " initial_angle='0.4' initial_velocity_x='1'><box name='box' length='0.2' height='0.1'/>"
        "</planar_body><ground><line name='floor'/></ground>"
        "<contact name='c' first='b.box' second='ground.floor' friction_coefficient='0.3'"
        " normal_restitution='0.3'/>");
    start(simulation);
    advance(simulation, 0.3);
    const Snapshot middle = saved(simulation);
    advance(simulation, 0.3);
    const double x = value_of(simulation, "b.x"), angle = value_of(simulation, "b.angle");
    assert_int_equal(restored(simulation, middle), STATUS_OK);
    for (int i = 0; i < 300; i++) {
        advance(simulation, 1e-3);
    }
    assert_true(value_of(simulation, "b.x") == x && value_of(simulation, "b.angle") == angle);
    simulation_reset(simulation);
    start(simulation);
    advance(simulation, 0.6);
    assert_true(value_of(simulation, "b.x") == x && value_of(simulation, "b.angle") == angle);
    free(middle.bytes);
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_mass),
        cmocka_unit_test(test_forces_at_the_start),
        cmocka_unit_test(test_order_of_a_double_pendulum),
        cmocka_unit_test(test_impact),
        cmocka_unit_test(test_ball_in_space),
        cmocka_unit_test(test_friction_in_a_hinge),
        cmocka_unit_test(test_elastic_bar),
        cmocka_unit_test(test_redundant_loop),
        cmocka_unit_test(test_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
