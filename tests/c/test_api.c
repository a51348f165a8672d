// The functions of the shared library as its users call them: rows in bulk as single steps, wrong
// arguments, failures with what was reached, states as bytes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/clatter.h"

#define HEAD "<mechanism xmlns='urn:clatter:model:1' name='model'>"

static const char slide[] = HEAD
    "<experiment stop_time='1'/><solver step_size='0.01'/><gravity y='-9.81'/>"
    "<input name='push' unit='N' min='-50' max='50'/>"
    "<parameter name='grip' value='0.3' tunable='true'/>"
    "<point_mass name='puck' mass='2' initial_y='0.1'><point name='base'/></point_mass>"
    "<ground><line name='floor'/></ground><force name='hand' on='puck' x='push'/>"
    "<contact name='touch' first='puck.base' second='ground.floor' friction_coefficient='grip'/>"
    "</mechanism>";

// A force that has no value after t = 0.5 s
static const char breaks[] = HEAD
    "<solver step_size='0.01'/><point_mass name='puck' mass='1'/>"
    "<force name='hand' on='puck' x='sqrt(0.5 - t)'/></mechanism>";

static ClatterSimulation* load(const char* xml) {
    const ClatterFile file = {"model.xml", xml, strlen(xml)};
    ClatterSimulation* simulation = clatter_load_texts(&file, 1);
    assert_non_null(simulation);
    assert_int_equal(clatter_usable(simulation), 1);
    return simulation;
}

static int32_t find(const ClatterSimulation* simulation, const char* name) {
    const int32_t index = clatter_variable_find(simulation, name);
    assert_true(index >= 0);
    return index;
}

enum { N = 51 };

typedef struct Rows {
    double times[N], push[N], results[N][3];
    int32_t inputs[1], outputs[3];
    ClatterSignals signals;
} Rows;

static void prepare(const ClatterSimulation* simulation, int interpolation, Rows* rows) {
    *rows = (Rows){.inputs = {find(simulation, "push")},
                   .outputs = {find(simulation, "puck.x"), find(simulation, "puck.velocity_x"),
                               find(simulation, "touch.state")}};
    rows->signals = (ClatterSignals){1, rows->inputs, interpolation, 3, rows->outputs};
    for (int i = 0; i < N; i++) {
        rows->times[i] = 0.02 * i;
        rows->push[i] = 20.0 * sin(0.3 * i);
    }
}

static ClatterStatus simulate(ClatterSimulation* simulation, Rows* rows, int64_t* n_rows) {
    return clatter_simulate(simulation, N, rows->times, &rows->signals, rows->push,
                            rows->results[0], n_rows);
}

static void test_bulk_is_single_steps(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    Rows rows;
    int64_t n_rows;
    prepare(simulation, CLATTER_HELD, &rows);
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_OK);
    assert_int_equal(n_rows, N);
    assert_true(fabs(clatter_time(simulation) - 1.0) < 1e-12);

    assert_int_equal(clatter_reset(simulation), CLATTER_OK);
    assert_int_equal(clatter_set(simulation, 1, rows.inputs, rows.push), CLATTER_OK);
    assert_int_equal(clatter_initialize(simulation, 0.0), CLATTER_OK);
    for (int i = 1; i < N; i++) {
        double outputs[3];
        assert_int_equal(clatter_step(simulation, rows.times[i] - rows.times[i - 1], &rows.signals,
                                      &rows.push[i - 1], outputs),
                         CLATTER_OK);
        assert_memory_equal(outputs, rows.results[i], sizeof outputs);
    }
    clatter_free(simulation);
}

// Without friction a force that rises and falls in straight lines: v' = push/m exactly, which the
// midpoint rule integrates exactly, too.
static void test_linear_inputs(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    Rows rows;
    int64_t n_rows;
    const int32_t grip = find(simulation, "grip");
    prepare(simulation, CLATTER_LINEAR, &rows);
    assert_int_equal(clatter_set(simulation, 1, &grip, &(double){0.0}), CLATTER_OK);
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_OK);
    double momentum = 0.0;
    for (int i = 1; i < N; i++) {
        momentum += 0.5 * (rows.push[i - 1] + rows.push[i]) * 0.02;
        assert_true(fabs(rows.results[i][1] - momentum / 2.0) < 1e-12);
    }
    // afterwards the input stays where it is
    double v[2];
    assert_int_equal(clatter_get(simulation, 1, &rows.outputs[1], &v[0]), CLATTER_OK);
    assert_int_equal(clatter_advance(simulation, 0.1), CLATTER_OK);
    assert_int_equal(clatter_get(simulation, 1, &rows.outputs[1], &v[1]), CLATTER_OK);
    assert_true(fabs(v[1] - v[0] - 0.1 * rows.push[N - 1] / 2.0) < 1e-12);
    clatter_free(simulation);
}

static void test_goes_on_in_parts(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    Rows whole, parts;
    int64_t n_rows;
    prepare(simulation, CLATTER_HELD, &whole);
    parts = whole;
    assert_int_equal(simulate(simulation, &whole, &n_rows), CLATTER_OK);
    assert_int_equal(clatter_reset(simulation), CLATTER_OK);
    parts.signals.inputs = parts.inputs;
    parts.signals.outputs = parts.outputs;
    const int half = N / 2;
    assert_int_equal(clatter_simulate(simulation, half + 1, parts.times, &parts.signals, parts.push,
                                      parts.results[0], &n_rows),
                     CLATTER_OK);
    assert_int_equal(clatter_simulate(simulation, N - half, parts.times + half, &parts.signals,
                                      parts.push + half, parts.results[half], &n_rows),
                     CLATTER_OK);
    assert_memory_equal(whole.results, parts.results, sizeof whole.results);
    assert_int_equal(simulate(simulation, &parts, &n_rows), CLATTER_REFUSED);  // it is at 1 s
    assert_non_null(strstr(clatter_message(simulation), "not at 0 s"));
    clatter_free(simulation);
}

static void test_failed_step(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(breaks);
    const int32_t x = find(simulation, "puck.x");
    const double times[] = {0.0, 0.4, 0.8, 1.2};
    const ClatterSignals signals = {0, NULL, CLATTER_HELD, 1, &x};
    double results[4] = {-1, -1, -1, -1};
    int64_t n_rows;
    assert_int_equal(clatter_simulate(simulation, 4, times, &signals, NULL, results, &n_rows),
                     CLATTER_STEP_FAILED);
    assert_int_equal(n_rows, 3);  // the last good step lies between 0.4 s and 0.8 s
    assert_true(fabs(clatter_time(simulation) - 0.5) < 1e-9);
    assert_true(results[2] > results[1] && results[3] == -1);
    assert_true(strlen(clatter_message(simulation)) > 0);
    assert_int_equal(
        clatter_simulate(simulation, 2, (double[]){0.5, 0.6}, &signals, NULL, results, &n_rows),
        CLATTER_STEP_FAILED);  // again, without a row beside the first
    assert_int_equal(n_rows, 1);
    ClatterStatistics statistics;
    assert_int_equal(clatter_statistics(simulation, &statistics), CLATTER_OK);
    assert_int_equal(statistics.n_failed_steps, 2);
    assert_int_equal(clatter_reset(simulation), CLATTER_OK);
    assert_int_equal(clatter_initialize(simulation, 0.0), CLATTER_OK);
    clatter_free(simulation);
}

static void test_cancel(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    Rows rows;
    int64_t n_rows;
    prepare(simulation, CLATTER_HELD, &rows);
    clatter_cancel(simulation);
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_CANCELLED);
    assert_int_equal(n_rows, 1);
    clatter_clear_cancel(simulation);
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_OK);
    assert_int_equal(n_rows, N);
    clatter_free(simulation);
}

static void test_wrong_arguments(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    Rows rows;
    int64_t n_rows;
    double value = 0.0;
    prepare(simulation, CLATTER_HELD, &rows);
    const int32_t mass = find(simulation, "puck.mass");
    assert_int_equal(clatter_advance(simulation, 0.1), CLATTER_REFUSED);  // no start yet
    assert_int_equal(clatter_get(simulation, 1, rows.outputs, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_set(simulation, 1, &(int32_t){99999}, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_set(simulation, 1, &(int32_t){-1}, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_set(simulation, -1, rows.inputs, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_set(simulation, 1, NULL, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_set(simulation, 1, rows.inputs, &(double){NAN}), CLATTER_REFUSED);
    assert_int_equal(clatter_set(simulation, 1, rows.inputs, &(double){51.0}), CLATTER_REFUSED);
    assert_string_equal(clatter_message(simulation), "push = 51 is outside of -50 to 50");
    assert_int_equal(clatter_set(simulation, 1, rows.outputs, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_simulate(simulation, 0, rows.times, &rows.signals, rows.push,
                                      rows.results[0], &n_rows),
                     CLATTER_REFUSED);
    rows.times[7] = rows.times[6];
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_REFUSED);
    rows.times[7] = NAN;
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_REFUSED);
    rows.times[7] = 0.14;
    rows.push[7] = INFINITY;
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_REFUSED);
    assert_int_equal(n_rows, 8);
    assert_int_equal(clatter_set(simulation, 1, &mass, &(double){3.0}), CLATTER_REFUSED);
    rows.signals.interpolation = 2;
    assert_int_equal(simulate(simulation, &rows, &n_rows), CLATTER_REFUSED);
    assert_int_equal(clatter_step(simulation, 0.1, NULL, NULL, NULL), CLATTER_REFUSED);
    assert_int_equal(clatter_step(NULL, 0.1, NULL, NULL, NULL), CLATTER_REFUSED);
    assert_string_equal(clatter_message(NULL), "the simulation is NULL");
    clatter_free(simulation);
    clatter_free(NULL);
}

static void test_parameters_after_the_start(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    const int32_t mass = find(simulation, "puck.mass");
    const int32_t kinetic = find(simulation, "energy.total");
    double value;
    assert_int_equal(clatter_initialize(simulation, 0.0), CLATTER_OK);
    assert_int_equal(clatter_set(simulation, 1, &mass, &(double){4.0}), CLATTER_OK);
    assert_int_equal(clatter_get(simulation, 1, &kinetic, &value), CLATTER_REFUSED);
    assert_int_equal(clatter_initialize(simulation, 0.0), CLATTER_OK);
    assert_int_equal(clatter_get(simulation, 1, &kinetic, &value), CLATTER_OK);
    assert_true(fabs(value - 4.0 * 9.81 * 0.1) < 1e-12);
    clatter_free(simulation);
}

static void test_problems(void** state) {
    (void)state;
    static const char wrong[] =
        HEAD "\n<point_mass name='puck' mass='-1'/>\n<pointmass/></mechanism>";
    const ClatterFile file = {"wrong.xml", wrong, strlen(wrong)};
    ClatterSimulation* simulation = clatter_load_texts(&file, 1);
    assert_non_null(simulation);
    assert_int_equal(clatter_usable(simulation), 0);
    assert_true(clatter_problem_count(simulation) >= 2);
    ClatterProblem problem;
    assert_int_equal(clatter_problem(simulation, 0, &problem), CLATTER_OK);
    assert_string_equal(problem.file, "wrong.xml");
    assert_true(problem.line >= 2 && problem.column > 0 && problem.severity == CLATTER_ERROR);
    assert_int_equal(clatter_problem(simulation, 99, &problem), CLATTER_REFUSED);
    assert_int_equal(clatter_initialize(simulation, 0.0), CLATTER_UNUSABLE);
    assert_int_equal(clatter_variable_count(simulation), 0);
    assert_true(isnan(clatter_time(simulation)));
    clatter_free(simulation);
    simulation = clatter_load("/nowhere/model.xml");
    assert_non_null(simulation);
    assert_int_equal(clatter_usable(simulation), 0);
    assert_int_equal(clatter_problem_count(simulation), 1);
    clatter_free(simulation);
    simulation = clatter_load_texts(NULL, 1);
    assert_int_equal(clatter_usable(simulation), 0);
    clatter_free(simulation);
}

static void test_files_come_back(void** state) {
    (void)state;
    ClatterSimulation* first = clatter_load("resources/models/parcel_pusher.xml");
    assert_int_equal(clatter_usable(first), 1);
    assert_int_equal(clatter_file_count(first), 2);
    ClatterFile files[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(clatter_file(first, i, &files[i]), CLATTER_OK);
    }
    assert_string_equal(files[1].name, "../materials.xml");
    ClatterSimulation* second = clatter_load_texts(files, 2);
    assert_int_equal(clatter_usable(second), 1);
    ClatterInfo infos[2];
    assert_int_equal(clatter_info(first, &infos[0]), CLATTER_OK);
    assert_int_equal(clatter_info(second, &infos[1]), CLATTER_OK);
    assert_string_equal(infos[0].guid, infos[1].guid);
    ClatterSimulation* lacking = clatter_load_texts(files, 1);
    assert_int_equal(clatter_usable(lacking), 0);
    clatter_free(lacking);
    clatter_free(first);
    clatter_free(second);
}

static void test_variables(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    ClatterVariable push, contact;
    assert_int_equal(clatter_variable(simulation, find(simulation, "push"), &push), CLATTER_OK);
    assert_string_equal(push.unit, "N");
    assert_int_equal(push.causality, CLATTER_INPUT);
    assert_true(push.min == -50 && push.max == 50 && push.start == 0);
    const int32_t index = find(simulation, "touch.state");
    assert_int_equal(clatter_variable(simulation, index, &contact), CLATTER_OK);
    assert_int_equal(contact.type, CLATTER_ENUMERATION);
    assert_int_equal(contact.n_words, 3);
    assert_string_equal(clatter_variable_word(simulation, index, 2), "stick");
    assert_null(clatter_variable_word(simulation, index, 3));
    assert_int_equal(clatter_variable_find(simulation, "nothing"), -1);
    clatter_free(simulation);
}

static void test_derivatives(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    const int32_t x = find(simulation, "puck.x");
    const int32_t acceleration = find(simulation, "puck.acceleration_x");
    const int32_t push = find(simulation, "push");
    double value;
    assert_int_equal(clatter_directional_derivative(simulation, 1, &acceleration, 1, &push,
                                                    &(double){1}, &value),
                     CLATTER_REFUSED);
    assert_int_equal(clatter_initialize(simulation, 0.0), CLATTER_OK);
    assert_int_equal(clatter_directional_derivative(simulation, 1, &acceleration, 1, &push,
                                                    &(double){3}, &value),
                     CLATTER_OK);
    assert_true(fabs(value - 1.5) < 1e-9);  // in the air: a = push/m
    assert_int_equal(clatter_get_derivatives(simulation, 1, &x, &value), CLATTER_OK);
    assert_true(value == 0.0);
    clatter_free(simulation);
}

static void test_snapshots(void** state) {
    (void)state;
    ClatterSimulation* simulation = load(slide);
    ClatterSimulation* other = load(breaks);
    Rows rows, again;
    int64_t n_rows;
    prepare(simulation, CLATTER_HELD, &rows);
    assert_int_equal(clatter_simulate(simulation, 11, rows.times, &rows.signals, rows.push,
                                      rows.results[0], &n_rows),
                     CLATTER_OK);
    const size_t n = clatter_snapshot_size(simulation);
    char* bytes = malloc(n + 1);
    assert_non_null(bytes);
    assert_int_equal(clatter_save(simulation, bytes + 1, n - 1), CLATTER_REFUSED);
    assert_int_equal(clatter_save(simulation, bytes + 1, n), CLATTER_OK);  // not aligned
    again = rows;
    for (int round = 0; round < 2; round++) {
        Rows* to = round == 0 ? &rows : &again;
        assert_int_equal(clatter_restore(simulation, bytes + 1, n), CLATTER_OK);
        assert_int_equal(clatter_simulate(simulation, N - 10, rows.times + 10, &rows.signals,
                                          rows.push + 10, to->results[10], &n_rows),
                         CLATTER_OK);
    }
    assert_memory_equal(rows.results, again.results, sizeof rows.results);
    assert_int_equal(clatter_restore(other, bytes + 1, n), CLATTER_REFUSED);
    assert_int_equal(clatter_restore(simulation, bytes + 1, n - 1), CLATTER_REFUSED);
    assert_int_equal(clatter_restore(simulation, bytes + 1, 3), CLATTER_REFUSED);
    for (size_t i = 1; i <= n; i += 7) {
        bytes[i] = (char)(bytes[i] ^ 16);
        assert_int_equal(clatter_restore(simulation, bytes + 1, n), CLATTER_REFUSED);
        bytes[i] = (char)(bytes[i] ^ 16);
    }
    assert_int_equal(clatter_restore(simulation, bytes + 1, n), CLATTER_OK);
    assert_true(fabs(clatter_time(simulation) - 0.2) < 1e-12);
    free(bytes);
    clatter_free(other);
    clatter_free(simulation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_is_single_steps),
        cmocka_unit_test(test_linear_inputs),
        cmocka_unit_test(test_goes_on_in_parts),
        cmocka_unit_test(test_failed_step),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_parameters_after_the_start),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_files_come_back),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
