// The Lobatto scheme: its order in smooth motion of any kind, impacts anywhere in a step, springs
// that are too stiff for a step, what it leaves as it was when it fails.
#include <math.h>

#include "mechanism.h"

enum { LOBATTO = 8 };  // value of solver.scheme

static Simulation* begin(const char* content, int stages, double dt) {
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "solver.scheme", LOBATTO);
    set_value(simulation, "solver.stages", stages);
    set_value(simulation, "solver.step_size", dt);
    set_value(simulation, "solver.tolerance", 1e-13);
    start(simulation);
    return simulation;
}

// --- order ---

static const char PENDULUM[] =
    "<gravity y='-9.81'/>"
    "<planar_body name='a' mass='1' inertia='0.1' initial_x='1'>"
    "<point name='top' x='-1'/><point name='end'/></planar_body>"
    "<planar_body name='b' mass='2' inertia='0.1' initial_x='2'>"
    "<point name='top' x='-1'/></planar_body>"
    "<revolute name='p' first='a.top'/><revolute name='r' first='b.top' second='a.end'/>";
static const char TOP[] =  // on a spherical joint
    "<gravity z='-9.81'/>"
    "<spatial_body name='b' mass='1' inertia_xx='0.2' inertia_yy='0.3' inertia_zz='0.1' "
    "initial_y='1' initial_velocity_x='2' initial_angular_velocity_y='4' "
    "initial_angular_velocity_z='-2'><frame name='tip' y='-1'/></spatial_body>"
    "<spherical name='pivot' first='b.tip'/>";
static const char ROLLS[] =  // joints on velocity level; an eccentric disc
    "<gravity y='-9.81'/>"
    "<planar_body name='b' mass='1' inertia='0.004' initial_x='0.03' initial_y='0.1' "
    "initial_velocity_x='-0.5' initial_velocity_y='0.15' initial_angular_velocity='5'>"
    "<circle name='rim' x='-0.03' radius='0.1'/></planar_body>"
    "<ground><line name='floor'/></ground>"
    "<rolling name='c' first='b.rim' second='ground.floor'/>";
static const char STICKS[] =  // the same by friction
    "<gravity y='-9.81'/>"
    "<planar_body name='b' mass='1' inertia='0.004' initial_x='0.03' initial_y='0.1' "
    "initial_velocity_x='-0.5' initial_velocity_y='0.15' initial_angular_velocity='5'>"
    "<circle name='rim' x='-0.03' radius='0.1'/></planar_body>"
    "<ground><line name='floor'/></ground>"
    "<contact name='c' first='b.rim' second='ground.floor' friction_coefficient='2'/>";
static const char TURNS[] =  // sliding in a direction that turns
    "<gravity z='-9.81'/>"
    "<spatial_body name='b' mass='1' inertia_xx='0.004' inertia_yy='0.005' inertia_zz='0.006' "
    "initial_z='0.1' initial_velocity_x='2' initial_angular_velocity_x='14' "
    "initial_angular_velocity_y='-10' initial_angular_velocity_z='12'>"
    "<sphere name='skin' radius='0.1'/></spatial_body>"
    "<ground><plane name='floor'/></ground>"
    "<contact name='c' first='b.skin' second='ground.floor' friction_coefficient='0.2'/>";

// x and y of body b after a time
static void place(const char* content, int stages, double dt, double t, double* x) {
    Simulation* simulation = begin(content, stages, dt);
    advance(simulation, t);
    x[0] = value_of(simulation, "b.x");
    x[1] = value_of(simulation, "b.y");
    assert_close(value_of(simulation, "solver.inexact_steps"), 0.0, 0.0, "inexact steps");
    assert_close(value_of(simulation, "solver.retried_steps"), 0.0, 0.0, "retried steps");
    simulation_destroy(simulation);
}

static void test_order(void** state) {
    (void)state;
    static const struct {
        const char* content;
        double t, dt;
    } cases[] = {{PENDULUM, 0.4, 0.02},
                 {TOP, 0.4, 0.04},
                 {ROLLS, 0.24, 0.02},
                 {STICKS, 0.24, 0.02},
                 {TURNS, 0.16, 0.02}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double exact[2];
        place(cases[i].content, 5, cases[i].dt / 4.0, cases[i].t, exact);
        for (int s = 2; s <= 4; s++) {
            double error[2];
            for (int k = 0; k < 2; k++) {
                double x[2];
                place(cases[i].content, s, cases[i].dt / (1 + k), cases[i].t, x);
                error[k] = hypot(x[0] - exact[0], x[1] - exact[1]);
            }
            const double order = log2(error[0] / error[1]);
            if (!(fabs(order - (2 * s - 2)) < 0.4)) {
                fail_msg("case %zu, %d stages: order %g, errors %g and %g", i, s, order, error[0],
                         error[1]);
            }
        }
    }
}

// As LO prints it, friction that sticks along a curve is of order s - 1.
static void test_friction_at_the_stages(void** state) {
    (void)state;
    double x[3][2];
    for (int k = 0; k < 3; k++) {
        Simulation* simulation = mechanism_new(STICKS);
        set_value(simulation, "solver.scheme", LOBATTO);
        set_value(simulation, "solver.stages", k < 2 ? 3 : 5);
        set_value(simulation, "solver.stage_friction", k < 2 ? 2 : 1);
        set_value(simulation, "solver.step_size", 0.01 / (1 + k));
        start(simulation);
        advance(simulation, 0.24);
        x[k][0] = value_of(simulation, "b.x");
        x[k][1] = value_of(simulation, "b.y");
        simulation_destroy(simulation);
    }
    const double order = log2(hypot(x[0][0] - x[2][0], x[0][1] - x[2][1]) /
                              hypot(x[1][0] - x[2][0], x[1][1] - x[2][1]));
    assert_close(order, 2.0, 0.2, "order");
}

// --- impacts ---

// A ball that meets the floor anywhere in its step leaves it with e times its speed, and does not
// penetrate.
static void test_impacts_anywhere_in_a_step(void** state) {
    (void)state;
    for (int s = 2; s <= 5; s++) {
        for (int k = 1; k < 10; k++) {
            char content[512];
            snprintf(content, sizeof content,
                     "<planar_body name='b' mass='1' inertia='1' initial_y='%.17g' "
                     "initial_velocity_y='-2'><circle name='rim' radius='0.1'/></planar_body>"
                     "<ground><line name='floor'/></ground>"
                     "<contact name='c' first='b.rim' second='ground.floor' "
                     "normal_restitution='0.5'/>",
                     0.1 + 2e-3 * k);
            Simulation* simulation = begin(content, s, 1e-2);
            advance(simulation, 1e-2);
            assert_close(value_of(simulation, "b.velocity_y"), 1.0, 1e-11, "velocity");
            assert_close(value_of(simulation, "c.normal_impulse"), 3.0, 1e-11, "impulse");
            assert_true(value_of(simulation, "solver.penetration") < 1e-14);
            simulation_destroy(simulation);
        }
    }
}

// --- steps that are too long ---

// A spring that oscillates faster than the scheme is stable for: steps are divided, and energy
// stays.
static void test_stiff_springs_divide_steps(void** state) {
    (void)state;
    static const char spring[] =
        "<point_mass name='m' mass='1' initial_x='1.1'/>"
        "<spring_damper name='s' first='m' stiffness='1e4' free_length='1'/>";
    for (int s = 2; s <= 5; s++) {
        Simulation* simulation = begin(spring, s, 0.05);  // omega dt = 5
        for (int i = 0; i < 200; i++) {
            advance(simulation, 0.05);
            assert_true(fabs(value_of(simulation, "m.x") - 1.0) < 0.2);
        }
        assert_close(value_of(simulation, "solver.retried_steps"), 200.0, 0.0, "divided steps");
        simulation_destroy(simulation);
    }
    // beyond all divisions
    Simulation* simulation = begin(
        "<point_mass name='m' mass='1' initial_x='1.1'/>"
        "<spring_damper name='s' first='m' stiffness='1e14' free_length='1'/>",
        3, 1.0);
    const Snapshot before = saved(simulation);
    assert_int_equal(simulation_advance(simulation, 1.0, NULL), STATUS_TOO_LONG);
    assert_non_null(strstr(simulation_message(simulation), "oscillate too fast"));
    assert_close(value_of(simulation, "m.x"), 1.1, 0.0, "place");
    free(before.bytes);
    simulation_destroy(simulation);
}

// --- snapshots ---

// Restored in another simulation, which has not prepared these stages yet, a motion goes on bit for
// bit.
static void test_restored_motion_goes_on(void** state) {
    (void)state;
    Simulation* first = begin(TURNS, 4, 0.01);
    Simulation* second = mechanism_new(TURNS);
    advance(first, 0.1);
    const Snapshot snapshot = saved(first);
    assert_int_equal(restored(second, snapshot), STATUS_OK);
    advance(first, 0.3);
    advance(second, 0.3);
    const Snapshot end = saved(first);
    assert_same(second, end);
    free(snapshot.bytes);
    free(end.bytes);
    simulation_destroy(first);
    simulation_destroy(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_friction_at_the_stages),
        cmocka_unit_test(test_impacts_anywhere_in_a_step),
        cmocka_unit_test(test_stiff_springs_divide_steps),
        cmocka_unit_test(test_restored_motion_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
