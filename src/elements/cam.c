// A cam: the closed profile r(phi) of the plane in polar form, phi being the angle from the cam's
// own x axis, counter-clockwise. With e = (cos phi, sin phi) and e' its left,
//   x = r e,  x' = r' e + r e',  x'' = (r'' - r) e + 2 r' e',
//   x''' = (r''' - 3 r') e + (3 r'' - r) e'.
// Area, first and polar second moment about its own origin are the integrals over phi of r^2/2,
// r^3/3 e and r^4/4: sums at even distances, which converge for periodic functions faster than any
// power.
#include <math.h>
#include <stddef.h>

#include "elements/shape_tables.h"
#include "elements/shapes.h"

static const double TURN = 6.28318530717958647693;

enum { CAM_ANGLE = PLANE_EXTRA };

static const ParameterInfo parameters[] = {
    [AT_X] = COORDINATE("x", "x of its own origin in the body's coordinates"),
    [AT_Y] = COORDINATE("y", "y of its own origin in the body's coordinates"),
    [CAM_ANGLE] = SHAPE_ANGLE("angle",
                              "angle of its own x axis, from which the angle in its function "
                              "counts, in the body's coordinates"),
    AREA_DENSITY,
};
static const SignalInfo signals[] = {
    {.name = "function",
     .help = "distance of the profile from the cam's own origin in metres at every angle from 0 to "
             "2*pi, counter-clockwise from its own x axis: an expression of angle, such as 0.03 + "
             "0.005*cos(angle), and of parameters that are not tunable",
     .unit = UNIT_METRE,
     .of_x = true,
     .variable = "angle"},
};

// The distance and its derivatives; functions with pieces know angles from 0 to 2 pi.
static Jet radius_at(const Expression* function, double angle) {
    const Jet variable = {.v = angle, .d = 1.0};
    return expression_jet(function, 0.0, &variable);
}

static SmoothPoint cam_point(const SmoothCurve* smooth, double s) {
    const double angle = s - TURN * floor(s / TURN);
    const Jet r = radius_at(smooth->function, fmin(angle, nextafter(TURN, 0.0)));
    const Vec2 e = {cos(angle), sin(angle)};
    const Vec2 across = left2(e);
    const Vec2 along[4] = {
        scale2(r.v, e),
        add2(scale2(r.d, e), scale2(r.v, across)),
        add2(scale2(r.dd - r.v, e), scale2(2.0 * r.d, across)),
        add2(scale2(r.ddd - 3.0 * r.d, e), scale2(3.0 * r.dd - r.v, across)),
    };
    return (SmoothPoint){smooth_placed(smooth, along[0]), smooth_turned(smooth, along[1]),
                         smooth_turned(smooth, along[2]), smooth_turned(smooth, along[3])};
}

// Its moments, in the coordinates of the body; false if the distance is not above 0 everywhere
static bool find_moments(const Expression* function, SmoothCurve* smooth) {
    enum { POINTS = 4096 };
    double area = 0.0, polar = 0.0;
    Vec2 first = {0.0, 0.0};
    for (int i = 0; i < POINTS; i++) {
        const double angle = TURN * i / POINTS;
        const double r = expression_value(function, 0.0, &angle);
        const double weight = TURN / POINTS * r * r;
        if (!(r > 0.0 && isfinite(r))) {
            return false;
        }
        area += weight / 2.0;
        polar += weight * r * r / 4.0;
        first = add2(first, scale2(weight * r / 3.0, (Vec2){cos(angle), sin(angle)}));
    }
    const Vec2 arm = scale2(1.0 / area, first);
    smooth->moments =
        (OutlineMoments){area, smooth_placed(smooth, arm), polar - area * dot2(arm, arm)};
    return true;
}

// Does the profile end where it begins, and smoothly? In words, or NULL
static const char* gap_between_ends(const Expression* function) {
    static const double SAME = 1e-6;  // of the distance, for tables that are written with digits
    const Jet begin = radius_at(function, 0.0);
    const Jet end = radius_at(function, nextafter(TURN, 0.0));
    if (!(fabs(end.v - begin.v) <= SAME * begin.v)) {
        return "its function at the angle 2*pi is not what it is at 0: the profile is not closed";
    }
    if (!(fabs(end.d - begin.d) <= SAME * (begin.v + fabs(begin.d)))) {
        return "the slope of its function at the angle 2*pi is not what it is at 0: the profile "
               "has a kink there";
    }
    return NULL;
}

static SurfaceSize cam_size(const ShapeView* view) {
    (void)view;
    return (SurfaceSize){.parts = OUTLINE_SMOOTH_PARTS, .stations = OUTLINE_SMOOTH_PARTS + 1};
}

static const char* cam_surface(const ShapeView* view, Surface* s) {
    const double angle = view->par[CAM_ANGLE];
    if (view->function == NULL) {
        return "it has no function";
    }
    s->smooth = (SmoothCurve){.at = cam_point,
                              .function = view->function,
                              .origin = shape_at2(view->par),
                              .e_x = {cos(angle), sin(angle)},
                              .period = TURN};
    if (!find_moments(view->function, &s->smooth)) {
        return "its function is not above 0 at every angle";
    }
    const char* gap = gap_between_ends(view->function);
    return gap != NULL
               ? gap
               : outline_from_smooth(&s->smooth, s->outline.parts, s->stations, &s->outline);
}

static void cam_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[AT_X], par[AT_Y], 0.0}, .A = rotation3_z(par[CAM_ANGLE])};
}

const ElementKind cam_kind = {
    SHAPE_TABLE("cam", SHAPE_SURFACE, parameters, cam_marker),
    SHAPE_SURFACE_OF(cam_size, cam_surface),
    .signals = signals,
    .n_signals = COUNT(signals),
    .help =
        "A closed smooth profile of the plane in polar form, solid inside: its distance from its "
        "own origin is a function of the angle. It has to be above 0, and at the angle 2*pi what "
        "it is at 0, slope included. What touches it follows the function itself.",
};
