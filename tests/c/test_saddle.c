// Saddle-point systems: each solver against elimination in long double, singular and hostile
// matrices, repeated assemblies, allocations.
#include "linalg/saddle.h"

#include "count_allocations.h"
#include "saddle_problem.h"

// --- regular systems ----------------------------------------------------------------------------
static void check_regular(const Problem* problem, double tolerance) {
    const int n = problem->n, n_all = size_of(problem);
    double *truth = vector(n_all), *b = vector(n_all), *z = vector(n_all);
    for (int i = 0; i < n_all; i++) {
        truth[i] = b[i] = random_number();
    }
    eliminate(problem, n_all, truth);
    for (int k = 0; k < N_WAYS; k++) {
        memcpy(z, b, (size_t)n_all * sizeof(double));
        assert_int_equal(solve(problem, ways[k], z), 0);
        assert_true(distance(n, z, truth) < tolerance);
        assert_true(distance(problem->n_c, z + n, truth + n) < tolerance);
    }
    free(truth);
    free(b);
    free(z);
}

static void test_random_systems(void** state) {
    (void)state;
    random_state = 1;
    for (int n = 1; n <= 31; n += 5) {
        for (int n_c = 0; n_c <= n - n / 4; n_c += 1 + n / 3) {
            Problem problem = random_problem(n, n_c, 0.0, 1.0, 1.0);
            check_regular(&problem, 1e-11);
            free_problem(&problem);
            problem = random_problem(n, n_c, 0.3, 1.0, 1.0);
            check_regular(&problem, 1e-11);
            free_problem(&problem);
        }
    }
}

static void test_units_do_not_matter(void** state) {
    (void)state;
    random_state = 2;
    const double units[] = {1e-9, 1e-3, 1e4, 1e9};
    for (int k = 0; k < 16; k++) {
        Problem problem = random_problem(12, 5, 0.01, units[k / 4], units[k % 4]);
        check_regular(&problem, 1e-11);
        free_problem(&problem);
    }
}

// Masses from 1e-4 to 1e4 in one system.
static void test_unequal_masses(void** state) {
    (void)state;
    random_state = 3;
    Problem problem = {.n = 20, .n_c = 8};
    for (int i = 0; i < problem.n; i++) {
        put(&problem, i, i, pow(10.0, (i * 7 % 9) - 4));
    }
    for (int c = 0; c < problem.n_c; c++) {
        for (int k = 0; k < 5; k++) {
            put_constraint(&problem, c, 2 * c + k, random_number());
        }
    }
    check_regular(&problem, 1e-9);
    free_problem(&problem);
}

// A has zeros on its diagonal where C holds the unknown, or is indefinite: pivots have to be
// chosen.
static void test_without_definite_A(void** state) {
    (void)state;
    random_state = 4;
    Problem problem = {.n = 6, .n_c = 2};
    for (int i = 0; i < 4; i++) {
        put(&problem, i, i, 1.0 + i);
    }
    put(&problem, 4, 5, 2.0);
    put(&problem, 5, 4, -3.0);
    put_constraint(&problem, 0, 0, 1.0);
    put_constraint(&problem, 0, 3, -1.0);
    put_constraint(&problem, 1, 4, 1.0);
    put_constraint(&problem, 1, 1, 0.5);
    check_regular(&problem, 1e-12);
    free_problem(&problem);

    problem = (Problem){.n = 3, .n_c = 1};  // massless, held by C alone
    put(&problem, 0, 0, 1.0);
    put(&problem, 1, 1, 2.0);
    put_constraint(&problem, 0, 2, 1.0);
    check_regular(&problem, 1e-12);
    free_problem(&problem);
}

static void test_no_unknowns_at_all(void** state) {
    (void)state;
    Problem problem = {0};
    double nothing[1] = {7.0};
    for (int k = 0; k < N_WAYS; k++) {
        assert_int_equal(solve(&problem, ways[k], nothing), 0);
    }
    assert_true(nothing[0] == 7.0);
    problem.n_c = 3;  // 0 = g
    double y[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < N_WAYS; k++) {
        assert_int_equal(solve(&problem, ways[k], y), 3);
    }
    assert_true(largest(3, y) == 0.0);
    saddle_destroy(NULL);
}

static void test_several_right_hand_sides(void** state) {
    (void)state;
    random_state = 5;
    Problem problem = random_problem(9, 4, 0.1, 1.0, 1.0);
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        Arena arena = {0};
        Saddle* saddle = prepare(&problem, limits[l], &arena);
        assemble(saddle, &problem);
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        double z[3 * 13], truth[3 * 13];
        for (int i = 0; i < 3 * 13; i++) {
            z[i] = truth[i] = random_number();
        }
        saddle_solve(saddle, 3, z);
        for (int k = 0; k < 3; k++) {
            eliminate(&problem, 13, truth + 13 * k);
        }
        assert_true(distance(3 * 13, z, truth) < 1e-12);
        saddle_destroy(saddle);
        arena_free(&arena);
    }
    free_problem(&problem);
}

// Rows of C at a small angle lose the digits that the factors without pivots cannot keep; the
// equations hold all the same, and so do they with A nearly singular but for what C holds.
static void test_digits_found_again(void** state) {
    (void)state;
    random_state = 18;
    for (double angle = 1e-2; angle > 5e-6; angle *= 0.1) {
        for (int held = 0; held < 2; held++) {
            Problem problem = random_problem(10, 4, 0.0, 1.0, 1.0);
            problem.n_c = 5;
            if (held == 1) {  // a mass that nearly vanishes
                problem.n = 11;
                for (int k = 0; k < problem.n_entries; k++) {
                    problem.entries[k].row += problem.entries[k].row >= 10;
                    problem.entries[k].column += problem.entries[k].column >= 10;
                }
                put(&problem, 10, 10, angle * angle);
                put(&problem, 10, 0, angle);
                put(&problem, 0, 10, angle);
                put_constraint(&problem, 4, 10, 1.0);
            } else {
                repeat_row(&problem, 1, 4, 1.0);
                put_constraint(&problem, 4, 3, angle);
            }
            const int n_all = size_of(&problem);
            double b[16], z[16], check[16];
            for (int i = 0; i < n_all; i++) {
                b[i] = random_number();
            }
            for (int k = 0; k < N_WAYS; k++) {
                memcpy(z, b, sizeof z);
                assert_int_equal(solve(&problem, ways[k], z), 0);
                multiply(&problem, z, check);
                const double error = distance(n_all, check, b) / fmax(1.0, largest(n_all, z));
                assert_true(error < 1e-12);
            }
            free_problem(&problem);
        }
    }
}

// An indefinite A with a small second pivot in every order; two digits may be lost.
static void test_small_pivots(void** state) {
    (void)state;
    for (double d = 1e-2; d > 5e-13; d *= 0.1) {
        const double A[9] = {1.0, 1.0, 1.0, 1.0, 1.0 + d, -1.0, 1.0, -1.0, 1.0 + d};
        const double b[3] = {0.3, -0.7, 0.6};
        Problem problem = {.n = 3};
        for (int i = 0; i < 9; i++) {
            put(&problem, i / 3, i % 3, A[i]);
        }
        for (int k = 0; k < N_WAYS; k++) {
            double z[3], check[3];
            memcpy(z, b, sizeof z);
            assert_int_equal(solve(&problem, ways[k], z), 0);
            multiply(&problem, z, check);
            assert_true(distance(3, check, b) < 1e-13);
        }
        free_problem(&problem);
    }
}

// Blocks and rows of C at once are the same as entry by entry, bit for bit.
static void test_blocks(void** state) {
    (void)state;
    enum { N = 5, N_C = 2, N_ALL = N + N_C };
    random_state = 19;
    double A[N * N], C[N_C * N], b[N_ALL], z[2][N_ALL];
    for (int i = 0; i < N * N; i++) {
        A[i] = random_number() + (i % (N + 1) == 0 ? 5.0 : 0.0);
    }
    for (int i = 0; i < N_C * N; i++) {
        C[i] = random_number();
    }
    for (int i = 0; i < N_ALL; i++) {
        b[i] = random_number();
    }
    const int at[N] = {3, 0, 4, 1, 2};
    for (int way = 0; way < 2; way++) {
        Arena arena = {0};
        Saddle* saddle = saddle_create(N, N_C, ALL_SMALL, &arena);
        for (int pass = 0; pass < 2; pass++) {
            if (pass == 0) {
                saddle_begin_pattern(saddle);
            } else {
                saddle_begin(saddle);
            }
            if (way == 0) {
                saddle_add_block(saddle, N, at, A);
                saddle_add_constraint(saddle, 0, N, at, C);
                saddle_add_constraint(saddle, 1, N, at, C + N);
            }
            for (int i = 0; way == 1 && i < N * N; i++) {
                saddle_add(saddle, at[i / N], at[i % N], A[i]);
            }
            for (int i = 0; way == 1 && i < N_C * N; i++) {
                saddle_add(saddle, N + i / N, at[i % N], C[i]);
                saddle_add(saddle, at[i % N], N + i / N, C[i]);
            }
            assert_true(pass == 1 || saddle_end_pattern(saddle) == STATUS_OK);
        }
        memcpy(z[way], b, sizeof b);
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        saddle_solve(saddle, 1, z[way]);
        saddle_destroy(saddle);
        arena_free(&arena);
    }
    assert_memory_equal(z[0], z[1], sizeof b);
}

static void test_long_chain(void** state) {
    (void)state;
    random_state = 6;
    // Constraints far apart; as dense as unknowns allow; some that hold distant parts together.
    for (int kind = 0; kind < 3; kind++) {
        Problem problem = chain_problem(3000, kind == 0 ? 300 : 1400, kind == 0 ? 10 : 2);
        if (kind == 2) {
            problem.n_c++;
            free_problem(&problem);
            problem = chain_problem(3000, 301, 9);
            put_constraint(&problem, 300, 2999, 1.0);
        }
        const int n_all = size_of(&problem);
        double *truth = vector(n_all), *z = vector(n_all);
        for (int i = 0; i < n_all; i++) {
            truth[i] = random_number();
        }
        multiply(&problem, truth, z);
        assert_int_equal(solve(&problem, ALL_LARGE, z), 0);
        const double error = distance(n_all, z, truth);
        print_message("chain %d: error %.1e\n", kind, error);
        assert_true(error < 1e-11);
        free(truth);
        free(z);
        free_problem(&problem);
    }
}

// --- what cannot be solved ----------------------------------------------------------------------
static void test_singular(void** state) {
    (void)state;
    for (int l = 0; l < N_WAYS; l++) {
        Problem problem = {.n = 3, .n_c = 1};  // the third unknown is in no equation
        put(&problem, 0, 0, 1.0);
        put(&problem, 1, 1, 1.0);
        put_constraint(&problem, 0, 0, 1.0);
        assert_int_equal(status_of(&problem, ways[l]), STATUS_SINGULAR);
        put(&problem, 2, 2, 0.0);
        assert_int_equal(status_of(&problem, ways[l]), STATUS_SINGULAR);
        free_problem(&problem);

        problem = (Problem){.n = 3, .n_c = 0};  // rank 2
        for (int i = 0; i < 9; i++) {
            put(&problem, i / 3, i % 3, i);
        }
        assert_int_equal(status_of(&problem, ways[l]), STATUS_SINGULAR);
        free_problem(&problem);

        problem = (Problem){.n = 2, .n_c = 0};
        assert_int_equal(status_of(&problem, ways[l]), STATUS_SINGULAR);
    }
}

static void test_hostile_values(void** state) {
    (void)state;
    random_state = 12;
    const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY,
                             1e308,       -1e308,           1e-320};
    Problem problem = random_problem(6, 3, 0.0, 1.0, 1.0);
    for (int l = 0; l < N_WAYS; l++) {
        for (int k = 0; k < problem.n_entries; k++) {
            for (int v = 0; v < 6; v++) {
                const double before = problem.entries[k].value;
                problem.entries[k].value = values[v];
                const Status status = status_of(&problem, ways[l]);
                assert_true(v >= 3 || status == STATUS_NOT_FINITE);
                assert_true(status == STATUS_NOT_FINITE || status == STATUS_SINGULAR ||
                            status == STATUS_OK);
                problem.entries[k].value = before;
            }
        }
    }
    free_problem(&problem);
}

static void test_hostile_right_hand_side(void** state) {
    (void)state;
    random_state = 13;
    Problem problem = random_problem(6, 2, 0.0, 1.0, 1.0);
    problem.n_c = 3;
    repeat_row(&problem, 0, 2, 1.0);
    const double values[] = {(double)NAN, (double)INFINITY, 1e308};
    for (int l = 0; l < N_WAYS; l++) {
        for (int v = 0; v < 3; v++) {
            double z[9] = {0.0};
            z[3] = values[v];
            (void)solve(&problem, ways[l], z);
            assert_true(v == 2 || !isfinite(z[3]));
        }
    }
    free_problem(&problem);
}

static void test_memory_limit(void** state) {
    (void)state;
    random_state = 14;
    Problem problem = chain_problem(50, 10, 4);
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        bool worked = false;
        for (size_t limit = 64; !worked; limit += limit / 8) {
            Arena arena = {.limit = limit};
            Saddle* saddle = saddle_create(problem.n, problem.n_c, limits[l], &arena);
            if (saddle != NULL) {
                saddle_begin_pattern(saddle);
                for (int k = 0; k < problem.n_entries; k++) {
                    saddle_add(saddle, problem.entries[k].row, problem.entries[k].column, 0.0);
                }
                const Status status = saddle_end_pattern(saddle);
                assert_true(status == STATUS_OK || status == STATUS_OUT_OF_MEMORY);
                worked = status == STATUS_OK;
            }
            saddle_destroy(saddle);
            arena_free(&arena);
        }
    }
    Arena arena = {0};
    assert_null(saddle_create(INT32_MAX, 1, 100, &arena));
    Saddle* unfinished = saddle_create(10, 0, ALL_LARGE, &arena);
    saddle_begin_pattern(unfinished);
    saddle_add(unfinished, 1, 1, 0.0);
    saddle_destroy(unfinished);
    arena_free(&arena);
    free_problem(&problem);
}

// --- repeated use -------------------------------------------------------------------------------
// A solution depends on its own values only, whatever came before, and takes no memory.
static void check_repeated(Problem* problem, int dense_limit, bool may_allocate) {
    enum { N_VALUES = 6 };
    const int n_all = size_of(problem);
    const size_t n_bytes = (size_t)n_all * sizeof(double);
    Arena arena = {0};
    Saddle* saddle = prepare(problem, dense_limit, &arena);
    double *b = vector(n_all), *z = vector(n_all), *again = vector(n_all);
    double* original = vector(problem->n_entries);
    for (int i = 0; i < n_all; i++) {
        b[i] = random_number();
    }
    for (int k = 0; k < problem->n_entries; k++) {
        original[k] = problem->entries[k].value;
    }
    for (int step = 0; step < N_VALUES; step++) {
        for (int k = 0; k < problem->n_entries; k++) {
            const Entry* entry = &problem->entries[k];  // stays symmetric; dependent rows as well
            const int x = entry->row < entry->column ? entry->row : entry->column;
            problem->entries[k].value = original[k] * (1.0 + 0.2 * sin(x * 3.0 + step));
        }
        if (step == 3) {
            problem->entries[0].value = (double)NAN;
        }
        const size_t n_before = n_allocations;
        assemble(saddle, problem);
        const Status status = saddle_factor(saddle);
        memcpy(z, b, n_bytes);
        if (status == STATUS_OK) {
            saddle_solve(saddle, 1, z);
        }
        assert_true(may_allocate || n_allocations == n_before);
        assert_int_equal(status, step == 3 ? STATUS_NOT_FINITE : STATUS_OK);
        if (status == STATUS_OK) {
            memcpy(again, b, n_bytes);
            solve(problem, dense_limit, again);
            assert_memory_equal(z, again, n_bytes);
        }
    }
    for (int k = 0; k < problem->n_entries; k++) {
        problem->entries[k].value = original[k];
    }
    saddle_destroy(saddle);
    arena_free(&arena);
    free(original);
    free(again);
    free(b);
    free(z);
}

static void test_repeated_assemblies(void** state) {
    (void)state;
    random_state = 15;
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        Problem problem = chain_problem(60, 25, 2);
        check_repeated(&problem, limits[l], false);
        problem.n_c = 28;  // and with dependent rows
        repeat_row(&problem, 3, 25, 1.0);
        repeat_row(&problem, 4, 26, -1.0);
        repeat_row(&problem, 3, 27, 0.5);
        check_repeated(&problem, limits[l], false);
        free_problem(&problem);
        problem = (Problem){.n = 40, .n_c = 1};  // has to be pivoted
        for (int i = 0; i < 40; i += 2) {
            put(&problem, i, i + 1, 1.0 + i);
            put(&problem, i + 1, i, -2.0);
        }
        put_constraint(&problem, 0, 3, 1.0);
        put_constraint(&problem, 0, 4, 1.0);
        put(&problem, 3, 3, 0.5);
        put(&problem, 2, 2, 0.5);
        check_repeated(&problem, limits[l], true);
        free_problem(&problem);
    }
}

// Numbers that the factors of a chain take: what a factorisation works on
static double factor_size(int n) {
    Problem problem = chain_problem(n, n / 3, 3);
    Arena arena = {0};
    Saddle* saddle = prepare(&problem, ALL_LARGE, &arena);
    double* z = vector(size_of(&problem));
    z[0] = 1.0;
    const size_t n_before = n_allocations;
    assemble(saddle, &problem);
    assert_int_equal(saddle_factor(saddle), STATUS_OK);
    saddle_solve(saddle, 1, z);
    assert_int_equal(n_allocations, n_before);  // all of it is in the arena
    const double size = (double)arena.n_bytes;
    free(z);
    saddle_destroy(saddle);
    arena_free(&arena);
    free_problem(&problem);
    return size;
}

// Ten times the chain takes ten times the factors, where a dense matrix would take a hundred.
static void test_factors_grow_with_size(void** state) {
    (void)state;
    random_state = 16;
    const double ratio = factor_size(3000) / factor_size(300);
    assert_true(ratio > 8.0 && ratio < 12.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_unequal_masses),
        cmocka_unit_test(test_without_definite_A),
        cmocka_unit_test(test_no_unknowns_at_all),
        cmocka_unit_test(test_several_right_hand_sides),
        cmocka_unit_test(test_digits_found_again),
        cmocka_unit_test(test_small_pivots),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_hostile_values),
        cmocka_unit_test(test_hostile_right_hand_side),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_repeated_assemblies),
        cmocka_unit_test(test_factors_grow_with_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
