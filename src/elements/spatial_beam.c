// A geometrically exact beam of space (Simo, Reissner): cross sections stay plane, and turn by any
// angle. At the arc length s of the relaxed beam its axis is at r(s), its cross section turned by
// R(s); x is along the axis, y and z across. The strains are
//   Gamma = R^T r'   (stretch Gamma_x, shear Gamma_y, Gamma_z),   K~ = R^T R'  (twist K_x, bending)
// and force n and moment m of a cross section, in its axes,
//   n = diag(EA, GA_y, GA_z) (dGamma + tau dGamma/dt),  m = diag(GJ, EI_y, EI_z) (dK + tau dK/dt),
// d...: the difference to the strains of the relaxed beam, tau: a time that measures damping
// (Kelvin, Voigt). The relaxed beam has constant K_0: straight, an arc or a helix.
//
// Elements have two or three nodes (order 1, 2), each with the coordinates of a rigid body
// (spatial_node.h). r is interpolated by polynomials of that order; rotations are measured from a
// reference node c of the element, the first or the middle one (Crisfield and Jelenic 1999):
//   Phi_i = log(R_c^T R_i),  Phi(s) = sum of N_i Phi_i,  R(s) = R_c exp(Phi(s)~)
// A rigid motion of all nodes changes no Phi_i and so no strain; strains depend on where the nodes
// are, not on how they came there; constant K is met exactly; nothing is singular unless a node is
// turned by half a turn against the reference. With y = R_c^T r', e = (y, Phi, Phi') has all that
// the strains are functions of:
//   Gamma = exp(-Phi~) y,   K = T(Phi) Phi'
// (rotation_vector.inc: T). Nodes have dPhi_i = T_i^-1 dtheta_i - T_i^-T dtheta_c. So forces are
// S^T g, de = S d being linear in the nodes' displacements d, and g what belongs to e; their
// derivatives S^T g_e S + dS^T g, with g_e from dual numbers.
//
// Strains are integrated at one or two points, one fewer than exact, as those of beam.c: no
// locking. The mass of the axis is integrated exactly; the inertia of cross sections by the nodes
// (trapezoidal rule, Simpson's): then the mass is constant and the gyroscopic torque is that of
// each node, -Omega x J Omega.
#include <math.h>
#include <string.h>

#include "elements/beam_common.h"
#include "elements/bodies.h"
#include "elements/sensors.h"
#include "elements/spatial_beam_parameters.h"

enum { END_SIZE = SPATIAL_NQ + SPATIAL_NU };
enum { FIRST_END, LAST_END = END_SIZE, STRAIN_ENERGY = 2 * END_SIZE, N_OUTPUTS };

#define SHOWN(name_, help_, unit_, of_)                                        \
    {                                                                          \
        .name = (name_), .help = (help_), .unit = (unit_), .by_default = true, \
        .derivative_of = (of_)                                                 \
    }
#define END_OUTPUTS(end_, at_)                                                                     \
    SHOWN(end_ "_x", "position x of the " end_ " end", UNIT_METRE, -1),                            \
        SHOWN(end_ "_y", "position y of the " end_ " end", UNIT_METRE, -1),                        \
        SHOWN(end_ "_z", "position z of the " end_ " end", UNIT_METRE, -1),                        \
        SHOWN(end_ "_quaternion_0", "real part of the " end_ " cross section's unit quaternion",   \
              UNIT_ONE, -1),                                                                       \
        SHOWN(end_ "_quaternion_1", "its first imaginary part", UNIT_ONE, -1),                     \
        SHOWN(end_ "_quaternion_2", "its second imaginary part", UNIT_ONE, -1),                    \
        SHOWN(end_ "_quaternion_3", "its third imaginary part", UNIT_ONE, -1),                     \
        SHOWN(end_ "_velocity_x", "velocity x of the " end_ " end", UNIT_METRE_PER_SECOND, (at_)), \
        SHOWN(end_ "_velocity_y", "velocity y of the " end_ " end", UNIT_METRE_PER_SECOND,         \
              (at_) + 1),                                                                          \
        SHOWN(end_ "_velocity_z", "velocity z of the " end_ " end", UNIT_METRE_PER_SECOND,         \
              (at_) + 2),                                                                          \
        SHOWN(end_ "_angular_velocity_x",                                                          \
              "angular velocity of the " end_ " cross section about its x axis",                   \
              UNIT_RADIAN_PER_SECOND, -1),                                                         \
        SHOWN(end_ "_angular_velocity_y", "angular velocity about its y axis",                     \
              UNIT_RADIAN_PER_SECOND, -1),                                                         \
        SHOWN(end_ "_angular_velocity_z", "angular velocity about its z axis",                     \
              UNIT_RADIAN_PER_SECOND, -1)
static const OutputInfo outputs[N_OUTPUTS] = {
    END_OUTPUTS("first", FIRST_END),
    END_OUTPUTS("last", LAST_END),
    SHOWN("strain_energy", "energy stored in the deformation", UNIT_JOULE, -1),
};

static int node_count(const SpatialBeamMesh* mesh) { return mesh->n * mesh->order + 1; }

// --- the body ---

static void size(const double* par, int* nq, int* nu) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(par);
    *nq = SPATIAL_NQ * node_count(&mesh);
    *nu = SPATIAL_NU * node_count(&mesh);
}

// The relaxed beam at s: its place and orientation, from the first end
static Vec3 relaxed_frame(const SpatialBeamMesh* mesh, double s, double* p) {
    quaternion_of(scale3(s, mesh->K_0), p);
    return spatial_beam_relaxed_place(mesh, s);
}

static void initial(const BodyView* b, double* q, double* u) {
    const double* par = b->par;
    const SpatialBeamMesh mesh = spatial_beam_mesh(par);
    double p_0[4];
    quaternion_of(vector_from(par + SPATIAL_BEAM_ROTATION_X), p_0);
    const Mat3 R_0 = quaternion_rotation(p_0);
    const Vec3 omega = turn3(R_0, vector_from(par + SPATIAL_BEAM_OMEGA_X));
    for (int i = 0; i < node_count(&mesh); i++, q += SPATIAL_NQ, u += SPATIAL_NU) {
        double p[4];
        const Vec3 way = turn3(R_0, relaxed_frame(&mesh, i * mesh.h / mesh.order, p));
        quaternion_product(p_0, p, q + 3);
        vector_to(add3(vector_from(par + SPATIAL_BEAM_INITIAL_X), way), q);
        vector_to(add3(vector_from(par + SPATIAL_BEAM_VELOCITY_X), cross3(omega, way)), u);
        vector_to(turn_back3(quaternion_rotation(q + 3), omega), u + 3);
    }
}

static void carry(const BodyView* b, const Pose* pose, double* q, double* u) {
    for (int i = 0; i < b->nq / SPATIAL_NQ; i++) {
        spatial_node_carry(pose, q + SPATIAL_NQ * i, u + SPATIAL_NU * i);
    }
}

// --- points ---

// A node, or the nodes of the element in which X lies
static int point_velocities(const double* par, int nu, Vec3 X, int* at) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(par);
    double x = 0.0;
    const int k = beam_locate(mesh.n, mesh.h, mesh.order, X.x, &x);
    const double node = x * mesh.order;
    (void)nu;
    if (k < 0) {
        return -1;
    }
    const bool single = node == nearbyint(node);
    const int first = mesh.order * k + (single ? (int)node : 0);
    const int n = SPATIAL_NU * (single ? 1 : mesh.order + 1);
    for (int i = 0; i < n; i++) {
        at[i] = SPATIAL_NU * first + i;
    }
    return n;
}

static Frame node_frame(const BodyView* b, int node) {
    const double* q = b->q + (ptrdiff_t)SPATIAL_NQ * node;
    const double* u = b->u + (ptrdiff_t)SPATIAL_NU * node;
    return (Frame){.r = vector_from(q),
                   .R = quaternion_rotation(q + 3),
                   .v = vector_from(u),
                   .Omega = vector_from(u + 3)};
}

// A point between nodes: its element and the shape functions there
static SpatialBeamElement element_at(const BodyView* b, Vec3 X, double* N) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    double x = 0.0;
    double N_s[BEAM_MOST_NODES];
    const int k = beam_locate(mesh.n, mesh.h, mesh.order, X.x, &x);
    beam_shape_functions(mesh.order, x, mesh.h, N, N_s);
    return spatial_beam_element(b, &mesh, k);
}

static void point(const BodyView* b, Vec3 X, int n, const int* at, Frame* frame, double* T) {
    memset(T, 0, (size_t)(TWIST_SIZE * n) * sizeof(double));
    if (n == SPATIAL_NU) {
        *frame = node_frame(b, at[0] / SPATIAL_NU);
        for (int i = 0; i < n; i++) {
            T[i * n + i] = 1.0;
        }
        return;
    }
    double N[BEAM_MOST_NODES];
    Mat3 A[BEAM_MOST_NODES];
    const SpatialBeamElement element = element_at(b, X, N);
    *frame = (Frame){.angle = 0.0};
    spatial_beam_point(&element, N, frame, A);
    for (int i = 0; i < element.n_nodes; i++) {
        const Frame node = node_frame(b, at[SPATIAL_NU * i] / SPATIAL_NU);
        frame->r = add3(frame->r, scale3(N[i], node.r));
        frame->v = add3(frame->v, scale3(N[i], node.v));
        for (int j = 0; j < 3; j++) {
            double* column = T + SPATIAL_NU * i + j;
            column[j * n] = N[i];
            column[3 * n + 3] = A[i].e[j].x;
            column[4 * n + 3] = A[i].e[j].y;
            column[5 * n + 3] = A[i].e[j].z;
        }
    }
}

static void point_dual(const BodyView* b, Vec3 X, int n, const int* at, int k, bool velocity,
                       DualFrame* frame, Dual* T) {
    for (int i = 0; i < TWIST_SIZE * n; i++) {
        T[i] = 0.0;
    }
    if (n == SPATIAL_NU) {
        const Frame node = node_frame(b, at[0] / SPATIAL_NU);
        *frame = frame_vary(&node, velocity ? -1 : k, velocity ? k : -1);
        for (int i = 0; i < n; i++) {
            T[i * n + i] = 1.0;
        }
        return;
    }
    const Frame zero = {.angle = 0.0};
    double N[BEAM_MOST_NODES];
    DualMat3 A[BEAM_MOST_NODES];
    const SpatialBeamElement element = element_at(b, X, N);
    *frame = frame_vary(&zero, -1, -1);
    spatial_beam_point_dual(&element, N, k, velocity, frame, A);
    for (int i = 0; i < element.n_nodes; i++) {
        const Frame node = node_frame(b, at[SPATIAL_NU * i] / SPATIAL_NU);
        const int moved = k / SPATIAL_NU == i && k % SPATIAL_NU < 3 ? k % SPATIAL_NU : -1;
        const DualFrame varied = frame_vary(&node, velocity ? -1 : moved, velocity ? moved : -1);
        frame->r = add3(frame->r, scale3(N[i], varied.r));
        frame->v = add3(frame->v, scale3(N[i], varied.v));
        for (int j = 0; j < 3; j++) {
            Dual* column = T + SPATIAL_NU * i + j;
            column[j * n] = N[i];
            column[3 * n + 3] = A[i].e[j].x;
            column[4 * n + 3] = A[i].e[j].y;
            column[5 * n + 3] = A[i].e[j].z;
        }
    }
}

// --- mass ---

// The share of an element that node i of it has: of its weight, and of its rotary inertia
static double node_share(const SpatialBeamMesh* mesh, int i) {
    return mesh->order == 1 ? 0.5 : (i == 1 ? 4.0 : 1.0) / 6.0;
}

static double rotary_inertia(const SpatialBeamSection* section, int axis) {
    return axis == 0 ? section->J.x : axis == 1 ? section->J.y : section->J.z;
}

// Entry of the mass that component c of nodes i and j of an element has
static double mass_entry(const SpatialBeamMesh* mesh, const SpatialBeamSection* section, int i,
                         int j, int c) {
    if (c < 3) {
        return mesh->h * section->m * beam_mass_pattern(mesh->order)[i * (mesh->order + 1) + j];
    }
    return i == j ? mesh->h * node_share(mesh, i) * rotary_inertia(section, c - 3) : 0.0;
}

static void mass_multiply(const BodyView* b, const double* x, double* y) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection section = spatial_beam_section(b->par);
    memset(y, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        const int first = SPATIAL_NU * mesh.order * k;
        for (int i = 0; i <= mesh.order; i++) {
            for (int j = 0; j <= mesh.order; j++) {
                for (int c = 0; c < (i == j ? SPATIAL_NU : 3); c++) {
                    y[first + SPATIAL_NU * i + c] +=
                        mass_entry(&mesh, &section, i, j, c) * x[first + SPATIAL_NU * j + c];
                }
            }
        }
    }
}

static void mass_diagonal(const BodyView* b, double* diagonal) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection section = spatial_beam_section(b->par);
    memset(diagonal, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        for (int i = 0; i < SPATIAL_NU * (mesh.order + 1); i++) {
            const int node = i / SPATIAL_NU;
            diagonal[SPATIAL_NU * mesh.order * k + i] +=
                mass_entry(&mesh, &section, node, node, i % SPATIAL_NU);
        }
    }
}

static double kinetic(const BodyView* b) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection section = spatial_beam_section(b->par);
    double twice = 0.0;
    for (int k = 0; k < mesh.n; k++) {
        const double* u = b->u + (ptrdiff_t)SPATIAL_NU * mesh.order * k;
        for (int i = 0; i <= mesh.order; i++) {
            for (int j = 0; j <= mesh.order; j++) {
                for (int c = 0; c < (i == j ? SPATIAL_NU : 3); c++) {
                    twice += mass_entry(&mesh, &section, i, j, c) * u[SPATIAL_NU * i + c] *
                             u[SPATIAL_NU * j + c];
                }
            }
        }
    }
    return 0.5 * twice;
}

// --- forces ---

static Vec3 rotary_momentum(const SpatialBeamSection* section, Vec3 Omega) {
    return (Vec3){section->J.x * Omega.x, section->J.y * Omega.y, section->J.z * Omega.z};
}

// Weight and gyroscopic torque of a node of an element
static void add_node_forces(const BodyView* b, const SpatialBeamSection* section, double length,
                            const double* u, double* h) {
    const Vec3 Omega = vector_from(u + 3);
    const Vec3 torque = scale3(length, cross3(rotary_momentum(section, Omega), Omega));
    for (int j = 0; j < 3; j++) {
        h[j] += section->m * length * b->gravity[j];
    }
    vector_to(add3(vector_from(h + 3), torque), h + 3);
}

static void forces(const BodyView* b, double* h) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection section = spatial_beam_section(b->par);
    SpatialBeamPoint points[BEAM_MOST_POINTS];
    const int n_points = spatial_beam_points(&mesh, points);
    memset(h, 0, (size_t)b->nu * sizeof(double));
    for (int k = 0; k < mesh.n; k++) {
        const ptrdiff_t first = (ptrdiff_t)SPATIAL_NU * mesh.order * k;
        const SpatialBeamElement element = spatial_beam_element(b, &mesh, k);
        spatial_beam_add_forces(&element, &section, points, n_points, h + first);
        for (int i = 0; i <= mesh.order; i++) {
            const ptrdiff_t at = first + SPATIAL_NU * i;
            add_node_forces(b, &section, mesh.h * node_share(&mesh, i), b->u + at, h + at);
        }
    }
}

// factor times the derivative J Omega x e_j + J e_j x Omega of a node's gyroscopic torque, into the
// block (n x n) of an element
static void add_gyroscopic(const SpatialBeamSection* section, double factor, Vec3 Omega, int at,
                           int n, double* block) {
    const Vec3 L = rotary_momentum(section, Omega);
    for (int j = 0; j < 3; j++) {
        const Vec3 e = MAT3_IDENTITY.e[j];
        const Vec3 column = add3(cross3(L, e), cross3(rotary_momentum(section, e), Omega));
        double* to = block + (ptrdiff_t)at * n + at + j;
        to[0] += factor * column.x;
        to[n] += factor * column.y;
        to[2 * (ptrdiff_t)n] += factor * column.z;
    }
}

// The mass and gyroscopic terms of an element
static void add_inertia(const SpatialBeamMesh* mesh, const SpatialBeamSection* section,
                        BodyTerms terms, const SpatialBeamElement* element, int n, double* block) {
    for (int i = 0; i <= mesh->order && terms.mass != 0.0; i++) {
        for (int j = 0; j <= mesh->order; j++) {
            for (int c = 0; c < (i == j ? SPATIAL_NU : 3); c++) {
                block[(SPATIAL_NU * i + c) * n + SPATIAL_NU * j + c] +=
                    terms.mass * mass_entry(mesh, section, i, j, c);
            }
        }
    }
    for (int i = 0; i <= mesh->order && terms.d != 0.0; i++) {
        add_gyroscopic(section, terms.d * mesh->h * node_share(mesh, i), element->Omega[i],
                       SPATIAL_NU * i + 3, n, block);
    }
}

static void tangent(const BodyView* b, BodyTerms terms, const BlockSink* sink) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection section = spatial_beam_section(b->par);
    const int n = SPATIAL_NU * (mesh.order + 1);
    SpatialBeamPoint points[BEAM_MOST_POINTS];
    const int n_points = spatial_beam_points(&mesh, points);
    for (int k = 0; k < mesh.n; k++) {
        double block[SPATIAL_ELEMENT_SIZE * SPATIAL_ELEMENT_SIZE] = {0.0};
        int at[SPATIAL_ELEMENT_SIZE];
        for (int i = 0; i < n; i++) {
            at[i] = SPATIAL_NU * mesh.order * k + i;
        }
        if (terms.mass != 0.0 || terms.k != 0.0 || terms.d != 0.0) {
            const SpatialBeamElement element = spatial_beam_element(b, &mesh, k);
            add_inertia(&mesh, &section, terms, &element, n, block);
            spatial_beam_add_tangent(&element, &section, points, n_points, terms.k, terms.d, n,
                                     block);
        }
        sink->add(sink, n, at, block);
    }
}

// --- energies ---

// C a . b of a force's strains and of a moment's
static double product(const SpatialBeamSection* section, const Vec3* a, const Vec3* b) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const Vec3 C = section->C[i];
        sum += C.x * a[i].x * b[i].x + C.y * a[i].y * b[i].y + C.z * a[i].z * b[i].z;
    }
    return sum;
}

// What all points of integration sum up to
typedef struct Sums {
    double energy;       // of the strains
    double power;        // of the stresses, into strains and damping
    double dissipation;  // of damping
} Sums;

static Sums sum_up(const BodyView* b) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection section = spatial_beam_section(b->par);
    SpatialBeamPoint points[BEAM_MOST_POINTS];
    const int n_points = spatial_beam_points(&mesh, points);
    Sums sums = {0.0, 0.0, 0.0};
    for (int k = 0; k < mesh.n; k++) {
        const SpatialBeamElement element = spatial_beam_element(b, &mesh, k);
        for (int p = 0; p < n_points; p++) {
            const SpatialBeamStation x = spatial_beam_station(&element, &section, &points[p]);
            const double w = points[p].shape.w;
            sums.energy += 0.5 * w * product(&section, x.change, x.change);
            sums.dissipation += w * section.tau * product(&section, x.rate, x.rate);
            sums.power += w * (dot3(x.stress[0], x.rate[0]) + dot3(x.stress[1], x.rate[1]));
        }
    }
    return sums;
}

static double dissipation(const BodyView* b) {
    return b->par[SPATIAL_BEAM_DAMPING] > 0.0 ? sum_up(b).dissipation : 0.0;
}

// The work of the weight for positions, or its power for velocities, x of the nodes, which have
// `stride` values each
static double weight(const BodyView* b, const double* x, int stride) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const double mass = spatial_beam_section(b->par).m * mesh.h;
    double work = 0.0;
    for (int k = 0; k < mesh.n; k++) {
        for (int i = 0; i <= mesh.order; i++) {
            const double* node = x + (ptrdiff_t)stride * (mesh.order * k + i);
            const Vec3 g = vector_from(b->gravity);
            work += mass * node_share(&mesh, i) * dot3(g, vector_from(node));
        }
    }
    return work;
}

static double potential(const BodyView* b) {
    return sum_up(b).energy - weight(b, b->q, SPATIAL_NQ);
}

static double potential_rate(const BodyView* b) {
    const Sums sums = sum_up(b);
    return sums.power - sums.dissipation - weight(b, b->u, SPATIAL_NU);
}

// --- what a cross section carries ---

static void set_stresses(const double* par, double* y) {
    const SpatialBeamShape shape = spatial_beam_shape(par);
    if (!(shape.A > 0.0)) {
        return;
    }
    const double mean = y[SPATIAL_SECTION_FORCE] / shape.A;
    const double of_y = y[SPATIAL_SECTION_MOMENT + 1] * shape.z / shape.I_y;
    const double of_z = y[SPATIAL_SECTION_MOMENT + 2] * shape.y / shape.I_z;
    const double most = shape.round ? sqrt(of_y * of_y + of_z * of_z) : fabs(of_y) + fabs(of_z);
    y[SPATIAL_SECTION_STRESS_LEFT] = mean - of_z;
    y[SPATIAL_SECTION_STRESS_RIGHT] = mean + of_z;
    y[SPATIAL_SECTION_STRESS_TOP] = mean + of_y;
    y[SPATIAL_SECTION_STRESS_BOTTOM] = mean - of_y;
    y[SPATIAL_SECTION_STRESS_HIGHEST] = mean + most;
    y[SPATIAL_SECTION_STRESS_LOWEST] = mean - most;
    y[SPATIAL_SECTION_STRESS_TORSION] =
        fabs(y[SPATIAL_SECTION_MOMENT]) / spatial_beam_torsion_modulus(&shape);
}

static void add_share(double share, Vec3 a, double* y) {
    y[0] += share * a.x;
    y[1] += share * a.y;
    y[2] += share * a.z;
}

// Strains and forces at X: in the element in which it lies (of two, the first) those of the points
// of integration, where they are right, and linear between and beyond these.
static void section(const BodyView* b, Vec3 X, double* y) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(b->par);
    const SpatialBeamSection properties = spatial_beam_section(b->par);
    double x = 0.0;
    SpatialBeamPoint points[BEAM_MOST_POINTS];
    const int n_points = spatial_beam_points(&mesh, points);
    const int k = beam_locate(mesh.n, mesh.h, mesh.order, X.x, &x);
    const SpatialBeamElement element = spatial_beam_element(b, &mesh, k);
    memset(y, 0, N_SPATIAL_SECTION_OUTPUTS * sizeof(double));
    for (int i = 0; i < n_points; i++) {
        const SpatialBeamStation s = spatial_beam_station(&element, &properties, &points[i]);
        const double share = beam_linear_share(n_points, i, x);
        add_share(share, s.stress[0], y + SPATIAL_SECTION_FORCE);
        add_share(share, s.stress[1], y + SPATIAL_SECTION_MOMENT);
        add_share(share, s.change[0], y + SPATIAL_SECTION_STRETCH);
        add_share(share, s.strain[1], y + SPATIAL_SECTION_TWIST);
    }
    set_stresses(b->par, y);
}

// --- outputs ---

static void output(const Surroundings* s, const Frame* frame_a, const Frame* frame_b,
                   const double* q, const double* u, const double* a, double* y) {
    const SpatialBeamMesh mesh = spatial_beam_mesh(s->par);
    const int last = node_count(&mesh) - 1;
    const BodyView view = {.par = s->par,
                           .q = q,
                           .u = u,
                           .nq = SPATIAL_NQ * (last + 1),
                           .nu = SPATIAL_NU * (last + 1)};
    (void)frame_a;
    (void)frame_b;
    (void)a;
    memcpy(y + FIRST_END, q, SPATIAL_NQ * sizeof(double));
    memcpy(y + FIRST_END + SPATIAL_NQ, u, SPATIAL_NU * sizeof(double));
    memcpy(y + LAST_END, q + (ptrdiff_t)SPATIAL_NQ * last, SPATIAL_NQ * sizeof(double));
    memcpy(y + LAST_END + SPATIAL_NQ, u + (ptrdiff_t)SPATIAL_NU * last,
           SPATIAL_NU * sizeof(double));
    y[STRAIN_ENERGY] = sum_up(&view).energy;
}

static const int places[2 * SPATIAL_NQ] = {0, 1, 2, 3, 4, 5, 6, 13, 14, 15, 16, 17, 18, 19};

// What the outputs do not tell: the relaxed beam from the first end on, and what the last end has
// beside that growing from nothing, of rotation vectors linearly, of places by a cubic that fits
// the direction of the last end
static void from_outputs(const BodyView* b, const double* y, double* q, Jet* signals) {
    const double* par = b->par;
    const SpatialBeamMesh mesh = spatial_beam_mesh(par);
    const double *first = y, *last = y + SPATIAL_NQ;
    const double length = par[SPATIAL_BEAM_LENGTH];
    const Mat3 R = quaternion_rotation(first + 3);
    const int n = b->nq / SPATIAL_NQ;
    double relaxed[4], expected[4];
    (void)signals;
    const Vec3 end = add3(vector_from(first), turn3(R, relaxed_frame(&mesh, length, relaxed)));
    quaternion_product(first + 3, relaxed, expected);
    const Vec3 turn = quaternion_difference(expected, last + 3);
    const Vec3 aside = sub3(vector_from(last), end);
    const Vec3 slope = sub3(quaternion_rotation(last + 3).e[0], quaternion_rotation(expected).e[0]);
    for (int i = 0; i < n; i++, q += SPATIAL_NQ) {
        const double x = (double)i / (n - 1);
        double own[4], more[4];
        const Vec3 way = turn3(R, relaxed_frame(&mesh, x * length, relaxed));
        const Vec3 bend =
            add3(scale3(x * x * (3.0 - 2.0 * x), aside), scale3(length * x * x * (x - 1.0), slope));
        vector_to(add3(add3(vector_from(first), way), bend), q);
        quaternion_product(first + 3, relaxed, own);
        quaternion_of(scale3(x, turn), more);
        quaternion_product(own, more, q + 3);
    }
}

// A beam without a cross section is as thick as a round one of its stiffnesses.
static void line(const double* par, double s, Vec3* X, double* radius) {
    const SpatialBeamShape shape = spatial_beam_shape(par);
    const SpatialBeamSection section = spatial_beam_section(par);
    *X = (Vec3){s * par[SPATIAL_BEAM_LENGTH], 0.0, 0.0};
    *radius = shape.A > 0.0 ? fmin(shape.y, shape.z)
                            : 2.0 * sqrt(fmin(section.C[1].y, section.C[1].z) / section.C[0].x);
}

static int pieces(const double* par) { return (int)par[SPATIAL_BEAM_N_ELEMENTS]; }

const ElementKind spatial_beam_kind = {
    .tag = "spatial_beam",
    .help =
        "A slender elastic body of space that stretches, shears, twists and bends by any angle "
        "(geometrically exact, Simo and Reissner); shapes can stand anywhere on it, x counting "
        "along its axis from the first end, y and z across.",
    .role = ROLE_BODY,
    .parameters = spatial_beam_parameters,
    .n_parameters = N_SPATIAL_BEAM_PARAMETERS,
    .outputs = outputs,
    .n_outputs = N_OUTPUTS,
    .body = &(const BodyFunctions){.size = size,
                                   .spatial = true,
                                   .position_dependent = true,
                                   .velocity_dependent = true,
                                   .initial = initial,
                                   .carry = carry,
                                   .node = &spatial_node,
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
                                   .missing = spatial_beam_missing,
                                   .places = places,
                                   .n_places = 2 * SPATIAL_NQ,
                                   .from_outputs = from_outputs,
                                   .line = line,
                                   .pieces = pieces},
    .output = output,
};
