// Accelerated projected gradients on CC (11), min 1/2 P^T N P + p^T P over the cones (Nesterov,
// with the restart of O'Donoghue and Candes; Mazhar, Heyn, Negrut and Tasora 2015), in the norm of
// the laws' own masses. Coulomb's law is the limit of such problems with p_N + mu |xi_F|, which is
// taken anew every few iterations (Acary, Cadoux, Lemarechal and Malick 2011).
#include <math.h>
#include <string.h>

#include "solvers/cone_problem.h"

// Arrays of all rows, LAW_MAX_ROWS for each law, wide ones last
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

static int n_laws(const ConeProblem* problem) { return problem->n + problem->n_wide; }

size_t cone_gradient_size(const ConeProblem* problem) {
    const size_t n = (size_t)n_laws(problem);
    return n * (6 * LAW_MAX_ROWS + 1);
}

static Gradient lay(ConeProblem* problem, double* at) {
    const size_t m = (size_t)n_laws(problem) * LAW_MAX_ROWS;
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
    if (i < problem->n) {
        const ConeLaw* law = &problem->laws[i];
        return (Measure){law->mu, law->G_N, law->G_F, CONE_ROWS - 1, true};
    }
    const ConeWide* law = &problem->wide[i - problem->n];
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
    for (int i = 0; i < problem->n_wide; i++) {
        for (int j = 0; j < problem->wide[i].n_sides; j++) {
            const ConeSide* side = &problem->wide[i].sides[j];
            memset(side->y, 0, (size_t)side->n_V * sizeof(double));
        }
    }
}

static void evaluate(const Gradient* g, Rows* rows) {
    ConeProblem* problem = g->problem;
    const double* P = rows->P;
    double* xi = rows->xi;
    clear_velocities(problem);
    for (int i = 0; i < n_laws(problem); i++, P += LAW_MAX_ROWS) {
        if (i < problem->n) {
            const ConeLaw* law = &problem->laws[i];
            cone_law_push(law, P, &problem->bodies[law->bodies[0]],
                          &problem->bodies[law->bodies[1]]);
        } else {
            cone_wide_push(&problem->wide[i - problem->n], P);
        }
    }
    for (int i = 0; i < n_laws(problem); i++, xi += LAW_MAX_ROWS) {
        if (i < problem->n) {
            const ConeLaw* law = &problem->laws[i];
            cone_law_xi(law, &problem->bodies[law->bodies[0]], &problem->bodies[law->bodies[1]],
                        xi);
        } else {
            cone_wide_xi(&problem->wide[i - problem->n], xi);
        }
        xi[0] += g->add[i];
    }
}

// Coulomb's law: mu |xi_F| at an iterate. xi has the former one in it.
static void renew_coulomb(const Gradient* g, Rows* rows) {
    for (int i = 0; i < n_laws(g->problem); i++) {
        const Measure measure = measure_of(g->problem, i);
        double* xi = rows->xi + (size_t)i * LAW_MAX_ROWS;
        if (measure.normal) {
            double square = 0.0;
            for (int r = 1; r <= measure.n_F; r++) {
                square += xi[r] * xi[r];
            }
            const double add = measure.mu * sqrt(square);
            xi[0] += add - g->add[i];
            g->add[i] = add;
        }
    }
}

// --- one iteration ---

// next.P = the projection of ahead.P - step xi/G
static void project(const Gradient* g, double step) {
    for (int i = 0; i < n_laws(g->problem); i++) {
        const Measure measure = measure_of(g->problem, i);
        const size_t at = (size_t)i * LAW_MAX_ROWS;
        double* P = g->next.P + at;
        for (int r = 0; r < rows_of(&measure); r++) {
            const double G = row_measure(&measure, r);
            P[r] =
                G > 0.0 ? g->ahead.P[at + (size_t)r] - step * g->ahead.xi[at + (size_t)r] / G : 0.0;
        }
        if (measure.normal) {
            cone_project(measure.mu, measure.G_N, measure.G_F, measure.G_N > 0.0, measure.n_F, P);
        } else {
            cone_wide_bound(&g->problem->wide[i - g->problem->n], P);
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
            const size_t at = (size_t)i * LAW_MAX_ROWS + (size_t)r;
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
        double* P = g->last.P + (size_t)i * LAW_MAX_ROWS;
        if (i < g->problem->n) {
            memcpy(P, g->problem->laws[i].P, sizeof g->problem->laws[i].P);
        } else {
            memcpy(P, g->problem->wide[i - g->problem->n].P, LAW_MAX_ROWS * sizeof(double));
        }
    }
}

// The last iterate becomes that of the problem.
static void give_result(const Gradient* g) {
    for (int i = 0; i < n_laws(g->problem); i++) {
        const double* P = g->last.P + (size_t)i * LAW_MAX_ROWS;
        if (i < g->problem->n) {
            memcpy(g->problem->laws[i].P, P, sizeof g->problem->laws[i].P);
        } else {
            memcpy(g->problem->wide[i - g->problem->n].P, P, LAW_MAX_ROWS * sizeof(double));
        }
    }
    clear_velocities(g->problem);
    cone_problem_push(g->problem);
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
        const double theta_1 = 0.5 * (theta * sqrt(theta * theta + 4.0) - theta * theta);
        double beta = theta * (1.0 - theta) / (theta * theta + theta_1);
        theta = theta_1;
        L *= SHRINK;
        if (compare(&g, &g.last).slope > 0.0) {  // going uphill: restart
            beta = 0.0;
            theta = 1.0;
        }
        info->iterations++;
        move_ahead(&g, beta);
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
