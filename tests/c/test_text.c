// Numbers without the locale, names, and the text buffer.
#include "base/text.h"

#include <locale.h>

#include "numbers.h"

// Reads text, expects that many characters to belong to the number, gives its value.
static double read_number(const char* text, int length) {
    double value = 12345;
    const char* end = text_to_double(text, &value);
    assert_non_null(end);
    assert_int_equal(end - text, length);
    return value;
}

static void test_numbers_are_read(void** state) {
    (void)state;
    assert_true(read_number("0", 1) == 0);
    assert_true(read_number("1.5", 3) == 1.5);
    assert_true(read_number("-.25e2kg", 6) == -25);
    assert_true(read_number("+7.", 3) == 7);
    assert_true(read_number("3e+2", 4) == 300);
    assert_true(read_number("1,5", 1) == 1);
    assert_true(read_number("1..2", 2) == 1);
    assert_true(read_number("2e", 1) == 2);
    assert_true(read_number("2e+", 1) == 2);
    assert_true(read_number("2.5ex", 3) == 2.5);
    assert_true(read_number("0x1F", 1) == 0);
    assert_true(signbit(read_number("-0X1F", 2)));
    assert_true(read_number("0.1", 3) == 0.1);
    assert_true(read_number("5e-324", 6) == 5e-324);
    assert_true(read_number("1e-999", 6) == 0);
    assert_true(isinf(read_number("1e999", 5)));
    assert_true(read_number("-1e999", 6) == -INFINITY);
    assert_true(read_number("1e99999999999999999999", 22) == INFINITY);
}

static void test_non_numbers_are_refused(void** state) {
    (void)state;
    static const char* const texts[] = {"",    " 1",  "\n1", ".",   "-",   "+",
                                        "e5",  ".e5", "..",  "inf", "nan", "-inf",
                                        "INF", "NaN", "--1", "- 1", "x",   "\xc2\xbd"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = 0;
        assert_null(text_to_double(texts[i], &value));
    }
}

static void test_long_numbers_are_exact(void** state) {
    (void)state;
    static char digits[100002];
    memset(digits, '0', sizeof digits - 1);
    digits[0] = '1';
    assert_true(isinf(read_number(digits, (int)sizeof digits - 1)));
    digits[1] = '.';
    digits[sizeof digits - 2] = '1';
    assert_true(read_number(digits, (int)sizeof digits - 1) == 1);
    // Halfway between 1 and the next double, and just above it: only exact reading tells them
    // apart.
    assert_true(read_number("1.00000000000000011102230246251565404236316680908203125", 55) == 1);
    assert_true(read_number("1.00000000000000011102230246251565404236316680908203126", 55) > 1);
}

static void expect_written(double value, const char* expected) {
    char text[TEXT_NUMBER_SIZE];
    text_from_double(value, text);
    assert_string_equal(text, expected);
}

static void test_numbers_are_written(void** state) {
    (void)state;
    expect_written(0, "0");
    expect_written(-0.0, "-0");
    expect_written(1, "1");
    expect_written(0.1, "0.1");
    expect_written(-9.81, "-9.81");
    expect_written(1e22, "1e+22");
    expect_written(1.0 / 3, "0.3333333333333333");
    expect_written(0.1 + 0.2, "0.30000000000000004");
    expect_written(NAN, "nan");
    expect_written(-NAN, "nan");
    expect_written(INFINITY, "inf");
    expect_written(-INFINITY, "-inf");
}

// By printf, of so many digits as are needed: what text_from_double is to give
static void expect_as_printed(double value) {
    char text[TEXT_NUMBER_SIZE], printed[TEXT_NUMBER_SIZE];
    text_from_double(value, text);
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(printed, sizeof printed, "%.*g", digits, value);
        if (strtod(printed, NULL) == value) {
            break;
        }
    }
    assert_string_equal(text, printed);
}

// Short decimal numbers, powers of two and what is beside them, halves of digits
static void test_digits(void** state) {
    (void)state;
    for (int power = -60; power <= 60; power++) {
        for (int factor = 1; factor < 64; factor += 2) {
            char text[TEXT_NUMBER_SIZE];
            (void)snprintf(text, sizeof text, "%de%d", factor, power / 3);
            const double numbers[] = {ldexp(factor, power), strtod(text, NULL)};
            for (int i = 0; i < 2; i++) {
                expect_as_printed(numbers[i]);
                expect_as_printed(-nextafter(numbers[i], 0.0));
                expect_as_printed(nextafter(numbers[i], INFINITY));
            }
        }
    }
    for (int i = 0; i < tries(100000); i++) {
        expect_as_printed(ldexp(random_in(-1.0, 1.0), random_below(110) - 55));
        expect_as_printed(random_below(1 << 20) * 0x1p-9);
        expect_as_printed((2 * random_below(1 << 24) + 1) * ldexp(1.0, -random_below(60)));
    }
}

static void check_round_trips(void) {
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        double value = 0;
        memcpy(&value, &random, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        char text[TEXT_NUMBER_SIZE];
        text_from_double(value, text);
        const double back = read_number(text, (int)strlen(text));
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void test_round_trips(void** state) {
    (void)state;
    check_round_trips();
}

// Where no such locale is installed, this repeats what was tested before.
static void test_decimal_comma_of_the_host(void** state) {
    (void)state;
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "ps_AF"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_ALL, names[i]) == NULL) {
            continue;
        }
        assert_true(read_number("1.5", 3) == 1.5);
        assert_true(read_number("1,5", 1) == 1);
        expect_written(-1.25e-7, "-1.25e-07");
        check_round_trips();
        (void)setlocale(LC_ALL, "C");
    }
}

static void test_names(void** state) {
    (void)state;
    assert_true(text_is_name("a"));
    assert_true(text_is_name("Ball_2"));
    assert_false(text_is_name(""));
    assert_false(text_is_name("2a"));
    assert_false(text_is_name("_a"));
    assert_false(text_is_name("a b"));
    assert_false(text_is_name("a.b"));
    assert_false(text_is_name("a-"));
    assert_false(text_is_name("caf\xc3\xa9"));
    assert_false(text_is_name("\xc3\xa9"));
}

static void test_indexed_names(void** state) {
    (void)state;
    static const char* const good[] = {"a", "a[1]", "a_2[10,2]", "a[1,2,3,4,5,6,7,8]"};
    static const char* const bad[] = {
        "",        "[1]",   "a[",    "a[]",   "a[0]",  "a[01]",  "a[1",    "a[1]b",
        "a[1][2]", "a[1,]", "a[,1]", "a[1 ]", "a[-1]", "a[1.5]", "a.b[1]", "a[1,2,3,4,5,6,7,8,9]"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_is_indexed_name(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(text_is_indexed_name(bad[i]));
    }
}

static void test_buffer(void** state) {
    (void)state;
    TextBuffer buffer = {0};
    text_add(&buffer, "");
    assert_null(buffer.text);
    text_add(&buffer, "a");
    text_add_bytes(&buffer, "\0b", 2);
    text_add_format(&buffer, "%d%s", 42, "!");
    text_add_double(&buffer, 0.5);
    assert_int_equal(buffer.n, 9);
    assert_memory_equal(buffer.text, "a\0b42!0.5", 10);
    text_add_count(&buffer, 0);
    text_add_count(&buffer, 1203);
    assert_string_equal(buffer.text + 9, "01203");
    buffer.n = 9;
    text_add_format(&buffer, "%s", "");
    text_add_format(&buffer, "%2000d", 1);
    assert_int_equal(buffer.n, 2009);
    assert_int_equal(buffer.text[2008], '1');
    assert_int_equal(buffer.text[2009], 0);
    assert_false(buffer.failed);
    text_buffer_free(&buffer);
    assert_null(buffer.text);
    text_buffer_free(&buffer);
}

static void test_buffer_grows(void** state) {
    (void)state;
    TextBuffer buffer = {0};
    for (int i = 0; i < 100000; i++) {
        const char c = (char)('a' + i % 26);
        text_add_bytes(&buffer, &c, 1);
    }
    assert_int_equal(buffer.n, 100000);
    assert_int_equal(strlen(buffer.text), 100000);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(buffer.text[i], 'a' + i % 26);
    }
    text_buffer_free(&buffer);
}

static void test_buffer_stays_failed(void** state) {
    (void)state;
    TextBuffer buffer = {0};
    text_add(&buffer, "kept");
    text_add_bytes(&buffer, "", SIZE_MAX / 2);
    assert_true(buffer.failed);
    text_add(&buffer, "lost");
    text_add_format(&buffer, "%d", 1);
    text_add_xml(&buffer, "<");
    assert_true(buffer.failed);
    assert_string_equal(buffer.text, "kept");
    text_buffer_free(&buffer);
    assert_false(buffer.failed);
}

static void test_xml(void** state) {
    (void)state;
    TextBuffer buffer = {0};
    text_add_xml(&buffer, "a<b & \"c\" > 'd'\n\x01\x1f\x7f\xc3\xa9");
    assert_string_equal(buffer.text, "a&lt;b &amp; &quot;c&quot; &gt; 'd'    \xc3\xa9");
    text_add_xml(&buffer, "");
    text_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_read),
        cmocka_unit_test(test_non_numbers_are_refused),
        cmocka_unit_test(test_long_numbers_are_exact),
        cmocka_unit_test(test_numbers_are_written),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_decimal_comma_of_the_host),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_indexed_names),
        cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_buffer_grows),
        cmocka_unit_test(test_buffer_stays_failed),
        cmocka_unit_test(test_xml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
