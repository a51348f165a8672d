// Lemke's algorithm alone, on contacts of the plane: it has a solution for all of them, with any
// friction and any dependence of directions.
#include "contact_cases.h"

static Case problem_case;

static Status run_lemke(Case* c) {
    const ContactProblem problem = case_problem(c);
    const LemkeScratch scratch = lemke_scratch();
    const Status status = contact_lemke_solve(&problem, &scratch, c->P);
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
    for (int trial = 0; trial < 900; trial++) {
        const int n = 1 + trial % ENUMERATED;
        case_planar(c, n, 2 * n + 1, 2.0);
        solve(c, 1e-6, "enumerated");
        assert_true(distance_from_solutions(c) < 1e-6);
    }
}

// Directions that depend on each other: nearly all are solved, and what is given out is a solution.
static void test_singular_problems(void** state) {
    (void)state;
    Case* c = &problem_case;
    int n_failed = 0;
    for (int trial = 0; trial < 600; trial++) {
        case_planar(c, 2 + trial % 19, 3 + trial % 3, 0.8);
        n_failed += run_lemke(c) != STATUS_OK || case_relative_violation(c, 1e-5) != NULL;
    }
    assert_true(n_failed <= 6);
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

// What it does not take is left as it was.
static void test_refusals(void** state) {
    (void)state;
    Case* c = &problem_case;
    case_planar(c, 3, 8, 0.5);
    const ContactProblem problem = case_problem(c);
    LemkeScratch scratch = lemke_scratch();
    c->P[0] = 7.0;
    scratch.n = 2;
    assert_int_equal(contact_lemke_solve(&problem, &scratch, c->P), STATUS_NO_CONVERGENCE);
    scratch.n = 0;
    assert_int_equal(contact_lemke_solve(&problem, &scratch, c->P), STATUS_NO_CONVERGENCE);
    assert_true(c->P[0] == 7.0);
    for (int n_F = 0; n_F < 4; n_F++) {  // laws of other forms than a contact of the plane
        for (int normal = 0; normal < 2; normal++) {
            memset(c, 0, sizeof *c);
            add_law(c, true, 1, 0.5, 0.0);
            add_law(c, normal == 1, n_F, 0.5, 1.0);
            case_fill(c, 9);
            case_build(c);
            c->P[0] = 7.0;
            if (normal != 1 || n_F > 1) {
                assert_int_equal(run_lemke(c), STATUS_NO_CONVERGENCE);
                assert_true(c->P[0] == 7.0);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_against_enumeration),
        cmocka_unit_test(test_singular_problems),
        cmocka_unit_test(test_known_sliding_directions),
        cmocka_unit_test(test_laws_without_friction_rows),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
