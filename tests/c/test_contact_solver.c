// The contact solver on random and degenerate problems of all dimensions: it finds a point where
// the laws hold. Where there are few laws, test_contact_solutions.c compares with the solutions
// themselves.
#include "contact_cases.h"

static void test_random_problems(void** state) {
    (void)state;
    static Case c;
    random_state = 1;
    for (int n = 1; n <= MOST_LAWS; n++) {
        for (int trial = 0; trial < tries(200); trial++) {
            case_laws(&c, n, 0.6);
            case_fill(&c, c.m + 3);
            case_build(&c);
            expect_solved(&c, 1e-13);
            check_laws(&c, 1e-8, 1e-9);
            assert_false(c.info.regularised);
        }
    }
}

// More rows than coordinates: G is singular, percussions are not unique.
static void test_dependent_directions(void** state) {
    (void)state;
    static Case c;
    random_state = 2;
    for (int trial = 0; trial < 400; trial++) {
        case_laws(&c, 2 + random_below(6), 0.4);
        case_fill(&c, 1 + c.m / 2);
        for (int k = 0; k < c.n; k++) {  // a common velocity that opens all keeps it solvable
            c.laws[k].slides = false;
        }
        for (int i = 0; i < c.m; i++) {
            c.W[i][0] = 0.0;
        }
        for (int k = 0; k < c.n; k++) {
            if (c.laws[k].normal) {
                c.W[c.laws[k].at][0] = 3.0;
            }
        }
        case_build(&c);
        expect_solved(&c, 1e-12);
        check_laws(&c, 1e-7, 1e-9);
    }
}

static void test_duplicated_laws(void** state) {
    (void)state;
    static Case c;
    random_state = 3;
    for (int trial = 0; trial < 200; trial++) {
        memset(&c, 0, sizeof c);
        const int n_F = random_below(4);
        const int n = 2 + random_below(5);
        const double mu = random_in(0.1, 1.0);
        for (int k = 0; k < n; k++) {
            add_law(&c, true, n_F, mu, 0.0);
        }
        case_fill(&c, 1 + n_F);
        for (int i = 0; i < c.m; i++) {
            memcpy(c.W[i], c.W[i % (1 + n_F)], sizeof c.W[i]);
        }
        case_build(&c);
        expect_solved(&c, 1e-13);
        check_laws(&c, 1e-8, 1e-9);
    }
}

// A rigid table on four feet: coordinates x, y, z and three rotations, twelve rows.
static void four_feet(Case* c, double mu, double height) {
    memset(c, 0, sizeof *c);
    c->nu = 6;
    for (int k = 0; k < 6; k++) {
        c->mass[k] = k < 3 ? 2.0 : 0.3;
        c->u[k] = random_in(-1.0, 1.0);
    }
    c->u[2] = -1.0;
    add_feet(c, 0.5, 0.4, height, mu);
    case_build(c);
}

static void test_four_feet(void** state) {
    (void)state;
    static Case c;
    random_state = 4;
    int n_regularised = 0;
    for (int trial = 0; trial < 200; trial++) {
        four_feet(&c, trial % 2 == 0 ? 0.2 : 0.8, 0.6);
        expect_solved(&c, 1e-13);
        check_laws(&c, 1e-9, 1e-10);
        n_regularised += c.info.regularised;
    }
    assert_in_range(n_regularised, 50, 200);  // those with three feet or more on the ground
}

// The tip of a lever on a hinge, nearly above which it rests: it cannot slide unless it opens, and
// friction of either direction would do. The least is taken, whatever rounding says of the
// velocity: with weights 1 of friction and 1e-3 of the normal percussion, P_N + slope P_F = 1
// leaves P_F = 1e-3 slope P_N.
static void test_friction_that_a_hinge_blocks(void** state) {
    (void)state;
    static const double slope = 0.03;
    static Case c;
    for (int sign = -1; sign <= 1; sign++) {
        memset(&c, 0, sizeof c);
        add_law(&c, true, 1, 0.15, 0.0);
        c.nu = 1;
        c.mass[0] = 1.0;
        c.u[0] = -1.0;
        c.W[0][0] = 1.0;
        c.W[1][0] = slope;
        case_build(&c);
        c.b[1] += sign * 1e-17;
        expect_solved(&c, 1e-11);
        assert_true(fabs(c.P[1] - 1e-3 * slope * c.P[0]) < 1e-5);
        assert_true(fabs(c.P[0] + slope * c.P[1] - 1.0) < 1e-10);
    }
}

// Friction zero and friction that always holds.
static void test_extreme_friction(void** state) {
    (void)state;
    static Case c;
    random_state = 5;
    for (int trial = 0; trial < 200; trial++) {
        const double mu = trial % 2 == 0 ? 0.0 : 1e6;
        case_laws(&c, 1 + random_below(6), 0.5);
        for (int k = 0; k < c.n; k++) {
            c.laws[k].mu = mu;
            c.laws[k].slides = false;
        }
        case_fill(&c, c.m + 6);
        case_build(&c);
        expect_solved(&c, 1e-13);
        check_laws(&c, 1e-8, 1e-9);
    }
}

static void test_unsymmetric_problems(void** state) {
    (void)state;
    static Case c;
    random_state = 6;
    for (int trial = 0; trial < 200; trial++) {
        case_laws(&c, 1 + random_below(8), 0.5);
        case_fill(&c, c.m + 3);
        case_build(&c);
        for (int i = 0; i < c.m * c.m; i++) {
            c.G[i] *= 1.0 + random_in(-1e-3, 1e-3);
        }
        expect_solved(&c, 1e-13);
        check_laws(&c, 1e-7, 1e-9);
    }
}

// Masses times f, bounds with them: percussions times f, velocities as before.
static void test_scale_of_masses(void** state) {
    (void)state;
    static Case c, scaled;
    random_state = 7;
    for (int trial = 0; trial < tries(200); trial++) {
        case_laws(&c, 1 + random_below(6), 0.5);
        case_fill(&c, c.m + 3);
        case_build(&c);
        expect_solved(&c, 1e-13);
        for (int power = -20; power <= 20; power += 10) {  // by powers of two: bit for bit
            scaled = c;
            memset(scaled.P, 0, sizeof scaled.P);
            for (int k = 0; k < c.nu; k++) {
                scaled.mass[k] = ldexp(c.mass[k], power);
            }
            for (int k = 0; k < c.n; k++) {
                scaled.laws[k].bound = ldexp(c.laws[k].bound, power);
            }
            case_build(&scaled);
            expect_solved(&scaled, 1e-13);
            for (int i = 0; i < c.m; i++) {
                assert_true(fabs(ldexp(scaled.P[i], -power) - c.P[i]) <= 1e-9);
                assert_true(fabs(scaled.xi[i] - c.xi[i]) <= 1e-9);
            }
        }
    }
}

// The parameter of the prox functions decides which modes are tried, not what comes out.
static void test_prox_parameter(void** state) {
    (void)state;
    static Case c, other;
    static const double parameters[] = {1e-4, 1e-2, 1.0, 1e2, 1e4};
    int n_differs = 0;
    random_state = 16;
    for (int trial = 0; trial < 200; trial++) {
        case_laws(&c, 1 + random_below(8), 0.2);  // friction small enough for one solution
        case_fill(&c, c.m + 3);
        case_build(&c);
        other = c;
        expect_solved(&c, 1e-13);
        for (int k = 0; k < 5; k++) {
            memset(other.P, 0, sizeof other.P);
            other.r = parameters[k];
            expect_solved(&other, 1e-13);
            check_laws(&other, 1e-8, 1e-9);
            for (int i = 0; i < c.m; i++) {
                assert_true(fabs(other.P[i] - c.P[i]) <= 1e-9);
            }
            n_differs += other.info.iterations != c.info.iterations;
        }
    }
    assert_in_range(n_differs, 100, 1000);  // it does take another way
}

// Without room for matrices the sweeps have to do it, and say so.
static void test_sweeps_are_told(void** state) {
    (void)state;
    static Case c;
    ContactScratch scratch = contact_scratch();
    scratch.m_dense = 0;
    const ContactSolverOptions options = {
        .tolerance = 1e-10, .maximum_iterations = 100, .maximum_sweeps = 20000};
    int n_swept = 0;
    random_state = 17;
    for (int trial = 0; trial < 50; trial++) {
        case_laws(&c, 2 + random_below(6), 0.3);
        case_fill(&c, c.m + 6);
        case_build(&c);
        const ContactProblem problem = case_problem(&c);
        assert_int_equal(contact_solver_solve(&problem, &options, &scratch, c.P, &c.info),
                         STATUS_OK);
        assert_int_equal(c.info.iterations, 0);
        assert_true((c.info.rung == CONTACT_SWEEPS) == (c.info.sweeps > 0));
        n_swept += c.info.rung == CONTACT_SWEEPS;
        expect_solved(&c, 1e-10);
        assert_int_not_equal(c.info.rung, CONTACT_SWEEPS);  // a solution to start with
    }
    assert_in_range(n_swept, 25, 50);
}

// Light and heavy bodies in one problem: five coordinates of each law, loosely coupled to others.
static void test_ratio_of_masses(void** state) {
    (void)state;
    static Case c;
    random_state = 8;
    for (int trial = 0; trial < 500; trial++) {
        case_laws(&c, 1 + random_below(6), 0.4);
        case_fill(&c, 5 * c.n);
        for (int k = 0; k < c.nu; k++) {
            c.mass[k] *= (k / 5) % 2 == 0 ? 1e-3 : 1e3;
            for (int j = 0; j < c.n; j++) {
                const int end = contact_law_end(&c.laws[j]);
                for (int i = c.laws[j].at; i < end && j != k / 5; i++) {
                    c.W[i][k] = abs(j - k / 5) == 1 ? 0.1 * c.W[i][k] : 0.0;
                }
            }
        }
        case_build(&c);
        expect_solved(&c, 1e-12);
    }
}

// Rows without effect carry nothing, whatever the start value.
static void test_zero_rows(void** state) {
    (void)state;
    static Case c;
    random_state = 9;
    for (int trial = 0; trial < 300; trial++) {
        case_laws(&c, 1 + random_below(5), 0.5);
        case_fill(&c, c.m + 3);
        const int zero = random_below(c.m > 0 ? c.m : 1);
        memset(c.W[zero], 0, sizeof c.W[zero]);
        case_build(&c);
        c.b[zero] = random_in(-1.0, 1.0);
        for (int i = 0; i < c.m; i++) {
            c.P[i] = random_in(-1.0, 1.0);
        }
        expect_solved(&c, 1e-13);
        assert_true(c.m == 0 || c.P[zero] == 0.0);
    }
}

static void test_start_values(void** state) {
    (void)state;
    static Case c;
    random_state = 14;
    four_feet(&c, 0.5, 0.6);
    expect_solved(&c, 1e-13);
    expect_solved(&c, 1e-12);
    assert_int_equal(c.info.sweeps, 0);  // from the solution
    c.P[3] = NAN;
    expect_solved(&c, 1e-13);
    check_laws(&c, 1e-9, 1e-10);
    c.P[3] = 1e200;
    expect_solved(&c, 1e-13);
    check_laws(&c, 1e-9, 1e-10);
}

static void test_problems_that_are_not_finite(void** state) {
    (void)state;
    static Case c;
    four_feet(&c, 0.5, 0.6);
    c.b[4] = NAN;
    assert_int_equal(case_solve(&c, 1e-12), STATUS_NOT_FINITE);
    four_feet(&c, 0.5, 0.6);
    c.G[4] = INFINITY;
    assert_int_equal(case_solve(&c, 1e-12), STATUS_NOT_FINITE);
}

// A bound that cannot be reached: the best point is returned with its error.
static void test_no_convergence_returns_the_best_point(void** state) {
    (void)state;
    static Case c;
    random_state = 15;
    case_laws(&c, 6, 0.5);
    case_fill(&c, c.m + 3);
    case_build(&c);
    assert_int_equal(case_solve(&c, -1.0), STATUS_NO_CONVERGENCE);
    assert_true(c.info.error < 1e-14);
    const ContactProblem problem = case_problem(&c);
    assert_true(contact_problem_error(&problem, c.P) == c.info.error);
}

// Without laws and with laws without rows.
static void test_empty_problems(void** state) {
    (void)state;
    static Case c;
    memset(&c, 0, sizeof c);
    assert_int_equal(case_solve(&c, 1e-12), STATUS_OK);
    add_law(&c, false, 0, 0.5, 1.0);
    add_law(&c, false, 0, 0.5, 1.0);
    assert_int_equal(case_solve(&c, 1e-12), STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_dependent_directions),
        cmocka_unit_test(test_duplicated_laws),
        cmocka_unit_test(test_four_feet),
        cmocka_unit_test(test_friction_that_a_hinge_blocks),
        cmocka_unit_test(test_extreme_friction),
        cmocka_unit_test(test_unsymmetric_problems),
        cmocka_unit_test(test_scale_of_masses),
        cmocka_unit_test(test_prox_parameter),
        cmocka_unit_test(test_sweeps_are_told),
        cmocka_unit_test(test_ratio_of_masses),
        cmocka_unit_test(test_zero_rows),
        cmocka_unit_test(test_start_values),
        cmocka_unit_test(test_problems_that_are_not_finite),
        cmocka_unit_test(test_no_convergence_returns_the_best_point),
        cmocka_unit_test(test_empty_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
