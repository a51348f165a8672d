// Third-order Taylor arithmetic: each operation carries a value and its first three time
// derivatives through the chain rule, exactly but for rounding.
#pragma once

#include "expression/expression.h"

// The chain rule; f, f1, f2, f3 are a function and its derivatives at x.v.
Jet jet_chain(Jet x, double f, double f1, double f2, double f3);

Jet jet_add(Jet a, Jet b);
Jet jet_subtract(Jet a, Jet b);
Jet jet_multiply(Jet a, Jet b);
Jet jet_divide(Jet a, Jet b);
Jet jet_power(Jet a, Jet b);
Jet jet_atan2(Jet y, Jet x);
Jet jet_negate(Jet x);

Jet jet_sin(Jet x);
Jet jet_cos(Jet x);
Jet jet_tan(Jet x);
Jet jet_asin(Jet x);
Jet jet_acos(Jet x);
Jet jet_atan(Jet x);
Jet jet_sinh(Jet x);
Jet jet_cosh(Jet x);
Jet jet_tanh(Jet x);
Jet jet_exp(Jet x);
Jet jet_log(Jet x);
Jet jet_log10(Jet x);
Jet jet_sqrt(Jet x);
Jet jet_abs(Jet x);
