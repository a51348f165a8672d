// The error measure of contact problems, and the exact solution of one law by cases.
#include "contact_cases.h"

static Case problem_case;

static void solve_one(Case* c, int k) {
    const ContactProblem problem = case_problem(c);
    contact_problem_solve_one(&problem, k, c->P);
    case_velocities(c);
}

// One contact is solved at once, for any friction, also where its directions depend on each other.
static void test_one_contact_is_exact(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 3000; trial++) {
        const int nu = 1 + trial % 4;
        case_planar(c, 1, nu, trial % 3 == 0 ? 100.0 : 1.0);
        c->P[0] = random_in(-1.0, 1.0);  // the start does not matter
        c->P[1] = random_in(-1.0, 1.0);
        c->laws[0].mu = trial % 7 == 0 ? 0.0 : c->laws[0].mu;
        solve_one(c, 0);
        const char* violation = case_relative_violation(c, 1e-8);
        if (violation != NULL) {
            fail_msg("trial %d, mu %g, nu %d: %s", trial, c->laws[0].mu, nu, violation);
        }
        const ContactProblem problem = case_problem(c);
        assert_true(contact_problem_error(&problem, c->P) < 1e-10);
    }
}

// Against all solutions that there are.
static void test_one_contact_against_enumeration(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 2000; trial++) {
        case_planar(c, 1, 3, 2.0);
        solve_one(c, 0);
        assert_true(distance_from_solutions(c) < 1e-9);
    }
}

// The other laws are held: only its own percussions change, and its own laws hold.
static void test_solve_one_holds_the_others(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 400; trial++) {
        double before[MOST_ROWS];
        double G_diagonal[LAW_MAX_ROWS];
        case_laws(c, 4, 0.7);
        case_fill(c, c->m + 2);
        case_build(c);
        for (int i = 0; i < c->m; i++) {
            before[i] = c->P[i] = random_in(0.0, 1.0);
        }
        solve_one(c, 2);
        const ContactLaw* law = &c->laws[2];
        const int end = law->at + contact_law_rows(law);
        for (int i = 0; i < c->m; i++) {
            assert_true((i >= law->at && i < end) || c->P[i] == before[i]);
        }
        for (int i = law->at; i < end; i++) {
            G_diagonal[i - law->at] = c->G[i * c->m + i];
        }
        assert_true(contact_law_error(law, G_diagonal, c->P + law->at, c->xi + law->at) < 1e-12);
    }
}

static void test_known_sliding(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 500; trial++) {
        const double slip = trial % 2 == 0 ? 1.0 : -1.0;
        case_planar(c, 1, 3, 0.3);
        c->laws[0].slides = true;
        c->laws[0].slip[0] = slip;
        if (c->G[0] - slip * c->laws[0].mu * c->G[2] <= 0.1) {
            continue;  // Painleve's paradox: there is no solution
        }
        solve_one(c, 0);
        assert_null(case_relative_violation(c, 1e-9));
        assert_close(c->P[1], -slip * c->laws[0].mu * c->P[0], 1e-14, "friction");
    }
}

// A ball dropped on a floor: every number is known.
static void test_ball_on_floor(void** state) {
    (void)state;
    const double G[4] = {1.0, 0.0, 0.0, 3.5};  // W_F reaches the rotation: 1/m + R^2/I
    const ContactLaw law = {.normal = true, .n_F = 1, .mu = 0.2};
    const double cases[][4] = {// b_N, b_F, P_N, P_F
                               {-2.0, 10.0, 2.0, -0.4}, {-2.0, -10.0, 2.0, 0.4},
                               {-2.0, 0.7, 2.0, -0.2},  {3.0, 10.0, 0.0, 0.0},
                               {0.0, 1.0, 0.0, 0.0},    {-2.0, 1.4, 2.0, -0.4}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ContactProblem problem = {.n = 1,
                                        .m = 2,
                                        .laws = &law,
                                        .G = contact_operator_dense(1, 2, &law, G),
                                        .b = cases[i],
                                        .scale = 1.0};
        double P[2] = {7.0, 7.0};
        assert_true(contact_problem_error(&problem, P) > 0.1);
        contact_problem_solve_one(&problem, 0, P);
        assert_close(P[0], cases[i][2], 1e-15, "P_N");
        assert_close(P[1], cases[i][3], 1e-15, "P_F");
        assert_true(contact_problem_error(&problem, P) < 1e-15);
        double xi[2];
        contact_problem_xi(&problem, 0, P, xi);
        assert_close(xi[1], cases[i][1] + 3.5 * P[1], 1e-15, "xi_F");
    }
}

// The same ball in space: friction acts against the direction of sliding, within a disc.
static void test_ball_on_plane(void** state) {
    (void)state;
    const double G[9] = {1.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 3.5};
    const ContactLaw law = {.normal = true, .n_F = 2, .mu = 0.2};
    const double cases[][6] = {// b_N, b_F, P_N, P_F
                               {-2.0, 6.0, -8.0, 2.0, -0.24, 0.32},
                               {-2.0, 0.7, 0.35, 2.0, -0.2, -0.1},
                               {3.0, 6.0, -8.0, 0.0, 0.0, 0.0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ContactProblem problem = {.n = 1,
                                        .m = 3,
                                        .laws = &law,
                                        .G = contact_operator_dense(1, 3, &law, G),
                                        .b = cases[i],
                                        .scale = 1.0};
        double P[3] = {7.0, 7.0, 7.0};
        contact_problem_solve_one(&problem, 0, P);
        for (int j = 0; j < 3; j++) {
            assert_close(P[j], cases[i][3 + j], 1e-14, "P");
        }
    }
}

// The error is how far the percussions are away, in the norm of the energy, and relative to scale.
static void test_error_measure(void** state) {
    (void)state;
    const double G[4] = {4.0, 0.0, 0.0, 9.0};
    const double b[2] = {-8.0, 1.0};
    const ContactLaw law = {.normal = true, .n_F = 1, .mu = 1.0};
    ContactProblem problem = {.n = 1,
                              .m = 2,
                              .laws = &law,
                              .G = contact_operator_dense(1, 2, &law, G),
                              .b = b,
                              .scale = 1.0};
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
    static const double zero[LAW_MAX_ROWS * LAW_MAX_ROWS] = {0.0};
    for (int n_F = 0; n_F <= LAW_MAX_F; n_F++) {
        const ContactLaw law = {.normal = true, .n_F = n_F, .mu = 0.5};
        const ContactProblem problem = {.n = 1,
                                        .m = 1 + n_F,
                                        .laws = &law,
                                        .G = contact_operator_dense(1, 1 + n_F, &law, zero),
                                        .b = zero,
                                        .scale = 0.0};
        double P[LAW_MAX_ROWS] = {3.0, 1.0, 1.0, 1.0};
        contact_problem_solve_one(&problem, 0, P);
        for (int i = 0; i < problem.m; i++) {
            assert_close(P[i], 0.0, 0.0, "P");
        }
        assert_close(contact_problem_error(&problem, P), 0.0, 0.0, "error");
    }
}

// Contacts that are driven into each other have percussions without bound: however large they are,
// what still closes is an error.
static void test_error_at_large_percussions(void** state) {
    (void)state;
    const double G[2] = {1.0, 2.0};
    const double P[2] = {1e19, 1e17};
    const double closing[2] = {-3.0, 0.0};
    const double slipping[2] = {0.0, 2.0};
    const ContactLaw law = {.normal = true, .n_F = 1, .mu = 0.5};
    assert_close(contact_law_error(&law, G, P, closing), 3.0, 1e-15, "closing");
    assert_close(contact_law_error(&law, G, P, slipping), 2.0 / sqrt(2.0), 1e-15, "slipping");
    assert_true(isnan(contact_law_error(&law, G, (double[]){NAN, 0.0}, closing)));
    assert_true(isnan(contact_law_error(&law, G, P, (double[]){NAN, 0.0})));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_contact_is_exact),
        cmocka_unit_test(test_one_contact_against_enumeration),
        cmocka_unit_test(test_solve_one_holds_the_others),
        cmocka_unit_test(test_known_sliding),
        cmocka_unit_test(test_ball_on_floor),
        cmocka_unit_test(test_ball_on_plane),
        cmocka_unit_test(test_error_measure),
        cmocka_unit_test(test_no_mobility),
        cmocka_unit_test(test_error_at_large_percussions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
