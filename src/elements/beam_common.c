#include "elements/beam_common.h"

#include <math.h>

#include "elements/sensors.h"

#define SHOWN(name_, help_, unit_, of_)                                        \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = (of_)                                                 \
    }
const OutputInfo beam_outputs[N_BEAM_OUTPUTS] = {
    SHOWN("first_x", "position x of the first end", UNIT_METRE, -1),
    SHOWN("first_y", "position y of the first end", UNIT_METRE, -1),
    SHOWN("first_angle", "angle of the first end, counter-clockwise", UNIT_RADIAN, -1),
    SHOWN("first_velocity_x", "velocity x of the first end", UNIT_METRE_PER_SECOND, 0),
    SHOWN("first_velocity_y", "velocity y of the first end", UNIT_METRE_PER_SECOND, 1),
    SHOWN("first_angular_velocity", "angular velocity of the first end", UNIT_RADIAN_PER_SECOND, 2),
    SHOWN("last_x", "position x of the last end", UNIT_METRE, -1),
    SHOWN("last_y", "position y of the last end", UNIT_METRE, -1),
    SHOWN("last_angle", "angle of the last end, counter-clockwise", UNIT_RADIAN, -1),
    SHOWN("last_velocity_x", "velocity x of the last end", UNIT_METRE_PER_SECOND, 6),
    SHOWN("last_velocity_y", "velocity y of the last end", UNIT_METRE_PER_SECOND, 7),
    SHOWN("last_angular_velocity", "angular velocity of the last end", UNIT_RADIAN_PER_SECOND, 8),
    SHOWN("strain_energy", "energy stored in the deformation", UNIT_JOULE, -1),
};
const int beam_places[N_BEAM_PLACES] = {BEAM_FIRST_END, BEAM_FIRST_END + 1, BEAM_FIRST_END + 2,
                                        BEAM_LAST_END,  BEAM_LAST_END + 1,  BEAM_LAST_END + 2};

int beam_locate(int n, double h, int order, double X, double* x) {
    const double tolerance = 1e-6;  // of an element: X is computed with rounding
    const double s = X / h;
    if (!(s >= -tolerance && s <= n + tolerance)) {
        return -1;
    }
    const int k = (int)fmin(fmax(floor(s), 0.0), n - 1);
    const double nearest = nearbyint((s - k) * order) / order;
    *x = fabs(s - k - nearest) <= tolerance ? nearest : s - k;
    return k;
}

void beam_stresses(const double* par, double* y) {
    const double height = par[BEAM_HEIGHT];
    const double A = par[BEAM_WIDTH] * height;
    if (A > 0.0) {
        const double mean = y[SECTION_NORMAL_FORCE] / A;
        const double bending = 6.0 * y[SECTION_BENDING_MOMENT] / (A * height);
        y[SECTION_STRESS_LEFT] = mean - bending;
        y[SECTION_STRESS_RIGHT] = mean + bending;
    }
}

void beam_line(const double* par, double s, Vec3* X, double* radius) {
    const BeamSection section = beam_section_common(par);
    *X = (Vec3){s * par[BEAM_LENGTH], 0.0, 0.0};
    *radius =
        0.5 * (par[BEAM_HEIGHT] > 0.0 ? par[BEAM_HEIGHT] : sqrt(12.0 * section.EI / section.EA));
}

int beam_pieces(const double* par) { return (int)par[BEAM_N_ELEMENTS]; }

Vec2 beam_between_ends(const double* par, const double* y, double x) {
    const double *first = y, *last = y + N_BEAM_PLACES / 2;
    const Vec2 slope_0 = {cos(first[2]), sin(first[2])};
    const Vec2 slope_1 = {cos(last[2]), sin(last[2])};
    const double rise = x * x * (3.0 - 2.0 * x);
    const Vec2 chord = {(1.0 - rise) * first[0] + rise * last[0],
                        (1.0 - rise) * first[1] + rise * last[1]};
    const double bend = par[BEAM_LENGTH] * x * (1.0 - x);
    return add2(chord, scale2(bend, sub2(scale2(1.0 - x, slope_0), scale2(x, slope_1))));
}
