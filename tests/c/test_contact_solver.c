// The solver of contact problems: random problems of 1 to 20 contacts, degenerate ones, extreme
// friction and units; judged by the laws themselves, by all solutions found by enumeration, and by
// Gauss-Seidel sweeps alone.
#include "contact_cases.h"

static Case problem_case;

static const ContactSolverOptions options = {
    .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 20000};

static void solve(Case* c, double* P, const char* what) {
    ContactSolverInfo info;
    memset(P, 0, CASE_ROWS * sizeof(double));
    const Status status = contact_solver_solve(&c->problem, &options, &c->scratch, P, &info);
    const char* violation = case_violation(c, P, 1e-7);
    if (status != STATUS_OK || violation != NULL) {
        fail_msg("%s, %d contacts: %s, %s, error %g after %d iterations and %d sweeps", what, c->n,
                 status_text(status), violation != NULL ? violation : "laws hold", info.error,
                 info.iterations, info.sweeps);
    }
    assert_true(info.error <= options.tolerance);
}

static void test_random_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    static const double mus[] = {0.0, 0.1, 0.5, 0.9};
    for (int n = 1; n <= CASE_CONTACTS; n++) {
        for (int trial = 0; trial < 60; trial++) {
            case_random(c, n, 2 * n + 2, mus[trial % 4]);
            solve(c, P, "random");
        }
    }
}

// Many contacts and three degrees of freedom, in arbitrary directions: they depend on each other.
// Nearly all are solved, and the solver knows which are not.
static void test_singular_random_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    const ContactSolverOptions few = {
        .tolerance = 1e-10, .maximum_iterations = 50, .maximum_sweeps = 1000};
    int n_failed = 0;
    for (int trial = 0; trial < 400; trial++) {
        double P[CASE_ROWS] = {0.0};
        ContactSolverInfo info;
        case_random(c, 2 + trial % 19, 3, 0.5);
        if (contact_solver_solve(&c->problem, &few, &c->scratch, P, &info) == STATUS_OK) {
            assert_null(case_violation(c, P, 1e-6));
        } else {
            assert_true(info.error > few.tolerance);
            n_failed++;
        }
    }
    assert_true(n_failed <= 4);
}

// Velocity after the percussions.
static double velocity(const Case* c, const double* P, int k) {
    double v = c->v[k];
    for (int i = 0; i < 2 * c->n; i++) {
        v += c->W[i * c->nu + k] * P[i] / c->M[k];
    }
    return v;
}

static void solve_body(int n, const double (*contacts)[3], double mu, const double* v, double* P) {
    Case* c = &problem_case;
    case_body(c, n, contacts, mu);
    for (int k = 0; k < 3; k++) {
        c->M[k] = k < 2 ? 2.0 : 0.1;
        c->v[k] = v[k];
    }
    case_finish(c);
    solve(c, P, "body");
}

static const double UP = 1.57079632679489661923;

// A box falls flat on four feet: they stop it together, however the load is shared.
static void test_four_feet(void** state) {
    (void)state;
    const double feet[4][3] = {
        {-0.5, -0.2, UP}, {-0.1, -0.2, UP}, {0.1, -0.2, UP}, {0.5, -0.2, UP}};
    static const double mus[] = {0.0, 0.3, 1.0, 1000.0};
    double P[CASE_ROWS];
    for (int i = 0; i < 4; i++) {
        solve_body(4, feet, mus[i], (double[]){0.0, -3.0, 0.0}, P);
        assert_close(P[0] + P[2] + P[4] + P[6], 6.0, 1e-9, "sum of P_N");
        assert_close(velocity(&problem_case, P, 2), 0.0, 1e-9, "omega");
        solve_body(4, feet, mus[i], (double[]){0.5, -3.0, 0.0}, P);  // it also slides
        if (mus[i] <= 0.0) {
            assert_close(velocity(&problem_case, P, 0), 0.5, 1e-9, "frictionless sliding");
        }
    }
}

// A ball in a corner of two walls at right angles: normals against each other's tangents.
static void test_ball_in_corner(void** state) {
    (void)state;
    const double walls[2][3] = {{0.0, -0.1, UP}, {-0.1, 0.0, 0.0}};
    double P[CASE_ROWS];
    for (int i = 0; i <= 20; i++) {
        const double mu = 0.1 * i;
        solve_body(2, walls, mu, (double[]){-1.0, -2.0, 0.0}, P);
        solve_body(2, walls, mu, (double[]){-1.0, -2.0, 30.0}, P);
        solve_body(2, walls, mu, (double[]){-1.0, 0.0, -30.0}, P);
    }
    solve_body(2, walls, 0.0, (double[]){-1.0, -2.0, 7.0}, P);
    assert_close(P[0], 4.0, 1e-10, "P_N of the floor");
    assert_close(P[2], 2.0, 1e-10, "P_N of the wall");
}

// The same contact written several times is one contact whose load is shared.
static void test_duplicated_contacts(void** state) {
    (void)state;
    double same[8][3];
    double P[CASE_ROWS];
    for (int n = 2; n <= 8; n++) {
        for (int k = 0; k < n; k++) {
            same[k][0] = 0.0;
            same[k][1] = -0.1;
            same[k][2] = UP;
        }
        solve_body(n, (const double(*)[3])same, 0.2, (double[]){0.0, -3.0, 50.0}, P);
        double P_N = 0.0;
        double P_F = 0.0;
        for (int k = 0; k < n; k++) {
            P_N += P[2 * k];
            P_F += P[2 * k + 1];
        }
        assert_close(P_N, 6.0, 1e-9, "sum of P_N");
        assert_close(fabs(P_F), 1.2, 1e-9, "sum of P_F");
    }
}

// A body between two parallel walls that touch it from both sides.
static void test_clamped(void** state) {
    (void)state;
    const double walls[2][3] = {{-0.1, 0.0, 0.0}, {0.1, 0.0, 2.0 * UP}};
    double P[CASE_ROWS];
    solve_body(2, walls, 0.5, (double[]){-1.0, -2.0, 3.0}, P);
    solve_body(2, walls, 0.5, (double[]){0.0, -2.0, 0.0}, P);
    assert_close(velocity(&problem_case, P, 0), 0.0, 1e-10, "v_x");
}

static void test_against_enumeration(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    double solutions[64][6];
    for (int trial = 0; trial < 900; trial++) {
        const int n = 1 + trial % 3;
        case_random(c, n, 2 * n + 1, 0.6);
        solve(c, P, "enumerated");
        const int n_solutions = case_enumerate(c, solutions, 64);
        double nearest = INFINITY;
        for (int i = 0; i < n_solutions; i++) {
            double distance = 0.0;
            for (int j = 0; j < 2 * n; j++) {
                distance = fmax(distance, fabs(P[j] - solutions[i][j]) / (1.0 + fabs(P[j])));
            }
            nearest = fmin(nearest, distance);
        }
        if (!(nearest < 1e-7)) {
            fail_msg("trial %d: none of the %d solutions is nearer than %g", trial, n_solutions,
                     nearest);
        }
    }
}

// With little friction the solution is unique: sweeps alone find the same.
static void test_against_gauss_seidel(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    for (int trial = 0; trial < 60; trial++) {
        case_random(c, 2 + trial % 7, 2 * CASE_CONTACTS, 0.2);
        double P_sweeps[CASE_ROWS] = {0.0};
        for (int sweep = 0; sweep < 5000 && contact_problem_error(&c->problem, P_sweeps) > 1e-13;
             sweep++) {
            for (int k = 0; k < c->n; k++) {
                contact_problem_solve_one(&c->problem, k, P_sweeps);
            }
        }
        solve(c, P, "both ways");
        for (int i = 0; i < 2 * c->n; i++) {
            assert_close(P[i], P_sweeps[i], 1e-9, "P");
        }
    }
}

// Forces that depend on the state make G nonsymmetric.
static void test_nonsymmetric(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + trial % 10;
        const int m = 2 * n;
        case_random(c, n, m + 2, 0.4);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < i; j++) {
                const double skew = random_in(-0.1, 0.1) / n;
                c->G[j * m + i] += skew;
                c->G[i * m + j] -= skew;
            }
        }
        solve(c, P, "nonsymmetric");
    }
}

// Kilograms or grams, metres or millimetres: the same problem.
static void test_units(void** state) {
    (void)state;
    static Case scaled;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    double P_scaled[CASE_ROWS];
    for (int trial = 0; trial < 40; trial++) {
        case_random(c, 1 + trial % 12, 2 * (1 + trial % 12) + 2, 0.5);
        solve(c, P, "units");
        for (int power = -6; power <= 6; power += 3) {
            const double mass = pow(10.0, power);
            const double speed = pow(10.0, -power / 2.0);
            scaled = *c;
            for (int k = 0; k < c->nu; k++) {
                scaled.M[k] *= mass;
                scaled.v[k] *= speed;
            }
            case_finish(&scaled);
            solve(&scaled, P_scaled, "other units");
            for (int i = 0; i < 2 * c->n; i++) {
                assert_close(P_scaled[i] / (mass * speed), P[i], 1e-9, "P");
            }
        }
    }
}

// With absurd friction a solution may not be found; then the solver says so.
static void test_huge_friction_is_honest(void** state) {
    (void)state;
    Case* c = &problem_case;
    const ContactSolverOptions few = {
        .tolerance = 1e-10, .maximum_iterations = 20, .maximum_sweeps = 500};
    int n_solved = 0;
    for (int trial = 0; trial < 400; trial++) {
        double P[CASE_ROWS] = {0.0};
        ContactSolverInfo info;
        const int n = 1 + trial % 8;
        case_random(c, n, trial % 2 == 0 ? 2 * n + 2 : 3, 1e3);
        const Status status = contact_solver_solve(&c->problem, &few, &c->scratch, P, &info);
        assert_close(info.error, contact_problem_error(&c->problem, P), 1e-12 * info.error,
                     "error");
        assert_true((status == STATUS_OK) == (info.error <= few.tolerance));
        assert_true(status == STATUS_OK || status == STATUS_NO_CONVERGENCE);
        n_solved += status == STATUS_OK;
    }
    assert_true(n_solved > 360);
}

// A solved problem is recognised; start values that are not numbers do no harm.
static void test_start_values(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    double P_again[CASE_ROWS];
    case_random(c, 6, 14, 0.5);
    solve(c, P, "start");
    ContactSolverInfo info;
    memcpy(P_again, P, sizeof P);
    assert_int_equal(contact_solver_solve(&c->problem, &options, &c->scratch, P_again, &info),
                     STATUS_OK);
    assert_int_equal(info.iterations + info.sweeps, 0);
    assert_memory_equal(P_again, P, sizeof P);
    for (int i = 0; i < 12; i++) {
        P_again[i] = i % 2 == 0 ? NAN : INFINITY;
    }
    assert_int_equal(contact_solver_solve(&c->problem, &options, &c->scratch, P_again, &info),
                     STATUS_OK);
    for (int i = 0; i < 12; i++) {
        assert_close(P_again[i], P[i], 1e-9, "P");
    }
}

// A problem that is not finite is not solved, and the solver returns.
static void test_not_finite(void** state) {
    (void)state;
    Case* c = &problem_case;
    const ContactSolverOptions few = {
        .tolerance = 1e-10, .maximum_iterations = 20, .maximum_sweeps = 200};
    for (int n = 1; n < 4; n++) {
        double P[CASE_ROWS] = {0.0};
        ContactSolverInfo info;
        case_random(c, n, 8, 0.5);
        c->b[0] = NAN;
        assert_int_equal(contact_solver_solve(&c->problem, &few, &c->scratch, P, &info),
                         STATUS_NO_CONVERGENCE);
        case_random(c, n, 8, 0.5);
        c->G[0] = INFINITY;
        c->b[0] = -1.0;
        const Status status = contact_solver_solve(&c->problem, &few, &c->scratch, P, &info);
        assert_true(status == STATUS_OK || status == STATUS_NO_CONVERGENCE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_singular_random_problems),
        cmocka_unit_test(test_four_feet),
        cmocka_unit_test(test_ball_in_corner),
        cmocka_unit_test(test_duplicated_contacts),
        cmocka_unit_test(test_clamped),
        cmocka_unit_test(test_against_enumeration),
        cmocka_unit_test(test_against_gauss_seidel),
        cmocka_unit_test(test_nonsymmetric),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_huge_friction_is_honest),
        cmocka_unit_test(test_start_values),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
