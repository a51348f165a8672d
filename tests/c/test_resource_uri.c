// File URIs as hosts write them, and those that must be refused.
#include "fmi/resource_uri.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/platform.h"

static void expect(const char* uri, const char* expected) {
    const char* problem;
    char* path = resource_uri_to_path(uri, &problem);
    if (!path) {
        fail_msg("%s was refused: %s", uri, problem);
    }
    assert_string_equal(path, expected);
    assert_null(problem);
    free(path);
}

static void refuse(const char* uri) {
    const char* problem;
    char* path = resource_uri_to_path(uri, &problem);
    if (path) {
        fail_msg("%s was accepted as %s", uri, path);
    }
    assert_non_null(problem);
}

static void test_number_of_slashes(void** state) {
    (void)state;
    expect("file:/tmp/a", "/tmp/a");
    expect("file:///tmp/a", "/tmp/a");
    expect("file:////tmp/a", "/tmp/a");
    expect("file://///tmp/a", "/tmp/a");
    expect("file://localhost/tmp/a", "/tmp/a");
    expect("file://LOCALHOST/tmp/a", "/tmp/a");
    expect("FILE:///tmp/A", "/tmp/A");
    expect("file:///", "/");
}

static void test_trailing_slash(void** state) {
    (void)state;
    expect("file:///tmp/a/", "/tmp/a");
    expect("file:/tmp/a///", "/tmp/a");
    expect("/tmp/a/", "/tmp/a");
}

static void test_escapes(void** state) {
    (void)state;
    expect("file:///tmp/my%20model", "/tmp/my model");
    expect("file:///tmp/my model", "/tmp/my model");
    expect("file:///tmp/K%C3%BChlung%2fx", "/tmp/K\xc3\xbchlung/x");
    expect("file:///tmp/K\xc3\xbchlung", "/tmp/K\xc3\xbchlung");
    expect("file:///tmp/100%25", "/tmp/100%");
    expect("file:///tmp/%2520", "/tmp/%20");  // decoded once only
}

static void test_plain_path(void** state) {
    (void)state;
    expect("/tmp/a", "/tmp/a");
    expect("/tmp/100%", "/tmp/100%");
    expect("relative/a", "relative/a");
    expect("./a:b", "./a:b");
}

static void test_drive(void** state) {
    (void)state;
    const bool drives = platform_drive_length("C:/") > 0;
    expect("file:///C:/a", drives ? "C:/a" : "/C:/a");
    expect("file:/c:/a%20b/", drives ? "c:/a b" : "/c:/a b");
    if (drives) {
        expect("C:/a", "C:/a");
        expect("C:\\a", "C:\\a");
    } else {
        refuse("C:/a");
    }
}

static void test_refused(void** state) {
    (void)state;
    refuse(NULL);
    refuse("");
    refuse("http://example.org/a");
    refuse("fmu:///a");
    refuse("file:");
    refuse("file:a/b");
    refuse("file://");
    refuse("file://localhost");
    refuse("file://elsewhere/a");
    refuse("file:///a%00b");
    refuse("file:///a%");
    refuse("file:///a%2");
    refuse("file:///a%G0");
    refuse("file:///a%2G");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_of_slashes),
        cmocka_unit_test(test_trailing_slash),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_plain_path),
        cmocka_unit_test(test_drive),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
