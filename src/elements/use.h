// A use of a part: where what it makes stands.
#pragma once

#include "elements/element.h"

// Where the coordinates of a part are in those of the mechanism; follows from parameters alone.
struct Pose {
    Vec3 r;
    Mat3 R;
    double angle;   // about z, if it is in the plane
    bool in_plane;  // it does not leave the plane z = 0
    bool at_rest;   // it moves nothing
};

extern const Pose POSE_NONE;

extern const ElementKind use_kind;

// Is there an attribute of that name that every use has?
bool use_has_attribute(const char* name);

// The pose that the parameters of a use say, within another one.
Pose use_pose(const Element* use, const double* par, const Pose* outer);

// A point of the plane that is displaced by q (2) from r_0 (2), and its velocity u (2)
void pose_carry_point(const Pose* pose, const double* r_0, double* q, double* u);
// The frame of a driven frame as the pose carries it.
void pose_carry_frame(const Pose* pose, Frame* frame);
// The marker of a shape on the ground.
void pose_carry_marker(const Pose* pose, Marker* marker);
