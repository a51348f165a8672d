// Lemke's algorithm on the problems of test_contact_solver, alone: it has a solution for all of
// them, with any friction and any dependence of directions.
#include "contact_cases.h"

static Case problem_case;

static void solve(Case* c, double* P, double tolerance, const char* what) {
    memset(P, 0, CASE_ROWS * sizeof(double));
    const Status status = contact_lemke_solve(&c->problem, &c->scratch.lemke, P);
    const char* violation = case_violation(c, P, tolerance);
    if (status != STATUS_OK || violation != NULL) {
        fail_msg("%s, %d contacts, %d degrees of freedom: %s, %s", what, c->n, c->nu,
                 status_text(status), violation != NULL ? violation : "laws hold");
    }
}

static void test_random_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    static const double mus[] = {0.0, 0.3, 1.0, 3.0};
    for (int n = 1; n <= CASE_CONTACTS; n++) {
        for (int trial = 0; trial < 40; trial++) {
            case_random(c, n, 2 * n + 2, mus[trial % 4]);
            solve(c, P, 1e-6, "regular");
        }
    }
}

static void test_against_enumeration(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    double solutions[64][6];
    for (int trial = 0; trial < 900; trial++) {
        const int n = 1 + trial % 3;
        case_random(c, n, 2 * n + 1, 2.0);
        solve(c, P, 1e-6, "enumerated");
        const int n_solutions = case_enumerate(c, solutions, 64);
        double nearest = INFINITY;
        for (int i = 0; i < n_solutions; i++) {
            double distance = 0.0;
            for (int j = 0; j < 2 * n; j++) {
                distance = fmax(distance, fabs(P[j] - solutions[i][j]) / (1.0 + fabs(P[j])));
            }
            nearest = fmin(nearest, distance);
        }
        assert_true(n_solutions >= 1);
        assert_true(nearest < 1e-6);
    }
}

// Directions that depend on each other: nearly all are solved, and what is given out is a solution.
static void test_singular_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    int n_failed = 0;
    for (int trial = 0; trial < 600; trial++) {
        double P[CASE_ROWS] = {0.0};
        case_random(c, 2 + trial % 19, 3 + trial % 3, 0.8);
        if (contact_lemke_solve(&c->problem, &c->scratch.lemke, P) != STATUS_OK) {
            n_failed++;
            continue;
        }
        n_failed += case_violation(c, P, 1e-5) != NULL;
    }
    assert_true(n_failed <= 6);
}

static void test_known_sliding_directions(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS];
    for (int trial = 0; trial < 200; trial++) {
        const int n = 1 + trial % 6;
        case_random(c, n, 2 * n + 6, 0.1);
        for (int k = 0; k < n; k++) {
            c->slip[k] = (signed char)((trial + k) % 3 - 1);
        }
        c->problem.slip = c->slip;
        solve(c, P, 1e-6, "sliding");
    }
}

static void test_no_room(void** state) {
    (void)state;
    Case* c = &problem_case;
    double P[CASE_ROWS] = {[0] = 7.0};
    case_random(c, 3, 8, 0.5);
    c->scratch.lemke.n = 2;
    assert_int_equal(contact_lemke_solve(&c->problem, &c->scratch.lemke, P), STATUS_NO_CONVERGENCE);
    assert_true(P[0] == 7.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),   cmocka_unit_test(test_against_enumeration),
        cmocka_unit_test(test_singular_problems), cmocka_unit_test(test_known_sliding_directions),
        cmocka_unit_test(test_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
