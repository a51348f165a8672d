// Uses of parts. A use has no mechanics: it carries where bodies start, and what stands on the
// ground or on driven frames, from the coordinates of the part into those of the mechanism.
#include "elements/use.h"

#include <math.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define PLACE(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }

enum { X, Y, ANGLE, Z = 2, ROTATION };

static const ParameterInfo planar_parameters[] = {
    [X] = PLACE("x", "position x of the part's origin", UNIT_METRE),
    [Y] = PLACE("y", "position y of the part's origin", UNIT_METRE),
    [ANGLE] = PLACE("angle", "angle of the part's x axis", UNIT_RADIAN),
};
static const ParameterInfo spatial_parameters[] = {
    [X] = PLACE("x", "position x of the part's origin", UNIT_METRE),
    [Y] = PLACE("y", "position y of the part's origin", UNIT_METRE),
    [Z] = PLACE("z", "position z of the part's origin", UNIT_METRE),
    [ROTATION] =
        PLACE("rotation_x", "rotation vector of the part's axes, x: axis times angle", UNIT_RADIAN),
    [ROTATION + 1] = PLACE("rotation_y", "rotation vector, y", UNIT_RADIAN),
    [ROTATION + 2] = PLACE("rotation_z", "rotation vector, z", UNIT_RADIAN),
};

static const ElementKind spatial_use_kind = {
    .tag = "use",
    .role = ROLE_USE,
    .parameters = spatial_parameters,
    .n_parameters = COUNT(spatial_parameters),
};
const ElementKind use_kind = {
    .tag = "use",
    .help =
        "Makes what a <part> contains, at a place of its own. Its other attributes are values for "
        "the parameters and constants of the part, by their names.",
    .role = ROLE_USE,
    .parameters = planar_parameters,
    .n_parameters = COUNT(planar_parameters),
    .spatial = &spatial_use_kind,
};

const Pose POSE_NONE = {
    .R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}, .in_plane = true, .at_rest = true};

bool use_has_attribute(const char* name) {
    bool known =
        strcmp(name, "name") == 0 || strcmp(name, "part") == 0 || strcmp(name, "description") == 0;
    for (int i = 0; i < COUNT(planar_parameters); i++) {
        known = known || strcmp(planar_parameters[i].name, name) == 0;
    }
    for (int i = 0; i < COUNT(spatial_parameters); i++) {
        known = known || strcmp(spatial_parameters[i].name, name) == 0;
    }
    return known;
}

static Pose own_pose(const Element* use, const double* par) {
    const bool planar = use->kind == &use_kind;
    const Vec3 rotation = planar ? (Vec3){0.0, 0.0, par[ANGLE]}
                                 : (Vec3){par[ROTATION], par[ROTATION + 1], par[ROTATION + 2]};
    Pose pose = POSE_NONE;
    pose.r = (Vec3){par[X], par[Y], planar ? 0.0 : par[Z]};
    pose.angle = rotation.z;
    pose.in_plane = rotation.x == 0.0 && rotation.y == 0.0 && pose.r.z == 0.0;
    const double angle = length3(rotation);
    if (angle > 0.0) {
        pose.R = rotation3(scale3(1.0 / angle, rotation), angle);
    }
    pose.at_rest = angle == 0.0 && length3(pose.r) == 0.0;
    return pose;
}

Pose use_pose(const Element* use, const double* par, const Pose* outer) {
    const Pose own = own_pose(use, par);
    if (own.at_rest || outer->at_rest) {
        return own.at_rest ? *outer : own;
    }
    return (Pose){.r = add3(outer->r, turn3(outer->R, own.r)),
                  .R = product3(outer->R, own.R),
                  .angle = outer->angle + own.angle,
                  .in_plane = outer->in_plane && own.in_plane};
}

void pose_carry_point(const Pose* pose, const double* r_0, double* q, double* u) {
    const Vec3 place = turn3(pose->R, ((Vec3){q[0] + r_0[0], q[1] + r_0[1], 0.0}));
    const Vec3 velocity = turn3(pose->R, ((Vec3){u[0], u[1], 0.0}));
    q[0] = pose->r.x + place.x - r_0[0];
    q[1] = pose->r.y + place.y - r_0[1];
    u[0] = velocity.x;
    u[1] = velocity.y;
}

void pose_carry_frame(const Pose* pose, Frame* frame) {
    frame->r = add3(pose->r, turn3(pose->R, frame->r));
    frame->R = product3(pose->R, frame->R);
    frame->v = turn3(pose->R, frame->v);
    frame->a = turn3(pose->R, frame->a);
    frame->angle += pose->angle;
}

void pose_carry_marker(const Pose* pose, Marker* marker) {
    marker->rho = add3(pose->r, turn3(pose->R, marker->rho));
    marker->A = product3(pose->R, marker->A);
    marker->turned = pose->angle;
}
