// Whole files in and out of memory, in a directory of their own below the working directory.
#define _GNU_SOURCE  // mkdtemp, symlink

#include "base/file.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_up(void** state) {
    char* directory = strdup("test_file.XXXXXX");
    *state = directory;
    return directory != NULL && mkdtemp(directory) != NULL && chdir(directory) == 0 ? 0 : -1;
}

static int tear_down(void** state) {
    static const char* const names[] = {"a", "link", "target", "a.0.tmp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)remove(names[i]);
    }
    const int result = chdir("..") == 0 && rmdir(*state) == 0 ? 0 : -1;
    free(*state);
    return result;
}

static void expect_content(const char* path, const char* content, size_t n) {
    char* bytes = NULL;
    size_t n_read = 0;
    assert_int_equal(file_read(path, n, &bytes, &n_read), STATUS_OK);
    assert_int_equal(n_read, n);
    assert_memory_equal(bytes, content, n);
    assert_int_equal(bytes[n], 0);
    free(bytes);
}

static void expect_refused(const char* path, size_t limit, Status expected) {
    char* bytes = (char*)path;
    size_t n = 1;
    assert_int_equal(file_read(path, limit, &bytes, &n), expected);
    assert_null(bytes);
    assert_int_equal(n, 0);
}

static int count_files(void) {
    DIR* directory = opendir(".");
    assert_non_null(directory);
    int n = -2;  // . and ..
    while (readdir(directory) != NULL) {
        n++;
    }
    (void)closedir(directory);
    return n;
}

static void test_round_trip(void** state) {
    (void)state;
    assert_int_equal(file_write("a", "one\0two", 7), STATUS_OK);
    expect_content("a", "one\0two", 7);
    assert_int_equal(file_write("a", "new", 3), STATUS_OK);
    expect_content("a", "new", 3);
    assert_int_equal(file_write("a", NULL, 0), STATUS_OK);
    expect_content("a", "", 0);
    assert_int_equal(count_files(), 1);
}

static void test_large_file(void** state) {
    (void)state;
    const size_t n = 1000003;
    char* content = malloc(n);
    assert_non_null(content);
    for (size_t i = 0; i < n; i++) {
        content[i] = (char)(i * 7 % 251);
    }
    assert_int_equal(file_write("a", content, n), STATUS_OK);
    expect_content("a", content, n);
    expect_refused("a", n - 1, STATUS_TOO_LARGE);
    expect_refused("a", 0, STATUS_TOO_LARGE);
    char* bytes = NULL;
    size_t n_read = 0;
    assert_int_equal(file_read("a", SIZE_MAX, &bytes, &n_read), STATUS_OK);
    assert_int_equal(n_read, n);
    free(bytes);
    free(content);
}

static void test_what_cannot_be_read(void** state) {
    (void)state;
    expect_refused("missing", 100, STATUS_NO_FILE);
    expect_refused("", 100, STATUS_NO_FILE);
    expect_refused(".", 100, STATUS_NO_FILE);
    expect_refused("/", SIZE_MAX, STATUS_NO_FILE);
    expect_refused("/dev/zero", 100000, STATUS_TOO_LARGE);
}

static void test_what_cannot_be_written(void** state) {
    (void)state;
    assert_int_equal(file_write("missing/a", "x", 1), STATUS_NO_FILE);
    assert_int_equal(file_write(".", "x", 1), STATUS_NO_FILE);
    assert_int_equal(file_write("", "x", 1), STATUS_NO_FILE);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(file_write("/dev/full", "x", 1), STATUS_NO_FILE);
    }
    assert_int_equal(count_files(), 0);
}

static void test_links_and_devices_are_not_replaced(void** state) {
    (void)state;
    assert_int_equal(file_write("/dev/null", "x", 1), STATUS_OK);
    expect_content("/dev/null", "", 0);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(file_write("link", "x", 1), STATUS_OK);
    expect_content("target", "x", 1);
    assert_int_equal(count_files(), 2);
}

static void test_foreign_temporary_file_is_kept(void** state) {
    (void)state;
    FILE* file = fopen("a.0.tmp", "wb");
    assert_non_null(file);
    (void)fclose(file);
    assert_int_equal(file_write("a", "x", 1), STATUS_OK);
    expect_content("a", "x", 1);
    expect_content("a.0.tmp", "", 0);
    assert_int_equal(count_files(), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_links_and_devices_are_not_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_foreign_temporary_file_is_kept, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
