// Rigid body of space: q = (r, p), r the position of the centre of mass, p = (p_0, p_1, p_2, p_3) a
// unit quaternion; u = (v, Omega), Omega in the body frame.
//   r' = v,  p' = 1/2 p o (0, Omega)
//   M = diag(m, m, m, Theta),  h = (0, -Omega x Theta Omega)
// Attributes describe the body in its own coordinates: reference point, axes and centre of mass.
#include <math.h>
#include <string.h>

#include "elements/bodies.h"

enum {
    MASS,
    INERTIA_XX,
    INERTIA_YY,
    INERTIA_ZZ,
    INERTIA_XY,
    INERTIA_XZ,
    INERTIA_YZ,
    CENTRE_X,
    CENTRE_Y,
    CENTRE_Z,
    INITIAL_X,
    INITIAL_Y,
    INITIAL_Z,
    ROTATION_X,
    ROTATION_Y,
    ROTATION_Z,
    VELOCITY_X,
    VELOCITY_Y,
    VELOCITY_Z,
    OMEGA_X,
    OMEGA_Y,
    OMEGA_Z,
    N_PARAMETERS
};

#define FREE(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }
#define MOMENT(name_, help_)                                                                 \
    {                                                                                        \
        .name = (name_), .help = (help_), .unit = UNIT_KILOGRAM_METRE_SQUARED, .start = NAN, \
        .min = 1e-15, .max = INFINITY                                                        \
    }

static const ParameterInfo parameters[N_PARAMETERS] = {
    [MASS] = {.name = "mass",
              .help = "mass",
              .unit = UNIT_KILOGRAM,
              .start = NAN,
              .min = 1e-12,
              .max = INFINITY},
    [INERTIA_XX] = MOMENT("inertia_xx",
                          "moment of inertia about the body's x direction through "
                          "the centre of mass"),
    [INERTIA_YY] = MOMENT("inertia_yy", "moment of inertia about y"),
    [INERTIA_ZZ] = MOMENT("inertia_zz", "moment of inertia about z"),
    [INERTIA_XY] =
        FREE("inertia_xy", "entry xy of the inertia tensor", UNIT_KILOGRAM_METRE_SQUARED),
    [INERTIA_XZ] =
        FREE("inertia_xz", "entry xz of the inertia tensor", UNIT_KILOGRAM_METRE_SQUARED),
    [INERTIA_YZ] =
        FREE("inertia_yz", "entry yz of the inertia tensor", UNIT_KILOGRAM_METRE_SQUARED),
    [CENTRE_X] = FREE("centre_of_mass_x", "centre of mass x in the body's coordinates", UNIT_METRE),
    [CENTRE_Y] = FREE("centre_of_mass_y", "centre of mass y in the body's coordinates", UNIT_METRE),
    [CENTRE_Z] = FREE("centre_of_mass_z", "centre of mass z in the body's coordinates", UNIT_METRE),
    [INITIAL_X] = FREE("initial_x", "position x of the body's origin at the start", UNIT_METRE),
    [INITIAL_Y] = FREE("initial_y", "position y of the body's origin at the start", UNIT_METRE),
    [INITIAL_Z] = FREE("initial_z", "position z of the body's origin at the start", UNIT_METRE),
    [ROTATION_X] =
        FREE("initial_rotation_x", "rotation vector x at the start: axis times angle", UNIT_RADIAN),
    [ROTATION_Y] = FREE("initial_rotation_y", "rotation vector y at the start", UNIT_RADIAN),
    [ROTATION_Z] = FREE("initial_rotation_z", "rotation vector z at the start", UNIT_RADIAN),
    [VELOCITY_X] = FREE("initial_velocity_x", "velocity x of the centre of mass at the start",
                        UNIT_METRE_PER_SECOND),
    [VELOCITY_Y] = FREE("initial_velocity_y", "velocity y of the centre of mass at the start",
                        UNIT_METRE_PER_SECOND),
    [VELOCITY_Z] = FREE("initial_velocity_z", "velocity z of the centre of mass at the start",
                        UNIT_METRE_PER_SECOND),
    [OMEGA_X] =
        FREE("initial_angular_velocity_x", "angular velocity at the start about the body's x axis",
             UNIT_RADIAN_PER_SECOND),
    [OMEGA_Y] =
        FREE("initial_angular_velocity_y", "angular velocity at the start about the body's y axis",
             UNIT_RADIAN_PER_SECOND),
    [OMEGA_Z] =
        FREE("initial_angular_velocity_z", "angular velocity at the start about the body's z axis",
             UNIT_RADIAN_PER_SECOND),
};

#define SHOWN(name_, help_, unit_, of_)                                        \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = (of_)                                                 \
    }
#define ACCELERATION(of_, name_, help_, unit_)                                     \
    {                                                                              \
        .name = (name_), .help = (help_), .unit = (unit_), .derivative_of = (of_), \
        .from_accelerations = true                                                 \
    }

static const OutputInfo outputs[] = {
    SHOWN("x", "position x of the centre of mass", UNIT_METRE, -1),
    SHOWN("y", "position y of the centre of mass", UNIT_METRE, -1),
    SHOWN("z", "position z of the centre of mass", UNIT_METRE, -1),
    SHOWN("quaternion_0", "real part of the orientation's unit quaternion", UNIT_ONE, -1),
    SHOWN("quaternion_1", "its first imaginary part", UNIT_ONE, -1),
    SHOWN("quaternion_2", "its second imaginary part", UNIT_ONE, -1),
    SHOWN("quaternion_3", "its third imaginary part", UNIT_ONE, -1),
    SHOWN("velocity_x", "velocity x of the centre of mass", UNIT_METRE_PER_SECOND, 0),
    SHOWN("velocity_y", "velocity y of the centre of mass", UNIT_METRE_PER_SECOND, 1),
    SHOWN("velocity_z", "velocity z of the centre of mass", UNIT_METRE_PER_SECOND, 2),
    SHOWN("angular_velocity_x", "angular velocity about the body's x axis", UNIT_RADIAN_PER_SECOND,
          -1),
    SHOWN("angular_velocity_y", "angular velocity about the body's y axis", UNIT_RADIAN_PER_SECOND,
          -1),
    SHOWN("angular_velocity_z", "angular velocity about the body's z axis", UNIT_RADIAN_PER_SECOND,
          -1),
    ACCELERATION(7, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION(8, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION(9, "acceleration_z", "acceleration z", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION(10, "angular_acceleration_x", "angular acceleration about the body's x axis",
                 UNIT_RADIAN_PER_SECOND_SQUARED),
    ACCELERATION(11, "angular_acceleration_y", "angular acceleration about the body's y axis",
                 UNIT_RADIAN_PER_SECOND_SQUARED),
    ACCELERATION(12, "angular_acceleration_z", "angular acceleration about the body's z axis",
                 UNIT_RADIAN_PER_SECOND_SQUARED),
};

static Vec3 vector(const double* x) { return (Vec3){x[0], x[1], x[2]}; }

static void store(Vec3 a, double* x) {
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

// R(p/|p|), by columns
static Mat3 rotation(const double* p) {
    const double s = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    const double xx = s * p[1] * p[1], yy = s * p[2] * p[2], zz = s * p[3] * p[3];
    const double xy = s * p[1] * p[2], xz = s * p[1] * p[3], yz = s * p[2] * p[3];
    const double wx = s * p[0] * p[1], wy = s * p[0] * p[2], wz = s * p[0] * p[3];
    return (Mat3){{{1.0 - yy - zz, xy + wz, xz - wy},
                   {xy - wz, 1.0 - xx - zz, yz + wx},
                   {xz + wy, yz - wx, 1.0 - xx - yy}}};
}

static Vec3 centre_of_mass(const double* par) { return vector(par + CENTRE_X); }

static void initial(const BodyView* b, double* q, double* u) {
    const double* par = b->par;
    const Vec3 rotation_vector = vector(par + ROTATION_X);
    const double angle = length3(rotation_vector);
    // sin(angle/2)/angle, smooth at zero
    const double factor = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5;
    q[3] = cos(0.5 * angle);
    store(scale3(factor, rotation_vector), q + 4);
    store(add3(vector(par + INITIAL_X), turn3(rotation(q + 3), centre_of_mass(par))), q);
    memcpy(u, par + VELOCITY_X, TWIST_SIZE * sizeof(double));
}

static void frame(const double* par, const Jet* signals, const double* q, const double* u,
                  Frame* result) {
    (void)par;
    (void)signals;
    *result = (Frame){.r = vector(q), .R = rotation(q + 3), .v = vector(u), .Omega = vector(u + 3)};
}

static Mat3 inertia(const double* par) {
    return (Mat3){{{par[INERTIA_XX], par[INERTIA_XY], par[INERTIA_XZ]},
                   {par[INERTIA_XY], par[INERTIA_YY], par[INERTIA_YZ]},
                   {par[INERTIA_XZ], par[INERTIA_YZ], par[INERTIA_ZZ]}}};
}

// The second moments of mass, S = tr(Theta)/2 E - Theta, are sums of squares: of a real body S is
// positive semidefinite, and no principal moment of inertia is larger than the sum of the others.
static const char* doubt_inertia(const double* par) {
    static const double ROUNDING = 1e-9;  // of tr(S), its square and its cube
    const Mat3 Theta = inertia(par);
    const double half = 0.5 * (Theta.e[0].x + Theta.e[1].y + Theta.e[2].z);
    const double xx = half - Theta.e[0].x;
    const double yy = half - Theta.e[1].y;
    const double zz = half - Theta.e[2].z;
    const double xy = Theta.e[0].y;
    const double xz = Theta.e[0].z;
    const double yz = Theta.e[1].z;
    const double minors[] = {xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz};
    const double determinant = xx * minors[2] - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    bool real = fmin(xx, fmin(yy, zz)) >= -ROUNDING * half;
    for (int i = 0; i < 3; i++) {
        real = real && minors[i] >= -ROUNDING * half * half;
    }
    real = real && determinant >= -ROUNDING * half * half * half;
    return real ? NULL
                : "no body has these moments of inertia: each principal one is at most the sum of "
                  "the other two";
}

static void mass(const double* par, double* M) {
    const Mat3 Theta = inertia(par);
    memset(M, 0, TWIST_SIZE * TWIST_SIZE * sizeof(double));
    for (int i = 0; i < 3; i++) {
        M[i * TWIST_SIZE + i] = par[MASS];
        store(Theta.e[i], M + (3 + i) * TWIST_SIZE + 3);
    }
}

// Weight and -Omega x Theta Omega
static void forces(const BodyView* b, double* h) {
    const Vec3 Omega = vector(b->u + 3);
    weight_forces(b->par[MASS], b->gravity, 3, h);
    store(cross3(turn3(inertia(b->par), Omega), Omega), h + 3);
}

// The derivative -(e_i x Theta Omega + Omega x Theta e_i) of the torque
static void tangent(const BodyView* b, BodyTerms terms, const BlockSink* sink) {
    static const int at[3] = {3, 4, 5};
    const Mat3 Theta = inertia(b->par);
    double D[9] = {0.0};
    if (terms.d != 0.0) {
        const Vec3 Omega = vector(b->u + 3);
        const Vec3 L = turn3(Theta, Omega);
        for (int i = 0; i < 3; i++) {
            const Vec3 column = add3(cross3(L, MAT3_IDENTITY.e[i]), cross3(Theta.e[i], Omega));
            D[i] = terms.d * column.x;
            D[3 + i] = terms.d * column.y;
            D[6 + i] = terms.d * column.z;
        }
    }
    sink->add(sink, 3, at, D);
}

static double potential(const BodyView* b) {
    return weight_work(b->par[MASS], b->gravity, 3, b->q);
}

static double potential_rate(const BodyView* b) {
    return weight_work(b->par[MASS], b->gravity, 3, b->u);
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
    const Vec3 turn = vector(w + 3);
    memcpy(d, w, 3 * sizeof(double));
    store(add3(scale3(c, turn), cross3(e, turn)), d + 3);
}

// ... and its inverse (c^2 dtheta - c e x dtheta + e e.dtheta) / (c (c^2 + |e|^2)).
static void pull_back(const double* q_1, const double* q_0, const double* d, double* w) {
    Vec3 e;
    const double c = relative_turn(q_1, q_0, &e);
    const Vec3 theta = vector(d + 3);
    const Vec3 sum =
        add3(sub3(scale3(c * c, theta), scale3(c, cross3(e, theta))), scale3(dot3(e, theta), e));
    memcpy(w, d, 3 * sizeof(double));
    store(scale3(1.0 / (c * (c * c + dot3(e, e))), sum), w + 3);
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
    const Vec3 half = scale3(0.5 * dt, vector(u + 3));
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

static void output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                   const double* q, const double* u, const double* a, double* y) {
    (void)s;
    (void)frame_a;
    (void)frame_b;
    memcpy(y, q, 7 * sizeof(double));
    memcpy(y + 7, u, 6 * sizeof(double));
    memcpy(y + 13, a, 6 * sizeof(double));
}

const ElementKind spatial_body_kind = {
    .tag = "spatial_body",
    .help = "A rigid body that moves in space.",
    .role = ROLE_BODY,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .outputs = outputs,
    .n_outputs = (int)(sizeof outputs / sizeof outputs[0]),
    .body = &(const BodyFunctions){.nq = 7,
                                   .nu = 6,
                                   .twist = {0, 1, 2, 3, 4, 5},
                                   .spatial = true,
                                   .initial = initial,
                                   .frame = frame,
                                   .doubt = doubt_inertia,
                                   .mass = mass,
                                   .velocity_dependent = true,
                                   .forces = forces,
                                   .tangent = tangent,
                                   .potential = potential,
                                   .potential_rate = potential_rate,
                                   .q_dot = q_dot,
                                   .q_ddot = q_ddot,
                                   .push_forward = push_forward,
                                   .pull_back = pull_back,
                                   .normalize = normalize,
                                   .move = move,
                                   .collocate = collocate,
                                   .centre_of_mass = centre_of_mass},
    .output = output,
};
