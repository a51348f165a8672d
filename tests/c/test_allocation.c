// No memory is allocated, resized or freed in fmi2DoStep and in what a host calls between steps.
// The C library's functions are replaced by ones that count and pass on.
#define _POSIX_C_SOURCE 200809L  // mkdtemp

#include "mechanism.h"

#include <unistd.h>

#include "base/file.h"
#include "fmi2Functions.h"

// With a sanitizer the allocator is its own, and it does not take another in front of it.
#if defined(__SANITIZE_ADDRESS__)
#define REPLACE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REPLACE 0
#endif
#endif
#ifndef REPLACE
#define REPLACE 1
#endif

static long n_calls;

#if REPLACE
// Names of glibc's own functions.
void* __libc_malloc(size_t size);              // NOLINT
void* __libc_calloc(size_t n, size_t size);    // NOLINT
void* __libc_realloc(void* old, size_t size);  // NOLINT
void __libc_free(void* block);                 // NOLINT

void* malloc(size_t size) {
    n_calls++;
    return __libc_malloc(size);
}
void* calloc(size_t n, size_t size) {
    n_calls++;
    return __libc_calloc(n, size);
}
void* realloc(void* old, size_t size) {
    n_calls++;
    return __libc_realloc(old, size);
}
void free(void* block) {
    n_calls++;
    __libc_free(block);
}
#endif

static void ignore(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String message, ...) {
    (void)environment, (void)name, (void)status, (void)category, (void)message;
}

static const char model[] =
    "<mechanism xmlns='urn:clatter:model:1' name='box'>"
    "<solver step_size='0.002'/><gravity y='-9.81'/><input name='push'/>"
    "<planar_body name='b' mass='2' inertia='0.1' initial_y='0.5' initial_angle='0.3'>"
    "<point name='p1' x='-0.3' y='-0.2'/><point name='p2' x='0.3' y='-0.2'/>"
    "<point name='p3' x='0' y='-0.2'/></planar_body><ground><line name='floor'/></ground>"
    "<spring_damper name='k' first='b.p1' stiffness='9' damping='0.1' free_length='0.3'/>"
    "<force name='f' on='b' x='push*sin(t)'/>"
    "<contact name='c1' first='b.p1' second='ground.floor' friction_coefficient='0.4'/>"
    "<contact name='c2' first='b.p2' second='ground.floor' friction_coefficient='0.4'/>"
    "<contact name='c3' first='b.p3' second='ground.floor' friction_coefficient='0.4'"
    " normal_restitution='0.3'/></mechanism>";

typedef struct Host {
    fmi2Component component;
    unsigned push, x, a;
} Host;

static Host host;
static char directory[] = "/tmp/clatter_test_XXXXXX";

static int set_up(void** state) {
    (void)state;
    static Messages messages;
    char path[64];
    char uri[64];
    if (mkdtemp(directory) == NULL) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/model.xml", directory);
    snprintf(uri, sizeof uri, "file://%s", directory);
    Simulation* simulation = mechanism_read(model, NULL, &messages);
    if (simulation == NULL || file_write(path, model, sizeof model - 1) != STATUS_OK) {
        return -1;
    }
    static const fmi2CallbackFunctions callbacks = {.logger = ignore};
    host = (Host){
        .push = (unsigned)index_of(simulation, "push"),
        .x = (unsigned)index_of(simulation, "b.x"),
        .a = (unsigned)index_of(simulation, "b.acceleration_x"),
        .component = fmi2Instantiate("i", fmi2CoSimulation, simulation_info(simulation)->guid, uri,
                                     &callbacks, fmi2False, fmi2False)};
    simulation_destroy(simulation);
    return host.component != NULL &&
                   fmi2SetupExperiment(host.component, fmi2False, 0, 0, fmi2False, 0) == fmi2OK &&
                   fmi2EnterInitializationMode(host.component) == fmi2OK &&
                   fmi2ExitInitializationMode(host.component) == fmi2OK
               ? 0
               : -1;
}

static int tear_down(void** state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/model.xml", directory);
    fmi2FreeInstance(host.component);
    return unlink(path) == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static void test_the_counter_counts(void** state) {
    (void)state;
    const long before = n_calls;
    void* volatile block = malloc(10);
    free(block);
    assert_int_equal(n_calls - before, REPLACE ? 2 : 0);
}

static void test_steps_allocate_nothing(void** state) {
    (void)state;
    int good = 1;
    const long before = n_calls;
    for (int i = 0; i < 1000; i++) {
        const double t = 0.002 * i;
        const double push = 10.0 * sin(t);
        const double slope = 10.0 * cos(t);
        const double seed = 1.0;
        const int order = 1;
        double value;
        good &= fmi2SetReal(host.component, &host.push, 1, &push) == fmi2OK;
        good &=
            fmi2SetRealInputDerivatives(host.component, &host.push, 1, &order, &slope) == fmi2OK;
        good &= fmi2DoStep(host.component, t, 0.002, fmi2True) == fmi2OK;
        good &= fmi2GetReal(host.component, &host.x, 1, &value) == fmi2OK;
        good &= fmi2GetReal(host.component, &host.a, 1, &value) == fmi2OK;
        good &= fmi2GetRealOutputDerivatives(host.component, &host.x, 1, &order, &value) == fmi2OK;
        (void)fmi2GetDirectionalDerivative(host.component, &host.a, 1, &host.push, 1, &seed,
                                           &value);
    }
    assert_int_equal(n_calls - before, 0);
    assert_true(good);
}

// A step that fails and is retried in smaller ones allocates nothing either.
static void test_failed_steps_allocate_nothing(void** state) {
    (void)state;
    const double push = 1e308;
    const long before = n_calls;
    const fmi2Status set = fmi2SetReal(host.component, &host.push, 1, &push);
    const fmi2Status status = fmi2DoStep(host.component, 2.0, 0.002, fmi2True);
    const long after = n_calls;
    assert_int_equal(set, fmi2OK);
    assert_int_equal(status, fmi2Error);
    assert_int_equal(after - before, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_counter_counts),
        cmocka_unit_test(test_steps_allocate_nothing),
        cmocka_unit_test(test_failed_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
