// What only looks: where a marker is and how it moves, what a cross section of a beam carries.
#pragma once

#include "elements/element.h"

extern const ElementKind sensor_kind;
extern const ElementKind gauge_kind;

// The outputs of a gauge, which BodyFunctions.section fills in
enum {
    SECTION_NORMAL_FORCE,
    SECTION_SHEAR_FORCE,
    SECTION_BENDING_MOMENT,
    SECTION_STRETCH,
    SECTION_SHEAR,
    SECTION_CURVATURE,
    SECTION_STRESS_LEFT,
    SECTION_STRESS_RIGHT,
    N_SECTION_OUTPUTS
};
