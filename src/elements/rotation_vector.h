// Rotation vectors and how rotations change with them, for double (..._real) and Dual (..._dual).
#pragma once

#include "linalg/vec3.h"

// a, b, c, b_x and c_x of rotation_vector.inc
enum { TURN_A, TURN_B, TURN_C, TURN_B_X, TURN_C_X, N_TURN_FACTORS };
enum { TURN_MAX_TERMS = 18 };
extern const double TURN_SERIES[N_TURN_FACTORS][TURN_MAX_TERMS];

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
