// Functions through given points: against closed formulas, against splines of another program, and
// at their ends.
#include "numbers.h"

#include "base/arena.h"
#include "expression/jet.h"
#include "expression/table.h"

static const double X[] = {0.0, 0.3, 0.5, 1.1, 1.2, 2.0};
static const double Y[] = {1.0, 2.0, 0.5, -1.0, 0.25, 1.0};
enum { N = 6 };

static Arena arena;

static Table make(Interpolation interpolation, Beyond beyond, int n, const double* x,
                  const double* y) {
    Table table = {
        .name = "f", .interpolation = interpolation, .beyond = beyond, .n = n, .x = x, .y = y};
    assert_int_equal(table_prepare(&table, &arena), STATUS_OK);
    return table;
}

static int tear_down(void** state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static void expect(const Table* table, double x, Jet expected, double tolerance, const char* what) {
    const Jet f = table_at(table, x);
    assert_close(f.v, expected.v, tolerance, what);
    assert_close(f.d, expected.d, tolerance, what);
    assert_close(f.dd, expected.dd, tolerance, what);
    assert_close(f.ddd, expected.ddd, tolerance, what);
}

static void test_held(void** state) {
    (void)state;
    const Table table = make(INTERPOLATION_HELD, BEYOND_HOLD, N, X, Y);
    static const double arguments[] = {-1.0, 0.0, 0.29, 0.3, 0.31, 1.19, 1.2, 1.99, 2.0, 3.0};
    static const double values[] = {1.0, 1.0, 1.0, 2.0, 2.0, -1.0, 0.25, 0.25, 1.0, 1.0};
    for (int i = 0; i < 10; i++) {
        expect(&table, arguments[i], (Jet){.v = values[i]}, 0.0, "held");
    }
}

static void test_linear(void** state) {
    (void)state;
    const Table table = make(INTERPOLATION_LINEAR, BEYOND_EXTRAPOLATE, N, X, Y);
    for (int i = 0; i + 1 < N; i++) {
        const double slope = (Y[i + 1] - Y[i]) / (X[i + 1] - X[i]);
        for (int k = 0; k < 5; k++) {
            const double part = k / 5.0;
            const Jet there = {.v = (1.0 - part) * Y[i] + part * Y[i + 1], .d = slope};
            expect(&table, X[i] + part * (X[i + 1] - X[i]), there, 1e-14, "linear");
        }
    }
    expect(&table, -1.0, (Jet){.v = 1.0 - 1.0 / 0.3, .d = 1.0 / 0.3}, 1e-14, "before");
    expect(&table, 3.0, (Jet){.v = 1.0 + 0.75 / 0.8, .d = 0.75 / 0.8}, 1e-14, "behind");
}

// scipy 1.17: s = CubicSpline(X, Y, bc_type=...), [s(x, k) for k in range(4)]
static void test_smooth_beside_another_program(void** state) {
    (void)state;
    static const double arguments[] = {0.1, 0.4, 0.75, 1.15, 1.9};
    static const Jet open[] = {
        {2.015851945497963, 6.122963197078242, -74.48149318724538, 186.88895912347226},
        {1.342074027251018, -7.811481598539119, -18.414805450203694, 186.8889591234721},
        {-1.404731969709386, -5.454010248396315, 25.84196633422298, 102.27150348831776},
        {-0.4356715962564981, 12.609164296249483, 48.53727700519747, -261.9943109987375},
        {4.250835791543761, -24.673777918246962, -147.95845624385458, -261.99431099873595}};
    static const Jet periodic[] = {
        {1.461714418821337, 5.263539482879105, 0.04489867225717603, -386.4902166317263},
        {1.435070754716981, -8.170649895178197, -37.01415094339624, 402.38993710691784},
        {-1.5867931807593765, -5.724392907058004, 29.86093640810623, 106.54437456324256},
        {-0.3798011661425593, 13.027587788259975, 3.8409329140464052, -1266.210691823903},
        {0.8403590146750526, 0.07072851153039039, 26.42348008385744, 122.70440251572343}};
    const Table hold = make(INTERPOLATION_SMOOTH, BEYOND_HOLD, N, X, Y);
    const Table repeat = make(INTERPOLATION_SMOOTH, BEYOND_REPEAT, N, X, Y);
    for (int i = 0; i < 5; i++) {
        expect(&hold, arguments[i], open[i], 1e-11, "not-a-knot");
        expect(&repeat, arguments[i], periodic[i], 1e-11, "periodic");
        expect(&repeat, arguments[i] - 6.0, periodic[i], 1e-9, "three periods before");
        expect(&repeat, arguments[i] + 200.0, periodic[i], 1e-9, "a hundred periods later");
    }
}

// A cubic is its own spline, whatever the points; so are a parabola of three and a line of two.
static void test_polynomials(void** state) {
    (void)state;
    static const double x[] = {-2.0, -1.9, 0.5, 0.75, 3.0, 10.0};
    double y[N];
    for (int degree = 1; degree <= 3; degree++) {
        const double a = degree >= 3 ? 0.7 : 0.0, b = degree >= 2 ? -1.3 : 0.0;
        for (int i = 0; i < N; i++) {
            y[i] = ((a * x[i] + b) * x[i] + 0.4) * x[i] - 2.0;
        }
        for (int n = degree + 1; n <= N; n++) {
            const Table table = make(INTERPOLATION_SMOOTH, BEYOND_HOLD, n, x, y);
            for (double u = x[0]; u < x[n - 1]; u += 0.17) {
                const Jet there = {((a * u + b) * u + 0.4) * u - 2.0,
                                   (3.0 * a * u + 2.0 * b) * u + 0.4, 6.0 * a * u + 2.0 * b,
                                   6.0 * a};
                expect(&table, u, there, 1e-10, "polynomial");
            }
        }
    }
}

// Two derivatives are continuous in the points, and each derivative is that of the one before it.
static void test_derivatives(void** state) {
    (void)state;
    static const double step = 1e-6;
    for (int beyond = BEYOND_HOLD; beyond <= BEYOND_REPEAT; beyond++) {
        const Table table = make(INTERPOLATION_SMOOTH, (Beyond)beyond, N, X, Y);
        for (int i = beyond == BEYOND_HOLD ? 1 : 0; i < N - 1; i++) {
            const Jet left = table_at(&table, X[i] - 1e-13), right = table_at(&table, X[i]);
            assert_close(left.v, right.v, 1e-10, "value");
            assert_close(left.d, right.d, 1e-10, "first derivative");
            assert_close(left.dd, right.dd, 1e-9, "second derivative");
        }
        for (double u = 0.05; u < 2.0; u += 0.1) {
            const Jet left = table_at(&table, u - step), right = table_at(&table, u + step);
            const Jet here = table_at(&table, u);
            assert_close((right.v - left.v) / (2.0 * step), here.d, 1e-7, "first");
            assert_close((right.d - left.d) / (2.0 * step), here.dd, 1e-7, "second");
            assert_close((right.dd - left.dd) / (2.0 * step), here.ddd, 1e-6, "third");
        }
    }
}

// The largest error of n pieces from 0 to 2 pi, or to 2 where the function does not repeat
static double spline_error(int n, bool periodic) {
    double* x = ARENA_NEW(&arena, n + 1, double);
    double* y = ARENA_NEW(&arena, n + 1, double);
    const double end = periodic ? 2.0 * acos(-1.0) : 2.0;
    for (int i = 0; i <= n; i++) {  // points that are not evenly spaced
        x[i] = end * (i + 0.3 * sin(2.0 * acos(-1.0) * i / n) * n / 10.0) / n;
        y[i] = periodic ? cos(x[i]) : exp(x[i]);
    }
    y[n] = periodic ? y[0] : y[n];
    const Table table =
        make(INTERPOLATION_SMOOTH, periodic ? BEYOND_REPEAT : BEYOND_HOLD, n + 1, x, y);
    double error = 0.0;
    for (int i = 0; i <= 1000; i++) {
        const double u = end * i / 1000.0;
        error = fmax(error, fabs(table_at(&table, u).v - (periodic ? cos(u) : exp(u))));
    }
    return error;
}

static void test_order(void** state) {
    (void)state;
    for (int periodic = 0; periodic <= 1; periodic++) {
        const double order = log2(spline_error(40, periodic) / spline_error(80, periodic));
        if (!(order > 3.8 && order < 4.3)) {
            fail_msg("order %g, periodic: %d", order, periodic);
        }
    }
}

static void test_ends(void** state) {
    (void)state;
    const Jet nothing = {NAN, NAN, NAN, NAN};
    const Jet first = {1.0, 0.0, 0.0, 0.0};
    for (int kind = INTERPOLATION_LINEAR; kind <= INTERPOLATION_SMOOTH; kind++) {
        const Table hold = make((Interpolation)kind, BEYOND_HOLD, N, X, Y);
        const Table error = make((Interpolation)kind, BEYOND_ERROR, N, X, Y);
        const Table straight = make((Interpolation)kind, BEYOND_EXTRAPOLATE, N, X, Y);
        expect(&hold, -0.1, first, 0.0, "before");
        expect(&hold, -INFINITY, first, 0.0, "long before");
        expect(&hold, 2.1, first, 1e-12, "behind");
        assert_true(isnan(table_at(&error, -0.1).v) && isnan(table_at(&error, 2.1).v));
        const Jet end = table_at(&straight, 2.0);
        expect(&straight, 2.5, (Jet){.v = end.v + 0.5 * end.d, .d = end.d}, 1e-12, "straight on");
        for (int i = kind == INTERPOLATION_HELD ? 0 : -1; i <= 1; i++) {  // rounding of the host
            const double end_of_time = 2.0 + i * 4.5e-16;
            expect(&error, end_of_time, end, 1e-9, "the end");
            expect(&hold, end_of_time, end, 1e-9, "the end");
        }
        assert_true(isnan(table_at(&hold, nothing.v).v) && isnan(table_at(&hold, nothing.v).d));
    }
}

static void test_repeated(void** state) {
    (void)state;
    const Table saw =
        make(INTERPOLATION_LINEAR, BEYOND_REPEAT, 2, (double[]){1.0, 3.0}, (double[]){0.0, 4.0});
    expect(&saw, 1.5, (Jet){.v = 1.0, .d = 2.0}, 0.0, "first period");
    expect(&saw, 3.0, (Jet){.v = 0.0, .d = 2.0}, 0.0, "its end is the start of the next");
    expect(&saw, 0.5, (Jet){.v = 3.0, .d = 2.0}, 0.0, "the one before");
    assert_true(isnan(table_at(&saw, INFINITY).v));
    // scipy 1.17: CubicSpline([0, 1, 3], [1, 2, 1], bc_type="periodic")
    const Table three = make(INTERPOLATION_SMOOTH, BEYOND_REPEAT, 3, (double[]){0.0, 1.0, 3.0},
                             (double[]){1.0, 2.0, 1.0});
    expect(&three, 0.5, (Jet){1.5, 1.25, 0.0, -6.0}, 1e-14, "three points");
    expect(&three, 2.5, (Jet){1.0625, -0.625, 1.5, 3.0}, 1e-14, "three points");
    const Table flat =
        make(INTERPOLATION_SMOOTH, BEYOND_REPEAT, 2, (double[]){0.0, 1.0}, (double[]){7.0, 7.0});
    expect(&flat, 12.3, (Jet){.v = 7.0}, 0.0, "two points");
}

// The chain rule
static void test_jet(void** state) {
    (void)state;
    const Table table = make(INTERPOLATION_SMOOTH, BEYOND_HOLD, N, X, Y);
    const Jet x = {0.7, 2.0, -3.0, 5.0};
    const Jet f = table_at(&table, 0.7);
    const Jet y = table_jet(&table, x);
    assert_close(y.v, f.v, 0.0, "value");
    assert_close(y.d, 2.0 * f.d, 1e-13, "first");
    assert_close(y.dd, 4.0 * f.dd - 3.0 * f.d, 1e-12, "second");
    assert_close(y.ddd, 8.0 * f.ddd - 18.0 * f.dd + 5.0 * f.d, 1e-11, "third");
}

static void test_extreme_numbers(void** state) {
    (void)state;
    static const struct {
        double x[3], y[3];
        Status expected[3];  // linear, held, smooth
    } cases[] = {
        {{0, 1, 2}, {1e308, -1e308, 0}, {STATUS_OUT_OF_RANGE, STATUS_OK, STATUS_OUT_OF_RANGE}},
        {{0, 5e-324, 1}, {0, 1, 2}, {STATUS_OUT_OF_RANGE, STATUS_OK, STATUS_OUT_OF_RANGE}},
        {{-1.7e308, 1.7e308, 1.75e308},
         {0, 1, 2},
         {STATUS_OUT_OF_RANGE, STATUS_OUT_OF_RANGE, STATUS_OUT_OF_RANGE}},
        {{1e-200, 2e-200, 3e-200}, {0, 1, 0}, {STATUS_OK, STATUS_OK, STATUS_OUT_OF_RANGE}},
        {{1e15, 1e15 + 0.5, 1e15 + 1}, {0, 1, 0}, {STATUS_OK, STATUS_OK, STATUS_OK}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int kind = INTERPOLATION_LINEAR; kind <= INTERPOLATION_SMOOTH; kind++) {
            Table table = {.name = "f",
                           .interpolation = (Interpolation)kind,
                           .beyond = BEYOND_HOLD,
                           .n = 3,
                           .x = cases[i].x,
                           .y = cases[i].y};
            const Status status = table_prepare(&table, &arena);
            if (status != cases[i].expected[kind - 1]) {
                fail_msg("case %zu, interpolation %d: %s", i, kind, status_text(status));
            }
        }
    }
    Arena none = {.limit = 8};
    Table table = make(INTERPOLATION_SMOOTH, BEYOND_HOLD, N, X, Y);
    assert_int_equal(table_prepare(&table, &none), STATUS_OUT_OF_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_smooth_beside_another_program),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_jet),
        cmocka_unit_test(test_extreme_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
