// The structure of zip archives, byte by byte, read back independently of the writer.
#include "base/zip.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LOCAL = 30, ENTRY = 46, END = 22 };  // sizes of the fixed parts

static uint32_t get(const char* bytes, size_t at, int n) {
    uint32_t value = 0;
    for (int i = n - 1; i >= 0; i--) {
        value = value << 8 | (unsigned char)bytes[at + (size_t)i];
    }
    return value;
}

static void test_empty_archive(void** state) {
    (void)state;
    TextBuffer out = {0};
    ZipWriter zip = {.out = &out};
    zip_finish(&zip);
    assert_false(out.failed);
    assert_int_equal(out.n, END);
    assert_memory_equal(out.text, "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", END);
    text_buffer_free(&out);
}

static void check_local_header(const char* zip, size_t at, uint32_t crc, uint32_t n) {
    assert_memory_equal(zip + at, "PK\3\4", 4);
    assert_int_equal(get(zip, at + 6, 2), 1 << 11);  // UTF-8 names
    assert_int_equal(get(zip, at + 8, 2), 0);        // stored
    assert_int_equal(get(zip, at + 10, 2), 0);       // 00:00
    assert_int_equal(get(zip, at + 12, 2), 0x21);    // 1980-01-01
    assert_int_equal(get(zip, at + 14, 4), crc);
    assert_int_equal(get(zip, at + 18, 4), n);
    assert_int_equal(get(zip, at + 22, 4), n);
    assert_int_equal(get(zip, at + 28, 2), 0);
}

static void test_structure(void** state) {
    (void)state;
    TextBuffer out = {0};
    ZipWriter zip = {.out = &out};
    zip_add(&zip, "a/check.txt", "123456789", 9, false);
    zip_add(&zip, "\xc3\xa9", NULL, 0, false);
    zip_add(&zip, "run", "\0\xff", 2, true);
    zip_finish(&zip);
    assert_false(out.failed);
    assert_null(zip.directory.text);

    const char* z = out.text;
    const size_t second = LOCAL + 11 + 9, third = second + LOCAL + 2,
                 directory = third + LOCAL + 3 + 2;
    check_local_header(z, 0, 0xcbf43926, 9);  // the CRC-32 check value
    assert_int_equal(get(z, 26, 2), 11);
    assert_memory_equal(z + LOCAL, "a/check.txt123456789", 20);
    check_local_header(z, second, 0, 0);
    check_local_header(z, third, 0x6cdbfd72, 2);
    assert_memory_equal(z + third + LOCAL, "run\0\xff", 5);

    static const size_t n_names[3] = {11, 2, 3};
    const size_t offsets[3] = {0, second, third};
    size_t at = directory;
    for (int i = 0; i < 3; i++) {
        assert_memory_equal(z + at, "PK\1\2", 4);
        assert_int_equal(get(z, at + 4, 2) >> 8, 3);  // Unix
        // Version, flags ... name length, as in the local header.
        assert_memory_equal(z + at + 6, z + offsets[i] + 4, 26);
        assert_int_equal(get(z, at + 38, 4), (uint32_t)(i == 2 ? 0100755 : 0100644) << 16);
        assert_int_equal(get(z, at + 42, 4), offsets[i]);
        assert_memory_equal(z + at + ENTRY, z + offsets[i] + LOCAL, n_names[i]);
        at += ENTRY + n_names[i];
    }
    assert_memory_equal(z + at, "PK\5\6\0\0\0\0", 8);
    assert_int_equal(get(z, at + 8, 2), 3);
    assert_int_equal(get(z, at + 10, 2), 3);
    assert_int_equal(get(z, at + 12, 4), at - directory);
    assert_int_equal(get(z, at + 16, 4), directory);
    assert_int_equal(at + END, out.n);
    text_buffer_free(&out);
}

// The entry at the start of the archive is the text, deflated.
static void expect_deflated(const TextBuffer* zip, size_t n_name, const char* text, size_t n) {
    const char* z = zip->text;
    const size_t n_packed = get(z, 18, 4);
    char* whole = malloc(n);
    assert_non_null(whole);
    assert_int_equal(get(z, 8, 2), 8);
    assert_int_equal(get(z, 22, 4), n);
    assert_true(n_packed < n / 10);
    z_stream stream = {.next_in = (Bytef*)z + LOCAL + n_name,
                       .avail_in = (uInt)n_packed,
                       .next_out = (Bytef*)whole,
                       .avail_out = (uInt)n};
    assert_int_equal(inflateInit2(&stream, -MAX_WBITS), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(inflateEnd(&stream), Z_OK);
    assert_int_equal(stream.avail_out, 0);
    assert_memory_equal(whole, text, n);
    assert_int_equal(get(z, 14, 4), crc32(0, (const Bytef*)text, (uInt)n));
    assert_memory_equal(z + LOCAL + n_name + n_packed, "PK\1\2", 4);
    free(whole);
}

static void test_what_repeats_is_deflated(void** state) {
    (void)state;
    static char text[5000];
    memset(text, 'x', sizeof text);
    TextBuffer out = {0};
    ZipWriter zip = {.out = &out};
    zip_add(&zip, "long", text, sizeof text, false);
    zip_finish(&zip);
    assert_false(out.failed);
    expect_deflated(&out, 4, text, sizeof text);
    text_buffer_free(&out);
}

static void test_gzip_is_taken_over(void** state) {
    (void)state;
    static char text[5000];
    unsigned char packed[1000];
    memset(text, 'y', sizeof text);
    z_stream stream = {.next_in = (Bytef*)text,
                       .avail_in = sizeof text,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    const size_t n = sizeof packed - stream.avail_out;
    assert_int_equal(deflateEnd(&stream), Z_OK);

    TextBuffer out = {0};
    ZipWriter zip = {.out = &out};
    zip_add_gzip(&zip, "x.so", packed, n, true);
    zip_finish(&zip);
    assert_false(out.failed);
    expect_deflated(&out, 4, text, sizeof text);
    text_buffer_free(&out);

    for (int i = 0; i < 3; i++) {  // no gzip file; one with a name; one that is cut
        ZipWriter bad = {.out = &out};
        packed[3] = i == 1 ? 8 : 0;
        zip_add_gzip(&bad, "x", i == 0 ? packed + 1 : packed, i == 2 ? 18 : n - 1, true);
        zip_finish(&bad);
        assert_true(out.failed);
        text_buffer_free(&out);
    }
}

static void test_equal_content_gives_equal_archives(void** state) {
    (void)state;
    TextBuffer out[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        ZipWriter zip = {.out = &out[i]};
        zip_add(&zip, "x", "content", 7, true);
        zip_finish(&zip);
    }
    assert_int_equal(out[0].n, out[1].n);
    assert_memory_equal(out[0].text, out[1].text, out[0].n);
    text_buffer_free(&out[0]);
    text_buffer_free(&out[1]);
}

// Adds one entry that cannot be written; its bytes must not be looked at.
static void expect_refused(const char* name, size_t n, unsigned n_entries) {
    TextBuffer out = {0};
    ZipWriter zip = {.out = &out, .n_entries = n_entries};
    zip_add(&zip, name, "", n, false);
    assert_true(out.failed);
    zip_add(&zip, "later", "", 0, false);
    zip_finish(&zip);
    assert_true(out.failed);
    assert_null(zip.directory.text);
    text_buffer_free(&out);
}

static void test_what_does_not_fit_is_refused(void** state) {
    (void)state;
    static char name[70000];
    memset(name, 'n', sizeof name - 1);
    expect_refused(name, 0, 0);
    expect_refused("", 0, 0);
    expect_refused("x", UINT32_MAX, 0);
    expect_refused("x", (size_t)UINT32_MAX - LOCAL - 1, 0);
    expect_refused("x", SIZE_MAX, 0);
    expect_refused("x", 0, UINT16_MAX - 1);
}

static void test_failed_buffer_stays_failed(void** state) {
    (void)state;
    TextBuffer out = {.failed = true};
    ZipWriter zip = {.out = &out};
    zip_add(&zip, "x", "y", 1, false);
    zip_finish(&zip);
    assert_true(out.failed);
    assert_null(out.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_archive),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_what_repeats_is_deflated),
        cmocka_unit_test(test_gzip_is_taken_over),
        cmocka_unit_test(test_equal_content_gives_equal_archives),
        cmocka_unit_test(test_what_does_not_fit_is_refused),
        cmocka_unit_test(test_failed_buffer_stays_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
