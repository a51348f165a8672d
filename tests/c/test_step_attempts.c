// What a step that is hard to solve is tried with, each on a mechanism that needs it: updates of
// half the length, the guard on the work of joints, and rows of joints that are no others' for all
// that masses make of their angles.
#include "mechanism.h"

enum { MOREAU_JEAN = 1, GENERALIZED_ALPHA, PROJECTED, COMBINED };  // values of solver.scheme

// A controller of such gain that each full update leads from one limit to the other; half of it
// ends between them.
static void test_damped_updates(void** state) {
    (void)state;
    const double dt[] = {[MOREAU_JEAN] = 1e-2, [GENERALIZED_ALPHA] = 3e-2};
    const double gain[] = {[MOREAU_JEAN] = 88888.0, [GENERALIZED_ALPHA] = 1.2e5};
    const double velocity[] = {[MOREAU_JEAN] = 0.025, [GENERALIZED_ALPHA] = 0.01};
    for (int scheme = MOREAU_JEAN; scheme <= GENERALIZED_ALPHA; scheme++) {
        Simulation* simulation = mechanism_new(
            "<point_mass name='mass' mass='1'/><slide_actuator "
            "name='motor' first='ground' second='mass' proportional_gain='1' limit='10'/>");
        set_value(simulation, "solver.scheme", scheme);
        set_value(simulation, "solver.step_size", dt[scheme]);
        set_value(simulation, "motor.proportional_gain", gain[scheme]);
        set_value(simulation, "mass.initial_velocity_x", velocity[scheme]);
        start(simulation);
        advance(simulation, dt[scheme]);
        assert_close(value_of(simulation, "solver.damped_steps"), 1.0, 0.0, "damped steps");
        assert_close(value_of(simulation, "solver.retried_steps"), 0.0, 0.0, "retried steps");
        assert_true(value_of(simulation, "solver.residual") <= 1e-10);
        simulation_destroy(simulation);
    }
}

// A double pendulum in steps so long that the equations of a step have roots that belong to no
// motion, with links that turn several times. The highest energy that it has is that of its fall;
// the scheme's own error is of its size at this step, roots of the other kind have 4e4 times it.
static void test_joints_that_add_energy_are_refused(void** state) {
    (void)state;
    static const char pendulum[] =
        "<gravity y='-9.81'/>"
        "<planar_body name='upper' mass='1' inertia='0.0833' initial_x='0.5'>"
        "<point name='top' x='-0.5'/><point name='end' x='0.5'/></planar_body>"
        "<planar_body name='lower' mass='1' inertia='0.0833' initial_x='1.5'>"
        "<point name='top' x='-0.5'/></planar_body>"
        "<revolute name='shoulder' first='ground' second='upper.top'/>"
        "<revolute name='elbow' first='upper.end' second='lower.top'/>";
    const double deepest = 9.81 * (0.5 + 1.5);  // below the start, by which both links fall
    double energy = 0.0;
    double divided = 0.0;
    for (int k = 5; k <= 10; k++) {
        const double dt = 0.01 * k;
        Simulation* simulation = mechanism_start(pendulum, MOREAU_JEAN, dt);
        for (int i = 0; i < 200; i++) {
            advance(simulation, dt);
            energy = fmax(energy, value_of(simulation, "energy.kinetic"));
        }
        divided += value_of(simulation, "solver.retried_steps");
        simulation_destroy(simulation);
    }
    assert_true(divided > 0.0);
    assert_true(energy < 3.0 * deepest);
}

// A pendulum that hangs on a ring of next to no mass: in the norm of the masses the rows of its two
// hinges are at an angle of 3e-4 rad to each other. There is no loop; none may be left out.
static void test_light_parts_keep_their_joints(void** state) {
    (void)state;
    const int scheme_list[] = {MOREAU_JEAN, PROJECTED, COMBINED};
    for (size_t i = 0; i < sizeof scheme_list / sizeof *scheme_list; i++) {
        Simulation* simulation = mechanism_start(
            "<gravity y='-9.81'/><planar_body name='ring' mass='1e-7' inertia='1e-7'/>"
            "<planar_body name='bob' mass='1' inertia='0.01' initial_x='1'>"
            "<point name='top' x='-1'/></planar_body>"
            "<revolute name='outer' first='ground' second='ring'/>"
            "<revolute name='inner' first='ring' second='bob.top'/>",
            scheme_list[i], 1e-3);
        for (int n = 0; n < 500; n++) {
            advance(simulation, 1e-3);
        }
        const double x = value_of(simulation, "bob.x");
        const double y = value_of(simulation, "bob.y");
        assert_close(hypot(x, y), 1.0, 1e-5, "length of the pendulum");
        assert_true(value_of(simulation, "solver.joint_velocity_violation") < 1e-9);
        simulation_destroy(simulation);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damped_updates),
        cmocka_unit_test(test_joints_that_add_energy_are_refused),
        cmocka_unit_test(test_light_parts_keep_their_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
