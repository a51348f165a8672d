// Body-fixed frames: position, orientation, velocity. Velocities are (v, Omega), v in the world
// frame, Omega in the body frame, together the twist (6); infinitesimal displacements (dr, dtheta)
// are measured likewise: dR = R dtheta~. Every derivative "in q" of an element is one in these six
// directions; what a body's coordinates make of them is the body's affair.
#pragma once

#include <stdbool.h>

#include "linalg/vec3.h"

enum { TWIST_SIZE = 6 };

typedef struct Frame {
    Vec3 r;        // origin: the centre of mass of a body
    Mat3 R;        // orientation
    Vec3 v;        // velocity of the origin
    Vec3 Omega;    // angular velocity, in the body frame
    Vec3 a, Psi;   // accelerations that no u' makes: of driven frames, and T' u of points
    double angle;  // of a frame of the plane: about z, not reduced to one turn
} Frame;
typedef struct DualFrame {
    DualVec3 r;
    DualMat3 R;
    DualVec3 v, Omega, a, Psi;
    Dual angle;
} DualFrame;

// What is wanted of a point or direction beside itself: its velocity, its acceleration
typedef enum Rates { RATES_NONE, RATES_VELOCITY, RATES_ACCELERATION } Rates;

#include "linalg/real.inc"
#include "elements/frame.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/frame.inc"
#include "linalg/undefine.inc"

#define FRAME_FUNCTION(name, f) \
    _Generic((f), const Frame* : name##_real, const DualFrame* : name##_dual)
#define frame_point(f, rho, rates) FRAME_FUNCTION(frame_point, f)(f, rho, rates)
#define frame_axis(f, epsilon, rates) FRAME_FUNCTION(frame_axis, f)(f, epsilon, rates)
#define point_row(p, sign, d, W) \
    _Generic((p), const Point* : point_row_real, const DualPoint* : point_row_dual)(p, sign, d, W)
#define axis_row(e, sign, d, W) \
    _Generic((e), const Axis* : axis_row_real, const DualAxis* : axis_row_dual)(e, sign, d, W)

// The frame as a dual number: displaced along twist component j with derivative 1 (j < 0: not at
// all), and with its velocity changed along component k (k < 0: not).
DualFrame frame_vary(const Frame* frame, int j, int k);
// Likewise along a twist (TWIST_SIZE): displaced, or with changed velocity.
DualFrame frame_vary_along(const Frame* frame, const double* twist, bool velocity);
// The frame as a dual number that moves with its velocity: derivatives are then those in time.
DualFrame frame_move(const Frame* frame);
