// One law of a cone problem (cone_problem.h) and the bodies that it moves.
#pragma once

#include <math.h>
#include <stdbool.h>

#include "solvers/contact_law.h"

// Body 0 does not move: s = 0, and its rows are zero.
typedef struct ConeBody {
    _Alignas(16) double y[6];  // scaled change of velocity: translation, rotation
    double s;                  // one over the root of the mass
    double unused;             // eight numbers: as long as a line of most caches
} ConeBody;

enum { CONE_ROWS = 3 };  // normal, two tangents

// A contact of two bodies that move freely, or of one. Rows that it does not have are zero.
typedef struct ConeLaw {
    double D[CONE_ROWS][3];    // directions of the rows: those of body a; minus those of body b
    double R_a[CONE_ROWS][3];  // rows of the scaled rotations of a ...
    double R_b[CONE_ROWS][3];  // ... and of b
    double b[CONE_ROWS];       // xi without percussions
    double P[CONE_ROWS];
    double G_N, G_F;  // W^T M^-1 W of the normal, the larger one of friction
    double G_FN[2];   // of friction with the normal
    double mu;
    int bodies[2];  // a, b
} ConeLaw;

// Its normal row alone
typedef struct ConeNormal {
    double D[3], R_a[3], R_b[3], b, G_N;
} ConeNormal;

// One side of another law: velocities of a body, or of an assembly of bodies that joints connect
typedef struct ConeSide {
    double* y;        // what changes, of a body or of the assembly with its joints
    int n;            // entries of W
    const int* at;    // (n) which of y they belong to; NULL: the first n
    const double* W;  // (n x LAW_MAX_ROWS)
    int n_V;          // entries of y that percussions change
    const double* V;  // (n_V x LAW_MAX_ROWS) by how much
} ConeSide;

// Any other law: with joined or flexible bodies, of friction in a joint, against drilling
typedef struct ConeWide {
    ContactLaw form;
    ConeSide sides[2];
    int n_sides;
    double b[LAW_MAX_ROWS];
    double P[LAW_MAX_ROWS];
    double G[LAW_MAX_ROWS];     // the diagonal of W^T V
    double from[LAW_MAX_ROWS];  // P where the present pair of sweeps began, ...
    double last[LAW_MAX_ROWS];  // ... and at the end of the one before (cone_momentum.h)
} ConeWide;

// Velocities of bodies that joints connect, or that deform: sides of wide laws share them.
typedef struct ConeJoined {
    double* y;     // (n)
    double* last;  // (n) at the end of the pair of sweeps before
    int n;
} ConeJoined;

// --- the set of percussions ---

// Percussions of a law, the normal one first, moved to the nearest that it allows. G_N and G_F are
// the measures of normal and friction rows; relaxed: to the cone K, in the norm of
// G_N P_N^2 + G_F |P_F|^2, in which it is a cone of mu sqrt(G_F/G_N); otherwise first the normal
// one to P_N >= 0, then friction to the disc of radius mu P_N.
static inline void cone_project(double mu, double G_N, double G_F, bool relaxed, int n_F,
                                double* P) {
    double square = 0.0;
    for (int i = 1; i <= n_F; i++) {
        square += P[i] * P[i];
    }
    if (!relaxed) {
        P[0] = P[0] > 0.0 ? P[0] : 0.0;
    }
    if (P[0] >= 0.0 && square <= mu * mu * P[0] * P[0]) {
        return;
    }
    const double size = sqrt(square);
    if (relaxed) {
        const double slope = mu * G_F / G_N;
        const double along = P[0] + slope * size;
        P[0] = along > 0.0 ? along / (1.0 + mu * slope) : 0.0;
    }
    const double part = size > 0.0 ? mu * P[0] / size : 0.0;
    for (int i = 1; i <= n_F; i++) {
        P[i] *= part;
    }
}

// The square of a change of percussions in that norm, the larger of its two parts
static inline double cone_change(double G_N, double G_F, int n_F, const double* dP) {
    const double normal = G_N * dP[0] * dP[0];
    double friction = 0.0;
    for (int i = 1; i <= n_F; i++) {
        friction += G_F * dP[i] * dP[i];
    }
    return normal > friction ? normal : friction;
}

// --- any other law ---

// xi of its rows
void cone_wide_xi(const ConeWide* law, double* xi);
// What a change of its percussions moves
void cone_wide_push(const ConeWide* law, const double* dP);
// By how much its percussions have to move, likewise
void cone_wide_step(const ConeWide* law, bool relaxed, const double* xi, double* dP);
// The square of a change of them in the norm of energy
double cone_wide_change(const ConeWide* law, const double* dP);
// The largest G of its friction rows
double cone_wide_friction_G(const ConeWide* law);
// P of friction in a joint, moved into the ball of its bound
void cone_wide_bound(const ConeWide* law, double* P);
