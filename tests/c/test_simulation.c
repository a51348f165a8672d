// A simulation as its users see it: what may be set when, parameters that follow from others,
// snapshots, failed steps, and values that are no values.
#include "mechanism.h"

#include "simulation/simulation_struct.h"

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

static Status set(Simulation* simulation, const char* name, double value) {
    return simulation_set(simulation, index_of(simulation, name), value);
}

static void test_phases(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    double value;
    assert_int_equal(simulation_advance(simulation, 0.1, NULL), STATUS_NOT_ALLOWED);
    assert_int_equal(simulation_get(simulation, index_of(simulation, "b.x"), &value),
                     STATUS_NOT_ALLOWED);
    assert_close(value_of(simulation, "size"), 0.1, 0.0, "parameters can be read at once");
    assert_close(value_of(simulation, "time"), 1.0, 0.0, "start time");
    start(simulation);
    assert_int_equal(set(simulation, "b.mass", 3.0), STATUS_OK);  // before the first step
    start(simulation);
    assert_close(value_of(simulation, "energy.kinetic"), 1.5, 1e-15, "with the new mass");
    advance(simulation, 0.01);
    assert_int_equal(simulation_initialize(simulation, 0.0, NULL), STATUS_NOT_ALLOWED);
    assert_int_equal(set(simulation, "b.mass", 2.0), STATUS_NOT_ALLOWED);
    assert_int_equal(set(simulation, "grip", 0.2), STATUS_OK);
    assert_int_equal(set(simulation, "push", 2.0), STATUS_OK);
    simulation_reset(simulation);
    assert_close(value_of(simulation, "b.mass"), 2.0, 0.0, "reset");
    assert_close(value_of(simulation, "push"), 0.0, 0.0, "reset");
    assert_int_equal(set(simulation, "b.mass", 5.0), STATUS_OK);
    simulation_destroy(simulation);
}

// Outputs that a model does not declare are computed when they are asked for, from the state as it
// is then: whatever the order, all values are those of the model that declares them.
static void test_outputs_in_parts(void** state) {
    (void)state;
    static const char balls[] =
        "<solver step_size='0.01'/><gravity z='-9.81'/>"
        "<spatial_body name='b' mass='1' inertia_xx='0.1' inertia_yy='0.1' inertia_zz='0.1'"
        " initial_z='0.12' initial_velocity_x='1'><sphere name='skin' radius='0.1' group='balls'/>"
        "</spatial_body><ground><plane name='floor' group='floor'/></ground>"
        "<contacts name='meet' first='balls' second='floor' friction_coefficient='0.3'/>%s";
    char text[2 * sizeof balls];
    snprintf(text, sizeof text, balls, "<outputs><output variable='meet.contacts'/></outputs>");
    Simulation* few = mechanism_new(text);
    snprintf(text, sizeof text, balls, "");
    Simulation* all = mechanism_new(text);
    const VariableTable* table = simulation_variables(all);
    start(few);
    start(all);
    for (int step = 0; step < 20; step++) {
        advance(few, 0.01);
        advance(all, 0.01);
        for (int i = table->n_variables - 1; i >= 0; i--) {
            const Variable* variable = &table->variables[i];
            if (variable->type == VARIABLE_REAL && !variable->from_accelerations) {
                const double expected = value_of(all, variable->name);
                assert_close(value_of(few, variable->name), expected, 0.0, variable->name);
            }
        }
    }
    assert_close(value_of(few, "meet.contacts"), 1.0, 0.0, "the ball has come down");
    assert_true(value_of(few, "energy.dissipated_by_impact") > 0.0);
    assert_true(value_of(few, "meet.kinetic_energy") > 0.0);
    simulation_destroy(few);
    simulation_destroy(all);
}

static void test_what_cannot_be_set(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    start(simulation);
    advance(simulation, 0.1);
    const Snapshot before = saved(simulation);
    static const struct {
        const char* name;
        double value;
        Status status;
    } cases[] = {
        {"b.x", 1.0, STATUS_NOT_ALLOWED},
        {"time", 1.0, STATUS_NOT_ALLOWED},
        {"area", 0.02, STATUS_NOT_ALLOWED},
        {"c.friction_coefficient", 0.1, STATUS_NOT_ALLOWED},
        {"energy.total", 0, STATUS_NOT_ALLOWED},
        {"solver.message", 0, STATUS_NOT_ALLOWED},
        {"size", 0.2, STATUS_NOT_ALLOWED},
        {"solver.step_size", 1e-3, STATUS_NOT_ALLOWED},
        {"push", NAN, STATUS_NOT_FINITE},
        {"push", INFINITY, STATUS_NOT_FINITE},
        {"push", 50.001, STATUS_OUT_OF_RANGE},
        {"push", -1e308, STATUS_OUT_OF_RANGE},
        {"grip", -0.1, STATUS_OUT_OF_RANGE},
        {"k.stiffness", -1.0, STATUS_OUT_OF_RANGE},
        {"c.normal_restitution", 1.5, STATUS_OUT_OF_RANGE},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Status status = set(simulation, cases[i].name, cases[i].value);
        if (status != cases[i].status) {
            fail_msg("%s = %g: %s", cases[i].name, cases[i].value, status_text(status));
        }
        assert_non_null(strstr(simulation_message(simulation),
                               i == 12 ? "c.friction_coefficient" : cases[i].name));
    }
    static const int indices[] = {-1, 1 << 30, -2147483647 - 1};
    for (int i = 0; i < 3; i++) {
        double value;
        const char* text;
        assert_int_equal(simulation_set(simulation, indices[i], 1.0), STATUS_NOT_ALLOWED);
        assert_int_equal(simulation_set_slope(simulation, indices[i], 1.0), STATUS_NOT_ALLOWED);
        assert_int_equal(simulation_get(simulation, indices[i], &value), STATUS_NOT_ALLOWED);
        assert_int_equal(simulation_get_string(simulation, indices[i], &text), STATUS_NOT_ALLOWED);
        assert_int_equal(simulation_get_derivative(simulation, indices[i], &value),
                         STATUS_NOT_ALLOWED);
    }
    assert_int_equal(simulation_set_slope(simulation, index_of(simulation, "push"), NAN),
                     STATUS_NOT_FINITE);
    assert_int_equal(simulation_set_slope(simulation, index_of(simulation, "grip"), 1.0),
                     STATUS_NOT_ALLOWED);
    assert_same(simulation, before);
    free(before.bytes);
    simulation_destroy(simulation);
}

// Whole numbers and enumerations take nothing else.
static void test_whole_numbers(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    assert_int_equal(set(simulation, "solver.maximum_iterations", 12.5), STATUS_OUT_OF_RANGE);
    assert_int_equal(set(simulation, "solver.maximum_iterations", 12.0), STATUS_OK);
    assert_int_equal(set(simulation, "f.frame", 1.5), STATUS_OUT_OF_RANGE);
    assert_int_equal(set(simulation, "f.frame", 3.0), STATUS_OUT_OF_RANGE);
    assert_int_equal(set(simulation, "f.frame", 2.0), STATUS_OK);
    assert_int_equal(set(simulation, "solver.scheme", 99.0), STATUS_OUT_OF_RANGE);
    simulation_destroy(simulation);
}

static void test_calculated_parameters(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "size", 0.2);
    assert_close(value_of(simulation, "area"), 0.04, 1e-16, "area");
    assert_close(value_of(simulation, "b.rim.radius"), 0.2, 0.0, "radius");
    assert_close(value_of(simulation, "b.inertia"), 0.032, 1e-16, "inertia");
    // While it is being set up they may leave their ranges for a while, but not at the start.
    set_value(simulation, "size", 0.9);
    assert_int_equal(simulation_initialize(simulation, 1.0, NULL), STATUS_OUT_OF_RANGE);
    assert_non_null(strstr(simulation_message(simulation), "area would become 0.81"));
    assert_non_null(strstr(simulation_message(simulation), "size = 0.9"));
    set_value(simulation, "size", 0.2);
    start(simulation);
    const Snapshot before = saved(simulation);
    assert_int_equal(set(simulation, "size", 0.9), STATUS_OUT_OF_RANGE);
    assert_non_null(strstr(simulation_message(simulation), "area"));
    assert_same(simulation, before);
    free(before.bytes);
    advance(simulation, 0.002);
    set_value(simulation, "grip", 0.9);
    assert_close(value_of(simulation, "c.friction_coefficient"), 0.9, 0.0, "friction");
    simulation_destroy(simulation);
}

// --- snapshots ---

static void test_restore_is_bitwise(void** state) {
    (void)state;
    Simulation* one = mechanism_new(content);
    Simulation* other = mechanism_new(content);
    set_value(one, "size", 0.15);
    set_value(one, "b.mass", 7.0);
    start(one);
    set_value(one, "push", 3.0);
    advance(one, 0.3);
    Snapshot middle = saved(one);
    const double y_middle = value_of(one, "b.y");
    const double a_middle = value_of(one, "b.acceleration_y");
    advance(one, 0.5);
    Snapshot end = saved(one);
    const double a_end = value_of(one, "b.acceleration_y");

    assert_int_equal(restored(one, middle), STATUS_OK);  // back in the same one
    assert_true(value_of(one, "b.y") == y_middle);
    assert_true(value_of(one, "b.acceleration_y") == a_middle);
    advance(one, 0.5);
    assert_same(one, end);

    assert_int_equal(restored(other, middle), STATUS_OK);  // in one never started
    assert_true(value_of(other, "b.acceleration_y") == a_middle);
    advance(other, 0.5);
    assert_same(other, end);
    assert_true(value_of(other, "b.acceleration_y") == a_end);
    free(middle.bytes);
    free(end.bytes);
    simulation_destroy(one);
    simulation_destroy(other);
}

// A snapshot of the set-up takes a moving one back there.
static void test_restore_in_another_phase(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    set_value(simulation, "b.mass", 4.0);
    const Snapshot set_up = saved(simulation);
    start(simulation);
    const Snapshot started = saved(simulation);
    advance(simulation, 0.1);
    const Snapshot moved = saved(simulation);
    assert_int_equal(restored(simulation, set_up), STATUS_OK);
    double value;
    assert_int_equal(simulation_get(simulation, index_of(simulation, "b.x"), &value),
                     STATUS_NOT_ALLOWED);
    assert_int_equal(set(simulation, "b.mass", 4.0), STATUS_OK);
    start(simulation);
    assert_same(simulation, started);
    advance(simulation, 0.1);
    assert_same(simulation, moved);
    assert_int_equal(restored(simulation, started), STATUS_OK);
    advance(simulation, 0.1);
    assert_same(simulation, moved);
    free(set_up.bytes);
    free(started.bytes);
    free(moved.bytes);
    simulation_destroy(simulation);
}

static void test_foreign_snapshots_are_refused(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    Simulation* foreign = mechanism_new("<point_mass name='m' mass='1'/>");
    start(simulation);
    advance(simulation, 0.05);
    const Snapshot own = saved(simulation);
    unsigned char* other = calloc(1, simulation_snapshot_size(simulation));
    assert_non_null(other);
    simulation_save(foreign, other);  // smaller
    assert_int_equal(simulation_restore(simulation, other, own.n), STATUS_NOT_ALLOWED);
    for (size_t n = 0; n < own.n; n += 7) {  // too short
        assert_int_equal(simulation_restore(simulation, own.bytes, n), STATUS_NOT_ALLOWED);
    }
    memset(other, 0xFF, simulation_snapshot_size(simulation));
    assert_int_equal(simulation_restore(simulation, other, own.n), STATUS_NOT_ALLOWED);
    assert_same(simulation, own);
    free(own.bytes);
    free(other);
    simulation_destroy(simulation);
    simulation_destroy(foreign);
}

// --- steps ---

static void test_grid_of_time(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    start(simulation);
    for (int i = 1; i <= 1000; i++) {  // no sum of rounding errors
        advance(simulation, 0.002);
        assert_true(simulation_time(simulation) == 1.0 + i * 0.002);
    }
    assert_int_equal(simulation_statistics(simulation).n_steps, 1000);
    advance(simulation, 0.003);  // not a multiple: two equal steps
    assert_close(simulation_time(simulation), 3.003, 1e-12, "time");
    assert_int_equal(simulation_statistics(simulation).n_steps, 1002);
    advance(simulation, 1e-6);
    assert_close(simulation_time(simulation), 3.003001, 1e-12, "time");
    simulation_destroy(simulation);
}

static void test_durations_that_are_refused(void** state) {
    (void)state;
    static const double durations[] = {0.0, -1.0, NAN, INFINITY, -INFINITY, 1e300};
    Simulation* simulation = mechanism_new(content);
    start(simulation);
    for (unsigned i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        assert_int_equal(simulation_advance(simulation, durations[i], NULL), STATUS_OUT_OF_RANGE);
        assert_true(simulation_time(simulation) == 1.0);
    }
    simulation_reset(simulation);
    assert_int_equal(simulation_initialize(simulation, NAN, NULL), STATUS_NOT_FINITE);
    assert_int_equal(simulation_initialize(simulation, INFINITY, NULL), STATUS_NOT_FINITE);
    simulation_destroy(simulation);
}

static void test_cancel(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    const atomic_int cancel = 1;
    start(simulation);
    assert_int_equal(simulation_advance(simulation, 0.1, &cancel), STATUS_NOT_AVAILABLE);
    assert_true(simulation_time(simulation) == 1.0);
    simulation_destroy(simulation);
}

// A step without a solution: the time of the last one that had one, all values valid and as they
// were, then on with better inputs.
static void test_failed_step(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<solver step_size='0.01'/><input name='x' start='1'/>"
        "<point_mass name='m' mass='1' initial_velocity_x='1'/>"
        "<force name='f' on='m' x='if(t &gt; 0.25, sqrt(x), 0)'/>");
    start(simulation);
    set_value(simulation, "x", -1.0);
    assert_int_equal(simulation_advance(simulation, 1.0, NULL), STATUS_NOT_FINITE);
    assert_close(simulation_time(simulation), 0.25, 1e-12, "last time");
    assert_close(value_of(simulation, "m.x"), 0.25, 1e-12, "position there");
    assert_close(value_of(simulation, "solver.failed_steps"), 1.0, 0.0, "failed steps");
    assert_true(strlen(simulation_message(simulation)) > 20);
    const char* text;
    assert_int_equal(
        simulation_get_string(simulation, index_of(simulation, "solver.message"), &text),
        STATUS_OK);
    assert_string_equal(text, status_text(STATUS_NOT_FINITE));
    const Snapshot before = saved(simulation);
    assert_int_equal(simulation_advance(simulation, 0.01, NULL), STATUS_NOT_FINITE);
    ((StateHead*)(void*)before.bytes)->n_failed++;  // all that another failure changes
    assert_same(simulation, before);
    free(before.bytes);
    set_value(simulation, "x", 1.0);
    advance(simulation, 0.75);
    assert_close(simulation_time(simulation), 1.0, 1e-12, "on");
    simulation_destroy(simulation);
}

static void test_start_in_penetration_is_reported(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(content);
    static Messages messages;
    Report report = {.context = &messages, .add = messages_add};
    set_value(simulation, "b.initial_y", 0.05);
    assert_int_equal(simulation_initialize(simulation, 0.0, &report), STATUS_OK);
    assert_int_equal(messages.n_warnings, 1);
    assert_non_null(strstr(messages.text, "c starts with a penetration of 0.05 m"));
    assert_close(simulation_statistics(simulation).worst_penetration, 0.05, 1e-15, "penetration");
    simulation_destroy(simulation);
}

// The velocity of a hinge without friction is of no interest until it gets some: then the first
// step has to know it, or half of its work is missed.
static void test_friction_set_in_motion(void** state) {
    (void)state;
    for (int scheme = 1; scheme <= 2; scheme++) {  // Moreau-Jean, generalized-alpha
        Simulation* simulation = mechanism_new(
            "<solver step_size='0.01'/>"
            "<planar_body name='wheel' mass='1' inertia='2' initial_angular_velocity='3'/>"
            "<revolute name='axle' first='ground' second='wheel'/>");
        set_value(simulation, "solver.scheme", scheme);
        start(simulation);
        advance(simulation, 0.1);
        const double angle = value_of(simulation, "wheel.angle");
        set_value(simulation, "axle.friction_torque", 0.5);
        advance(simulation, 0.01);
        assert_close(value_of(simulation, "energy.dissipated_by_friction"),
                     0.5 * (value_of(simulation, "wheel.angle") - angle), 1e-12, "work");
        simulation_destroy(simulation);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_what_cannot_be_set),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_calculated_parameters),
        cmocka_unit_test(test_restore_is_bitwise),
        cmocka_unit_test(test_restore_in_another_phase),
        cmocka_unit_test(test_foreign_snapshots_are_refused),
        cmocka_unit_test(test_grid_of_time),
        cmocka_unit_test(test_durations_that_are_refused),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_outputs_in_parts),
        cmocka_unit_test(test_failed_step),
        cmocka_unit_test(test_start_in_penetration_is_reported),
        cmocka_unit_test(test_friction_set_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
