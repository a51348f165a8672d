#include "elements/spatial_node.h"

#include <math.h>
#include <string.h>

#include "elements/use.h"

void quaternion_of(Vec3 rotation_vector, double* p) {
    const double angle = length3(rotation_vector);
    // sin(angle/2)/angle, smooth at zero
    const double factor = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5;
    p[0] = cos(0.5 * angle);
    vector_to(scale3(factor, rotation_vector), p + 1);
}

void quaternion_product(const double* p_1, const double* p_2, double* product) {
    const Vec3 e_1 = vector_from(p_1 + 1);
    const Vec3 e_2 = vector_from(p_2 + 1);
    const Vec3 e = add3(add3(scale3(p_1[0], e_2), scale3(p_2[0], e_1)), cross3(e_1, e_2));
    product[0] = p_1[0] * p_2[0] - dot3(e_1, e_2);
    vector_to(e, product + 1);
}

// With (c, e) = conj(p_1) o p_2 of any length, the angle is 2 atan(|e|/c), c >= 0 by the sign that
// says the same rotation.
Vec3 quaternion_difference(const double* p_1, const double* p_2) {
    const Vec3 e_1 = vector_from(p_1 + 1);
    const Vec3 e_2 = vector_from(p_2 + 1);
    const double c = p_1[0] * p_2[0] + dot3(e_1, e_2);
    const Vec3 e = sub3(sub3(scale3(p_1[0], e_2), scale3(p_2[0], e_1)), cross3(e_1, e_2));
    const double s = length3(e);
    const double sign = c < 0.0 ? -1.0 : 1.0;
    const double factor = s > 1e-8 * fabs(c) ? atan2(s, fabs(c)) / s : 1.0 / fabs(c);
    return scale3(2.0 * sign * factor, e);
}

static void q_dot(const double* q, const double* u, double* rate) {
    const double* p = q + 3;
    const double* w = u + 3;
    memcpy(rate, u, 3 * sizeof(double));
    rate[3] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    rate[4] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
    rate[5] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
    rate[6] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
}

// GA (123): r'' = a, p'' = 1/2 (p o (0, Omega') + p' o (0, Omega))
static void q_ddot(const double* q, const double* u, const double* a, double* rate) {
    double velocity[BODY_MAX_NQ];
    double turning[BODY_MAX_NQ];
    q_dot(q, u, velocity);
    q_dot(velocity, u, turning);
    q_dot(q, a, rate);
    for (int i = 3; i < BODY_MAX_NQ; i++) {
        rate[i] += turning[i];
    }
}

// A change dp turns R(p/|p|) by dtheta = 2/|p|^2 Im(conj(p) o dp), in the body frame. With
// dp = 1/2 p_0 o (0, w) that is c w + e x w, c + e = conj(p_1) o p_0 / |p_1|^2: c and e.
static double relative_turn(const double* q_1, const double* q_0, Vec3* e) {
    const double* p = q_1 + 3;
    const double* o = q_0 + 3;
    const double s = 1.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    *e = (Vec3){s * (p[0] * o[1] - p[1] * o[0] - p[2] * o[3] + p[3] * o[2]),
                s * (p[0] * o[2] - p[2] * o[0] - p[3] * o[1] + p[1] * o[3]),
                s * (p[0] * o[3] - p[3] * o[0] - p[1] * o[2] + p[2] * o[1])};
    return s * (p[0] * o[0] + p[1] * o[1] + p[2] * o[2] + p[3] * o[3]);
}

static void push_forward(const double* q_1, const double* q_0, const double* w, double* d) {
    Vec3 e;
    const double c = relative_turn(q_1, q_0, &e);
    const Vec3 turn = vector_from(w + 3);
    memcpy(d, w, 3 * sizeof(double));
    vector_to(add3(scale3(c, turn), cross3(e, turn)), d + 3);
}

// ... and its inverse (c^2 dtheta - c e x dtheta + e e.dtheta) / (c (c^2 + |e|^2)).
static void pull_back(const double* q_1, const double* q_0, const double* d, double* w) {
    Vec3 e;
    const double c = relative_turn(q_1, q_0, &e);
    const Vec3 theta = vector_from(d + 3);
    const Vec3 sum =
        add3(sub3(scale3(c * c, theta), scale3(c, cross3(e, theta))), scale3(dot3(e, theta), e));
    memcpy(w, d, 3 * sizeof(double));
    vector_to(scale3(1.0 / (c * (c * c + dot3(e, e))), sum), w + 3);
}

static void normalize(double* q) {
    double* p = q + 3;
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; i++) {
        p[i] /= length;
    }
}

// r_1 = r_0 + dt v, p_1 = p_0 o exp(dt Omega / 2)
static void move(const double* q_0, double dt, const double* u, double* q_1) {
    const Vec3 half = scale3(0.5 * dt, vector_from(u + 3));
    const double angle = length3(half);
    const double factor = angle > 1e-8 ? sin(angle) / angle : 1.0 - angle * angle / 6.0;
    const Vec3 e = scale3(factor, half);
    const double c = cos(angle);
    const double* p = q_0 + 3;
    const double turned[4] = {p[0] * c - p[1] * e.x - p[2] * e.y - p[3] * e.z,
                              p[0] * e.x + p[1] * c + p[2] * e.z - p[3] * e.y,
                              p[0] * e.y + p[2] * c + p[3] * e.x - p[1] * e.z,
                              p[0] * e.z + p[3] * c + p[1] * e.y - p[2] * e.x};
    for (int i = 0; i < 3; i++) {
        q_1[i] = q_0[i] + dt * u[i];
    }
    memcpy(q_1 + 3, turned, sizeof turned);
    normalize(q_1);
}

// --- stages ---

typedef struct Quaternion {
    double w, x, y, z;
} Quaternion;

static Quaternion times(Quaternion a, Quaternion b) {
    return (Quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

static Quaternion minus(Quaternion a, Quaternion b) {
    return (Quaternion){a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}

static Quaternion inverse(Quaternion a) {
    const double s = 1.0 / (a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (Quaternion){s * a.w, -s * a.x, -s * a.y, -s * a.z};
}

// The stages of p' = 1/2 p o (0, Omega) are linear in p: with r_i = p_0 + a_i0/2 p_0 o Omega_0,
//   sum over j of p_j o K_ji = r_i,  K_ji = delta_ij - a_ij/2 (0, Omega_j),  i, j = 1 ... s-1.
// Solved by elimination over the quaternions, from whose left no factor comes.
static void collocate_turn(int s, const double* a, const double* const* u, double* const* q) {
    enum { MOST = 8 };
    Quaternion K[MOST][MOST];  // [j][i]
    Quaternion p[MOST];
    const Quaternion p_0 = {q[0][3], q[0][4], q[0][5], q[0][6]};
    const int n = s - 1;
    for (int i = 0; i < n; i++) {
        const double* row = a + (ptrdiff_t)(i + 1) * s;
        for (int j = 0; j < n; j++) {
            const double half = -0.5 * row[j + 1];
            const double* Omega = u[j + 1] + 3;
            K[j][i] =
                (Quaternion){i == j ? 1.0 : 0.0, half * Omega[0], half * Omega[1], half * Omega[2]};
        }
        const double half = 0.5 * row[0];
        p[i] = times(p_0, (Quaternion){1.0, half * u[0][3], half * u[0][4], half * u[0][5]});
    }
    for (int k = 0; k < n; k++) {
        const Quaternion pivot = inverse(K[k][k]);
        for (int i = k + 1; i < n; i++) {
            const Quaternion factor = times(pivot, K[k][i]);
            p[i] = minus(p[i], times(p[k], factor));
            for (int j = k + 1; j < n; j++) {
                K[j][i] = minus(K[j][i], times(K[j][k], factor));
            }
        }
        K[k][k] = pivot;
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            p[k] = minus(p[k], times(p[j], K[j][k]));
        }
        p[k] = times(p[k], K[k][k]);
        const double turned[4] = {p[k].w, p[k].x, p[k].y, p[k].z};
        memcpy(q[k + 1] + 3, turned, sizeof turned);
    }
}

static void collocate(int s, const double* a, const double* const* u, double* const* q) {
    for (int i = 1; i < s; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) {
                sum += a[i * s + j] * u[j][k];
            }
            q[i][k] = q[0][k] + sum;
        }
    }
    collocate_turn(s, a, u, q);
}

static Mat3 orientation(const double* q) { return quaternion_rotation(q + 3); }

const NodeFunctions spatial_node = {.nq = SPATIAL_NQ,
                                    .nu = SPATIAL_NU,
                                    .q_dot = q_dot,
                                    .q_ddot = q_ddot,
                                    .push_forward = push_forward,
                                    .pull_back = pull_back,
                                    .normalize = normalize,
                                    .move = move,
                                    .collocate = collocate,
                                    .orientation = orientation};

// Angular velocities are those in the frame and stay.
void spatial_node_carry(const Pose* pose, double* q, double* u) {
    double turn[4];
    double own[4];
    vector_to(add3(pose->r, turn3(pose->R, vector_from(q))), q);
    quaternion3(pose->R, turn);
    memcpy(own, q + 3, sizeof own);
    quaternion_product(turn, own, q + 3);
    vector_to(turn3(pose->R, vector_from(u)), u);
}
