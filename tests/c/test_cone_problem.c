// The solvers of cone problems against the exact contact solver, against each other, and the same
// laws as contacts of free bodies and as wide ones.
#include "base/platform_cpu.h"
#include "numbers.h"
#include "solvers/cone_momentum.h"
#include "solvers/cone_sweeps.h"
#include "solvers/contact_solver.h"

enum { BODIES = 4, LAWS = 6, ROWS = CONE_ROWS * LAWS };

typedef struct Graph {
    ConeProblem problem;
    ConeBody bodies[1 + BODIES];
    ConeLaw laws[LAWS];
    ConeBlock blocks[LAWS];
    int places[LAWS];  // of the laws; those of wide ones count on from the last block
    ConePart part;     // all of them
    int order[1 + BODIES];
    Range span;
    ConeWide wide[LAWS];
    double W[LAWS][2][6 * LAW_MAX_ROWS];  // of wide laws
} Graph;

static double dot(const double* a, const double* b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Row r of a law in the scaled velocities of all bodies
static void expand(const Graph* graph, const ConeLaw* law, int r, double* row) {
    memset(row, 0, 6 * (1 + BODIES) * sizeof(double));
    for (int i = 0; i < 3; i++) {
        const int a = law->bodies[0], b = law->bodies[1];
        row[6 * a + i] += graph->bodies[a].s * law->D[r][i];
        row[6 * b + i] -= graph->bodies[b].s * law->D[r][i];
        row[6 * a + 3 + i] += law->R_a[r][i];
        row[6 * b + 3 + i] += law->R_b[r][i];
    }
}

// xi of a law where its bodies have come to
static void velocities(const Graph* graph, const ConeLaw* law, double* xi) {
    for (int r = 0; r < CONE_ROWS; r++) {
        double row[6 * (1 + BODIES)];
        expand(graph, law, r, row);
        xi[r] = law->b[r];
        for (int i = 0; i <= BODIES; i++) {
            xi[r] += dot(row + 6 * i, graph->bodies[i].y, 6);
        }
    }
}

// G and its parts, as whoever fills a problem has to
static void measure(const Graph* graph, bool relaxed, ConeLaw* law) {
    double rows[CONE_ROWS][6 * (1 + BODIES)];
    double G[CONE_ROWS][CONE_ROWS];
    for (int r = 0; r < CONE_ROWS; r++) {
        expand(graph, law, r, rows[r]);
    }
    for (int r = 0; r < CONE_ROWS; r++) {
        for (int c = 0; c < CONE_ROWS; c++) {
            G[r][c] = dot(rows[r], rows[c], 6 * (1 + BODIES));
        }
    }
    law->G_FN[0] = G[1][0];
    law->G_FN[1] = G[2][0];
    const double coupling = relaxed ? hypot(G[1][0], G[2][0]) : 0.0;
    law->G_N = G[0][0] + coupling;
    law->G_F = 0.5 * (G[1][1] + G[2][2]) + hypot(0.5 * (G[1][1] - G[2][2]), G[1][2]) + coupling;
}

static void add_law(Graph* graph, ConeOrder* order, int k) {
    const ConeLaw* law = &graph->laws[k];
    graph->places[k] = cone_order_place(order, law->bodies[0], law->bodies[1]);
    graph->problem.n_blocks = order->n_blocks;
    cone_problem_set(&graph->problem, graph->places[k], law);
}

// All laws as contacts of free bodies, or every second one, the others as wide ones
static void place_laws(Graph* graph, bool all) {
    unsigned long long taken[1 + BODIES] = {0};
    ConeOrder order = {.taken = taken};
    for (int k = 0; k < LAWS; k++) {
        if (all || k % 2 == 0) {
            add_law(graph, &order, k);
        }
    }
    graph->part.blocks.n = order.n_blocks;
    for (int k = 1; k < LAWS && !all; k += 2) {
        graph->places[k] = cone_problem_places(&graph->problem) + k / 2;
    }
}

// Bodies of masses over two decades, most of which fall on others, the first one on the ground
static void make_graph(bool relaxed, double mu, Graph* graph) {
    memset(graph, 0, sizeof *graph);
    graph->span = (Range){0, 1 + BODIES};
    for (int i = 1; i <= BODIES; i++) {
        graph->order[i] = i;
        graph->bodies[i].s = pow(10.0, random_in(-1.0, 1.0));
    }
    for (int k = 0; k < LAWS; k++) {
        ConeLaw* law = &graph->laws[k];
        law->bodies[0] = 1 + k % BODIES;
        law->bodies[1] = random_below(1 + k % BODIES);
        law->mu = random_in(0.0, mu);
        for (int r = 0; r < CONE_ROWS; r++) {
            law->b[r] = random_in(-1.0, r == 0 ? 0.2 : 1.0);
            for (int i = 0; i < 3; i++) {
                law->D[r][i] = i == r ? 1.0 : 0.0;
                law->R_a[r][i] = random_in(-1.0, 1.0);
                law->R_b[r][i] = law->bodies[1] > 0 ? random_in(-1.0, 1.0) : 0.0;
            }
        }
        measure(graph, relaxed, law);
    }
    graph->problem = (ConeProblem){.blocks = graph->blocks,
                                   .parts = &graph->part,
                                   .phases = {0, 1, 1, 1},
                                   .wide = graph->wide,
                                   .bodies = graph->bodies,
                                   .order = graph->order,
                                   .spans = &graph->span,
                                   .n_spans = 1,
                                   .n_rows = CONE_ROWS,
                                   .n_bodies = 1 + BODIES,
                                   .relaxed = relaxed,
                                   .scale = 1.0};
    place_laws(graph, true);
}

// Every second law becomes a wide one.
static void widen(Graph* graph) {
    ConeProblem* problem = &graph->problem;
    memset(graph->blocks, 0, sizeof graph->blocks);
    place_laws(graph, false);
    for (int k = 1; k < LAWS; k += 2) {
        const ConeLaw law = graph->laws[k];
        ConeWide* wide = &graph->wide[problem->n_wide++];
        *wide = (ConeWide){.form = {.normal = true, .n_F = 2, .mu = law.mu}, .n_sides = 2};
        for (int r = 0; r < CONE_ROWS; r++) {
            double row[6 * (1 + BODIES)];
            expand(graph, &law, r, row);
            wide->b[r] = law.b[r];
            wide->G[r] = r == 0 ? law.G_N : law.G_F;
            for (int j = 0; j < 2; j++) {
                for (int i = 0; i < 6; i++) {
                    graph->W[k][j][i * LAW_MAX_ROWS + r] = row[6 * law.bodies[j] + i];
                }
            }
        }
        for (int j = 0; j < 2; j++) {
            wide->sides[j] = (ConeSide){.y = graph->bodies[law.bodies[j]].y,
                                        .n = 6,
                                        .W = graph->W[k][j],
                                        .n_V = 6,
                                        .V = graph->W[k][j]};
        }
    }
}

static const ConeOptions EXACT = {.maximum_iterations = 200000, .tolerance = 1e-12};

enum { SWEEPS, GRADIENT, PLAIN_SWEEPS, METHODS };

static void solve_problem(ConeProblem* problem, const ConeOptions* options, int method,
                          ConeInfo* info) {
    enum { MOST_BODIES = 100 };
    static _Alignas(16) double scratch[4 * LAWS * (6 * LAW_MAX_ROWS + 1)];
    static ConeWay ways[MOST_BODIES];
    if (method == GRADIENT) {
        assert_true(cone_gradient_size(problem) <= sizeof scratch / sizeof scratch[0]);
        cone_gradient_solve(problem, options, scratch, info);
    } else {
        assert_true(problem->n_bodies <= MOST_BODIES);
        cone_sweeps_solve(problem, options, method == SWEEPS ? ways : NULL, info);
    }
}

static void solve(Graph* graph, int method) {
    ConeInfo info;
    if (method != GRADIENT) {
        cone_problem_push(&graph->problem);
    }
    solve_problem(&graph->problem, &EXACT, method, &info);
    assert_true(info.error <= 1e-11);
    assert_true(info.iterations >= 1);
}

static double distance(const Graph* a, const Graph* b) {
    double largest = 0.0;
    for (int i = 0; i <= BODIES; i++) {
        for (int k = 0; k < 6; k++) {
            largest = fmax(largest, fabs(a->bodies[i].y[k] - b->bodies[i].y[k]));
        }
    }
    return largest;
}

// Velocities of the exact solver, from the dense matrix
static void solve_exactly(const Graph* graph, double* xi) {
    static double rows[ROWS][6 * (1 + BODIES)], G[ROWS * ROWS], b[ROWS], P[ROWS];
    static double memory[100000];
    ContactLaw laws[LAWS];
    for (int k = 0; k < LAWS; k++) {
        laws[k] =
            (ContactLaw){.at = CONE_ROWS * k, .normal = true, .n_F = 2, .mu = graph->laws[k].mu};
        for (int r = 0; r < CONE_ROWS; r++) {
            expand(graph, &graph->laws[k], r, rows[CONE_ROWS * k + r]);
            b[CONE_ROWS * k + r] = graph->laws[k].b[r];
            P[CONE_ROWS * k + r] = 0.0;
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            G[j * ROWS + i] = dot(rows[i], rows[j], 6 * (1 + BODIES));
        }
    }
    const ContactProblem problem = {.n = LAWS,
                                    .m = ROWS,
                                    .laws = laws,
                                    .G = contact_operator_dense(LAWS, ROWS, laws, G),
                                    .b = b,
                                    .scale = 1.0};
    const ContactSolverOptions options = {
        .tolerance = 1e-13, .maximum_iterations = 100, .maximum_sweeps = 10000};
    ContactSolverInfo info;
    assert_true(contact_scratch_size(LAWS, ROWS) <= sizeof memory);
    const ContactScratch scratch = contact_scratch_lay(memory, LAWS, ROWS);
    assert_int_equal(contact_solver_solve(&problem, &options, &scratch, P, &info), STATUS_OK);
    for (int i = 0; i < ROWS; i++) {
        xi[i] = b[i] + dot(G + (ptrdiff_t)i * ROWS, P, ROWS);
    }
}

// Friction small enough for velocities to be unique
static void test_coulomb_is_that_of_the_exact_solver(void** state) {
    (void)state;
    static Graph graph;
    random_state = 11;
    for (int trial = 0; trial < tries(100); trial++) {
        make_graph(false, 0.3, &graph);
        double exact[ROWS];
        solve_exactly(&graph, exact);
        solve(&graph, trial % METHODS);
        for (int k = 0; k < LAWS; k++) {
            double xi[CONE_ROWS];
            velocities(&graph, &graph.laws[k], xi);
            for (int r = 0; r < CONE_ROWS; r++) {
                assert_true(fabs(xi[r] - exact[CONE_ROWS * k + r]) < 1e-7);
            }
        }
    }
}

// CC (10) itself: P in the cone, xi in its dual, orthogonal to each other
static void test_relaxed_law(void** state) {
    (void)state;
    static Graph graph;
    random_state = 12;
    for (int trial = 0; trial < tries(100); trial++) {
        make_graph(true, 1.0, &graph);
        solve(&graph, trial % METHODS);
        for (int k = 0; k < LAWS; k++) {
            const ConeLaw* law = &graph.laws[k];
            double xi[CONE_ROWS], P[CONE_ROWS];
            velocities(&graph, law, xi);
            cone_problem_percussions(&graph.problem, graph.places[k], P);
            assert_true(hypot(P[1], P[2]) <= law->mu * P[0] + 1e-12);
            assert_true(law->mu * hypot(xi[1], xi[2]) <= xi[0] + 1e-9);
            assert_true(fabs(dot(xi, P, CONE_ROWS)) < 1e-8);
        }
    }
}

// P . (G P/2 + b): the energy that percussions add
static double energy_added(const Graph* graph) {
    double energy = 0.0;
    for (int k = 0; k < LAWS; k++) {
        double xi[CONE_ROWS], P[LAW_MAX_ROWS];
        velocities(graph, &graph->laws[k], xi);
        cone_problem_percussions(&graph->problem, graph->places[k], P);
        for (int r = 0; r < CONE_ROWS; r++) {
            energy += 0.5 * P[r] * (xi[r] + graph->laws[k].b[r]);
        }
    }
    return energy;
}

// Percussions of an impact, as a start for the step after it: most of them is left out, so that no
// energy is added, before or after any number of sweeps. A start that fits is taken as it is.
static void test_a_start_adds_no_energy(void** state) {
    (void)state;
    static Graph graph;
    random_state = 14;
    for (int trial = 0; trial < tries(100); trial++) {
        make_graph(trial % 2 == 0, 0.3, &graph);
        if (trial % 4 >= 2) {
            widen(&graph);
        }
        for (int i = 0; i < graph.problem.n_blocks; i++) {
            for (int at = 0; at < CONE_PLACES; at++) {
                graph.blocks[i].rows[0].P[at] = random_in(0.0, 100.0);
            }
        }
        for (int i = 0; i < graph.problem.n_wide; i++) {
            graph.wide[i].P[0] = random_in(0.0, 100.0);
        }
        cone_problem_start(&graph.problem);
        assert_true(energy_added(&graph) <= 1e-12);
        ConeInfo info;
        solve_problem(&graph.problem, &(ConeOptions){.maximum_iterations = 3}, PLAIN_SWEEPS, &info);
        assert_true(energy_added(&graph) <= 1e-12);
    }
}

static void test_a_start_that_fits_is_taken(void** state) {
    (void)state;
    static Graph graph, again;
    random_state = 15;
    make_graph(true, 0.3, &graph);
    solve(&graph, SWEEPS);
    again = graph;
    again.problem.blocks = again.blocks;
    again.problem.bodies = again.bodies;
    again.problem.parts = &again.part;
    for (int i = 0; i <= BODIES; i++) {
        memset(again.bodies[i].y, 0, sizeof again.bodies[i].y);
    }
    cone_problem_start(&again.problem);
    assert_true(distance(&graph, &again) < 1e-9);
}

static void test_methods_and_forms_agree(void** state) {
    (void)state;
    static Graph simple, mixed;
    for (int trial = 0; trial < tries(100); trial++) {
        const bool relaxed = trial % 2 == 0;
        random_state = (uint64_t)(100 + trial);
        make_graph(relaxed, 0.3, &simple);
        random_state = (uint64_t)(100 + trial);
        make_graph(relaxed, 0.3, &mixed);
        widen(&mixed);
        solve(&simple, PLAIN_SWEEPS);
        solve(&mixed, trial % METHODS);
        assert_true(distance(&simple, &mixed) < 1e-8);
    }
}

// Contacts that follow each other in a block of four share no moving body, and have places of their
// own: of bodies at random, and where all rest on one.
static void test_places(void** state) {
    (void)state;
    enum { N = 500, MOVING = 60, MOST_PLACES = CONE_PLACES * N };
    static int at[MOST_PLACES][2];
    random_state = 14;
    for (int hub = 0; hub < 2; hub++) {
        unsigned long long taken[1 + MOVING] = {0};
        ConeOrder order = {.taken = taken};
        memset(at, 0, sizeof at);
        for (int k = 0; k < N; k++) {
            const int a = 1 + random_below(MOVING - 1);
            const int b = hub == 1 ? MOVING : random_below(a);
            const int place = cone_order_place(&order, a, b);
            assert_in_range(place, 0, MOST_PLACES - 1);
            assert_int_equal(at[place][0], 0);
            at[place][0] = a;
            at[place][1] = b;
        }
        const int n_places = CONE_PLACES * order.n_blocks;
        assert_true(hub == 1 ? n_places == MOST_PLACES : n_places < N + N / 4);
        for (int i = 0; i < n_places; i++) {
            for (int j = i + 1; j < n_places && j / CONE_PLACES == i / CONE_PLACES; j++) {
                for (int side = 0; side < 4; side++) {
                    const int body = at[i][side / 2];
                    assert_true(body == 0 || body != at[j][side % 2]);
                }
            }
        }
    }
}

// A column of balls, of which each carries those above: sweeps alone take as many as the square of
// its height, those with momentum as many as the height.
static void test_a_column(void** state) {
    (void)state;
    enum { N = 60 };
    int iterations[METHODS];
    for (int method = 0; method < METHODS; method += PLAIN_SWEEPS) {
        static ConeBlock blocks[N];
        ConeBody bodies[1 + N] = {{.s = 0.0}};
        unsigned long long taken[1 + N] = {0};
        ConeOrder order = {.taken = taken};
        int places[N];
        for (int i = 0; i < N; i++) {
            const ConeLaw law = {.D = {{0.0, 0.0, 1.0}},
                                 .b = {i == 0 ? -1.0 : 0.0},  // they fall: the lowest one strikes
                                 .G_N = i == 0 ? 1.0 : 2.0,
                                 .bodies = {1 + i, i}};
            bodies[1 + i].s = 1.0;
            places[i] = cone_order_place(&order, 1 + i, i);
            ConeProblem one = {.blocks = blocks};
            cone_problem_set(&one, places[i], &law);
        }
        ConePart part = {.blocks = {0, order.n_blocks}};
        int numbers[1 + N] = {0};
        Range span = {0, 1 + N};
        for (int i = 0; i <= N; i++) {
            numbers[i] = i;
        }
        ConeProblem problem = {.blocks = blocks,
                               .n_blocks = order.n_blocks,
                               .parts = &part,
                               .phases = {0, 1, 1, 1},
                               .bodies = bodies,
                               .n_bodies = 1 + N,
                               .order = numbers,
                               .spans = &span,
                               .n_spans = 1,
                               .n_rows = CONE_ROWS,
                               .scale = 1.0};
        ConeInfo info;
        solve_problem(&problem, &(ConeOptions){100000, 1e-9}, method, &info);
        iterations[method] = info.iterations;
        for (int i = 0; i < N; i++) {
            double P[CONE_ROWS];
            cone_problem_percussions(&problem, places[i], P);
            assert_true(fabs(P[0] - (N - i)) < 1e-4);
        }
    }
    assert_true(iterations[PLAIN_SWEEPS] > 2 * N * N);
    assert_true(iterations[SWEEPS] < 20 * N);
}

// Registers of two numbers and of four give the same bits.
static void test_sweeps_of_all_widths_agree(void** state) {
    (void)state;
    static Graph two, four;
    for (int trial = 0; trial < tries(50) && platform_has_avx2(); trial++) {
        random_state = (uint64_t)(500 + trial);
        make_graph(trial % 2 == 0, 0.5, &two);
        memcpy(&four, &two, sizeof two);
        four.problem.blocks = four.blocks;
        four.problem.bodies = four.bodies;
        four.problem.parts = &four.part;
        for (int i = 0; i < 20; i++) {
            const ConeSweep sweep = {i % 2 == 0, i % 2 == 0 && trial % 4 >= 2, 0.9};
            const double change = cone_sweep_blocks(&two.problem, &two.part.blocks, &sweep);
            assert_true(cone_sweep_blocks_avx2(&four.problem, &four.part.blocks, &sweep) == change);
        }
        assert_memory_equal(two.bodies, four.bodies, sizeof two.bodies);
        assert_memory_equal(two.blocks, four.blocks, sizeof two.blocks);
    }
}

// Friction in a joint: a bound instead of a cone
static void test_bounded_friction(void** state) {
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        double y[2] = {0.0, 0.0}, last[2];
        const double W[2][LAW_MAX_ROWS] = {{1.0}, {0.0}};
        ConeBody ground = {.s = 0.0};
        ConeJoined joined = {y, last, 2};
        ConeWide law = {.form = {.n_F = 1, .bound = 0.25},
                        .sides = {{.y = y, .n = 1, .W = W[0], .n_V = 1, .V = W[0]}},
                        .n_sides = 1,
                        .b = {-1.0},
                        .G = {1.0}};
        ConeProblem problem = {.wide = &law,
                               .n_wide = 1,
                               .joined = &joined,
                               .n_joined = 1,
                               .bodies = &ground,
                               .n_rows = CONE_ROWS,
                               .n_bodies = 1,
                               .scale = 1.0};
        ConeInfo info;
        solve_problem(&problem, &EXACT, method, &info);
        assert_true(fabs(law.P[0] - 0.25) < 1e-12);
        assert_true(fabs(y[0] - 0.25) < 1e-12);
        assert_true(cone_problem_error(&problem, NULL) < 1e-12);
    }
}

// A budget ends the iteration, and the error is that of what is there.
static void test_budget(void** state) {
    (void)state;
    static Graph graph;
    random_state = 13;
    make_graph(false, 0.3, &graph);
    const ConeOptions one = {.maximum_iterations = 1, .tolerance = 0.0};
    ConeInfo info;
    int worst;
    solve_problem(&graph.problem, &one, SWEEPS, &info);
    assert_int_equal(info.iterations, 1);
    assert_true(info.error > 1e-6);
    assert_true(info.error == cone_problem_error(&graph.problem, &worst) && info.worst == worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coulomb_is_that_of_the_exact_solver),
        cmocka_unit_test(test_relaxed_law),
        cmocka_unit_test(test_a_start_adds_no_energy),
        cmocka_unit_test(test_a_start_that_fits_is_taken),
        cmocka_unit_test(test_methods_and_forms_agree),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_a_column),
        cmocka_unit_test(test_sweeps_of_all_widths_agree),
        cmocka_unit_test(test_bounded_friction),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
