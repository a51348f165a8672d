// Cholesky factorisation of small blocks.
#include "mechanism.h"

#include "linalg/cholesky.h"

enum { N = 6 };

// A = B B^T + I is positive definite.
static void random_matrix(int n, double* A) {
    double B[N * N];
    for (int i = 0; i < n * n; i++) {
        B[i] = random_in(-2.0, 2.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = i == j;
            for (int k = 0; k < n; k++) {
                A[i * n + j] += B[i * n + k] * B[j * n + k];
            }
        }
    }
}

static void test_solutions(void** state) {
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        const int n = 1 + trial % N;
        double A[N * N];
        double L[N * N];
        double x[N];
        double b[N] = {0.0};
        random_matrix(n, A);
        memcpy(L, A, sizeof L);
        for (int j = 0; j < n; j++) {
            x[j] = random_in(-1.0, 1.0);
            for (int i = 0; i < n; i++) {
                b[i] += A[i * n + j] * x[j];
            }
        }
        assert_true(cholesky_factor(n, L));
        cholesky_solve(n, L, b);
        for (int i = 0; i < n; i++) {
            assert_close(b[i], x[i], 1e-12, "x");
        }
    }
}

// Only the lower triangle is read.
static void test_upper_triangle_is_not_read(void** state) {
    (void)state;
    double A[4] = {4.0, NAN, 2.0, 5.0};
    double x[2] = {8.0, 14.0};
    assert_true(cholesky_factor(2, A));
    cholesky_solve(2, A, x);
    assert_close(x[0], 0.75, 1e-15, "x[0]");
    assert_close(x[1], 2.5, 1e-15, "x[1]");
}

static void test_not_positive_definite(void** state) {
    (void)state;
    static const double bad[][4] = {{0.0, 0.0, 0.0, 0.0}, {-1.0, 0.0, 0.0, 1.0},
                                    {1.0, 2.0, 2.0, 4.0}, {1.0, 2.0, 2.0, 1.0},
                                    {NAN, 0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, NAN}};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double A[4];
        memcpy(A, bad[i], sizeof A);
        assert_false(cholesky_factor(2, A));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_upper_triangle_is_not_read),
        cmocka_unit_test(test_not_positive_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
