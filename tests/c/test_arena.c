// Memory that is taken piece by piece and given back all at once.
#include "base/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

static void test_blocks_are_zeroed_aligned_and_apart(void** state) {
    (void)state;
    Arena arena = {0};
    unsigned char* blocks[200];
    for (size_t i = 0; i < 200; i++) {
        blocks[i] = arena_alloc(&arena, i, 7);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < 7 * i; k++) {
            assert_int_equal(blocks[i][k], 0);
        }
        memset(blocks[i], (int)i, 7 * i);
    }
    for (size_t i = 0; i < 200; i++) {
        for (size_t k = 0; k < 7 * i; k++) {
            assert_int_equal(blocks[i][k], i);
        }
    }
    arena_free(&arena);
    assert_int_equal(arena.n_bytes, 0);
    assert_non_null(arena_alloc(&arena, 1, 1));
    arena_free(&arena);
}

static void test_large_block(void** state) {
    (void)state;
    Arena arena = {0};
    char* small = arena_alloc(&arena, 10, 1);
    char* large = arena_alloc(&arena, 1000000, 1);
    assert_non_null(small);
    assert_non_null(large);
    large[999999] = 1;
    double* numbers = ARENA_NEW(&arena, 3, double);
    assert_non_null(numbers);
    numbers[2] = 1;
    arena_free(&arena);
}

// Texts follow each other without gaps, and what comes after them is aligned.
static void test_texts_are_packed(void** state) {
    (void)state;
    Arena arena = {0};
    const char* first = arena_copy(&arena, "one", 3);
    const char* second = arena_copy(&arena, "two", 3);
    const double* number = ARENA_NEW(&arena, 1, double);
    assert_ptr_equal(second, first + 4);
    assert_int_equal((uintptr_t)number % _Alignof(max_align_t), 0);
    arena_free(&arena);
}

static void test_limit(void** state) {
    (void)state;
    Arena arena = {.limit = 1024};
    assert_non_null(arena_alloc(&arena, 1000, 1));
    assert_null(arena_alloc(&arena, 1000, 1));
    assert_non_null(arena_alloc(&arena, 24, 1));
    assert_null(arena_alloc(&arena, 1, 1));
    assert_true(arena.n_bytes <= arena.limit);
    assert_non_null(arena_alloc(&arena, 0, 8));
    arena_free(&arena);
}

static void test_overflow_is_refused(void** state) {
    (void)state;
    Arena arena = {0};
    assert_null(arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(arena_alloc(&arena, 3, SIZE_MAX / 2));
    assert_null(arena_alloc(&arena, SIZE_MAX / 2, 1));
    assert_non_null(arena_alloc(&arena, SIZE_MAX, 0));
    arena_free(&arena);
}

static void test_copy(void** state) {
    (void)state;
    Arena arena = {0};
    char* copy = arena_copy(&arena, "contact", 4);
    assert_string_equal(copy, "cont");
    assert_string_equal(arena_copy(&arena, "x", 0), "");
    arena_free(&arena);
    arena.limit = 1;
    assert_null(arena_copy(&arena, "contact", 7));
    arena_free(&arena);
}

// What was handed out after a mark comes back, and is zero when it is handed out again.
static void test_return(void** state) {
    (void)state;
    Arena arena = {0};
    const ArenaMark empty = arena_mark(&arena);
    char* first = arena_alloc(&arena, 100, 1);
    const ArenaMark mark = arena_mark(&arena);
    const size_t n_bytes = arena.n_bytes;
    char* second = arena_alloc(&arena, 100, 1);
    memset(first, 1, 100);
    memset(second, 1, 100);
    assert_non_null(arena_alloc(&arena, 100000, 1));  // a chunk of its own
    arena_return(&arena, mark);
    assert_true(arena.n_bytes == n_bytes);
    char* again = arena_alloc(&arena, 100, 1);
    assert_ptr_equal(again, second);
    for (int i = 0; i < 100; i++) {
        assert_true(first[i] == 1 && again[i] == 0);
    }
    arena_return(&arena, empty);
    assert_true(arena.n_bytes == 0 && arena.chunks == NULL);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(test_large_block),
        cmocka_unit_test(test_texts_are_packed),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
