// What tests of numerical parts share: random numbers that are the same in every run, derivatives
// by extrapolated differences, and comparison. Included by tests, each a program.
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// --- random numbers ---

// How often something is tried: a twentieth where the program is run by valgrind.
static inline int tries(int n) { return getenv("CLATTER_SLOW") != NULL ? n / 20 + 1 : n; }

// How many poses a pair of shapes is compared with its reference in: CLATTER_POSES, or so many
// tries
static inline int poses(int n) {
    const char* text = getenv("CLATTER_POSES");
    const int wanted = text != NULL ? atoi(text) : 0;
    return wanted > 0 ? wanted : tries(n);
}

static uint64_t random_state = 0x9E3779B97F4A7C15u;

// Other numbers, where CLATTER_SEED says so
__attribute__((constructor)) static void random_seed(void) {
    const char* text = getenv("CLATTER_SEED");
    random_state += text != NULL ? (uint64_t)atoll(text) * 0xD1342543DE82EF95u : 0u;
}

// xorshift64*
static inline uint64_t random_bits(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1Du;
}

static inline double random_in(double low, double high) {
    return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

// A whole number below n
static inline int random_below(int n) { return (int)(random_bits() % (uint64_t)n); }

// --- derivatives ---

// Derivative of a scalar function at 0: central differences at four distances, extrapolated to
// distance zero (error of order distance^8).
typedef double (*ScalarFunction)(void* context, double s);

static inline double derivative_at_zero(ScalarFunction f, void* context, double distance) {
    enum { LEVELS = 4 };
    double d[LEVELS];
    for (int i = 0; i < LEVELS; i++, distance /= 2.0) {
        d[i] = (f(context, distance) - f(context, -distance)) / (2.0 * distance);
        double factor = 4.0;
        for (int j = i - 1; j >= 0; j--, factor *= 4.0) {
            d[j] = d[j + 1] + (d[j + 1] - d[j]) / (factor - 1.0);
        }
    }
    return d[0];
}

// Differences of eighth order from values at these multiples of a step: for many functions at once
enum { N_POINTS = 8 };
static const double POINTS[N_POINTS] = {-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0};
static const double STEP = 1e-4;

static inline double difference(const double f[N_POINTS]) {
    return (672.0 * (f[4] - f[3]) - 168.0 * (f[5] - f[2]) + 32.0 * (f[6] - f[1]) -
            3.0 * (f[7] - f[0])) /
           (840.0 * STEP);
}

// Of values that lie stride apart in memory
static inline double difference_of(const double* first, size_t stride) {
    double f[N_POINTS];
    for (size_t k = 0; k < N_POINTS; k++) {
        f[k] = first[k * stride];
    }
    return difference(f);
}

// --- comparison ---

// A derivative against differences
static inline void assert_near(const char* what, const char* of, double value, double expected) {
    if (!(fabs(value - expected) <= 5e-10 * (1.0 + fabs(expected)))) {
        fail_msg("%s of %s: %.15g, expected %.15g", what, of, value, expected);
    }
}

static inline void assert_close(double value, double expected, double tolerance, const char* what) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s: %.17g, expected %.17g +- %.3g", what, value, expected, tolerance);
    }
}
