// What the rungs of the contact solver's ladder share.
#pragma once

#include "solvers/contact_solver.h"

typedef struct ContactSolve {
    const ContactProblem* problem;
    const ContactSolverOptions* options;
    const ContactScratch* scratch;
    double* P;  // (m) best point so far
    ContactSolverInfo* info;
    ContactRung rung;  // that is being tried
    bool factored;     // A has the factors of the Newton step with which the last (A) was solved
} ContactSolve;

// Takes P, with a known error, over as the best point if it is better.
bool contact_solve_take(const ContactSolve* s, const double* P, double error);
bool contact_solve_keep(const ContactSolve* s, const double* P);

static inline bool contact_solve_done(const ContactSolve* s) {
    return s->info->error <= s->options->tolerance;
}

// Delta of the first proximal point from a start value of which nothing is known
static const double CONTACT_DELTA = 1e-2;

enum { CONTACT_FEW_STEPS = 15 };  // enough for most problems, less than interior points cost

// Proximal points from P by most_steps Newton steps (contact_proximal.c).
void contact_solve_near(ContactSolve* s, const double* P, double delta, int most_steps,
                        bool careful);

// Newton steps from P, each of which must lessen the error (contact_damped.c).
void contact_solve_damped(ContactSolve* s, const double* P);

// Do percussions run away, in their cones, in a direction P with G P = 0
// and b.P < 0? Then the problem without slip has no solution.
bool contact_runs_away(ContactSolve* s);

// A rung improves the best point. It returns whether the work is done: that may not be so although
// the error is small, if percussions are not unique.
bool contact_near(ContactSolve* s);
bool contact_least_norm(ContactSolve* s);
bool contact_interior(ContactSolve* s);
bool contact_proximal(ContactSolve* s);
bool contact_lemke(ContactSolve* s);
bool contact_path(ContactSolve* s);
bool contact_sweeps(ContactSolve* s);
