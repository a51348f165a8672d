// Four contacts of free bodies that share none, side by side: what is done to one is done to the
// others in the same instructions (cone_block.inc). What a ConeLaw has once is here four times.
#pragma once

#include "solvers/cone_law.h"

enum { CONE_PLACES = 4 };

typedef struct ConeBlockRow {
    double D[3][CONE_PLACES];
    double R_a[3][CONE_PLACES];
    double R_b[3][CONE_PLACES];
    double b[CONE_PLACES];
    double P[CONE_PLACES];
    double last[CONE_PLACES];  // P at the end of the pair of sweeps before (cone_momentum.h)
} ConeBlockRow;

// What a sweep over normals alone reads comes first.
typedef struct ConeBlock {
    _Alignas(16) int bodies[2][CONE_PLACES];    // a, b; those of a place that is not used are 0
    double G_N[CONE_PLACES], r_N[CONE_PLACES];  // r_N, r_F: one over G_N, G_F; 0 if these are
    ConeBlockRow rows[CONE_ROWS];
    double G_F[CONE_PLACES], r_F[CONE_PLACES], G_FN[2][CONE_PLACES];
    double mu[CONE_PLACES];
} ConeBlock;
