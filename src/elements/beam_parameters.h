// What a user says of a beam, and what follows from it: cross section and elements.
#pragma once

#include "elements/beam_element.h"

enum {
    BEAM_LENGTH,
    BEAM_N_ELEMENTS,
    BEAM_WIDTH,
    BEAM_HEIGHT,
    BEAM_MODULUS,
    BEAM_DENSITY,
    BEAM_AXIAL,
    BEAM_BENDING,
    BEAM_MASS,
    BEAM_DAMPING,
    BEAM_INITIAL_X,
    BEAM_INITIAL_Y,
    BEAM_INITIAL_ANGLE,
    BEAM_INITIAL_VX,
    BEAM_INITIAL_VY,
    BEAM_INITIAL_OMEGA,
    N_BEAM_COMMON,  // of all beams of the plane; those of <beam> go on with
    BEAM_ORDER = N_BEAM_COMMON,
    BEAM_POISSON,
    BEAM_SHEAR,
    BEAM_ROTARY,
    BEAM_CURVATURE,
    N_BEAM_PARAMETERS
};

// Entries of a table of parameters: one that may be left out, and one of any sign
#define BEAM_OPTIONAL(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = 0.0, .max = INFINITY }
#define BEAM_ANY(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }

extern const ParameterInfo beam_parameters[N_BEAM_PARAMETERS];

BeamMesh beam_mesh(const double* par);
BeamSection beam_section(const double* par);
// What makes it no beam to leave out, in words, or NULL
const char* beam_missing(const double* par);
// The same for beams that have no shear and no inertia of cross sections: GA and J are 0
BeamSection beam_section_common(const double* par);
const char* beam_missing_common(const double* par);
