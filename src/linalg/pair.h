// Two numbers that are worked on at once, in one register where the processor has such: an
// extension of C that gcc and clang share. Each number is what it would be by itself, to the last
// bit.
#pragma once

#include <math.h>

typedef double Pair __attribute__((vector_size(16)));
typedef long long PairMask __attribute__((vector_size(16)));  // all bits of a number, or none

static inline Pair pair_of_both(double x) { return (Pair){x, x}; }

// x where the mask is set, else y
static inline Pair pair_choose(PairMask mask, Pair x, Pair y) {
    return (Pair)((mask & (PairMask)x) | (~mask & (PairMask)y));
}
static inline Pair pair_larger(Pair x, Pair y) { return pair_choose(x > y, x, y); }
static inline Pair pair_sqrt(Pair x) { return (Pair){sqrt(x[0]), sqrt(x[1])}; }
static inline int pair_all(PairMask mask) { return (mask[0] & mask[1]) != 0; }
