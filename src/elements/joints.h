// Bilateral constraints between two markers: joints and drives.
#pragma once

#include "elements/element.h"

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
