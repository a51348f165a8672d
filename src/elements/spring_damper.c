// Spring and damper in line between two points:
//   d = x_1 - x_2, l = |d|, e = d/l, l' = e . (V_1 - V_2)
//   force on point 1: F = -k d - s e, s = c l' - k l_0
// The direction e is not defined at l = 0; zero is taken there, so that a spring with l_0 = 0 is
// linear everywhere.
#include <math.h>

#include "elements/forces.h"

enum { STIFFNESS, DAMPING, FREE_LENGTH, N_PARAMETERS };

static const ParameterInfo parameters[N_PARAMETERS] = {
    [STIFFNESS] = {.name = "stiffness",
                   .help = "stiffness",
                   .unit = UNIT_NEWTON_PER_METRE,
                   .min = 0.0,
                   .max = INFINITY,
                   .tunable = true},
    [DAMPING] = {.name = "damping",
                 .help = "viscous damping",
                 .unit = UNIT_NEWTON_SECOND_PER_METRE,
                 .min = 0.0,
                 .max = INFINITY,
                 .tunable = true},
    [FREE_LENGTH] = {.name = "free_length",
                     .help = "length at which the spring is relaxed",
                     .unit = UNIT_METRE,
                     .min = 0.0,
                     .max = INFINITY,
                     .tunable = true},
};

static const ReferenceInfo references[] = {
    {.name = "first",
     .help = "one end: a body or a shape on it",
     .type = REFERENCE_POINT,
     .required = true},
    {.name = "second",
     .help = "the other end; the origin of the ground if absent",
     .type = REFERENCE_POINT},
};

static const OutputInfo outputs[] = {
    {.name = "length", .help = "distance of the two ends", .unit = UNIT_METRE, .derivative_of = -1},
    {.name = "tension",
     .help = "force in the element, positive when it pulls",
     .unit = UNIT_NEWTON,
     .derivative_of = -1},
};

typedef struct Kinematics {
    Vec2 arm[2];  // from the bodies' origins to the ends
    Vec2 d;       // x_1 - x_2
    Vec2 e;       // unit vector, zero if l = 0
    Vec2 d_dot;
    double l, l_dot;
} Kinematics;

static Kinematics kinematics(const Element* element, const Configuration* c) {
    Kinematics k;
    Vec2 x[2], v[2];
    for (int i = 0; i < 2; i++) {
        const Anchor anchor = element->anchors[i];
        const Frame* frame = &c->frames[anchor.body];
        k.arm[i] = anchor_arm(anchor, c);
        x[i] = vec2_add(frame->r, k.arm[i]);
        v[i] = frame_velocity(frame, k.arm[i]);
    }
    k.d = vec2_sub(x[0], x[1]);
    k.d_dot = vec2_sub(v[0], v[1]);
    k.l = vec2_length(k.d);
    k.e = k.l > 0.0 ? vec2_scale(1.0 / k.l, k.d) : (Vec2){0.0, 0.0};
    k.l_dot = vec2_dot(k.e, k.d_dot);
    return k;
}

// s: the part of the force that acts along e
static double axial(const double* par, const Kinematics* k) {
    return par[DAMPING] * k->l_dot - par[STIFFNESS] * par[FREE_LENGTH];
}

static Vec2 force_on_first(const double* par, const Kinematics* k) {
    return vec2_scale(-1.0,
                      vec2_add(vec2_scale(par[STIFFNESS], k->d), vec2_scale(axial(par, k), k->e)));
}

static void force(const Element* element, const Configuration* c, double* f) {
    const Kinematics k = kinematics(element, c);
    const Vec2 F = force_on_first(element_parameters(element, c), &k);
    f[0] = F.x;
    f[1] = F.y;
    f[2] = vec2_cross(k.arm[0], F);
    f[3] = -F.x;
    f[4] = -F.y;
    f[5] = -vec2_cross(k.arm[1], F);
}

// Each column is the derivative along one coordinate: how d, d' and the arms change with it, then
// the product rule on f.
static void jacobian(const Element* element, const Configuration* c, double* K, double* D) {
    const double* par = element_parameters(element, c);
    const Kinematics k = kinematics(element, c);
    const double s = axial(par, &k);
    const Vec2 F = force_on_first(par, &k);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        const double omega = c->frames[element->anchors[side].body].omega;
        for (int i = 0; i < BODY_MAX_NU; i++) {
            const int column = side * BODY_MAX_NU + i;
            const Vec2 translation = {i == 0, i == 1};
            // along q_i: the end moves by x_q, its velocity changes by v_q, its arm turns
            const Vec2 arm_q = i == 2 ? vec2_turn(k.arm[side]) : (Vec2){0.0, 0.0};
            const Vec2 x_q = i == 2 ? arm_q : translation;
            const Vec2 d_q = vec2_scale(sign, x_q);
            const Vec2 d_dot_q = vec2_scale(sign * omega, vec2_turn(arm_q));
            const double l_q = vec2_dot(k.e, d_q);
            const Vec2 e_q = k.l > 0.0 ? vec2_scale(1.0 / k.l, vec2_sub(d_q, vec2_scale(l_q, k.e)))
                                       : (Vec2){0.0, 0.0};
            const double l_dot_q = vec2_dot(e_q, k.d_dot) + vec2_dot(k.e, d_dot_q);
            const Vec2 along_e =
                vec2_add(vec2_scale(par[DAMPING] * l_dot_q, k.e), vec2_scale(s, e_q));
            const Vec2 F_q = vec2_scale(-1.0, vec2_add(vec2_scale(par[STIFFNESS], d_q), along_e));
            // along u_i the arm stays and the end's velocity changes by x_q
            const Vec2 F_u = vec2_scale(-par[DAMPING] * l_q, k.e);
            const Vec2 columns[2] = {F_q, F_u};
            double* const blocks[2] = {K, D};
            for (int b = 0; b < 2; b++) {
                double* J = blocks[b] + column;
                J[0 * LOCAL_NU] = columns[b].x;
                J[1 * LOCAL_NU] = columns[b].y;
                J[2 * LOCAL_NU] = vec2_cross(k.arm[0], columns[b]);
                J[3 * LOCAL_NU] = -columns[b].x;
                J[4 * LOCAL_NU] = -columns[b].y;
                J[5 * LOCAL_NU] = -vec2_cross(k.arm[1], columns[b]);
            }
            K[(3 * side + 2) * LOCAL_NU + column] += sign * vec2_cross(arm_q, F);
        }
    }
}

static double potential(const Element* element, const Configuration* c) {
    const double* par = element_parameters(element, c);
    const double stretch = kinematics(element, c).l - par[FREE_LENGTH];
    return 0.5 * par[STIFFNESS] * stretch * stretch;
}

static double potential_rate(const Element* element, const Configuration* c) {
    const double* par = element_parameters(element, c);
    const Kinematics k = kinematics(element, c);
    return par[STIFFNESS] * (k.l - par[FREE_LENGTH]) * k.l_dot;
}

static void output(const Element* element, const Configuration* c, const double* a, double* y) {
    const Kinematics k = kinematics(element, c);
    (void)a;
    y[0] = k.l;
    y[1] = -vec2_dot(force_on_first(element_parameters(element, c), &k), k.e);
}

const ElementKind spring_damper_kind = {
    .tag = "spring_damper",
    .help = "A linear spring and damper in line between two points.",
    .role = ROLE_FORCE,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .references = references,
    .n_references = 2,
    .outputs = outputs,
    .n_outputs = 2,
    .force = &(const ForceFunctions){.state_dependent = true,
                                     .force = force,
                                     .jacobian = jacobian,
                                     .potential = potential,
                                     .potential_rate = potential_rate},
    .output = output,
};
