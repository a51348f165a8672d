// Lemke's algorithm alone, on laws of the plane: it has a solution for all of them, with any
// friction and any dependence of directions. In space its solution is where Newton's method starts.
#include "contact_cases.h"

static Case problem_case;

static Status run_lemke(Case* c) {
    const ContactProblem problem = case_problem(c);
    const LemkeScratch scratch = contact_scratch().lemke;
    const Status status = contact_lemke_solve(&problem, &scratch, 1e-9, c->P);
    case_velocities(c);
    return status;
}

static void solve(Case* c, double tolerance, const char* what) {
    const Status status = run_lemke(c);
    const char* violation = case_relative_violation(c, tolerance);
    if (status != STATUS_OK || violation != NULL) {
        fail_msg("%s, %d contacts, %d degrees of freedom: %s, %s", what, c->n, c->nu,
                 status_text(status), violation != NULL ? violation : "laws hold");
    }
}

static void test_random_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    static const double mus[] = {0.0, 0.3, 1.0, 3.0};
    for (int n = 1; n <= MOST_LAWS; n++) {
        for (int trial = 0; trial < 40; trial++) {
            case_planar(c, n, 2 * n + 2, mus[trial % 4]);
            solve(c, 1e-6, "regular");
        }
    }
}

static void test_against_enumeration(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < tries(900); trial++) {
        const int n = 1 + trial % ENUMERATED;
        case_planar(c, n, 2 * n + 1, 2.0);
        solve(c, 1e-6, "enumerated");
        assert_true(distance_from_solutions(c) < 1e-6);
    }
}

// Directions that depend on each other
static void test_singular_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    random_state = 21;
    for (int trial = 0; trial < tries(600); trial++) {
        case_planar(c, 2 + trial % 19, 3 + trial % 3, 0.8);
        solve(c, 1e-5, "singular");
    }
}

static double relative_error(const Case* c) {
    const ContactProblem problem = case_problem(c);
    return contact_problem_error(&problem, c->P);
}

// With the changes of the data that the solver tries, one of them leads to all digits but the last
// few; the rest is left to Newton's method.
static void test_mechanisms(void** state) {
    (void)state;
    static const double epsilons[] = {1e-9, 1e-12, 1e-7};
    Case* c = &problem_case;
    random_state = 22;
    for (int trial = 0; trial < tries(3000); trial++) {
        case_mechanism(c, 2, 2 + trial % 11, trial % 2 == 0 ? 0.7 : 4.0, 6.0);
        const ContactProblem problem = case_problem(c);
        const LemkeScratch scratch = contact_scratch().lemke;
        double error = INFINITY;
        for (int i = 0; i < 3 && !(error <= 1e-8); i++) {
            if (contact_lemke_solve(&problem, &scratch, epsilons[i], c->P) == STATUS_OK) {
                error = fmin(error, relative_error(c));
            }
        }
        if (!(error <= 1e-8)) {
            fail_msg("trial %d, %d laws, %d coordinates: error %g", trial, c->n, c->nu, error);
        }
    }
}

// Friction in joints alone minimises P^T G P / 2 + b^T P over a box: one solution xi.
static void test_friction_in_joints(void** state) {
    (void)state;
    Case* c = &problem_case;
    random_state = 23;
    for (int trial = 0; trial < 300; trial++) {
        memset(c, 0, sizeof *c);
        for (int k = 0; k < 1 + trial % 6; k++) {
            add_law(c, false, 1, 0.0, k == 3 ? 0.0 : random_in(0.0, 1.0));
            c->laws[k].slides = random_below(4) == 0;
            c->laws[k].slip[0] = random_below(2) == 0 ? 1.0 : -1.0;
        }
        case_fill(c, c->m + 1);
        case_build(c);
        solve(c, 1e-7, "friction in joints");
    }
}

// In space: the directions that a solution has lead back to it.
static void test_directions_of_a_solution(void** state) {
    (void)state;
    Case* c = &problem_case;
    random_state = 24;
    for (int trial = 0; trial < 300; trial++) {
        case_laws(c, 1 + trial % 6, 0.5);
        case_fill(c, c->m + 3);
        case_build(c);
        assert_int_equal(case_solve(c, 1e-13), STATUS_OK);
        assert_int_equal(run_lemke(c), STATUS_OK);
        if (!(relative_error(c) <= 1e-7)) {
            fail_msg("trial %d, %d laws: error %g", trial, c->n, relative_error(c));
        }
    }
}

static void test_known_sliding_directions(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 200; trial++) {
        const int n = 1 + trial % 6;
        case_planar(c, n, 2 * n + 6, 0.1);
        for (int k = 0; k < n; k++) {
            c->laws[k].slides = (trial + k) % 3 > 0;
            c->laws[k].slip[0] = (trial + k) % 3 == 1 ? 1.0 : -1.0;
        }
        solve(c, 1e-6, "sliding");
    }
}

// Contacts without friction may come without its row.
static void test_laws_without_friction_rows(void** state) {
    (void)state;
    Case* c = &problem_case;
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + trial % 9;
        memset(c, 0, sizeof *c);
        for (int k = 0; k < n; k++) {
            add_law(c, true, (trial >> k % 5) & 1, random_in(0.0, 1.0), 0.0);
        }
        case_fill(c, c->m + 2);
        case_build(c);
        solve(c, 1e-6, "with and without friction");
    }
}

// Three laws of which the stiffest direction is 2e7 times as mobile as the least: a rod between a
// wall without friction and two supports. Solution: closed, stick, open.
static void test_mobile_and_immobile_directions(void** state) {
    (void)state;
    static const double G[25] = {
        1,
        -0.0061938720953904937,
        0.99998081779025438,
        0,
        0,
        -0.0061938720953904937,
        1.7399954000980216,
        0.47999540007598035,
        -0.47465948407000902,
        0.86295308353722788,
        0.99998081779025438,
        0.47999540007598035,
        2.46,
        -1.4555124060650904,
        0.72902924206825326,
        0,
        -0.47465948407000907,
        -1.4555124060650904,
        1.4510648823704946,
        -0.72254613214475039,
        0,
        0.86295308353722788,
        0.72902924206825337,
        -0.72254613214475039,
        1.0489351176295054,
    };
    static const double b[5] = {-0.0098099999999999975, -0.30089397806433316,
                                -0.0016632878989503246, -0.0098014462412043379,
                                0.38215591250497888};
    static const double P[5] = {0.08065934771, 0.1924312387, -0.06965878944, 0.0, 0.0};
    Case* c = &problem_case;
    for (int fully = 0; fully < 2; fully++) {
        memset(c, 0, sizeof *c);
        add_law(c, true, 0, 0.0, 0.0);
        add_law(c, true, 1, 0.6, 0.0);
        add_law(c, true, 1, 0.35, 0.0);
        memcpy(c->G, G, sizeof G);
        memcpy(c->b, b, sizeof b);
        c->scale = 0.8922;
        assert_int_equal(fully == 1 ? case_solve(c, 1e-11) : run_lemke(c), STATUS_OK);
        for (int i = 0; i < 5; i++) {
            assert_close(c->P[i], P[i], 1e-10, "percussion");
        }
    }
}

// Without room P is left as it was.
static void test_refusals(void** state) {
    (void)state;
    Case* c = &problem_case;
    case_planar(c, 3, 8, 0.5);
    const ContactProblem problem = case_problem(c);
    LemkeScratch scratch = contact_scratch().lemke;
    c->P[0] = 7.0;
    scratch.N = 3 * 4 - 1;
    assert_int_equal(contact_lemke_solve(&problem, &scratch, 1e-9, c->P), STATUS_NO_CONVERGENCE);
    scratch.N = 0;
    assert_int_equal(contact_lemke_solve(&problem, &scratch, 1e-9, c->P), STATUS_NO_CONVERGENCE);
    assert_true(c->P[0] == 7.0);
    scratch.N = 3 * 4;
    assert_int_equal(contact_lemke_solve(&problem, &scratch, 1e-9, c->P), STATUS_OK);
}

// A body between two walls that both move towards it: there is no solution.
static void test_ray(void** state) {
    (void)state;
    Case* c = &problem_case;
    memset(c, 0, sizeof *c);
    add_law(c, true, 0, 0.0, 0.0);
    add_law(c, true, 0, 0.0, 0.0);
    c->nu = 1;
    c->mass[0] = 1.0;
    c->u[0] = 1.0;
    c->W[0][0] = 1.0;
    c->W[1][0] = -1.0;
    case_build(c);
    c->b[0] = c->b[1] = -1.0;
    c->P[0] = 7.0;
    assert_true(run_lemke(c) != STATUS_OK);
    assert_true(c->P[0] == 7.0);
    assert_int_equal(case_solve(c, 1e-11), STATUS_NO_CONVERGENCE);
    assert_true(c->info.unsolvable);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_against_enumeration),
        cmocka_unit_test(test_singular_problems),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_known_sliding_directions),
        cmocka_unit_test(test_laws_without_friction_rows),
        cmocka_unit_test(test_friction_in_joints),
        cmocka_unit_test(test_directions_of_a_solution),
        cmocka_unit_test(test_mobile_and_immobile_directions),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_ray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
