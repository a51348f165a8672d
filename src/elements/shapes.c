// Shapes are a centre (x, y in the body frame) and a radius or an angle; a point is a circle of
// radius zero. The gap and its normal are smooth functions of the configuration wherever two
// centres do not coincide.
#include "elements/shapes.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { X, Y, RADIUS, NORMAL_ANGLE = RADIUS };

#define CENTRE(axis, help_) \
    { .name = (axis), .help = (help_), .unit = UNIT_METRE, .min = -INFINITY, .max = INFINITY }
#define RADIUS_INFO(help_)                                                               \
    {                                                                                    \
        .name = "radius", .help = (help_), .unit = UNIT_METRE, .start = NAN, .min = 0.0, \
        .max = INFINITY                                                                  \
    }

static const ParameterInfo round_parameters[] = {
    [X] = CENTRE("x", "centre x in the body frame"),
    [Y] = CENTRE("y", "centre y in the body frame"),
    [RADIUS] = RADIUS_INFO("radius"),
};

const ElementKind point_kind = {
    .tag = "point",
    .help =
        "A point fixed to the body: it touches lines, circles and rings, and springs and forces "
        "can act on it.",
    .role = ROLE_SHAPE,
    .shape = SHAPE_ROUND,
    .parameters = round_parameters,
    .n_parameters = 2,
};

const ElementKind circle_kind = {
    .tag = "circle",
    .help = "A disc, solid inside: others touch it from outside.",
    .role = ROLE_SHAPE,
    .shape = SHAPE_ROUND,
    .parameters = round_parameters,
    .n_parameters = 3,
};

const ElementKind ring_kind = {
    .tag = "ring",
    .help = "A round hole: points and circles touch it from inside.",
    .role = ROLE_SHAPE,
    .shape = SHAPE_RING,
    .parameters = round_parameters,
    .n_parameters = 3,
};

static const ParameterInfo line_parameters[] = {
    [X] = CENTRE("x", "x of a point on the line, in the body frame"),
    [Y] = CENTRE("y", "y of a point on the line, in the body frame"),
    [NORMAL_ANGLE] = {.name = "normal_angle",
                      .help = "direction of the normal in the body frame; the free side is where "
                              "it points (the default is up)",
                      .unit = UNIT_RADIAN,
                      .start = 1.57079632679489661923,
                      .min = -INFINITY,
                      .max = INFINITY},
};

const ElementKind line_kind = {
    .tag = "line",
    .help = "A straight line without ends, solid on the side away from its normal.",
    .role = ROLE_SHAPE,
    .shape = SHAPE_LINE,
    .parameters = line_parameters,
    .n_parameters = 3,
};

static double radius_of(const Element* shape, const double* par) {
    return shape->kind->n_parameters > RADIUS ? par[RADIUS] : 0.0;
}

static Vec2 centre_arm(const Element* shape, const double* par, const Configuration* c) {
    return frame_turn(&c->frames[shape->body], (Vec2){par[X], par[Y]});
}

// A right angle in binary is not quite one: what is rounding in its cosine and sine is taken for
// zero, so that a box put on a floor touches it with all its feet.
static Vec2 direction(double angle) {
    static const double rounding = 4.0 * DBL_EPSILON;
    const Vec2 n = {cos(angle), sin(angle)};
    return (Vec2){fabs(n.x) > rounding ? n.x : 0.0, fabs(n.y) > rounding ? n.y : 0.0};
}

// g_N = n . (c_a - p) - R, n fixed to the body of the line
static void round_on_line(const Element* a, const Element* b, const Configuration* c,
                          Proximity* result) {
    const double* par_a = element_parameters(a, c);
    const double* par_b = element_parameters(b, c);
    const Frame* frame_a = &c->frames[a->body];
    const Frame* frame_b = &c->frames[b->body];
    const double R = radius_of(a, par_a);
    const Vec2 arm = centre_arm(a, par_a, c);
    const Vec2 c_a = vec2_add(frame_a->r, arm);
    const Vec2 p = vec2_add(frame_b->r, centre_arm(b, par_b, c));
    const Vec2 n = frame_turn(frame_b, direction(par_b[NORMAL_ANGLE]));
    const double g_N = vec2_dot(n, vec2_sub(c_a, p)) - R;

    const Vec2 c_a_dot = frame_velocity(frame_a, arm);
    const Vec2 n_dot = vec2_scale(frame_b->omega, vec2_turn(n));
    const Vec2 foot = vec2_sub(c_a, vec2_scale(R + g_N, n));  // of c_a on the line
    const double g_N_dot =
        vec2_dot(n, vec2_sub(c_a_dot, frame_velocity(frame_b, vec2_sub(c_a, frame_b->r))));
    result->g_N = g_N;
    result->n = n;
    result->nu = frame_b->omega;
    result->arm_a = vec2_sub(arm, vec2_scale(R, n));
    result->arm_b = vec2_sub(foot, frame_b->r);
    result->x_a_dot = vec2_sub(c_a_dot, vec2_scale(R, n_dot));
    result->x_b_dot =
        vec2_sub(vec2_sub(c_a_dot, vec2_scale(g_N_dot, n)), vec2_scale(R + g_N, n_dot));
}

// Two round shapes: d = c_a - c_b. side +1: b is solid, g_N = |d| - R_a - R_b, n = d/|d|;
// side -1: a moves inside b, g_N = R_b - R_a - |d|, n = -d/|d|. Where the centres coincide the
// normal is undefined and e_x is taken.
static void round_pair(double side, const Element* a, const Element* b, const Configuration* c,
                       Proximity* result) {
    const double* par_a = element_parameters(a, c);
    const double* par_b = element_parameters(b, c);
    const Frame* frame_a = &c->frames[a->body];
    const Frame* frame_b = &c->frames[b->body];
    const double R_a = radius_of(a, par_a);
    const double R_b = radius_of(b, par_b);
    const Vec2 arm_a = centre_arm(a, par_a, c);
    const Vec2 arm_b = centre_arm(b, par_b, c);
    const Vec2 d = vec2_sub(vec2_add(frame_a->r, arm_a), vec2_add(frame_b->r, arm_b));
    const double distance = vec2_length(d);
    const Vec2 e = distance > 0.0 ? vec2_scale(1.0 / distance, d) : (Vec2){1.0, 0.0};
    const Vec2 n = vec2_scale(side, e);

    const Vec2 c_a_dot = frame_velocity(frame_a, arm_a);
    const Vec2 c_b_dot = frame_velocity(frame_b, arm_b);
    const Vec2 d_dot = vec2_sub(c_a_dot, c_b_dot);
    const double nu = distance > 0.0 ? vec2_cross(d, d_dot) / (distance * distance) : 0.0;
    const Vec2 n_dot = vec2_scale(nu, vec2_turn(n));
    result->g_N = side * (distance - R_b) - R_a;
    result->n = n;
    result->nu = nu;
    result->arm_a = vec2_sub(arm_a, vec2_scale(R_a, n));
    result->arm_b = vec2_add(arm_b, vec2_scale(side * R_b, n));
    result->x_a_dot = vec2_sub(c_a_dot, vec2_scale(R_a, n_dot));
    result->x_b_dot = vec2_add(c_b_dot, vec2_scale(side * R_b, n_dot));
}

static void round_outside_round(const Element* a, const Element* b, const Configuration* c,
                                Proximity* result) {
    round_pair(1.0, a, b, c, result);
}

static void round_inside_ring(const Element* a, const Element* b, const Configuration* c,
                              Proximity* result) {
    round_pair(-1.0, a, b, c, result);
}

ProximityFunction proximity_find(ShapeType first, ShapeType second, bool* swap) {
    *swap = first != SHAPE_ROUND;
    if (first != SHAPE_ROUND && second != SHAPE_ROUND) {
        return NULL;
    }
    switch (*swap ? first : second) {
        case SHAPE_ROUND:
            return round_outside_round;
        case SHAPE_LINE:
            return round_on_line;
        case SHAPE_RING:
            return round_inside_ring;
    }
    return NULL;
}
