// Sensors look at a marker a from a marker b. With x, x_dot the place and velocity of a's point
// from b's in components of b's axes, and R_b the orientation of these axes:
//   x = R_b^T (r_a - r_b),   x_dot = R_b^T (v_a - v_b) - omega_b x x,
// omega_b being b's angular velocity in its own components: what somebody sees who moves along.
#include "elements/sensors.h"

#include <math.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SHOWN(name_, help_, unit_, of_)                                        \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = (of_)                                                 \
    }

static const ReferenceInfo sensor_references[] = {
    {.name = "at",
     .help = "what it looks at: a body, or a shape or frame on it",
     .type = REFERENCE_MARKER,
     .required = true},
    {.name = "relative_to",
     .help = "what it looks from, along whose axes it measures; the ground if absent",
     .type = REFERENCE_MARKER},
};

enum { PLANE = 3, SPACE_QUATERNION = 3, SPACE_VELOCITY = 7, SPACE_OMEGA = 10 };

static const OutputInfo sensor_outputs[] = {
    SHOWN("x", "position x", UNIT_METRE, -1),
    SHOWN("y", "position y", UNIT_METRE, -1),
    SHOWN("angle", "angle, counter-clockwise", UNIT_RADIAN, -1),
    SHOWN("velocity_x", "velocity x", UNIT_METRE_PER_SECOND, 0),
    SHOWN("velocity_y", "velocity y", UNIT_METRE_PER_SECOND, 1),
    SHOWN("angular_velocity", "angular velocity", UNIT_RADIAN_PER_SECOND, 2),
};
static const OutputInfo spatial_sensor_outputs[] = {
    SHOWN("x", "position x", UNIT_METRE, -1),
    SHOWN("y", "position y", UNIT_METRE, -1),
    SHOWN("z", "position z", UNIT_METRE, -1),
    SHOWN("quaternion_0", "real part of the orientation's unit quaternion, not negative", UNIT_ONE,
          -1),
    SHOWN("quaternion_1", "its first imaginary part", UNIT_ONE, -1),
    SHOWN("quaternion_2", "its second imaginary part", UNIT_ONE, -1),
    SHOWN("quaternion_3", "its third imaginary part", UNIT_ONE, -1),
    SHOWN("velocity_x", "velocity x", UNIT_METRE_PER_SECOND, 0),
    SHOWN("velocity_y", "velocity y", UNIT_METRE_PER_SECOND, 1),
    SHOWN("velocity_z", "velocity z", UNIT_METRE_PER_SECOND, 2),
    SHOWN("angular_velocity_x", "angular velocity about the axis x", UNIT_RADIAN_PER_SECOND, -1),
    SHOWN("angular_velocity_y", "angular velocity about the axis y", UNIT_RADIAN_PER_SECOND, -1),
    SHOWN("angular_velocity_z", "angular velocity about the axis z", UNIT_RADIAN_PER_SECOND, -1),
};

typedef struct Sight {
    Vec3 x, x_dot;  // of the marker, seen from the other one
    Mat3 R;         // its orientation
    Vec3 omega;     // its angular velocity
} Sight;

static Sight look(const Surroundings* s, const Frame* frame_a, const Frame* frame_b) {
    const Point a = frame_point(frame_a, s->a->rho, RATES_VELOCITY);
    const Point b = frame_point(frame_b, s->b->rho, RATES_VELOCITY);
    const Mat3 R_a = product3(frame_a->R, s->a->A);
    const Mat3 R_b = product3(frame_b->R, s->b->A);
    const Vec3 omega_a = turn_back3(R_b, turn3(frame_a->R, frame_a->Omega));
    const Vec3 omega_b = turn_back3(s->b->A, frame_b->Omega);
    Sight sight = {.x = turn_back3(R_b, sub3(a.x, b.x)), .omega = sub3(omega_a, omega_b)};
    sight.x_dot = sub3(turn_back3(R_b, sub3(a.x_dot, b.x_dot)), cross3(omega_b, sight.x));
    for (int i = 0; i < 3; i++) {
        sight.R.e[i] = turn_back3(R_b, R_a.e[i]);
    }
    return sight;
}

static void sensor_output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                          const double* q, const double* u, const double* a, double* y) {
    const Sight sight = look(s, frame_a, frame_b);
    const double angle = frame_a->angle - frame_b->angle + marker_angle(s->a) - marker_angle(s->b);
    const double values[] = {sight.x.x,     sight.x.y,     angle,
                             sight.x_dot.x, sight.x_dot.y, sight.omega.z};
    (void)q, (void)u, (void)a;
    memcpy(y, values, sizeof values);
}

static void spatial_sensor_output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                                  const double* q, const double* u, const double* a, double* y) {
    const Sight sight = look(s, frame_a, frame_b);
    (void)q, (void)u, (void)a;
    memcpy(y, &sight.x, sizeof sight.x);
    quaternion3(sight.R, y + SPACE_QUATERNION);
    memcpy(y + SPACE_VELOCITY, &sight.x_dot, sizeof sight.x_dot);
    memcpy(y + SPACE_OMEGA, &sight.omega, sizeof sight.omega);
}

static const ElementKind spatial_sensor_kind = {
    .tag = "sensor",
    .role = ROLE_SENSOR,
    .references = sensor_references,
    .n_references = 2,
    .outputs = spatial_sensor_outputs,
    .n_outputs = COUNT(spatial_sensor_outputs),
    .output = spatial_sensor_output,
};
const ElementKind sensor_kind = {
    .tag = "sensor",
    .help =
        "Tells where a point of a body is and how it moves, seen from the ground or from another "
        "body.",
    .role = ROLE_SENSOR,
    .references = sensor_references,
    .n_references = 2,
    .outputs = sensor_outputs,
    .n_outputs = COUNT(sensor_outputs),
    .output = sensor_output,
    .spatial = &spatial_sensor_kind,
};

// --- what a beam carries ---

static const ReferenceInfo gauge_references[] = {
    {.name = "at",
     .help = "a shape or frame on a beam: the cross section",
     .type = REFERENCE_SHAPE,
     .required = true},
};
static const OutputInfo gauge_outputs[N_SECTION_OUTPUTS] = {
    [SECTION_NORMAL_FORCE] =
        SHOWN("normal_force", "force along the axis, tension being positive", UNIT_NEWTON, -1),
    [SECTION_SHEAR_FORCE] =
        SHOWN("shear_force", "force across the axis, on the part before the cross section",
              UNIT_NEWTON, -1),
    [SECTION_BENDING_MOMENT] = SHOWN(
        "bending_moment", "moment, on the part before the cross section", UNIT_NEWTON_METRE, -1),
    [SECTION_STRETCH] = SHOWN("stretch", "strain of the axis", UNIT_ONE, -1),
    [SECTION_SHEAR] = SHOWN("shear", "shear strain", UNIT_ONE, -1),
    [SECTION_CURVATURE] = SHOWN("curvature", "curvature, that of the relaxed beam included",
                                UNIT_RADIAN_PER_METRE, -1),
    [SECTION_STRESS_LEFT] =
        SHOWN("stress_left", "stress in the outer fibre to the left of the axis (y = height/2)",
              UNIT_PASCAL, -1),
    [SECTION_STRESS_RIGHT] =
        SHOWN("stress_right", "stress in the outer fibre to the right of the axis (y = -height/2)",
              UNIT_PASCAL, -1),
};

static const OutputInfo spatial_gauge_outputs[N_SPATIAL_SECTION_OUTPUTS] = {
    [SPATIAL_SECTION_FORCE] =
        SHOWN("normal_force", "force along the axis, tension being positive", UNIT_NEWTON, -1),
    SHOWN("shear_force_y", "force along y, on the part before the cross section", UNIT_NEWTON, -1),
    SHOWN("shear_force_z", "force along z, on the part before the cross section", UNIT_NEWTON, -1),
    [SPATIAL_SECTION_MOMENT] =
        SHOWN("torsional_moment", "moment about the axis, on the part before the cross section",
              UNIT_NEWTON_METRE, -1),
    SHOWN("bending_moment_y", "moment about y, on the part before the cross section",
          UNIT_NEWTON_METRE, -1),
    SHOWN("bending_moment_z", "moment about z, on the part before the cross section",
          UNIT_NEWTON_METRE, -1),
    [SPATIAL_SECTION_STRETCH] = SHOWN("stretch", "strain of the axis", UNIT_ONE, -1),
    SHOWN("shear_y", "shear strain along y", UNIT_ONE, -1),
    SHOWN("shear_z", "shear strain along z", UNIT_ONE, -1),
    [SPATIAL_SECTION_TWIST] = SHOWN("twist",
                                    "rotation about the axis per length, that of the "
                                    "relaxed beam included",
                                    UNIT_RADIAN_PER_METRE, -1),
    SHOWN("curvature_y", "curvature about y, that of the relaxed beam included",
          UNIT_RADIAN_PER_METRE, -1),
    SHOWN("curvature_z", "curvature about z, that of the relaxed beam included",
          UNIT_RADIAN_PER_METRE, -1),
    [SPATIAL_SECTION_STRESS_LEFT] =
        SHOWN("stress_left", "stress along the axis in the outer fibre at the largest y, z = 0",
              UNIT_PASCAL, -1),
    [SPATIAL_SECTION_STRESS_RIGHT] =
        SHOWN("stress_right", "stress in the outer fibre at the least y, z = 0", UNIT_PASCAL, -1),
    [SPATIAL_SECTION_STRESS_TOP] =
        SHOWN("stress_top", "stress in the outer fibre at the largest z, y = 0", UNIT_PASCAL, -1),
    [SPATIAL_SECTION_STRESS_BOTTOM] =
        SHOWN("stress_bottom", "stress in the outer fibre at the least z, y = 0", UNIT_PASCAL, -1),
    [SPATIAL_SECTION_STRESS_HIGHEST] =
        SHOWN("stress_highest", "highest stress along the axis of all fibres", UNIT_PASCAL, -1),
    [SPATIAL_SECTION_STRESS_LOWEST] =
        SHOWN("stress_lowest", "lowest stress along the axis of all fibres", UNIT_PASCAL, -1),
    [SPATIAL_SECTION_STRESS_TORSION] =
        SHOWN("stress_torsion", "largest shear stress of torsion", UNIT_PASCAL, -1),
};

static const ElementKind spatial_gauge_kind = {
    .tag = "gauge",
    .role = ROLE_SENSOR,
    .references = gauge_references,
    .n_references = 1,
    .outputs = spatial_gauge_outputs,
    .n_outputs = N_SPATIAL_SECTION_OUTPUTS,
    .of_section = true,
};
const ElementKind gauge_kind = {
    .tag = "gauge",
    .help = "Tells what a cross section of a beam carries: forces, strains, stresses.",
    .role = ROLE_SENSOR,
    .references = gauge_references,
    .n_references = 1,
    .outputs = gauge_outputs,
    .n_outputs = N_SECTION_OUTPUTS,
    .of_section = true,
    .spatial = &spatial_gauge_kind,
};

// --- what contacts exert on a body ---

static const ReferenceInfo contact_sensor_references[] = {
    {.name = "on",
     .help = "what it weighs: a body, or a frame on it, for the contacts of all its shapes; or one "
             "shape, for its own",
     .type = REFERENCE_MARKER,
     .required = true},
    {.name = "of", .help = "the contacts that count", .type = REFERENCE_CONTACT},
};

#define LOAD_FORCE(c) SHOWN("force_" c, "force of the contacts, component " c, UNIT_NEWTON, -1)
#define LOAD_TORQUE(c) \
    SHOWN("torque_" c, "torque of the contacts, component " c, UNIT_NEWTON_METRE, -1)
#define LOAD_IMPULSE(c)                                                                \
    SHOWN("impulse_" c, "impulse of force_" c " at impacts in the last internal step", \
          UNIT_NEWTON_SECOND, -1)
#define LOAD_ANGULAR_IMPULSE(c)                                                                 \
    SHOWN("angular_impulse_" c, "impulse of torque_" c " at impacts in the last internal step", \
          UNIT_NEWTON_METRE_SECOND, -1)
static const OutputInfo contact_sensor_outputs[] = {
    LOAD_FORCE("x"),
    LOAD_FORCE("y"),
    SHOWN("torque", "torque of the contacts", UNIT_NEWTON_METRE, -1),
    LOAD_IMPULSE("x"),
    LOAD_IMPULSE("y"),
    SHOWN("angular_impulse", "impulse of torque at impacts in the last internal step",
          UNIT_NEWTON_METRE_SECOND, -1),
};
static const OutputInfo spatial_contact_sensor_outputs[] = {
    LOAD_FORCE("x"),           LOAD_FORCE("y"),           LOAD_FORCE("z"),
    LOAD_TORQUE("x"),          LOAD_TORQUE("y"),          LOAD_TORQUE("z"),
    LOAD_IMPULSE("x"),         LOAD_IMPULSE("y"),         LOAD_IMPULSE("z"),
    LOAD_ANGULAR_IMPULSE("x"), LOAD_ANGULAR_IMPULSE("y"), LOAD_ANGULAR_IMPULSE("z"),
};

static const ElementKind spatial_contact_sensor_kind = {
    .tag = "contact_sensor",
    .role = ROLE_SENSOR,
    .references = contact_sensor_references,
    .n_references = 2,
    .outputs = spatial_contact_sensor_outputs,
    .n_outputs = COUNT(spatial_contact_sensor_outputs),
    .of_contacts = true,
};
const ElementKind contact_sensor_kind = {
    .tag = "contact_sensor",
    .help =
        "Tells what contacts exert on a body, or on one shape of it: the sum of their forces, "
        "and of their torques about the body's origin, or about a frame.",
    .role = ROLE_SENSOR,
    .references = contact_sensor_references,
    .n_references = 2,
    .outputs = contact_sensor_outputs,
    .n_outputs = COUNT(contact_sensor_outputs),
    .of_contacts = true,
    .spatial = &spatial_contact_sensor_kind,
};
