// The curve y = f(x) of the plane, and the search for its point nearest to a given one. The search
// is in real arithmetic; contact.inc makes its result exact, with derivatives. As a smooth curve
// (geometry/smooth_curve.h), which has the solid on its left, it goes the other way: s = -x.
#include <math.h>
#include <stddef.h>

#include "elements/shape_tables.h"
#include "elements/shapes.h"

enum { X, Y, ANGLE, REACH };

static const ParameterInfo parameters[] = {
    [X] = {.name = "x",
           .help = "x of the curve's origin in the body's coordinates",
           .unit = UNIT_METRE,
           .min = -INFINITY,
           .max = INFINITY},
    [Y] = {.name = "y",
           .help = "y of the curve's origin in the body's coordinates",
           .unit = UNIT_METRE,
           .min = -INFINITY,
           .max = INFINITY},
    [ANGLE] = {.name = "angle",
               .help = "angle of the curve's x axis in the body's coordinates",
               .unit = UNIT_RADIAN,
               .min = -INFINITY,
               .max = INFINITY},
    [REACH] = {.name = "reach",
               .help =
                   "how far from its origin, along x, lines and other curves can touch it: what "
                   "has no ends either does not tell where it is near",
               .unit = UNIT_METRE,
               .start = 1.0,
               .min = 1e-6,
               .max = 1e6},
};
static const SignalInfo signals[] = {
    {.name = "function",
     .help = "height f(x) over the curve's origin in metres, x being the distance from it in "
             "metres along the curve's x axis: an expression of x, such as exp(-x), and of "
             "parameters that are not tunable",
     .unit = UNIT_METRE,
     .of_x = true},
};

static void curve_marker(const double* par, Marker* marker) {
    *marker = (Marker){.rho = {par[X], par[Y], 0.0}, .A = rotation3_z(par[ANGLE])};
}

// The curve at s: f and its derivatives
static Jet curve_at(const Expression* f, double s) {
    const Jet x = {.v = s, .d = 1.0};
    return expression_jet(f, 0.0, &x);
}

static SmoothPoint curve_smooth_point(const SmoothCurve* smooth, double s) {
    const Jet f = curve_at(smooth->function, -s);
    return (SmoothPoint){
        smooth_placed(smooth, (Vec2){-s, f.v}), smooth_turned(smooth, (Vec2){-1.0, -f.d}),
        smooth_turned(smooth, (Vec2){0.0, f.dd}), smooth_turned(smooth, (Vec2){0.0, -f.ddd})};
}

// No parts: which of them there are depends on what is near (outline_near).
static const char* curve_surface(const ShapeView* view, Surface* s) {
    const double angle = view->par[ANGLE];
    if (view->function == NULL) {
        return "it has no function";
    }
    s->smooth = (SmoothCurve){.at = curve_smooth_point,
                              .function = view->function,
                              .origin = {view->par[X], view->par[Y]},
                              .e_x = {cos(angle), sin(angle)},
                              .reach = view->par[REACH]};
    s->outline = (Outline){.parts = s->outline.parts,
                           .infinite = true,
                           .centre = s->smooth.origin,
                           .smooth = &s->smooth};
    return NULL;
}

const ElementKind curve_kind = {
    .tag = "curve",
    .help =
        "A curve y = f(x) of the plane without ends, solid below and free above. It should be "
        "smooth, without kinks and poles. A contact of its own with a point or a circle, which "
        "touches in one point, has variables of its own; then hollows should be wider than the "
        "circle. In groups circles touch it on both sides.",
    .role = ROLE_SHAPE,
    .shape = SHAPE_CURVE,
    .parameters = parameters,
    .n_parameters = sizeof parameters / sizeof parameters[0],
    .signals = signals,
    .n_signals = 1,
    .marker = curve_marker,
    SHAPE_SURFACE_OF(shape_one_part, curve_surface),
};

// Half the square of the distance of (xi, eta) from the point of the curve at s
static double half_square(double xi, double eta, double s, const Jet* f) {
    return 0.5 * ((xi - s) * (xi - s) + (eta - f->v) * (eta - f->v));
}

double curve_foot(const Expression* function, double xi, double eta) {
    static const double CLOSE = 1e-9;  // one more Newton step is then exact to rounding
    static const double SLACK = 1.0 + 1e-12;
    double s = xi;
    double step = 0.0;
    Jet f = curve_at(function, s);
    double phi = half_square(xi, eta, s, &f);
    bool halve = false;
    for (int i = 0; i < 50; i++) {
        if (!halve) {  // Newton, or Gauss-Newton where phi is not convex: downhill either way
            const double bend = 1.0 + f.d * f.d - (eta - f.v) * f.dd;
            const double slope = (xi - s) + (eta - f.v) * f.d;
            step = slope / (bend > 0.0 ? bend : 1.0 + f.d * f.d);
        }
        const Jet next = curve_at(function, s + step);
        const double phi_next = half_square(xi, eta, s + step, &next);
        const bool close = fabs(step) <= CLOSE * (1.0 + fabs(s));
        halve = !(phi_next <= SLACK * phi) && !close;
        if (halve) {
            step *= 0.5;
            continue;
        }
        s += step;
        f = next;
        phi = phi_next;
        if (close) {
            break;
        }
    }
    return s;
}
