// The contact solver against solutions found otherwise: by enumeration of all modes in the plane,
// and for one law of space by a scan of directions and by minimisation.
#include "contact_cases.h"

static void test_planar_contacts_against_enumeration(void** state) {
    (void)state;
    static Case c;
    random_state = 10;
    for (int trial = 0; trial < 600; trial++) {
        const int n = 1 + random_below(ENUMERATED);
        case_planar(&c, n, 2 * n + 1, 1.0);
        expect_solved(&c, 1e-13);
        assert_true(distance_from_solutions(&c) <= 1e-9);
    }
}

static void single_law(Case* c, bool normal, int n_F, double mu, double bound) {
    memset(c, 0, sizeof *c);
    add_law(c, normal, n_F, mu, bound);
    case_fill(c, c->m + 1);
    case_build(c);
}

// Friction with a fixed bound minimises P^T G P / 2 + b^T P over the ball: projected gradient.
static void test_bounded_friction_against_minimisation(void** state) {
    (void)state;
    static Case c;
    random_state = 11;
    for (int trial = 0; trial < 300; trial++) {
        const int n_F = 1 + trial % 3;
        const double bound = random_in(0.0, 1.5);
        single_law(&c, false, n_F, 0.0, bound);
        expect_solved(&c, 4e-15);
        double trace = 0.0;
        for (int i = 0; i < n_F; i++) {
            trace += c.G[i * n_F + i];
        }
        double P[3] = {0.0};
        for (int step = 0; step < 20000; step++) {
            double next[3] = {0.0};
            for (int i = 0; i < n_F; i++) {
                double xi = c.b[i];
                for (int j = 0; j < n_F; j++) {
                    xi += c.G[j * n_F + i] * P[j];
                }
                next[i] = P[i] - xi / trace;
            }
            const double size = length_of(n_F, next);
            for (int i = 0; i < n_F; i++) {
                P[i] = next[i] * (size > bound ? bound / size : 1.0);
            }
        }
        for (int i = 0; i < n_F; i++) {
            assert_true(fabs(P[i] - c.P[i]) <= 1e-7);
        }
    }
}

// xi for a contact that slides in the direction d: P_N from xi_N = 0, P_F = -mu P_N d.
static bool slide(const Case* c, double angle, double P[3], double* along, double* across) {
    const double d[2] = {cos(angle), sin(angle)};
    const double a = c->G[0] - c->laws[0].mu * (c->G[3] * d[0] + c->G[6] * d[1]);
    if (a <= 0.0) {
        return false;
    }
    P[0] = -c->b[0] / a;
    double xi[2];
    for (int i = 0; i < 2; i++) {
        P[1 + i] = -c->laws[0].mu * P[0] * d[i];
    }
    for (int i = 0; i < 2; i++) {
        xi[i] = c->b[1 + i] + c->G[1 + i] * P[0] + c->G[4 + i] * P[1] + c->G[7 + i] * P[2];
    }
    *along = xi[0] * d[0] + xi[1] * d[1];
    *across = -xi[0] * d[1] + xi[1] * d[0];
    return P[0] >= 0.0;
}

// Distance of the solution from the nearest slip solution found by a scan of all directions.
static double distance_from_scan(const Case* c) {
    enum { DIRECTIONS = 720 };
    const double width = 6.283185307179586 / DIRECTIONS;
    double nearest = INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) {
        double low = i * width;
        double high = (i + 1) * width;
        double P[3];
        double along, across, across_low;
        if (!slide(c, low, P, &along, &across_low) || !slide(c, high, P, &along, &across) ||
            across * across_low > 0.0) {
            continue;
        }
        for (int step = 0; step < 60; step++) {
            const double middle = 0.5 * (low + high);
            if (slide(c, middle, P, &along, &across) && across * across_low > 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (along >= 0.0) {
            nearest = fmin(nearest, hypot(hypot(P[0] - c->P[0], P[1] - c->P[1]), P[2] - c->P[2]));
        }
    }
    return nearest;
}

static void test_spatial_contact_against_scan(void** state) {
    (void)state;
    static Case c;
    int n_slips = 0;
    random_state = 12;
    for (int trial = 0; trial < 400; trial++) {
        single_law(&c, true, 2, random_in(0.05, 1.5), 0.0);
        expect_solved(&c, 1e-14);
        check_laws(&c, 1e-10, 1e-11);
        if (c.P[0] > 0.0 && hypot(c.xi[1], c.xi[2]) > 1e-9) {
            assert_true(distance_from_scan(&c) <= 1e-9);
            n_slips++;
        }
    }
    assert_true(n_slips > 50);
}

// One law is solved to rounding, whatever its size and condition. The solution by cases is that
// exact by itself, but where directions depend on each other.
static void test_one_law_to_rounding(void** state) {
    (void)state;
    static Case c;
    int n_improved = 0;
    random_state = 13;
    for (int trial = 0; trial < 3000; trial++) {
        const bool normal = random_below(3) > 0;
        memset(&c, 0, sizeof c);
        const double bound = normal ? 0.0 : pow(10.0, random_in(-6.0, 3.0));
        const double mu = pow(10.0, random_in(-6.0, 3.0));
        add_law(&c, normal, 1 + random_below(3), mu, bound);
        case_fill(&c, 1 + random_below(c.m + 2));
        const double stretch = pow(10.0, random_in(-4.0, 0.0));  // anisotropic
        for (int k = 0; k < c.nu; k++) {
            c.W[c.m - 1][k] *= stretch;
        }
        case_build(&c);
        (void)case_solve(&c, 1e-14);
        double g = 0.0;
        for (int i = 0; i < c.m; i++) {
            g = fmax(g, c.G[i * c.m + i]);
        }
        c.scale = 0.0;  // errors relative to the sizes that occur, in the metric of the laws
        for (int i = 0; i < c.m; i++) {
            c.scale = fmax(c.scale, sqrt(g) * fabs(c.P[i]) + fabs(c.b[i]) / sqrt(g));
        }
        memset(c.P, 0, sizeof c.P);
        expect_solved(&c, 1e-13);
        assert_true(c.info.sweeps <= 1);
        n_improved += c.info.iterations > 0 && c.nu >= c.m;
    }
    assert_int_equal(n_improved, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_contacts_against_enumeration),
        cmocka_unit_test(test_bounded_friction_against_minimisation),
        cmocka_unit_test(test_spatial_contact_against_scan),
        cmocka_unit_test(test_one_law_to_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
