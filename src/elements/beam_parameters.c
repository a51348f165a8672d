#include "elements/beam_parameters.h"

#include <math.h>
#include <stddef.h>

const ParameterInfo beam_parameters[N_BEAM_PARAMETERS] = {
#include "elements/beam_parameters.inc"
    [BEAM_ORDER] = {.name = "order",
                    .help = "order of the elements: 1 has two nodes, 2 three",
                    .type = VARIABLE_INTEGER,
                    .start = 2.0,
                    .min = 1.0,
                    .max = 2.0,
                    .structural = true},
    [BEAM_POISSON] = {.name = "poisson_ratio",
                      .help = "Poisson's ratio, for the stiffness in shear (shear area: 5/6 of the "
                              "cross section)",
                      .unit = UNIT_ONE,
                      .start = 0.3,
                      .min = -0.99,
                      .max = 0.5},
    [BEAM_SHEAR] =
        BEAM_OPTIONAL("shear_stiffness",
                      "stiffness GA of a cross section in shear; 0: from cross section and "
                      "material",
                      UNIT_NEWTON),
    [BEAM_ROTARY] =
        BEAM_OPTIONAL("inertia_per_length",
                      "moment of inertia of cross sections per length; 0: from cross section "
                      "and density",
                      UNIT_KILOGRAM_METRE),
    [BEAM_CURVATURE] =
        BEAM_ANY("curvature",
                 "curvature of the relaxed beam, positive to the left: it is an arc of a "
                 "circle",
                 UNIT_RADIAN_PER_METRE),
};

static double or_else(double given, double computed) { return given > 0.0 ? given : computed; }

static double area(const double* par) { return par[BEAM_WIDTH] * par[BEAM_HEIGHT]; }

static double second_moment(const double* par) {
    return area(par) * par[BEAM_HEIGHT] * par[BEAM_HEIGHT] / 12.0;
}

BeamSection beam_section_common(const double* par) {
    return (BeamSection){.EA = or_else(par[BEAM_AXIAL], par[BEAM_MODULUS] * area(par)),
                         .EI = or_else(par[BEAM_BENDING], par[BEAM_MODULUS] * second_moment(par)),
                         .m = or_else(par[BEAM_MASS], par[BEAM_DENSITY] * area(par)),
                         .tau = par[BEAM_DAMPING]};
}

BeamSection beam_section(const double* par) {
    const double shear_area = 5.0 / 6.0;  // of the cross section: rectangle
    const double G = 0.5 * par[BEAM_MODULUS] / (1.0 + par[BEAM_POISSON]);
    BeamSection section = beam_section_common(par);
    section.GA = or_else(par[BEAM_SHEAR], shear_area * G * area(par));
    section.J = or_else(par[BEAM_ROTARY], par[BEAM_DENSITY] * second_moment(par));
    return section;
}

BeamMesh beam_mesh(const double* par) {
    const int n = (int)par[BEAM_N_ELEMENTS];
    return (BeamMesh){.n = n,
                      .order = (int)par[BEAM_ORDER],
                      .h = par[BEAM_LENGTH] / n,
                      .angle = par[BEAM_INITIAL_ANGLE],
                      .c = cos(par[BEAM_INITIAL_ANGLE]),
                      .s = sin(par[BEAM_INITIAL_ANGLE]),
                      .kappa = par[BEAM_CURVATURE]};
}

static const char* missing_of(BeamSection section) {
    const struct {
        double value;
        const char* words;
    } needed[] = {
        {section.EA, "has no stiffness: give youngs_modulus, width and height, or axial_stiffness"},
        {section.EI,
         "has no stiffness in bending: give youngs_modulus, width and height, or "
         "bending_stiffness"},
        {section.GA,
         "has no stiffness in shear: give youngs_modulus, width and height, or shear_stiffness"},
        {section.m, "has no mass: give density, width and height, or mass_per_length"},
        {section.J,
         "has no inertia of its cross sections: give density, width and height, or "
         "inertia_per_length"},
    };
    for (int i = 0; i < (int)(sizeof needed / sizeof needed[0]); i++) {
        if (!(needed[i].value > 0.0)) {
            return needed[i].words;
        }
    }
    return NULL;
}

const char* beam_missing(const double* par) { return missing_of(beam_section(par)); }

const char* beam_missing_common(const double* par) {
    BeamSection section = beam_section_common(par);
    section.GA = section.J = INFINITY;  // not needed
    return missing_of(section);
}
