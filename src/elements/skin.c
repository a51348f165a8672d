// The surface of a body that is a line, as round cross sections at places spaced evenly along its
// axis: circles in the plane, spheres in space. Between two of them, a distance d apart, a round
// shape of radius R sinks in by
//   r + R - sqrt((r + R)^2 - d^2/4), about d^2 / (8 (r + R)),
// and goes through where d/2 > r + R.
#include <math.h>

#include "elements/shapes.h"

enum { FIRST, LAST, STATIONS, RADIUS, N_PARAMETERS };
enum { MOST_STATIONS = 1000, MOST_BY_DEFAULT = 101 };
static const double SMALLEST_RADIUS = 1e-9;  // m: less than anything that is made

static const ParameterInfo parameters[N_PARAMETERS] = {
    [FIRST] = {.name = "first",
               .help = "where it begins, as a fraction of the length",
               .unit = UNIT_ONE,
               .max = 1.0},
    [LAST] = {.name = "last",
              .help = "where it ends, as a fraction of the length",
              .unit = UNIT_ONE,
              .start = 1.0,
              .max = 1.0},
    [STATIONS] = {.name = "stations",
                  .help = "number of round cross sections that touch, evenly spaced from first to "
                          "last; 0: as many as touch each other, at most 101",
                  .type = VARIABLE_INTEGER,
                  .max = MOST_STATIONS,
                  .structural = true},
    [RADIUS] = {.name = "radius",
                .help = "radius of the cross sections; 0: half the thickness",
                .unit = UNIT_METRE,
                .max = INFINITY},
};

static double radius_of(const MarkerView* view, double thickness_radius) {
    return view->par[RADIUS] > SMALLEST_RADIUS ? view->par[RADIUS] : thickness_radius;
}

static int count(const MarkerView* view) {
    Vec3 ends[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double radius = 0.0;
    if (view->par[STATIONS] > 0.0 || view->body->line == NULL) {
        return (int)fmax(2.0, view->par[STATIONS]);
    }
    view->body->line(view->body_par, view->par[FIRST], &ends[0], &radius);
    view->body->line(view->body_par, view->par[LAST], &ends[1], &radius);
    const double n = 1.0 + ceil(length3(sub3(ends[1], ends[0])) / (2.0 * radius_of(view, radius)));
    return n < MOST_BY_DEFAULT ? (int)fmax(2.0, n) : MOST_BY_DEFAULT;  // NaN: of a body with errors
}

static void station(const MarkerView* view, int i, Marker* marker) {
    const double s = (double)i / (view->n - 1);
    double radius = 0.0;
    *marker = (Marker){.A = MAT3_IDENTITY};
    if (view->body->line != NULL) {
        view->body->line(view->body_par, (1.0 - s) * view->par[FIRST] + s * view->par[LAST],
                         &marker->rho, &radius);
    }
    marker->radius = radius_of(view, radius);
}

const ElementKind skin_kind = {
    .tag = "skin",
    .help =
        "The surface of a <beam>, or of a part of it, as round cross sections: each touches other "
        "shapes as a circle, in space as a sphere, with a contact of its own.",
    .role = ROLE_SHAPE,
    .shape = SHAPE_ROUND,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .count = count,
    .corner = station,
    .along_line = true,
};
