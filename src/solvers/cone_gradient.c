// Accelerated projected gradients on CC (11), min 1/2 P^T N P + p^T P over the cones (Nesterov,
// with the restart of O'Donoghue and Candes; Mazhar, Heyn, Negrut and Tasora 2015), in the norm of
// the laws' own masses. Coulomb's law is the limit of such problems with p_N + mu |xi_F|, which is
// taken anew every few iterations (Acary, Cadoux, Lemarechal and Malick 2011).
#include <math.h>
#include <string.h>

#include "solvers/cone_problem.h"
#include "solvers/momentum.h"

#define LANES 2
#include "solvers/cone_block.inc"

// Arrays of all rows: CONE_ROWS for each block, of its places by turns, then LAW_MAX_ROWS for each
// wide law
typedef struct Rows {
    double *P, *xi;  // an iterate, and N P + p there
} Rows;

typedef struct Gradient {
    ConeProblem* problem;
    size_t m;     // entries of an array
    Rows last;    // P_k
    Rows next;    // P_k+1
    Rows ahead;   // where the gradient is taken
    double* add;  // (laws) mu |xi_F| of Coulomb's law
} Gradient;

static int n_laws(const ConeProblem* problem) {
    return cone_problem_places(problem) + problem->n_wide;
}

static size_t n_rows(const ConeProblem* problem) {
    return (size_t)cone_problem_places(problem) * CONE_ROWS +
           (size_t)problem->n_wide * LAW_MAX_ROWS;
}

// Where row r of a law stands
static size_t row_at(const ConeProblem* problem, int i, int r) {
    const int n = cone_problem_places(problem);
    const int block = i / CONE_PLACES;
    return i < n ? (size_t)((block * CONE_ROWS + r) * CONE_PLACES + i % CONE_PLACES)
                 : (size_t)(n * CONE_ROWS + (i - n) * LAW_MAX_ROWS + r);
}

size_t cone_gradient_size(const ConeProblem* problem) {
    return 6 * n_rows(problem) + (size_t)n_laws(problem);
}

static Gradient lay(ConeProblem* problem, double* at) {
    const size_t m = n_rows(problem);
    memset(at, 0, cone_gradient_size(problem) * sizeof(double));
    return (Gradient){.problem = problem,
                      .m = m,
                      .last = {at, at + m},
                      .next = {at + 2 * m, at + 3 * m},
                      .ahead = {at + 4 * m, at + 5 * m},
                      .add = at + 6 * m};
}

// What a law is measured by: its normal, its friction; the number of friction rows, the first row
typedef struct Measure {
    double mu, G_N, G_F;
    int n_F;
    bool normal;
} Measure;

static Measure measure_of(const ConeProblem* problem, int i) {
    const int wide = i - cone_problem_places(problem);
    if (wide < 0) {
        const ConeBlock* block = &problem->blocks[i / CONE_PLACES];
        const int at = i % CONE_PLACES;
        return (Measure){block->mu[at], block->G_N[at], block->G_F[at], problem->n_rows - 1, true};
    }
    const ConeWide* law = &problem->wide[wide];
    return (Measure){law->form.mu, law->form.normal ? law->G[0] : 0.0, cone_wide_friction_G(law),
                     law->form.n_F, law->form.normal};
}

static double row_measure(const Measure* measure, int r) {
    return measure->normal && r == 0 ? measure->G_N : measure->G_F;
}

static int rows_of(const Measure* measure) { return measure->n_F + (measure->normal ? 1 : 0); }

// --- N P + p ---

static void clear_velocities(const ConeProblem* problem) {
    for (int i = 0; i < problem->n_bodies; i++) {
        memset(problem->bodies[i].y, 0, sizeof problem->bodies[i].y);
    }
    for (int i = 0; i < problem->n_joined; i++) {
        memset(problem->joined[i].y, 0, (size_t)problem->joined[i].n * sizeof(double));
    }
}

static void push_all(ConeProblem* problem, const double* P) {
    for (int i = 0; i < problem->n_blocks; i++, P += CONE_ROWS * CONE_PLACES) {
        const ConeBlock* block = &problem->blocks[i];
        for (int at = 0; at < CONE_PLACES; at += LANES) {
            const Lanes dP[CONE_ROWS] = {LANES_OF(P), LANES_OF(P + CONE_PLACES),
                                         LANES_OF(P + 2 * CONE_PLACES)};
            ConeView view;
            cone_block_gather(block, at, problem->bodies, &view);
            cone_block_push(block, at, dP, problem->n_rows, &view);
            cone_block_scatter(block, at, &view, problem->bodies);
        }
    }
    for (int i = 0; i < problem->n_wide; i++, P += LAW_MAX_ROWS) {
        cone_wide_push(&problem->wide[i], P);
    }
}

static void evaluate(const Gradient* g, Rows* rows) {
    ConeProblem* problem = g->problem;
    const double* add = g->add;
    double* xi = rows->xi;
    clear_velocities(problem);
    push_all(problem, rows->P);
    for (int i = 0; i < problem->n_blocks; i++, xi += CONE_ROWS * CONE_PLACES) {
        for (int at = 0; at < CONE_PLACES; at += LANES, add += LANES) {
            ConeView view;
            Lanes some[CONE_ROWS];
            cone_block_gather(&problem->blocks[i], at, problem->bodies, &view);
            cone_block_xi(&problem->blocks[i], at, &view, problem->n_rows, some);
            for (int r = 0; r < problem->n_rows; r++) {
                for (int k = 0; k < LANES; k++) {
                    xi[r * CONE_PLACES + at + k] = some[r][k] + (r == 0 ? add[k] : 0.0);
                }
            }
        }
    }
    for (int i = 0; i < problem->n_wide; i++, xi += LAW_MAX_ROWS, add++) {
        cone_wide_xi(&problem->wide[i], xi);
        xi[0] += *add;
    }
}

// Coulomb's law: mu |xi_F| at an iterate. xi has the former one in it.
static void renew_coulomb(const Gradient* g, Rows* rows) {
    for (int i = 0; i < n_laws(g->problem); i++) {
        const Measure measure = measure_of(g->problem, i);
        if (measure.normal) {
            double square = 0.0;
            for (int r = 1; r <= measure.n_F; r++) {
                const double xi = rows->xi[row_at(g->problem, i, r)];
                square += xi * xi;
            }
            const double add = measure.mu * sqrt(square);
            rows->xi[row_at(g->problem, i, 0)] += add - g->add[i];
            g->add[i] = add;
        }
    }
}

// --- one iteration ---

// next.P = the projection of ahead.P - step xi/G
static void project(const Gradient* g, double step) {
    for (int i = 0; i < n_laws(g->problem); i++) {
        const Measure measure = measure_of(g->problem, i);
        double P[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < rows_of(&measure); r++) {
            const double G = row_measure(&measure, r);
            const size_t at = row_at(g->problem, i, r);
            P[r] = G > 0.0 ? g->ahead.P[at] - step * g->ahead.xi[at] / G : 0.0;
        }
        if (measure.normal) {
            cone_project(measure.mu, measure.G_N, measure.G_F, measure.G_N > 0.0, measure.n_F, P);
        } else {
            cone_wide_bound(&g->problem->wide[i - cone_problem_places(g->problem)], P);
        }
        for (int r = 0; r < rows_of(&measure); r++) {
            g->next.P[row_at(g->problem, i, r)] = P[r];
        }
    }
}

// Sums over all rows for d = next.P - from.P: d.N d, d.G d and d.xi of ahead
typedef struct Sums {
    double curvature, square, slope;
} Sums;

static Sums compare(const Gradient* g, const Rows* from) {
    Sums sums = {0.0, 0.0, 0.0};
    for (int i = 0; i < n_laws(g->problem); i++) {
        const Measure measure = measure_of(g->problem, i);
        for (int r = 0; r < rows_of(&measure); r++) {
            const size_t at = row_at(g->problem, i, r);
            const double d = g->next.P[at] - from->P[at];
            sums.curvature += d * (g->next.xi[at] - from->xi[at]);
            sums.square += d * d * row_measure(&measure, r);
            sums.slope += d * g->ahead.xi[at];
        }
    }
    return sums;
}

// ahead = next + beta (next - last), of P and, being linear, of xi; next becomes the last.
static void move_ahead(Gradient* g, double beta) {
    for (size_t i = 0; i < g->m; i++) {
        g->ahead.P[i] = g->next.P[i] + beta * (g->next.P[i] - g->last.P[i]);
        g->ahead.xi[i] = g->next.xi[i] + beta * (g->next.xi[i] - g->last.xi[i]);
    }
    const Rows last = g->last;
    g->last = g->next;
    g->next = last;
}

// --- all ---

static void take_start(const Gradient* g) {
    for (int i = 0; i < n_laws(g->problem); i++) {
        double P[LAW_MAX_ROWS];
        const Measure measure = measure_of(g->problem, i);
        cone_problem_percussions(g->problem, i, P);
        for (int r = 0; r < rows_of(&measure); r++) {
            g->last.P[row_at(g->problem, i, r)] = P[r];
        }
    }
}

// The last iterate becomes that of the problem.
static void give_result(const Gradient* g) {
    ConeProblem* problem = g->problem;
    const double* P = g->last.P;
    for (int i = 0; i < problem->n_blocks; i++, P += CONE_ROWS * CONE_PLACES) {
        for (int r = 0; r < CONE_ROWS; r++) {
            memcpy(problem->blocks[i].rows[r].P, P + r * CONE_PLACES, CONE_PLACES * sizeof *P);
        }
    }
    for (int i = 0; i < problem->n_wide; i++, P += LAW_MAX_ROWS) {
        memcpy(problem->wide[i].P, P, sizeof problem->wide[i].P);
    }
    clear_velocities(problem);
    cone_problem_push(problem);
}

// From ahead to next, with a step for which the quadratic bound holds
static void descend(Gradient* g, double* L) {
    enum { MOST_TRIALS = 30 };
    for (int i = 0; i < MOST_TRIALS; i++) {
        project(g, 1.0 / *L);
        evaluate(g, &g->next);
        const Sums sums = compare(g, &g->ahead);
        if (sums.curvature <= *L * sums.square) {
            return;
        }
        *L *= 2.0;
    }
}

void cone_gradient_solve(ConeProblem* problem, const ConeOptions* options, double* scratch,
                         ConeInfo* info) {
    enum { CHECK_EVERY = 10 };  // iterations; Coulomb's law is renewed as often
    static const double SHRINK = 0.9;
    Gradient g = lay(problem, scratch);
    double L = 1.0;
    double theta = 1.0;
    *info = (ConeInfo){.error = INFINITY};
    take_start(&g);
    evaluate(&g, &g.last);
    if (!problem->relaxed) {
        renew_coulomb(&g, &g.last);
    }
    memcpy(g.ahead.P, g.last.P, g.m * sizeof(double));
    memcpy(g.ahead.xi, g.last.xi, g.m * sizeof(double));
    while (info->iterations < options->maximum_iterations && info->error > options->tolerance) {
        descend(&g, &L);
        L *= SHRINK;
        if (compare(&g, &g.last).slope > 0.0) {  // going uphill: restart
            theta = 1.0;
        }
        info->iterations++;
        move_ahead(&g, momentum_next(&theta));
        if (info->iterations % CHECK_EVERY == 0) {
            give_result(&g);
            info->error = cone_problem_error(problem, NULL);
            if (!problem->relaxed) {
                renew_coulomb(&g, &g.last);
                memcpy(g.ahead.P, g.last.P, g.m * sizeof(double));
                memcpy(g.ahead.xi, g.last.xi, g.m * sizeof(double));
                theta = 1.0;
            }
        }
    }
    give_result(&g);
    info->error = cone_problem_error(problem, &info->worst);
}
