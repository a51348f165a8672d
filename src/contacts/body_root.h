// The root of a free body's mass, M = L L^T: velocities y = L^T u are those of a body of mass one.
#pragma once

#include "system/properties.h"
#include "system/system.h"

typedef struct MassRoot {
    const double* M;      // (n x n) of this mass
    const int* twist;     // (n) where velocities are in a body's six: translations, rotations
    int n;                // velocities
    bool in_space;        // it has all three translations
    double s;             // one over the root of the mass
    double L_inverse[6];  // of the inertia, by rows: 00, 10, 11, 20, 21, 22; zero for rotations
                          // that it has not
} MassRoot;

typedef struct BodyRoot {
    const MassRoot* mass;  // NULL: the assembly is not one free body
    int u;                 // its first velocity
    int frame;             // of the body
} BodyRoot;
static inline bool body_root_is_free(const BodyRoot* root) { return root->mass != NULL; }

// The root of a body's mass
MassRoot mass_root_make(const Element* body, const double* M);

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
