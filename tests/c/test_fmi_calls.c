// What the FMI functions do: arguments they refuse, values, steps, derivatives, snapshots,
// messages.
#include "fmi_host.h"

// --- instantiation ---

static void test_instantiate_refuses(void** state) {
    (void)state;
    assert_null(fmi2Instantiate("", fmi2CoSimulation, FAKE_GUID, uri, &host, 0, 0));
    assert_refused(fmi2Error, "instance name");
    assert_null(fmi2Instantiate(NULL, fmi2CoSimulation, FAKE_GUID, uri, &host, 0, 0));
    assert_null(fmi2Instantiate("a", fmi2ModelExchange, FAKE_GUID, uri, &host, 0, 0));
    assert_refused(fmi2Error, "co-simulation");
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, NULL, uri, &host, 0, 0));
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, "{%s%n}", uri, &host, 0, 0));
    assert_refused(fmi2Error, "{%s%n}");
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, FAKE_GUID, NULL, &host, 0, 0));
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, FAKE_GUID, "http://x/y", &host, 0, 0));
    assert_refused(fmi2Error, "http://x/y");
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, FAKE_GUID, "file:///nowhere", &host, 0, 0));
    assert_refused(fmi2Error, "/nowhere/model.xml");
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, FAKE_GUID, uri, NULL, 0, 0));
    const fmi2CallbackFunctions silent = {0};
    fmi2Component c = fmi2Instantiate("a", fmi2CoSimulation, FAKE_GUID, uri, &silent, 0, 1);
    assert_non_null(c);
    assert_int_equal(fmi2Terminate(c), fmi2Error);
    fmi2FreeInstance(c);
}

// --- values ---

static void test_initialization_is_lazy_and_repeated(void** state) {
    (void)state;
    fmi2Component c = new_instance();
    fake_n_initializations = 0;
    assert_int_equal(fmi2SetupExperiment(c, fmi2False, 0, 2.0, fmi2False, 0), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    assert_int_equal(set_real(c, FAKE_MASS, 2.0), fmi2OK);
    assert_int_equal(fake_n_initializations, 0);
    assert_true(get_real(c, FAKE_POSITION) == 20.0);
    assert_int_equal(set_real(c, FAKE_MASS, 3.0), fmi2OK);
    assert_true(get_real(c, FAKE_POSITION) == 30.0);
    assert_true(get_real(c, FAKE_TIME) == 2.0);
    assert_int_equal(fmi2ExitInitializationMode(c), fmi2OK);
    assert_int_equal(fake_n_initializations, 2);
    fmi2FreeInstance(c);
}

static void test_failed_get_in_initialization_can_be_mended(void** state) {
    (void)state;
    fmi2Component c = instance_in(1);
    assert_int_equal(set_real(c, FAKE_MASS, 13.0), fmi2OK);
    assert_refused(call_get_real(c), "brings no luck");
    assert_int_equal(set_real(c, FAKE_MASS, 1.0), fmi2OK);
    assert_int_equal(fmi2ExitInitializationMode(c), fmi2OK);
    fmi2FreeInstance(c);
}

static void test_set_checks(void** state) {
    (void)state;
    fmi2Component c = instance_in(2);
    assert_refused(set_real(c, FAKE_MASS, 2.0), "mass is a fixed parameter");
    assert_refused(set_real(c, FAKE_POSITION, 2.0), "position");
    assert_refused(set_real(c, FAKE_TIME, 2.0), "time");
    assert_refused(set_real(c, FAKE_ENABLED, 1.0), "enabled is of type Boolean");
    assert_refused(set_real(c, N_FAKE, 1.0), "value reference");
    assert_refused(set_real(c, UINT32_MAX, 1.0), "value reference");
    assert_refused(set_real(c, FAKE_FORCE, NAN), "force must be a finite number");
    assert_refused(set_real(c, FAKE_FORCE, -INFINITY), "force");
    assert_refused(set_real(c, FAKE_STIFFNESS, -1.0), "stiffness = -1 is outside its range 0");
    assert_refused(fmi2SetReal(c, NULL, 1, &(double){0}), "NULL");
    assert_refused(fmi2SetReal(c, &vr_force, 1, NULL), "NULL");
    assert_refused(fmi2SetReal(c, &vr_force, SIZE_MAX, &(double){0}), "more values");
    assert_refused(fmi2GetReal(c, NULL, 1, &(double){0}), "NULL");
    assert_refused(fmi2SetString(c, &(unsigned){FAKE_MESSAGE}, 1, &(const char*){"a"}), "message");
    assert_int_equal(fmi2SetReal(c, NULL, 0, NULL), fmi2OK);
    fmi2FreeInstance(c);

    c = new_instance();
    const unsigned scheme = FAKE_SCHEME;
    assert_int_equal(fmi2SetInteger(c, &scheme, 1, &(int){2}), fmi2OK);
    assert_refused(fmi2SetInteger(c, &scheme, 1, &(int){3}), "solver.scheme");
    assert_refused(fmi2SetInteger(c, &scheme, 1, &(int){0}), "solver.scheme");
    fmi2FreeInstance(c);
}

static void test_set_applies_all_or_none(void** state) {
    (void)state;
    fmi2Component c = instance_in(2);
    const unsigned vr[] = {FAKE_FORCE, FAKE_FORCE, FAKE_STIFFNESS};
    assert_refused(fmi2SetReal(c, vr, 3, (double[]){50.0, 60.0, -1.0}), "stiffness");
    assert_true(get_real(c, FAKE_FORCE) == 3.0);
    assert_refused(fmi2SetReal(c, vr, 3, (double[]){50.0, 60.0, 7.0}), "stiffness");
    assert_true(get_real(c, FAKE_FORCE) == 3.0);
    assert_int_equal(fmi2SetReal(c, vr, 3, (double[]){50.0, 60.0, 8.0}), fmi2OK);
    assert_true(get_real(c, FAKE_FORCE) == 60.0);
    fmi2FreeInstance(c);
}

static void test_set_up_experiment(void** state) {
    (void)state;
    fmi2Component c = new_instance();
    assert_refused(fmi2SetupExperiment(c, 0, 0, NAN, 0, 0), "start time");
    assert_refused(fmi2SetupExperiment(c, 0, 0, 1.0, 1, 0.5), "stop time 0.5");
    assert_refused(fmi2SetupExperiment(c, 0, 0, 1.0, 1, INFINITY), "stop time");
    assert_refused(fmi2SetupExperiment(c, 1, NAN, 0, 0, 0), "tolerance");
    // A tolerance that is larger than the solver's, or none, is no reason to stop.
    assert_int_equal(fmi2SetupExperiment(c, 1, 10.0, 0, 0, 0), fmi2OK);
    assert_int_equal(fmi2SetupExperiment(c, 1, 0.0, 0, 0, 0), fmi2OK);
    assert_int_equal(fmi2SetupExperiment(c, 1, 1e-4, 0, 0, 0), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    assert_true(get_real(c, FAKE_TOLERANCE) == 1e-8);
    assert_int_equal(fmi2Reset(c), fmi2OK);
    assert_int_equal(fmi2SetupExperiment(c, 1, 1e-11, 0, 1, 0.25), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    assert_true(get_real(c, FAKE_TOLERANCE) == 1e-11);
    assert_int_equal(fmi2ExitInitializationMode(c), fmi2OK);
    assert_int_equal(fmi2DoStep(c, 0.0, 0.2, fmi2True), fmi2OK);
    assert_refused(fmi2DoStep(c, 0.2, 0.2, fmi2True), "stop time 0.25");
    assert_int_equal(fmi2DoStep(c, 0.2, 0.0500000001, fmi2True), fmi2OK);
    assert_int_equal(fmi2Reset(c), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    assert_true(get_real(c, FAKE_TOLERANCE) == 1e-8);
    fmi2FreeInstance(c);
}

// --- steps ---

static void test_step_arguments(void** state) {
    (void)state;
    fmi2Component c = instance_in(2);
    assert_refused(fmi2DoStep(c, 0.0, 0.0, fmi2True), "positive");
    assert_refused(fmi2DoStep(c, 0.0, -1.0, fmi2True), "-1");
    assert_refused(fmi2DoStep(c, 0.0, INFINITY, fmi2True), "inf");
    assert_refused(fmi2DoStep(c, 0.0, NAN, fmi2True), "nan");
    assert_refused(fmi2DoStep(c, NAN, 0.1, fmi2True), "nan");
    assert_refused(fmi2DoStep(c, 0.5, 0.1, fmi2True), "0.5 is not where this FMU is, at 0");
    assert_int_equal(fmi2DoStep(c, 1e-5, 0.1, fmi2True), fmi2OK);
    fmi2FreeInstance(c);
}

static void test_status_after_discard(void** state) {
    (void)state;
    fmi2Component c = instance_in(2);
    assert_int_equal(set_real(c, FAKE_FORCE, 666.0), fmi2OK);
    assert_int_equal(fmi2DoStep(c, 0.0, 0.1, fmi2True), fmi2Discard);
    assert_string_equal(last_category, "logError");  // told though logging is off
    assert_non_null(strstr(last_message, "ball.floor"));
    assert_refused(fmi2DoStep(c, 0.0, 0.1, fmi2True), "ball.floor");
    assert_refused(fmi2DoStep(c, 0.1, 0.1, fmi2True), "ball.floor");
    fmi2Status status;
    double time;
    int terminated;
    const char* text;
    assert_int_equal(fmi2GetStatus(c, fmi2DoStepStatus, &status), fmi2OK);
    assert_int_equal(status, fmi2Discard);
    assert_int_equal(fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &time), fmi2OK);
    assert_true(time == 0.05);
    assert_int_equal(fmi2GetBooleanStatus(c, fmi2Terminated, &terminated), fmi2OK);
    assert_int_equal(terminated, fmi2False);
    assert_int_equal(fmi2GetStringStatus(c, fmi2PendingStatus, &text), fmi2OK);
    assert_non_null(strstr(text, "ball.floor"));
    assert_int_equal(fmi2GetIntegerStatus(c, fmi2DoStepStatus, &terminated), fmi2Discard);
    assert_int_equal(fmi2GetRealStatus(c, fmi2Terminated, &time), fmi2Discard);
    assert_refused(fmi2GetRealStatus(c, (fmi2StatusKind)99, &time), "99");
    assert_refused(fmi2GetIntegerStatus(c, (fmi2StatusKind)99, &terminated), "99");
    assert_refused(fmi2GetIntegerStatus(c, (fmi2StatusKind)-1, &terminated), "-1");
    assert_refused(fmi2GetStatus(c, fmi2DoStepStatus, NULL), "NULL");
    // A state saved before lets the host go on.
    assert_int_equal(fmi2SetFMUstate(c, saved), fmi2OK);
    assert_int_equal(fmi2DoStep(c, 0.1, 0.1, fmi2True), fmi2OK);
    fmi2FreeInstance(c);
}

static void pending_during_step(void) {
    fmi2Status status;
    assert_int_equal(fmi2GetStatus(component, fmi2DoStepStatus, &status), fmi2OK);
    assert_int_equal(status, fmi2Pending);
    fmi2FreeInstance(component);  // refused
}

static void test_pending_and_canceled(void** state) {
    (void)state;
    component = instance_in(2);
    fake_during_step = pending_during_step;
    assert_int_equal(fmi2DoStep(component, 0.0, 0.1, fmi2True), fmi2OK);
    fake_during_step = NULL;
    fmi2FreeInstance(component);
    fmi2Component c = instance_in(5);
    double time;
    assert_int_equal(fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &time), fmi2OK);
    assert_true(time == 0.05);
    fmi2FreeInstance(c);
}

static void test_derivatives(void** state) {
    (void)state;
    fmi2Component c = instance_in(2);
    double value;
    assert_refused(fmi2SetRealInputDerivatives(c, &vr_force, 1, &(int){2}, &(double){1}), "order");
    assert_refused(fmi2SetRealInputDerivatives(c, &vr_position, 1, &(int){1}, &(double){1}),
                   "position is not an input");
    assert_refused(fmi2SetRealInputDerivatives(c, &vr_force, 1, &(int){1}, &(double){NAN}),
                   "slope of force");
    assert_refused(fmi2GetRealOutputDerivatives(c, &vr_position, 1, &(int){0}, &value), "order 0");
    assert_refused(fmi2GetRealOutputDerivatives(c, &vr_force, 1, &(int){1}, &value), "output");
    assert_refused(fmi2GetRealOutputDerivatives(c, &vr_position, 1, NULL, &value), "NULL");
    const unsigned mass = FAKE_MASS, knowns[] = {FAKE_FORCE, FAKE_STIFFNESS};
    const double seed[] = {1.0, 10.0};
    assert_refused(fmi2GetDirectionalDerivative(c, &vr_position, 1, &mass, 1, seed, &value),
                   "mass is neither");
    assert_refused(fmi2GetDirectionalDerivative(c, &vr_force, 1, &vr_force, 1, seed, &value),
                   "not an output");
    assert_int_equal(fmi2GetDirectionalDerivative(c, &vr_position, 1, knowns, 2, seed, &value),
                     fmi2OK);
    assert_true(value == FAKE_POSITION * (FAKE_FORCE + 10.0 * FAKE_STIFFNESS));
    assert_int_equal(set_real(c, FAKE_FORCE, 5.0), fmi2OK);
    assert_int_equal(call_directional(c), fmi2Discard);
    assert_int_equal(call_output_slopes(c), fmi2Discard);
    fmi2FreeInstance(c);
}

// --- snapshots ---

static void test_serialized_state(void** state) {
    (void)state;
    fmi2Component c = new_instance();
    fmi2FMUstate copy = NULL;
    assert_int_equal(fmi2DeSerializeFMUstate(c, saved_bytes, n_saved, &copy), fmi2OK);
    fmi2Byte again[sizeof saved_bytes];
    assert_int_equal(fmi2SerializeFMUstate(c, copy, again, n_saved), fmi2OK);
    assert_memory_equal(again, saved_bytes, n_saved);
    assert_refused(fmi2SerializeFMUstate(c, copy, again, n_saved - 1), "too small");
    assert_int_equal(fmi2SetFMUstate(c, copy), fmi2OK);
    assert_true(get_real(c, FAKE_TIME) == 0.1);
    assert_int_equal(fmi2FreeFMUstate(c, &copy), fmi2OK);
    for (size_t i = 0; i < n_saved; i++) {  // any damage is noticed
        memcpy(again, saved_bytes, n_saved);
        again[i] = (fmi2Byte)(again[i] ^ 0x10);
        assert_int_equal(fmi2DeSerializeFMUstate(c, again, n_saved, &copy), fmi2Error);
        assert_null(copy);
    }
    assert_refused(fmi2DeSerializeFMUstate(c, saved_bytes, n_saved - 1, &copy), "too few");
    assert_refused(fmi2DeSerializeFMUstate(c, NULL, n_saved, &copy), "NULL");
    assert_refused(fmi2DeSerializeFMUstate(c, saved_bytes, n_saved, NULL), "NULL");
    assert_refused(fmi2SetFMUstate(c, NULL), "NULL");
    assert_refused(fmi2GetFMUstate(c, NULL), "NULL");
    fmi2FreeInstance(c);
}

// A host that passes the state in place of a pointer to it: freed all the same, as leak checkers
// see.
static void test_state_freed_without_its_address(void** state) {
    (void)state;
    fmi2Component c = new_instance();
    fmi2FMUstate copy = NULL;
    assert_int_equal(fmi2GetFMUstate(c, &copy), fmi2OK);
    assert_int_equal(fmi2FreeFMUstate(c, copy), fmi2OK);
    fmi2FreeInstance(c);
}

// --- logging ---

static void test_log_categories(void** state) {
    (void)state;
    fmi2Component c = instance_in(2);
    const char* calls[] = {"logFmi2Call"};
    const char* solver[] = {"logSolver", "logStatusDiscard"};
    const char* wrong[] = {"logFmi2Call", "logEverything"};
    n_messages = 0;
    assert_int_equal(call_get_real(c), fmi2OK);
    assert_int_equal(n_messages, 0);
    assert_int_equal(fmi2SetDebugLogging(c, fmi2True, 1, calls), fmi2OK);
    assert_int_equal(call_get_real(c), fmi2OK);
    assert_int_equal(n_messages, 1);
    assert_string_equal(last_category, "logFmi2Call");
    assert_refused(fmi2SetDebugLogging(c, fmi2False, 2, wrong), "logEverything");
    assert_refused(fmi2SetDebugLogging(c, fmi2True, 1, NULL), "NULL");
    assert_refused(fmi2SetDebugLogging(c, fmi2True, 1, &(const char*){NULL}), "NULL");
    n_messages = 0;
    assert_int_equal(call_get_real(c), fmi2OK);
    assert_int_equal(n_messages, 1);  // as before the refused calls
    assert_int_equal(fmi2SetDebugLogging(c, fmi2True, 2, solver), fmi2OK);
    n_messages = 0;
    assert_int_equal(call_get_real(c), fmi2OK);
    assert_int_equal(n_messages, 0);
    assert_int_equal(fmi2DoStep(c, 0.0, 0.1, fmi2True), fmi2OK);
    assert_int_equal(n_messages, 1);
    assert_string_equal(last_category, "logSolver");
    n_messages = 0;
    assert_int_equal(fmi2SetDebugLogging(c, fmi2True, 1, &(const char*){"logAll"}), fmi2OK);
    assert_int_equal(call_get_real(c), fmi2OK);
    assert_int_equal(n_messages, 1);
    fmi2FreeInstance(c);
}

static void test_model_problems_are_logged(void** state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/model.xml", directory);
    assert_int_equal(file_write(path, "bad", 3), STATUS_OK);
    n_messages = 0;
    assert_null(fmi2Instantiate("a", fmi2CoSimulation, FAKE_GUID, uri, &host, 0, 0));
    assert_int_equal(n_messages, 3);  // two problems and what follows from them
    assert_int_equal(file_write(path, "good", 4), STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instantiate_refuses),
        cmocka_unit_test(test_initialization_is_lazy_and_repeated),
        cmocka_unit_test(test_failed_get_in_initialization_can_be_mended),
        cmocka_unit_test(test_set_checks),
        cmocka_unit_test(test_set_applies_all_or_none),
        cmocka_unit_test(test_set_up_experiment),
        cmocka_unit_test(test_step_arguments),
        cmocka_unit_test(test_status_after_discard),
        cmocka_unit_test(test_pending_and_canceled),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_serialized_state),
        cmocka_unit_test(test_state_freed_without_its_address),
        cmocka_unit_test(test_log_categories),
        cmocka_unit_test(test_model_problems_are_logged),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
