// Dense LU factorisation: solutions, and what counts as singular.
#include "mechanism.h"

#include "linalg/lu.h"

enum { N = 60 };

static void test_random_systems(void** state) {
    (void)state;
    for (int n = 1; n <= N; n++) {
        double A[N * N];
        double LU[N * N];
        double x[2 * N];
        double B[2 * N] = {0.0};
        int pivots[N];
        for (int i = 0; i < n * n; i++) {
            LU[i] = A[i] = random_in(-1.0, 1.0) * (i % 7 == 0 ? 100.0 : 1.0);
        }
        for (int i = 0; i < 2 * n; i++) {
            x[i] = random_in(-1.0, 1.0);
        }
        for (int r = 0; r < 2; r++) {
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    B[r * n + i] += A[j * n + i] * x[r * n + j];
                }
            }
        }
        assert_int_equal(lu_factor(n, LU, pivots), STATUS_OK);
        lu_solve(n, 2, LU, pivots, B);
        for (int i = 0; i < 2 * n; i++) {
            assert_close(B[i], x[i], 1e-9, "x");
        }
    }
}

static Status factor(int n, const double* A, double scale) {
    double LU[N * N];
    int pivots[N];
    for (int i = 0; i < n * n; i++) {
        LU[i] = scale * A[i];
    }
    return lu_factor(n, LU, pivots);
}

static void test_singular(void** state) {
    (void)state;
    const double zero[4] = {0.0};
    const double rank_one[4] = {1.0, 2.0, 2.0, 4.0};
    const double thirds[4] = {1.0 / 3.0, 0.1, 1.0, 0.3};  // singular but for rounding
    const double swapped[4] = {0.0, 1.0, 1.0, 0.0};       // regular, with a zero on the diagonal
    for (int power = -200; power <= 200; power += 50) {   // whatever the unit
        const double scale = pow(10.0, power);
        assert_int_equal(factor(2, rank_one, scale), STATUS_SINGULAR);
        assert_int_equal(factor(2, thirds, scale), STATUS_SINGULAR);
        assert_int_equal(factor(2, swapped, scale), STATUS_OK);
    }
    assert_int_equal(factor(2, zero, 1.0), STATUS_SINGULAR);
    assert_int_equal(factor(1, zero, 1.0), STATUS_SINGULAR);
}

static void test_not_finite(void** state) {
    (void)state;
    for (int at = 0; at < 9; at++) {
        double A[9] = {4.0, 1.0, 0.0, 1.0, 4.0, 1.0, 0.0, 1.0, 4.0};
        assert_int_equal(factor(3, A, 1.0), STATUS_OK);
        A[at] = NAN;
        assert_int_equal(factor(3, A, 1.0), STATUS_SINGULAR);
        A[at] = INFINITY;
        assert_int_equal(factor(3, A, 1.0), STATUS_SINGULAR);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
