// The fingerprint: published values of FNV-1a, and what an identity needs.
#include "base/hash.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

static Hash of(const char* text) { return hash_bytes(hash_start(), text, strlen(text)); }

static void test_published_values(void** state) {
    (void)state;
    assert_true(hash_start().lane[0] == UINT64_C(0xcbf29ce484222325));
    assert_true(of("a").lane[0] == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(of("foobar").lane[0] == UINT64_C(0x85944171f73967e8));
}

static void test_pieces_give_the_hash_of_the_whole(void** state) {
    (void)state;
    const Hash whole = of("one two");
    const Hash pieces = hash_bytes(hash_bytes(of("one"), "", 0), " two", 4);
    assert_memory_equal(&whole, &pieces, sizeof whole);
}

static void test_lanes_differ(void** state) {
    (void)state;
    const Hash a = of("a"), b = of("b"), empty = hash_start();
    assert_true(a.lane[0] != b.lane[0] && a.lane[1] != b.lane[1]);
    assert_true(a.lane[0] != a.lane[1] && empty.lane[0] != empty.lane[1]);
    assert_true((a.lane[0] ^ b.lane[0]) != (a.lane[1] ^ b.lane[1]));
    const Hash zeros[2] = {hash_bytes(empty, "\0", 1), hash_bytes(empty, "\0\0", 2)};
    assert_true(zeros[0].lane[0] != zeros[1].lane[0] && zeros[0].lane[1] != zeros[1].lane[1]);
}

static void test_guid(void** state) {
    (void)state;
    char guid[HASH_GUID_SIZE];
    hash_to_guid((Hash){{UINT64_C(0x0123456789abcdef), UINT64_C(0x00fedcba98765432)}}, guid);
    assert_string_equal(guid, "{01234567-89ab-cdef-00fe-dcba98765432}");
    hash_to_guid((Hash){{0, 0}}, guid);
    assert_string_equal(guid, "{00000000-0000-0000-0000-000000000000}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),
        cmocka_unit_test(test_pieces_give_the_hash_of_the_whole),
        cmocka_unit_test(test_lanes_differ),
        cmocka_unit_test(test_guid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
