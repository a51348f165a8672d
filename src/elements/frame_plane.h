// Frames of the plane z = 0 and what is fixed to them: the same as frame.inc in the three
// components that matter there, at a fraction of the cost. Rows have all columns, the others being
// zero.
#pragma once

#include "elements/element.h"
#include "linalg/vec2.h"

typedef struct PlanePoint {
    Vec2 arm;    // from the frame's origin
    Vec2 x;      // position
    Vec2 x_dot;  // velocity
    Vec2 bias;   // x'' but for what the accelerations of the frame contribute through the rows
} PlanePoint;

typedef struct PlaneAxis {
    Vec2 e;  // direction
    Vec2 e_dot;
    Vec2 bias;
} PlaneAxis;

static inline Vec2 vec2_of(Vec3 a) { return (Vec2){a.x, a.y}; }

// R a
static inline Vec2 plane_turn(const Frame* f, Vec3 a) {
    const Vec2 e = {f->R.e[0].x, f->R.e[0].y};  // cosine and sine of the angle
    return (Vec2){e.x * a.x - e.y * a.y, e.y * a.x + e.x * a.y};
}

static inline PlaneAxis plane_axis(const Frame* f, Vec3 epsilon, bool rates) {
    PlaneAxis axis = {.e = plane_turn(f, epsilon)};
    if (rates) {
        const double omega = f->Omega.z;
        axis.e_dot = scale2(omega, left2(axis.e));
        axis.bias = sub2(scale2(f->Psi.z, left2(axis.e)), scale2(omega * omega, axis.e));
    }
    return axis;
}

static inline PlanePoint plane_point(const Frame* f, Vec3 rho, bool rates) {
    const PlaneAxis arm = plane_axis(f, rho, rates);
    PlanePoint point = {.arm = arm.e, .x = add2(vec2_of(f->r), arm.e)};
    if (rates) {
        point.x_dot = add2(vec2_of(f->v), arm.e_dot);
        point.bias = add2(vec2_of(f->a), arm.bias);
    }
    return point;
}

// W (LOCAL_SIZE): a force d and a moment on the first frame, and on the second
static inline void plane_row(Vec2 d_a, double moment_a, Vec2 d_b, double moment_b, double* W) {
    W[0] = d_a.x;
    W[1] = d_a.y;
    W[2] = W[3] = W[4] = 0.0;
    W[5] = moment_a;
    W[TWIST_SIZE] = d_b.x;
    W[TWIST_SIZE + 1] = d_b.y;
    W[TWIST_SIZE + 2] = W[TWIST_SIZE + 3] = W[TWIST_SIZE + 4] = 0.0;
    W[TWIST_SIZE + 5] = moment_b;
}
