// Third-order Taylor arithmetic. For f(x(t)): d = f' x', dd = f'' x'^2 + f' x'',
// ddd = f''' x'^3 + 3 f'' x' x'' + f' x'''.
#include "expression/jet.h"

#include <math.h>

Jet jet_chain(Jet x, double f, double f1, double f2, double f3) {
    return (Jet){f, f1 * x.d, f2 * x.d * x.d + f1 * x.dd,
                 f3 * x.d * x.d * x.d + 3 * f2 * x.d * x.dd + f1 * x.ddd};
}

Jet jet_add(Jet a, Jet b) { return (Jet){a.v + b.v, a.d + b.d, a.dd + b.dd, a.ddd + b.ddd}; }

Jet jet_subtract(Jet a, Jet b) { return (Jet){a.v - b.v, a.d - b.d, a.dd - b.dd, a.ddd - b.ddd}; }

Jet jet_multiply(Jet a, Jet b) {
    return (Jet){a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd,
                 a.ddd * b.v + 3 * (a.dd * b.d + a.d * b.dd) + a.v * b.ddd};
}

// From q b = a, differentiated three times.
Jet jet_divide(Jet a, Jet b) {
    const double q = a.v / b.v;
    const double q_d = (a.d - q * b.d) / b.v;
    const double q_dd = (a.dd - 2 * q_d * b.d - q * b.dd) / b.v;
    return (Jet){q, q_d, q_dd, (a.ddd - 3 * (q_dd * b.d + q_d * b.dd) - q * b.ddd) / b.v};
}

Jet jet_power(Jet a, Jet b) {
    const double f = pow(a.v, b.v);
    if (b.d == 0 && b.dd == 0 && b.ddd == 0) {  // the power rule, which also holds for a <= 0
        const double c2 = b.v * (b.v - 1), c3 = c2 * (b.v - 2);  // 0 wins, even at a pole of pow
        const double f1 = b.v == 0 ? 0 : b.v * pow(a.v, b.v - 1);
        const double f2 = c2 == 0 ? 0 : c2 * pow(a.v, b.v - 2);
        const double f3 = c3 == 0 ? 0 : c3 * pow(a.v, b.v - 3);
        return jet_chain(a, f, f1, f2, f3);
    }
    // a^b = exp(w), w = b log(a)
    const Jet w = jet_multiply(b, jet_log(a));
    return jet_chain(w, f, f, f, f);
}

Jet jet_atan2(Jet y, Jet x) {
    // Scaled by the larger component, so that the squares neither overflow nor vanish.
    const double scale = fmax(fabs(x.v), fabs(y.v));
    const double c = x.v / scale, s = y.v / scale, r2 = c * c + s * s;
    const double c_d = x.d / scale, c_dd = x.dd / scale, s_d = y.d / scale, s_dd = y.dd / scale;
    // From r2 angle' = c s' - s c', differentiated twice; the halves of r2' and r2'':
    const double radial = c * c_d + s * s_d;
    const double radial_d = c_d * c_d + s_d * s_d + c * c_dd + s * s_dd;
    const double d = (c * s_d - s * c_d) / r2;
    const double dd = (c * s_dd - s * c_dd - 2 * d * radial) / r2;
    const double turn = (c * y.ddd - s * x.ddd) / scale + c_d * s_dd - s_d * c_dd;
    return (Jet){atan2(y.v, x.v), d, dd, (turn - 4 * dd * radial - 2 * d * radial_d) / r2};
}

Jet jet_negate(Jet x) { return (Jet){-x.v, -x.d, -x.dd, -x.ddd}; }

Jet jet_sin(Jet x) {
    const double s = sin(x.v), c = cos(x.v);
    return jet_chain(x, s, c, -s, -c);
}

Jet jet_cos(Jet x) {
    const double c = cos(x.v), s = sin(x.v);
    return jet_chain(x, c, -s, -c, s);
}

Jet jet_tan(Jet x) {
    const double f = tan(x.v), f1 = 1 + f * f;
    return jet_chain(x, f, f1, 2 * f * f1, 2 * f1 * (1 + 3 * f * f));
}

Jet jet_asin(Jet x) {
    // (1-x)(1+x) keeps the digits that 1-x^2 loses near the ends.
    const double f1 = 1 / sqrt((1 - x.v) * (1 + x.v)), cube = f1 * f1 * f1;
    return jet_chain(x, asin(x.v), f1, x.v * cube, (1 + 2 * x.v * x.v) * cube * f1 * f1);
}

Jet jet_acos(Jet x) {
    const double f1 = -1 / sqrt((1 - x.v) * (1 + x.v)), cube = f1 * f1 * f1;
    return jet_chain(x, acos(x.v), f1, x.v * cube, (1 + 2 * x.v * x.v) * cube * f1 * f1);
}

Jet jet_atan(Jet x) {
    const double f1 = 1 / (1 + x.v * x.v), part = x.v * f1;  // part * x.v <= 1, also for large x
    return jet_chain(x, atan(x.v), f1, -2 * part * f1, 2 * f1 * f1 * (4 * part * x.v - 1));
}

Jet jet_sinh(Jet x) {
    const double s = sinh(x.v), c = cosh(x.v);
    return jet_chain(x, s, c, s, c);
}

Jet jet_cosh(Jet x) {
    const double c = cosh(x.v), s = sinh(x.v);
    return jet_chain(x, c, s, c, s);
}

Jet jet_tanh(Jet x) {
    // 1/cosh^2 keeps the digits that 1-tanh^2 loses for large arguments.
    const double f = tanh(x.v), c = cosh(x.v), f1 = 1 / (c * c);
    return jet_chain(x, f, f1, -2 * f * f1, f1 * (4 * f * f - 2 * f1));
}

Jet jet_exp(Jet x) {
    const double f = exp(x.v);
    return jet_chain(x, f, f, f, f);
}

Jet jet_log(Jet x) {
    const double f1 = 1 / x.v;
    return jet_chain(x, log(x.v), f1, -f1 * f1, 2 * f1 * f1 * f1);
}

Jet jet_log10(Jet x) {
    static const double log_10 = 2.30258509299404568402;
    const double f1 = 1 / (x.v * log_10);
    return jet_chain(x, log10(x.v), f1, -f1 / x.v, 2 * f1 / x.v / x.v);
}

Jet jet_sqrt(Jet x) {
    const double f = sqrt(x.v), f1 = 0.5 / f;
    return jet_chain(x, f, f1, -0.5 * f1 / x.v, 0.75 * f1 / x.v / x.v);
}

Jet jet_abs(Jet x) {
    const double side = x.v < 0 ? -1 : 1;
    return (Jet){fabs(x.v), side * x.d, side * x.dd, side * x.ddd};
}
