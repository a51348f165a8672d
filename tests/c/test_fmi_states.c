// Every FMI function in every state: the table of docs/fmi.md, and that a refused call says so and
// changes nothing.
#include "fmi_host.h"

// --- every function that takes more than the component, each with arguments that are right
// whenever it may be called ---

static const unsigned vr_count = FAKE_COUNT, vr_enabled = FAKE_ENABLED, vr_message = FAKE_MESSAGE;

static fmi2Status call_logging(fmi2Component c) { return fmi2SetDebugLogging(c, 0, 0, NULL); }
static fmi2Status call_set_up(fmi2Component c) { return fmi2SetupExperiment(c, 0, 0, 0, 0, 0); }
static fmi2Status call_get_integer(fmi2Component c) {
    int value;
    return fmi2GetInteger(c, &vr_count, 1, &value);
}
static fmi2Status call_get_boolean(fmi2Component c) {
    int value;
    return fmi2GetBoolean(c, &vr_enabled, 1, &value);
}
static fmi2Status call_get_string(fmi2Component c) {
    const char* value;
    return fmi2GetString(c, &vr_message, 1, &value);
}
static fmi2Status call_set_real(fmi2Component c) { return set_real(c, FAKE_FORCE, 2.0); }
static fmi2Status call_set_integer(fmi2Component c) { return fmi2SetInteger(c, NULL, 0, NULL); }
static fmi2Status call_set_boolean(fmi2Component c) {
    return fmi2SetBoolean(c, &vr_enabled, 1, &(fmi2Boolean){fmi2False});
}
static fmi2Status call_set_string(fmi2Component c) { return fmi2SetString(c, NULL, 0, NULL); }
static fmi2Status call_get_state(fmi2Component c) {
    fmi2FMUstate state = NULL;
    fmi2Status status = fmi2GetFMUstate(c, &state);
    free(state);
    return status;
}
static fmi2Status call_set_state(fmi2Component c) { return fmi2SetFMUstate(c, saved); }
static fmi2Status call_free_state(fmi2Component c) {
    fmi2FMUstate none = NULL;
    return fmi2FreeFMUstate(c, &none);
}
static fmi2Status call_state_size(fmi2Component c) {
    size_t size;
    return fmi2SerializedFMUstateSize(c, saved, &size);
}
static fmi2Status call_serialize(fmi2Component c) {
    fmi2Byte bytes[sizeof saved_bytes];
    return fmi2SerializeFMUstate(c, saved, bytes, sizeof bytes);
}
static fmi2Status call_deserialize(fmi2Component c) {
    fmi2FMUstate state = NULL;
    fmi2Status status = fmi2DeSerializeFMUstate(c, saved_bytes, n_saved, &state);
    free(state);
    return status;
}
static fmi2Status call_input_slopes(fmi2Component c) {
    return fmi2SetRealInputDerivatives(c, &vr_force, 1, &(int){1}, &(double){1.0});
}
static fmi2Status call_step(fmi2Component c) {
    double time = 0.0;
    (void)fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &time);
    return fmi2DoStep(c, time, 0.1, fmi2True);
}
static fmi2Status call_status(fmi2Component c) {
    fmi2Status value;
    return fmi2GetStatus(c, fmi2DoStepStatus, &value);
}
static fmi2Status call_real_status(fmi2Component c) {
    double value;
    return fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &value);
}
static fmi2Status call_integer_status(fmi2Component c) {
    int value;
    return fmi2GetIntegerStatus(c, fmi2DoStepStatus, &value);
}
static fmi2Status call_boolean_status(fmi2Component c) {
    int value;
    return fmi2GetBooleanStatus(c, fmi2Terminated, &value);
}
static fmi2Status call_string_status(fmi2Component c) {
    const char* value;
    return fmi2GetStringStatus(c, fmi2PendingStatus, &value);
}

typedef struct CallCase {
    const char* name;
    fmi2Status (*call)(fmi2Component c);
    const char* allowed;  // one character per state: x allowed, - refused
} CallCase;

static const CallCase call_cases[] = {
    {"fmi2SetDebugLogging", call_logging, "xxxxxxxx"},
    {"fmi2SetupExperiment", call_set_up, "x-------"},
    {"fmi2EnterInitializationMode", fmi2EnterInitializationMode, "x-------"},
    {"fmi2ExitInitializationMode", fmi2ExitInitializationMode, "-x------"},
    {"fmi2Terminate", fmi2Terminate, "--x-x---"},
    {"fmi2Reset", fmi2Reset, "xxx-xxxx"},
    {"fmi2GetReal", call_get_real, "-xx-xxxx"},
    {"fmi2GetInteger", call_get_integer, "-xx-xxxx"},
    {"fmi2GetBoolean", call_get_boolean, "-xx-xxxx"},
    {"fmi2GetString", call_get_string, "-xx-xxxx"},
    {"fmi2SetReal", call_set_real, "xxx-----"},
    {"fmi2SetInteger", call_set_integer, "xxx-----"},
    {"fmi2SetBoolean", call_set_boolean, "xxx-----"},
    {"fmi2SetString", call_set_string, "xxx-----"},
    {"fmi2GetFMUstate", call_get_state, "xxx-xxxx"},
    {"fmi2SetFMUstate", call_set_state, "xxx-xxxx"},
    {"fmi2FreeFMUstate", call_free_state, "xxx-xxxx"},
    {"fmi2SerializedFMUstateSize", call_state_size, "xxx-xxxx"},
    {"fmi2SerializeFMUstate", call_serialize, "xxx-xxxx"},
    {"fmi2DeSerializeFMUstate", call_deserialize, "xxx-xxxx"},
    {"fmi2GetDirectionalDerivative", call_directional, "-xx-xxxx"},
    {"fmi2SetRealInputDerivatives", call_input_slopes, "xxx-----"},
    {"fmi2GetRealOutputDerivatives", call_output_slopes, "--x-xxxx"},
    {"fmi2DoStep", call_step, "--x-x---"},
    {"fmi2CancelStep", fmi2CancelStep, "---x----"},
    {"fmi2GetStatus", call_status, "--xxxxx-"},
    {"fmi2GetRealStatus", call_real_status, "--xxxxx-"},
    {"fmi2GetIntegerStatus", call_integer_status, "--xxxxx-"},
    {"fmi2GetBooleanStatus", call_boolean_status, "--xxxxx-"},
    {"fmi2GetStringStatus", call_string_status, "--xxxxx-"},
};
enum { N_CALLS = sizeof call_cases / sizeof call_cases[0] };

static void check_call(fmi2Component c, const CallCase* call, int state) {
    last_message[0] = '\0';
    fmi2Status status = call->call(c);
    if (call->allowed[state] == '-') {
        assert_refused(status, call->name);
        assert_refused(status, state_names[state]);
    } else if (status > fmi2Discard) {
        fail_msg("%s in state %s: %s", call->name, state_names[state], last_message);
    }
}

static const CallCase* case_during_step;
static void check_during_step(void) { check_call(component, case_during_step, IN_PROGRESS); }

static void test_every_call_in_every_state(void** state) {
    (void)state;
    for (int s = 0; s < N_STATES; s++) {
        for (int i = 0; i < N_CALLS; i++) {
            if (s == IN_PROGRESS) {
                component = instance_in(2);
                case_during_step = &call_cases[i];
                fake_during_step = check_during_step;
                (void)fmi2DoStep(component, 0.0, 0.1, fmi2True);
                fake_during_step = NULL;
                fmi2FreeInstance(component);
                continue;
            }
            fmi2Component c = instance_in(s);
            check_call(c, &call_cases[i], s);
            if (call_cases[i].allowed[s] == '-') {  // nothing changed: still the same state
                const CallCase probe = {"fmi2CancelStep", fmi2CancelStep, "---x----"};
                check_call(c, &probe, s);
            }
            fmi2FreeInstance(c);
        }
    }
}

static void test_null_component(void** state) {
    (void)state;
    for (int i = 0; i < N_CALLS; i++) {
        assert_int_equal(call_cases[i].call(NULL), fmi2Error);
    }
    fmi2FreeInstance(NULL);
}

static void test_state_restores_mode_and_values(void** state) {
    (void)state;
    for (int s = 0; s < N_STATES; s++) {
        if (s == IN_PROGRESS) {
            continue;
        }
        fmi2Component c = instance_in(s);
        fmi2FMUstate fmu_state = NULL;
        assert_int_equal(fmi2GetFMUstate(c, &fmu_state), fmi2OK);
        assert_int_equal(fmi2SetFMUstate(c, saved), fmi2OK);
        assert_true(get_real(c, FAKE_TIME) == 0.1);
        assert_int_equal(fmi2SetFMUstate(c, fmu_state), fmi2OK);
        assert_refused(fmi2CancelStep(c), state_names[s]);
        fmi2FMUstate same = fmu_state;
        assert_int_equal(fmi2GetFMUstate(c, &fmu_state), fmi2OK);
        assert_ptr_equal(fmu_state, same);
        assert_int_equal(fmi2FreeFMUstate(c, &fmu_state), fmi2OK);
        assert_null(fmu_state);
        assert_int_equal(fmi2FreeFMUstate(c, NULL), fmi2OK);
        fmi2FreeInstance(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_in_every_state),
        cmocka_unit_test(test_null_component),
        cmocka_unit_test(test_state_restores_mode_and_values),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
