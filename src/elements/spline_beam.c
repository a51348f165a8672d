// A beam of the plane after Euler and Bernoulli on B-splines (GA 10.5): cross sections stay at
// right angles to the axis, which may be displaced and turned by any amount. At the arc length s of
// the relaxed beam the axis is at
//   r(s) = sum of N_i(s) r_i,   r_i = r_0i + d_i,   q = (d_i), u = q',
// r_0i being the control points of the relaxed beam that begins at the origin in the direction in
// which the beam starts. With theta the angle of r', the strains are
//   eps = |r'| - 1,   kappa = theta' = (r' x r'') / |r'|^2
// and force and moment of a cross section
//   N = EA (deps + tau deps/dt),   M = EI (dkappa + tau dkappa/dt),
// d...: the difference to the strains of the relaxed beam, tau: a time that measures damping
// (Kelvin, Voigt). The energy is the integral of (EA deps^2 + EI dkappa^2) / 2 over s. Cross
// sections have no inertia of their own, so that the mass is constant.
//
// The relaxed curve is given by its curvature, a function of s. Its control points interpolate it
// at Greville's abscissae, with its directions at the ends; strains are measured against those of
// the interpolated curve, which is therefore without stress, and as d is small near it they are not
// left to the rounding of positions.
//
// Strains are integrated at gauss_points points of each element. Slender beams lock then (membrane
// locking): splines that bend have a stretch of their own making, since |r'| = 1 at all these
// points is more conditions than there are control points. By default, therefore, the stretch that
// makes the force is its mean over the element but for a share a = 1 / (1 + (h/t)^2) of the
// difference to it, t = sqrt(12 EI/EA) being the height of the cross section:
//   N = EA (mean + a (eps - mean)),   energy EA (mean^2 + a (eps - mean)^2) / 2,
// one condition per element. The share makes stretch that alternates along the beam cost energy,
// and is nearly 1 where elements are short. What follows from the parameters (shape functions at
// the points of integration, the mass) is kept with the constants of the body.
#include <math.h>
#include <string.h>

#include "elements/beam_common.h"
#include "elements/bodies.h"
#include "elements/sensors.h"
#include "elements/spline_station.h"
#include "elements/use.h"

static const ParameterInfo parameters[N_SPLINE_PARAMETERS] = {
#include "elements/beam_parameters.inc"
    [SPLINE_DEGREE] = {.name = "degree",
                       .help =
                           "degree of the splines: elements meet with one derivative fewer than "
                           "that continuous",
                       .type = VARIABLE_INTEGER,
                       .start = 3.0,
                       .min = 2.0,
                       .max = SPLINE_MAX_DEGREE,
                       .structural = true},
    [SPLINE_GAUSS_POINTS] =
        {.name = "gauss_points",
         .help = "points in each element at which strains are integrated as they are; 0: "
                 "as many as the degree, the stretch being the mean over the element, "
                 "so that slender beams are not too stiff",
         .type = VARIABLE_INTEGER,
         .start = 0.0,
         .min = 0.0,
         .max = GAUSS_MAX_POINTS,
         .structural = true},
};
static const SignalInfo signals[] = {
    {.name = "curvature",
     .help =
         "curvature of the relaxed beam in radians per metre, positive to the left, x being the "
         "arc length from the first end in metres: an expression of x and parameters, such as "
         "2 - 3*x",
     .unit = UNIT_RADIAN_PER_METRE,
     .start = "0",
     .of_x = true},
};

static void size(const double* par, int* nq, int* nu) {
    *nq = *nu = SPLINE_AXES * spline_mesh(par).n_control;
}

static void initial(const BodyView* b, double* q, double* u) {
    const double* par = b->par;
    const SplineMesh mesh = spline_mesh(par);
    const double* r_0 = b->constants + mesh.r_0;
    for (int i = 0; i < b->nq; i += SPLINE_AXES) {
        q[i] = par[BEAM_INITIAL_X];
        q[i + 1] = par[BEAM_INITIAL_Y];
        u[i] = par[BEAM_INITIAL_VX] - par[BEAM_INITIAL_OMEGA] * r_0[i + 1];
        u[i + 1] = par[BEAM_INITIAL_VY] + par[BEAM_INITIAL_OMEGA] * r_0[i];
    }
}

// Control points are displaced from those of the relaxed beam, which stays where the part has it.
static void carry(const BodyView* b, const Pose* pose, double* q, double* u) {
    const double* r_0 = b->constants + spline_mesh(b->par).r_0;
    for (int i = 0; i < b->nq; i += SPLINE_AXES) {
        pose_carry_point(pose, r_0 + i, q + i, u + i);
    }
}

// --- points ---

// A point of the axis: the control points on which its place and direction depend, and the relaxed
// beam there
typedef struct SplineAxis {
    int first, n;
    double N[SPLINE_MAX_FUNCTIONS], N_s[SPLINE_MAX_FUNCTIONS];
    Vec2 r_0, r_0_s;
    double angle_0;  // of r_0_s, not reduced to one turn
} SplineAxis;

// The control points of the axis at x of element k: two at the ends of the beam
static void choose_control_points(const SplineMesh* mesh, int k, double x, int* first, int* n) {
    const bool begin = k == 0 && x == 0.0;
    const bool end = k == mesh->n - 1 && x == 1.0;
    *n = begin || end ? 2 : spline_functions_of(mesh);
    *first = end ? mesh->n_control - 2 : k;
}

static int point_velocities(const double* par, int nu, Vec3 X, int* at) {
    const SplineMesh mesh = spline_mesh(par);
    double x = 0.0;
    const int k = beam_locate(mesh.n, mesh.h, 1, X.x, &x);
    int first;
    int n;
    (void)nu;
    if (k < 0) {
        return -1;
    }
    choose_control_points(&mesh, k, x, &first, &n);
    for (int i = 0; i < SPLINE_AXES * n; i++) {
        at[i] = SPLINE_AXES * first + i;
    }
    return SPLINE_AXES * n;
}

static SplineAxis axis_at(const BodyView* b, double X) {
    static const double TURN = 6.28318530717958647692;
    const SplineMesh mesh = spline_mesh(b->par);
    const double* r_0 = b->constants + mesh.r_0;
    double x = 0.0;
    const int k = beam_locate(mesh.n, mesh.h, 1, X, &x);
    const SplineFunctions f = spline_functions(mesh.n, mesh.degree, mesh.h, k, x);
    const double angle = b->constants[mesh.angle + k];
    SplineAxis axis = {.r_0 = spline_sum(&mesh, f.N, k, r_0),
                       .r_0_s = spline_sum(&mesh, f.N_s, k, r_0)};
    axis.angle_0 = angle + remainder(atan2(axis.r_0_s.y, axis.r_0_s.x) - angle, TURN);
    choose_control_points(&mesh, k, x, &axis.first, &axis.n);
    memcpy(axis.N, f.N + (axis.first - k), (size_t)axis.n * sizeof(double));
    memcpy(axis.N_s, f.N_s + (axis.first - k), (size_t)axis.n * sizeof(double));
    return axis;
}

#include "linalg/real.inc"
#include "elements/spline_point.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/spline_point.inc"
#include "linalg/undefine.inc"

static void point(const BodyView* b, Vec3 X, int n, const int* at, Frame* frame, double* T) {
    const SplineAxis axis = axis_at(b, X.x);
    (void)n;
    spline_frame_real(&axis, b->q + at[0], b->u + at[0], frame, T);
}

static void point_dual(const BodyView* b, Vec3 X, int n, const int* at, int k, bool velocity,
                       DualFrame* frame, Dual* T) {
    const SplineAxis axis = axis_at(b, X.x);
    Dual q[SPLINE_BLOCK];
    Dual u[SPLINE_BLOCK];
    for (int i = 0; i < n; i++) {
        q[i] = dual_make(b->q[at[i]], i == k && !velocity ? 1.0 : 0.0);
        u[i] = dual_make(b->u[at[i]], i == k && velocity ? 1.0 : 0.0);
    }
    spline_frame_dual(&axis, q, u, frame, T);
}

// --- mass ---

static void mass_multiply(const BodyView* b, const double* x, double* y) {
    const SplineMesh mesh = spline_mesh(b->par);
    const double m = beam_section_common(b->par).m;
    const int n = spline_functions_of(&mesh);
    memset(y, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        const double* mass = b->constants + mesh.mass + k * n * n;
        for (int i = 0; i < n; i++) {
            const Vec2 sum = spline_sum(&mesh, mass + i * n, k, x);
            y[SPLINE_AXES * (k + i)] += m * sum.x;
            y[SPLINE_AXES * (k + i) + 1] += m * sum.y;
        }
    }
}

static void mass_diagonal(const BodyView* b, double* diagonal) {
    const SplineMesh mesh = spline_mesh(b->par);
    const double m = beam_section_common(b->par).m;
    const int n = spline_functions_of(&mesh);
    memset(diagonal, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        const double* mass = b->constants + mesh.mass + k * n * n;
        for (int i = 0; i < SPLINE_AXES * n; i++) {
            diagonal[SPLINE_AXES * k + i] += m * mass[i / SPLINE_AXES * (n + 1)];
        }
    }
}

static double kinetic(const BodyView* b) {
    const SplineMesh mesh = spline_mesh(b->par);
    const int n = spline_functions_of(&mesh);
    double twice = 0.0;
    for (int k = 0; k < mesh.n; k++) {
        const double* mass = b->constants + mesh.mass + k * n * n;
        for (int i = 0; i < n; i++) {
            const double* u = b->u + SPLINE_AXES * (k + i);
            twice += dot2((Vec2){u[0], u[1]}, spline_sum(&mesh, mass + i * n, k, b->u));
        }
    }
    return 0.5 * beam_section_common(b->par).m * twice;
}

// --- forces ---

static void forces(const BodyView* b, double* h) {
    const SplineMesh mesh = spline_mesh(b->par);
    const BeamSection section = beam_section_common(b->par);
    const double* share = b->constants + mesh.share;
    const int n = spline_functions_of(&mesh);
    for (int i = 0; i < b->nu; i++) {
        h[i] = section.m * share[i / SPLINE_AXES] * b->gravity[i % SPLINE_AXES];
    }
    for (int k = 0; k < mesh.n; k++) {
        double* h_k = h + SPLINE_AXES * k;
        SplineStation x[GAUSS_MAX_POINTS];
        (void)spline_element(b, &mesh, &section, k, x);
        for (int p = 0; p < mesh.n_points; p++) {
            const double* at = spline_point(&mesh, b->constants, k, p);
            double g[SPLINE_N_E];
            spline_conjugate_forces(&x[p], g);
            for (int i = 0; i < SPLINE_AXES * n; i++) {
                const double* N_s = at + POINT_FUNCTIONS + i / SPLINE_AXES;
                h_k[i] -= at[POINT_WEIGHT] * (N_s[0] * g[SPLINE_S + i % SPLINE_AXES] +
                                              N_s[n] * g[SPLINE_SS + i % SPLINE_AXES]);
            }
        }
    }
}

// Adds -w S^T g_e S to the block of an element, S being e in its control points.
static void add_stiffness(const SplineMesh* mesh, const double* at,
                          double g_e[SPLINE_N_E][SPLINE_N_E], double* block) {
    const int n = spline_functions_of(mesh);
    const double* N_s = at + POINT_FUNCTIONS;
    const double* N_ss = N_s + n;
    for (int i = 0; i < SPLINE_AXES * n; i++) {
        const double w_s = at[POINT_WEIGHT] * N_s[i / SPLINE_AXES];
        const double w_ss = at[POINT_WEIGHT] * N_ss[i / SPLINE_AXES];
        const double* of_s = g_e[SPLINE_S + i % SPLINE_AXES];
        const double* of_ss = g_e[SPLINE_SS + i % SPLINE_AXES];
        double row[SPLINE_N_E];
        for (int e = 0; e < SPLINE_N_E; e++) {
            row[e] = w_s * of_s[e] + w_ss * of_ss[e];
        }
        double* entry = block + SPLINE_AXES * n * i;
        for (int j = 0; j < n; j++) {
            entry[SPLINE_AXES * j] -= row[SPLINE_S] * N_s[j] + row[SPLINE_SS] * N_ss[j];
            entry[SPLINE_AXES * j + 1] -= row[SPLINE_S + 1] * N_s[j] + row[SPLINE_SS + 1] * N_ss[j];
        }
    }
}

// Integrals of the derivatives of the stretch, and of its rate, in the control points of an element
typedef struct StretchGradient {
    double eps[SPLINE_BLOCK], rate[SPLINE_BLOCK];
} StretchGradient;

static void add_gradient(const SplineMesh* mesh, const double* at, const SplineStation* x,
                         StretchGradient* gradient) {
    for (int i = 0; i < SPLINE_AXES * spline_functions_of(mesh); i++) {
        const double w = at[POINT_WEIGHT] * at[POINT_FUNCTIONS + i / SPLINE_AXES];
        gradient->eps[i] += w * x->eps_e[SPLINE_S + i % SPLINE_AXES];
        gradient->rate[i] += w * x->eps_rate_e[SPLINE_S + i % SPLINE_AXES];
    }
}

// What the mean stretch adds to the block: it couples all control points of the element.
static void add_mean_stiffness(const SplineMesh* mesh, const BeamSection* section, double own,
                               BodyTerms terms, const StretchGradient* gradient, double* block) {
    const int n = SPLINE_AXES * spline_functions_of(mesh);
    const double EA = (1.0 - own) * section->EA / mesh->h;
    const double gain = terms.k + section->tau * terms.d;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            block[i * n + j] -=
                EA * gradient->eps[i] *
                (gain * gradient->eps[j] + terms.k * section->tau * gradient->rate[j]);
        }
    }
}

static void add_element_stiffness(const BodyView* b, const SplineMesh* mesh, BodyTerms terms, int k,
                                  double* block) {
    const BeamSection section = beam_section_common(b->par);
    SplineStation x[GAUSS_MAX_POINTS];
    StretchGradient gradient = {.eps = {0.0}};
    const double own = spline_element(b, mesh, &section, k, x).own;
    for (int p = 0; p < mesh->n_points; p++) {
        const double* at = spline_point(mesh, b->constants, k, p);
        double g_e[SPLINE_N_E][SPLINE_N_E];
        spline_conjugate_tangent(&x[p], &section, own, terms.k, terms.d, g_e);
        add_stiffness(mesh, at, g_e, block);
        add_gradient(mesh, at, &x[p], &gradient);
    }
    if (own < 1.0) {
        add_mean_stiffness(mesh, &section, own, terms, &gradient, block);
    }
}

static void tangent(const BodyView* b, BodyTerms terms, const BlockSink* sink) {
    const SplineMesh mesh = spline_mesh(b->par);
    const double m = terms.mass * beam_section_common(b->par).m;
    const int n = spline_functions_of(&mesh);
    const int n_block = SPLINE_AXES * n;
    for (int k = 0; k < mesh.n; k++) {
        const double* mass = b->constants + mesh.mass + k * n * n;
        double block[SPLINE_BLOCK * SPLINE_BLOCK] = {0.0};
        int at[SPLINE_BLOCK];
        for (int i = 0; i < n_block; i++) {
            at[i] = SPLINE_AXES * k + i;
            for (int j = i % SPLINE_AXES; j < n_block; j += SPLINE_AXES) {
                block[i * n_block + j] = m * mass[i / SPLINE_AXES * n + j / SPLINE_AXES];
            }
        }
        if (terms.k != 0.0 || terms.d != 0.0) {
            add_element_stiffness(b, &mesh, terms, k, block);
        }
        sink->add(sink, n_block, at, block);
    }
}

// --- energies ---

typedef double (*Density)(const SplineStation* x, const BeamSection* section);

static double energy_density(const SplineStation* x, const BeamSection* section) {
    return 0.5 * (section->EA * x->eps_change * x->eps_taken +
                  section->EI * x->kappa_change * x->kappa_change);
}

static double loss_density(const SplineStation* x, const BeamSection* section) {
    return section->tau * (section->EA * x->eps_rate * x->eps_rate_taken +
                           section->EI * x->kappa_rate * x->kappa_rate);
}

// The power that force and moment take
static double power_density(const SplineStation* x, const BeamSection* section) {
    (void)section;
    return x->N * x->eps_rate + x->M * x->kappa_rate;
}

static double integrate(const BodyView* b, Density density) {
    const SplineMesh mesh = spline_mesh(b->par);
    const BeamSection section = beam_section_common(b->par);
    double sum = 0.0;
    for (int k = 0; k < mesh.n; k++) {
        SplineStation x[GAUSS_MAX_POINTS];
        (void)spline_element(b, &mesh, &section, k, x);
        for (int p = 0; p < mesh.n_points; p++) {
            sum += spline_point(&mesh, b->constants, k, p)[POINT_WEIGHT] * density(&x[p], &section);
        }
    }
    return sum;
}

static double dissipation(const BodyView* b) {
    return b->par[BEAM_DAMPING] > 0.0 ? integrate(b, loss_density) : 0.0;
}

// The work of the weight for displacements, or its power for velocities, x of the control points
static double weight(const BodyView* b, const double* x) {
    const SplineMesh mesh = spline_mesh(b->par);
    const double m = beam_section_common(b->par).m;
    double work = 0.0;
    for (int i = 0; i < mesh.n_control; i++) {
        const double* x_i = x + SPLINE_AXES * i;
        work +=
            m * b->constants[mesh.share + i] * (b->gravity[0] * x_i[0] + b->gravity[1] * x_i[1]);
    }
    return work;
}

static double potential(const BodyView* b) {
    const double* r_0 = b->constants + spline_mesh(b->par).r_0;
    return integrate(b, energy_density) - weight(b, b->q) - weight(b, r_0);
}

static double potential_rate(const BodyView* b) {
    return integrate(b, power_density) - dissipation(b) - weight(b, b->u);
}

// --- what is told ---

static SplineStation station_at(const BodyView* b, double X) {
    const SplineMesh mesh = spline_mesh(b->par);
    const BeamSection properties = beam_section_common(b->par);
    double at[POINT_MAX_SIZE];
    double x = 0.0;
    const int k = beam_locate(mesh.n, mesh.h, 1, X, &x);
    spline_mesh_point(&mesh, b->constants, k, x, at);
    return spline_station(b, &mesh, &properties, at, k);
}

// The shear force balances the change of the moment, Q |r'| = -M': taken over the length of an
// element, since with degree 2 M is constant in each.
static void section(const BodyView* b, Vec3 X, double* y) {
    const double length = b->par[BEAM_LENGTH];
    const double half = 0.5 * spline_mesh(b->par).h;
    const double from = fmax(X.x - half, 0.0);
    const double to = fmin(X.x + half, length);
    const SplineStation x = station_at(b, X.x);
    memset(y, 0, N_SECTION_OUTPUTS * sizeof(double));
    y[SECTION_NORMAL_FORCE] = x.N;
    y[SECTION_SHEAR_FORCE] =
        -(station_at(b, to).M - station_at(b, from).M) / ((to - from) * x.stretch);
    y[SECTION_BENDING_MOMENT] = x.M;
    y[SECTION_STRETCH] = x.eps_change;
    y[SECTION_CURVATURE] = x.kappa;
    beam_stresses(b->par, y);
}

// By how much r' has turned from r_0' at the last end: within half a turn at the first, and from
// there on by what it turns from one point of integration to the next
static double turn_of_last_end(const BodyView* b, double first, double last) {
    static const double TURN = 6.28318530717958647692;
    const SplineMesh mesh = spline_mesh(b->par);
    double turn = first;
    for (int i = 0; i < mesh.n * mesh.n_points; i++) {
        const int k = i / mesh.n_points;
        const double* at = spline_point(&mesh, b->constants, k, i % mesh.n_points);
        const Vec2 r_0_s = {at[POINT_R_S], at[POINT_R_S + 1]};
        const Vec2 r_s = add2(r_0_s, spline_sum(&mesh, at + POINT_FUNCTIONS, k, b->q));
        turn += remainder(atan2(cross2(r_0_s, r_s), dot2(r_0_s, r_s)) - turn, TURN);
    }
    return turn + remainder(last - turn, TURN);
}

static Frame end_frame(const BodyView* b, double X, double* angle_0) {
    const SplineAxis axis = axis_at(b, X);
    const int at = SPLINE_AXES * axis.first;
    double T[TWIST_SIZE * SPLINE_BLOCK];
    Frame frame;
    spline_frame_real(&axis, b->q + at, b->u + at, &frame, T);
    *angle_0 = axis.angle_0;
    return frame;
}

static void tell_end(const Frame* frame, double angle, double* y) {
    const double values[] = {frame->r.x, frame->r.y, angle, frame->v.x, frame->v.y, frame->Omega.z};
    memcpy(y, values, sizeof values);
}

static void output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                   const double* q, const double* u, const double* a, double* y) {
    const int n = SPLINE_AXES * spline_mesh(s->par).n_control;
    const BodyView b = {.par = s->par, .constants = s->constants, .q = q, .u = u, .nq = n, .nu = n};
    double first_0;
    double last_0;
    const Frame first = end_frame(&b, 0.0, &first_0);
    const Frame last = end_frame(&b, s->par[BEAM_LENGTH], &last_0);
    (void)frame_a, (void)frame_b, (void)a;
    tell_end(&first, first.angle, y + BEAM_FIRST_END);
    tell_end(&last, last_0 + turn_of_last_end(&b, first.angle - first_0, last.angle - last_0),
             y + BEAM_LAST_END);
    y[BEAM_STRAIN_ENERGY] = integrate(&b, energy_density);
}

// A cubic curve from end to end: what the outputs do not tell. Its points at Greville's abscissae
// are its control points to the order at which splines see a curve.
static void from_outputs(const BodyView* b, const double* y, double* q, Jet* jets) {
    const SplineMesh mesh = spline_mesh(b->par);
    const double* r_0 = b->constants + mesh.r_0;
    (void)jets;
    for (int i = 0; i < mesh.n_control; i++) {
        const double s = spline_abscissa(mesh.n, mesh.degree, mesh.h, i);
        const Vec2 r = beam_between_ends(b->par, y, s / b->par[BEAM_LENGTH]);
        q[SPLINE_AXES * i] = r.x - r_0[SPLINE_AXES * i];
        q[SPLINE_AXES * i + 1] = r.y - r_0[SPLINE_AXES * i + 1];
    }
}

const ElementKind spline_beam_kind = {
    .tag = "spline_beam",
    .help =
        "A thin elastic body of the plane that stretches and bends by any angle (Euler and "
        "Bernoulli: no shear), straight or curved when relaxed, its axis a B-spline; shapes can "
        "stand anywhere on it, x counting along its axis from the first end, y across. Angles are "
        "told within half a turn of those of the relaxed beam.",
    .role = ROLE_BODY,
    .parameters = parameters,
    .n_parameters = N_SPLINE_PARAMETERS,
    .signals = signals,
    .n_signals = 1,
    .outputs = beam_outputs,
    .n_outputs = N_BEAM_OUTPUTS,
    .body = &(const BodyFunctions){.size = size,
                                   .position_dependent = true,
                                   .velocity_dependent = true,
                                   .n_constants = spline_mesh_size,
                                   .prepare = spline_mesh_prepare,
                                   .initial = initial,
                                   .carry = carry,
                                   .point_velocities = point_velocities,
                                   .point = point,
                                   .point_dual = point_dual,
                                   .mass_multiply = mass_multiply,
                                   .mass_diagonal = mass_diagonal,
                                   .kinetic = kinetic,
                                   .forces = forces,
                                   .tangent = tangent,
                                   .potential = potential,
                                   .potential_rate = potential_rate,
                                   .section = section,
                                   .dissipation = dissipation,
                                   .missing = beam_missing_common,
                                   .places = beam_places,
                                   .n_places = N_BEAM_PLACES,
                                   .from_outputs = from_outputs,
                                   .line = beam_line,
                                   .pieces = beam_pieces},
    .output = output,
};
