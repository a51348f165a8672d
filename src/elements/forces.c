// Forces between two markers. The kernels are in force.inc.
#include "elements/forces.h"

#include <math.h>
#include <stddef.h>

enum { STIFFNESS, DAMPING, FREE_LENGTH, FREE_ANGLE = FREE_LENGTH, COMPRESSION_FACTOR };
enum { PROPORTIONAL_GAIN, DERIVATIVE_GAIN, LIMIT };  // actuators
enum { TARGET, EFFORT };
enum { FORCE_FRAME, LOAD_FIRST, LOAD_LAST, N_LOAD_PARAMETERS };  // applied forces and torques

#include "linalg/real.inc"
#include "elements/force.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/force.inc"
#include "linalg/undefine.inc"

const ReferenceInfo element_pair[ELEMENT_MAX_REFERENCES] = {
    {.name = "first",
     .help = "one body, or a point or frame on it",
     .type = REFERENCE_MARKER,
     .required = true},
    {.name = "second",
     .help = "the other; the ground's origin if absent",
     .type = REFERENCE_MARKER},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define POSITIVE(name_, help_, unit_, start_)                                             \
    {                                                                                     \
        .name = (name_), .help = (help_), .unit = (unit_), .start = (start_), .min = 0.0, \
        .max = INFINITY, .tunable = true                                                  \
    }
#define FORCE_FUNCTIONS(name, depends)                                                \
    .force = &(const ForceFunctions) {                                                \
        .state_dependent = (depends), .force = name##_real, .force_dual = name##_dual \
    }

static const int SPATIAL = 1;  // the detail of kinds that act in space

// --- springs ---

static const ParameterInfo spring_parameters[] = {
    [STIFFNESS] = POSITIVE("stiffness", "stiffness", UNIT_NEWTON_PER_METRE, 0.0),
    [DAMPING] = POSITIVE("damping", "viscous damping", UNIT_NEWTON_SECOND_PER_METRE, 0.0),
    [FREE_LENGTH] =
        POSITIVE("free_length", "length at which the spring is relaxed", UNIT_METRE, 0.0),
    [COMPRESSION_FACTOR] = POSITIVE("compression_factor",
                                    "stiffness when shorter than the free length, relative to that "
                                    "when longer; 0: a rope",
                                    UNIT_ONE, 1.0),
};
static const OutputInfo spring_outputs[] = {
    {.name = "length", .help = "distance of the two ends", .unit = UNIT_METRE, .derivative_of = -1},
    {.name = "tension",
     .help = "force in the element, positive when it pulls",
     .unit = UNIT_NEWTON,
     .derivative_of = -1},
};

static void spring_output(const Surroundings* s, const Frame* a, const Frame* b, const double* q,
                          const double* u, const double* accelerations, double* y) {
    (void)q;
    (void)u;
    (void)accelerations;
    const Line_real k = line_between_real(s, a, b);
    y[0] = k.l;
    y[1] = stiffness_at_real(s, k.l) * (k.l - s->par[FREE_LENGTH]) + s->par[DAMPING] * k.l_dot;
}

static void spring_damping(const Surroundings* s, const Frame* a, const Frame* b, double* F) {
    const Line_real k = line_between_real(s, a, b);
    add_pair_real(&k.a, &k.b, scale3(-s->par[DAMPING] * k.l_dot, k.e), F);
}

const ElementKind spring_damper_kind = {
    .tag = "spring_damper",
    .help = "A spring and damper in line between two points.",
    .role = ROLE_FORCE,
    .parameters = spring_parameters,
    .n_parameters = COUNT(spring_parameters),
    .references = element_pair,
    .n_references = 2,
    .outputs = spring_outputs,
    .n_outputs = COUNT(spring_outputs),
    .force = &(const ForceFunctions){.state_dependent = true,
                                     .force = spring_damper_real,
                                     .force_dual = spring_damper_dual,
                                     .potential = spring_potential_real,
                                     .potential_dual = spring_potential_dual,
                                     .damping = spring_damping},
    .output = spring_output,
};

static const ParameterInfo torsional_parameters[] = {
    [STIFFNESS] = POSITIVE("stiffness", "torsional stiffness", UNIT_NEWTON_METRE_PER_RADIAN, 0.0),
    [DAMPING] =
        POSITIVE("damping", "torsional viscous damping", UNIT_NEWTON_METRE_SECOND_PER_RADIAN, 0.0),
    [FREE_ANGLE] = {.name = "free_angle",
                    .help = "angle of the second body against the first when relaxed",
                    .unit = UNIT_RADIAN,
                    .min = -INFINITY,
                    .max = INFINITY,
                    .tunable = true},
};
static const OutputInfo angle_outputs[] = {
    {.name = "angle",
     .help = "angle of the second body against the first",
     .unit = UNIT_RADIAN,
     .derivative_of = -1},
    {.name = "torque",
     .help = "torque on the second body",
     .unit = UNIT_NEWTON_METRE,
     .derivative_of = -1},
};

static void angle_output(const Surroundings* s, const Frame* a, const Frame* b, const double* q,
                         const double* u, const double* accelerations, double* y) {
    (void)q;
    (void)u;
    (void)accelerations;
    double F[LOCAL_SIZE] = {0.0};
    s->element->kind->force->force(s, a, b, F);
    y[0] = relative_angle_real(s, a, b);
    const Vec3 torque = {F[TWIST_SIZE + 3], F[TWIST_SIZE + 4], F[TWIST_SIZE + 5]};
    y[1] = dot3(frame_axis(a, s->a->A.e[2], false).e, turn3(b->R, torque));
}

static void torsional_damping(const Surroundings* s, const Frame* a, const Frame* b, double* F) {
    add_torque_pair_real(s, a, b, -s->par[DAMPING] * relative_spin_real(s, a, b), F);
}

#define TORSIONAL_TABLE                                                                         \
    .tag = "torsional_spring_damper", .role = ROLE_FORCE, .parameters = torsional_parameters,   \
    .n_parameters = COUNT(torsional_parameters), .references = element_pair, .n_references = 2, \
    .outputs = angle_outputs, .n_outputs = COUNT(angle_outputs),                                \
    .force = &(const ForceFunctions){.state_dependent = true,                                   \
                                     .force = torsional_spring_damper_real,                     \
                                     .force_dual = torsional_spring_damper_dual,                \
                                     .potential = torsional_potential_real,                     \
                                     .potential_dual = torsional_potential_dual,                \
                                     .damping = torsional_damping},                             \
    .output = angle_output
static const ElementKind spatial_torsional_kind = {TORSIONAL_TABLE, .detail = &SPATIAL};
const ElementKind torsional_spring_damper_kind = {
    TORSIONAL_TABLE,
    .help =
        "A spring and damper between the angles of two bodies, about the z axis of the first "
        "marker, which in space a hinge is to keep parallel to that of the second.",
    .spatial = &spatial_torsional_kind,
};

// --- actuators ---

#define WORK_OUTPUT                                                                                \
    {                                                                                              \
        .name = "work", .help = "work done on the two bodies since the start", .unit = UNIT_JOULE, \
        .by_default = true, .derivative_of = -1                                                    \
    }
// The last one, the work, is summed up in the state.
static const OutputInfo angle_actuator_outputs[] = {
    {.name = "angle",
     .help = "angle of the second body against the first",
     .unit = UNIT_RADIAN,
     .derivative_of = -1},
    {.name = "torque",
     .help = "torque on the second body, the controller's and the limit included",
     .unit = UNIT_NEWTON_METRE,
     .by_default = true,
     .derivative_of = -1,
     .depends_on_inputs = true},
    WORK_OUTPUT,
};
static const OutputInfo slide_actuator_outputs[] = {
    {.name = "position",
     .help = "position of the second point along the x axis of the first marker",
     .unit = UNIT_METRE,
     .derivative_of = -1},
    {.name = "force",
     .help = "force on the second point along the x axis of the first marker, the controller's and "
             "the limit included",
     .unit = UNIT_NEWTON,
     .by_default = true,
     .derivative_of = -1,
     .depends_on_inputs = true},
    WORK_OUTPUT,
};

static void slide_output(const Surroundings* s, const Frame* a, const Frame* b, const double* q,
                         const double* u, const double* accelerations, double* y) {
    (void)q;
    (void)u;
    (void)accelerations;
    const Slide_real k = slide_of_real(s, a, b);
    y[0] = k.position;
    y[1] = k.force;
}

static const ParameterInfo angle_actuator_parameters[] = {
    [PROPORTIONAL_GAIN] = POSITIVE("proportional_gain", "torque per angle between target and angle",
                                   UNIT_NEWTON_METRE_PER_RADIAN, 0.0),
    [DERIVATIVE_GAIN] = POSITIVE("derivative_gain", "torque per difference of angular velocities",
                                 UNIT_NEWTON_METRE_SECOND_PER_RADIAN, 0.0),
    [LIMIT] = POSITIVE("limit", "largest torque", UNIT_NEWTON_METRE, 1e12),
};
static const SignalInfo angle_actuator_signals[] = {
    [TARGET] = {.name = "target",
                .help = "angle that the controller aims at",
                .unit = UNIT_RADIAN,
                .n_derivatives = 1,
                .start = "0"},
    [EFFORT] = {.name = "torque",
                .help = "torque in addition to the controller's",
                .unit = UNIT_NEWTON_METRE,
                .start = "0"},
};
#define ANGLE_ACTUATOR_TABLE                                                              \
    .tag = "angle_actuator", .role = ROLE_FORCE, .parameters = angle_actuator_parameters, \
    .n_parameters = COUNT(angle_actuator_parameters), .signals = angle_actuator_signals,  \
    .n_signals = 2, .references = element_pair, .n_references = 2,                        \
    .outputs = angle_actuator_outputs, .n_outputs = COUNT(angle_actuator_outputs),        \
    .output = angle_output, .works = true, FORCE_FUNCTIONS(angle_actuator, true)
static const ElementKind spatial_angle_actuator_kind = {ANGLE_ACTUATOR_TABLE, .detail = &SPATIAL};
const ElementKind angle_actuator_kind = {
    ANGLE_ACTUATOR_TABLE,
    .help =
        "A motor between two bodies about the z axis of the first marker: a torque and a "
        "proportional-derivative controller towards a target angle, within a limit.",
    .spatial = &spatial_angle_actuator_kind,
};

static const ParameterInfo slide_actuator_parameters[] = {
    [PROPORTIONAL_GAIN] = POSITIVE("proportional_gain", "force per distance from the target",
                                   UNIT_NEWTON_PER_METRE, 0.0),
    [DERIVATIVE_GAIN] = POSITIVE("derivative_gain", "force per difference of velocities",
                                 UNIT_NEWTON_SECOND_PER_METRE, 0.0),
    [LIMIT] = POSITIVE("limit", "largest force", UNIT_NEWTON, 1e12),
};
static const SignalInfo slide_actuator_signals[] = {
    [TARGET] = {.name = "target",
                .help = "position that the controller aims at",
                .unit = UNIT_METRE,
                .n_derivatives = 1,
                .start = "0"},
    [EFFORT] = {.name = "force",
                .help = "force in addition to the controller's",
                .unit = UNIT_NEWTON,
                .start = "0"},
};
const ElementKind slide_actuator_kind = {
    .tag = "slide_actuator",
    .help =
        "A linear motor along the x axis of the first marker: a force on the second point and a "
        "proportional-derivative controller towards a target position, within a limit.",
    .role = ROLE_FORCE,
    .parameters = slide_actuator_parameters,
    .n_parameters = COUNT(slide_actuator_parameters),
    .signals = slide_actuator_signals,
    .n_signals = 2,
    .references = element_pair,
    .n_references = 2,
    .outputs = slide_actuator_outputs,
    .n_outputs = COUNT(slide_actuator_outputs),
    .output = slide_output,
    .works = true,
    FORCE_FUNCTIONS(slide_actuator, true),
};

// --- applied ---

static const EnumerationItem frame_items[] = {
    {"world", "components along the axes of the world"},
    {"body", "components along the axes of the body, turning with it"},
};
static const EnumerationType frame_type = {.name = "ForceFrame",
                                           .help = "axes in which a force is given",
                                           .items = frame_items,
                                           .n_items = 2};
#define FRAME_INFO                                                                       \
    {                                                                                    \
        .name = "frame", .help = "axes of the components", .type = VARIABLE_ENUMERATION, \
        .enumeration = &frame_type, .start = 1.0, .min = 1.0, .max = 2.0                 \
    }
static const ParameterInfo applied_parameters[] = {[FORCE_FRAME] = FRAME_INFO};
static const ReferenceInfo force_references[] = {
    {.name = "on",
     .help = "where it acts: a body (at its origin) or a point or shape on it",
     .type = REFERENCE_MARKER,
     .required = true},
};
static const SignalInfo force_signals[] = {
    {.name = "x", .help = "force component x", .unit = UNIT_NEWTON, .start = "0"},
    {.name = "y", .help = "force component y", .unit = UNIT_NEWTON, .start = "0"},
    {.name = "z", .help = "force component z", .unit = UNIT_NEWTON, .start = "0"},
};
#define APPLIED_FORCE(n)                                                                           \
    .tag = "force", .role = ROLE_FORCE, .parameters = applied_parameters, .n_parameters = 1,       \
    .signals = force_signals, .n_signals = (n), .references = force_references, .n_references = 1, \
    FORCE_FUNCTIONS(force, true)
static const ElementKind spatial_force_kind = {APPLIED_FORCE(3), .detail = &SPATIAL};
const ElementKind force_kind = {
    APPLIED_FORCE(2),
    .help = "A force on a body, an expression of time and inputs.",
    .spatial = &spatial_force_kind,
};

// --- along a line ---

static const ParameterInfo load_parameters[N_LOAD_PARAMETERS] = {
    [FORCE_FRAME] = FRAME_INFO,
    [LOAD_FIRST] = {.name = "first",
                    .help = "where it begins, as a fraction of the length",
                    .unit = UNIT_ONE,
                    .max = 1.0},
    [LOAD_LAST] = {.name = "last",
                   .help = "where it ends, as a fraction of the length",
                   .unit = UNIT_ONE,
                   .start = 1.0,
                   .max = 1.0},
};
static const ReferenceInfo load_references[] = {
    {.name = "on", .help = "the beam", .type = REFERENCE_MARKER, .required = true},
};
static const SignalInfo load_signals[] = {
    {.name = "x", .help = "force per length, x", .unit = UNIT_NEWTON_PER_METRE, .start = "0"},
    {.name = "y", .help = "force per length, y", .unit = UNIT_NEWTON_PER_METRE, .start = "0"},
    {.name = "z", .help = "force per length, z", .unit = UNIT_NEWTON_PER_METRE, .start = "0"},
};

// Two points of Gauss in each piece, and as many pieces as the body has in this part: then forces
// that do not turn are as exact as the body's own if the part ends where pieces do.
enum { POINTS_OF_PIECE = 2, MOST_PIECES = 50000 };
enum { PIECES = 16 };  // of a body that has none

static int load_count(const MarkerView* view) {
    const double part = fabs(view->par[LOAD_LAST] - view->par[LOAD_FIRST]);
    const double rounding = 1e-9;
    const int all = view->body->pieces != NULL ? view->body->pieces(view->body_par) : PIECES;
    const double pieces = ceil(part * all - rounding);
    return POINTS_OF_PIECE * (pieces < MOST_PIECES ? (int)fmax(1.0, pieces) : MOST_PIECES);
}

static void load_point(const MarkerView* view, int i, Marker* marker) {
    static const double gauss[POINTS_OF_PIECE] = {0.21132486540518711775, 0.78867513459481288225};
    const double first = view->par[LOAD_FIRST];
    const double part = view->par[LOAD_LAST] - first;
    const int piece = i / POINTS_OF_PIECE;
    const double s = POINTS_OF_PIECE * (piece + gauss[i % POINTS_OF_PIECE]) / view->n;
    Vec3 ends[2];
    double radius;
    *marker = (Marker){.A = MAT3_IDENTITY};
    view->body->line(view->body_par, first, &ends[0], &radius);
    view->body->line(view->body_par, first + part, &ends[1], &radius);
    view->body->line(view->body_par, first + s * part, &marker->rho, &radius);
    marker->weight = length3(sub3(ends[1], ends[0])) / view->n;
}

#define LINE_LOAD(n)                                                                             \
    .tag = "line_load", .role = ROLE_FORCE, .parameters = load_parameters,                       \
    .n_parameters = N_LOAD_PARAMETERS, .signals = load_signals, .n_signals = (n),                \
    .references = load_references, .n_references = 1, .count = load_count, .corner = load_point, \
    .along_line = true, FORCE_FUNCTIONS(line_load, true)
static const ElementKind spatial_line_load_kind = {LINE_LOAD(3), .detail = &SPATIAL};
const ElementKind line_load_kind = {
    LINE_LOAD(2),
    .help =
        "A force per length of a relaxed beam along it, an expression of time and inputs: fixed "
        "in space, or (frame=\"body\") turning with the cross sections, as a pressure does.",
    .spatial = &spatial_line_load_kind,
};

// --- torques ---

static const ReferenceInfo torque_references[] = {
    {.name = "on",
     .help = "the body, or a point of it",
     .type = REFERENCE_MARKER,
     .required = true},
    {.name = "against",
     .help = "what takes the reaction; the ground if absent",
     .type = REFERENCE_MARKER},
};
static const SignalInfo torque_signals[] = {
    {.name = "value", .help = "torque, counter-clockwise", .unit = UNIT_NEWTON_METRE},
};
static const SignalInfo spatial_torque_signals[] = {
    {.name = "x", .help = "torque component x", .unit = UNIT_NEWTON_METRE, .start = "0"},
    {.name = "y", .help = "torque component y", .unit = UNIT_NEWTON_METRE, .start = "0"},
    {.name = "z", .help = "torque component z", .unit = UNIT_NEWTON_METRE, .start = "0"},
};
static const ElementKind spatial_torque_kind = {
    .tag = "torque",
    .role = ROLE_FORCE,
    .parameters = applied_parameters,
    .n_parameters = 1,
    .signals = spatial_torque_signals,
    .n_signals = 3,
    .references = torque_references,
    .n_references = 2,
    .detail = &SPATIAL,
    FORCE_FUNCTIONS(torque, true),
};
const ElementKind torque_kind = {
    .tag = "torque",
    .help = "A torque on a body, an expression of time and inputs.",
    .role = ROLE_FORCE,
    .signals = torque_signals,
    .n_signals = 1,
    .references = torque_references,
    .n_references = 2,
    .spatial = &spatial_torque_kind,
    FORCE_FUNCTIONS(torque, false),
};
