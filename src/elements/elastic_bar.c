// One-dimensional elastic bar along x of n linear finite elements (CH 5.3, PR 6.2). Node i is at
// i h + q_i; element e joins nodes e and e + 1:
//   normal force N_e = (E A / h) (q_{e+1} - q_e),   mass rho A h / 6 [2 1; 1 2],   h = L / n.
// q_i is a displacement, not a position: strains are small against positions, and would be left to
// their rounding, which a stiff bar turns into forces.
#include <math.h>
#include <string.h>

#include "elements/bodies.h"

enum { LENGTH, N_ELEMENTS, AREA, MODULUS, DENSITY, INITIAL_X, INITIAL_VELOCITY, N_PARAMETERS };

#define POSITIVE(name_, help_, unit_)                                                  \
    {                                                                                  \
        .name = (name_), .help = (help_), .unit = (unit_), .start = NAN, .min = 1e-12, \
        .max = INFINITY                                                                \
    }

static const ParameterInfo parameters[N_PARAMETERS] = {
    [LENGTH] = POSITIVE("length", "length when relaxed", UNIT_METRE),
    [N_ELEMENTS] = {.name = "elements",
                    .help = "number of finite elements",
                    .type = VARIABLE_INTEGER,
                    .start = 10.0,
                    .min = 1.0,
                    .max = 100000.0,
                    .structural = true},
    [AREA] = POSITIVE("area", "area of the cross section", UNIT_METRE_SQUARED),
    [MODULUS] = POSITIVE("youngs_modulus", "Young's modulus", UNIT_PASCAL),
    [DENSITY] = POSITIVE("density", "mass per volume", UNIT_KILOGRAM_PER_CUBIC_METRE),
    [INITIAL_X] = {.name = "initial_x",
                   .help = "position of the first end at the start; the bar extends from there in "
                           "the direction of x, relaxed",
                   .unit = UNIT_METRE,
                   .min = -INFINITY,
                   .max = INFINITY},
    [INITIAL_VELOCITY] = {.name = "initial_velocity_x",
                          .help = "velocity of all its points at the start",
                          .unit = UNIT_METRE_PER_SECOND,
                          .min = -INFINITY,
                          .max = INFINITY},
};

#define SHOWN(name_, help_, unit_, of_)                                        \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = (of_)                                                 \
    }
static const OutputInfo outputs[] = {
    SHOWN("first_x", "position of the first end", UNIT_METRE, -1),
    SHOWN("last_x", "position of the last end", UNIT_METRE, -1),
    SHOWN("first_velocity_x", "velocity of the first end", UNIT_METRE_PER_SECOND, 0),
    SHOWN("last_velocity_x", "velocity of the last end", UNIT_METRE_PER_SECOND, 1),
};

typedef struct Bar {
    int n;        // elements
    double h;     // their length
    double k, m;  // stiffness and a sixth of the mass of one
} Bar;

static Bar bar_of(const double* par, int n_nodes) {
    const int n = n_nodes - 1;
    const double h = par[LENGTH] / n;
    return (Bar){
        .n = n, .h = h, .k = par[MODULUS] * par[AREA] / h, .m = par[DENSITY] * par[AREA] * h / 6.0};
}

static void size(const double* par, int* nq, int* nu) { *nq = *nu = (int)par[N_ELEMENTS] + 1; }

static void initial(const BodyView* b, double* q, double* u) {
    for (int i = 0; i < b->nq; i++) {
        q[i] = b->par[INITIAL_X];
        u[i] = b->par[INITIAL_VELOCITY];
    }
}

// A node, or the two nodes of the element in which x lies.
static int point_velocities(const double* par, int nu, Vec3 X, int* at) {
    const double tolerance = 1e-6;  // of an element: x is computed with rounding
    const double s = X.x / par[LENGTH] * (nu - 1);
    const double nearest = nearbyint(s);
    if (!(s >= -tolerance && s <= nu - 1 + tolerance)) {
        return -1;
    }
    if (fabs(s - nearest) <= tolerance) {
        at[0] = (int)nearest;
        return 1;
    }
    at[0] = (int)s;
    at[1] = at[0] + 1;
    return 2;
}

// Between nodes displacements and velocities are interpolated linearly.
static void point(const BodyView* b, Vec3 X, int n, const int* at, Frame* frame, double* T) {
    memset(T, 0, (size_t)(TWIST_SIZE * n) * sizeof(double));
    const double s = n == 2 ? X.x / b->par[LENGTH] * (b->nu - 1) - at[0] : 0.0;
    *frame =
        (Frame){.r = {X.x + b->q[at[0]], 0.0, 0.0}, .R = MAT3_IDENTITY, .v = {b->u[at[0]], 0, 0}};
    if (n == 2) {
        frame->r.x += s * (b->q[at[1]] - b->q[at[0]]);
        frame->v.x += s * (b->u[at[1]] - b->u[at[0]]);
        T[1] = s;
    }
    T[0] = 1.0 - s;
}

static void mass_multiply(const BodyView* b, const double* x, double* y) {
    const Bar bar = bar_of(b->par, b->nu);
    for (int i = 0; i < b->nu; i++) {
        y[i] = 0.0;
    }
    for (int e = 0; e < bar.n; e++) {
        y[e] += bar.m * (2.0 * x[e] + x[e + 1]);
        y[e + 1] += bar.m * (x[e] + 2.0 * x[e + 1]);
    }
}

static void mass_diagonal(const BodyView* b, double* diagonal) {
    const Bar bar = bar_of(b->par, b->nu);
    for (int i = 0; i < b->nu; i++) {
        diagonal[i] = (i == 0 || i == bar.n ? 2.0 : 4.0) * bar.m;
    }
}

static double kinetic(const BodyView* b) {
    const Bar bar = bar_of(b->par, b->nu);
    const double* u = b->u;
    double energy = 0.0;
    for (int e = 0; e < bar.n; e++) {
        energy += bar.m * (u[e] * u[e] + u[e] * u[e + 1] + u[e + 1] * u[e + 1]);
    }
    return energy;
}

static void forces(const BodyView* b, double* h) {
    const Bar bar = bar_of(b->par, b->nu);
    for (int i = 0; i < b->nu; i++) {
        h[i] = (i == 0 || i == bar.n ? 3.0 : 6.0) * bar.m * b->gravity[0];
    }
    for (int e = 0; e < bar.n; e++) {
        const double N = bar.k * (b->q[e + 1] - b->q[e]);
        h[e] += N;
        h[e + 1] -= N;
    }
}

static void tangent(const BodyView* b, BodyTerms terms, const BlockSink* sink) {
    const Bar bar = bar_of(b->par, b->nu);
    const double diagonal = terms.mass * 2.0 * bar.m - terms.k * bar.k;
    const double beside = terms.mass * bar.m + terms.k * bar.k;
    const double block[4] = {diagonal, beside, beside, diagonal};
    for (int e = 0; e < bar.n; e++) {
        sink->add(sink, 2, (int[]){e, e + 1}, block);
    }
}

static double potential(const BodyView* b) {
    const Bar bar = bar_of(b->par, b->nu);
    const double* q = b->q;
    double energy = 0.0;
    for (int e = 0; e < bar.n; e++) {
        const double stretch = q[e + 1] - q[e];
        const double x = 2.0 * (e + 0.5) * bar.h + q[e] + q[e + 1];  // of both nodes together
        energy += 0.5 * bar.k * stretch * stretch - 3.0 * bar.m * b->gravity[0] * x;
    }
    return energy;
}

static double potential_rate(const BodyView* b) {
    const Bar bar = bar_of(b->par, b->nu);
    const double *q = b->q, *u = b->u;
    double rate = 0.0;
    for (int e = 0; e < bar.n; e++) {
        rate += bar.k * (q[e + 1] - q[e]) * (u[e + 1] - u[e]) -
                3.0 * bar.m * b->gravity[0] * (u[e] + u[e + 1]);
    }
    return rate;
}

static void output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                   const double* q, const double* u, const double* a, double* y) {
    const int last = s->element->q.n - 1;
    (void)frame_a;
    (void)frame_b;
    (void)a;
    y[0] = q[0];
    y[1] = s->par[LENGTH] + q[last];
    y[2] = u[0];
    y[3] = u[last];
}

static const int places[] = {0, 1};

// Straight between the two ends: what the outputs do not tell.
static void from_outputs(const BodyView* b, const double* y, double* q, Jet* signals) {
    (void)signals;
    const double stretch = y[1] - y[0] - b->par[LENGTH];
    for (int i = 0; i < b->nq; i++) {
        q[i] = y[0] + stretch * i / (b->nq - 1);
    }
}

static void line(const double* par, double s, Vec3* X, double* radius) {
    static const double PI = 3.14159265358979323846;
    *X = (Vec3){s * par[LENGTH], 0.0, 0.0};
    *radius = sqrt(par[AREA] / PI);
}

static int pieces(const double* par) { return (int)par[N_ELEMENTS]; }

const ElementKind elastic_bar_kind = {
    .tag = "elastic_bar",
    .help =
        "An elastic bar along x that moves and deforms in that direction alone; shapes can "
        "stand anywhere on it, x counting from its first end.",
    .role = ROLE_BODY,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .outputs = outputs,
    .n_outputs = (int)(sizeof outputs / sizeof outputs[0]),
    .body = &(const BodyFunctions){.size = size,
                                   .position_dependent = true,
                                   .initial = initial,
                                   .point_velocities = point_velocities,
                                   .point = point,
                                   .mass_multiply = mass_multiply,
                                   .mass_diagonal = mass_diagonal,
                                   .kinetic = kinetic,
                                   .forces = forces,
                                   .tangent = tangent,
                                   .potential = potential,
                                   .potential_rate = potential_rate,
                                   .places = places,
                                   .n_places = 2,
                                   .from_outputs = from_outputs,
                                   .line = line,
                                   .pieces = pieces},
    .output = output,
};
