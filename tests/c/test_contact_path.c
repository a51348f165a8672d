// Path following alone, and the solver with all that it can try on problems of mechanisms, where
// Newton's method alone does not suffice for one in ten.
#include "contact_cases.h"

static Case problem_case;

static void test_path_leads_to_the_solution(void** state) {
    (void)state;
    Case* c = &problem_case;
    const PathScratch scratch = contact_scratch().path;
    random_state = 31;
    for (int trial = 0; trial < tries(300); trial++) {
        case_laws(c, 1 + trial % 6, 0.6);
        case_fill(c, c->m + 3);
        case_build(c);
        const ContactProblem problem = case_problem(c);
        ContactPath path;
        assert_int_equal(contact_path_start(&problem, &scratch, &path), STATUS_OK);
        for (int level = 0; level < 8; level++) {  // epsilon from 10 to 1e-7
            assert_int_equal(contact_path_advance(&path, 1000), STATUS_OK);
        }
        contact_path_point(&path, c->P);
        const double error = contact_problem_error(&problem, c->P);
        if (!(error <= 1e-6)) {
            fail_msg("trial %d, %d laws: error %g", trial, c->n, error);
        }
    }
}

static void test_refusals(void** state) {
    (void)state;
    Case* c = &problem_case;
    case_planar(c, 3, 8, 0.5);
    ContactProblem problem = case_problem(c);
    PathScratch scratch = contact_scratch().path;
    ContactPath path;
    scratch.m = 5;
    assert_int_equal(contact_path_start(&problem, &scratch, &path), STATUS_NO_CONVERGENCE);
    scratch.m = 6;
    problem.scale = 0.0;
    assert_int_equal(contact_path_start(&problem, &scratch, &path), STATUS_NO_CONVERGENCE);
    problem.scale = c->scale;
    assert_int_equal(contact_path_start(&problem, &scratch, &path), STATUS_OK);
    assert_int_equal(contact_path_advance(&path, path.n_solved), STATUS_NO_CONVERGENCE);
}

static void solve_mechanisms(int dim, int n_trials, double mu_max, double decades) {
    Case* c = &problem_case;
    for (int trial = 0; trial < tries(n_trials); trial++) {
        case_mechanism(c, dim, 2 + trial % 11, mu_max, decades);
        if (case_solve(c, 1e-11) != STATUS_OK) {
            fail_msg("dimension %d, mu < %g, trial %d, %d laws, %d coordinates: error %g", dim,
                     mu_max, trial, c->n, c->nu, c->info.error);
        }
        const char* violation = case_relative_violation(c, 1e-7);
        if (violation != NULL) {
            fail_msg("dimension %d, mu < %g, trial %d: %s", dim, mu_max, trial, violation);
        }
    }
}

static void test_planar_mechanisms(void** state) {
    (void)state;
    random_state = 32;
    solve_mechanisms(2, 3000, 0.7, 6.0);
    solve_mechanisms(2, 3000, 2.0, 6.0);
    solve_mechanisms(2, 1000, 10.0, 6.0);
}

static void test_spatial_mechanisms(void** state) {
    (void)state;
    random_state = 33;
    solve_mechanisms(3, 600, 0.7, 3.0);
    solve_mechanisms(3, 400, 2.0, 3.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_leads_to_the_solution),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_planar_mechanisms),
        cmocka_unit_test(test_spatial_mechanisms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
