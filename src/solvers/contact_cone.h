// The cone |x_F| <= x_0 in up to LAW_MAX_ROWS dimensions, which is its own dual (second-order cone;
// in one dimension the half line), its product x o y = (x.y, x_0 y_F + y_0 x_F), and the scaling of
// Nesterov and Todd: the symmetric W with W x = W^-1 y for x and y inside.
//
// With x' = x / sqrt(det x), y' = y / sqrt(det y), det x = x_0^2 - |x_F|^2 and J = diag(1, -1 ...):
//   w = (y' + J x') / |.|,  v = (w + e) / sqrt(2 (w_0 + 1)),  beta^4 = det y / det x,
//   W = beta (2 v v^T - J),  W^-1 = (2 Jv (Jv)^T - J) / beta,  W^2 = beta^2 (2 w w^T - J).
#pragma once

#include <math.h>

#include "solvers/contact_law.h"

typedef struct ConeScaling {
    int d;  // dimensions
    double beta;
    double w[LAW_MAX_ROWS];
    double v[LAW_MAX_ROWS];
} ConeScaling;

// x.J y
static inline double cone_product(int d, const double* x, const double* y) {
    double sum = x[0] * y[0];
    for (int i = 1; i < d; i++) {
        sum -= x[i] * y[i];
    }
    return sum;
}

// det x, without cancellation of squares
static inline double cone_det(int d, const double* x) {
    double square = 0.0;
    for (int i = 1; i < d; i++) {
        square += x[i] * x[i];
    }
    const double size = sqrt(square);
    return (x[0] - size) * (x[0] + size);
}

static inline ConeScaling cone_scaling(int d, const double* x, const double* y) {
    ConeScaling s = {.d = d};
    const double det_x = cone_det(d, x);
    const double det_y = cone_det(d, y);
    s.beta = sqrt(sqrt(det_y / det_x));
    for (int i = 0; i < d; i++) {
        s.w[i] = y[i] / sqrt(det_y) + (i == 0 ? x[i] : -x[i]) / sqrt(det_x);
    }
    const double size = sqrt(cone_det(d, s.w));
    for (int i = 0; i < d; i++) {
        s.w[i] /= size;
    }
    const double divisor = sqrt(2.0 * (s.w[0] + 1.0));
    for (int i = 0; i < d; i++) {
        s.v[i] = (s.w[i] + (i == 0 ? 1.0 : 0.0)) / divisor;
    }
    return s;
}

// y = W x
static inline void cone_scale(const ConeScaling* s, const double* x, double* y) {
    double along = 0.0;
    for (int i = 0; i < s->d; i++) {
        along += s->v[i] * x[i];
    }
    for (int i = 0; i < s->d; i++) {
        y[i] = s->beta * (2.0 * along * s->v[i] - (i == 0 ? x[i] : -x[i]));
    }
}

// y = W^-1 x
static inline void cone_unscale(const ConeScaling* s, const double* x, double* y) {
    const double along = cone_product(s->d, s->v, x);
    for (int i = 0; i < s->d; i++) {
        y[i] = (2.0 * along * (i == 0 ? s->v[i] : -s->v[i]) - (i == 0 ? x[i] : -x[i])) / s->beta;
    }
}

// Entry i, j of W^2
static inline double cone_square(const ConeScaling* s, int i, int j) {
    const double J = i != j ? 0.0 : i == 0 ? 1.0 : -1.0;
    return s->beta * s->beta * (2.0 * s->w[i] * s->w[j] - J);
}

// z = x o y
static inline void cone_multiply(int d, const double* x, const double* y, double* z) {
    double sum = 0.0;
    for (int i = 0; i < d; i++) {
        sum += x[i] * y[i];
    }
    for (int i = 1; i < d; i++) {
        z[i] = x[0] * y[i] + y[0] * x[i];
    }
    z[0] = sum;
}

// z with x o z = y
static inline void cone_divide(int d, const double* x, const double* y, double* z) {
    z[0] = cone_product(d, x, y) / cone_det(d, x);
    for (int i = 1; i < d; i++) {
        z[i] = (y[i] - z[0] * x[i]) / x[0];
    }
}

// The largest step with x + step dx in the cone
static inline double cone_reach(int d, const double* x, const double* dx) {
    const double a = cone_product(d, dx, dx);
    const double b = cone_product(d, x, dx);
    const double c = cone_det(d, x);
    const double square = b * b - a * c;
    const double divisor = square >= 0.0 ? sqrt(square) - b : 0.0;
    return divisor > 0.0 ? c / divisor : INFINITY;
}
