// Rotation vectors and how rotations change with them, for double (..._real) and Dual (..._dual).
#pragma once

#include "linalg/vec3.h"

// a, b, c, b_x and c_x of rotation_vector.inc
enum { TURN_A, TURN_B, TURN_C, TURN_B_X, TURN_C_X, N_TURN_FACTORS };
// ... and their second derivatives in x
enum { TURN_B_XX = N_TURN_FACTORS, TURN_C_XX, N_ALL_TURN_FACTORS };
enum { TURN_MAX_TERMS = 18 };
extern const double TURN_SERIES[N_ALL_TURN_FACTORS][TURN_MAX_TERMS];

// How many terms of the series are more than rounding: those beyond are below 1e-17 of the first.
// The largest x is that of the interpolation between rotations of at most half a turn each,
// (9/8 pi)^2.
static inline int turn_terms(double x) { return x < 0.01 ? 6 : x < 0.5 ? 10 : TURN_MAX_TERMS; }

#include "linalg/real.inc"
#include "elements/rotation_vector.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/rotation_vector.inc"
#include "linalg/undefine.inc"

// All factors
static inline void turn_all_factors(double x, double* k) {
    const int n = turn_terms(x);
    for (int i = 0; i < N_ALL_TURN_FACTORS; i++) {
        k[i] = real_polynomial(TURN_SERIES[i], n, x);
    }
}

// The derivative of T(Phi)^T m along dPhi = w: T^T is T of -Phi
static inline Vec3 tangent_transposed_change(const double* k, Vec3 Phi, Vec3 m, Vec3 w) {
    return scale3(-1.0, tangent_change_real(k, scale3(-1.0, Phi), m, w));
}

// The second derivative in Phi of m . T(Phi) v = m.v - b Phi.p + c r, with p = v x m and
// r = (Phi.v) (Phi.m) - x m.v; k: all factors
Mat3 tangent_second_change(const double* k, Vec3 Phi, Vec3 v, Vec3 m);
