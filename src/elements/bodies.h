// The kinds of bodies.
#pragma once

#include "elements/element.h"

extern const ElementKind point_mass_kind;
extern const ElementKind planar_body_kind;
extern const ElementKind spatial_body_kind;
extern const ElementKind ground_kind;
extern const ElementKind driven_frame_kind;
extern const ElementKind elastic_bar_kind;
