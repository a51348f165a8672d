// A geometrically exact beam of the plane after Timoshenko (Reissner; CH 5.4): cross sections stay
// plane, and turn by any angle. At the arc length s of the relaxed beam its axis is at r(s), its
// cross section turned by theta(s); with R = R(theta) the strains are
//   Gamma = R^T r'   (stretch Gamma_1 of the axis, shear Gamma_2),   kappa = theta'
// and the forces N, Q and the moment M of a cross section
//   N = EA (dGamma_1 + tau dGamma_1/dt),  Q = GA_s (dGamma_2 + ...),  M = EI (dkappa + ...),
// d...: the difference to the strains of the relaxed beam, tau: a time that measures damping
// (Kelvin, Voigt). The energy is the integral of (EA dGamma_1^2 + GA_s dGamma_2^2 + EI dkappa^2)/2.
//
// Elements have two or three nodes (order 1, 2) with x, y, theta each, all three interpolated by
// polynomials of that order in s. Strains are integrated at one or two points, one fewer than
// exact: then elements of order 1 bend without stretch or shear of their own making (no locking),
// and both kinds carry a constant strain to rounding. The mass is integrated exactly, and constant.
//
// q is (d_x, d_y, vartheta) of each node, r = r_0 + d, theta = theta_0 + vartheta, ..._0 being the
// relaxed beam that begins at the origin in the direction in which the beam starts: near there,
// strains are computed from small numbers and not left to the rounding of positions.
#include <math.h>
#include <string.h>

#include "elements/beam_common.h"
#include "elements/bodies.h"
#include "elements/sensors.h"
#include "elements/use.h"

enum { ELEMENT_SIZE = BEAM_NODE * BEAM_MOST_NODES };

static int node_count(const BeamMesh* mesh) { return mesh->n * mesh->order + 1; }

// --- the body ---

static void size(const double* par, int* nq, int* nu) {
    const BeamMesh mesh = beam_mesh(par);
    *nq = *nu = BEAM_NODE * node_count(&mesh);
}

// Nodes are displaced from the relaxed beam, which stays where the part has it.
static void carry(const BodyView* b, const Pose* pose, double* q, double* u) {
    const BeamMesh mesh = beam_mesh(b->par);
    for (int i = 0; i < node_count(&mesh); i++) {
        const Vec2 r = beam_relaxed_place(&mesh, i * mesh.h / mesh.order);
        const double r_0[] = {r.x, r.y};
        pose_carry_point(pose, r_0, q + BEAM_NODE * i, u + BEAM_NODE * i);
        q[BEAM_NODE * i + 2] += pose->angle;
    }
}

static void initial(const BodyView* b, double* q, double* u) {
    const double* par = b->par;
    const BeamMesh mesh = beam_mesh(par);
    for (int i = 0; i < node_count(&mesh); i++) {
        const double s = i * mesh.h / mesh.order;
        const Vec2 r = beam_relaxed_place(&mesh, s);
        q[BEAM_NODE * i] = par[BEAM_INITIAL_X];
        q[BEAM_NODE * i + 1] = par[BEAM_INITIAL_Y];
        q[BEAM_NODE * i + 2] = 0.0;
        u[BEAM_NODE * i] = par[BEAM_INITIAL_VX] - par[BEAM_INITIAL_OMEGA] * r.y;
        u[BEAM_NODE * i + 1] = par[BEAM_INITIAL_VY] + par[BEAM_INITIAL_OMEGA] * r.x;
        u[BEAM_NODE * i + 2] = par[BEAM_INITIAL_OMEGA];
    }
}

// A node, or the nodes of the element in which X lies
static int point_velocities(const double* par, int nu, Vec3 X, int* at) {
    const BeamMesh mesh = beam_mesh(par);
    double x = 0.0;
    const int k = beam_locate(mesh.n, mesh.h, mesh.order, X.x, &x);
    const double node = x * mesh.order;
    (void)nu;
    if (k < 0) {
        return -1;
    }
    const bool single = node == nearbyint(node);
    const int first = mesh.order * k + (single ? (int)node : 0);
    const int n = BEAM_NODE * (single ? 1 : mesh.order + 1);
    for (int i = 0; i < n; i++) {
        at[i] = BEAM_NODE * first + i;
    }
    return n;
}

static void point(const BodyView* b, Vec3 X, int n, const int* at, Frame* frame, double* T) {
    const BeamMesh mesh = beam_mesh(b->par);
    double N[BEAM_MOST_NODES] = {1.0};
    double N_s[BEAM_MOST_NODES];
    const int n_nodes = n / BEAM_NODE;
    double place[BEAM_NODE] = {0.0};
    double rate[BEAM_NODE] = {0.0};
    if (n_nodes > 1) {
        double x = 0.0;
        (void)beam_locate(mesh.n, mesh.h, mesh.order, X.x, &x);  // the one that has these nodes
        beam_shape_functions(mesh.order, x, mesh.h, N, N_s);
    }
    memset(T, 0, (size_t)(TWIST_SIZE * n) * sizeof(double));
    for (int i = 0; i < n_nodes; i++) {
        const int node = at[BEAM_NODE * i] / BEAM_NODE;
        const double s = node * mesh.h / mesh.order;
        const Vec2 r = beam_relaxed_place(&mesh, s);
        const double relaxed[BEAM_NODE] = {r.x, r.y, mesh.angle + mesh.kappa * s};
        for (int j = 0; j < BEAM_NODE; j++) {
            const int component = j < 2 ? j : 5;
            place[j] += N[i] * (relaxed[j] + b->q[BEAM_NODE * node + j]);
            rate[j] += N[i] * b->u[BEAM_NODE * node + j];
            T[component * n + BEAM_NODE * i + j] = N[i];
        }
    }
    *frame = (Frame){.r = {place[0], place[1], 0.0},
                     .R = rotation3_z(place[2]),
                     .v = {rate[0], rate[1], 0.0},
                     .Omega = {0.0, 0.0, rate[2]},
                     .angle = place[2]};
}

static double inertia(const BeamSection* section, int component) {
    return component < 2 ? section->m : section->J;
}

// y (n x 3) = sums of pattern times x (n x 3): what inertias are multiplied by; n is a number where
// it is called.
static inline void spread(int n, const double* pattern, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < BEAM_NODE; c++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) {
                sum += pattern[i * n + j] * x[BEAM_NODE * j + c];
            }
            y[BEAM_NODE * i + c] = sum;
        }
    }
}

static inline void spread_element(int order, const double* x, double* y) {
    if (order == 1) {
        spread(2, beam_mass_pattern(1), x, y);
    } else {
        spread(3, beam_mass_pattern(2), x, y);
    }
}

static void mass_multiply(const BodyView* b, const double* x, double* y) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    const double m = mesh.h * section.m;
    const double J = mesh.h * section.J;
    memset(y, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        const int first = BEAM_NODE * mesh.order * k;
        double sums[ELEMENT_SIZE];
        spread_element(mesh.order, x + first, sums);
        for (int i = 0; i <= mesh.order; i++) {
            y[first + BEAM_NODE * i] += m * sums[BEAM_NODE * i];
            y[first + BEAM_NODE * i + 1] += m * sums[BEAM_NODE * i + 1];
            y[first + BEAM_NODE * i + 2] += J * sums[BEAM_NODE * i + 2];
        }
    }
}

static void mass_diagonal(const BodyView* b, double* diagonal) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    const double* pattern = beam_mass_pattern(mesh.order);
    const int n = mesh.order + 1;
    memset(diagonal, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        for (int i = 0; i < BEAM_NODE * n; i++) {
            const double share = mesh.h * pattern[(i / BEAM_NODE) * (n + 1)];
            diagonal[BEAM_NODE * mesh.order * k + i] += share * inertia(&section, i % BEAM_NODE);
        }
    }
}

static double kinetic(const BodyView* b) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    double squares[BEAM_NODE] = {0.0};  // integrals of those of each velocity, by h
    for (int k = 0; k < mesh.n; k++) {
        const double* u = b->u + BEAM_NODE * mesh.order * k;
        double sums[ELEMENT_SIZE];
        spread_element(mesh.order, u, sums);
        for (int i = 0; i <= mesh.order; i++) {
            for (int c = 0; c < BEAM_NODE; c++) {
                squares[c] += u[BEAM_NODE * i + c] * sums[BEAM_NODE * i + c];
            }
        }
    }
    return 0.5 * mesh.h * (section.m * (squares[0] + squares[1]) + section.J * squares[2]);
}

// The share of an element's weight that node i of it carries
static double weight_share(const BeamMesh* mesh, int i) {
    return mesh->order == 1 ? 0.5 : (i == 1 ? 4.0 : 1.0) / 6.0;
}

static void forces(const BodyView* b, double* h) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    BeamPoint points[BEAM_MOST_POINTS];
    const int n_points = beam_points(&mesh, points);
    memset(h, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        double* h_k = h + BEAM_NODE * mesh.order * k;
        for (int i = 0; i <= mesh.order; i++) {
            const double mass = section.m * mesh.h * weight_share(&mesh, i);
            h_k[BEAM_NODE * i] += mass * b->gravity[0];
            h_k[BEAM_NODE * i + 1] += mass * b->gravity[1];
        }
        for (int p = 0; p < n_points; p++) {
            const BeamStation x = beam_station(b, &mesh, &section, &points[p], k, false);
            double g[BEAM_N_E];
            beam_conjugate_forces(&x, g);
            for (int i = 0; i <= mesh.order; i++) {
                const double w = points[p].w;
                const double N = points[p].N[i];
                const double N_s = points[p].N_s[i];
                h_k[BEAM_NODE * i] -= w * N_s * g[BEAM_X];
                h_k[BEAM_NODE * i + 1] -= w * N_s * g[BEAM_Y];
                h_k[BEAM_NODE * i + 2] -= w * (N * g[BEAM_THETA] + N_s * g[BEAM_KAPPA]);
            }
        }
    }
}

// The mass of an element, times gain
static void fill_mass(const BeamMesh* mesh, const BeamSection* section, double gain,
                      double* block) {
    const double* pattern = beam_mass_pattern(mesh->order);
    const int n_nodes = mesh->order + 1;
    const int n = BEAM_NODE * n_nodes;
    memset(block, 0, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n_nodes; j++) {
            block[i * n + BEAM_NODE * j + i % BEAM_NODE] = gain * mesh->h *
                                                           inertia(section, i % BEAM_NODE) *
                                                           pattern[(i / BEAM_NODE) * n_nodes + j];
        }
    }
}

// What is below the diagonal from what is above it
static void mirror(int n, double* block) {
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < i; j++) {
            block[i * n + j] = block[j * n + i];
        }
    }
}

// Without damping the forces have a potential: its second derivatives are symmetric, and made so to
// the last digit, for which the solver looks (saddle_band.c).
static void tangent(const BodyView* b, BodyTerms terms, const BlockSink* sink) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    const int n = BEAM_NODE * (mesh.order + 1);
    const bool symmetric = section.tau == 0.0;
    const bool is_mass = terms.k == 0.0 && terms.d == 0.0;
    BeamPoint points[BEAM_MOST_POINTS];
    const int n_points = beam_points(&mesh, points);
    double mass[ELEMENT_SIZE * ELEMENT_SIZE];
    fill_mass(&mesh, &section, terms.mass, mass);
    for (int k = 0; k < mesh.n; k++) {
        double block[ELEMENT_SIZE * ELEMENT_SIZE];
        int at[ELEMENT_SIZE];
        memcpy(block, mass, (size_t)(n * n) * sizeof(double));
        for (int p = 0; p < n_points && !is_mass; p++) {
            const BeamStation x = beam_station(b, &mesh, &section, &points[p], k, false);
            double g_e[BEAM_N_E][BEAM_N_E];
            beam_conjugate_tangent(&x, &section, terms.k, terms.d, g_e);
            beam_add_stiffness(&mesh, &points[p], g_e, symmetric, block);
        }
        if (symmetric && !is_mass) {
            mirror(n, block);
        }
        for (int i = 0; i < n; i++) {
            at[i] = BEAM_NODE * mesh.order * k + i;
        }
        sink->add(sink, n, at, block);
    }
}

// --- energies ---

static double strain_energy(const BodyView* b) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    BeamPoint points[BEAM_MOST_POINTS];
    const int n_points = beam_points(&mesh, points);
    double energy = 0.0;
    for (int i = 0; i < mesh.n * n_points; i++) {
        const BeamPoint* p = &points[i % n_points];
        const BeamStation x = beam_station(b, &mesh, &section, p, i / n_points, false);
        const double stretch = x.change.Gamma_1;
        const double shear = x.change.Gamma_2;
        const double bend = x.change.kappa;
        energy += 0.5 * p->w *
                  (section.EA * stretch * stretch + section.GA * shear * shear +
                   section.EI * bend * bend);
    }
    return energy;
}

// The power that damping takes
static double dissipation(const BodyView* b) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    BeamPoint points[BEAM_MOST_POINTS];
    const int n_points = beam_points(&mesh, points);
    double power = 0.0;
    for (int i = 0; i < mesh.n * n_points && section.tau > 0.0; i++) {
        const BeamPoint* p = &points[i % n_points];
        const BeamStrains rate = beam_station(b, &mesh, &section, p, i / n_points, true).rate;
        power += section.tau * p->w *
                 (section.EA * rate.Gamma_1 * rate.Gamma_1 +
                  section.GA * rate.Gamma_2 * rate.Gamma_2 + section.EI * rate.kappa * rate.kappa);
    }
    return power;
}

// The work of the weight for displacements, or its power for velocities, x of the nodes
static double weight(const BodyView* b, const double* x) {
    const BeamMesh mesh = beam_mesh(b->par);
    const double mass = beam_section(b->par).m * mesh.h;
    double work = 0.0;
    for (int k = 0; k < mesh.n; k++) {
        for (int i = 0; i <= mesh.order; i++) {
            const double* node = x + BEAM_NODE * (mesh.order * k + i);
            work +=
                mass * weight_share(&mesh, i) * (b->gravity[0] * node[0] + b->gravity[1] * node[1]);
        }
    }
    return work;
}

static double potential(const BodyView* b) {
    const BeamMesh mesh = beam_mesh(b->par);
    const double mass = beam_section(b->par).m * mesh.h;
    double relaxed = 0.0;  // the weight's work on the way to r_0
    for (int k = 0; k < mesh.n; k++) {
        for (int i = 0; i <= mesh.order; i++) {
            const Vec2 r = beam_relaxed_place(&mesh, (k + (double)i / mesh.order) * mesh.h);
            relaxed += mass * weight_share(&mesh, i) * (b->gravity[0] * r.x + b->gravity[1] * r.y);
        }
    }
    return strain_energy(b) - weight(b, b->q) - relaxed;
}

static double potential_rate(const BodyView* b) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection section = beam_section(b->par);
    BeamPoint points[BEAM_MOST_POINTS];
    const int n_points = beam_points(&mesh, points);
    double rate = -dissipation(b) - weight(b, b->u);
    for (int i = 0; i < mesh.n * n_points; i++) {
        const BeamPoint* p = &points[i % n_points];
        const BeamStation x = beam_station(b, &mesh, &section, p, i / n_points, true);
        rate += p->w * (x.N * x.rate.Gamma_1 + x.Q * x.rate.Gamma_2 + x.M * x.rate.kappa);
    }
    return rate;
}

// Strains and forces at X: in the element in which it lies (of two, the first) those of the
// points of integration, where they are right, and linear between and beyond these.
static void section(const BodyView* b, Vec3 X, double* y) {
    const BeamMesh mesh = beam_mesh(b->par);
    const BeamSection properties = beam_section(b->par);
    double x = 0.0;
    BeamPoint points[BEAM_MOST_POINTS];
    const int n_points = beam_points(&mesh, points);
    const int k = beam_locate(mesh.n, mesh.h, mesh.order, X.x, &x);
    memset(y, 0, N_SECTION_OUTPUTS * sizeof(double));
    for (int i = 0; i < n_points; i++) {
        const BeamStation s = beam_station(b, &mesh, &properties, &points[i], k, false);
        const double share = beam_linear_share(n_points, i, x);
        y[SECTION_NORMAL_FORCE] += share * s.N;
        y[SECTION_SHEAR_FORCE] += share * s.Q;
        y[SECTION_BENDING_MOMENT] += share * s.M;
        y[SECTION_STRETCH] += share * s.change.Gamma_1;
        y[SECTION_SHEAR] += share * s.change.Gamma_2;
        y[SECTION_CURVATURE] += share * s.strain.kappa;
    }
    beam_stresses(b->par, y);
}

static void output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                   const double* q, const double* u, const double* a, double* y) {
    const BeamMesh mesh = beam_mesh(s->par);
    const int last = BEAM_NODE * (node_count(&mesh) - 1);
    const Vec2 end = beam_relaxed_place(&mesh, s->par[BEAM_LENGTH]);
    const BodyView view = {
        .par = s->par, .q = q, .u = u, .nq = last + BEAM_NODE, .nu = last + BEAM_NODE};
    (void)frame_a;
    (void)frame_b;
    (void)a;
    memcpy(y + BEAM_FIRST_END, q, BEAM_NODE * sizeof(double));
    memcpy(y + BEAM_FIRST_END + BEAM_NODE, u, BEAM_NODE * sizeof(double));
    memcpy(y + BEAM_LAST_END, q + last, BEAM_NODE * sizeof(double));
    memcpy(y + BEAM_LAST_END + BEAM_NODE, u + last, BEAM_NODE * sizeof(double));
    y[BEAM_FIRST_END + 2] += mesh.angle;
    y[BEAM_LAST_END] += end.x;
    y[BEAM_LAST_END + 1] += end.y;
    y[BEAM_LAST_END + 2] += mesh.angle + mesh.kappa * s->par[BEAM_LENGTH];
    y[BEAM_STRAIN_ENERGY] = strain_energy(&view);
}

// A cubic curve from end to end: what the outputs do not tell
static void from_outputs(const BodyView* b, const double* y, double* q, Jet* signals) {
    const double* par = b->par;
    const BeamMesh mesh = beam_mesh(par);
    const double *first = y, *last = y + BEAM_NODE;
    const int n = b->nq / BEAM_NODE;
    (void)signals;
    for (int i = 0; i < n; i++) {
        const double x = (double)i / (n - 1);
        const Vec2 r_0 = beam_relaxed_place(&mesh, x * par[BEAM_LENGTH]);
        const Vec2 d = sub2(beam_between_ends(par, y, x), r_0);
        q[BEAM_NODE * i] = d.x;
        q[BEAM_NODE * i + 1] = d.y;
        q[BEAM_NODE * i + 2] =
            (1.0 - x) * first[2] + x * last[2] - mesh.angle - mesh.kappa * x * par[BEAM_LENGTH];
    }
}

const ElementKind beam_kind = {
    .tag = "beam",
    .help =
        "A slender elastic body of the plane that stretches, shears and bends by any angle "
        "(geometrically exact, Timoshenko); shapes can stand anywhere on it, x counting along its "
        "axis from the first end, y across.",
    .role = ROLE_BODY,
    .parameters = beam_parameters,
    .n_parameters = N_BEAM_PARAMETERS,
    .outputs = beam_outputs,
    .n_outputs = N_BEAM_OUTPUTS,
    .body = &(const BodyFunctions){.size = size,
                                   .position_dependent = true,
                                   .velocity_dependent = true,
                                   .initial = initial,
                                   .carry = carry,
                                   .point_velocities = point_velocities,
                                   .point = point,
                                   .mass_multiply = mass_multiply,
                                   .mass_diagonal = mass_diagonal,
                                   .kinetic = kinetic,
                                   .forces = forces,
                                   .tangent = tangent,
                                   .potential = potential,
                                   .potential_rate = potential_rate,
                                   .section = section,
                                   .dissipation = dissipation,
                                   .missing = beam_missing,
                                   .places = beam_places,
                                   .n_places = N_BEAM_PLACES,
                                   .from_outputs = from_outputs,
                                   .line = beam_line,
                                   .pieces = beam_pieces},
    .output = output,
};
