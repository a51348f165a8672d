// Bilateral constraints between two markers: joints and drives.
#pragma once

#include "elements/element.h"

// Outputs of a joint: its violation; force and torque on the second body, 3 components in the plane
// and 6 in space; their impulses alike; then what its friction does, if it has any.
enum { JOINT_EFFORTS = 1, PLANAR_EFFORTS = 3, SPATIAL_EFFORTS = 6, N_JOINT_FRICTION_OUTPUTS = 3 };

// Components of force and torque.
int joint_effort_count(const ElementKind* kind);

extern const ElementKind revolute_kind;
extern const ElementKind prismatic_kind;
extern const ElementKind cylindrical_kind;
extern const ElementKind spherical_kind;
extern const ElementKind planar_joint_kind;
extern const ElementKind rigid_kind;
extern const ElementKind distance_kind;
extern const ElementKind angle_drive_kind;
extern const ElementKind slide_drive_kind;
extern const ElementKind speed_drive_kind;
extern const ElementKind skate_kind;
extern const ElementKind rolling_kind;
