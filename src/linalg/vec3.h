// Vectors and matrices of space, by value, over double (Vec3, Mat3) and Dual (DualVec3, DualMat3);
// each function serves both.
#pragma once

#include "linalg/dual.h"

typedef struct Vec3 {
    double x, y, z;
} Vec3;
typedef struct DualVec3 {
    Dual x, y, z;
} DualVec3;
// Columns e[0], e[1], e[2]
typedef struct Mat3 {
    Vec3 e[3];
} Mat3;
typedef struct DualMat3 {
    DualVec3 e[3];
} DualMat3;

#include "linalg/real.inc"
#include "linalg/vec3.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "linalg/vec3.inc"
#include "linalg/undefine.inc"

#define VEC3_FUNCTION(name, a) _Generic((a), Vec3 : name##_real, DualVec3 : name##_dual)
#define MAT3_FUNCTION(name, a) _Generic((a), Mat3 : name##_real, DualMat3 : name##_dual)
#define add3(a, b) VEC3_FUNCTION(add3, a)(a, b)
#define sub3(a, b) VEC3_FUNCTION(sub3, a)(a, b)
#define scale3(s, a) VEC3_FUNCTION(scale3, a)(s, a)
#define dot3(a, b) VEC3_FUNCTION(dot3, a)(a, b)
#define cross3(a, b) VEC3_FUNCTION(cross3, a)(a, b)
#define length3(a) VEC3_FUNCTION(length3, a)(a)
#define turn3(R, a) MAT3_FUNCTION(turn3, R)(R, a)            // R a
#define turn_back3(R, a) MAT3_FUNCTION(turn_back3, R)(R, a)  // R^T a
#define product3(A, B) MAT3_FUNCTION(product3, A)(A, B)      // A B

static const Mat3 MAT3_IDENTITY = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

// The unit quaternion p (4) of a rotation, its real part first and not negative, from the largest
// of its parts, for no digits to be lost
static inline void quaternion3(Mat3 R, double* p) {
    const Vec3 x = R.e[0], y = R.e[1], z = R.e[2];
    const double squares[4] = {1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z,
                               1.0 - x.x - y.y + z.z};  // times 4
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    const double wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x;
    const double xy = x.y + y.x, xz = x.z + z.x, yz = y.z + z.y;
    const double square = squares[largest];
    const double rows[4][4] = {
        {square, wx, wy, wz}, {wx, square, xy, xz}, {wy, xy, square, yz}, {wz, xz, yz, square}};
    const double scale = (rows[largest][0] < 0.0 ? -0.5 : 0.5) / sqrt(square);
    for (int i = 0; i < 4; i++) {
        p[i] = scale * rows[largest][i];
    }
}

// Rotation by an angle about a unit vector (Rodrigues): cos + (1 - cos) n n^T + sin n~
static inline Mat3 rotation3(Vec3 n, double angle) {
    const double c = cos(angle);
    const double s = sin(angle);
    Mat3 R;
    for (int i = 0; i < 3; i++) {
        const Vec3 e = MAT3_IDENTITY.e[i];
        const Vec3 along = scale3((1.0 - c) * dot3(n, e), n);
        R.e[i] = add3(add3(scale3(c, e), along), scale3(s, cross3(n, e)));
    }
    return R;
}

// About the axis z
static inline Mat3 rotation3_z(double angle) {
    const double c = cos(angle);
    const double s = sin(angle);
    return (Mat3){{{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

// Axes of which a given direction, of any length, is number k; the other two are chosen to fit. The
// axis k itself where there is no direction.
static inline Mat3 axes3(int k, Vec3 direction) {
    const double length = length3(direction);
    const Vec3 d = length > 0.0 ? scale3(1.0 / length, direction) : MAT3_IDENTITY.e[k];
    const Vec3 helper = fabs(d.x) < 0.9 ? MAT3_IDENTITY.e[0] : MAT3_IDENTITY.e[1];
    Vec3 first = sub3(helper, scale3(dot3(helper, d), d));
    first = scale3(1.0 / length3(first), first);
    Mat3 A;
    A.e[k] = d;
    A.e[(k + 2) % 3] = first;
    A.e[(k + 1) % 3] = cross3(first, d);
    return A;
}
