// Derivatives of expressions: every function and operator against long double central differences
// with Richardson extrapolation, or against derivatives taken by hand.
#include "expression/jet.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

static const double PI = 3.14159265358979323846;

// x is slot 0, y slot 1.
static int find(const void* context, const char* name, int n) {
    (void)context;
    return n == 1 && (name[0] == 'x' || name[0] == 'y') ? name[0] - 'x' : -1;
}

static const Expression* compile(const char* text, Arena* arena) {
    static const SymbolTable symbols = {.find = find, .allow_time = true};
    ExpressionError error;
    const Expression* expression = expression_compile(text, &symbols, arena, &error);
    if (expression == NULL) {
        fail_msg("'%s' at %d: %s", text, error.at, error.message);
    }
    return expression;
}

static Jet jet_of(const char* text, double t, Jet x, Jet y) {
    Arena arena = {0};
    const Jet symbols[2] = {x, y};
    const Jet jet = expression_jet(compile(text, &arena), t, symbols);
    arena_free(&arena);
    return jet;
}

static void expect_close(const char* text, const char* what, double value, long double expected,
                         double tolerance) {
    const double scale = fmax(1, fabs((double)expected));
    if (!(fabs(value - (double)expected) <= tolerance * scale)) {
        fail_msg("%s of %s is %.17g, expected %.17g", what, text, value, (double)expected);
    }
}

// The example of the documentation, with its derivatives taken by hand.
static void test_documented_example(void** state) {
    (void)state;
    const char* text = "pi/3 - pi/30*(1-cos(4*pi*t))";
    for (int i = 0; i < 16; i++) {
        const double t = i / 16.0;
        const Jet jet = jet_of(text, t, (Jet){0}, (Jet){0});
        const double w = 4 * PI;
        expect_close(text, "value", jet.v, PI / 3 - PI / 30 * (1 - cos(w * t)), 1e-15);
        expect_close(text, "derivative", jet.d, -PI / 30 * w * sin(w * t), 1e-14);
        expect_close(text, "second derivative", jet.dd, -PI / 30 * w * w * cos(w * t), 1e-14);
        expect_close(text, "third derivative", jet.ddd, PI / 30 * w * w * w * sin(w * t), 1e-14);
    }
}

typedef long double Real;

// Some emulators (valgrind) compute with it as with double, too coarsely for these differences.
static bool long_double_is_wide(void) {
    volatile Real one = 1.0L;
    return one + 0x1p-60L != one;
}

static Real r_sin(Real x, Real y) { return sinl(x) + 0 * y; }
static Real r_cos(Real x, Real y) { return cosl(x) + 0 * y; }
static Real r_tan(Real x, Real y) { return tanl(x) + 0 * y; }
static Real r_asin(Real x, Real y) { return asinl(x) + 0 * y; }
static Real r_acos(Real x, Real y) { return acosl(x) + 0 * y; }
static Real r_atan(Real x, Real y) { return atanl(x) + 0 * y; }
static Real r_sinh(Real x, Real y) { return sinhl(x) + 0 * y; }
static Real r_cosh(Real x, Real y) { return coshl(x) + 0 * y; }
static Real r_tanh(Real x, Real y) { return tanhl(x) + 0 * y; }
static Real r_exp(Real x, Real y) { return expl(x) + 0 * y; }
static Real r_log(Real x, Real y) { return logl(fabsl(x)) + 0 * y; }
static Real r_log10(Real x, Real y) { return log10l(fabsl(x)) + 0 * y; }
static Real r_sqrt(Real x, Real y) { return sqrtl(fabsl(x)) + 0 * y; }
static Real r_abs(Real x, Real y) { return fabsl(x) + 0 * y; }
static Real r_sign(Real x, Real y) { return (x > 0 ? 1 : -1) + 0 * y; }
static Real r_step(Real x, Real y) { return (x < 0 ? 0 : 1) + 0 * y; }
static Real r_min(Real x, Real y) { return x < y ? x : y; }
static Real r_max(Real x, Real y) { return x > y ? x : y; }
static Real r_if(Real x, Real y) { return x < y ? x * y * y : x / y; }
static Real r_atan2(Real x, Real y) { return atan2l(x, y); }
static Real r_add(Real x, Real y) { return x + y; }
static Real r_subtract(Real x, Real y) { return x - y; }
static Real r_multiply(Real x, Real y) { return x * y; }
static Real r_divide(Real x, Real y) { return x / y; }
static Real r_power(Real x, Real y) { return powl(fabsl(x), y); }
static Real r_cube(Real x, Real y) { return x * x * x + 0 * y; }
static Real r_inverse_square(Real x, Real y) { return 1 / (x * x) + 0 * y; }
static Real r_negate(Real x, Real y) { return -x + 0 * y; }
static Real r_exponential(Real x, Real y) { return expl(x * logl(2.0L)) + 0 * y; }
static Real r_nested(Real x, Real y) {
    return sinl(expl(x * y) / (1 + x * x)) * sqrtl(2 + cosl(y));
}

typedef struct Case {
    const char* text;
    Real (*reference)(Real x, Real y);
} Case;

static const Case CASES[] = {
    {"sin(x)", r_sin},
    {"cos(x)", r_cos},
    {"tan(x)", r_tan},
    {"asin(x)", r_asin},
    {"acos(x)", r_acos},
    {"atan(x)", r_atan},
    {"sinh(x)", r_sinh},
    {"cosh(x)", r_cosh},
    {"tanh(x)", r_tanh},
    {"exp(x)", r_exp},
    {"log(abs(x))", r_log},
    {"log10(abs(x))", r_log10},
    {"sqrt(abs(x))", r_sqrt},
    {"abs(x)", r_abs},
    {"sign(x)", r_sign},
    {"step(x)", r_step},
    {"min(x,y)", r_min},
    {"max(x,y)", r_max},
    {"if(x<y, x*y^2, x/y)", r_if},
    {"atan2(x,y)", r_atan2},
    {"x+y", r_add},
    {"x-y", r_subtract},
    {"x*y", r_multiply},
    {"x/y", r_divide},
    {"abs(x)^y", r_power},
    {"x^3", r_cube},
    {"x^-2", r_inverse_square},
    {"-x", r_negate},
    {"2^x", r_exponential},
    {"sin(exp(x*y)/(1+x^2))*sqrt(2+cos(y))", r_nested},
};
enum { N_CASES = sizeof CASES / sizeof CASES[0] };

// x.v + x.d s + x.dd s^2/2 + x.ddd s^3/6
static Real moved(Jet x, Real s) { return x.v + s * (x.d + s / 2 * (x.dd + s / 3 * x.ddd)); }

// The reference along x(s) and y(s).
static Real along(const Case* c, Jet x, Jet y, Real s) {
    return c->reference(moved(x, s), moved(y, s));
}

// Central differences with three Richardson steps: an error of order h^8.
static void differences(const Case* c, Jet x, Jet y, Real d[3]) {
    enum { LEVELS = 4 };
    Real table[3][LEVELS];
    Real h = 4e-3L;
    for (int i = 0; i < LEVELS; i++, h /= 2) {
        const Real up = along(c, x, y, h), down = along(c, x, y, -h);
        const Real far = along(c, x, y, 2 * h) - along(c, x, y, -2 * h);
        table[0][i] = (up - down) / (2 * h);
        table[1][i] = (up - 2 * along(c, x, y, 0) + down) / (h * h);
        table[2][i] = (far - 2 * (up - down)) / (2 * h * h * h);
    }
    for (int order = 0; order < 3; order++) {
        Real* row = table[order];
        for (int k = 1, factor = 4; k < LEVELS; k++, factor *= 4) {
            for (int i = 0; i + k < LEVELS; i++) {
                row[i] = (factor * row[i + 1] - row[i]) / (factor - 1);
            }
        }
        d[order] = row[0];
    }
}

static void test_derivatives(void** state) {
    (void)state;
    if (!long_double_is_wide()) {
        skip();
    }
    static const Jet points[][2] = {
        {{0.3, 1, 0, 0}, {0.7, 0, 0, 0}},
        {{0.3, 0, 1, 0}, {0.7, 0, 0, 0}},
        {{0.3, 0, 0, 1}, {0.7, 0, 0, 0}},
        {{0.3, 0, 0, 0}, {0.7, 0, 0, 1}},
        {{-0.4, 0.7, -1.3, 0.2}, {0.9, -0.6, 0.8, -1.4}},
        {{0.6, -1.1, 0.4, -0.9}, {-0.5, 0.3, 1.7, 0.6}},
        {{-0.55, 0.2, 0.9, 1.5}, {-0.35, -0.8, -0.5, 0.3}},
        {{0.45, -0.3, 2.0, -0.8}, {0.25, 0.5, -0.7, 1.1}},
    };
    for (int i = 0; i < N_CASES; i++) {
        for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
            const Jet x = points[k][0], y = points[k][1];
            const Jet jet = jet_of(CASES[i].text, 0, x, y);
            Real d[3];
            differences(&CASES[i], x, y, d);
            expect_close(CASES[i].text, "value", jet.v, along(&CASES[i], x, y, 0), 1e-15);
            expect_close(CASES[i].text, "derivative", jet.d, d[0], 1e-12);
            expect_close(CASES[i].text, "second derivative", jet.dd, d[1], 1e-10);
            expect_close(CASES[i].text, "third derivative", jet.ddd, d[2], 2e-8);
        }
    }
}

static void test_value_and_jet_agree_bit_for_bit(void** state) {
    (void)state;
    Arena arena = {0};
    for (int i = 0; i < N_CASES; i++) {
        const Expression* expression = compile(CASES[i].text, &arena);
        for (int k = -300; k <= 300; k++) {
            const double symbols[2] = {k * 0.0137, 0.3 - k * 0.0071};
            const Jet jets[2] = {{symbols[0], 1, 2, -3}, {symbols[1], -1, 0.5, 4}};
            const double value = expression_value(expression, 0, symbols);
            const double v = expression_jet(expression, 0, jets).v;
            assert_true((v == value && !signbit(v) == !signbit(value)) ||
                        (isnan(v) && isnan(value)));
        }
    }
    arena_free(&arena);
}

static void expect_jet(const char* text, double t, double v, double d, double dd, double ddd) {
    const Jet jet = jet_of(text, t, (Jet){0}, (Jet){.d = 1});
    if (!(jet.v == v && jet.d == d && jet.dd == dd && jet.ddd == ddd)) {
        fail_msg("%s: %.17g %.17g %.17g %.17g", text, jet.v, jet.d, jet.dd, jet.ddd);
    }
}

static void test_branches_and_ends_of_domains(void** state) {
    (void)state;
    expect_jet("t^2", 0, 0, 0, 2, 0);
    expect_jet("t^1", 0, 0, 1, 0, 0);
    expect_jet("t^0", 0, 1, 0, 0, 0);
    expect_jet("t^3", -2, -8, 12, -12, 6);
    expect_jet("t^4", 0, 0, 0, 0, 0);
    expect_jet("t^1.5", 4, 8, 3, 0.375, -0.046875);
    expect_jet("abs(t)", 0, 0, 1, 0, 0);
    expect_jet("abs(t)", -1, 1, -1, 0, 0);
    expect_jet("max(t,0)^2", 0, 0, 0, 2, 0);
    expect_jet("min(t,2*t)", 0, 0, 1, 0, 0);
    expect_jet("sign(t)*step(t)", 5, 1, 0, 0, 0);
    expect_jet("if(t<1, 3*t, t^2)", 1, 1, 2, 2, 0);
    // Constants have no derivative even where the function has none.
    expect_jet("sqrt(0)", 1, 0, 0, 0, 0);
    expect_jet("t + sqrt(x)", 1, 1, 1, 0, 0);
    expect_jet("t * acos(1)", 1, 0, 0, 0, 0);
    expect_jet("x^0.5 + atan2(x,x)", 1, 0, 0, 0, 0);
    expect_jet("sqrt(max(t,0))", -1, 0, 0, 0, 0);
    expect_jet("sqrt(if(t<0, 0, t))", -1, 0, 0, 0, 0);
    // What does vary must not be taken for constant because its derivatives vanish for a moment.
    assert_true(!isfinite(jet_of("sqrt(t^4)", 0, (Jet){0}, (Jet){0}).dd));
    assert_true(!isfinite(jet_of("sqrt(x)", 0, (Jet){.ddd = 1}, (Jet){0}).ddd));
    assert_true(!isfinite(jet_of("sqrt(y)", 0, (Jet){0}, (Jet){.d = 1}).d));
    // Neither overflow nor underflow of the squares.
    const Jet far = jet_of("atan2(x,y)", 0, (Jet){.v = 3e200, .d = 3e200}, (Jet){.v = 4e200});
    expect_close("atan2", "derivative", far.d, 12.0L / 25, 1e-15);
    const Jet near = jet_of("atan2(x,y)", 0, (Jet){.v = 3e-200, .d = 3e-200}, (Jet){.v = 4e-200});
    expect_close("atan2", "derivative", near.d, 12.0L / 25, 1e-15);
    expect_jet("tanh(t)", 800, 1, 0, 0, 0);
    expect_jet("atan(1e200*t)", 1, PI / 2, 0, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documented_example),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_value_and_jet_agree_bit_for_bit),
        cmocka_unit_test(test_branches_and_ends_of_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
