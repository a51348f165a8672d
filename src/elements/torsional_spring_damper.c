// Spring and damper between the angles of two bodies: torque on body 1
//   T = -k (phi_1 - phi_2 - phi_0) - c (omega_1 - omega_2), the opposite on body 2.
#include <math.h>

#include "elements/forces.h"

enum { STIFFNESS, DAMPING, FREE_ANGLE, N_PARAMETERS };

static const ParameterInfo parameters[N_PARAMETERS] = {
    [STIFFNESS] = {.name = "stiffness",
                   .help = "torsional stiffness",
                   .unit = UNIT_NEWTON_METRE_PER_RADIAN,
                   .min = 0.0,
                   .max = INFINITY,
                   .tunable = true},
    [DAMPING] = {.name = "damping",
                 .help = "torsional viscous damping",
                 .unit = UNIT_NEWTON_METRE_SECOND_PER_RADIAN,
                 .min = 0.0,
                 .max = INFINITY,
                 .tunable = true},
    [FREE_ANGLE] = {.name = "free_angle",
                    .help = "angle of the first body against the second when relaxed",
                    .unit = UNIT_RADIAN,
                    .min = -INFINITY,
                    .max = INFINITY,
                    .tunable = true},
};

static const ReferenceInfo references[] = {
    {.name = "first", .help = "one body", .type = REFERENCE_BODY, .required = true},
    {.name = "second", .help = "the other body; the ground if absent", .type = REFERENCE_BODY},
};

static const OutputInfo outputs[] = {
    {.name = "torque",
     .help = "torque on the first body",
     .unit = UNIT_NEWTON_METRE,
     .derivative_of = -1},
};

static double twist(const Element* element, const Configuration* c) {
    return c->frames[element->anchors[0].body].angle - c->frames[element->anchors[1].body].angle -
           element_parameters(element, c)[FREE_ANGLE];
}

static double twist_rate(const Element* element, const Configuration* c) {
    return c->frames[element->anchors[0].body].omega - c->frames[element->anchors[1].body].omega;
}

static double torque(const Element* element, const Configuration* c) {
    const double* par = element_parameters(element, c);
    return -par[STIFFNESS] * twist(element, c) - par[DAMPING] * twist_rate(element, c);
}

static void force(const Element* element, const Configuration* c, double* f) {
    f[2] = torque(element, c);
    f[5] = -f[2];
}

static void jacobian(const Element* element, const Configuration* c, double* K, double* D) {
    const double* par = element_parameters(element, c);
    for (int row = 2; row < LOCAL_NU; row += BODY_MAX_NU) {
        for (int column = 2; column < LOCAL_NU; column += BODY_MAX_NU) {
            const double sign = row == column ? -1.0 : 1.0;
            K[row * LOCAL_NU + column] = sign * par[STIFFNESS];
            D[row * LOCAL_NU + column] = sign * par[DAMPING];
        }
    }
}

static double potential(const Element* element, const Configuration* c) {
    const double phi = twist(element, c);
    return 0.5 * element_parameters(element, c)[STIFFNESS] * phi * phi;
}

static double potential_rate(const Element* element, const Configuration* c) {
    return element_parameters(element, c)[STIFFNESS] * twist(element, c) * twist_rate(element, c);
}

static void output(const Element* element, const Configuration* c, const double* a, double* y) {
    (void)a;
    y[0] = torque(element, c);
}

const ElementKind torsional_spring_damper_kind = {
    .tag = "torsional_spring_damper",
    .help = "A linear spring and damper between the angles of two bodies.",
    .role = ROLE_FORCE,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .references = references,
    .n_references = 2,
    .outputs = outputs,
    .n_outputs = 1,
    .force = &(const ForceFunctions){.state_dependent = true,
                                     .force = force,
                                     .jacobian = jacobian,
                                     .potential = potential,
                                     .potential_rate = potential_rate},
    .output = output,
};
