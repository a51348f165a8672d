// The contact problem with a proximal term, of which other methods are made.
//
// With weights w_i = NORMAL_WEIGHT G_ii for normal rows and G_ii for friction rows, but no less
// than G_NN of the same contact (friction with a short arm is not cheap), the problem with
//   xi = (G + delta diag w) P + b - delta diag w P_a                                         (A)
// is regular.
#pragma once

#include "solvers/contact_newton.h"
#include "solvers/contact_rungs.h"

static inline size_t contact_solve_bytes(const ContactSolve* s) {
    return (size_t)s->problem->m * sizeof(double);
}

// Problem (A) in G_near and b_near, with the anchor P_a in P_anchor.
ContactProblem contact_near_problem(const ContactSolve* s, double delta);

// Gives problem (A) for this delta, which is in G_near and b_near, another anchor.
void contact_near_move(const ContactSolve* s, double delta, const double* P_a);

// Solves (A) from P_near by Newton's method or else, if that is wanted, by interior points and
// Newton. The result has the steps and the error of the last use of Newton's method; if that is
// within the tolerance, A of scratch has the factors of its last step.
NewtonResult contact_near_solve(ContactSolve* s, const ContactProblem* near,
                                const NewtonOptions* options, bool interior);
