// The schemas and the reference of the model format in the repository are what tools/model_format
// prints from the tables of this version.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/text.h"

enum { LARGEST = 1 << 24 };

static void print_format(const char* what, TextBuffer* out) {
    const char* build = getenv("CLATTER_BUILD");
    char command[1024];
    assert_non_null(build);
    assert_true(snprintf(command, sizeof command, "'%s/tools/model_format' %s", build, what) <
                (int)sizeof command);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    char bytes[4096];
    size_t n;
    while ((n = fread(bytes, 1, sizeof bytes, pipe)) > 0) {
        text_add_bytes(out, bytes, n);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_false(out->failed);
}

static void compare(const char* what, const char* path) {
    TextBuffer printed = {0};
    char* committed = NULL;
    size_t n = 0;
    print_format(what, &printed);
    assert_int_equal(file_read(path, LARGEST, &committed, &n), STATUS_OK);
    const bool same = n == printed.n && memcmp(committed, printed.text, n) == 0;
    text_buffer_free(&printed);
    free(committed);
    if (!same) {
        fail_msg(
            "%s is not what the program's tables say. If these are right, run in the root of "
            "the repository: build/release/tools/model_format %s > %s",
            path, what, path);
    }
}

static void test_schema(void** state) {
    (void)state;
    compare("schema", "resources/schema/model.xsd");
}

static void test_materials_schema(void** state) {
    (void)state;
    compare("materials_schema", "resources/schema/materials.xsd");
}

static void test_python(void** state) {
    (void)state;
    compare("python", "python/clatter/elements.py");
}

static void test_document(void** state) {
    (void)state;
    compare("document", "docs/model-format.md");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_materials_schema),
        cmocka_unit_test(test_python),
        cmocka_unit_test(test_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
