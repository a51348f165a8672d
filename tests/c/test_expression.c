// Expressions: grammar, values, errors with their place, limits and hostile texts. Their
// derivatives are tested with the jets.
#include "expression/expression.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// x is slot 0, y slot 1, ball.mass slot 7.
static int find(const void* context, const char* name, int n) {
    (void)context;
    if (n == 1 && (name[0] == 'x' || name[0] == 'y')) {
        return name[0] - 'x';
    }
    return n == 9 && memcmp(name, "ball.mass", 9) == 0 ? 7 : -1;
}

static const SymbolTable WITH_TIME = {.find = find, .allow_time = true};
static const SymbolTable WITHOUT_TIME = {.find = find};

static const Expression* compile(const char* text, Arena* arena) {
    ExpressionError error;
    const Expression* expression = expression_compile(text, &WITH_TIME, arena, &error);
    if (expression == NULL) {
        fail_msg("'%s' at %d: %s", text, error.at, error.message);
    }
    return expression;
}

// The value at t = 2, x = 3, y = 5.
static double value_of(const char* text) {
    Arena arena = {0};
    const double symbols[8] = {3, 5, 0, 0, 0, 0, 0, 11};
    const double value = expression_value(compile(text, &arena), 2, symbols);
    arena_free(&arena);
    return value;
}

static void check_value(const char* text, double expected) {
    const double value = value_of(text);
    if (!(value == expected || (isnan(value) && isnan(expected)))) {
        fail_msg("%s = %.17g, expected %.17g", text, value, expected);
    }
}

static void expect_error(const SymbolTable* symbols, const char* text, int at, const char* words) {
    Arena arena = {0};
    ExpressionError error = {-1, ""};
    if (expression_compile(text, symbols, &arena, &error) != NULL) {
        fail_msg("'%s' was accepted", text);
    }
    if (error.at != at || strstr(error.message, words) == NULL) {
        fail_msg("'%s' at %d: %s (expected at %d: %s)", text, error.at, error.message, at, words);
    }
    arena_free(&arena);
}

static void test_precedence(void** state) {
    (void)state;
    check_value("1+2*3", 7);
    check_value("(1+2)*3", 9);
    check_value("10-4-3", 3);
    check_value("16/4/2", 2);
    check_value("16/4*2", 8);
    check_value("2^3^2", 512);
    check_value("-2^2", -4);
    check_value("(-2)^2", 4);
    check_value("2^-2", 0.25);
    check_value("-2^-2", -0.25);
    check_value("2*-3", -6);
    check_value("2--3", 5);
    check_value("--3", 3);
    check_value("-+-+-3", -3);
    check_value("2*3^2", 18);
    check_value("-x^2*y", -45);
    check_value("1-2+3", 2);
}

static void test_numbers_and_names(void** state) {
    (void)state;
    check_value("\t 1.5e1\r\n", 15);
    check_value(".5+5.", 5.5);
    check_value("pi", PI);
    check_value("e", 2.71828182845904523536);
    check_value("2*e", 2 * 2.71828182845904523536);
    check_value("t", 2);
    check_value("x*10+y", 35);
    check_value("ball.mass", 11);
    check_value("1e-999", 0);
    check_value("1E2", 100);
}

static void test_functions(void** state) {
    (void)state;
    check_value("sin (0.5)", sin(0.5));
    check_value("cos(0.5)", cos(0.5));
    check_value("tan(0.5)", tan(0.5));
    check_value("asin(0.5)", asin(0.5));
    check_value("acos(0.5)", acos(0.5));
    check_value("atan(0.5)", atan(0.5));
    check_value("atan2(-1,-2)", atan2(-1, -2));
    check_value("sinh(0.5)", sinh(0.5));
    check_value("cosh(0.5)", cosh(0.5));
    check_value("tanh(0.5)", tanh(0.5));
    check_value("exp(0.5)", exp(0.5));
    check_value("log(e)", 1);
    check_value("log10(1000)", log10(1000));
    check_value("sqrt(16)", 4);
    check_value("abs(-3)+abs(2)", 5);
    check_value("sign(-3)*10+sign(0)+sign(7)", -9);
    check_value("step(-0.1)*100+step(0)*10+step(3)", 11);
    check_value("min(2,3)+10*min(3,2)+100*max(2,3)+1000*max(3,2)", 3322);
    check_value("sqrt(-1)", NAN);
    check_value("1/0", INFINITY);
    check_value("-log(0)", INFINITY);
    check_value("min(1,sqrt(-1))", NAN);
    check_value("max(sqrt(-1),1)", NAN);
    check_value("abs(sqrt(-1))", NAN);
    check_value("sign(sqrt(-1))", NAN);
    check_value("step(sqrt(-1))", NAN);
}

static void test_conditions(void** state) {
    (void)state;
    check_value("if(x<y,1,2)", 1);
    check_value("if(x>y,1,2)", 2);
    check_value("if(3<=x,1,2)", 1);
    check_value("if(3>=x,1,2)", 1);
    check_value("if(x==3,1,2)", 1);
    check_value("if(x!=3,1,2)", 2);
    check_value("if(1<2 and 2<1, 1, 2)", 2);
    check_value("if(1<2 or 2<1, 1, 2)", 1);
    check_value("if(not 1<2, 1, 2)", 2);
    check_value("if(not not 1<2, 1, 2)", 1);
    check_value("if(not(1<2), 1, 2)", 2);
    check_value("if(1<2 or 1<2 and 2<1, 1, 2)", 1);  // and binds tighter
    check_value("if((1<2 or 1<2) and 2<1, 1, 2)", 2);
    check_value("if(not 1<2 or 1<2, 1, 2)", 1);  // not binds tighter
    check_value("if((x+1)*2 == 8, 1, 2)", 1);
    check_value("if(((x)) < ((y)), 1, 2)", 1);
    check_value("if(x<0, -1, if(x<4, 10, 20)) + 0.5", 10.5);
    check_value("if(if(x<y,1,0) > 0.5, 1, 2)", 1);
    check_value("if(sqrt(-1)==sqrt(-1), 1, 2)", 2);
    check_value("1 + 2*if(x<y, 3, 1/0)", 7);
}

static void test_what_is_read(void** state) {
    (void)state;
    Arena arena = {0};
    const Expression* constant = compile("pi/3+sin(2)", &arena);
    assert_true(expression_is_constant(constant));
    assert_false(expression_uses_time(constant));
    const Expression* timed = compile("2*t", &arena);
    assert_false(expression_is_constant(timed));
    assert_true(expression_uses_time(timed));
    assert_int_equal(expression_symbol(timed, 0), -1);
    const Expression* named = compile("y+ball.mass*y", &arena);
    assert_false(expression_is_constant(named));
    assert_false(expression_uses_time(named));
    static const int slots[] = {1, 7, 1, -1};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(expression_symbol(named, i), slots[i]);
    }
    arena_free(&arena);
}

// A symbol that moves at rate 1 gives the derivatives in that symbol.
// Symbols that are numbers: values and derivatives are those in what is free.
static void test_bound_symbols(void** state) {
    (void)state;
    Arena arena = {0};
    ExpressionError error;
    const Expression* source = expression_compile("2*x + y*x^2 + y", &WITH_TIME, &arena, &error);
    assert_non_null(source);
    const int x = expression_symbol(source, 0);
    const int y = expression_symbol(source, 1);
    assert_true(x == 0 && y == 1);
    const Expression* bound = expression_bind(source, 1, &arena);
    assert_non_null(bound);
    for (double value = -1.0; value < 2.0; value += 0.5) {
        const Jet symbol = {.v = 3.0, .d = 1.0};
        expression_set_bound(bound, &value);
        const Jet f = expression_jet(bound, 0.0, &symbol);
        assert_true(fabs(f.v - (6.0 + 10.0 * value)) <= 1e-14);
        assert_true(fabs(f.d - (2.0 + 6.0 * value)) <= 1e-14);
        assert_true(fabs(f.dd - (2.0 * value)) <= 1e-14);
        assert_true(fabs(expression_value(bound, 0.0, &symbol.v) - (f.v)) <= 0.0);
    }
    assert_int_equal(expression_symbol(bound, 1), 1);
    expression_set_bound(source, NULL);  // has none
    arena_free(&arena);
}

static void test_derivatives_in_a_symbol(void** state) {
    (void)state;
    Arena arena = {0};
    const Expression* power = compile("x^4 - 2*x^3 + y*x", &arena);
    const Jet symbols[8] = {{3, 1, 0, 0}, {5, 0, 0, 0}};
    const Jet jet = expression_jet(power, 2, symbols);
    assert_true(jet.v == 42 && jet.d == 59 && jet.dd == 72 && jet.ddd == 60);
    const Jet decay = expression_jet(compile("exp(-x)", &arena), 2, symbols);
    assert_true(decay.v == exp(-3) && decay.d == -decay.v);
    assert_true(decay.dd == decay.v && decay.ddd == -decay.v);
    arena_free(&arena);
}

static void test_errors_say_where(void** state) {
    (void)state;
    const SymbolTable* s = &WITH_TIME;
    expect_error(s, "", 0, "expected a number, a name or '(', but the expression ends");
    expect_error(s, "   ", 3, "but the expression ends");
    expect_error(s, "1+", 2, "but the expression ends");
    expect_error(s, "1+*2", 2, "not '*'");
    expect_error(s, "1**2", 2, "not '*'");
    expect_error(s, "(1+2", 4, "')' for the '(' at character 1");
    expect_error(s, "1+2)", 3, "expected an operator or the end of the expression, not ')'");
    expect_error(s, "()", 1, "not ')'");
    expect_error(s, "1 2", 2, "expected an operator");
    expect_error(s, "2x", 1, "operator such as *");
    expect_error(s, "0x10", 1, "operator such as *");
    expect_error(s, "2(3)", 1, "expected an operator");
    expect_error(s, "x y", 2, "expected an operator");
    expect_error(s, "1,5", 1, "not ','");
    expect_error(s, "..", 0, "not '.'");
    expect_error(s, ".", 0, "not '.'");
    expect_error(s, "1..2", 2, "not '.'");
    expect_error(s, "1.2.3", 3, "not '.'");
    expect_error(s, "1 + 1e999", 4, "1.8e308");
    expect_error(s, "x = 3", 2, "not '='");
    expect_error(s, "1 + caf\xc3\xa9", 4, "unknown name 'caf'");
    expect_error(s, "1 + \xc3\xa9", 4, "byte 0xc3");
    expect_error(s, "1 \x01", 2, "byte 0x01");
    expect_error(s, "_a", 0, "not '_'");
    expect_error(s, "1 + foo", 4, "unknown name 'foo'");
    expect_error(s, "1 + foo(2)", 4, "unknown function 'foo'");
    expect_error(s, "x(2)", 0, "unknown function 'x'");
    expect_error(s, "inf", 0, "unknown name");
    expect_error(s, "nan", 0, "unknown name");
    expect_error(s, "sin", 0, "expected '(' after it");
    expect_error(s, "sin()", 4, "not ')'");
    expect_error(s, "sin(1,2)", 5, "sin takes 1 argument");
    expect_error(s, "atan2(1)", 7, "atan2 takes 2 arguments");
    expect_error(s, "min(1,2,3)", 7, "min takes 2 arguments");
    expect_error(s, "sin(1", 5, "')' for the '(' at character 4");
    expect_error(&WITHOUT_TIME, "1+t", 2, "time t cannot be used");
    expect_error(NULL, "t", 0, "time t cannot be used");
    expect_error(NULL, "x", 0, "unknown name 'x', expected pi, e or");
}

static void test_errors_of_kind(void** state) {
    (void)state;
    const SymbolTable* s = &WITH_TIME;
    expect_error(s, "1<2", 0, "expected a number");
    expect_error(s, "1+(2<3)", 2, "expected a number");
    expect_error(s, "(1<2)+3", 0, "expected a number");
    expect_error(s, "-(1<2)", 1, "expected a number");
    expect_error(s, "(1<2)^2", 0, "expected a number");
    expect_error(s, "2^(1<2)", 2, "expected a number");
    expect_error(s, "sin(1<2)", 4, "expected a number");
    expect_error(s, "if(x,1,2)", 3, "expected a comparison");
    expect_error(s, "if(not x,1,2)", 7, "expected a comparison");
    expect_error(s, "if(x and 1<2,1,2)", 3, "expected a comparison");
    expect_error(s, "if(1<2 and x,1,2)", 11, "expected a comparison");
    expect_error(s, "if(1<2<3,1,2)", 3, "expected a number");
    expect_error(s, "if(1<2,1<2,2)", 7, "expected a number");
    expect_error(s, "if(1<2,1)", 8, "expected ','");
    expect_error(s, "if(1<2)", 6, "expected ','");
    expect_error(s, "if(1<2,1,2,3)", 10, "not ','");
    expect_error(s, "if", 2, "'(' after if");
    expect_error(s, "1 + not 1<2", 4, "expected a number");
    expect_error(s, "2^not 1<2", 2, "not 'not'");
    expect_error(s, "and 1", 0, "not 'and'");
    expect_error(s, "1 android", 2, "expected an operator");
}

// before repeated n times, middle, after repeated n times.
static char* repeat(const char* before, int n, const char* middle, const char* after) {
    const size_t n_before = strlen(before), n_after = strlen(after);
    char* text = malloc((n_before + n_after) * (size_t)n + strlen(middle) + 1);
    assert_non_null(text);
    char* at = text;
    for (int i = 0; i < n; i++, at += n_before) {
        memcpy(at, before, n_before);
    }
    memcpy(at, middle, strlen(middle));
    at += strlen(middle);
    for (int i = 0; i < n; i++, at += n_after) {
        memcpy(at, after, n_after);
    }
    *at = 0;
    return text;
}

static void expect_repeated(const char* before, int n, const char* middle, const char* after,
                            double expected) {
    char* text = repeat(before, n, middle, after);
    check_value(text, expected);
    free(text);
}

static void expect_repeated_error(const char* before, int n, const char* middle, const char* after,
                                  int at, const char* words) {
    char* text = repeat(before, n, middle, after);
    expect_error(&WITH_TIME, text, at, words);
    free(text);
}

static void test_limits(void** state) {
    (void)state;
    expect_repeated("(", 64, "7", ")", 7);
    expect_repeated_error("(", 65, "7", ")", 64, "nested more than 64 deep");
    expect_repeated("abs(", 64, "-7", ")", 7);
    expect_repeated_error("abs(", 65, "7", ")", 65 * 4 - 1, "nested more than 64 deep");
    expect_repeated("1^", 64, "7", "", 1);
    expect_repeated_error("1^", 65, "7", "", 129, "nested more than 64 deep");
    expect_repeated_error("if(not ", 2000 / 7, "1", ",1,2)", 32 * 7 + 2, "nested more than 64");
    expect_repeated_error("(", 2000, "", "", 64, "nested more than 64 deep");
    expect_repeated("-", 4095, "1", "", -1);
    expect_repeated(" ", 4095, "1", "", 1);
    expect_repeated("1+", 2047, "1", "", 2048);
    expect_repeated("(1)+", 1023, "1", "", 1024);  // one after another is not nested
    expect_repeated("0", 4095, "1", "", 1);
    expect_repeated_error(" ", 4096, "1", "", 4096, "at most 4096 characters");
    expect_repeated_error("1+", 1000000, "1", "", 4096, "at most 4096 characters");
    expect_repeated_error("name_", 800, "1", "", 0, "unknown name 'name_name_");
    // Five values wait at each if.
    const char* wide = "if(1<2 or 1<2 and 0<0+1*";
    expect_repeated(wide, 51, "1", ",1,2)", 1);
    expect_repeated_error(wide, 52, "1", ",1,2)", 51 * 24 + 5, "more than 256 intermediate values");
}

static void test_memory_limit(void** state) {
    (void)state;
    Arena arena = {.limit = 64};
    ExpressionError error;
    assert_null(expression_compile("1+2+3+4+5+6+7+8+9", &WITH_TIME, &arena, &error));
    assert_non_null(strstr(error.message, "memory"));
    arena_free(&arena);
}

// Any string of these pieces must either compile, and then evaluate, or give an error inside it.
static void test_random_texts(void** state) {
    (void)state;
    static const char* const pieces[] = {"(",    ")",      "1",    "x",   "t",   "+",    "-",
                                         "*",    "/",      "^",    ",",   "if(", "<",    "and ",
                                         "not ", "atan2(", "sin(", " ",   "==",  "\xff", "1e9",
                                         ".5",   "min(",   "or ",  "1<2", ",2)"};
    const double values[8] = {0.5};
    const Jet jets[8] = {{0.5, 1, 1, 1}};
    uint32_t random = 12345;
    int n_compiled = 0;
    for (int i = 0; i < 100000; i++) {
        char text[200] = "";
        size_t length = 0;
        random = random * 1664525u + 1013904223u;
        const int n = (int)(random >> 28) + 1;
        for (int k = 0; k < n; k++) {
            random = random * 1664525u + 1013904223u;
            const char* piece = pieces[(random >> 16) % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + length, piece, strlen(piece) + 1);
            length += strlen(piece);
        }
        Arena arena = {0};
        ExpressionError error = {-1, ""};
        const Expression* expression = expression_compile(text, &WITH_TIME, &arena, &error);
        if (expression != NULL) {
            n_compiled++;
            const double value = expression_value(expression, 0.25, values);
            const double v = expression_jet(expression, 0.25, jets).v;
            assert_true(v == value || (isnan(v) && isnan(value)));
        } else {
            assert_true(error.at >= 0 && error.at <= (int)length);
            assert_true(error.message[0] != 0);
        }
        arena_free(&arena);
    }
    assert_true(n_compiled > 1000);
}

// --- constants and indices ---

static bool find_constant(const void* context, const char* name, int n, double* value) {
    (void)context;
    *value = 3.0;
    return n == 1 && name[0] == 'n';
}

// Takes a name with what stands in its brackets as it is written.
static int find_indexed(const void* context, const char* name, int n) {
    const char* expected = context;
    return (size_t)n == strlen(expected) && memcmp(name, expected, (size_t)n) == 0 ? 0 : -1;
}

static void test_constants_and_indices(void** state) {
    (void)state;
    Arena arena = {0};
    ExpressionError error;
    const double symbols[] = {10.0};
    static const char name[] = "row[i - 1].r[a[1],2].x";
    const SymbolTable table = {.context = name, .constant = find_constant, .find = find_indexed};
    const Expression* constant = expression_compile("n^2 + n", &table, &arena, &error);
    assert_non_null(constant);
    assert_true(expression_is_constant(constant));
    assert_true(expression_value(constant, 0.0, NULL) == 12.0);
    const Expression* indexed =
        expression_compile("2*row[i - 1].r[a[1],2].x + n", &table, &arena, &error);
    assert_non_null(indexed);
    assert_int_equal(expression_symbol(indexed, 0), 0);
    assert_int_equal(expression_symbol(indexed, 1), -1);
    assert_true(expression_value(indexed, 0.0, symbols) == 23.0);
    static const char* const bad[] = {"row[1", "row[1]]", "[1]", "n[1]", "2[1]", "row[", "n["};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(expression_compile(bad[i], &table, &arena, &error));
        assert_true(error.message[0] != 0);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants_and_indices),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_numbers_and_names),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_what_is_read),
        cmocka_unit_test(test_errors_say_where),
        cmocka_unit_test(test_errors_of_kind),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_derivatives_in_a_symbol),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_bound_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
