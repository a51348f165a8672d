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

#include <stdbool.h>

#include "base/status.h"

enum { LAW_MAX_F = 3, LAW_MAX_ROWS = 1 + LAW_MAX_F };

typedef struct ContactLaw {
    int at;       // its first row
    bool normal;  // has a normal row
    int n_F;      // friction rows, 0 ... LAW_MAX_F
    double mu;
    double bound;
    bool slides;             // the direction of sliding is known:
    double slip[LAW_MAX_F];  // unit vector
} ContactLaw;

typedef struct ContactProblem {
    int n;                   // laws
    int m;                   // rows
    const ContactLaw* laws;  // (n)
    const double* G;         // (m x m) column-major
    const double* b;         // (m)
    double scale;  // size of P in the norm sqrt(P^T G P) against which errors are relative
    // r > 0 of the prox functions that choose the modes in Newton's method; 0: from the diagonal of
    // G. The solution does not depend on it, and the error measure takes no notice of it.
    double r;
} ContactProblem;

// Of Lemke's algorithm; all zero: it is not used.
typedef struct LemkeScratch {
    double* tableau;  // (N x (N + 2)) row-major
    int* rows;        // (N) variable that is basic in the row
    int* columns;     // (N + 1) variable that belongs to the column
    int* unknowns;    // (N) what the z of that number stands for
    bool* basic;      // (2N + 1) is the variable of that number basic?
    double* sizes;    // (m) sqrt(G_ii)
    double* v;        // (m) of the reflections whose columns are the directions of friction
    int N;            // complementary pairs for which there is room
} LemkeScratch;

// Of path following, n = m + 1; all zero: it is not used.
typedef struct PathScratch {
    double* A;          // (n x n)
    double* z;          // (n) last point of the path: y, tau
    double* z_try;      // (n)
    double* tangent;    // (n)
    double* direction;  // (n)
    double* H;          // (n)
    double* x;          // (m)
    double* sizes;      // (m) sqrt(G_ii)
    int* pivots;        // (n)
    int m;              // rows for which there is room
} PathScratch;

typedef struct ContactScratch {
    double* P_try;   // (m)
    double* P_near;  // (m)
    double* A;       // (m x m)
    double* x;       // (m)
    double* xi;      // (m)
    int* pivots;     // (m)
    double* G_near;  // (m x m) G and b with a proximal term
    double* b_near;  // (m)
    LemkeScratch lemke;
    PathScratch path;
} ContactScratch;

// xi = G P + b at row i.
double contact_problem_xi(const ContactProblem* problem, const double* P, int i);

// Violation of one law for given P and xi (its rows), G its diagonal entries: by how much the
// percussions would have to move, measured in the energy norm (prox form, GA (131), (137), with
// r = 1/G_ii, for friction r from the largest of its diagonal entries).
double contact_law_error(const ContactLaw* law, const double* G_diagonal, const double* P,
                         const double* xi);

// The worst violation over all laws divided by scale: the one error measure of the problem.
double contact_problem_error(const ContactProblem* problem, const double* P);

// Solves law k alone for its P, the others held: by cases, exact where friction has one row, else
// to rounding by a local Newton method.
void contact_problem_solve_one(const ContactProblem* problem, int k, double* P);
