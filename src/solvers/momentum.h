// What lets iterations begin ahead of where the last one ended, along the way that it came from the
// one before: x_k + beta_k (x_k - x_k-1), with Nesterov's beta_k, which grow until the way leads
// uphill (O'Donoghue and Candes 2015).
//
// Pairs of Gauss-Seidel sweeps, forwards and backwards, are such iterations: what a pair does
// without limits of the laws is one step along a gradient in a norm of its own, that of a symmetric
// matrix, which beta_k are for (Sun, Toh and Yang 2016); what a single sweep does is not.
#pragma once

#include <math.h>

// theta_k is 1 before the first iteration and after each one that led uphill; beta_k, and the next.
static inline double momentum_next(double* theta) {
    const double square = *theta * *theta;
    const double theta_1 = 0.5 * (*theta * sqrt(square + 4.0) - square);
    const double beta = *theta * (1.0 - *theta) / (square + theta_1);
    *theta = theta_1;
    return beta;
}

// Does an iteration from x_0 to x_1, after one that ended at last, lead uphill? So it does where a
// sum of these over all unknowns, each with the square of its size, is positive.
static inline double momentum_slope(double x_0, double x_1, double last) {
    return (x_0 - x_1) * (x_1 - last);
}

// x (n) goes on by beta of its way from last (n), which becomes what x was.
static inline void momentum_move(double beta, int n, double* x, double* last) {
    for (int i = 0; i < n; i++) {
        const double x_k = x[i];
        x[i] = x_k + beta * (x_k - last[i]);
        last[i] = x_k;
    }
}
