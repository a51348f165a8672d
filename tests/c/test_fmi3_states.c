// FMI 3.0: every function in every mode (the table of docs/fmi.md), and what happens within a step:
// events, early return, updates between internal steps.
#define _POSIX_C_SOURCE 200809L  // mkdtemp

#include "fmi3Functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "fake_simulation.h"

// --- a host ---

static char directory[] = "/tmp/clatter fmi3 XXXXXX";
static char last_message[4096], last_category[64];
static int n_messages;

static void host_logger(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                        fmi3String message) {
    assert_ptr_equal(environment, &n_messages);
    assert_true(status != fmi3Error || strcmp(category, "logError") == 0);
    snprintf(last_message, sizeof last_message, "%s", message);
    snprintf(last_category, sizeof last_category, "%s", category);
    n_messages++;
}

static fmi3Instance new_instance(bool events, bool early, fmi3IntermediateUpdateCallback update) {
    fmi3Instance c = fmi3InstantiateCoSimulation("ball", FAKE_GUID, directory, false, false, events,
                                                 early, NULL, 0, &n_messages, host_logger, update);
    assert_non_null(c);
    return c;
}

static fmi3Status set_force(fmi3Instance c, double value) {
    return fmi3SetFloat64(c, &(unsigned){FAKE_FORCE}, 1, &value, 1);
}

typedef struct Step {
    bool event, terminate, early;
    double last;
} Step;

static fmi3Status do_step(fmi3Instance c, double time, Step* step) {
    return fmi3DoStep(c, time, 0.1, true, &step->event, &step->terminate, &step->early,
                      &step->last);
}

static void assert_refused(fmi3Status status, const char* part) {
    assert_int_equal(status, fmi3Error);
    if (!strstr(last_message, part)) {
        fail_msg("\"%s\" does not say \"%s\"", last_message, part);
    }
}

// --- modes ---

enum { INSTANTIATED, INITIALIZATION, EVENT_MODE, STEP_MODE, UPDATE, FAILED, TERMINATED, IN_ERROR };
enum { N_MODES = IN_ERROR + 1 };
static const char* const mode_names[N_MODES] = {
    "instantiated", "initialization mode", "event mode", "step mode", "intermediate update mode",
    "step failed",  "terminated",          "error"};

static fmi3Instance instance_in(int mode) {
    fmi3Instance c = new_instance(true, true, NULL);
    const bool fails = mode == IN_ERROR;
    if (mode == INSTANTIATED) {
        return c;
    }
    assert_int_equal(fmi3EnterInitializationMode(c, false, 0, 0, false, 0), fmi3OK);
    if (mode == INITIALIZATION) {
        return c;
    }
    if (fails) {
        assert_int_equal(fmi3SetFloat64(c, &(unsigned){FAKE_MASS}, 1, &(double){13.0}, 1), fmi3OK);
    }
    assert_int_equal(fmi3ExitInitializationMode(c), fails ? fmi3Error : fmi3OK);
    if (mode == EVENT_MODE || fails) {
        return c;
    }
    assert_int_equal(fmi3EnterStepMode(c), fmi3OK);
    if (mode == FAILED) {
        Step step;
        assert_int_equal(set_force(c, 666.0), fmi3OK);
        assert_int_equal(do_step(c, 0.0, &step), fmi3Discard);
        assert_true(!step.event && !step.early && step.last == 0.05);
    } else if (mode == TERMINATED) {
        assert_int_equal(fmi3Terminate(c), fmi3OK);
    }
    return c;
}

// --- every function, with arguments that are right whenever it may be called ---

static fmi3FMUState saved;
static fmi3Byte saved_bytes[1024];
static size_t n_saved;

static fmi3Status call_logging(fmi3Instance c) { return fmi3SetDebugLogging(c, 0, 0, NULL); }
static fmi3Status call_enter(fmi3Instance c) {
    return fmi3EnterInitializationMode(c, false, 0, 0, false, 0);
}
static fmi3Status call_get_float64(fmi3Instance c) {
    return fmi3GetFloat64(c, &(unsigned){FAKE_POSITION}, 1, &(double){0}, 1);
}
static fmi3Status call_get_int64(fmi3Instance c) {
    return fmi3GetInt64(c, &(unsigned){FAKE_COUNT}, 1, &(int64_t){0}, 1);
}
static fmi3Status call_get_boolean(fmi3Instance c) {
    return fmi3GetBoolean(c, &(unsigned){FAKE_ENABLED}, 1, &(bool){0}, 1);
}
static fmi3Status call_get_string(fmi3Instance c) {
    return fmi3GetString(c, &(unsigned){FAKE_MESSAGE}, 1, &(fmi3String){0}, 1);
}
static fmi3Status call_set_float64(fmi3Instance c) { return set_force(c, 2.0); }
static fmi3Status call_set_int64(fmi3Instance c) { return fmi3SetInt64(c, NULL, 0, NULL, 0); }
static fmi3Status call_set_boolean(fmi3Instance c) {
    return fmi3SetBoolean(c, &(unsigned){FAKE_ENABLED}, 1, &(bool){false}, 1);
}
static fmi3Status call_set_string(fmi3Instance c) { return fmi3SetString(c, NULL, 0, NULL, 0); }
static fmi3Status call_get_state(fmi3Instance c) {
    fmi3FMUState state = NULL;
    const fmi3Status status = fmi3GetFMUState(c, &state);
    free(state);
    return status;
}
static fmi3Status call_set_state(fmi3Instance c) { return fmi3SetFMUState(c, saved); }
static fmi3Status call_free_state(fmi3Instance c) {
    return fmi3FreeFMUState(c, &(fmi3FMUState){NULL});
}
static fmi3Status call_state_size(fmi3Instance c) {
    return fmi3SerializedFMUStateSize(c, saved, &(size_t){0});
}
static fmi3Status call_serialize(fmi3Instance c) {
    fmi3Byte bytes[sizeof saved_bytes];
    return fmi3SerializeFMUState(c, saved, bytes, sizeof bytes);
}
static fmi3Status call_deserialize(fmi3Instance c) {
    fmi3FMUState state = NULL;
    const fmi3Status status = fmi3DeserializeFMUState(c, saved_bytes, n_saved, &state);
    free(state);
    return status;
}
static fmi3Status call_directional(fmi3Instance c) {
    return fmi3GetDirectionalDerivative(c, &(unsigned){FAKE_POSITION}, 1, &(unsigned){FAKE_FORCE},
                                        1, &(double){1}, 1, &(double){0}, 1);
}
static fmi3Status call_slopes(fmi3Instance c) {
    return fmi3GetOutputDerivatives(c, &(unsigned){FAKE_POSITION}, 1, &(int32_t){1}, &(double){0},
                                    1);
}
static fmi3Status call_update(fmi3Instance c) {
    bool flags[5];
    return fmi3UpdateDiscreteStates(c, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4],
                                    &(double){0});
}
static fmi3Status call_step(fmi3Instance c) {
    double time = 0.0;
    Step step;
    (void)fmi3GetFloat64(c, &(unsigned){FAKE_TIME}, 1, &time, 1);
    (void)set_force(c, 1.0);
    return do_step(c, time, &step);
}

typedef struct Row {
    const char* name;
    fmi3Status (*call)(fmi3Instance);
    const char* allowed;  // (N_MODES) x or -, as in docs/fmi.md; f: allowed, and fails again
} Row;

static const Row rows[] = {
    {"fmi3SetDebugLogging", call_logging, "xxxxxxxx"},
    {"fmi3EnterInitializationMode", call_enter, "x-------"},
    {"fmi3ExitInitializationMode", fmi3ExitInitializationMode, "-x------"},
    {"fmi3EnterEventMode", fmi3EnterEventMode, "---x----"},
    {"fmi3EnterStepMode", fmi3EnterStepMode, "--x-----"},
    {"fmi3EvaluateDiscreteStates", fmi3EvaluateDiscreteStates, "--x-----"},
    {"fmi3UpdateDiscreteStates", call_update, "--x-----"},
    {"fmi3Terminate", fmi3Terminate, "--xx-x--"},
    {"fmi3Reset", fmi3Reset, "xxxx-xxx"},
    {"fmi3GetFloat64", call_get_float64, "-xxxxxxx"},
    {"fmi3GetInt64", call_get_int64, "-xxxxxxx"},
    {"fmi3GetBoolean", call_get_boolean, "-xxxxxxx"},
    {"fmi3GetString", call_get_string, "-xxxxxxx"},
    {"fmi3SetFloat64", call_set_float64, "xxxxx---"},
    {"fmi3SetInt64", call_set_int64, "xxxx----"},
    {"fmi3SetBoolean", call_set_boolean, "xxxx----"},
    {"fmi3SetString", call_set_string, "xxxx----"},
    {"fmi3GetFMUState", call_get_state, "xxxx-xxx"},
    {"fmi3SetFMUState", call_set_state, "xxxx-xxx"},
    {"fmi3FreeFMUState", call_free_state, "xxxx-xxx"},
    {"fmi3SerializedFMUStateSize", call_state_size, "xxxx-xxx"},
    {"fmi3SerializeFMUState", call_serialize, "xxxx-xxx"},
    {"fmi3DeserializeFMUState", call_deserialize, "xxxx-xxx"},
    {"fmi3GetDirectionalDerivative", call_directional, "-xxx-xxx"},
    {"fmi3GetOutputDerivatives", call_slopes, "--xxxxxx"},
    {"fmi3DoStep", call_step, "---x-f--"},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static void check(const Row* row, int mode, fmi3Instance c) {
    n_messages = 0;
    const fmi3Status status = row->call(c);
    const bool refused =
        status == fmi3Error && n_messages > 0 && strstr(last_message, "not allowed in state");
    if (refused != (row->allowed[mode] == '-')) {
        fail_msg("%s in %s: status %d, %s", row->name, mode_names[mode], (int)status, last_message);
    }
    if (refused) {
        assert_refused(status, row->name);
        assert_refused(status, mode_names[mode]);
    } else if (row->allowed[mode] == 'x' && status != fmi3OK) {
        fail_msg("%s in %s: status %d, %s", row->name, mode_names[mode], (int)status, last_message);
    }
}

static const Row* row_of_update;
static fmi3Instance instance_of_update;
static int n_updates;

static void check_during_update(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                fmi3Boolean finished, fmi3Boolean can_return,
                                fmi3Boolean* return_requested, fmi3Float64* return_time) {
    (void)return_requested;
    (void)return_time;
    assert_ptr_equal(environment, &n_messages);
    assert_true(time > 0.0 && !set_requested && get_allowed && finished && !can_return);
    if (n_updates++ == 0) {
        check(row_of_update, UPDATE, instance_of_update);
    }
}

static void test_every_function_in_every_mode(void** state) {
    (void)state;
    for (int i = 0; i < N_ROWS; i++) {
        for (int mode = 0; mode < N_MODES; mode++) {
            if (mode == UPDATE) {
                continue;
            }
            fmi3Instance c = instance_in(mode);
            check(&rows[i], mode, c);
            fmi3FreeInstance(c);
        }
        Step step;
        fmi3Instance c = new_instance(false, false, check_during_update);
        row_of_update = &rows[i];
        instance_of_update = c;
        n_updates = 0;
        assert_int_equal(call_enter(c), fmi3OK);
        assert_int_equal(fmi3ExitInitializationMode(c), fmi3OK);
        assert_int_equal(do_step(c, 0.0, &step), fmi3OK);
        assert_true(n_updates >= 2);
        fmi3FreeInstance(c);
    }
}

static void test_no_instance(void** state) {
    (void)state;
    for (int i = 0; i < N_ROWS; i++) {
        assert_int_equal(rows[i].call(NULL), fmi3Error);
    }
    fmi3FreeInstance(NULL);
}

// --- what is refused ---

static void test_instantiation(void** state) {
    (void)state;
    assert_null(fmi3InstantiateCoSimulation("a", "{other}", directory, 0, 0, 0, 0, NULL, 0,
                                            &n_messages, host_logger, NULL));
    assert_refused(fmi3Error, "instantiation token {other} was asked for");
    assert_null(fmi3InstantiateCoSimulation("a", NULL, directory, 0, 0, 0, 0, NULL, 0, &n_messages,
                                            host_logger, NULL));
    assert_refused(fmi3Error, "the instantiation token is missing");
    assert_null(fmi3InstantiateCoSimulation("a", FAKE_GUID, NULL, 0, 0, 0, 0, NULL, 0, &n_messages,
                                            host_logger, NULL));
    assert_null(fmi3InstantiateCoSimulation("a", FAKE_GUID, directory, 0, 0, 0, 0, NULL, 1,
                                            &n_messages, host_logger, NULL));
    assert_refused(fmi3Error, "NULL");
    assert_null(fmi3InstantiateCoSimulation("a", FAKE_GUID, directory, 0, 0, 0, 0,
                                            &(unsigned){N_FAKE}, 1, &n_messages, host_logger,
                                            NULL));
    assert_refused(fmi3Error, "value reference");
    assert_null(
        fmi3InstantiateModelExchange("a", FAKE_GUID, directory, 0, 0, &n_messages, host_logger));
    assert_refused(fmi3Error, "only co-simulation");
    assert_null(fmi3InstantiateScheduledExecution("a", FAKE_GUID, directory, 0, 0, &n_messages,
                                                  host_logger, NULL, NULL, NULL));
    fmi3Instance c = fmi3InstantiateCoSimulation("a", FAKE_GUID, directory, 0, 1, 0, 0, NULL, 0,
                                                 NULL, NULL, NULL);  // nobody listens
    assert_int_equal(fmi3Terminate(c), fmi3Error);
    fmi3FreeInstance(c);
    assert_string_equal(fmi3GetVersion(), "3.0");
}

static void test_arguments(void** state) {
    (void)state;
    fmi3Instance c = instance_in(STEP_MODE);
    const unsigned vr[] = {FAKE_FORCE, FAKE_POSITION};
    double values[2];
    assert_refused(fmi3GetFloat64(c, vr, 2, values, 1), "do not have 1 values");
    assert_refused(fmi3GetFloat64(c, vr, 1, values, 2), "do not have 2 values");
    assert_refused(fmi3GetFloat64(c, NULL, 2, values, 2), "NULL");
    assert_refused(fmi3GetFloat64(c, vr, 2, NULL, 2), "NULL");
    assert_refused(fmi3SetFloat64(c, vr, 1, values, 2), "do not have 2 values");
    assert_refused(fmi3SetFloat64(c, vr, SIZE_MAX, values, 1), "do not have 1 values");
    assert_refused(fmi3SetFloat64(c, &(unsigned){UINT32_MAX}, 1, values, 1), "value reference");
    assert_refused(set_force(c, NAN), "finite");
    assert_refused(fmi3GetOutputDerivatives(c, vr + 1, 1, &(int32_t){2}, values, 1), "order 2");
    assert_refused(fmi3GetOutputDerivatives(c, vr + 1, 1, &(int32_t){1}, values, 0), "too small");
    assert_refused(fmi3GetOutputDerivatives(c, vr + 1, 1, &(int32_t){1}, values, 2), "too large");
    assert_refused(fmi3GetDirectionalDerivative(c, vr + 1, 1, vr, 1, values, 2, values, 1),
                   "2 seeds");
    assert_refused(fmi3GetDirectionalDerivative(c, vr + 1, 1, vr, 1, values, 1, values, 2),
                   "do not have 2 values");
    assert_refused(fmi3DoStep(c, 0.0, 0.1, true, NULL, NULL, NULL, NULL), "NULL");
    assert_int_equal(fmi3GetInt32(c, NULL, 0, NULL, 0), fmi3OK);
    assert_refused(fmi3GetInt32(c, vr, 1, &(int32_t){0}, 1), "no variable is of this type");
    fmi3FreeInstance(c);
}

// --- within a step ---

static void test_impacts_are_events(void** state) {
    (void)state;
    for (int events = 0; events < 2; events++) {
        for (int early = 0; early < 2; early++) {
            Step step;
            fmi3Instance c = new_instance(events, early, NULL);
            assert_int_equal(call_enter(c), fmi3OK);
            assert_int_equal(fmi3ExitInitializationMode(c), fmi3OK);
            assert_int_equal(events ? fmi3EnterStepMode(c) : fmi3OK, fmi3OK);
            assert_int_equal(do_step(c, 0.0, &step), fmi3OK);
            assert_true(!step.event && !step.early && !step.terminate);
            assert_int_equal(set_force(c, 777.0), fmi3OK);
            assert_int_equal(do_step(c, step.last, &step), fmi3OK);
            assert_true(step.event == events && step.early == early);
            assert_true(fabs(step.last - (early ? 0.15 : 0.2)) < 1e-15);
            fmi3FreeInstance(c);
        }
    }
}

static double wanted_return;

static void ask_for_return(fmi3InstanceEnvironment environment, fmi3Float64 time,
                           fmi3Boolean set_requested, fmi3Boolean get_allowed, fmi3Boolean finished,
                           fmi3Boolean can_return, fmi3Boolean* return_requested,
                           fmi3Float64* return_time) {
    (void)environment;
    (void)time;
    assert_true(!set_requested && get_allowed && finished);
    *return_requested = can_return;
    *return_time = wanted_return;
}

static void test_return_that_the_host_asks_for(void** state) {
    (void)state;
    static const double wanted[] = {0.05, 0.07, 0.0, NAN, 0.1, 3.0};
    static const double reached[] = {0.05, 0.07, 0.05, 0.05, 0.1, 0.1};
    for (int i = 0; i < 6; i++) {
        Step step;
        fmi3Instance c = new_instance(false, true, ask_for_return);
        wanted_return = wanted[i];
        assert_int_equal(call_enter(c), fmi3OK);
        assert_int_equal(fmi3ExitInitializationMode(c), fmi3OK);
        assert_int_equal(do_step(c, 0.0, &step), fmi3OK);
        assert_true(fabs(step.last - reached[i]) < 1e-15);
        assert_int_equal(step.early, reached[i] < 0.1);
        fmi3FreeInstance(c);
    }
}

static int set_up(void** state) {
    (void)state;
    char path[128];
    if (!mkdtemp(directory)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/model.xml", directory);
    if (file_write(path, "good", 4) != STATUS_OK) {
        return -1;
    }
    fmi3Instance c = instance_in(STEP_MODE);
    const bool done = fmi3GetFMUState(c, &saved) == fmi3OK &&
                      fmi3SerializedFMUStateSize(c, saved, &n_saved) == fmi3OK &&
                      n_saved <= sizeof saved_bytes &&
                      fmi3SerializeFMUState(c, saved, saved_bytes, n_saved) == fmi3OK;
    fmi3FreeInstance(c);
    return done ? 0 : -1;
}

static int tear_down(void** state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/model.xml", directory);
    free(saved);
    return unlink(path) == 0 && rmdir(directory) == 0 ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function_in_every_mode),
        cmocka_unit_test(test_no_instance),
        cmocka_unit_test(test_instantiation),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_impacts_are_events),
        cmocka_unit_test(test_return_that_the_host_asks_for),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
