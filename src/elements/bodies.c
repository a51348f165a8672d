// Bodies: their coordinates q and velocities u, their frame and mass. The frame's origin is the
// centre of mass, so that masses are constant and uncoupled.
#include "elements/bodies.h"

#include <math.h>
#include <string.h>

#include "elements/use.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define INITIAL(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }
#define MASS_INFO                                                                          \
    {                                                                                      \
        .name = "mass", .help = "mass", .unit = UNIT_KILOGRAM, .start = NAN, .min = 1e-12, \
        .max = INFINITY                                                                    \
    }
#define OUTPUT_OF(name_, help_, unit_, start_)                                 \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = -1, .start_from = (start_)                            \
    }
#define RATE_OF(of_, name_, help_, unit_, start_)                              \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = (of_), .start_from = (start_)                         \
    }
#define ACCELERATION_OF(of_, name_, help_, unit_)                                  \
    {                                                                              \
        .name = (name_), .help = (help_), .unit = (unit_), .derivative_of = (of_), \
        .from_accelerations = true                                                 \
    }

// y = (q, u, a) of a body whose q' is u
static void coordinates_output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                               const double* q, const double* u, const double* a, double* y) {
    const int n = s->element->q.n;
    (void)frame_a;
    (void)frame_b;
    memcpy(y, q, (size_t)n * sizeof(double));
    memcpy(y + n, u, (size_t)n * sizeof(double));
    memcpy(y + 2 * n, a, (size_t)n * sizeof(double));
}

// --- weight of a rigid body whose first n coordinates are its position ---

void weight_forces(double mass, const double* gravity, int n, double* h) {
    for (int i = 0; i < n; i++) {
        h[i] = mass * gravity[i];
    }
}

double weight_work(double mass, const double* gravity, int n, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += gravity[i] * x[i];
    }
    return -mass * sum;
}

// --- point mass of the plane: q = (x, y) ---

enum { MASS, POINT_X, POINT_Y, POINT_VX, POINT_VY, N_POINT };

static const ParameterInfo point_parameters[N_POINT] = {
    [MASS] = MASS_INFO,
    [POINT_X] = INITIAL("initial_x", "position x at the start", UNIT_METRE),
    [POINT_Y] = INITIAL("initial_y", "position y at the start", UNIT_METRE),
    [POINT_VX] = INITIAL("initial_velocity_x", "velocity x at the start", UNIT_METRE_PER_SECOND),
    [POINT_VY] = INITIAL("initial_velocity_y", "velocity y at the start", UNIT_METRE_PER_SECOND),
};

static const OutputInfo point_outputs[] = {
    OUTPUT_OF("x", "position x", UNIT_METRE, "initial_x"),
    OUTPUT_OF("y", "position y", UNIT_METRE, "initial_y"),
    RATE_OF(0, "velocity_x", "velocity x", UNIT_METRE_PER_SECOND, "initial_velocity_x"),
    RATE_OF(1, "velocity_y", "velocity y", UNIT_METRE_PER_SECOND, "initial_velocity_y"),
    ACCELERATION_OF(2, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION_OF(3, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED),
};

static void point_initial(const BodyView* b, double* q, double* u) {
    memcpy(q, b->par + POINT_X, 2 * sizeof(double));
    memcpy(u, b->par + POINT_VX, 2 * sizeof(double));
}

// of all bodies whose first coordinates are x and y
static void point_carry(const BodyView* b, const Pose* pose, double* q, double* u) {
    static const double origin[] = {0.0, 0.0};
    (void)b;
    pose_carry_point(pose, origin, q, u);
}

static void point_frame(const double* par, const Jet* signals, const double* q, const double* u,
                        Frame* frame) {
    (void)par;
    (void)signals;
    *frame = (Frame){.r = {q[0], q[1], 0.0}, .R = MAT3_IDENTITY, .v = {u[0], u[1], 0.0}};
}

static void point_mass(const double* par, double* M) {
    M[0] = M[3] = par[MASS];
    M[1] = M[2] = 0.0;
}

static void point_forces(const BodyView* b, double* h) {
    weight_forces(b->par[MASS], b->gravity, 2, h);
}

// of bodies of the plane
static double planar_potential(const BodyView* b) {
    return weight_work(b->par[MASS], b->gravity, 2, b->q);
}

static double planar_potential_rate(const BodyView* b) {
    return weight_work(b->par[MASS], b->gravity, 2, b->u);
}

const ElementKind point_mass_kind = {
    .tag = "point_mass",
    .help = "A mass without extent or rotation, free in the plane.",
    .role = ROLE_BODY,
    .parameters = point_parameters,
    .n_parameters = N_POINT,
    .outputs = point_outputs,
    .n_outputs = COUNT(point_outputs),
    .body = &(const BodyFunctions){.nq = 2,
                                   .nu = 2,
                                   .twist = {0, 1},
                                   .initial = point_initial,
                                   .carry = point_carry,
                                   .frame = point_frame,
                                   .mass = point_mass,
                                   .forces = point_forces,
                                   .potential = planar_potential,
                                   .potential_rate = planar_potential_rate},
    .output = coordinates_output,
};

// --- rigid body of the plane: q = (x, y, angle) ---

enum {
    INERTIA = 1,
    BODY_X,
    BODY_Y,
    BODY_ANGLE,
    BODY_VX,
    BODY_VY,
    BODY_OMEGA,
    CENTRE_X,
    CENTRE_Y,
    N_BODY
};

#define CENTRE_OF_MASS(name_, help_)                                                             \
    {                                                                                            \
        .name = (name_), .help = (help_), .unit = UNIT_METRE, .min = -INFINITY, .max = INFINITY, \
        .from_shapes = true                                                                      \
    }
static const ParameterInfo body_parameters[N_BODY] = {
    [MASS] = {.name = "mass",
              .help = "mass",
              .unit = UNIT_KILOGRAM,
              .start = NAN,
              .min = 1e-12,
              .max = INFINITY,
              .from_shapes = true},
    [INERTIA] = {.name = "inertia",
                 .help = "moment of inertia about the centre of mass",
                 .unit = UNIT_KILOGRAM_METRE_SQUARED,
                 .start = NAN,
                 .min = LEAST_MOMENT_OF_INERTIA,
                 .max = INFINITY,
                 .from_shapes = true},
    [BODY_X] = INITIAL("initial_x",
                       "position x of the body's origin at the start, which is the centre of mass "
                       "unless centre_of_mass_x, y or the shapes say otherwise",
                       UNIT_METRE),
    [BODY_Y] = INITIAL("initial_y", "position y of the body's origin at the start", UNIT_METRE),
    [BODY_ANGLE] = INITIAL("initial_angle", "angle at the start", UNIT_RADIAN),
    [BODY_VX] = INITIAL("initial_velocity_x", "velocity x of the centre of mass at the start",
                        UNIT_METRE_PER_SECOND),
    [BODY_VY] = INITIAL("initial_velocity_y", "velocity y of the centre of mass at the start",
                        UNIT_METRE_PER_SECOND),
    [BODY_OMEGA] = INITIAL("initial_angular_velocity", "angular velocity at the start",
                           UNIT_RADIAN_PER_SECOND),
    [CENTRE_X] = CENTRE_OF_MASS("centre_of_mass_x", "centre of mass x in the body's coordinates"),
    [CENTRE_Y] = CENTRE_OF_MASS("centre_of_mass_y", "centre of mass y in the body's coordinates"),
};

static const OutputInfo body_outputs[] = {
    OUTPUT_OF("x", "position x of the centre of mass", UNIT_METRE,
              "initial_x initial_angle centre_of_mass_x centre_of_mass_y"),
    OUTPUT_OF("y", "position y of the centre of mass", UNIT_METRE,
              "initial_y initial_angle centre_of_mass_x centre_of_mass_y"),
    OUTPUT_OF("angle", "angle, counter-clockwise", UNIT_RADIAN, "initial_angle"),
    RATE_OF(0, "velocity_x", "velocity x of the centre of mass", UNIT_METRE_PER_SECOND,
            "initial_velocity_x"),
    RATE_OF(1, "velocity_y", "velocity y of the centre of mass", UNIT_METRE_PER_SECOND,
            "initial_velocity_y"),
    RATE_OF(2, "angular_velocity", "angular velocity", UNIT_RADIAN_PER_SECOND,
            "initial_angular_velocity"),
    ACCELERATION_OF(3, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION_OF(4, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION_OF(5, "angular_acceleration", "angular acceleration",
                    UNIT_RADIAN_PER_SECOND_SQUARED),
};

static Vec3 planar_centre(const double* par) { return (Vec3){par[CENTRE_X], par[CENTRE_Y], 0.0}; }

static void planar_initial(const BodyView* b, double* q, double* u) {
    const Vec3 centre = turn3(rotation3_z(b->par[BODY_ANGLE]), planar_centre(b->par));
    memcpy(q, b->par + BODY_X, 3 * sizeof(double));
    q[0] += centre.x;
    q[1] += centre.y;
    memcpy(u, b->par + BODY_VX, 3 * sizeof(double));
}

static void planar_carry(const BodyView* b, const Pose* pose, double* q, double* u) {
    point_carry(b, pose, q, u);
    q[2] += pose->angle;
}

static void planar_frame(const double* par, const Jet* signals, const double* q, const double* u,
                         Frame* frame) {
    (void)par;
    (void)signals;
    *frame = (Frame){.r = {q[0], q[1], 0.0},
                     .R = rotation3_z(q[2]),
                     .v = {u[0], u[1], 0.0},
                     .Omega = {0.0, 0.0, u[2]},
                     .angle = q[2]};
}

static void planar_mass(const double* par, double* M) {
    memset(M, 0, 9 * sizeof(double));
    M[0] = M[4] = par[MASS];
    M[8] = par[INERTIA];
}

static void planar_take_moments(const MassMoments* moments, double* par) {
    par[MASS] = moments->mass;
    par[INERTIA] = moments->second.e[0].x + moments->second.e[1].y;
    par[CENTRE_X] = moments->centre.x;
    par[CENTRE_Y] = moments->centre.y;
}

static void planar_forces(const BodyView* b, double* h) {
    weight_forces(b->par[MASS], b->gravity, 2, h);
    h[2] = 0.0;
}

const ElementKind planar_body_kind = {
    .tag = "planar_body",
    .help =
        "A rigid body that moves in the plane. Without a mass of its own it has that of its "
        "shapes, with their densities; where shapes overlap, both count.",
    .role = ROLE_BODY,
    .parameters = body_parameters,
    .n_parameters = N_BODY,
    .outputs = body_outputs,
    .n_outputs = COUNT(body_outputs),
    .body = &(const BodyFunctions){.nq = 3,
                                   .nu = 3,
                                   .twist = {0, 1, 5},
                                   .initial = planar_initial,
                                   .carry = planar_carry,
                                   .frame = planar_frame,
                                   .mass = planar_mass,
                                   .centre_of_mass = planar_centre,
                                   .take_moments = planar_take_moments,
                                   .forces = planar_forces,
                                   .potential = planar_potential,
                                   .potential_rate = planar_potential_rate},
    .output = coordinates_output,
};

// --- ground and driven frames ---

static void ground_frame(const double* par, const Jet* signals, const double* q, const double* u,
                         Frame* frame) {
    (void)par;
    (void)signals;
    (void)q;
    (void)u;
    *frame = (Frame){.R = MAT3_IDENTITY};
}

const ElementKind ground_kind = {
    .tag = "ground",
    .help = "What does not move; shapes stand on it.",
    .role = ROLE_BODY,
    .body = &(const BodyFunctions){.frame = ground_frame},
};

// Signals; the plane has x, y and the angle about z.
enum { DRIVEN_X, DRIVEN_Y, DRIVEN_ANGLE, N_PLANAR_DRIVEN, DRIVEN_Z = N_PLANAR_DRIVEN, N_DRIVEN };
enum { AXIS_X, AXIS_Y, AXIS_Z, N_AXIS };

static const SignalInfo driven_signals[N_DRIVEN] = {
    [DRIVEN_X] = {.name = "x",
                  .help = "position x",
                  .unit = UNIT_METRE,
                  .start = "0",
                  .moves = true,
                  .n_derivatives = 2},
    [DRIVEN_Y] = {.name = "y",
                  .help = "position y",
                  .unit = UNIT_METRE,
                  .start = "0",
                  .moves = true,
                  .n_derivatives = 2},
    [DRIVEN_ANGLE] = {.name = "angle",
                      .help = "angle about the axis, in the plane about z",
                      .unit = UNIT_RADIAN,
                      .start = "0",
                      .moves = true,
                      .n_derivatives = 2},
    [DRIVEN_Z] = {.name = "z",
                  .help = "position z",
                  .unit = UNIT_METRE,
                  .start = "0",
                  .moves = true,
                  .n_derivatives = 2},
};

#define AXIS_INFO(name_, start_)                                                     \
    {                                                                                \
        .name = (name_), .help = "direction of the axis of rotation, of any length", \
        .unit = UNIT_ONE, .start = (start_), .min = -INFINITY, .max = INFINITY       \
    }
static const ParameterInfo driven_parameters[N_AXIS] = {
    [AXIS_X] = AXIS_INFO("axis_x", 0.0),
    [AXIS_Y] = AXIS_INFO("axis_y", 0.0),
    [AXIS_Z] = AXIS_INFO("axis_z", 1.0),
};

// The axis is fixed, so that it is the same in the world and in the frame.
static Frame turned_frame(Vec3 axis, Jet angle) {
    return (Frame){.R = rotation3(axis, angle.v),
                   .Omega = scale3(angle.d, axis),
                   .Psi = scale3(angle.dd, axis),
                   .angle = angle.v};
}

static void planar_driven_frame(const double* par, const Jet* signals, const double* q,
                                const double* u, Frame* frame) {
    (void)par;
    (void)q;
    (void)u;
    const Jet* s = signals;
    *frame = turned_frame(MAT3_IDENTITY.e[2], s[DRIVEN_ANGLE]);
    frame->r = (Vec3){s[DRIVEN_X].v, s[DRIVEN_Y].v, 0.0};
    frame->v = (Vec3){s[DRIVEN_X].d, s[DRIVEN_Y].d, 0.0};
    frame->a = (Vec3){s[DRIVEN_X].dd, s[DRIVEN_Y].dd, 0.0};
}

static void driven_frame(const double* par, const Jet* signals, const double* q, const double* u,
                         Frame* frame) {
    const Vec3 direction = {par[AXIS_X], par[AXIS_Y], par[AXIS_Z]};
    const double length = length3(direction);
    const Vec3 axis = length > 0.0 ? scale3(1.0 / length, direction) : MAT3_IDENTITY.e[2];
    planar_driven_frame(par, signals, q, u, frame);
    const Frame turned = turned_frame(axis, signals[DRIVEN_ANGLE]);
    frame->R = turned.R;
    frame->Omega = turned.Omega;
    frame->Psi = turned.Psi;
    frame->r.z = signals[DRIVEN_Z].v;
    frame->v.z = signals[DRIVEN_Z].d;
    frame->a.z = signals[DRIVEN_Z].dd;
}

#define DRIVEN_OUTPUT(of_, name_, help_, unit_, shown_)                            \
    {                                                                              \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = (shown_), \
        .derivative_of = (of_), .depends_on_inputs = true                          \
    }
static const OutputInfo planar_driven_outputs[] = {
    DRIVEN_OUTPUT(-1, "x", "position x", UNIT_METRE, true),
    DRIVEN_OUTPUT(-1, "y", "position y", UNIT_METRE, true),
    DRIVEN_OUTPUT(-1, "angle", "angle, counter-clockwise", UNIT_RADIAN, true),
    DRIVEN_OUTPUT(0, "velocity_x", "velocity x", UNIT_METRE_PER_SECOND, true),
    DRIVEN_OUTPUT(1, "velocity_y", "velocity y", UNIT_METRE_PER_SECOND, true),
    DRIVEN_OUTPUT(2, "angular_velocity", "angular velocity", UNIT_RADIAN_PER_SECOND, true),
    DRIVEN_OUTPUT(3, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED, false),
    DRIVEN_OUTPUT(4, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED, false),
    DRIVEN_OUTPUT(5, "angular_acceleration", "angular acceleration", UNIT_RADIAN_PER_SECOND_SQUARED,
                  false),
};
static const OutputInfo driven_outputs[] = {
    DRIVEN_OUTPUT(-1, "x", "position x", UNIT_METRE, true),
    DRIVEN_OUTPUT(-1, "y", "position y", UNIT_METRE, true),
    DRIVEN_OUTPUT(-1, "z", "position z", UNIT_METRE, true),
    DRIVEN_OUTPUT(-1, "angle", "angle about the axis", UNIT_RADIAN, true),
    DRIVEN_OUTPUT(0, "velocity_x", "velocity x", UNIT_METRE_PER_SECOND, true),
    DRIVEN_OUTPUT(1, "velocity_y", "velocity y", UNIT_METRE_PER_SECOND, true),
    DRIVEN_OUTPUT(2, "velocity_z", "velocity z", UNIT_METRE_PER_SECOND, true),
    DRIVEN_OUTPUT(3, "angular_velocity", "angular velocity about the axis", UNIT_RADIAN_PER_SECOND,
                  true),
    DRIVEN_OUTPUT(4, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED, false),
    DRIVEN_OUTPUT(5, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED, false),
    DRIVEN_OUTPUT(6, "acceleration_z", "acceleration z", UNIT_METRE_PER_SECOND_SQUARED, false),
    DRIVEN_OUTPUT(7, "angular_acceleration", "angular acceleration about the axis",
                  UNIT_RADIAN_PER_SECOND_SQUARED, false),
};

// Signals in the order of the outputs: what is prescribed, then its first and second derivatives
static void tell_signals(const Surroundings* s, int n, const int* order, double* y) {
    for (int i = 0; i < n; i++) {
        const Jet signal = s->signals[order[i]];
        y[i] = signal.v;
        y[n + i] = signal.d;
        y[2 * n + i] = signal.dd;
    }
}

// ... and back: what is prescribed, from the outputs
static void take_signals(const double* y, int n, const int* order, Jet* signals) {
    for (int i = 0; i < n; i++) {
        signals[order[i]] = (Jet){.v = y[i]};
    }
}

static const int driven_places[N_DRIVEN] = {0, 1, 2, 3};
static const int planar_driven_order[N_PLANAR_DRIVEN] = {DRIVEN_X, DRIVEN_Y, DRIVEN_ANGLE};
static const int driven_order[N_DRIVEN] = {DRIVEN_X, DRIVEN_Y, DRIVEN_Z, DRIVEN_ANGLE};

static void planar_driven_output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                                 const double* q, const double* u, const double* a, double* y) {
    (void)frame_a, (void)frame_b, (void)q, (void)u, (void)a;
    tell_signals(s, N_PLANAR_DRIVEN, planar_driven_order, y);
}

static void driven_output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                          const double* q, const double* u, const double* a, double* y) {
    (void)frame_a, (void)frame_b, (void)q, (void)u, (void)a;
    tell_signals(s, N_DRIVEN, driven_order, y);
}

static void planar_driven_from_outputs(const BodyView* b, const double* y, double* q,
                                       Jet* signals) {
    (void)b, (void)q;
    take_signals(y, N_PLANAR_DRIVEN, planar_driven_order, signals);
}

static void driven_from_outputs(const BodyView* b, const double* y, double* q, Jet* signals) {
    (void)b, (void)q;
    take_signals(y, N_DRIVEN, driven_order, signals);
}

static const ElementKind spatial_driven_frame_kind = {
    .tag = "driven_frame",
    .role = ROLE_BODY,
    .parameters = driven_parameters,
    .n_parameters = N_AXIS,
    .signals = driven_signals,
    .n_signals = N_DRIVEN,
    .outputs = driven_outputs,
    .n_outputs = COUNT(driven_outputs),
    .body = &(const BodyFunctions){.frame = driven_frame,
                                   .places = driven_places,
                                   .n_places = N_DRIVEN,
                                   .from_outputs = driven_from_outputs},
    .output = driven_output,
};
const ElementKind driven_frame_kind = {
    .tag = "driven_frame",
    .help =
        "A frame whose motion is prescribed by expressions of time and inputs; shapes stand on "
        "it and move others. A value set before a step is reached at its end.",
    .role = ROLE_BODY,
    .signals = driven_signals,
    .n_signals = N_PLANAR_DRIVEN,
    .outputs = planar_driven_outputs,
    .n_outputs = COUNT(planar_driven_outputs),
    .body = &(const BodyFunctions){.frame = planar_driven_frame,
                                   .places = driven_places,
                                   .n_places = N_PLANAR_DRIVEN,
                                   .from_outputs = planar_driven_from_outputs},
    .output = planar_driven_output,
    .spatial = &spatial_driven_frame_kind,
};
