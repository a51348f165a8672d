// Dual numbers a + eps b for exact derivatives: the arithmetic of C's complex numbers with an
// imaginary part so small (2^-300 times the derivative) that its square vanishes in rounding. The
// kernels of elements are written once for a scalar type and compiled for double and for Dual.
#pragma once

#include <complex.h>
#include <math.h>

typedef double complex Dual;

static const double DUAL_UNIT = 0x1p-300;

static inline Dual dual_parts(double real, double imaginary) { return real + imaginary * I; }
static inline Dual dual_make(double value, double derivative) {
    return dual_parts(value, DUAL_UNIT * derivative);
}
static inline double dual_value(Dual x) { return creal(x); }
static inline double dual_derivative(Dual x) { return cimag(x) / DUAL_UNIT; }

static inline double real_value(double x) { return x; }
static inline double real_sqrt(double x) { return sqrt(x); }
static inline Dual dual_sqrt(Dual x) {
    const double root = sqrt(creal(x));
    return dual_parts(root, root > 0.0 ? cimag(x) / (2.0 * root) : 0.0);
}
static inline double real_atan2(double y, double x) { return atan2(y, x); }
static inline Dual dual_atan2(Dual y, Dual x) {
    const double a = creal(y);
    const double b = creal(x);
    return dual_parts(atan2(a, b), (b * cimag(y) - a * cimag(x)) / (a * a + b * b));
}

// The polynomial of the coefficients c (n) at x
static inline double real_polynomial(const double* c, int n, double x) {
    double sum = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        sum = c[i] + x * sum;
    }
    return sum;
}
static inline Dual dual_polynomial(const double* c, int n, Dual x) {
    double sum = 0.0;
    double slope = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        slope = sum + creal(x) * slope;
        sum = c[i] + creal(x) * sum;
    }
    return dual_parts(sum, slope * cimag(x));
}

#define scalar_polynomial(c, n, x) \
    _Generic((x), double : real_polynomial, Dual : dual_polynomial)(c, n, x)
#define scalar_value(x) _Generic((x), double : real_value, Dual : dual_value)(x)
#define scalar_sqrt(x) _Generic((x), double : real_sqrt, Dual : dual_sqrt)(x)
#define scalar_atan2(y, x) _Generic((y), double : real_atan2, Dual : dual_atan2)(y, x)
