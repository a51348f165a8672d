// What only looks: where a marker is and how it moves, what a cross section of a beam carries, what
// contacts exert on a body.
#pragma once

#include "elements/element.h"

extern const ElementKind sensor_kind;
extern const ElementKind gauge_kind;
extern const ElementKind contact_sensor_kind;

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
// ... and on a beam of space, vectors along its axes x, y, z
enum {
    SPATIAL_SECTION_FORCE,
    SPATIAL_SECTION_MOMENT = SPATIAL_SECTION_FORCE + 3,
    SPATIAL_SECTION_STRETCH = SPATIAL_SECTION_MOMENT + 3,
    SPATIAL_SECTION_TWIST = SPATIAL_SECTION_STRETCH + 3,
    SPATIAL_SECTION_STRESS_LEFT = SPATIAL_SECTION_TWIST + 3,
    SPATIAL_SECTION_STRESS_RIGHT,
    SPATIAL_SECTION_STRESS_TOP,
    SPATIAL_SECTION_STRESS_BOTTOM,
    SPATIAL_SECTION_STRESS_HIGHEST,
    SPATIAL_SECTION_STRESS_LOWEST,
    SPATIAL_SECTION_STRESS_TORSION,
    N_SPATIAL_SECTION_OUTPUTS
};
