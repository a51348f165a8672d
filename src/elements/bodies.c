// Bodies of the plane: q = (x, y, angle) at the centre of mass, u = q', a point mass without angle.
#include "elements/bodies.h"

#include <math.h>

enum { MASS, POINT_X, POINT_Y, POINT_VX, POINT_VY, N_POINT };

#define INITIAL(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }
#define MASS_INFO                                                                          \
    {                                                                                      \
        .name = "mass", .help = "mass", .unit = UNIT_KILOGRAM, .start = NAN, .min = 1e-12, \
        .max = INFINITY                                                                    \
    }

static const ParameterInfo point_parameters[N_POINT] = {
    [MASS] = MASS_INFO,
    [POINT_X] = INITIAL("initial_x", "position x at the start", UNIT_METRE),
    [POINT_Y] = INITIAL("initial_y", "position y at the start", UNIT_METRE),
    [POINT_VX] = INITIAL("initial_velocity_x", "velocity x at the start", UNIT_METRE_PER_SECOND),
    [POINT_VY] = INITIAL("initial_velocity_y", "velocity y at the start", UNIT_METRE_PER_SECOND),
};

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
        .depends_on_inputs = true                                                  \
    }

static const OutputInfo point_outputs[] = {
    OUTPUT_OF("x", "position x", UNIT_METRE, "initial_x"),
    OUTPUT_OF("y", "position y", UNIT_METRE, "initial_y"),
    RATE_OF(0, "velocity_x", "velocity x", UNIT_METRE_PER_SECOND, "initial_velocity_x"),
    RATE_OF(1, "velocity_y", "velocity y", UNIT_METRE_PER_SECOND, "initial_velocity_y"),
    ACCELERATION_OF(2, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION_OF(3, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED),
};

static void point_initial(const double* par, double* q, double* u) {
    q[0] = par[POINT_X];
    q[1] = par[POINT_Y];
    u[0] = par[POINT_VX];
    u[1] = par[POINT_VY];
}

static void point_frame(const double* q, const double* u, Frame* frame) {
    *frame = (Frame){.r = {q[0], q[1]}, .c = 1.0, .s = 0.0, .v = {u[0], u[1]}};
}

static void point_mass(const double* par, double* M) {
    M[0] = M[3] = par[MASS];
    M[1] = M[2] = 0.0;
}

// y = (q, u, a) of a body with n coordinates
static void body_output(const Element* element, const Configuration* c, const double* a,
                        double* y) {
    const int n = element->q.n;
    for (int i = 0; i < n; i++) {
        y[i] = c->q[element->q.at + i];
        y[n + i] = c->u[element->u.at + i];
        y[2 * n + i] = a[element->u.at + i];
    }
}

const ElementKind point_mass_kind = {
    .tag = "point_mass",
    .help = "A mass without extent or rotation, free in the plane.",
    .role = ROLE_BODY,
    .parameters = point_parameters,
    .n_parameters = N_POINT,
    .outputs = point_outputs,
    .n_outputs = sizeof point_outputs / sizeof point_outputs[0],
    .body =
        &(const BodyFunctions){
            .nq = 2, .nu = 2, .initial = point_initial, .frame = point_frame, .mass = point_mass},
    .output = body_output,
};

enum { INERTIA = 1, BODY_X, BODY_Y, BODY_ANGLE, BODY_VX, BODY_VY, BODY_OMEGA, N_BODY };

static const ParameterInfo body_parameters[N_BODY] = {
    [MASS] = MASS_INFO,
    [INERTIA] = {.name = "inertia",
                 .help = "moment of inertia about the centre of mass",
                 .unit = UNIT_KILOGRAM_METRE_SQUARED,
                 .start = NAN,
                 .min = 1e-15,
                 .max = INFINITY},
    [BODY_X] = INITIAL("initial_x", "position x of the centre of mass at the start", UNIT_METRE),
    [BODY_Y] = INITIAL("initial_y", "position y of the centre of mass at the start", UNIT_METRE),
    [BODY_ANGLE] = INITIAL("initial_angle", "angle at the start", UNIT_RADIAN),
    [BODY_VX] = INITIAL("initial_velocity_x", "velocity x at the start", UNIT_METRE_PER_SECOND),
    [BODY_VY] = INITIAL("initial_velocity_y", "velocity y at the start", UNIT_METRE_PER_SECOND),
    [BODY_OMEGA] = INITIAL("initial_angular_velocity", "angular velocity at the start",
                           UNIT_RADIAN_PER_SECOND),
};

static const OutputInfo body_outputs[] = {
    OUTPUT_OF("x", "position x of the centre of mass", UNIT_METRE, "initial_x"),
    OUTPUT_OF("y", "position y of the centre of mass", UNIT_METRE, "initial_y"),
    OUTPUT_OF("angle", "angle, counter-clockwise", UNIT_RADIAN, "initial_angle"),
    RATE_OF(0, "velocity_x", "velocity x", UNIT_METRE_PER_SECOND, "initial_velocity_x"),
    RATE_OF(1, "velocity_y", "velocity y", UNIT_METRE_PER_SECOND, "initial_velocity_y"),
    RATE_OF(2, "angular_velocity", "angular velocity", UNIT_RADIAN_PER_SECOND,
            "initial_angular_velocity"),
    ACCELERATION_OF(3, "acceleration_x", "acceleration x", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION_OF(4, "acceleration_y", "acceleration y", UNIT_METRE_PER_SECOND_SQUARED),
    ACCELERATION_OF(5, "angular_acceleration", "angular acceleration",
                    UNIT_RADIAN_PER_SECOND_SQUARED),
};

static void planar_initial(const double* par, double* q, double* u) {
    for (int i = 0; i < 3; i++) {
        q[i] = par[BODY_X + i];
        u[i] = par[BODY_VX + i];
    }
}

static void planar_frame(const double* q, const double* u, Frame* frame) {
    *frame = (Frame){.r = {q[0], q[1]},
                     .angle = q[2],
                     .c = cos(q[2]),
                     .s = sin(q[2]),
                     .v = {u[0], u[1]},
                     .omega = u[2]};
}

static void planar_mass(const double* par, double* M) {
    for (int i = 0; i < 9; i++) {
        M[i] = 0.0;
    }
    M[0] = M[4] = par[MASS];
    M[8] = par[INERTIA];
}

const ElementKind planar_body_kind = {
    .tag = "planar_body",
    .help = "A rigid body that moves in the plane; its origin is its centre of mass.",
    .role = ROLE_BODY,
    .parameters = body_parameters,
    .n_parameters = N_BODY,
    .outputs = body_outputs,
    .n_outputs = sizeof body_outputs / sizeof body_outputs[0],
    .body = &(const BodyFunctions){.nq = 3,
                                   .nu = 3,
                                   .initial = planar_initial,
                                   .frame = planar_frame,
                                   .mass = planar_mass},
    .output = body_output,
};

const ElementKind ground_kind = {
    .tag = "ground",
    .help = "What does not move; shapes stand on it.",
    .role = ROLE_BODY,
    .body = &(const BodyFunctions){.nq = 0},
};
