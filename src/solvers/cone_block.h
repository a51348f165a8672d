// Four contacts of free bodies that share none, side by side: what is done to one is done to the
// others in the same instructions (cone_block.inc). What a ConeLaw has once is here four times.
#pragma once

#include "solvers/cone_law.h"

enum { CONE_PLACES = 4 };

typedef struct ConeBlock {
    _Alignas(16) double D[CONE_ROWS][3][CONE_PLACES];
    double R_a[CONE_ROWS][3][CONE_PLACES];
    double R_b[CONE_ROWS][3][CONE_PLACES];
    double b[CONE_ROWS][CONE_PLACES];
    double P[CONE_ROWS][CONE_PLACES];
    double G_N[CONE_PLACES], G_F[CONE_PLACES], G_FN[2][CONE_PLACES];
    double r_N[CONE_PLACES], r_F[CONE_PLACES];  // one over G_N, G_F; 0 if these are
    double mu[CONE_PLACES];
    int bodies[2][CONE_PLACES];  // a, b; those of a place that is not used are 0
} ConeBlock;
