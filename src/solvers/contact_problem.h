// The frictional contact problem of one step, in plain arrays.
//
// n contacts, two unknown percussions each, ordered (P_N, P_F) per contact:
//   xi = G P + b
//   0 <= xi_N  complementary to  P_N >= 0                     Signorini and Newton's impact law
//   xi_F in the normal cone of [-mu P_N, mu P_N] at -P_F      Coulomb friction
// G = W^T A^-1 W (Delassus matrix) is positive semidefinite, singular when force directions depend
// linearly on each other. The same problem with accelerations and forces in place of velocities and
// percussions gives the accelerations at an instant; contacts that slide already then have a known
// direction (slip).
#pragma once

#include "base/status.h"

typedef struct ContactProblem {
    int n;                    // contacts
    const double* G;          // (2n x 2n) column-major
    const double* b;          // (2n)
    const double* mu;         // (n)
    const signed char* slip;  // (n) sign of the known sliding velocity, 0 where friction may stick;
                              // NULL: none is known
    double scale;  // size of P in the norm sqrt(P^T G P) against which errors are relative
} ContactProblem;

// Of Lemke's algorithm, N = 4n; all zero: it is not used.
typedef struct LemkeScratch {
    double* tableau;  // (N x (N + 2)) row-major
    int* rows;        // (N) variable that is basic in the row
    int* columns;     // (N + 1) variable that belongs to the column
    int* unknowns;    // (N) what the z of that number stands for
    double* sizes;    // (2n) sqrt(G_ii)
    int n;            // contacts for which there is room
} LemkeScratch;

typedef struct ContactScratch {
    double* P_try;      // (2n)
    double* A;          // (2n x 2n)
    double* x;          // (2n)
    int* pivots;        // (2n)
    signed char* mode;  // (n)
    LemkeScratch lemke;
} ContactScratch;

// xi = G P + b at row i.
double contact_problem_xi(const ContactProblem* problem, const double* P, int i);

// Violation of one contact's laws for given P and xi: by how much the percussions would have to
// move, measured in the energy norm (prox form, GA (131), (137), with r = 1/G_ii).
double contact_law_error(double G_NN, double G_FF, double mu, int slip, const double P[2],
                         const double xi[2]);

// The worst violation over all contacts divided by scale: the one error measure of the problem.
double contact_problem_error(const ContactProblem* problem, const double* P);

// Solves the laws of contact k alone for its P, the others held: exact, by cases.
void contact_problem_solve_one(const ContactProblem* problem, int k, double* P);
