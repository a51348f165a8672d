// B-splines on knots that are evenly spaced but for those at the two ends, which have as many as
// the degree says more (open knots): the curve begins at its first control point and ends at its
// last.
#pragma once

enum { SPLINE_MAX_DEGREE = 5, SPLINE_MAX_FUNCTIONS = SPLINE_MAX_DEGREE + 1 };
enum { GAUSS_MAX_POINTS = 10 };

// N and its first two derivatives in the arc length, of the functions that are not zero in one
// element
typedef struct SplineFunctions {
    double N[SPLINE_MAX_FUNCTIONS], N_s[SPLINE_MAX_FUNCTIONS], N_ss[SPLINE_MAX_FUNCTIONS];
} SplineFunctions;

// Those of the functions k ... k + degree, which are not zero in element k of n elements of length
// h, at x, 0 at the element's begin and 1 at its end
SplineFunctions spline_functions(int n, int degree, double h, int k, double x);
// Greville's abscissa of function i: with control points there, the curve is s itself
double spline_abscissa(int n, int degree, double h, int i);

// Gauss' rule of n points on 0 ... 1
typedef struct GaussRule {
    int n;
    double x[GAUSS_MAX_POINTS], w[GAUSS_MAX_POINTS];
} GaussRule;
GaussRule gauss_rule(int n);
