#include "elements/spatial_beam_parameters.h"

#include <math.h>

#define OPTIONAL(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = 0.0, .max = INFINITY }
#define ANY(name_, help_, unit_) \
    { .name = (name_), .help = (help_), .unit = (unit_), .min = -INFINITY, .max = INFINITY }

static const double PI = 3.14159265358979323846;

const ParameterInfo spatial_beam_parameters[N_SPATIAL_BEAM_PARAMETERS] = {
    [SPATIAL_BEAM_LENGTH] = {.name = "length",
                             .help = "length of its axis when relaxed",
                             .unit = UNIT_METRE,
                             .start = NAN,
                             .min = 1e-12,
                             .max = INFINITY},
    [SPATIAL_BEAM_N_ELEMENTS] = {.name = "elements",
                                 .help = "number of finite elements",
                                 .type = VARIABLE_INTEGER,
                                 .start = 8.0,
                                 .min = 1.0,
                                 .max = 100000.0,
                                 .structural = true},
    [SPATIAL_BEAM_ORDER] = {.name = "order",
                            .help = "order of the elements: 1 has two nodes, 2 three",
                            .type = VARIABLE_INTEGER,
                            .start = 2.0,
                            .min = 1.0,
                            .max = 2.0,
                            .structural = true},
    [SPATIAL_BEAM_WIDTH] =
        OPTIONAL("width", "size of its rectangular cross section along z", UNIT_METRE),
    [SPATIAL_BEAM_HEIGHT] =
        OPTIONAL("height", "size of its rectangular cross section along y", UNIT_METRE),
    [SPATIAL_BEAM_DIAMETER] = OPTIONAL(
        "diameter", "diameter of its round cross section, instead of width and height", UNIT_METRE),
    [SPATIAL_BEAM_MODULUS] = OPTIONAL("youngs_modulus", "Young's modulus", UNIT_PASCAL),
    [SPATIAL_BEAM_POISSON] = {.name = "poisson_ratio",
                              .help = "Poisson's ratio, for the stiffness in shear and torsion "
                                      "(shear area: 5/6 of a rectangle, 9/10 of a circle)",
                              .unit = UNIT_ONE,
                              .start = 0.3,
                              .min = -0.99,
                              .max = 0.5},
    [SPATIAL_BEAM_DENSITY] = OPTIONAL("density", "mass per volume", UNIT_KILOGRAM_PER_CUBIC_METRE),
    [SPATIAL_BEAM_AXIAL] = OPTIONAL(
        "axial_stiffness", "stiffness EA of a cross section; 0: from cross section and material",
        UNIT_NEWTON),
    [SPATIAL_BEAM_SHEAR_Y] =
        OPTIONAL("shear_stiffness_y",
                 "stiffness GA in shear along y; 0: from cross section and material", UNIT_NEWTON),
    [SPATIAL_BEAM_SHEAR_Z] =
        OPTIONAL("shear_stiffness_z",
                 "stiffness GA in shear along z; 0: from cross section and material", UNIT_NEWTON),
    [SPATIAL_BEAM_TORSION] =
        OPTIONAL("torsional_stiffness",
                 "stiffness GJ in torsion; 0: from cross section and material (St. Venant)",
                 UNIT_NEWTON_METRE_SQUARED),
    [SPATIAL_BEAM_BENDING_Y] =
        OPTIONAL("bending_stiffness_y",
                 "stiffness EI in bending about y; 0: from cross section and material",
                 UNIT_NEWTON_METRE_SQUARED),
    [SPATIAL_BEAM_BENDING_Z] =
        OPTIONAL("bending_stiffness_z",
                 "stiffness EI in bending about z; 0: from cross section and material",
                 UNIT_NEWTON_METRE_SQUARED),
    [SPATIAL_BEAM_MASS] =
        OPTIONAL("mass_per_length", "mass per length; 0: from cross section and density",
                 UNIT_KILOGRAM_PER_METRE),
    [SPATIAL_BEAM_ROTARY_Y] =
        OPTIONAL("inertia_per_length_y",
                 "moment of inertia of cross sections about y per length; 0: from cross section "
                 "and density. That about x is the sum of those about y and z",
                 UNIT_KILOGRAM_METRE),
    [SPATIAL_BEAM_ROTARY_Z] = OPTIONAL(
        "inertia_per_length_z",
        "moment of inertia of cross sections about z per length; 0: from cross section and density",
        UNIT_KILOGRAM_METRE),
    [SPATIAL_BEAM_TWIST] =
        ANY("twist", "rotation per length of the relaxed beam's cross sections about its axis",
            UNIT_RADIAN_PER_METRE),
    [SPATIAL_BEAM_CURVATURE_Y] =
        ANY("curvature_y", "curvature of the relaxed beam about its cross sections' y axis",
            UNIT_RADIAN_PER_METRE),
    [SPATIAL_BEAM_CURVATURE] =
        ANY("curvature",
            "curvature of the relaxed beam about its cross sections' z axis, positive towards y: "
            "it is an arc of a circle, with twist a helix",
            UNIT_RADIAN_PER_METRE),
    [SPATIAL_BEAM_DAMPING] =
        OPTIONAL("damping_time",
                 "viscous damping of its material: stresses are those of the strains plus "
                 "this time times the strain rates",
                 UNIT_SECOND),
    [SPATIAL_BEAM_INITIAL_X] =
        ANY("initial_x", "position x of the first end at the start", UNIT_METRE),
    [SPATIAL_BEAM_INITIAL_X + 1] =
        ANY("initial_y", "position y of the first end at the start", UNIT_METRE),
    [SPATIAL_BEAM_INITIAL_X + 2] =
        ANY("initial_z", "position z of the first end at the start", UNIT_METRE),
    [SPATIAL_BEAM_ROTATION_X] =
        ANY("initial_rotation_x",
            "rotation vector x of the first cross section at the start: axis times angle; without "
            "rotation the beam goes along x",
            UNIT_RADIAN),
    [SPATIAL_BEAM_ROTATION_X + 1] =
        ANY("initial_rotation_y", "rotation vector y at the start", UNIT_RADIAN),
    [SPATIAL_BEAM_ROTATION_X + 2] =
        ANY("initial_rotation_z", "rotation vector z at the start", UNIT_RADIAN),
    [SPATIAL_BEAM_VELOCITY_X] = ANY(
        "initial_velocity_x", "velocity x of the first end at the start", UNIT_METRE_PER_SECOND),
    [SPATIAL_BEAM_VELOCITY_X + 1] = ANY(
        "initial_velocity_y", "velocity y of the first end at the start", UNIT_METRE_PER_SECOND),
    [SPATIAL_BEAM_VELOCITY_X + 2] = ANY(
        "initial_velocity_z", "velocity z of the first end at the start", UNIT_METRE_PER_SECOND),
    [SPATIAL_BEAM_OMEGA_X] = ANY("initial_angular_velocity_x",
                                 "angular velocity at the start, with which it turns as if it were "
                                 "rigid, about the first cross section's x axis",
                                 UNIT_RADIAN_PER_SECOND),
    [SPATIAL_BEAM_OMEGA_X + 1] =
        ANY("initial_angular_velocity_y", "angular velocity at the start about its y axis",
            UNIT_RADIAN_PER_SECOND),
    [SPATIAL_BEAM_OMEGA_X + 2] =
        ANY("initial_angular_velocity_z", "angular velocity at the start about its z axis",
            UNIT_RADIAN_PER_SECOND),
};

// St. Venant's torsion of a rectangle a x b, a >= b, by its series over odd n:
//   I_x = a b^3 (1/3 - 64 b/(pi^5 a) sum of tanh(n pi a/(2 b))/n^5)
// The sum is that of 1/n^5, 31/32 zeta(5), less what tanh misses, 2/(exp(n pi a/b) + 1), of which
// few terms are more than rounding.
static double rectangle_torsion(double a, double b) {
    enum { LAST = 9 };
    double sum = 31.0 / 32.0 * 1.03692775514336992633;
    for (int n = LAST; n >= 1; n -= 2) {
        const double n_5 = (double)n * n * n * n * n;
        sum -= 2.0 / (exp(n * PI * a / b) + 1.0) / n_5;
    }
    return a * b * b * b * (1.0 / 3.0 - 64.0 * b / (pow(PI, 5.0) * a) * sum);
}

// The largest shear stress of a torque M_x is in the middle of the long sides, M_x/W_x:
//   W_x = I_x / (b (1 - 8/pi^2 sum of 1/(n^2 cosh(n pi a/(2 b)))))
double spatial_beam_torsion_modulus(const SpatialBeamShape* shape) {
    enum { LAST = 21 };  // beyond it terms are rounding
    const double a = 2.0 * fmax(shape->y, shape->z);
    const double b = 2.0 * fmin(shape->y, shape->z);
    double sum = 0.0;
    if (shape->round) {
        return 2.0 * shape->I_x / a;
    }
    for (int n = LAST; n >= 1; n -= 2) {
        sum += 1.0 / (n * n * cosh(0.5 * n * PI * a / b));
    }
    return shape->I_x / (b * (1.0 - 8.0 / (PI * PI) * sum));
}

static SpatialBeamShape round_shape(double diameter) {
    const double square = diameter * diameter;
    const double second = PI / 64.0 * square * square;
    return (SpatialBeamShape){.A = 0.25 * PI * square,
                              .I_y = second,
                              .I_z = second,
                              .I_x = 2.0 * second,
                              .y = 0.5 * diameter,
                              .z = 0.5 * diameter,
                              .shear_area = 9.0 / 10.0,
                              .round = true};
}

SpatialBeamShape spatial_beam_shape(const double* par) {
    const double width = par[SPATIAL_BEAM_WIDTH];
    const double height = par[SPATIAL_BEAM_HEIGHT];
    if (par[SPATIAL_BEAM_DIAMETER] > 0.0) {
        return round_shape(par[SPATIAL_BEAM_DIAMETER]);
    }
    SpatialBeamShape shape = {.A = width * height,
                              .I_y = height * width * width * width / 12.0,
                              .I_z = width * height * height * height / 12.0,
                              .y = 0.5 * height,
                              .z = 0.5 * width,
                              .shear_area = 5.0 / 6.0};
    if (shape.A > 0.0) {
        shape.I_x = rectangle_torsion(fmax(width, height), fmin(width, height));
    }
    return shape;
}

static double or_else(double given, double computed) { return given > 0.0 ? given : computed; }

SpatialBeamSection spatial_beam_section(const double* par) {
    const SpatialBeamShape shape = spatial_beam_shape(par);
    const double E = par[SPATIAL_BEAM_MODULUS];
    const double G = 0.5 * E / (1.0 + par[SPATIAL_BEAM_POISSON]);
    const double rho = par[SPATIAL_BEAM_DENSITY];
    const double J_y = or_else(par[SPATIAL_BEAM_ROTARY_Y], rho * shape.I_y);
    const double J_z = or_else(par[SPATIAL_BEAM_ROTARY_Z], rho * shape.I_z);
    return (SpatialBeamSection){
        .C = {{or_else(par[SPATIAL_BEAM_AXIAL], E * shape.A),
               or_else(par[SPATIAL_BEAM_SHEAR_Y], shape.shear_area * G * shape.A),
               or_else(par[SPATIAL_BEAM_SHEAR_Z], shape.shear_area * G * shape.A)},
              {or_else(par[SPATIAL_BEAM_TORSION], G * shape.I_x),
               or_else(par[SPATIAL_BEAM_BENDING_Y], E * shape.I_y),
               or_else(par[SPATIAL_BEAM_BENDING_Z], E * shape.I_z)}},
        .m = or_else(par[SPATIAL_BEAM_MASS], rho * shape.A),
        .J = {J_y + J_z, J_y, J_z},
        .tau = par[SPATIAL_BEAM_DAMPING]};
}

SpatialBeamMesh spatial_beam_mesh(const double* par) {
    const int n = (int)par[SPATIAL_BEAM_N_ELEMENTS];
    const int order = (int)par[SPATIAL_BEAM_ORDER];
    return (SpatialBeamMesh){.n = n,
                             .order = order,
                             .reference = order / 2,
                             .h = par[SPATIAL_BEAM_LENGTH] / n,
                             .K_0 = {par[SPATIAL_BEAM_TWIST], par[SPATIAL_BEAM_CURVATURE_Y],
                                     par[SPATIAL_BEAM_CURVATURE]}};
}

const char* spatial_beam_missing(const double* par) {
    const SpatialBeamSection section = spatial_beam_section(par);
    const SpatialBeamMesh mesh = spatial_beam_mesh(par);
    const double turn = mesh.h * length3(mesh.K_0) / mesh.order;  // from node to node
    const struct {
        double value;
        const char* words;
    } needed[] = {
        {section.C[0].x,
         "has no stiffness: give youngs_modulus and a cross section (width and height, or "
         "diameter), or axial_stiffness"},
        {fmin(section.C[0].y, section.C[0].z),
         "has no stiffness in shear: give youngs_modulus and a cross section (width and height, or "
         "diameter), or shear_stiffness_y and shear_stiffness_z"},
        {section.C[1].x,
         "has no stiffness in torsion: give youngs_modulus and a cross section (width and height, "
         "or diameter), or torsional_stiffness"},
        {fmin(section.C[1].y, section.C[1].z),
         "has no stiffness in bending: give youngs_modulus and a cross section (width and height, "
         "or diameter), or bending_stiffness_y and bending_stiffness_z"},
        {section.m,
         "has no mass: give density and a cross section (width and height, or diameter), or "
         "mass_per_length"},
        {fmin(section.J.y, section.J.z),
         "has no inertia of its cross sections: give density and a cross section (width and "
         "height, or diameter), or inertia_per_length_y and inertia_per_length_z"},
        {0.5 * PI - turn,
         "has elements that are too long for its curvature and twist: when relaxed, they turn by a "
         "quarter of a turn or more from node to node. Give more elements"},
    };
    for (int i = 0; i < (int)(sizeof needed / sizeof needed[0]); i++) {
        if (!(needed[i].value > 0.0)) {
            return needed[i].words;
        }
    }
    return NULL;
}
