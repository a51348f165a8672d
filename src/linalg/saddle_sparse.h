// What saddle_sparse.c and saddle_sparse_solve.c share. Not for others.
#pragma once

#include "linalg/saddle_parts.h"

// Where the factors of the last factorisation are
typedef enum SaddleMethod {
    SADDLE_SCHUR,
    SADDLE_BAND,
    SADDLE_FACTORS,
    SADDLE_DENSE,
    SADDLE_PIVOTED
} SaddleMethod;

struct SaddleSparse {
    SaddlePattern pattern;
    SaddleSchur schur;      // if it is possible, without couplings
    SaddleBand band;        // with couplings or if schur is not possible, but this is
    SaddleFactors factors;  // the same if neither is
    SaddleMethod method;
    int n, n_c, n_all;
    int n_values;
    double* values;   // (n_values) as assembled: as laid out for schur, or those of the pattern
    double* entries;  // (n_entries) of the pattern; for schur they are filled when they are needed
    int* place;       // (n_entries) in the layout of schur
    double* couplings;   // (n_entries) what they add to the entries, if schur is possible
    bool has_border;     // B is filled in the layout of schur: it may differ from C
    bool has_couplings;  // of which some are not zero
    double* scaled;      // (n_entries) of what is pivoted
    double* scale;       // (n_all)
    double dependent;    // as SADDLE_DEPENDENT
    bool* dropped;       // (n_all) true for dependent rows of C
    int n_dropped;
    int next_call;  // of saddle_add in this assembly

    // of small systems
    bool is_small;
    SaddleDense* dense;
    SaddleNorm norm;

    // of large ones
    SaddlePivoted pivoted;
    double *w, *r, *p, *Gp;  // (n_c) of the conjugate gradients, zero unless dropped

    double *z, *rhs, *residual, *bound;  // (n_all)
};

static inline double saddle_larger(double a, double b) { return a > b ? a : b; }

// z (n_all) = K^-1 z or K^-T z with the factors as they are; zero where dropped, before and after.
void saddle_sparse_apply(SaddleSparse* sparse, bool is_transposed, double* z);
