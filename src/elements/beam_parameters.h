// What a user says of a beam, and what follows from it: cross section and elements.
#pragma once

#include "elements/beam_element.h"

enum {
    BEAM_LENGTH,
    BEAM_N_ELEMENTS,
    BEAM_ORDER,
    BEAM_WIDTH,
    BEAM_HEIGHT,
    BEAM_MODULUS,
    BEAM_POISSON,
    BEAM_DENSITY,
    BEAM_AXIAL,
    BEAM_SHEAR,
    BEAM_BENDING,
    BEAM_MASS,
    BEAM_ROTARY,
    BEAM_CURVATURE,
    BEAM_DAMPING,
    BEAM_INITIAL_X,
    BEAM_INITIAL_Y,
    BEAM_INITIAL_ANGLE,
    BEAM_INITIAL_VX,
    BEAM_INITIAL_VY,
    BEAM_INITIAL_OMEGA,
    N_BEAM_PARAMETERS
};

extern const ParameterInfo beam_parameters[N_BEAM_PARAMETERS];

BeamSection beam_section(const double* par);
BeamMesh beam_mesh(const double* par);
// What makes it no beam to leave out, in words, or NULL
const char* beam_missing(const double* par);
