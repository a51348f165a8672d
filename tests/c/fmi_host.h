// A host for tests of the FMI layer: a logger that checks what it gets, instances on a fake
// simulation in every state, and a saved state. Included by tests, each a program.
#pragma once

#define _POSIX_C_SOURCE 200809L  // mkdtemp

#include "fmi2Functions.h"

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

static char directory[] = "/tmp/clatter fmi XXXXXX";
static char uri[128];
static char last_message[4096], last_category[64];
static int n_messages;

static void host_logger(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                        fmi2String category, fmi2String format, ...) {
    assert_ptr_equal(environment, &n_messages);
    assert_non_null(name);
    assert_non_null(category);
    assert_string_equal(format, "%s");  // never the message itself
    assert_true(status != fmi2Error || strcmp(category, "logError") == 0);
    va_list arguments;
    va_start(arguments, format);
    snprintf(last_message, sizeof last_message, "%s", va_arg(arguments, const char*));
    va_end(arguments);
    snprintf(last_category, sizeof last_category, "%s", category);
    n_messages++;
}

static const fmi2CallbackFunctions host = {.logger = host_logger,
                                           .componentEnvironment = &n_messages};

static fmi2Component new_instance(void) {
    char name[] = "ball";
    fmi2Component c =
        fmi2Instantiate(name, fmi2CoSimulation, FAKE_GUID, uri, &host, fmi2False, fmi2False);
    assert_non_null(c);
    name[0] = 'X';  // the instance has its own copy
    return c;
}

static inline fmi2Status set_real(fmi2Component c, unsigned vr, double value) {
    return fmi2SetReal(c, &vr, 1, &value);
}

static inline double get_real(fmi2Component c, unsigned vr) {
    double value;
    assert_int_equal(fmi2GetReal(c, &vr, 1, &value), fmi2OK);
    return value;
}

static void assert_refused(fmi2Status status, const char* part) {
    assert_int_equal(status, fmi2Error);
    assert_string_equal(last_category, "logError");
    if (!strstr(last_message, part)) {
        fail_msg("\"%s\" does not say \"%s\"", last_message, part);
    }
}

// --- states ---

enum { N_STATES = 8, IN_PROGRESS = 3 };
static const char* const state_names[N_STATES] = {
    "instantiated", "initialization mode", "step complete", "step in progress",
    "step failed",  "step canceled",       "terminated",    "error"};

static fmi2Component component;  // for what happens during a step

static void cancel_during_step(void) { assert_int_equal(fmi2CancelStep(component), fmi2OK); }

static void step_to_cancel(fmi2Component c) {
    component = c;
    fake_during_step = cancel_during_step;
    assert_int_equal(fmi2DoStep(c, 0.0, 0.1, fmi2True), fmi2Discard);
    fake_during_step = NULL;
}

static fmi2Component instance_in(int state) {
    fmi2Component c = new_instance();
    if (state == 0) {
        return c;
    }
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    if (state == 1) {
        return c;
    }
    if (state == 4 || state == 7) {
        assert_int_equal(state == 4 ? set_real(c, FAKE_FORCE, 666.0) : set_real(c, FAKE_MASS, 13.0),
                         fmi2OK);
    }
    assert_int_equal(fmi2ExitInitializationMode(c), state == 7 ? fmi2Error : fmi2OK);
    if (state == 4) {
        assert_int_equal(fmi2DoStep(c, 0.0, 0.1, fmi2True), fmi2Discard);
    } else if (state == 5) {
        step_to_cancel(c);
    } else if (state == 6) {
        assert_int_equal(fmi2Terminate(c), fmi2OK);
    }
    return c;
}

// --- what several tests use ---

static const unsigned vr_position = FAKE_POSITION, vr_force = FAKE_FORCE;
static fmi2FMUstate saved;  // of an instance in state "step complete"
static fmi2Byte saved_bytes[1024];
static size_t n_saved;

static inline fmi2Status call_get_real(fmi2Component c) {
    double value;
    return fmi2GetReal(c, &vr_position, 1, &value);
}
static inline fmi2Status call_directional(fmi2Component c) {
    double value;
    return fmi2GetDirectionalDerivative(c, &vr_position, 1, &vr_force, 1, &(double){1.0}, &value);
}
static inline fmi2Status call_output_slopes(fmi2Component c) {
    double value;
    return fmi2GetRealOutputDerivatives(c, &vr_position, 1, &(int){1}, &value);
}

// --- set-up of the tests ---

static int set_up(void** state) {
    (void)state;
    char path[128];
    if (!mkdtemp(directory)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/model.xml", directory);
    snprintf(uri, sizeof uri, "file://%s/", directory);
    if (file_write(path, "good", 4) != STATUS_OK) {
        return -1;
    }
    fmi2Component c = instance_in(2);
    bool done =
        fmi2DoStep(c, 0.0, 0.1, fmi2True) == fmi2OK && fmi2GetFMUstate(c, &saved) == fmi2OK &&
        fmi2SerializedFMUstateSize(c, saved, &n_saved) == fmi2OK && n_saved <= sizeof saved_bytes &&
        fmi2SerializeFMUstate(c, saved, saved_bytes, n_saved) == fmi2OK;
    fmi2FreeInstance(c);
    return done ? 0 : -1;
}

static int tear_down(void** state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/model.xml", directory);
    free(saved);
    return unlink(path) == 0 && rmdir(directory) == 0 ? 0 : -1;
}
