// One frame of space as a body's or a node's coordinates: q = (r, p), p a unit quaternion with its
// real part first, and u = (v, Omega), Omega in the frame. Lengths of p other than 1 mean the same.
#pragma once

#include "elements/element.h"

enum { SPATIAL_NQ = 7, SPATIAL_NU = TWIST_SIZE };

extern const NodeFunctions spatial_node;

// Carries a frame and its velocity from the coordinates of a part into those of the mechanism.
void spatial_node_carry(const Pose* pose, double* q, double* u);

static inline Vec3 vector_from(const double* x) { return (Vec3){x[0], x[1], x[2]}; }

static inline void vector_to(Vec3 a, double* x) {
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

// R(p/|p|), by columns
static inline Mat3 quaternion_rotation(const double* p) {
    const double s = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    const double xx = s * p[1] * p[1], yy = s * p[2] * p[2], zz = s * p[3] * p[3];
    const double xy = s * p[1] * p[2], xz = s * p[1] * p[3], yz = s * p[2] * p[3];
    const double wx = s * p[0] * p[1], wy = s * p[0] * p[2], wz = s * p[0] * p[3];
    return (Mat3){{{1.0 - yy - zz, xy + wz, xz - wy},
                   {xy - wz, 1.0 - xx - zz, yz + wx},
                   {xz + wy, yz - wx, 1.0 - xx - yy}}};
}

// The unit quaternion p (4) of a rotation vector: axis times angle
void quaternion_of(Vec3 rotation_vector, double* p);
// p_1 o p_2, and the rotation vector, of at most half a turn, of conj(p_1) o p_2
void quaternion_product(const double* p_1, const double* p_2, double* product);
Vec3 quaternion_difference(const double* p_1, const double* p_2);
