// Saddle-point systems with constraints that depend on each other.
#include "linalg/saddle.h"

#include "saddle_problem.h"

// The last n_dependent rows of C depend on the ones before: x as without them, all equations hold,
// y is orthogonal to the null space of C^T, spanned by null (n_dependent x n_c). force_unit is the
// size of y that makes C^T y as large as A x.
static void check_dependent(const Problem* problem, int n_dependent, const double* null,
                            double force_unit, int way) {
    const int n = problem->n, n_c = problem->n_c, n_all = size_of(problem);
    double *truth = vector(n_all), *z = vector(n_all), *b = vector(n_all), *check = vector(n_all);
    for (int i = 0; i < n_all; i++) {
        truth[i] = random_number();
    }
    for (int c = 0; c < n_c; c++) {  // C^T y no larger than A x
        truth[n + c] *= force_unit;
    }
    multiply(problem, truth, b);  // consistent
    memcpy(z, b, (size_t)n_all * sizeof(double));
    memcpy(truth, b, (size_t)n_all * sizeof(double));
    eliminate(problem, n_all - n_dependent, truth);
    assert_int_equal(solve(problem, way, z), n_dependent);
    const double x_error = distance(n, z, truth);
    multiply(problem, z, check);  // all equations hold, those of the dependent rows too
    const double b_error = distance(n_all, check, b);
    double y_error = 0.0;
    for (int k = 0; k < n_dependent; k++) {
        double product = 0.0, square = 0.0;
        for (int c = 0; c < n_c; c++) {
            product += null[k * n_c + c] * z[n + c];
            square += null[k * n_c + c] * null[k * n_c + c];
        }
        y_error = fmax(y_error, fabs(product) / sqrt(square) / largest(n_c, z + n));
    }
    print_message("%s: x %.1e, equations %.1e, least norm %.1e\n", way_name(way), x_error, b_error,
                  y_error);
    assert_true(x_error < 1e-12);
    assert_true(b_error < 1e-12);
    assert_true(y_error < 1e-12);
    free(truth);
    free(z);
    free(b);
    free(check);
}

static void test_repeated_rows(void** state) {
    (void)state;
    random_state = 7;
    Problem problem = random_problem(15, 4, 0.0, 1.0, 1.0);
    problem.n_c = 7;
    repeat_row(&problem, 1, 4, 1.0);
    repeat_row(&problem, 1, 5, 1.0);
    repeat_row(&problem, 3, 6, -2.0);
    const double null[3 * 7] = {0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, 2, 0, 0, 1};
    for (int k = 0; k < N_WAYS; k++) {
        check_dependent(&problem, 3, null, 1.0, ways[k]);
    }
    free_problem(&problem);
}

static void test_combined_rows(void** state) {
    (void)state;
    random_state = 8;
    const double units[] = {1.0, 1e-6, 1e6};
    for (int u = 0; u < 9; u++) {
        Problem problem = random_problem(20, 6, u == 0 ? 0.0 : 0.02, units[u / 3], units[u % 3]);
        problem.n_c = 9;
        double null[3 * 9] = {0};
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 6; c++) {
                null[k * 9 + c] = random_number();
                repeat_row(&problem, c, 6 + k, null[k * 9 + c]);
            }
            null[k * 9 + 6 + k] = -1.0;
        }
        for (int k = 0; k < N_WAYS; k++) {
            check_dependent(&problem, 3, null, units[u / 3] / units[u % 3], ways[k]);
        }
        free_problem(&problem);
    }
}

// More rows than unknowns, and a row of zeros.
static void test_more_rows_than_unknowns(void** state) {
    (void)state;
    random_state = 9;
    Problem problem = random_problem(3, 5, 0.0, 1.0, 1.0);
    problem.n_c = 6;
    double truth[9] = {1.0, -2.0, 3.0, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0}, b[9];
    multiply(&problem, truth, b);
    double y[N_WAYS][6];
    for (int l = 0; l < N_WAYS; l++) {
        double z[9];
        memcpy(z, b, sizeof z);
        assert_int_equal(solve(&problem, ways[l], z), 3);
        assert_true(distance(3, z, truth) < 1e-12);
        memcpy(y[l], z + 3, sizeof y[l]);
        assert_true(fabs(z[8]) < 1e-15);
    }
    for (int l = 1; l < N_WAYS; l++) {
        assert_true(distance(6, y[0], y[l]) < 1e-12);
    }
    free_problem(&problem);
}

static void test_redundant_rows_are_named(void** state) {
    (void)state;
    random_state = 10;
    Problem problem = random_problem(8, 5, 0.0, 1.0, 1.0);
    problem.n_c = 6;
    repeat_row(&problem, 2, 5, 1.0);
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        Arena arena = {0};
        Saddle* saddle = prepare(&problem, limits[l], &arena);
        assert_int_equal(saddle_redundant(saddle, NULL), 0);
        assemble(saddle, &problem);
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        int redundant[6] = {-1};
        assert_int_equal(saddle_redundant(saddle, redundant), 1);
        assert_true(redundant[0] == 2 || redundant[0] == 5);
        saddle_destroy(saddle);
        arena_free(&arena);
    }
    free_problem(&problem);
}

// Every 100th constraint of a long chain twice.
static void test_dependent_rows_in_long_chain(void** state) {
    (void)state;
    random_state = 11;
    Problem problem = chain_problem(3000, 1000, 3);
    for (int k = 0; k < 10; k++) {
        const int c = problem.n_c++;
        repeat_row(&problem, 100 * k, c, 1.0 + k);
        repeat_row(&problem, 100 * k + 1, c, -0.5);
    }
    const int n_all = size_of(&problem);
    double *truth = vector(n_all), *z = vector(n_all), *b = vector(n_all), *check = vector(n_all);
    for (int i = 0; i < n_all; i++) {
        truth[i] = random_number();
    }
    multiply(&problem, truth, b);
    memcpy(z, b, (size_t)n_all * sizeof(double));
    assert_int_equal(solve(&problem, ALL_LARGE, z), 10);
    multiply(&problem, z, check);
    double y_error = 0.0;
    for (int k = 0; k < 10; k++) {
        const double* y = z + problem.n;
        const double product = (1.0 + k) * y[100 * k] - 0.5 * y[100 * k + 1] - y[1000 + k];
        y_error = fmax(y_error, fabs(product) / (1.0 + k));
    }
    print_message("chain: x %.1e, equations %.1e, least norm %.1e\n", distance(problem.n, z, truth),
                  distance(n_all, check, b), y_error);
    assert_true(distance(problem.n, z, truth) < 1e-12);
    assert_true(distance(n_all, check, b) < 1e-12);
    assert_true(y_error < 1e-12);
    free(truth);
    free(z);
    free(b);
    free(check);
    free_problem(&problem);
}

// A chain of springs that are very stiff against its masses, with three combined rows.
static void test_stiff_chain(void** state) {
    (void)state;
    for (double stiffness = 1.0; stiffness < 1e11; stiffness *= 1e5) {
        random_state = 17;
        Problem problem = {.n = 60, .n_c = 18};
        for (int i = 0; i < problem.n; i++) {
            put(&problem, i, i, 1.0 + 0.5 * random_number() + 2.0 * stiffness);
            if (i > 0) {
                put(&problem, i, i - 1, -stiffness);
                put(&problem, i - 1, i, -stiffness);
            }
        }
        for (int k = 0; k < 15 * 3; k++) {
            put_constraint(&problem, k / 3, k, random_number());
        }
        double null[3 * 18] = {0};
        for (int k = 0; k < 3 * 4; k++) {
            const int c = (k % 4) * (k / 4 + 1);
            null[k / 4 * 18 + c] = random_number();
            repeat_row(&problem, c, 15 + k / 4, null[k / 4 * 18 + c]);
            null[k / 4 * 18 + 15 + k / 4] = -1.0;
        }
        for (int k = 0; k < N_WAYS; k++) {
            check_dependent(&problem, 3, null, stiffness, ways[k]);
        }
        free_problem(&problem);
    }
}

// Rows at a small angle are not dependent yet, and at a much smaller one they are.
static void test_nearly_dependent_rows(void** state) {
    (void)state;
    for (int k = 0; k < 2 * N_WAYS; k++) {
        const double angle = k % 2 == 0 ? 1e-4 : 1e-8;
        Problem problem = {.n = 4, .n_c = 2};
        for (int i = 0; i < 4; i++) {
            put(&problem, i, i, 1.0 + i);
        }
        put_constraint(&problem, 0, 0, 1.0);
        put_constraint(&problem, 1, 0, 1.0);
        put_constraint(&problem, 1, 1, angle);
        double z[6] = {0.1, 0.2, 0.3, 0.4, 0.0, 0.0};
        assert_int_equal(solve(&problem, ways[k / 2], z), k % 2);
        free_problem(&problem);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeated_rows),
        cmocka_unit_test(test_combined_rows),
        cmocka_unit_test(test_more_rows_than_unknowns),
        cmocka_unit_test(test_redundant_rows_are_named),
        cmocka_unit_test(test_dependent_rows_in_long_chain),
        cmocka_unit_test(test_stiff_chain),
        cmocka_unit_test(test_nearly_dependent_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
