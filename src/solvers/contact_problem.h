// The frictional contact problem of one step, in plain arrays.
//
// n laws, law k with one normal row (if it has one) followed by n_F friction rows, m rows in all:
//   xi = G P + b
//   0 <= xi_N  complementary to  P_N >= 0                            Signorini, Newton's impact law
//   xi_F in the normal cone of the ball of radius R_k at -P_F         Coulomb type friction
// with R_k = mu P_N for a law with a normal row, R_k = bound otherwise (friction in a joint).
// G = W^T A^-1 W (Delassus matrix), (m x m), is positive semidefinite up to small unsymmetric parts
// and singular when force directions depend linearly on each other. The same problem with
// accelerations and forces in place of velocities and percussions gives the accelerations at an
// instant; laws that slide already then have a known direction (slip): P_F = -R_k slip.
#pragma once

#include "solvers/contact_operator.h"

typedef struct ContactProblem {
    int n;                   // laws
    int m;                   // rows
    const ContactLaw* laws;  // (n)
    ContactOperator G;
    const double* b;  // (m)
    double scale;     // size of P in the norm sqrt(P^T G P) against which errors are relative
    // r > 0 of the prox functions that choose the modes in Newton's method; 0: from the diagonal of
    // G. The solution does not depend on it, and the error measure takes no notice of it.
    double r;
} ContactProblem;

// xi (rows of law k) = G P + b on the rows of law k.
void contact_problem_xi(const ContactProblem* problem, int k, const double* P, double* xi);

// Violation of one law for given P and xi (its rows), G its diagonal entries: by how much the
// percussions would have to move, measured in the energy norm (prox form, GA (131), (137), with
// r = 1/G_ii, for friction r from the largest of its diagonal entries).
double contact_law_error(const ContactLaw* law, const double* G_diagonal, const double* P,
                         const double* xi);

// The worst violation over all laws divided by scale: the one error measure of the problem.
double contact_problem_error(const ContactProblem* problem, const double* P);

// The same, and which law it is.
double contact_problem_worst(const ContactProblem* problem, const double* P, int* worst_law);

// Solves law k alone for its P, the others held: by cases, exact where friction has one row, else
// to rounding by a local Newton method.
void contact_problem_solve_one(const ContactProblem* problem, int k, double* P);
