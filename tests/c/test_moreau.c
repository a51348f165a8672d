// The Moreau-Jean theta scheme: exact and asymptotic solutions, contact laws over a step, order of
// convergence, energy, repeatability, and states that failed steps leave alone.
#include "oscillator.h"

#include "schemes/scheme.h"
#include "simulation/simulation_struct.h"

// theta = 1/2 is exact for constant forces, in any number of steps.
static void test_projectile_is_exact(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<solver step_size='0.01'/><gravity x='0.5' y='-9.81'/>"
        "<planar_body name='b' mass='3' inertia='2' initial_x='1' initial_y='2' initial_angle='0.3'"
        " initial_velocity_x='4' initial_velocity_y='5' initial_angular_velocity='6'/>"
        "<torque name='f' on='b' value='3'/>");
    start(simulation);
    for (int i = 1; i <= 200; i++) {
        advance(simulation, 0.01);
        const double t = 0.01 * i;
        assert_close(value_of(simulation, "b.x"), 1 + 4 * t + 0.25 * t * t, 1e-12, "x");
        assert_close(value_of(simulation, "b.y"), 2 + 5 * t - 4.905 * t * t, 1e-12, "y");
        assert_close(value_of(simulation, "b.angle"), 0.3 + 6 * t + 0.75 * t * t, 1e-12, "angle");
        assert_close(value_of(simulation, "b.velocity_y"), 5 - 9.81 * t, 1e-12, "velocity y");
        assert_close(value_of(simulation, "b.angular_velocity"), 6 + 1.5 * t, 1e-12, "omega");
    }
    simulation_destroy(simulation);
}

static double theta_error(double theta, double dt) {
    return oscillator_error(dt, 1, &(NamedValue){"solver.theta", theta});
}

static void test_order_of_convergence(void** state) {
    (void)state;
    const double second = log2(theta_error(0.5, 1.0 / 64) / theta_error(0.5, 1.0 / 128));
    const double first = log2(theta_error(1.0, 1.0 / 1024) / theta_error(1.0, 1.0 / 2048));
    assert_close(second, 2.0, 0.02, "order for theta = 1/2");
    assert_close(first, 1.0, 0.02, "order for theta = 1");
}

// A spring that is relaxed at a length makes the equations nonlinear; Newton's method solves them.
static void test_order_of_nonlinear_motion(void** state) {
    (void)state;
    double x[4];
    for (int i = 0; i < 4; i++) {
        Simulation* simulation = mechanism_new(
            "<gravity y='-9.81'/><planar_body name='b' mass='2' inertia='0.3' initial_x='1.5'>"
            "<point name='p' x='0.2' y='0.1'/></planar_body>"
            "<spring_damper name='k' first='b.p' stiffness='90' damping='1' free_length='1'/>"
            "<force name='f' on='b.p' x='3*sin(5*t)' frame='body'/>");
        set_value(simulation, "solver.step_size", i < 3 ? 0.02 / (1 << i) : 0.02 / 64);
        start(simulation);
        advance(simulation, 1.0);
        x[i] = value_of(simulation, "b.x");
        simulation_destroy(simulation);
    }
    assert_close(log2((x[0] - x[3]) / (x[1] - x[3])), 2.0, 0.15, "order from 0.02");
    assert_close(log2((x[1] - x[3]) / (x[2] - x[3])), 2.0, 0.1, "order from 0.01");
}

static void test_energy(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(oscillator);
    set_value(simulation, "solver.step_size", 0.05);
    start(simulation);
    const double before = value_of(simulation, "energy.total");
    for (int i = 0; i < tries(2000); i++) {
        advance(simulation, 0.05);
        assert_close(value_of(simulation, "energy.total"), before, 1e-11 * before, "energy");
    }
    simulation_reset(simulation);
    set_value(simulation, "solver.theta", 1.0);
    start(simulation);
    double last = before;
    for (int i = 0; i < tries(1000); i++) {  // theta = 1 only ever loses
        advance(simulation, 0.05);
        const double energy = value_of(simulation, "energy.total");
        assert_true(energy < last || energy == 0.0);
        last = energy;
    }
    simulation_destroy(simulation);
}

static const char falling_point[] =
    "<solver step_size='0.003'/><gravity y='-9.81'/>"
    "<point_mass name='m' mass='2' initial_y='0.4' initial_velocity_x='3'><point name='p'/>"
    "</point_mass><ground><line name='floor'/></ground>"
    "<contact name='c' first='m.p' second='ground.floor' friction_coefficient='0.1'/>";

// The velocity after the first impact is -e times the one before, and friction takes mu times the
// normal percussion.
static void test_impact_law(void** state) {
    (void)state;
    for (int i = 0; i <= 4; i++) {
        const double e = 0.25 * i;
        Simulation* simulation = mechanism_new(falling_point);
        set_value(simulation, "c.normal_restitution", e);
        start(simulation);
        double before = 0.0;
        double before_x = 3.0;
        while (value_of(simulation, "c.normal_percussion") == 0.0) {
            before = value_of(simulation, "m.velocity_y");
            before_x = value_of(simulation, "m.velocity_x");
            advance(simulation, 0.003);
        }
        const double P_N = value_of(simulation, "c.normal_percussion");
        assert_close(value_of(simulation, "m.velocity_y"), -e * before, 1e-9, "velocity y");
        assert_close(P_N, 2.0 * (-(1.0 + e) * before + 9.81 * 0.003), 1e-9, "P_N");
        assert_close(value_of(simulation, "m.velocity_x"), before_x - 0.1 * P_N / 2.0, 1e-9,
                     "velocity x");
        assert_close(value_of(simulation, "c.friction_percussion"), -0.1 * P_N, 1e-9, "P_F");
        assert_close(value_of(simulation, "solver.last_impact_time"), simulation_time(simulation),
                     1e-15, "time of the impact");
        simulation_destroy(simulation);
    }
}

// A block slides with deceleration mu g, stops, and stays.
static void test_sliding_and_stopping(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(falling_point);
    set_value(simulation, "m.initial_y", 0.0);
    start(simulation);
    assert_close(value_of(simulation, "m.acceleration_x"), -0.981, 1e-12, "deceleration");
    for (int i = 1; i <= 100; i++) {
        advance(simulation, 0.003);
        assert_close(value_of(simulation, "m.velocity_x"), 3.0 - 0.981 * 0.003 * i, 1e-9, "speed");
        assert_close(value_of(simulation, "c.state"), 2.0, 0.0, "slip");
    }
    advance(simulation, 3.0);  // stops after 3.058 s
    assert_close(value_of(simulation, "m.velocity_x"), 0.0, 1e-9, "stopped");
    assert_close(value_of(simulation, "c.state"), 3.0, 0.0, "stick");
    const double x = value_of(simulation, "m.x");
    assert_close(x, 4.5 / 0.981, 0.01, "way");
    advance(simulation, 3.0);
    assert_close(value_of(simulation, "m.x"), x, 1e-9, "stays");
    simulation_destroy(simulation);
}

// On an incline friction holds up to tan(angle) = mu.
static void test_incline(void** state) {
    (void)state;
    for (int holds = 0; holds <= 1; holds++) {
        Simulation* simulation = mechanism_new(
            "<solver step_size='0.01'/><gravity x='-9.81*sin(0.3)' y='-9.81*cos(0.3)'/>"
            "<point_mass name='m' mass='2'><point name='p'/></point_mass><ground><line "
            "name='floor'/>"
            "</ground><contact name='c' first='m.p' second='ground.floor'/>");
        const double mu = tan(0.3) * (holds ? 1.001 : 0.9);
        set_value(simulation, "c.friction_coefficient", mu);
        start(simulation);
        advance(simulation, 1.0);
        const double expected = holds ? 0.0 : -9.81 * (sin(0.3) - mu * cos(0.3));
        assert_close(value_of(simulation, "m.velocity_x"), expected, 1e-8, "speed after 1 s");
        assert_close(value_of(simulation, "c.state"), holds ? 3.0 : 2.0, 0.0, "state");
        assert_close(value_of(simulation, "m.acceleration_x"), expected, 1e-8, "acceleration");
        simulation_destroy(simulation);
    }
}

// Redundant contacts: once all have closed (to rounding they do so one after the other, each after
// falling for a step) the load is carried, however it is shared.
static void test_redundant_contacts_carry_the_weight(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<solver step_size='0.002'/><gravity y='-9.81'/>"
        "<planar_body name='b' mass='2' inertia='0.1' initial_y='0.2'>"
        "<point name='p1' x='-0.5' y='-0.2'/><point name='p2' x='-0.2' y='-0.2'/>"
        "<point name='p3' x='0.2' y='-0.2'/><point name='p4' x='0.5' y='-0.2'/></planar_body>"
        "<ground><line name='floor'/></ground>"
        "<contact name='c1' first='b.p1' second='ground.floor' friction_coefficient='0.5'/>"
        "<contact name='c2' first='b.p2' second='ground.floor' friction_coefficient='0.5'/>"
        "<contact name='c3' first='b.p3' second='ground.floor' friction_coefficient='0.5'/>"
        "<contact name='c4' first='b.p4' second='ground.floor' friction_coefficient='0.5'/>");
    start(simulation);
    for (int i = 0; i < 500; i++) {
        advance(simulation, 0.002);
        double P_N = 0.0;
        for (int k = 1; k <= 4; k++) {
            char name[32];
            snprintf(name, sizeof name, "c%d.normal_percussion", k);
            P_N += value_of(simulation, name);
        }
        if (i >= 20) {
            assert_close(P_N, 2.0 * 9.81 * 0.002, 1e-9, "sum of P_N");
        }
    }
    assert_close(value_of(simulation, "b.y"), 0.2, 9.81 * 0.002 * 0.002, "y");
    assert_close(value_of(simulation, "b.angle"), 0.0, 1e-4, "angle");
    assert_close(value_of(simulation, "b.angular_velocity"), 0.0, 1e-9, "omega");
    assert_int_equal(simulation_statistics(simulation).n_failed_steps, 0);
    simulation_destroy(simulation);
}

// Steps of a mechanism with everything: spring, input, contacts that open, slip and stick.
static const char busy[] =
    "<solver step_size='0.002'/><gravity y='-9.81'/><input name='push'/>"
    "<planar_body name='b' mass='2' inertia='0.1' initial_y='0.8' initial_angle='0.4'"
    " initial_angular_velocity='3'><point name='p1' x='-0.3' y='-0.2'/>"
    "<point name='p2' x='0.3' y='-0.2'/><circle name='head' y='0.3' radius='0.1'/></planar_body>"
    "<ground><line name='floor'/><line name='wall' x='1' normal_angle='pi'/></ground>"
    "<spring_damper name='k' first='b.head' stiffness='20' damping='0.5' free_length='0.6'/>"
    "<force name='f' on='b.p1' x='push' frame='body'/>"
    "<contact name='c1' first='b.p1' second='ground.floor' friction_coefficient='0.4'"
    " normal_restitution='0.5'/>"
    "<contact name='c2' first='b.p2' second='ground.floor' friction_coefficient='0.4'/>"
    "<contact name='c3' first='b.head' second='ground.wall' friction_coefficient='0.1'/>";

static void test_repeatable_and_independent_of_splitting(void** state) {
    (void)state;
    static const double splits[] = {0.002, 0.004, 0.02, 0.1, 1.0};
    Snapshot expected = {NULL, 0};
    for (int i = 0; i < 6; i++) {  // the first split twice
        const double split = splits[i > 0 ? i - 1 : 0];
        Simulation* simulation = mechanism_new(busy);
        set_value(simulation, "push", 5.0);
        start(simulation);
        for (int j = 0; j < (int)lround(1.0 / split); j++) {
            advance(simulation, split);
            (void)value_of(simulation, "b.acceleration_x");  // reading changes nothing
        }
        if (expected.bytes == NULL) {
            expected = saved(simulation);
        } else {
            assert_same(simulation, expected);
        }
        simulation_destroy(simulation);
    }
    free(expected.bytes);
}

// The laws over one step, from the state before and after it.
static void test_laws_of_a_step(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(busy);
    start(simulation);
    const State* s = &simulation->state;
    int n_closed = 0;
    for (int i = 0; i < 1000; i++) {
        double before[6];
        memcpy(before, simulation->workspace.gamma, sizeof before);
        advance(simulation, 0.002);
        for (int k = 0; k < 3; k++) {
            const double* par = s->p + simulation->model.system.laws[k].element->p.at;
            const ContactRecord* record = state_record(s, k);
            const double P_N = record != NULL ? record->P[0] : 0.0;
            const double P_F = record != NULL ? record->P[1] : 0.0;
            const double* gamma = simulation->workspace.gamma + (ptrdiff_t)2 * k;
            const double xi_N = gamma[0] + par[NORMAL_RESTITUTION] * before[2 * k];
            assert_true(P_N >= 0.0);
            assert_true(fabs(P_F) <= par[FRICTION_COEFFICIENT] * P_N + 1e-9);
            assert_true(P_N == 0.0 || fabs(xi_N) <= 1e-8);
            if (P_N > 1e-8 && fabs(gamma[1]) > 1e-7) {  // slips: full friction against it
                assert_close(P_F, -copysign(par[FRICTION_COEFFICIENT] * P_N, gamma[1]), 1e-8,
                             "P_F");
            }
            n_closed += P_N > 0.0;
        }
    }
    assert_true(n_closed > 100);
    simulation_destroy(simulation);
}

static void test_failed_step_changes_nothing(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(busy);
    start(simulation);
    for (int i = 0; i < 300; i++) {
        State* s = &simulation->state;
        s->input[0] = i % 2 == 0 ? NAN : 1e308;
        const Snapshot before = saved(simulation);
        const StepInput in = {.sys = &simulation->model.system,
                              .u_start = s->u,
                              .t = state_time(s),
                              .t_1 = state_time(s) + 0.002,
                              .dt = 0.002,
                              .w = &simulation->workspace};
        SolveInfo info;
        const int scheme = simulation_scheme(simulation);
        assert_int_not_equal(schemes[scheme].step(&in, s, simulation->scratch[scheme], &info),
                             STATUS_OK);
        assert_same(simulation, before);
        free(before.bytes);
        s->input[0] = 0.0;
        advance(simulation, 0.002);
    }
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projectile_is_exact),
        cmocka_unit_test(test_order_of_convergence),
        cmocka_unit_test(test_order_of_nonlinear_motion),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_impact_law),
        cmocka_unit_test(test_sliding_and_stopping),
        cmocka_unit_test(test_incline),
        cmocka_unit_test(test_redundant_contacts_carry_the_weight),
        cmocka_unit_test(test_repeatable_and_independent_of_splitting),
        cmocka_unit_test(test_laws_of_a_step),
        cmocka_unit_test(test_failed_step_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
