// Impacts at their own instants (solver.locate_impacts), with every scheme: where they are, what
// they do, and that a step with them is a step like any other.
#include "mechanism.h"

enum { MOREAU_JEAN = 1, GENERALIZED_ALPHA, SCHATZMAN_PAOLI = 7, N_SCHEMES = 7 };
enum { NO = 1, YES = 2 };
enum { OPEN = 1, SLIP = 2, STICK = 3 };

static const double GRAVITY = 10.0;

static Simulation* begin(const char* content, int scheme, double dt) {
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "solver.scheme", scheme);
    set_value(simulation, "solver.step_size", dt);
    set_value(simulation, "solver.locate_impacts", YES);
    start(simulation);
    return simulation;
}

static void steps(Simulation* simulation, int n, double dt) {
    for (int i = 0; i < n; i++) {
        advance(simulation, dt);
    }
}

// --- a ball on a floor ---

#define BALL(e, more)                                                                             \
    "<gravity y='-10'/><point_mass name='ball' mass='2' initial_y='1' " more                      \
    "><point name='tip'/></point_mass><ground><line name='floor'/></ground>"                      \
    "<contact name='floor_contact' first='ball.tip' second='ground.floor' normal_restitution='" e \
    "'/>"

// Height and impacts so far of a ball that falls from 1 m
static double bounce(double t, double e, int* n) {
    double speed = sqrt(2.0 * GRAVITY);
    double t_n = speed / GRAVITY;
    *n = 0;
    if (t < t_n) {
        return 1.0 - 0.5 * GRAVITY * t * t;
    }
    for (*n = 1;; (*n)++) {
        speed *= e;
        const double flight = 2.0 * speed / GRAVITY;
        if (t < t_n + flight) {
            return speed * (t - t_n) - 0.5 * GRAVITY * (t - t_n) * (t - t_n);
        }
        t_n += flight;
    }
}

// Parabolas are exact to all schemes, so that nothing but rounding is left over ten impacts.
static void test_impacts_are_where_they_should_be(void** state) {
    (void)state;
    const double dt = 0.03;
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(BALL("0.8", ""), scheme, dt);
        int n = 0;
        for (int i = 1; n < 10; i++) {
            advance(simulation, dt);
            const double y = bounce(i * dt, 0.8, &n);
            assert_close(value_of(simulation, "ball.y"), y, 1e-11, "height");
            assert_close(value_of(simulation, "solver.located_impacts"), n, 0.0, "impacts");
            assert_true(fabs(value_of(simulation, "energy.balance")) < 1e-11);
        }
        assert_true(value_of(simulation, "solver.penetration") < 1e-14);
        simulation_destroy(simulation);
    }
}

// The impulse of the first impact, alone in its step, and the time that it has.
static void test_percussions_of_a_step_with_an_impact(void** state) {
    (void)state;
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(BALL("0.5", ""), scheme, 0.1);
        steps(simulation, 5, 0.1);
        const double speed = sqrt(2.0 * GRAVITY);
        const double P = 2.0 * 1.5 * speed;
        assert_close(value_of(simulation, "floor_contact.normal_percussion"), P, 1e-12, "P");
        assert_close(value_of(simulation, "floor_contact.normal_impulse"), P, 1e-12, "impulse");
        assert_close(value_of(simulation, "floor_contact.normal_force"), 0.0, 0.0, "force");
        assert_close(value_of(simulation, "floor_contact.state"), OPEN, 0.0, "state");
        assert_close(value_of(simulation, "solver.last_impact_time"), speed / GRAVITY, 1e-14,
                     "time of the impact");
        assert_close(value_of(simulation, "energy.dissipated_by_impact"),
                     0.5 * 2.0 * speed * speed * 0.75, 1e-11, "dissipated");
        advance(simulation, 0.1);
        assert_close(value_of(simulation, "floor_contact.normal_percussion"), 0.0, 0.0, "P after");
        simulation_destroy(simulation);
    }
}

// Infinitely many impacts end at (1+e)/(1-e) times the first; what is left after a step is rest.
static void test_rest_after_an_accumulation(void** state) {
    (void)state;
    const double dt = 0.01;
    const double end = 3.0 * sqrt(2.0 / GRAVITY);
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(BALL("0.5", ""), scheme, dt);
        steps(simulation, (int)(end / dt) + 30, dt);
        assert_close(value_of(simulation, "ball.y"), 0.0, 0.1 * GRAVITY * dt * dt, "height");
        assert_close(value_of(simulation, "ball.velocity_y"), 0.0, 1e-5, "velocity");
        assert_true(value_of(simulation, "floor_contact.state") != OPEN);
        assert_close(value_of(simulation, "solver.last_impact_time"), end, 2.0 * dt, "the end");
        const double n = value_of(simulation, "solver.located_impacts");
        steps(simulation, 50, dt);
        assert_close(value_of(simulation, "solver.located_impacts"), n, 0.0, "impacts at rest");
        assert_close(value_of(simulation, "floor_contact.normal_force"), 20.0, 1e-6, "weight");
        simulation_destroy(simulation);
    }
}

// Without restitution the contact stays closed, and a gap of rounding is no new impact.
static void test_inelastic_impact_goes_on_sliding(void** state) {
    (void)state;
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(BALL("0", "initial_velocity_x='3'"), scheme, 0.03);
        steps(simulation, 40, 0.03);
        assert_close(value_of(simulation, "solver.located_impacts"), 1.0, 0.0, "impacts");
        assert_close(value_of(simulation, "floor_contact.gap"), 0.0, 1e-15, "gap");
        assert_close(value_of(simulation, "floor_contact.state"), SLIP, 0.0, "state");
        assert_close(value_of(simulation, "ball.x"), 3.0 * 1.2, 1e-12, "way");
        simulation_destroy(simulation);
    }
}

// What begins closed has no impact.
static void test_resting_contact_has_no_impact(void** state) {
    (void)state;
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = mechanism_new(BALL("0.5", ""));
        set_value(simulation, "solver.scheme", scheme);
        set_value(simulation, "solver.locate_impacts", YES);
        set_value(simulation, "ball.initial_y", 0.0);
        start(simulation);
        advance(simulation, 0.1);
        assert_close(value_of(simulation, "solver.located_impacts"), 0.0, 0.0, "impacts");
        assert_close(value_of(simulation, "ball.y"), 0.0, 1e-15, "height");
        simulation_destroy(simulation);
    }
}

// Beyond the limit the rest of a step is captured: the ball falls into the floor, or stops at it.
static void test_limit_of_impacts_in_a_step(void** state) {
    (void)state;
    for (int most = 1; most <= 4; most++) {
        Simulation* simulation = mechanism_new(BALL("0.9", ""));
        set_value(simulation, "solver.locate_impacts", YES);
        set_value(simulation, "solver.step_size", 4.0);
        set_value(simulation, "solver.maximum_located_impacts", most);
        start(simulation);
        advance(simulation, 4.0);  // in which there would be six impacts
        assert_close(value_of(simulation, "solver.located_impacts"), most, 0.0, "impacts");
        assert_close(value_of(simulation, "solver.steps"), 1.0, 0.0, "steps");
        simulation_destroy(simulation);
    }
}

// --- several contacts ---

// A box falls flat on four feet: one impact, four equal percussions, no tilt.
static void test_contacts_that_close_together(void** state) {
    (void)state;
    static const char box[] =
        "<gravity z='-10'/><spatial_body name='box' mass='4' inertia_xx='1' inertia_yy='2' "
        "inertia_zz='3' initial_z='1'><point name='a' x='0.5' y='0.3'/><point name='b' x='-0.5' "
        "y='0.3'/><point name='c' x='0.5' y='-0.3'/><point name='d' x='-0.5' y='-0.3'/>"
        "</spatial_body><ground><plane name='floor'/></ground>"
        "<contact name='f_a' first='box.a' second='ground.floor' normal_restitution='0.5'/>"
        "<contact name='f_b' first='box.b' second='ground.floor' normal_restitution='0.5'/>"
        "<contact name='f_c' first='box.c' second='ground.floor' normal_restitution='0.5'/>"
        "<contact name='f_d' first='box.d' second='ground.floor' normal_restitution='0.5'/>";
    static const char* const feet[] = {"f_a", "f_b", "f_c", "f_d"};
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(box, scheme, 0.05);
        steps(simulation, 9, 0.05);
        assert_close(value_of(simulation, "solver.located_impacts"), 1.0, 0.0, "impacts");
        double sum = 0.0;
        for (int i = 0; i < 4; i++) {  // of which three would do: each alone is not as exact
            char name[64];
            snprintf(name, sizeof name, "%s.normal_impulse", feet[i]);
            assert_close(value_of(simulation, name), 1.5 * sqrt(20.0), 1e-5, name);
            sum += value_of(simulation, name);
        }
        assert_close(sum, 4.0 * 1.5 * sqrt(20.0), 1e-9, "all percussions");
        assert_close(value_of(simulation, "box.angular_velocity_x"), 0.0, 1e-12, "tilt");
        steps(simulation, 40, 0.05);
        assert_close(value_of(simulation, "box.z"), 0.0, 1e-4, "rest");
        simulation_destroy(simulation);
    }
}

// Into a corner along its bisector, with friction: both walls at once, and back.
static void test_ball_into_a_corner(void** state) {
    (void)state;
    static const char corner[] =
        "<point_mass name='ball' mass='1' initial_x='1' initial_y='1' initial_velocity_x='-2' "
        "initial_velocity_y='-2'><circle name='rim' radius='0.1'/></point_mass><ground>"
        "<line name='floor'/><line name='wall' normal_angle='0'/></ground>"
        "<contact name='a' first='ball.rim' second='ground.floor' normal_restitution='1'/>"
        "<contact name='b' first='ball.rim' second='ground.wall' normal_restitution='1'/>";
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(corner, scheme, 0.07);
        steps(simulation, 10, 0.07);
        assert_close(value_of(simulation, "solver.located_impacts"), 1.0, 0.0, "impacts");
        assert_close(value_of(simulation, "ball.x"), 0.1 + 2.0 * (0.7 - 0.45), 1e-12, "x");
        assert_close(value_of(simulation, "ball.y"), 0.1 + 2.0 * (0.7 - 0.45), 1e-12, "y");
        simulation_destroy(simulation);
    }
}

// --- friction and joints ---

// A sphere with spin hits a plane: friction at the impact, while it slides and sticking.
static void test_friction_at_an_impact(void** state) {
    (void)state;
    static const char sphere[] =
        "<spatial_body name='ball' mass='1' inertia_xx='0.4' inertia_yy='0.4' inertia_zz='0.4' "
        "initial_z='2' initial_velocity_z='-3' initial_angular_velocity_y='4'>"
        "<sphere name='rim' radius='1'/></spatial_body><ground><plane name='floor'/></ground>"
        "<contact name='hit' first='ball.rim' second='ground.floor' normal_restitution='0.5' "
        "friction_coefficient='0.1'/>";
    for (int scheme = 1; scheme < SCHATZMAN_PAOLI; scheme++) {
        for (int sticks = 0; sticks < 2; sticks++) {
            Simulation* simulation = mechanism_new(sphere);
            set_value(simulation, "solver.scheme", scheme);
            set_value(simulation, "solver.step_size", 0.1);
            set_value(simulation, "solver.locate_impacts", YES);
            set_value(simulation, "hit.friction_coefficient", sticks ? 1.0 : 0.1);
            start(simulation);
            steps(simulation, 4, 0.1);
            // the lowest point moves with v_x - 4; the impulse that stops it is 4 / (1 + 1/0.4)
            const double P = sticks ? 4.0 / 3.5 : 0.1 * 4.5;
            assert_close(value_of(simulation, "hit.normal_impulse"), 4.5, 1e-9, "P_N");
            assert_close(value_of(simulation, "ball.velocity_x"), P, 1e-9, "v_x");
            assert_close(value_of(simulation, "ball.angular_velocity_y"), 4.0 - P / 0.4, 1e-9,
                         "spin");
            assert_close(value_of(simulation, "energy.balance"), 0.0, 1e-9, "balance");
            simulation_destroy(simulation);
        }
    }
}

static const char pendulum[] =
    "<gravity y='-10'/><planar_body name='rod' mass='3' inertia='0.25' initial_x='0.5'>"
    "<point name='top' x='-0.5'/><point name='end' x='0.5'/></planar_body>"
    "<revolute name='hinge' first='ground' second='rod.top'/>"
    "<ground><line name='wall' normal_angle='0'/></ground>"
    "<contact name='stop' first='rod.end' second='ground.wall' normal_restitution='0.6' "
    "friction_coefficient='0.2'/>";

// A rod on a hinge falls against a wall below the hinge: the impulse of the hinge is told, too, and
// the order of the scheme goes through the impact.
static void test_joints_take_part_in_an_impact(void** state) {
    (void)state;
    double angle[3] = {0.0};
    for (int k = 0; k < 3; k++) {
        const double dt = 4e-3 / (1 << k);
        Simulation* simulation = begin(pendulum, GENERALIZED_ALPHA, dt);
        double impulse = 0.0;
        for (int i = 0; i < 200 << k; i++) {
            advance(simulation, dt);
            impulse = fmax(impulse, fabs(value_of(simulation, "hinge.impulse_x")));
        }
        assert_close(value_of(simulation, "solver.located_impacts"), 1.0, 0.0, "impacts");
        assert_true(impulse > 0.1);
        assert_true(value_of(simulation, "solver.joint_violation") < 1e-12);
        angle[k] = value_of(simulation, "rod.angle");
        simulation_destroy(simulation);
    }
    const double order = log2(fabs((angle[0] - angle[1]) / (angle[1] - angle[2])));
    assert_close(order, 2.0, 0.2, "order");
}

// --- a step like any other ---

// From a snapshot between impacts, in one go and step by step: the same to the last bit.
static void test_snapshots_and_splits(void** state) {
    (void)state;
    const double dt = 0.0625;
    for (int scheme = 1; scheme <= N_SCHEMES; scheme++) {
        Simulation* simulation = begin(BALL("0.8", "initial_velocity_x='1'"), scheme, dt);
        steps(simulation, 20, dt);
        assert_true(value_of(simulation, "solver.located_impacts") > 0.0);
        const Snapshot before = saved(simulation);
        steps(simulation, 24, dt);
        const Snapshot after = saved(simulation);
        assert_int_equal(restored(simulation, before), STATUS_OK);
        advance(simulation, 24 * dt);
        assert_same(simulation, after);
        free(before.bytes);
        free(after.bytes);
        simulation_destroy(simulation);
    }
}

// The force has no value in a part of the step behind the impact: the step fails, and nothing of
// the impact is left.
static void test_failed_step_leaves_no_trace(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(BALL(
        "0.8", "initial_velocity_y='-0.3'") "<force name='f' on='ball' x='sqrt((t - 0.445)*(t - "
                                            "0.49))'/>");
    set_value(simulation, "solver.step_size", 0.1);
    set_value(simulation, "solver.locate_impacts", YES);
    start(simulation);
    steps(simulation, 4, 0.1);
    const double work = value_of(simulation, "energy.input_work");
    assert_int_not_equal(simulation_advance(simulation, 0.1, NULL), STATUS_OK);
    assert_close(value_of(simulation, "solver.located_impacts"), 0.0, 0.0, "impacts");
    assert_close(value_of(simulation, "solver.last_impact_time"), 0.0, 0.0, "time of an impact");
    assert_close(value_of(simulation, "energy.dissipated_by_impact"), 0.0, 0.0, "dissipated");
    assert_close(value_of(simulation, "energy.input_work"), work, 0.0, "work");
    assert_close(value_of(simulation, "ball.velocity_y"), -0.3 - 4.0, 1e-12, "velocity");
    assert_close(value_of(simulation, "floor_contact.normal_percussion"), 0.0, 0.0, "percussion");
    assert_close(value_of(simulation, "solver.failed_steps"), 1.0, 0.0, "failed steps");
    simulation_destroy(simulation);
}

// Off by default, and then impacts are where the grid is.
static void test_off_by_default(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(BALL("0.5", ""));
    assert_close(value_of(simulation, "solver.locate_impacts"), NO, 0.0, "default");
    set_value(simulation, "solver.step_size", 0.1);
    start(simulation);
    steps(simulation, 10, 0.1);
    assert_close(value_of(simulation, "solver.located_impacts"), 0.0, 0.0, "impacts");
    const double steps_until = value_of(simulation, "solver.last_impact_time") / 0.1;
    assert_close(steps_until, round(steps_until), 1e-9, "on the grid");
    simulation_destroy(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impacts_are_where_they_should_be),
        cmocka_unit_test(test_percussions_of_a_step_with_an_impact),
        cmocka_unit_test(test_rest_after_an_accumulation),
        cmocka_unit_test(test_inelastic_impact_goes_on_sliding),
        cmocka_unit_test(test_resting_contact_has_no_impact),
        cmocka_unit_test(test_limit_of_impacts_in_a_step),
        cmocka_unit_test(test_contacts_that_close_together),
        cmocka_unit_test(test_ball_into_a_corner),
        cmocka_unit_test(test_friction_at_an_impact),
        cmocka_unit_test(test_joints_take_part_in_an_impact),
        cmocka_unit_test(test_snapshots_and_splits),
        cmocka_unit_test(test_failed_step_leaves_no_trace),
        cmocka_unit_test(test_off_by_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
