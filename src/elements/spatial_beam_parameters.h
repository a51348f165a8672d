// What a user says of a beam of space, and what follows from it: cross section and elements.
#pragma once

#include "elements/spatial_beam_element.h"

enum {
    SPATIAL_BEAM_LENGTH,
    SPATIAL_BEAM_N_ELEMENTS,
    SPATIAL_BEAM_ORDER,
    SPATIAL_BEAM_WIDTH,
    SPATIAL_BEAM_HEIGHT,
    SPATIAL_BEAM_DIAMETER,
    SPATIAL_BEAM_MODULUS,
    SPATIAL_BEAM_POISSON,
    SPATIAL_BEAM_DENSITY,
    SPATIAL_BEAM_AXIAL,
    SPATIAL_BEAM_SHEAR_Y,
    SPATIAL_BEAM_SHEAR_Z,
    SPATIAL_BEAM_TORSION,
    SPATIAL_BEAM_BENDING_Y,
    SPATIAL_BEAM_BENDING_Z,
    SPATIAL_BEAM_MASS,
    SPATIAL_BEAM_ROTARY_Y,
    SPATIAL_BEAM_ROTARY_Z,
    SPATIAL_BEAM_TWIST,
    SPATIAL_BEAM_CURVATURE_Y,
    SPATIAL_BEAM_CURVATURE,
    SPATIAL_BEAM_DAMPING,
    SPATIAL_BEAM_INITIAL_X,
    SPATIAL_BEAM_ROTATION_X = SPATIAL_BEAM_INITIAL_X + 3,
    SPATIAL_BEAM_VELOCITY_X = SPATIAL_BEAM_ROTATION_X + 3,
    SPATIAL_BEAM_OMEGA_X = SPATIAL_BEAM_VELOCITY_X + 3,
    N_SPATIAL_BEAM_PARAMETERS = SPATIAL_BEAM_OMEGA_X + 3
};

extern const ParameterInfo spatial_beam_parameters[N_SPATIAL_BEAM_PARAMETERS];

// A cross section that is a rectangle or round
typedef struct SpatialBeamShape {
    double A;           // area; 0: not known
    double I_y, I_z;    // second moments of area
    double I_x;         // torsion constant
    double y, z;        // where the outermost fibres are
    double shear_area;  // as a share of A
    bool round;
} SpatialBeamShape;

SpatialBeamShape spatial_beam_shape(const double* par);
// What a torque is divided by for the largest shear stress
double spatial_beam_torsion_modulus(const SpatialBeamShape* shape);
SpatialBeamSection spatial_beam_section(const double* par);
SpatialBeamMesh spatial_beam_mesh(const double* par);
// What makes it no beam, in words, or NULL
const char* spatial_beam_missing(const double* par);
