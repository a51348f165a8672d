#include "elements/spline.h"

#include <math.h>

// Knot j of n elements of length 1
static double knot(int n, int degree, int j) { return fmin(fmax(j - degree, 0.0), n); }

// From the functions of degree d - 1 in element k to those of degree d (de Boor, Cox). Knots count
// from the element's begin, so that x is not rounded in long beams.
static SplineFunctions raise_degree(int n, int degree, int d, int k, double x,
                                    const SplineFunctions* low) {
    SplineFunctions high = {.N = {0.0}};
    for (int r = 0; r <= d; r++) {
        const int i = k + degree - d + r;
        const double first = knot(n, degree, i) - k;
        const double last = knot(n, degree, i + d + 1) - k;
        if (r > 0) {  // on the knots i ... i + d
            const double width = knot(n, degree, i + d) - k - first;
            high.N[r] += (x - first) / width * low->N[r - 1];
            high.N_s[r] += d / width * low->N[r - 1];
            high.N_ss[r] += d / width * low->N_s[r - 1];
        }
        if (r < d) {  // on the knots i + 1 ... i + d + 1
            const double width = last - (knot(n, degree, i + 1) - k);
            high.N[r] += (last - x) / width * low->N[r];
            high.N_s[r] -= d / width * low->N[r];
            high.N_ss[r] -= d / width * low->N_s[r];
        }
    }
    return high;
}

SplineFunctions spline_functions(int n, int degree, double h, int k, double x) {
    SplineFunctions f = {.N = {1.0}};
    for (int d = 1; d <= degree; d++) {
        f = raise_degree(n, degree, d, k, x, &f);
    }
    for (int i = 0; i <= degree; i++) {
        f.N_s[i] /= h;
        f.N_ss[i] /= h * h;
    }
    return f;
}

double spline_abscissa(int n, int degree, double h, int i) {
    double sum = 0.0;
    for (int j = 1; j <= degree; j++) {
        sum += knot(n, degree, i + j);
    }
    return h * sum / degree;
}

GaussRule gauss_rule(int n) {
    static const double PI = 3.14159265358979323846;
    static const int NEWTON_STEPS = 8;  // from these guesses, half of them reach rounding
    GaussRule rule = {.n = n};
    for (int i = 0; i < n; i++) {
        double z = -cos(PI * (i + 0.75) / (n + 0.5));
        double slope = 0.0;
        for (int step = 0; step < NEWTON_STEPS; step++) {
            double P = 1.0;  // Legendre's polynomials of degree j and j - 1 at z
            double P_before = 0.0;
            for (int j = 1; j <= n; j++) {
                const double P_next = ((2 * j - 1) * z * P - (j - 1) * P_before) / j;
                P_before = P;
                P = P_next;
            }
            slope = n * (z * P - P_before) / (z * z - 1.0);
            z -= P / slope;
        }
        rule.x[i] = 0.5 * (1.0 + z);
        rule.w[i] = 1.0 / ((1.0 - z * z) * slope * slope);
    }
    return rule;
}
