// Saddle-point systems of bodies and joints, whose A is block-diagonal: against elimination in long
// double, with unsymmetric and indefinite A, borders that differ, rows that nearly depend on each
// other, many right-hand sides, allocations.
#include "linalg/saddle.h"

#include "count_allocations.h"
#include "saddle_problem.h"

// --- problems -----------------------------------------------------------------------------------
enum { BODY = 6, JOINT = 3 };  // unknowns of a body, rows of a joint

// A body in space: its mass, and an inertia with a skew part of the size gyroscopic. sign is -1 for
// one that is not definite.
static void put_body(Problem* problem, int b, double gyroscopic, double sign) {
    double J[9], skew[3];
    for (int i = 0; i < 9; i++) {
        J[i] = random_number();
    }
    for (int i = 0; i < 3; i++) {
        skew[i] = gyroscopic * random_number();
        put(problem, BODY * b + i, BODY * b + i, sign * (1.5 + random_number()));
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double value = i == j ? 0.1 : (i < j ? 1.0 : -1.0) * skew[3 - i - j];
            for (int k = 0; k < 3; k++) {
                value += J[i * 3 + k] * J[j * 3 + k];
            }
            put(problem, BODY * b + 3 + i, BODY * b + 3 + j, sign * value);
        }
    }
}

// Joint k holds bodies a and b together (b < 0: the ground); the rows of C and of B differ by
// difference.
static void put_joint(Problem* problem, int k, int a, int b, double difference) {
    for (int r = JOINT * k; r < JOINT * (k + 1); r++) {
        for (int j = 0; j < 2 * BODY; j++) {
            const int body = j < BODY ? a : b;
            if (body < 0) {
                continue;
            }
            const double value = random_number();
            put(problem, problem->n + r, BODY * body + j % BODY, value);
            put(problem, BODY * body + j % BODY, problem->n + r,
                value * (1.0 + difference * random_number()));
        }
    }
}

static Problem chain_of_bodies(int n_bodies, double gyroscopic, double difference) {
    Problem problem = {.n = BODY * n_bodies, .n_c = JOINT * n_bodies};
    for (int b = 0; b < n_bodies; b++) {
        put_body(&problem, b, gyroscopic, 1.0);
        put_joint(&problem, b, b, b - 1, difference);
    }
    return problem;
}

// --- regular systems ----------------------------------------------------------------------------
static double check_against_reference(const Problem* problem) {
    const int n = problem->n, n_all = size_of(problem);
    double *truth = vector(n_all), *b = vector(n_all), *z = vector(n_all);
    double worst = 0.0;
    for (int i = 0; i < n_all; i++) {
        truth[i] = b[i] = random_number();
    }
    eliminate(problem, n_all, truth);
    for (int k = 0; k < N_WAYS; k++) {
        memcpy(z, b, (size_t)n_all * sizeof(double));
        assert_int_equal(solve(problem, ways[k], z), 0);
        worst = fmax(worst, distance(n, z, truth));
        worst = fmax(worst, distance(problem->n_c, z + n, truth + n));
    }
    free(truth);
    free(b);
    free(z);
    return worst;
}

static void test_chains(void** state) {
    (void)state;
    random_state = 31;
    for (int n_bodies = 1; n_bodies <= 9; n_bodies += 2) {
        for (int kind = 0; kind < 4; kind++) {
            Problem problem =
                chain_of_bodies(n_bodies, kind % 2 == 0 ? 0.0 : 0.5, kind < 2 ? 0.0 : 0.01);
            assert_true(check_against_reference(&problem) < 1e-10);
            free_problem(&problem);
        }
    }
}

// A body that all others are joined to, each also to the ground, and loops among them.
static void test_hub_and_loops(void** state) {
    (void)state;
    random_state = 32;
    enum { N_BODIES = 10 };
    Problem problem = {.n = BODY * N_BODIES, .n_c = JOINT * (N_BODIES + 2)};
    for (int b = 0; b < N_BODIES; b++) {
        put_body(&problem, b, 0.1, 1.0);
        put_joint(&problem, b, b, b == 0 ? -1 : 0, 0.0);
    }
    put_joint(&problem, N_BODIES, 3, 8, 0.0);
    put_joint(&problem, N_BODIES + 1, 9, 2, 0.0);
    assert_true(check_against_reference(&problem) < 1e-10);
    free_problem(&problem);
}

// Unknowns of one, two and four unknowns to a block, some of them without any constraint.
static void test_blocks_of_all_sizes(void** state) {
    (void)state;
    random_state = 33;
    Problem problem = {.n = 12, .n_c = 5};
    const int size[] = {1, 2, 4, 1, 1, 3};
    for (int k = 0, at = 0; k < 6; at += size[k++]) {
        for (int i = 0; i < size[k]; i++) {
            for (int j = 0; j < size[k]; j++) {
                put(&problem, at + i, at + j, (i == j ? 3.0 : 0.0) + random_number());
            }
        }
    }
    for (int c = 0; c < 5; c++) {
        for (int j = c; j < c + 5; j++) {
            put_constraint(&problem, c, j, random_number());
        }
    }
    assert_true(check_against_reference(&problem) < 1e-12);
    free_problem(&problem);
}

// Forces of 1e9 that constraints hold back: what moves is accurate all the same.
static void test_held_back(void** state) {
    (void)state;
    random_state = 34;
    Problem problem = chain_of_bodies(4, 0.2, 0.0);
    const int n = problem.n, n_all = size_of(&problem);
    double *truth = vector(n_all), *b = vector(n_all), *z = vector(n_all);
    for (int i = 0; i < n_all; i++) {
        truth[i] = random_number() * (i < n ? 1.0 : 1e9);
    }
    multiply(&problem, truth, b);
    memcpy(truth, b, (size_t)n_all * sizeof(double));
    eliminate(&problem, n_all, truth);
    for (int k = 0; k < 2; k++) {
        memcpy(z, b, (size_t)n_all * sizeof(double));
        assert_int_equal(solve(&problem, ways[k], z), 0);
        double *check = vector(n_all), worst = 0.0;
        multiply(&problem, z, check);
        for (int c = n; c < n_all; c++) {
            worst = fmax(worst, fabs(check[c] - b[c]));
        }
        assert_true(worst < 1e-12);  // the joints hold
        free(check);
    }
    free(truth);
    free(b);
    free(z);
    free_problem(&problem);
}

// --- A that is not definite ----------------------------------------------------------------------
// S = C A^-1 C^T = [0 2; 2 0]: its rows are independent though its pivots vanish.
static void test_vanishing_pivots(void** state) {
    (void)state;
    random_state = 35;
    Problem problem = {.n = 3, .n_c = 2};
    put(&problem, 0, 0, 1.0);
    put(&problem, 1, 1, -1.0);
    put(&problem, 2, 2, 1.0);
    for (int c = 0; c < 2; c++) {
        put_constraint(&problem, c, 0, 1.0);
        put_constraint(&problem, c, 1, c == 0 ? 1.0 : -1.0);
    }
    assert_true(check_against_reference(&problem) < 1e-14);
    free_problem(&problem);
}

static void test_indefinite(void** state) {
    (void)state;
    random_state = 36;
    enum { N_BODIES = 8 };
    Problem problem = {.n = BODY * N_BODIES, .n_c = JOINT * N_BODIES};
    for (int b = 0; b < N_BODIES; b++) {
        put_body(&problem, b, 0.2, b % 3 == 1 ? -1.0 : 1.0);
        put_joint(&problem, b, b, b - 1, 0.0);
    }
    assert_true(check_against_reference(&problem) < 1e-9);
    free_problem(&problem);
}

// A massless unknown in every third block, held by a row of C: large systems have to be pivoted.
static void test_massless(void** state) {
    (void)state;
    random_state = 37;
    Problem problem = {.n = 300, .n_c = 100};
    for (int i = 0; i < problem.n; i++) {
        put(&problem, i, i, i % 3 == 2 ? 0.0 : 2.0 + random_number());
    }
    for (int c = 0; c < problem.n_c; c++) {
        put_constraint(&problem, c, 3 * c + 2, 1.0);
        put_constraint(&problem, c, 3 * c + 1, 0.5 * random_number());
        put_constraint(&problem, c, (3 * c + 3) % problem.n, 0.5 * random_number());
    }
    assert_true(check_against_reference(&problem) < 1e-12);
    free_problem(&problem);
}

// The same with rows of C that depend on others: x is unique, and all equations hold.
static void test_massless_and_dependent(void** state) {
    (void)state;
    random_state = 38;
    Problem problem = {.n = 30, .n_c = 12};
    for (int i = 0; i < problem.n; i++) {
        put(&problem, i, i, i % 3 == 2 ? 0.0 : 2.0 + random_number());
    }
    for (int c = 0; c < 10; c++) {
        put_constraint(&problem, c, 3 * c + 2, 1.0);
        put_constraint(&problem, c, 3 * c + 1, 0.5 * random_number());
    }
    repeat_row(&problem, 3, 10, 1.0);
    repeat_row(&problem, 4, 11, -2.0);
    const int n_all = size_of(&problem);
    double truth[42], b[42], z[42], check[42];
    for (int i = 0; i < n_all; i++) {
        truth[i] = random_number();
    }
    multiply(&problem, truth, b);
    for (int k = 0; k < N_WAYS; k++) {
        memcpy(z, b, sizeof z);
        (void)solve(&problem, ways[k], z);
        multiply(&problem, z, check);
        assert_true(distance(problem.n, z, truth) < 1e-12);
        assert_true(distance(n_all, check, b) < 1e-12);
        assert_true(largest(problem.n_c, z + problem.n) < 10.0);
    }
    free_problem(&problem);
}

// --- rows that nearly depend on each other
// -------------------------------------------------------- Two rows at a small angle, the second of
// which contradicts the first: as independent rows they force x to be 1/angle, and as dependent
// ones the first one holds and x is as without the second.
static void test_contradiction(void** state) {
    (void)state;
    const double angle = 1e-5;
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int k = 0; k < 4; k++) {
        const bool counts = k % 2 == 0;
        Arena arena = {0};
        Problem problem = {.n = 4, .n_c = 2};
        for (int i = 0; i < 4; i++) {
            put(&problem, i, i, 1.0 + i);
        }
        put_constraint(&problem, 0, 0, 1.0);
        put_constraint(&problem, 1, 0, 1.0);
        put_constraint(&problem, 1, 1, angle);
        Saddle* saddle = prepare(&problem, limits[k / 2], &arena);
        saddle_set_dependent(saddle, counts ? 1e-6 : 1e-4);
        assemble(saddle, &problem);
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        assert_int_equal(saddle_redundant(saddle, NULL), counts ? 0 : 1);
        double z[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.501};
        saddle_solve(saddle, 1, z);
        // either of two dependent rows may be the one that holds
        assert_true(fabs(z[0] - 0.5) < (counts ? 1e-10 : 0.00101));
        assert_true(fabs(z[1] - (counts ? 0.001 / angle : 0.1)) < 1e-5);
        assert_true(fabs(z[2] - 0.1) < 1e-15 && fabs(z[3] - 0.1) < 1e-15);
        saddle_destroy(saddle);
        arena_free(&arena);
        free_problem(&problem);
    }
}

// A mechanism that passes a singular position: three rows in two unknowns' space at it. With
// consistent velocities the solution is the same whatever the distance from it.
static void test_singular_position(void** state) {
    (void)state;
    const double velocity[3] = {0.3, -0.2, 0.7};
    for (double d = 1.0; d > 1e-20; d *= 1e-2) {
        Problem problem = {.n = 3, .n_c = 3};
        for (int i = 0; i < 3; i++) {
            put(&problem, i, i, 1.0 + i);
        }
        for (int j = 0; j < 3; j++) {
            put_constraint(&problem, 0, j, 1.0);
            put_constraint(&problem, 1, j, j == 0 ? -1.0 : 1.0);
            put_constraint(&problem, 2, j, j == 0 ? 3.0 : j == 1 ? 1.0 : 1.0 + d);
        }
        double truth[6] = {velocity[0], velocity[1], velocity[2], 0.0, 0.0, 0.0}, b[6];
        multiply(&problem, truth, b);
        for (int i = 0; i < 3; i++) {  // without forces of its own the body keeps its velocity
            b[i] = (1.0 + i) * velocity[i];
        }
        for (int k = 0; k < N_WAYS; k++) {
            double z[6];
            memcpy(z, b, sizeof z);
            (void)solve(&problem, ways[k], z);
            assert_true(distance(3, z, truth) < 1e-9);
        }
        free_problem(&problem);
    }
}

// --- repeated use -------------------------------------------------------------------------------
// Many right-hand sides with few entries at once: as one by one, bit for bit, and right.
static void test_many_right_hand_sides(void** state) {
    (void)state;
    random_state = 39;
    enum { N_RHS = 7 };
    Problem problem = chain_of_bodies(5, 0.3, 0.0);
    const int n_all = size_of(&problem);
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        Arena arena = {0};
        Saddle* saddle = prepare(&problem, limits[l], &arena);
        assemble(saddle, &problem);
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        double *z = vector(N_RHS * n_all), *one = vector(n_all);
        for (int k = 0; k < N_RHS; k++) {
            for (int i = 0; i < BODY && k > 0; i++) {  // the first one is zero
                z[k * n_all + BODY * (k % 5) + i] = random_number();
            }
        }
        double* b = vector(N_RHS * n_all);
        memcpy(b, z, (size_t)(N_RHS * n_all) * sizeof(double));
        saddle_solve(saddle, N_RHS, z);
        assert_true(largest(n_all, z) == 0.0);
        for (int k = 1; k < N_RHS; k++) {
            memcpy(one, b + k * n_all, (size_t)n_all * sizeof(double));
            saddle_solve(saddle, 1, one);
            assert_memory_equal(one, z + k * n_all, (size_t)n_all * sizeof(double));
            eliminate(&problem, n_all, b + k * n_all);
            assert_true(distance(n_all, one, b + k * n_all) < 1e-11);
        }
        free(b);
        free(z);
        free(one);
        saddle_destroy(saddle);
        arena_free(&arena);
    }
    free_problem(&problem);
}

// A solution depends on its own values only, and takes no memory, dependent rows or not.
static void test_repeated(void** state) {
    (void)state;
    random_state = 40;
    Problem problem = chain_of_bodies(6, 0.3, 0.0);
    const int n_all = size_of(&problem);
    const size_t n_bytes = (size_t)n_all * sizeof(double);
    double *b = vector(n_all), *first = vector(n_all), *z = vector(n_all);
    for (int i = 0; i < n_all; i++) {
        b[i] = random_number();
    }
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        Arena arena = {0};
        Saddle* saddle = prepare(&problem, limits[l], &arena);
        for (int step = 0; step < 4; step++) {
            const size_t n_before = n_allocations;
            saddle_begin(saddle);
            for (int k = 0; k < problem.n_entries; k++) {
                const Entry* e = &problem.entries[k];
                const bool is_row = e->row == n_all - 1 || e->column == n_all - 1;
                const double factor = step % 2 == 0 ? 1.0 : is_row ? 0.0 : 1.3;
                saddle_add(saddle, e->row, e->column, 0.25 * factor * e->value);
                saddle_add(saddle, e->row, e->column, 0.75 * factor * e->value);
            }
            assert_int_equal(saddle_factor(saddle), STATUS_OK);
            assert_int_equal(saddle_redundant(saddle, NULL), step % 2);
            memcpy(z, b, n_bytes);
            saddle_solve(saddle, 1, z);
            assert_true(n_allocations == n_before);
            if (step == 0) {
                memcpy(first, z, n_bytes);
            } else if (step == 2) {
                assert_memory_equal(first, z, n_bytes);
            }
        }
        saddle_destroy(saddle);
        arena_free(&arena);
    }
    free(b);
    free(first);
    free(z);
    free_problem(&problem);
}

// A border of equal rows is a constraint, bit for bit.
static void test_border(void** state) {
    (void)state;
    const int at[3] = {0, 1, 2};
    const double A[9] = {2.0, 0.3, 0.1, 0.3, 3.0, 0.2, 0.1, 0.2, 4.0};
    const double C[3] = {0.5, -1.0, 2.0}, B[3] = {0.4, -1.0, 2.5};
    double z[3][4];
    for (int way = 0; way < 3; way++) {
        Arena arena = {0};
        Saddle* saddle = saddle_create(3, 1, ALL_SMALL, &arena);
        saddle_begin_pattern(saddle);
        saddle_add_block(saddle, 3, at, A);
        saddle_add_constraint(saddle, 0, 3, at, C);
        assert_int_equal(saddle_end_pattern(saddle), STATUS_OK);
        saddle_begin(saddle);
        saddle_add_block(saddle, 3, at, A);
        if (way == 0) {
            saddle_add_constraint(saddle, 0, 3, at, C);
        } else {
            saddle_add_border(saddle, 0, 3, at, C, way == 1 ? C : B);
        }
        assert_int_equal(saddle_factor(saddle), STATUS_OK);
        memcpy(z[way], (double[4]){1.0, 2.0, 3.0, 4.0}, sizeof z[way]);
        saddle_solve(saddle, 1, z[way]);
        saddle_destroy(saddle);
        arena_free(&arena);
    }
    assert_memory_equal(z[0], z[1], sizeof z[0]);
    for (int i = 0; i < 3; i++) {  // A x + B^T y = f
        double sum = B[i] * z[2][3];
        for (int j = 0; j < 3; j++) {
            sum += A[3 * i + j] * z[2][j];
        }
        assert_true(fabs(sum - (1.0 + i)) < 1e-14);
    }
}

// Blocks between neighbours of a chain: as part of the matrix when they are there, and as if they
// had never been in the pattern when they are zero.
static void test_couplings(void** state) {
    (void)state;
    random_state = 41;
    enum { N_BODIES = 4 };
    const int limits[] = {ALL_SMALL, ALL_LARGE};
    for (int l = 0; l < 2; l++) {
        Problem problem = chain_of_bodies(N_BODIES, 0.1, 0.0);
        const int n_all = size_of(&problem), n_plain = problem.n_entries;
        double block[N_BODIES][4 * BODY * BODY] = {{0.0}};
        int at[N_BODIES][2 * BODY];
        for (int b = 1; b < N_BODIES; b++) {
            for (int i = 0; i < 2 * BODY; i++) {
                at[b][i] = BODY * (b - 1) + i;
            }
        }
        Arena arena = {0};
        Saddle* saddle = saddle_create(problem.n, problem.n_c, limits[l], &arena);
        double *b = vector(n_all), *z = vector(n_all), *truth = vector(n_all);
        for (int i = 0; i < n_all; i++) {
            b[i] = random_number();
        }
        for (int pass = 0; pass < 4; pass++) {  // the pattern, zero, not zero, zero
            for (int i = 1; i < N_BODIES && pass == 2; i++) {
                for (int k = 0; k < 4 * BODY * BODY; k++) {
                    block[i][k] = 0.05 * random_number();
                    put(&problem, at[i][k / (2 * BODY)], at[i][k % (2 * BODY)], block[i][k]);
                }
            }
            if (pass == 0) {
                saddle_begin_pattern(saddle);
            } else {
                saddle_begin(saddle);
            }
            for (int i = 1; i < N_BODIES; i++) {
                static const double zero[4 * BODY * BODY];
                saddle_add_coupling(saddle, 2 * BODY, at[i], pass == 2 ? block[i] : zero);
            }
            for (int k = 0; k < n_plain; k++) {
                const Entry* entry = &problem.entries[k];
                saddle_add(saddle, entry->row, entry->column, entry->value);
            }
            if (pass == 0) {
                assert_int_equal(saddle_end_pattern(saddle), STATUS_OK);
                continue;
            }
            assert_int_equal(saddle_factor(saddle), STATUS_OK);
            memcpy(z, b, (size_t)n_all * sizeof(double));
            memcpy(truth, b, (size_t)n_all * sizeof(double));
            saddle_solve(saddle, 1, z);
            Problem used = problem;
            used.n_entries = pass == 2 ? problem.n_entries : n_plain;
            eliminate(&used, n_all, truth);
            assert_true(distance(n_all, z, truth) < 1e-11);
        }
        saddle_begin(saddle);  // an infinite coupling is found
        block[1][0] = (double)INFINITY;
        for (int i = 1; i < N_BODIES; i++) {
            saddle_add_coupling(saddle, 2 * BODY, at[i], block[i]);
        }
        assert_int_equal(saddle_factor(saddle), STATUS_NOT_FINITE);
        saddle_destroy(saddle);
        arena_free(&arena);
        free(b);
        free(z);
        free(truth);
        free_problem(&problem);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_hub_and_loops),
        cmocka_unit_test(test_blocks_of_all_sizes),
        cmocka_unit_test(test_held_back),
        cmocka_unit_test(test_vanishing_pivots),
        cmocka_unit_test(test_indefinite),
        cmocka_unit_test(test_massless),
        cmocka_unit_test(test_massless_and_dependent),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_singular_position),
        cmocka_unit_test(test_many_right_hand_sides),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_couplings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
