// Semismooth Newton step on the prox equations GA (131), (137) in active set form, (132), (138).
//
// The arguments of the prox functions, xi_N - g_N P_N and p = xi_F - g P_F with g_N = 1/r_N = G_NN
// and g = 1/r_F the largest diagonal entry of G_FF unless the problem prescribes r, assign each law
// a mode (GA's sets B and D, (133), (139)). The step solves the linear equations of these modes for
// the new P:
//   open:      P_N = 0, P_F = 0
//   stick:     xi_N = 0, xi_F = 0
//   direction: xi_N = 0, P_F = -R n              for n known: sliding, or one row and n = sign(p)
//   slip:      xi_N = 0, g (I - rho T) P_F + g R n + rho T xi_F = 0        n = p / |p|
// with R = mu P_N or the bound. The last is (137) differentiated exactly: the derivative of
// R p / |p| is n dR + rho T dp, rho = g R_old / |p| < 1, T = I - n n^T, and T p = 0 cancels all
// old values but n and rho. Percussions that are zero or in proportion to P_N are eliminated; rows
// and columns are scaled by 1/sqrt(G_ii), which makes the matrix independent of units and masses.
//
// Dependent force directions make the matrix singular although xi is unique: the smallest pivot
// tells, and contact_proximal.c chooses among the solutions.
#include "solvers/contact_newton.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "linalg/lu.h"

// A factorisation costs as much as many steps with the same factors if it has at least so many rows
enum { REPEATED_ROWS = 24 };

static const double PROGRESS_OF_REPEATED = 0.1;  // of the error, per step

static double entry(const ContactProblem* problem, int i, int j) {
    return problem->G.dense[(size_t)j * (size_t)problem->m + (size_t)i];
}

// 1/r of the friction rows
static double friction_g(const ContactProblem* problem, const ContactLaw* law) {
    double g = 0.0;
    for (int i = contact_law_friction_at(law); i < contact_law_friction_at(law) + law->n_F; i++) {
        g = fmax(g, entry(problem, i, i));
    }
    return problem->r > 0.0 && g > 0.0 ? 1.0 / problem->r : g;
}

// The arguments of the prox functions at P, zero where G_ii = 0.
static void fill_trial(const ContactProblem* problem, const double* P, double* trial) {
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const int F = contact_law_friction_at(law);
        const double g = friction_g(problem, law);
        contact_problem_xi(problem, k, P, trial + law->at);
        for (int i = law->at; i < F + law->n_F; i++) {
            const double G_ii = entry(problem, i, i);
            const double g_N = problem->r > 0.0 ? 1.0 / problem->r : G_ii;
            trial[i] = G_ii > 0.0 ? trial[i] - (i < F ? g_N : g) * P[i] : 0.0;
        }
    }
}

static LawMode law_mode(const ContactProblem* problem, const ContactLaw* law, const double* trial,
                        const double* P) {
    const int F = contact_law_friction_at(law);
    LawMode m = {.mode = MODE_DIRECTION, .g = friction_g(problem, law)};
    if (law->normal && !(trial[law->at] < 0.0)) {
        m.mode = MODE_OPEN;
        return m;
    }
    const double R = contact_law_radius(law, P);
    if (law->slides) {
        for (int i = 0; i < law->n_F; i++) {
            m.n[i] = entry(problem, F + i, F + i) > 0.0 ? law->slip[i] : 0.0;
        }
        return m;
    }
    if (!contact_law_has_friction(law)) {
        return m;  // P_F = 0
    }
    double size = 0.0;
    for (int i = 0; i < law->n_F; i++) {
        size += trial[F + i] * trial[F + i];
    }
    size = sqrt(size);
    if (size <= m.g * R) {
        m.mode = MODE_STICK;
        return m;
    }
    for (int i = 0; i < law->n_F; i++) {
        m.n[i] = trial[F + i] / size;
    }
    m.rho = m.g * R / size;
    m.mode = law->n_F == 1 ? MODE_DIRECTION : MODE_SLIP;
    return m;
}

// The modes of all laws; places[i] is the place of percussion i, and of its equation, in the
// reduced system, or -1.
static int choose_modes(const ContactProblem* problem, const ContactScratch* scratch,
                        const double* P) {
    int size = 0;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        scratch->modes[k] = law_mode(problem, law, scratch->xi, P);
        const Mode mode = scratch->modes[k].mode;
        const int F = contact_law_friction_at(law);
        for (int i = law->at; i < F + law->n_F; i++) {
            const bool kept = i < F ? mode != MODE_OPEN : mode == MODE_STICK || mode == MODE_SLIP;
            scratch->places[i] = kept && entry(problem, i, i) > 0.0 ? size++ : -1;
        }
    }
    return size;
}

// column += factor G(:, j) on the rows kept
static void add_column(const ContactProblem* problem, const int* place, int j, double factor,
                       double* column) {
    for (int i = 0; i < problem->m; i++) {
        if (place[i] >= 0) {
            column[place[i]] += factor * entry(problem, i, j);
        }
    }
}

// A x = -b: xi = 0 on all rows kept, with P_F = -R n where the direction is known.
static void fill_xi(const ContactProblem* problem, const ContactScratch* scratch, int size) {
    const int* place = scratch->places;
    for (size_t i = 0; i < (size_t)size * (size_t)size; i++) {
        scratch->A[i] = 0.0;
    }
    for (int i = 0; i < problem->m; i++) {
        if (place[i] >= 0) {
            scratch->x[place[i]] = -problem->b[i];
        }
    }
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const LawMode* m = &scratch->modes[k];
        const int F = contact_law_friction_at(law);
        for (int j = law->at; j < F + law->n_F; j++) {
            if (place[j] >= 0) {
                add_column(problem, place, j, 1.0, scratch->A + (size_t)place[j] * (size_t)size);
            }
        }
        for (int i = 0; m->mode == MODE_DIRECTION && i < law->n_F; i++) {
            if (!law->normal) {
                add_column(problem, place, F + i, law->bound * m->n[i], scratch->x);
            } else if (place[law->at] >= 0 && m->n[i] != 0.0) {
                add_column(problem, place, F + i, -law->mu * m->n[i],
                           scratch->A + (size_t)place[law->at] * (size_t)size);
            }
        }
    }
}

// v_F := rho T v_F for the friction rows of one column
static void project(const LawMode* m, const int* place, int n_F, double* column) {
    double along = 0.0;
    for (int i = 0; i < n_F; i++) {
        along += place[i] >= 0 ? m->n[i] * column[place[i]] : 0.0;
    }
    for (int i = 0; i < n_F; i++) {
        if (place[i] >= 0) {
            column[place[i]] = m->rho * (column[place[i]] - along * m->n[i]);
        }
    }
}

// Turns xi_F = 0 into the equation of slip: g (I - rho T) P_F + g R n + rho T xi_F = 0.
static void turn_into_slip(const ContactLaw* law, const LawMode* m, const ContactScratch* scratch,
                           int size) {
    const int* place = scratch->places + contact_law_friction_at(law);
    for (int c = 0; c < size; c++) {
        project(m, place, law->n_F, scratch->A + (size_t)c * (size_t)size);
    }
    project(m, place, law->n_F, scratch->x);
    for (int i = 0; i < law->n_F; i++) {
        if (place[i] < 0) {
            continue;
        }
        for (int j = 0; j < law->n_F; j++) {
            if (place[j] >= 0) {
                const double T = (i == j ? 1.0 : 0.0) - m->n[i] * m->n[j];
                scratch->A[(size_t)place[j] * (size_t)size + (size_t)place[i]] +=
                    m->g * ((i == j ? 1.0 : 0.0) - m->rho * T);
            }
        }
        if (!law->normal) {
            scratch->x[place[i]] -= m->g * law->bound * m->n[i];
        } else if (scratch->places[law->at] >= 0) {
            const int N = scratch->places[law->at];
            scratch->A[(size_t)N * (size_t)size + (size_t)place[i]] += m->g * law->mu * m->n[i];
        }
    }
}

// Fills the reduced system.
static void fill(const ContactProblem* problem, const ContactScratch* scratch, int size) {
    const int* place = scratch->places;
    fill_xi(problem, scratch, size);
    for (int k = 0; k < problem->n; k++) {
        if (scratch->modes[k].mode == MODE_SLIP) {
            turn_into_slip(&problem->laws[k], &scratch->modes[k], scratch, size);
        }
    }
    for (int i = 0; i < problem->m; i++) {
        if (place[i] >= 0) {
            const double scale = 1.0 / sqrt(entry(problem, i, i));
            const size_t at = (size_t)place[i];
            for (size_t c = 0; c < (size_t)size; c++) {
                scratch->A[c * (size_t)size + at] *= scale;  // row
                scratch->A[at * (size_t)size + c] *= scale;  // column
            }
            scratch->x[at] *= scale;
        }
    }
}

// The pivots are those of a matrix whose diagonal is about 1.
static Status solve(const ContactScratch* scratch, int size, double* smallest_pivot) {
    const Status status = lu_factor(size, scratch->A, scratch->pivots);
    if (status != STATUS_OK) {
        return status;
    }
    lu_solve(size, 1, scratch->A, scratch->pivots, scratch->x);
    for (int i = 0; i < size; i++) {
        const double inverse = fabs(scratch->A[(size_t)i * (size_t)size + (size_t)i]);
        *smallest_pivot = fmin(*smallest_pivot, 1.0 / inverse);
        if (!isfinite(scratch->x[i])) {
            return STATUS_SINGULAR;
        }
    }
    return STATUS_OK;
}

// The new P from the solution x of the reduced system and the modes of the old P, or its change
// from that of x and bounds of zero.
static void set_percussions(const ContactProblem* problem, const ContactScratch* scratch,
                            double bounds, double* P) {
    const double* x = scratch->x;
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const LawMode* m = &scratch->modes[k];
        const int F = contact_law_friction_at(law);
        double R = bounds * law->bound;
        if (law->normal) {
            const double G_NN = entry(problem, law->at, law->at);
            P[law->at] = m->mode != MODE_OPEN && G_NN > 0.0 ? *x++ / sqrt(G_NN) : 0.0;
            R = law->mu * P[law->at];
        }
        for (int i = 0; i < law->n_F; i++) {
            const double G_FF = entry(problem, F + i, F + i);
            P[F + i] = m->mode == MODE_DIRECTION ? -R * m->n[i] : 0.0;
            if ((m->mode == MODE_STICK || m->mode == MODE_SLIP) && G_FF > 0.0) {
                P[F + i] = *x++ / sqrt(G_FF);
            }
        }
    }
}

Status contact_newton_step(const ContactProblem* problem, const ContactScratch* scratch, double* P,
                           double* smallest_pivot) {
    *smallest_pivot = INFINITY;
    fill_trial(problem, P, scratch->xi);
    const int size = choose_modes(problem, scratch, P);
    assert(size <= problem->m);
    if (size > 0) {
        fill(problem, scratch, size);
        const Status status = solve(scratch, size, smallest_pivot);
        if (status != STATUS_OK) {
            *smallest_pivot = 0.0;
            return status;
        }
    }
    set_percussions(problem, scratch, 1.0, P);
    return STATUS_OK;
}

// The equations of the factors at P, with opposite sign, in x; false if a law has left its mode.
static bool fill_residual(const ContactProblem* problem, const ContactScratch* scratch,
                          const double* P) {
    fill_trial(problem, P, scratch->xi);
    for (int k = 0; k < problem->n; k++) {
        const ContactLaw* law = &problem->laws[k];
        const LawMode* m = &scratch->modes[k];
        const LawMode now = law_mode(problem, law, scratch->xi, P);
        const int F = contact_law_friction_at(law);
        if (now.mode != m->mode || (m->mode == MODE_DIRECTION && now.n[0] * m->n[0] < 0.0)) {
            return false;
        }
        const double R = contact_law_radius(law, P);
        for (int i = law->at; i < F + law->n_F; i++) {
            if (scratch->places[i] >= 0) {
                const double G_ii = entry(problem, i, i);
                const double g_N = problem->r > 0.0 ? 1.0 / problem->r : G_ii;
                const double residual = i >= F && m->mode == MODE_SLIP
                                            ? m->g * (P[i] + R * now.n[i - F])
                                            : scratch->xi[i] + (i < F ? g_N : m->g) * P[i];
                scratch->x[scratch->places[i]] = -residual / sqrt(G_ii);
            }
        }
    }
    return true;
}

static int size_of_system(const ContactProblem* problem, const ContactScratch* scratch) {
    int size = 0;
    for (int i = 0; i < problem->m; i++) {
        size += scratch->places[i] >= 0 ? 1 : 0;
    }
    return size;
}

bool contact_newton_again(const ContactProblem* problem, const ContactScratch* scratch, double* P) {
    if (!fill_residual(problem, scratch, P)) {
        return false;
    }
    lu_solve(size_of_system(problem, scratch), 1, scratch->A, scratch->pivots, scratch->x);
    set_percussions(problem, scratch, 0.0, scratch->xi);
    for (int i = 0; i < problem->m; i++) {
        P[i] += scratch->xi[i];
    }
    return true;
}

// Steps with the same factors from P, the best point, as long as they are worth their cost.
static void repeat(const ContactProblem* problem, const ContactScratch* scratch, double tolerance,
                   double* P, double* best) {
    double* P_try = scratch->P_try;
    bool progress = true;
    while (progress && *best > tolerance && contact_newton_again(problem, scratch, P_try)) {
        const double error = contact_problem_error(problem, P_try);
        progress = error < PROGRESS_OF_REPEATED * *best;
        if (error < *best) {
            memcpy(P, P_try, (size_t)problem->m * sizeof(double));
            *best = error;
        }
    }
    memcpy(P_try, P, (size_t)problem->m * sizeof(double));
}

NewtonResult contact_newton_solve(const ContactProblem* problem, const ContactScratch* scratch,
                                  const NewtonOptions* options, double* P) {
    const size_t size = (size_t)problem->m * sizeof(double);
    NewtonResult result = {.error = contact_problem_error(problem, P), .smallest_pivot = INFINITY};
    int idle = 0;
    memcpy(scratch->P_try, P, size);
    while (result.steps < options->maximum_steps && idle < options->patience) {
        if (result.error <= options->tolerance ||
            contact_newton_step(problem, scratch, scratch->P_try, &result.smallest_pivot) !=
                STATUS_OK) {
            break;
        }
        result.steps++;
        const double error = contact_problem_error(problem, scratch->P_try);
        idle++;
        if (error < result.error) {
            memcpy(P, scratch->P_try, size);
            result.error = error;
            idle = 0;
            if (size_of_system(problem, scratch) >= REPEATED_ROWS) {
                repeat(problem, scratch, options->tolerance, P, &result.error);
            }
        }
    }
    return result;
}
