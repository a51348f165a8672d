#include "elements/beam_parameters.h"

#include <math.h>

#define OPTIONAL(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = 0.0, .max = INFINITY }
#define ANY(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }

const ParameterInfo beam_parameters[N_BEAM_PARAMETERS] = {
    [BEAM_LENGTH] = {.name = "length",
                     .help = "length of its axis when relaxed",
                     .unit = UNIT_METRE,
                     .start = NAN,
                     .min = 1e-12,
                     .max = INFINITY},
    [BEAM_N_ELEMENTS] = {.name = "elements",
                         .help = "number of finite elements",
                         .type = VARIABLE_INTEGER,
                         .start = 8.0,
                         .min = 1.0,
                         .max = 100000.0,
                         .structural = true},
    [BEAM_ORDER] = {.name = "order",
                    .help = "order of the elements: 1 has two nodes, 2 three",
                    .type = VARIABLE_INTEGER,
                    .start = 2.0,
                    .min = 1.0,
                    .max = 2.0,
                    .structural = true},
    [BEAM_WIDTH] =
        OPTIONAL("width", "size of its rectangular cross section out of the plane", UNIT_METRE),
    [BEAM_HEIGHT] = OPTIONAL(
        "height", "size of its rectangular cross section in the plane of bending", UNIT_METRE),
    [BEAM_MODULUS] = OPTIONAL("youngs_modulus", "Young's modulus", UNIT_PASCAL),
    [BEAM_POISSON] = {.name = "poisson_ratio",
                      .help = "Poisson's ratio, for the stiffness in shear (shear area: 5/6 of the "
                              "cross section)",
                      .unit = UNIT_ONE,
                      .start = 0.3,
                      .min = -0.99,
                      .max = 0.5},
    [BEAM_DENSITY] = OPTIONAL("density", "mass per volume", UNIT_KILOGRAM_PER_CUBIC_METRE),
    [BEAM_AXIAL] = OPTIONAL("axial_stiffness",
                            "stiffness EA of a cross section; 0: from cross section and material",
                            UNIT_NEWTON),
    [BEAM_SHEAR] = OPTIONAL("shear_stiffness",
                            "stiffness GA of a cross section in shear; 0: from cross section and "
                            "material",
                            UNIT_NEWTON),
    [BEAM_BENDING] = OPTIONAL("bending_stiffness",
                              "stiffness EI of a cross section; 0: from cross section and material",
                              UNIT_NEWTON_METRE_SQUARED),
    [BEAM_MASS] = OPTIONAL("mass_per_length", "mass per length; 0: from cross section and density",
                           UNIT_KILOGRAM_PER_METRE),
    [BEAM_ROTARY] =
        OPTIONAL("inertia_per_length",
                 "moment of inertia of cross sections per length; 0: from cross section "
                 "and density",
                 UNIT_KILOGRAM_METRE),
    [BEAM_CURVATURE] = ANY("curvature",
                           "curvature of the relaxed beam, positive to the left: it is an arc of a "
                           "circle",
                           UNIT_RADIAN_PER_METRE),
    [BEAM_DAMPING] =
        OPTIONAL("damping_time",
                 "viscous damping of its material: stresses are those of the strains plus "
                 "this time times the strain rates",
                 UNIT_SECOND),
    [BEAM_INITIAL_X] = ANY("initial_x", "position x of the first end at the start", UNIT_METRE),
    [BEAM_INITIAL_Y] = ANY("initial_y", "position y of the first end at the start", UNIT_METRE),
    [BEAM_INITIAL_ANGLE] =
        ANY("initial_angle",
            "direction in which the beam, relaxed, leaves its first end at the start", UNIT_RADIAN),
    [BEAM_INITIAL_VX] = ANY("initial_velocity_x", "velocity x of the first end at the start",
                            UNIT_METRE_PER_SECOND),
    [BEAM_INITIAL_VY] = ANY("initial_velocity_y", "velocity y of the first end at the start",
                            UNIT_METRE_PER_SECOND),
    [BEAM_INITIAL_OMEGA] =
        ANY("initial_angular_velocity",
            "angular velocity at the start, with which it turns as if it were rigid",
            UNIT_RADIAN_PER_SECOND),
};

static double or_else(double given, double computed) { return given > 0.0 ? given : computed; }

BeamSection beam_section(const double* par) {
    const double shear_area = 5.0 / 6.0;  // of the cross section: rectangle
    const double A = par[BEAM_WIDTH] * par[BEAM_HEIGHT];
    const double I_zz = A * par[BEAM_HEIGHT] * par[BEAM_HEIGHT] / 12.0;
    const double G = 0.5 * par[BEAM_MODULUS] / (1.0 + par[BEAM_POISSON]);
    return (BeamSection){.EA = or_else(par[BEAM_AXIAL], par[BEAM_MODULUS] * A),
                         .GA = or_else(par[BEAM_SHEAR], shear_area * G * A),
                         .EI = or_else(par[BEAM_BENDING], par[BEAM_MODULUS] * I_zz),
                         .m = or_else(par[BEAM_MASS], par[BEAM_DENSITY] * A),
                         .J = or_else(par[BEAM_ROTARY], par[BEAM_DENSITY] * I_zz),
                         .tau = par[BEAM_DAMPING]};
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

const char* beam_missing(const double* par) {
    const BeamSection section = beam_section(par);
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
