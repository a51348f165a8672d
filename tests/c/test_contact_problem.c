// The error measure of contact problems, and the exact solution of one contact by cases.
#include "contact_cases.h"

static Case problem_case;

// One contact is solved at once, for any friction, also where its directions depend on each other.
static void test_one_contact_is_exact(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 3000; trial++) {
        const int nu = 1 + trial % 4;
        double P[2] = {random_in(-1.0, 1.0), random_in(-1.0, 1.0)};  // the start does not matter
        case_random(c, 1, nu, trial % 3 == 0 ? 100.0 : 1.0);
        c->mu[0] = trial % 7 == 0 ? 0.0 : c->mu[0];
        contact_problem_solve_one(&c->problem, 0, P);
        const char* violation = case_violation(c, P, 1e-8);
        if (violation != NULL) {
            fail_msg("trial %d, mu %g, nu %d: %s", trial, c->mu[0], nu, violation);
        }
        assert_true(contact_problem_error(&c->problem, P) < 1e-10);
    }
}

// Against all solutions that there are.
static void test_one_contact_against_enumeration(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 2000; trial++) {
        double P[2] = {0.0, 0.0};
        double solutions[16][6];
        case_random(c, 1, 3, 2.0);
        const int n = case_enumerate(c, solutions, 16);
        contact_problem_solve_one(&c->problem, 0, P);
        double nearest = INFINITY;
        for (int i = 0; i < n; i++) {
            nearest = fmin(nearest, hypot(P[0] - solutions[i][0], P[1] - solutions[i][1]));
        }
        assert_true(n >= 1);
        assert_true(nearest < 1e-9 * (1.0 + fabs(P[0])));
    }
}

// The other contacts are held: only its own two percussions change, and its own laws hold.
static void test_solve_one_holds_the_others(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 200; trial++) {
        double P[8];
        double before[8];
        case_random(c, 4, 10, 0.7);
        for (int i = 0; i < 8; i++) {
            before[i] = P[i] = random_in(0.0, 1.0);
        }
        contact_problem_solve_one(&c->problem, 2, P);
        const double xi[2] = {case_xi(c, P, 4), case_xi(c, P, 5)};
        for (int i = 0; i < 8; i++) {
            assert_true(i == 4 || i == 5 || P[i] == before[i]);
        }
        assert_true(contact_law_error(c->G[4 * 8 + 4], c->G[5 * 8 + 5], c->mu[2], 0, P + 4, xi) <
                    1e-12);
    }
}

static void test_known_sliding(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 500; trial++) {
        double P[2] = {0.0, 0.0};
        case_random(c, 1, 3, 0.3);
        c->slip[0] = trial % 2 == 0 ? 1 : -1;
        c->problem.slip = c->slip;
        if (c->G[0] - c->slip[0] * c->mu[0] * c->G[2] <= 0.1) {
            continue;  // Painleve's paradox: there is no solution
        }
        contact_problem_solve_one(&c->problem, 0, P);
        assert_null(case_violation(c, P, 1e-9));
        assert_close(P[1], -c->slip[0] * c->mu[0] * P[0], 1e-14, "friction");
    }
}

// A ball dropped on a floor: every number is known.
static void test_ball_on_floor(void** state) {
    (void)state;
    const double G[4] = {1.0, 0.0, 0.0, 3.5};  // W_F reaches the rotation: 1/m + R^2/I
    const double mu = 0.2;
    const double cases[][4] = {// b_N, b_F, P_N, P_F
                               {-2.0, 10.0, 2.0, -0.4}, {-2.0, -10.0, 2.0, 0.4},
                               {-2.0, 0.7, 2.0, -0.2},  {3.0, 10.0, 0.0, 0.0},
                               {0.0, 1.0, 0.0, 0.0},    {-2.0, 1.4, 2.0, -0.4}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ContactProblem problem = {.n = 1, .G = G, .b = cases[i], .mu = &mu, .scale = 1.0};
        double P[2] = {7.0, 7.0};
        assert_true(contact_problem_error(&problem, P) > 0.1);
        contact_problem_solve_one(&problem, 0, P);
        assert_close(P[0], cases[i][2], 1e-15, "P_N");
        assert_close(P[1], cases[i][3], 1e-15, "P_F");
        assert_true(contact_problem_error(&problem, P) < 1e-15);
        assert_close(contact_problem_xi(&problem, P, 1), cases[i][1] + 3.5 * P[1], 1e-15, "xi_F");
    }
}

// The error is how far the percussions are away, in the norm of the energy, and relative to scale.
static void test_error_measure(void** state) {
    (void)state;
    const double G[4] = {4.0, 0.0, 0.0, 9.0};
    const double b[2] = {-8.0, 1.0};
    const double mu = 1.0;
    ContactProblem problem = {.n = 1, .G = G, .b = b, .mu = &mu, .scale = 1.0};
    const double P_solution[2] = {2.0, -1.0 / 9.0};
    assert_true(contact_problem_error(&problem, P_solution) < 1e-15);
    const double P_N_off[2] = {2.5, -1.0 / 9.0};
    assert_close(contact_problem_error(&problem, P_N_off), 2.0 * 0.5, 1e-15, "normal");
    const double P_F_off[2] = {2.0, -1.0 / 9.0 + 0.3};
    assert_close(contact_problem_error(&problem, P_F_off), 3.0 * 0.3, 1e-15, "friction");
    problem.scale = 10.0;
    assert_close(contact_problem_error(&problem, P_F_off), 3.0 * 0.03, 1e-15, "scale");
    const double P_pulls[2] = {-1.0, 0.0};
    assert_true(contact_problem_error(&problem, P_pulls) > 0.1);
    const double P_nan[2] = {NAN, 0.0};
    assert_false(contact_problem_error(&problem, P_nan) <= 1.0);
    const double P_infinite[2] = {2.0, INFINITY};
    assert_false(contact_problem_error(&problem, P_infinite) <= 1.0);
}

// Nothing moves and nothing can: G = 0.
static void test_no_mobility(void** state) {
    (void)state;
    const double G[4] = {0.0};
    const double b[2] = {0.0, 0.0};
    const double mu = 0.5;
    const ContactProblem problem = {.n = 1, .G = G, .b = b, .mu = &mu, .scale = 0.0};
    double P[2] = {3.0, 1.0};
    contact_problem_solve_one(&problem, 0, P);
    assert_close(P[0], 0.0, 0.0, "P_N");
    assert_close(P[1], 0.0, 0.0, "P_F");
    assert_close(contact_problem_error(&problem, P), 0.0, 0.0, "error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_contact_is_exact),
        cmocka_unit_test(test_one_contact_against_enumeration),
        cmocka_unit_test(test_solve_one_holds_the_others),
        cmocka_unit_test(test_known_sliding),
        cmocka_unit_test(test_ball_on_floor),
        cmocka_unit_test(test_error_measure),
        cmocka_unit_test(test_no_mobility),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
