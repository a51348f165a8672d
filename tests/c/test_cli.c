// The executable, run as a user runs it: what its commands print, write and return. CLATTER_BUILD
// names the folder it is in (ctest sets it); without it there is nothing to run.
#define _POSIX_C_SOURCE 200809L  // popen, mkstemp
#include <sys/wait.h>
#include <unistd.h>

#include "numbers.h"

enum { COMMAND_SIZE = 2048, OUTPUT_SIZE = 65536 };

static char output[OUTPUT_SIZE];  // of the last command, errors included

// Exit code of clatter with these arguments.
static int clatter(const char* arguments) {
    const char* build = getenv("CLATTER_BUILD");
    if (build == NULL) {
        skip();
    }
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, "'%s/clatter' %s 2>&1", build, arguments);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t n = fread(output, 1, sizeof output - 1, pipe);
    output[n] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect(const char* arguments, int code, const char* text) {
    const int returned = clatter(arguments);
    if (returned != code || strstr(output, text) == NULL) {
        fail_msg("clatter %s: exit code %d, expected %d and \"%s\" in\n%s", arguments, returned,
                 code, text, output);
    }
}

static void test_help(void** state) {
    (void)state;
    expect("--help", 0, "pack");
    expect("--version", 0, "clatter");
    expect("run --help", 0, "--scheme");
    expect("check --help", 0, "usage");
    expect("pack --help", 0, "usage");
    expect("", 2, "usage");
    expect("paint", 2, "paint");
}

static void test_check(void** state) {
    (void)state;
    expect("check resources/models/slider_crank.xml", 0, "can be used");
    expect("check nothing.xml", 1, "nothing.xml");
    expect("check resources/materials.xml", 1, "error");
}

static void test_run(void** state) {
    (void)state;
    expect("run resources/models/rotating_ball.xml --stop 0.5 --step 5e-3 --set ball.mass=2 -o -",
           0, "time,");
    expect(
        "run resources/models/slider_crank.xml --stop 0.001 --scheme generalized_alpha --profile",
        0, "steps");
    expect("run resources/models/gripper.xml --stop 0.01 --all -o -", 0, "solver.message");
    expect("run resources/models/rotating_ball.xml --set ball.mas=2", 2, "ball.mass");
    expect("run resources/models/rotating_ball.xml --scheme nothing", 2, "moreau_jean");
    expect("run resources/models/rotating_ball.xml --stop never", 2, "never");
}

static void test_pack(void** state) {
    (void)state;
    char path[] = "/tmp/clatter_test_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    char arguments[COMMAND_SIZE];
    snprintf(arguments, sizeof arguments, "pack resources/models/parcel_pusher.xml -o %s", path);
    expect(arguments, 0, "");
    FILE* packed = fopen(path, "rb");
    assert_non_null(packed);
    char magic[2];
    assert_int_equal(fread(magic, 1, 2, packed), 2);
    assert_memory_equal(magic, "PK", 2);
    fclose(packed);
    unlink(path);
    expect("pack resources/models/parcel_pusher.xml -o /nowhere/at/all.fmu", 1, "/nowhere");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_pack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
