// Memory of the contact solver: one block that belongs to the caller.
#pragma once

#include <stddef.h>

#include "solvers/contact_law.h"

// The most rows of a problem for which there are dense matrices. Above it, only methods run that
// multiply by G.
enum { CONTACT_DENSE_ROWS = 600 };

// The most rows for which Newton's method comes before a regularisation: of more, force directions
// mostly depend on each other (measured on piles; the fewest rows are the fastest without).
enum { CONTACT_NEWTON_ROWS = 20 };

// The most rows for Lemke's algorithm and path following, which solve hard problems of few rows;
// for more they cost more than proximal points (measured).
enum { CONTACT_SMALL_ROWS = 60 };

// A law in the interior-point method
typedef struct InteriorLaw InteriorLaw;

// A law in Newton's method
typedef struct LawMode LawMode;

// Of Lemke's algorithm
typedef struct LemkeScratch {
    double* tableau;  // (N x (N + 2)) row-major
    double* sizes;    // (m) sqrt(G_ii)
    double* v;        // (m) of the reflections whose columns are the directions of friction
    int* rows;        // (N) variable that is basic in the row
    int* columns;     // (N + 1) variable that belongs to the column
    int* unknowns;    // (N) what the z of that number stands for
    bool* basic;      // (2N + 1) is the variable of that number basic?
    int N;            // complementary pairs for which there is room
} LemkeScratch;

// Of path following, n = m + 1
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
    int n;              // laws and
    int m;              // rows for which there is room
    int m_dense;        // rows for which there is room in A and G_near
    double* P_try;      // (m) of Newton's method and of sweeps
    double* P_near;     // (m) of the proximal-point method
    double* P_anchor;   // (m)
    double* P_start;    // (m), as P_anchor; of sweeps where a pair of them began
    double* P_before;   // (m) what other methods had found; of sweeps where a pair ended
    double* P_back;     // (m) where proximal points go back to
    double* x;          // (m)
    double* roots;      // (m) of the diagonal of A
    double* xi;         // (m)
    double* b_near;     // (m) b and G with a proximal term
    double* G_near;     // (m_dense x m_dense)
    double* A;          // (m_dense x m_dense) matrix of a linear system
    int* pivots;        // (m)
    int* places;        // (m) of percussions in the linear system of Newton's method, or -1
    LawMode* modes;     // (n)
    InteriorLaw* laws;  // (n)
    LemkeScratch lemke;
    PathScratch path;
} ContactScratch;

// Bytes of the block for problems of up to n laws and m rows
size_t contact_scratch_size(int n, int m);

// Divides a block of that size, aligned as by malloc.
ContactScratch contact_scratch_lay(void* block, int n, int m);
