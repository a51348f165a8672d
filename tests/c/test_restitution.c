// Impacts that have no solution with restitution. A rod hinged at height 0.2 m falls until its tip
// is on the floor at r = (0.2 sqrt(3), -0.2) m from the hinge. There gamma_N = 0.2 sqrt(3) omega
// and gamma_F = 0.2 omega. A rebound has omega > 0, so that the tip slips in the positive direction
// and P_F = -mu P_N, which gives J (omega_1 - omega) = 0.2 (sqrt(3) - mu) P_N: it exists for
// mu < sqrt(3) = 1.732 only. Without restitution the tip sticks, whatever mu is.
#include "mechanism.h"

enum { MOREAU_JEAN = 1, GENERALIZED_ALPHA, COMBINED = 4 };  // values of solver.scheme

static const char prop[] =
    "<gravity y='-9.81'/>\n"
    "<planar_body name='rod' mass='1' inertia='0.0133' initial_x='0.2' initial_y='0.2'>"
    "<point name='hinge' x='-0.2'/><point name='tip' x='0.2'/></planar_body>"
    "<ground><line name='floor'/><point name='hook' y='0.2'/></ground>"
    "<revolute name='j' first='ground.hook' second='rod.hinge'/>\n"
    "<contact name='c' first='rod.tip' second='ground.floor' friction_coefficient='1.8'"
    " normal_restitution='0.5'/>\n"
    // an island of its own, which strikes in the same step
    "<point_mass name='ball' mass='1' initial_x='9' initial_y='0.14'>"
    "<point name='p'/></point_mass>\n"
    "<contact name='d' first='ball.p' second='ground.floor' normal_restitution='1'/>";

static Simulation* begin(int scheme, double mu) {
    Simulation* simulation = mechanism_new(prop);
    set_value(simulation, "solver.scheme", scheme);
    set_value(simulation, "solver.step_size", 1e-3);
    set_value(simulation, "c.friction_coefficient", mu);
    start(simulation);
    return simulation;
}

// Steps to t = n ms, or until contact c presses.
static void fall(Simulation* simulation, int n) {
    for (int i = 0; i < n && value_of(simulation, "c.normal_percussion") == 0.0; i++) {
        advance(simulation, 1e-3);
    }
}

static void test_a_rebound_exists_below_the_limit(void** state) {
    (void)state;
    for (int scheme = MOREAU_JEAN; scheme <= GENERALIZED_ALPHA; scheme++) {
        Simulation* simulation = begin(scheme, 1.7);
        Messages messages = {0};
        Report report = {.context = &messages, .add = messages_add};
        fall(simulation, 300);
        simulation_report_impacts(simulation, &report);
        assert_true(value_of(simulation, "rod.angular_velocity") > 0.1);
        assert_string_equal(messages.text, "");
        assert_close(value_of(simulation, "solver.inelastic_steps"), 0.0, 0.0, "inelastic steps");
        simulation_destroy(simulation);
    }
}

static void test_a_wedged_impact_is_told_and_made_without_restitution(void** state) {
    (void)state;
    for (int scheme = MOREAU_JEAN; scheme <= COMBINED; scheme++) {
        Simulation* simulation = begin(scheme, 1.8);
        Messages messages = {0};
        Report report = {.context = &messages, .add = messages_add};
        fall(simulation, 300);
        simulation_report_impacts(simulation, &report);
        assert_close(value_of(simulation, "rod.angular_velocity"), 0.0, 1e-9, "the rod sticks");
        assert_close(value_of(simulation, "solver.inelastic_steps"), 1.0, 0.0, "inelastic steps");
        if (scheme != GENERALIZED_ALPHA) {  // smaller steps would not help: none are tried
            assert_close(value_of(simulation, "solver.retried_steps"), 0.0, 0.0, "retried");
        }
        assert_int_equal(messages.n_warnings, 1);
        assert_non_null(strstr(messages.text, "3:1: the laws of impact have no solution"));
        assert_non_null(strstr(messages.text, "of contact c (line 3) at t = 0.1"));
        simulation_report_impacts(simulation, &report);
        assert_int_equal(messages.n_warnings, 1);
        simulation_destroy(simulation);
    }
}

// Other islands keep their restitution in the same step.
static void test_restitution_is_left_out_of_the_island_alone(void** state) {
    (void)state;
    Simulation* simulation = begin(MOREAU_JEAN, 1.8);
    double before = 0.0;
    do {
        before = value_of(simulation, "ball.velocity_y");
        advance(simulation, 1e-3);
    } while (value_of(simulation, "d.normal_percussion") == 0.0);
    assert_true(value_of(simulation, "c.normal_percussion") > 0.0);
    assert_close(value_of(simulation, "solver.inelastic_steps"), 1.0, 0.0, "inelastic steps");
    assert_close(value_of(simulation, "ball.velocity_y"), -before, 1e-9, "the ball rebounds");
    simulation_destroy(simulation);
}

// Once in a run, whatever comes back; in the next run again.
static void test_each_contact_is_told_of_once_in_a_run(void** state) {
    (void)state;
    Simulation* simulation = begin(MOREAU_JEAN, 1.8);
    Messages messages = {0};
    Report report = {.context = &messages, .add = messages_add};
    const Snapshot at_start = saved(simulation);
    fall(simulation, 300);
    assert_int_equal(restored(simulation, at_start), STATUS_OK);
    fall(simulation, 300);
    simulation_report_impacts(simulation, &report);
    assert_int_equal(messages.n_warnings, 1);
    assert_close(value_of(simulation, "solver.inelastic_steps"), 1.0, 0.0, "part of the state");
    simulation_reset(simulation);
    set_value(simulation, "c.friction_coefficient", 1.8);
    start(simulation);
    fall(simulation, 300);
    simulation_report_impacts(simulation, &report);
    assert_int_equal(messages.n_warnings, 2);
    free(at_start.bytes);
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rebound_exists_below_the_limit),
        cmocka_unit_test(test_a_wedged_impact_is_told_and_made_without_restitution),
        cmocka_unit_test(test_restitution_is_left_out_of_the_island_alone),
        cmocka_unit_test(test_each_contact_is_told_of_once_in_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
