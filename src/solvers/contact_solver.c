#include "solvers/contact_solver.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "solvers/contact_newton.h"
#include "solvers/contact_rungs.h"

// A pivot below it tells that force directions depend on each other; rounding makes pivots of about
// 1e-15 where they do.
static const double DEPENDENT = 1e-11;

enum { NO_LAW = -1 };

// Relative size of percussions and velocities that count as none on the edge between modes: above
// the tolerances in use, far below what matters
static const double EDGE = 1e-9;

bool contact_solve_take(const ContactSolve* s, const double* P, double error) {
    if (!(error < s->info->error)) {
        return false;
    }
    memcpy(s->P, P, (size_t)s->problem->m * sizeof(double));
    s->info->error = error;
    s->info->rung = s->rung;
    return true;
}

bool contact_solve_keep(const ContactSolve* s, const double* P) {
    return contact_solve_take(s, P, contact_problem_error(s->problem, P));
}

// Does the friction of a closed contact neither stick nor slip: is it as large as it can be, and
// has no velocity to speak of to tell its direction?
static bool friction_is_on_edge(const ContactProblem* problem, int k, const double* P) {
    const ContactLaw* law = &problem->laws[k];
    const int F = contact_law_F(law);
    const double R = contact_law_radius(law, P);
    double size = 0.0;
    for (int i = F; i < F + law->n_F; i++) {
        size += P[law->at + i] * P[law->at + i];
    }
    if (!(R > 0.0) || law->slides || law->n_F == 0 || sqrt(size) <= (1.0 - EDGE) * R) {
        return false;
    }
    double xi[LAW_MAX_ROWS];
    double speed = 0.0;  // in the norm of energy
    contact_problem_xi(problem, k, P, xi);
    for (int i = F; i < F + law->n_F; i++) {
        const double G_ii = contact_operator_diagonal(&problem->G, law->at + i);
        speed += G_ii > 0.0 ? xi[i] * xi[i] / G_ii : 0.0;
    }
    return sqrt(speed) < EDGE * problem->scale;
}

// Is a law on the edge between two modes: neither a percussion nor a velocity to speak of tells
// whether it is open or closed, sticks or slips?
static bool is_on_edge(const ContactProblem* problem, int k, const double* P) {
    const ContactLaw* law = &problem->laws[k];
    if (!law->normal || P[law->at] > 0.0) {
        return friction_is_on_edge(problem, k, P);
    }
    const double G_NN = contact_operator_diagonal(&problem->G, law->at);
    const double least = EDGE * problem->scale;
    double xi[LAW_MAX_ROWS];
    contact_problem_xi(problem, k, P, xi);
    return G_NN > 0.0 && xi[0] * xi[0] < least * least * G_NN;
}

// Friction that joints keep from sliding, along rows that follow from the normal one, is not unique
// and would go one way or the other by rounding: that is left to the other rungs.
bool contact_solver_solve_one(const ContactProblem* problem, const ContactSolverOptions* options,
                              double* P, ContactSolverInfo* info) {
    *info = (ContactSolverInfo){.rung = CONTACT_CASES, .worst_law = NO_LAW, .sweeps = 1};
    contact_problem_solve_one(problem, 0, P);
    info->error = contact_problem_error(problem, P);
    return info->error <= options->tolerance && !friction_is_on_edge(problem, 0, P);
}

// The last matrix of Newton's method was regular: P is the only solution in its modes. It is the
// only one at all, nearby, if no law is on the edge to another mode.
static bool is_unique(const ContactSolve* s) {
    bool unique = !s->info->regularised;
    for (int k = 0; k < s->problem->n && unique; k++) {
        unique = !is_on_edge(s->problem, k, s->P);
    }
    return unique;
}

// True if solved and P is unique. A point that is good enough gets one Newton step, which tells
// whether it is.
static bool newton(ContactSolve* s) {
    const NewtonOptions options = {s->options->tolerance, s->options->maximum_iterations,
                                   NEWTON_PATIENCE};
    double* P = s->scratch->P_near;
    memcpy(P, s->P, (size_t)s->problem->m * sizeof(double));
    if (!contact_solve_done(s)) {  // a sweep gives Newton a better start
        for (int k = 0; k < s->problem->n; k++) {
            contact_problem_solve_one(s->problem, k, P);
        }
        s->info->sweeps++;
    }
    NewtonResult result = contact_newton_solve(s->problem, s->scratch, &options, P);
    (void)contact_solve_take(s, P, result.error);
    if (contact_solve_done(s) && result.steps == 0) {
        if (contact_newton_step(s->problem, s->scratch, P, &result.smallest_pivot) == STATUS_OK) {
            (void)contact_solve_keep(s, P);
        }
        result.steps = 1;
    }
    s->info->iterations += result.steps;
    s->info->regularised = s->info->regularised || result.smallest_pivot < DEPENDENT;
    return contact_solve_done(s) && is_unique(s);
}

typedef struct Rung {
    const char* name;
    int least_rows;
    int most_rows;
    bool dense;  // needs G as a matrix, or is for problems without
    bool (*solve)(ContactSolve* s);
} Rung;

// In the order in which they are tried, by ContactRung. One law by cases comes before them.
static const Rung RUNGS[] = {
    [CONTACT_CASES] = {"cases", 0, 0, false, NULL},
    [CONTACT_NEWTON] = {"newton", 1, CONTACT_NEWTON_ROWS, true, newton},
    [CONTACT_NEAR] = {"near", CONTACT_NEWTON_ROWS + 1, CONTACT_DENSE_ROWS, true, contact_near},
    [CONTACT_LEAST_NORM] = {"least norm", 1, CONTACT_DENSE_ROWS, true, contact_least_norm},
    [CONTACT_INTERIOR] = {"interior", 1, CONTACT_DENSE_ROWS, true, contact_interior},
    [CONTACT_PROXIMAL] = {"proximal", 1, CONTACT_DENSE_ROWS, true, contact_proximal},
    [CONTACT_LEMKE] = {"lemke", 1, CONTACT_SMALL_ROWS, true, contact_lemke},
    [CONTACT_PATH] = {"path", 1, CONTACT_SMALL_ROWS, true, contact_path},
    [CONTACT_SWEEPS] = {"sweeps", 1, INT_MAX, false, contact_sweeps},
};

enum { N_RUNGS = sizeof RUNGS / sizeof RUNGS[0] };

const char* contact_rung_name(ContactRung rung) { return RUNGS[rung].name; }

static bool applies(const Rung* rung, const ContactSolve* s) {
    const int m = s->problem->m;
    const bool dense = s->problem->G.dense != NULL && m <= s->scratch->m_dense;
    return m >= rung->least_rows && m <= rung->most_rows && dense == rung->dense;
}

// The start value as the best point so far; a start that overflowed is worth nothing.
static bool judge_start(const ContactSolve* s) {
    ContactSolverInfo* info = s->info;
    info->error = contact_problem_error(s->problem, s->P);
    if (!isfinite(info->error)) {
        memset(s->P, 0, (size_t)s->problem->m * sizeof(double));
        info->error = contact_problem_error(s->problem, s->P);
    }
    return isfinite(info->error);
}

Status contact_solver_solve(const ContactProblem* problem, const ContactSolverOptions* options,
                            const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    *info = (ContactSolverInfo){.rung = CONTACT_CASES, .worst_law = NO_LAW};
    ContactSolve s = {
        .problem = problem, .options = options, .scratch = scratch, .P = P, .info = info};
    if (problem->n == 1 && contact_solver_solve_one(problem, options, P, info)) {
        return STATUS_OK;
    }
    if (!judge_start(&s)) {
        return STATUS_NOT_FINITE;
    }
    bool done = problem->m == 0;
    for (int i = CONTACT_NEWTON; i < N_RUNGS && !done; i++) {
        s.rung = (ContactRung)i;
        done = applies(&RUNGS[i], &s) && RUNGS[i].solve(&s);
    }
    if (contact_solve_done(&s)) {
        return STATUS_OK;
    }
    (void)contact_problem_worst(problem, P, &info->worst_law);
    info->unsolvable = applies(&RUNGS[CONTACT_LEAST_NORM], &s) && contact_runs_away(&s);
    return STATUS_NO_CONVERGENCE;
}
