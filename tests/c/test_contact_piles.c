// The contact solver on problems from piles on which Newton's method stalls, from the start value
// of the simulation and from zero; percussions that are not unique; and operators made of blocks.
#include "contact_cases.h"

enum { HEADER = 12, LAW = 9, MOST_NUMBERS = 8000, PILE_LAWS = 30 };

typedef struct Stored {
    double numbers[MOST_NUMBERS];
    ContactLaw laws[PILE_LAWS];
    const double* P_start;
    ContactProblem problem;
} Stored;

static void read_problem(const char* name, Stored* stored) {
    char path[100];
    snprintf(path, sizeof path, "tests/c/data/contact_%s.bin", name);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    const size_t read = fread(stored->numbers, sizeof(double), MOST_NUMBERS, file);
    fclose(file);
    const double* at = stored->numbers + HEADER;
    const int n = (int)stored->numbers[0];
    const int m = (int)stored->numbers[1];
    assert_true(read == (size_t)(HEADER + LAW * n + m * m + 3 * m));
    assert_true(n <= PILE_LAWS);
    for (int k = 0; k < n; k++, at += LAW) {
        stored->laws[k] = (ContactLaw){.at = (int)at[0],
                                       .normal = at[1] != 0.0,
                                       .n_F = (int)at[2],
                                       .mu = at[3],
                                       .bound = at[4],
                                       .slides = at[5] != 0.0,
                                       .slip = {at[6], at[7], at[8]}};
    }
    stored->P_start = at + m * m + m;
    stored->problem = (ContactProblem){.n = n,
                                       .m = m,
                                       .laws = stored->laws,
                                       .G = contact_operator_dense(n, m, stored->laws, at),
                                       .b = at + m * m,
                                       .scale = stored->numbers[2],
                                       .r = stored->numbers[8]};
}

static void test_problems_of_piles(void** state) {
    (void)state;
    static const char* const names[] = {"unsymmetric", "discs",     "spheres_1",
                                        "spheres_2",   "spheres_3", "spheres_4"};
    static Stored stored;
    const ContactSolverOptions options = {
        .tolerance = 1e-11, .maximum_iterations = 50, .maximum_sweeps = 10000};
    void* block = malloc(contact_scratch_size(PILE_LAWS, MOST_ROWS));
    assert_non_null(block);
    const ContactScratch scratch = contact_scratch_lay(block, PILE_LAWS, MOST_ROWS);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        read_problem(names[i], &stored);
        for (int from_zero = 0; from_zero < 2; from_zero++) {
            double P[MOST_ROWS] = {0.0};
            ContactSolverInfo info;
            if (!from_zero) {
                memcpy(P, stored.P_start, (size_t)stored.problem.m * sizeof(double));
            }
            const Status status =
                contact_solver_solve(&stored.problem, &options, &scratch, P, &info);
            if (status != STATUS_OK) {
                fail_msg("%s: error %g by %s", names[i], info.error, contact_rung_name(info.rung));
            }
            assert_true(info.error == contact_problem_error(&stored.problem, P));
            assert_false(info.unsolvable);
        }
    }
    free(block);
}

// A table on four feet at rest, as wide as it is long: six coordinates, twelve rows
static void table(Case* c, double mu, double u_x) {
    memset(c, 0, sizeof *c);
    c->nu = 6;
    for (int k = 0; k < 6; k++) {
        c->mass[k] = k < 3 ? 2.0 : 0.3;
    }
    c->u[0] = u_x;
    c->u[2] = -9.81e-3;
    add_feet(c, 0.5, 0.5, 0.6, mu);
    case_build(c);
}

// Each foot carries a quarter of the weight, and no friction where none is needed, whatever the
// start value.
static void test_least_norm_is_symmetric(void** state) {
    (void)state;
    static Case c;
    const double weight = 2.0 * 9.81e-3;
    random_state = 30;
    for (int trial = 0; trial < 100; trial++) {
        table(&c, 0.5, 0.0);
        for (int i = 0; i < c.m && trial > 0; i++) {
            c.P[i] = random_in(-1.0, 1.0) * weight;
        }
        expect_solved(&c, 1e-12);
        for (int foot = 0; foot < 4; foot++) {
            assert_close(c.P[3 * foot], 0.25 * weight, 1e-6 * weight, "normal percussion");
            assert_true(fabs(c.P[3 * foot + 1]) <= 1e-6 * weight);
            assert_true(fabs(c.P[3 * foot + 2]) <= 1e-6 * weight);
        }
    }
}

// Two tables that do not touch each other, as one problem
static void two_tables(Case* both) {
    static Case one;
    table(&one, 0.5, 0.0);
    *both = one;
    both->n = 2 * one.n;
    both->m = 2 * one.m;
    memset(both->G, 0, sizeof both->G);
    for (int i = 0; i < both->m; i++) {
        both->b[i] = one.b[i % one.m];
        for (int j = 0; j < both->m; j++) {
            const bool same = i / one.m == j / one.m;
            both->G[j * both->m + i] = same ? one.G[j % one.m * one.m + i % one.m] : 0.0;
        }
    }
    for (int k = 0; k < both->n; k++) {
        both->laws[k] = one.laws[k % one.n];
        both->laws[k].at += k / one.n * one.m;
    }
}

// In a problem of many rows, from a start value that is near, the solution nearest to it, not that
// of least norm: feet go on carrying more than the others.
static void test_near_solution_is_kept(void** state) {
    (void)state;
    static Case c;
    const double weight = 2.0 * 9.81e-3;
    const double share[4] = {0.35, 0.15, 0.15, 0.35};
    two_tables(&c);
    assert_true(c.m > CONTACT_NEWTON_ROWS);
    const ContactProblem problem = case_problem(&c);
    const ContactSolverOptions options = {
        .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 10000, .near = true};
    void* block = malloc(contact_scratch_size(c.n, c.m));
    assert_non_null(block);
    const ContactScratch scratch = contact_scratch_lay(block, c.n, c.m);
    for (int foot = 0; foot < 8; foot++) {
        c.P[3 * foot] = (share[foot % 4] + 1e-6) * weight;
    }
    assert_int_equal(contact_solver_solve(&problem, &options, &scratch, c.P, &c.info), STATUS_OK);
    for (int foot = 0; foot < 8; foot++) {
        assert_close(c.P[3 * foot], share[foot % 4] * weight, 1e-4 * weight, "normal percussion");
    }
    free(block);
}

// Pushed along x: friction is shared equally between the feet that carry the same.
static void test_friction_is_shared(void** state) {
    (void)state;
    static Case c;
    table(&c, 0.5, 1e-3);
    expect_solved(&c, 1e-12);
    const double P_max = fabs(c.P[0]) + fabs(c.P[3]);
    for (int foot = 0; foot < 2; foot++) {  // mirrored at y = 0
        assert_close(c.P[3 * foot], c.P[3 * (foot + 2)], 1e-6 * P_max, "normal percussion");
        assert_close(c.P[3 * foot + 1], c.P[3 * (foot + 2) + 1], 1e-6 * P_max, "friction");
        assert_true(fabs(c.P[3 * foot + 2]) <= 1e-6 * P_max);
    }
    assert_close(c.P[1] + c.P[4] + c.P[7] + c.P[10], -2.0 * 1e-3, 1e-9, "it is stopped");
}

// In the norm of energy
static double distance(const Case* c, const double* P_1, const double* P_2) {
    double square = 0.0;
    for (int i = 0; i < c->m; i++) {
        square += c->G[i * c->m + i] * (P_1[i] - P_2[i]) * (P_1[i] - P_2[i]);
    }
    return sqrt(square);
}

// Few coordinates and many contacts: percussions that lead to the same velocities do not depend on
// the start value. Few problems have solutions with other velocities.
static void test_start_value_does_not_matter(void** state) {
    (void)state;
    static Case c;
    static double P[MOST_ROWS];
    static double xi[MOST_ROWS];
    random_state = 31;
    int n_dependent = 0;
    int n_others = 0;
    for (int trial = 0; trial < 300; trial++) {
        case_mechanism(&c, 2 + trial % 2, 2 + random_below(8), 0.2, 1.0);
        expect_solved(&c, 1e-11);
        n_dependent += c.info.regularised;
        memcpy(P, c.P, sizeof P);
        memcpy(xi, c.xi, sizeof xi);
        for (int i = 0; i < c.m; i++) {
            const double G_ii = c.G[i * c.m + i];
            c.P[i] = G_ii > 0.0 ? random_in(-1.0, 1.0) * c.scale / sqrt(G_ii) : 0.0;
        }
        expect_solved(&c, 1e-11);
        double other = 0.0;
        for (int i = 0; i < c.m; i++) {
            const double G_ii = c.G[i * c.m + i];
            other = G_ii > 0.0 ? fmax(other, fabs(c.xi[i] - xi[i]) / sqrt(G_ii)) : other;
        }
        n_others += other > 1e-6 * c.scale;
        if (other <= 1e-6 * c.scale && !(distance(&c, P, c.P) <= 1e-6 * c.scale)) {
            fail_msg("trial %d: %d laws, %d rows: %g", trial, c.n, c.m, distance(&c, P, c.P));
        }
    }
    assert_true(n_dependent > 30);
    assert_in_range(n_others, 0, 6);
}

// The same problem, dense and in blocks of which those that are zero are left out
typedef struct Blocks {
    int start[MOST_LAWS + 1];
    int neighbour[MOST_LAWS * MOST_LAWS];
    size_t offset[MOST_LAWS * MOST_LAWS];
    double values[MOST_ROWS * MOST_ROWS];
    double diagonal[MOST_ROWS];
    ContactBlocks blocks;
} Blocks;

static size_t add_block(const Case* c, int k, int j, int entry, size_t at, Blocks* b) {
    const ContactLaw* rows = &c->laws[k];
    const ContactLaw* columns = &c->laws[j];
    b->neighbour[entry] = j;
    b->offset[entry] = at;
    for (int col = columns->at; col < contact_law_end(columns); col++) {
        for (int row = rows->at; row < contact_law_end(rows); row++) {
            b->values[at++] = c->G[col * c->m + row];
        }
    }
    return at;
}

static ContactOperator blocks_of(const Case* c, Blocks* b) {
    size_t at = 0;
    int entry = 0;
    for (int k = 0; k < c->n; k++) {
        b->start[k] = entry;
        at = add_block(c, k, k, entry++, at, b);
        for (int j = 0; j < c->n; j++) {
            if (j != k && abs(j - k) <= 2) {
                at = add_block(c, k, j, entry++, at, b);
            }
        }
    }
    b->start[c->n] = entry;
    for (int i = 0; i < c->m; i++) {
        b->diagonal[i] = c->G[i * c->m + i];
    }
    b->blocks = (ContactBlocks){b->start, b->neighbour, b->offset, b->values, b->diagonal};
    return contact_operator_blocks(c->n, c->m, c->laws, &b->blocks);
}

static void test_blocks(void** state) {
    (void)state;
    static Case c;
    static Blocks b;
    random_state = 32;
    for (int trial = 0; trial < 100; trial++) {
        case_laws(&c, 3 + random_below(MOST_LAWS - 3), 0.3);
        case_fill(&c, 4 * c.n);
        for (int k = 0; k < c.n; k++) {  // of four coordinates each, shared with the next two laws
            for (int i = c.laws[k].at; i < contact_law_end(&c.laws[k]); i++) {
                for (int j = 0; j < c.nu; j++) {
                    c.W[i][j] = j / 4 >= k && j / 4 <= k + 2 ? c.W[i][j] : 0.0;
                }
            }
        }
        case_build(&c);
        ContactProblem problem = case_problem(&c);
        problem.G = blocks_of(&c, &b);
        double P[MOST_ROWS] = {0.0};
        const ContactSolverOptions options = {
            .tolerance = 1e-10, .maximum_iterations = 50, .maximum_sweeps = 20000};
        const ContactScratch scratch = contact_scratch();
        assert_int_equal(contact_solver_solve(&problem, &options, &scratch, P, &c.info), STATUS_OK);
        assert_int_equal(c.info.iterations, 0);
        const ContactProblem dense = case_problem(&c);
        assert_true(contact_problem_error(&dense, P) <= 1.001e-10);
        double y[MOST_ROWS];
        double z[MOST_ROWS];
        contact_operator_apply(&problem.G, P, y);
        contact_operator_apply(&dense.G, P, z);
        for (int i = 0; i < c.m; i++) {
            assert_true(fabs(y[i] - z[i]) <= 1e-12 * (1.0 + fabs(z[i])));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_of_piles),
        cmocka_unit_test(test_least_norm_is_symmetric),
        cmocka_unit_test(test_near_solution_is_kept),
        cmocka_unit_test(test_friction_is_shared),
        cmocka_unit_test(test_start_value_does_not_matter),
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
