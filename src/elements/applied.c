// Forces and torques given as functions of time and inputs. A force in the body frame, and the arm
// of any force, turn with the body: df/dangle follows from R'(angle) = e_z x R.
#include <math.h>

#include "elements/forces.h"

enum { FRAME, N_FORCE_PARAMETERS };
enum { FORCE_X, FORCE_Y };

static const EnumerationItem frame_items[] = {
    {"world", "components along the axes of the world"},
    {"body", "components along the axes of the body, turning with it"},
};
static const EnumerationType frame_type = {.name = "ForceFrame",
                                           .help = "axes in which a force is given",
                                           .items = frame_items,
                                           .n_items = 2};

static const ParameterInfo force_parameters[N_FORCE_PARAMETERS] = {
    [FRAME] = {.name = "frame",
               .help = "axes of the components",
               .type = VARIABLE_ENUMERATION,
               .enumeration = &frame_type,
               .start = 1.0,
               .min = 1.0,
               .max = 2.0},
};

static const SignalInfo force_signals[] = {
    [FORCE_X] = {.name = "x", .help = "force component x", .unit = UNIT_NEWTON, .start = "0"},
    [FORCE_Y] = {.name = "y", .help = "force component y", .unit = UNIT_NEWTON, .start = "0"},
};

static const ReferenceInfo force_references[] = {
    {.name = "on",
     .help = "where it acts: a body (at its origin) or a shape on it (at its centre)",
     .type = REFERENCE_POINT,
     .required = true},
};

static Vec2 world_force(const Element* element, const Configuration* c) {
    const double* signals = c->signals + element->signals.at;
    const Vec2 F = {signals[FORCE_X], signals[FORCE_Y]};
    const bool turns = element_parameters(element, c)[FRAME] > 1.0;
    return turns ? frame_turn(&c->frames[element->anchors[0].body], F) : F;
}

static void force_force(const Element* element, const Configuration* c, double* f) {
    const Vec2 F = world_force(element, c);
    f[0] = F.x;
    f[1] = F.y;
    f[2] = vec2_cross(anchor_arm(element->anchors[0], c), F);
}

static void force_jacobian(const Element* element, const Configuration* c, double* K, double* D) {
    const Vec2 F = world_force(element, c);
    (void)D;
    if (element_parameters(element, c)[FRAME] > 1.0) {
        const Vec2 F_q = vec2_turn(F);  // the arm turns alike: the torque stays
        K[0 * LOCAL_NU + 2] = F_q.x;
        K[1 * LOCAL_NU + 2] = F_q.y;
    } else {
        K[2 * LOCAL_NU + 2] = vec2_cross(vec2_turn(anchor_arm(element->anchors[0], c)), F);
    }
}

const ElementKind force_kind = {
    .tag = "force",
    .help = "A force on a body, an expression of time and inputs.",
    .role = ROLE_FORCE,
    .parameters = force_parameters,
    .n_parameters = N_FORCE_PARAMETERS,
    .signals = force_signals,
    .n_signals = 2,
    .references = force_references,
    .n_references = 1,
    .force =
        &(const ForceFunctions){
            .state_dependent = true, .force = force_force, .jacobian = force_jacobian},
};

static const SignalInfo torque_signals[] = {
    {.name = "value", .help = "torque, counter-clockwise", .unit = UNIT_NEWTON_METRE},
};

static const ReferenceInfo torque_references[] = {
    {.name = "on", .help = "the body", .type = REFERENCE_BODY, .required = true},
    {.name = "against",
     .help = "the body that takes the reaction; the ground if absent",
     .type = REFERENCE_BODY},
};

static void torque_force(const Element* element, const Configuration* c, double* f) {
    f[2] = c->signals[element->signals.at];
    f[5] = -f[2];
}

const ElementKind torque_kind = {
    .tag = "torque",
    .help = "A torque on a body, an expression of time and inputs.",
    .role = ROLE_FORCE,
    .signals = torque_signals,
    .n_signals = 1,
    .references = torque_references,
    .n_references = 2,
    .force = &(const ForceFunctions){.force = torque_force},
};
