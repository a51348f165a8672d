// Contact kinematics in the plane. With V_s the velocity of body s's material point at the contact
// point x_s = r_s + arm_s, n the normal (from b to a) and t_F = -e_z x n the tangent:
//   g_N_dot = n . (V_a - V_b),   gamma_F = t_F . (V_a - V_b)            GA (42), (46)
// and, differentiated once more with n' = nu e_z x n and the travelling contact points x_s',
//   d/dt (d . V_s) = d . (a_s + alpha_s e_z x arm_s) + d' . V_s + d . omega_s e_z x (x_s' - v_s),
// of which the last two terms are zeta and d stands for n or t_F.
#include "elements/contact.h"

#include <math.h>

static const ParameterInfo parameters[N_CONTACT_PARAMETERS] = {
    [FRICTION_COEFFICIENT] = {.name = "friction_coefficient",
                              .help = "Coulomb friction coefficient",
                              .unit = UNIT_ONE,
                              .min = 0.0,
                              .max = INFINITY,
                              .tunable = true,
                              .from_materials = true},
    [NORMAL_RESTITUTION] = {.name = "normal_restitution",
                            .help = "Newton's coefficient of restitution normal to the surfaces",
                            .unit = UNIT_ONE,
                            .min = 0.0,
                            .max = 1.0,
                            .tunable = true,
                            .from_materials = true},
    [TANGENTIAL_RESTITUTION] = {.name = "tangential_restitution",
                                .help = "coefficient of restitution along the surfaces",
                                .unit = UNIT_ONE,
                                .min = -1.0,
                                .max = 1.0,
                                .tunable = true,
                                .from_materials = true},
};

static const ReferenceInfo references[] = {
    {.name = "first", .help = "one shape", .type = REFERENCE_SHAPE, .required = true},
    {.name = "second", .help = "the other shape", .type = REFERENCE_SHAPE, .required = true},
};

static const EnumerationItem state_items[] = {
    {"open", "the shapes do not press on each other"},
    {"slip", "closed, the surfaces slide"},
    {"stick", "closed, the surfaces do not slide"},
};
static const EnumerationType state_type = {
    .name = "ContactState", .help = "state of a contact", .items = state_items, .n_items = 3};

static const OutputInfo outputs[] = {
    {.name = "gap",
     .help = "distance of the shapes, negative when they penetrate",
     .unit = UNIT_METRE,
     .by_default = true,
     .derivative_of = -1},
    {.name = "sliding_velocity",
     .help = "velocity of the first surface relative to the second along the tangent, which is the "
             "normal turned clockwise by 90 degrees",
     .unit = UNIT_METRE_PER_SECOND,
     .derivative_of = -1},
    {.name = "normal_percussion",
     .help = "impulse of the normal force over the last internal step",
     .unit = UNIT_NEWTON_SECOND,
     .by_default = true,
     .derivative_of = -1},
    {.name = "friction_percussion",
     .help = "impulse of the friction force on the first body over the last internal step",
     .unit = UNIT_NEWTON_SECOND,
     .by_default = true,
     .derivative_of = -1},
    {.name = "state",
     .help = "open, slip or stick",
     .type = VARIABLE_ENUMERATION,
     .enumeration = &state_type,
     .by_default = true,
     .derivative_of = -1},
    {.name = "closed",
     .help = "true while the shapes press on each other",
     .type = VARIABLE_BOOLEAN,
     .derivative_of = -1},
};

const ElementKind contact_kind = {
    .tag = "contact",
    .help = "A contact between two shapes: no penetration, impact with restitution, dry friction.",
    .role = ROLE_CONTACT,
    .parameters = parameters,
    .n_parameters = N_CONTACT_PARAMETERS,
    .references = references,
    .n_references = 2,
    .outputs = outputs,
    .n_outputs = sizeof outputs / sizeof outputs[0],
};

void contact_block(ProximityFunction proximity, const Element* a, const Element* b,
                   const Configuration* c, ContactBlock* block) {
    Proximity near;
    proximity(a, b, c, &near);
    const Frame* frame_a = &c->frames[a->body];
    const Frame* frame_b = &c->frames[b->body];
    const Vec2 V =
        vec2_sub(frame_velocity(frame_a, near.arm_a), frame_velocity(frame_b, near.arm_b));
    // omega_s e_z x (x_s' - v_s), of a less that of b
    const Vec2 transport =
        vec2_sub(vec2_scale(frame_a->omega, vec2_turn(vec2_sub(near.x_a_dot, frame_a->v))),
                 vec2_scale(frame_b->omega, vec2_turn(vec2_sub(near.x_b_dot, frame_b->v))));
    const Vec2 directions[CONTACT_ROWS] = {[ROW_N] = near.n, [ROW_F] = {near.n.y, -near.n.x}};
    block->g_N = near.g_N;
    for (int i = 0; i < CONTACT_ROWS; i++) {
        const Vec2 d = directions[i];
        double* W = block->W[i];
        block->gamma[i] = vec2_dot(d, V);
        block->zeta[i] = near.nu * vec2_dot(vec2_turn(d), V) + vec2_dot(d, transport);
        W[0] = d.x;
        W[1] = d.y;
        W[2] = vec2_cross(near.arm_a, d);
        W[3] = -d.x;
        W[4] = -d.y;
        W[5] = -vec2_cross(near.arm_b, d);
    }
}
