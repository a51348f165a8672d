// Bilateral constraints between two markers: joints and drives.
#pragma once

#include "elements/element.h"

// Outputs of a joint: its violation; force and torque on the second body, 3 components in the plane
// and 6 in space; their impulses alike; then what its friction does, if it has any; then force or
// torque along the direction of a drive, and its work.
enum { JOINT_EFFORTS = 1, PLANAR_EFFORTS = 3, SPATIAL_EFFORTS = 6, N_JOINT_FRICTION_OUTPUTS = 3 };
enum { N_DRIVE_OUTPUTS = 2 };

// Components of force and torque.
int joint_effort_count(const ElementKind* kind);

// What it means, in words, that row r of a joint is off by g on position level, as in "the two
// points are 0.1 m apart along x"; text has room for n bytes.
void joint_describe_violation(const Element* joint, int r, double g, char* text, size_t n);
// Does row r tell directions apart, so that a body that stands askew is what violates it?
bool joint_row_is_askew(const Element* joint, int r);
// The unit of the velocity of row r.
UnitId joint_row_velocity_unit(const Element* joint, int r);

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
