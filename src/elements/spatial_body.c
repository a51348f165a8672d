// Rigid body of space: q = (r, p), r the position of the centre of mass, p = (p_0, p_1, p_2, p_3) a
// unit quaternion; u = (v, Omega), Omega in the body frame.
//   r' = v,  p' = 1/2 p o (0, Omega)
//   M = diag(m, m, m, Theta),  h = (0, -Omega x Theta Omega)
// Attributes describe the body in its own coordinates: reference point, axes and centre of mass.
#include <math.h>
#include <string.h>

#include "elements/bodies.h"
#include "elements/spatial_node.h"

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
        .min = LEAST_MOMENT_OF_INERTIA, .max = INFINITY, .from_shapes = true                 \
    }
#define OF_SHAPES(name_, help_, unit_)                                                        \
    {                                                                                         \
        .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY, \
        .from_shapes = true                                                                   \
    }

static const ParameterInfo parameters[N_PARAMETERS] = {
    [MASS] = {.name = "mass",
              .help = "mass",
              .unit = UNIT_KILOGRAM,
              .start = NAN,
              .min = 1e-12,
              .max = INFINITY,
              .from_shapes = true},
    [INERTIA_XX] = MOMENT("inertia_xx",
                          "moment of inertia about the body's x direction through "
                          "the centre of mass"),
    [INERTIA_YY] = MOMENT("inertia_yy", "moment of inertia about y"),
    [INERTIA_ZZ] = MOMENT("inertia_zz", "moment of inertia about z"),
    [INERTIA_XY] =
        OF_SHAPES("inertia_xy", "entry xy of the inertia tensor", UNIT_KILOGRAM_METRE_SQUARED),
    [INERTIA_XZ] =
        OF_SHAPES("inertia_xz", "entry xz of the inertia tensor", UNIT_KILOGRAM_METRE_SQUARED),
    [INERTIA_YZ] =
        OF_SHAPES("inertia_yz", "entry yz of the inertia tensor", UNIT_KILOGRAM_METRE_SQUARED),
    [CENTRE_X] =
        OF_SHAPES("centre_of_mass_x", "centre of mass x in the body's coordinates", UNIT_METRE),
    [CENTRE_Y] =
        OF_SHAPES("centre_of_mass_y", "centre of mass y in the body's coordinates", UNIT_METRE),
    [CENTRE_Z] =
        OF_SHAPES("centre_of_mass_z", "centre of mass z in the body's coordinates", UNIT_METRE),
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

static Vec3 centre_of_mass(const double* par) { return vector_from(par + CENTRE_X); }

static void initial(const BodyView* b, double* q, double* u) {
    const double* par = b->par;
    quaternion_of(vector_from(par + ROTATION_X), q + 3);
    vector_to(
        add3(vector_from(par + INITIAL_X), turn3(quaternion_rotation(q + 3), centre_of_mass(par))),
        q);
    memcpy(u, par + VELOCITY_X, TWIST_SIZE * sizeof(double));
}

static void carry(const BodyView* b, const Pose* pose, double* q, double* u) {
    (void)b;
    spatial_node_carry(pose, q, u);
}

static void frame(const double* par, const Jet* signals, const double* q, const double* u,
                  Frame* result) {
    (void)par;
    (void)signals;
    *result = (Frame){.r = vector_from(q),
                      .R = quaternion_rotation(q + 3),
                      .v = vector_from(u),
                      .Omega = vector_from(u + 3)};
}

static Mat3 inertia(const double* par) {
    return (Mat3){{{par[INERTIA_XX], par[INERTIA_XY], par[INERTIA_XZ]},
                   {par[INERTIA_XY], par[INERTIA_YY], par[INERTIA_YZ]},
                   {par[INERTIA_XZ], par[INERTIA_YZ], par[INERTIA_ZZ]}}};
}

// Theta = tr(S) E - S
static void take_moments(const MassMoments* moments, double* par) {
    const Mat3 S = moments->second;
    par[MASS] = moments->mass;
    par[INERTIA_XX] = S.e[1].y + S.e[2].z;
    par[INERTIA_YY] = S.e[0].x + S.e[2].z;
    par[INERTIA_ZZ] = S.e[0].x + S.e[1].y;
    par[INERTIA_XY] = -S.e[0].y;
    par[INERTIA_XZ] = -S.e[0].z;
    par[INERTIA_YZ] = -S.e[1].z;
    vector_to(moments->centre, par + CENTRE_X);
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
        vector_to(Theta.e[i], M + (3 + i) * TWIST_SIZE + 3);
    }
}

// Weight and -Omega x Theta Omega
static void forces(const BodyView* b, double* h) {
    const Vec3 Omega = vector_from(b->u + 3);
    weight_forces(b->par[MASS], b->gravity, 3, h);
    vector_to(cross3(turn3(inertia(b->par), Omega), Omega), h + 3);
}

// The derivative -(e_i x Theta Omega + Omega x Theta e_i) of the torque
static void tangent(const BodyView* b, BodyTerms terms, const BlockSink* sink) {
    static const int at[3] = {3, 4, 5};
    const Mat3 Theta = inertia(b->par);
    double D[9] = {0.0};
    if (terms.d != 0.0) {
        const Vec3 Omega = vector_from(b->u + 3);
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
    .help =
        "A rigid body that moves in space. Without a mass of its own it has that of its shapes, "
        "with their densities; where shapes overlap, both count.",
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
                                   .carry = carry,
                                   .frame = frame,
                                   .doubt = doubt_inertia,
                                   .mass = mass,
                                   .velocity_dependent = true,
                                   .forces = forces,
                                   .tangent = tangent,
                                   .potential = potential,
                                   .potential_rate = potential_rate,
                                   .node = &spatial_node,
                                   .centre_of_mass = centre_of_mass,
                                   .take_moments = take_moments},
    .output = output,
};
