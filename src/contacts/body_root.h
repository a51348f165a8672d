// The root of a free body's mass, M = L L^T: velocities y = L^T u are those of a body of mass one.
#pragma once

#include "system/properties.h"
#include "system/system.h"

typedef struct BodyRoot {
    Range u;              // its velocities; none: the assembly is not one free body
    const int* twist;     // (u.n) where each is in its six: translations, rotations
    int frame;            // of the body
    bool in_space;        // it has all three translations
    double s;             // one over the root of its mass
    double L_inverse[6];  // of its inertia, by rows: 00, 10, 11, 20, 21, 22; zero for rotations
                          // that it has not
} BodyRoot;
static inline bool body_root_is_free(const BodyRoot* root) { return root->u.n > 0; }

// M (u.n x u.n): its mass
BodyRoot body_root_make(const Element* body, const double* M);

// x (3) = L^-1 x, and L^-T x, of rotations
static inline void body_root_scale(const double* L, double* x) {
    x[2] = L[3] * x[0] + L[4] * x[1] + L[5] * x[2];
    x[1] = L[1] * x[0] + L[2] * x[1];
    x[0] = L[0] * x[0];
}
static inline void body_root_unscale(const double* L, double* x) {
    x[0] = L[0] * x[0] + L[1] * x[1] + L[3] * x[2];
    x[1] = L[2] * x[1] + L[4] * x[2];
    x[2] = L[5] * x[2];
}
