#include "solvers/contact_solver.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "solvers/contact_interior.h"
#include "solvers/contact_newton.h"
#include "solvers/contact_rungs.h"

// A pivot below it tells that force directions depend on each other; rounding makes pivots of about
// 1e-15 where they do.
static const double DEPENDENT = 1e-11;

bool contact_solve_keep(const ContactSolve* s, const double* P) {
    int worst_law;
    const double error = contact_problem_worst(s->problem, P, &worst_law);
    if (!(error < s->info->error)) {
        return false;
    }
    memcpy(s->P, P, (size_t)s->problem->m * sizeof(double));
    s->info->error = error;
    s->info->worst_law = worst_law;
    s->info->rung = s->rung;
    return true;
}

static bool cases(ContactSolve* s) {
    contact_problem_solve_one(s->problem, 0, s->P);
    s->info->error = contact_problem_error(s->problem, s->P);
    s->info->sweeps++;
    return contact_solve_done(s);
}

// Newton steps from P_near; true if solved and P is unique.
static bool newton_from(ContactSolve* s) {
    const NewtonOptions options = {s->options->tolerance, s->options->maximum_iterations};
    double* P = s->scratch->P_near;
    const NewtonResult result = contact_newton_solve(s->problem, s->scratch, &options, P);
    s->info->iterations += result.steps;
    (void)contact_solve_keep(s, P);
    if (result.smallest_pivot < DEPENDENT) {
        s->info->regularised = true;
    }
    return contact_solve_done(s) && !s->info->regularised;
}

// One Newton step beyond a point that is good enough tells whether it is unique.
static bool newton(ContactSolve* s) {
    double* P = s->scratch->P_near;
    memcpy(P, s->P, (size_t)s->problem->m * sizeof(double));
    if (contact_solve_done(s)) {
        double smallest_pivot = 0.0;
        const Status status = contact_newton_step(s->problem, s->scratch, P, &smallest_pivot);
        s->info->iterations++;
        s->info->regularised = status != STATUS_OK || smallest_pivot < DEPENDENT;
        (void)contact_solve_keep(s, P);
        return !s->info->regularised;
    }
    for (int k = 0; k < s->problem->n; k++) {  // a sweep gives Newton a better start
        contact_problem_solve_one(s->problem, k, P);
    }
    s->info->sweeps++;
    return newton_from(s);
}

static bool interior(ContactSolve* s) {
    double* P = s->scratch->P_near;
    if (s->info->regularised ||
        contact_interior_solve(s->problem, s->scratch, P, &s->info->interior_steps) ==
            STATUS_SINGULAR) {
        return false;
    }
    return newton_from(s);
}

typedef struct Rung {
    const char* name;
    int least_rows;
    int most_rows;
    bool dense;  // needs G as a matrix
    bool (*solve)(ContactSolve* s);
} Rung;

// In the order in which they are tried, by ContactRung. One law by cases comes before them.
static const Rung RUNGS[] = {
    [CONTACT_CASES] = {"cases", 0, 0, false, cases},
    [CONTACT_NEWTON] = {"newton", 1, CONTACT_DENSE_ROWS, true, newton},
    [CONTACT_INTERIOR] = {"interior", 1, CONTACT_DENSE_ROWS, true, interior},
    [CONTACT_PROXIMAL] = {"proximal", 1, CONTACT_DENSE_ROWS, true, contact_proximal},
    [CONTACT_SWEEPS] = {"sweeps", 1, INT_MAX, false, contact_sweeps},
};

enum { N_RUNGS = sizeof RUNGS / sizeof RUNGS[0] };

const char* contact_rung_name(ContactRung rung) { return RUNGS[rung].name; }

static bool applies(const Rung* rung, const ContactSolve* s) {
    const int m = s->problem->m;
    const bool dense = s->problem->G.dense != NULL && m <= s->scratch->m_dense;
    return m >= rung->least_rows && m <= rung->most_rows && (dense || !rung->dense);
}

// The start value as the best point so far; a start that overflowed is worth nothing.
static bool judge_start(const ContactSolve* s) {
    ContactSolverInfo* info = s->info;
    info->error = contact_problem_worst(s->problem, s->P, &info->worst_law);
    if (!isfinite(info->error)) {
        memset(s->P, 0, (size_t)s->problem->m * sizeof(double));
        info->error = contact_problem_worst(s->problem, s->P, &info->worst_law);
    }
    return isfinite(info->error);
}

Status contact_solver_solve(const ContactProblem* problem, const ContactSolverOptions* options,
                            const ContactScratch* scratch, double* P, ContactSolverInfo* info) {
    *info = (ContactSolverInfo){.rung = CONTACT_CASES};
    ContactSolve s = {
        .problem = problem, .options = options, .scratch = scratch, .P = P, .info = info};
    if (problem->n == 1 && cases(&s)) {
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
    return contact_solve_done(&s) ? STATUS_OK : STATUS_NO_CONVERGENCE;
}
