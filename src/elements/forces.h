// Springs, dampers, actuators, applied forces and torques.
#pragma once

#include "elements/element.h"

extern const ElementKind spring_damper_kind;
extern const ElementKind torsional_spring_damper_kind;
extern const ElementKind force_kind;
extern const ElementKind line_load_kind;
extern const ElementKind torque_kind;
extern const ElementKind angle_actuator_kind;
extern const ElementKind slide_actuator_kind;
