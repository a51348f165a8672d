#include "elements/spatial_beam_element.h"

#include <math.h>
#include <string.h>

#include "elements/rotation_vector.h"

#include "linalg/real.inc"
#include "elements/spatial_beam.inc"
#include "linalg/undefine.inc"
#include "linalg/dual.inc"
#include "elements/spatial_beam.inc"
#include "linalg/undefine.inc"

enum { N_E = 3 * SPATIAL_N_E, SIZE = SPATIAL_ELEMENT_SIZE };

// --- the relaxed beam ---

// r_0(s) = the integral of exp(s K_0~) e_x = s (b + c) terms of Phi = s K_0; for long helices, in
// which the series of b and c lose digits, from sine and cosine
Vec3 spatial_beam_relaxed_place(const SpatialBeamMesh* mesh, double s) {
    static const double LARGE = 4.0;  // x
    const Vec3 Phi = scale3(s, mesh->K_0);
    const double x = dot3(Phi, Phi);
    double k[N_TURN_FACTORS];
    if (x < LARGE) {
        turn_factors_real(x, k);
    } else {
        const double angle = sqrt(x);
        k[TURN_B] = (1.0 - cos(angle)) / x;
        k[TURN_C] = (angle - sin(angle)) / (x * angle);
    }
    return scale3(s, tangent_transposed_real(k, Phi, MAT3_IDENTITY.e[0]));
}

// The strains that an element of the relaxed beam has by its interpolation
static void relaxed_strains(const SpatialBeamMesh* mesh, SpatialBeamPoint* p) {
    Vec3 e[SPATIAL_N_E] = {{0.0, 0.0, 0.0}};
    double k[N_TURN_FACTORS];
    p->relaxed[0] = MAT3_IDENTITY.e[0];
    p->relaxed[1] = mesh->K_0;
    if (dot3(mesh->K_0, mesh->K_0) == 0.0) {
        return;
    }
    for (int i = 0; i <= mesh->order; i++) {
        const double s = mesh->h * (i - mesh->reference) / mesh->order;
        const Vec3 r = spatial_beam_relaxed_place(mesh, s);
        e[SPATIAL_Y] = add3(e[SPATIAL_Y], scale3(p->shape.N_s[i], r));
        e[SPATIAL_PHI] = add3(e[SPATIAL_PHI], scale3(p->shape.N[i] * s, mesh->K_0));
    }
    turn_factors_real(dot3(e[SPATIAL_PHI], e[SPATIAL_PHI]), k);
    p->relaxed[0] = turn_back_by_real(k, e[SPATIAL_PHI], e[SPATIAL_Y]);
}

int spatial_beam_points(const SpatialBeamMesh* mesh, SpatialBeamPoint* points) {
    const BeamMesh axis = {.n = mesh->n, .order = mesh->order, .h = mesh->h};
    BeamPoint shapes[BEAM_MOST_POINTS];
    const int n = beam_points(&axis, shapes);
    for (int i = 0; i < n; i++) {
        points[i].shape = shapes[i];
        relaxed_strains(mesh, &points[i]);
    }
    return n;
}

// --- an element ---

SpatialBeamElement spatial_beam_element(const BodyView* b, const SpatialBeamMesh* mesh, int k) {
    const double* q = b->q + (ptrdiff_t)SPATIAL_NQ * mesh->order * k;
    const double* u = b->u + (ptrdiff_t)SPATIAL_NU * mesh->order * k;
    const double* q_c = q + SPATIAL_NQ * mesh->reference;
    const double* u_c = u + SPATIAL_NU * mesh->reference;
    const Vec3 Omega_c = vector_from(u_c + 3);
    SpatialBeamElement element = {.n_nodes = mesh->order + 1,
                                  .reference = mesh->reference,
                                  .R = quaternion_rotation(q_c + 3)};
    for (int i = 0; i <= mesh->order; i++, q += SPATIAL_NQ, u += SPATIAL_NU) {
        double factors[N_TURN_FACTORS];
        element.Omega[i] = vector_from(u + 3);
        if (i == mesh->reference) {
            continue;
        }
        const Vec3 Phi = quaternion_difference(q_c + 3, q + 3);
        turn_factors_real(dot3(Phi, Phi), factors);
        element.y[i] = turn_back3(element.R, sub3(vector_from(q), vector_from(q_c)));
        element.y_v[i] = turn_back3(element.R, sub3(vector_from(u), vector_from(u_c)));
        element.Phi[i] = Phi;
        element.Phi_t[i] = spatial_turn_rate_real(factors, Phi, element.Omega[i], Omega_c);
    }
    return element;
}

static Vec3 interpolate(const SpatialBeamElement* element, const double* N, const Vec3* x) {
    Vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < element->n_nodes; i++) {
        sum = add3(sum, scale3(N[i], x[i]));
    }
    return sum;
}

// e and its rate: with R_c' = R_c Omega_c~, (R_c^T r')' = R_c^T v' - Omega_c x (R_c^T r')
static void take_e(const SpatialBeamElement* element, const BeamPoint* p, Vec3* e, Vec3* e_t) {
    const Vec3 Omega_c = element->Omega[element->reference];
    e[SPATIAL_Y] = interpolate(element, p->N_s, element->y);
    e[SPATIAL_PHI] = interpolate(element, p->N, element->Phi);
    e[SPATIAL_PHI_S] = interpolate(element, p->N_s, element->Phi);
    e_t[SPATIAL_Y] =
        sub3(interpolate(element, p->N_s, element->y_v), cross3(Omega_c, e[SPATIAL_Y]));
    e_t[SPATIAL_PHI] = interpolate(element, p->N, element->Phi_t);
    e_t[SPATIAL_PHI_S] = interpolate(element, p->N_s, element->Phi_t);
}

SpatialBeamStation spatial_beam_station(const SpatialBeamElement* element,
                                        const SpatialBeamSection* section,
                                        const SpatialBeamPoint* p) {
    SpatialBeamStation x;
    Vec3 e[SPATIAL_N_E], e_t[SPATIAL_N_E];
    double k[N_TURN_FACTORS];
    take_e(element, &p->shape, e, e_t);
    turn_factors_real(dot3(e[SPATIAL_PHI], e[SPATIAL_PHI]), k);
    spatial_strains_real(k, e, x.strain);
    spatial_strain_rates_real(k, e, x.strain, e_t, x.rate);
    spatial_stresses_real(section, p->relaxed, x.strain, x.rate, x.stress);
    for (int i = 0; i < 2; i++) {
        x.change[i] = sub3(x.strain[i], p->relaxed[i]);
    }
    return x;
}

// --- forces ---

static void add_to(Vec3 a, double* h) {
    h[0] += a.x;
    h[1] += a.y;
    h[2] += a.z;
}

// The forces f (n_nodes) on Phi_i of all points; those on positions and, by R_c^T r', on the
// rotation of the reference go to h, unless that is NULL.
static void collect_forces(const SpatialBeamElement* element, const SpatialBeamSection* section,
                           const SpatialBeamPoint* points, int n_points, Vec3* f, double* h) {
    for (int i = 0; i < element->n_nodes; i++) {
        f[i] = (Vec3){0.0, 0.0, 0.0};
    }
    for (int p = 0; p < n_points; p++) {
        const BeamPoint* shape = &points[p].shape;
        Vec3 e[SPATIAL_N_E], e_t[SPATIAL_N_E], g[SPATIAL_N_E];
        take_e(element, shape, e, e_t);
        spatial_forces_real(section, points[p].relaxed, e, e_t, g);
        for (int i = 0; i < element->n_nodes; i++) {
            f[i] = sub3(f[i], scale3(shape->w * shape->N[i], g[SPATIAL_PHI]));
            f[i] = sub3(f[i], scale3(shape->w * shape->N_s[i], g[SPATIAL_PHI_S]));
            if (h != NULL) {
                const Vec3 force = turn3(element->R, g[SPATIAL_Y]);
                add_to(scale3(-shape->w * shape->N_s[i], force), h + SPATIAL_NU * i);
            }
        }
        if (h != NULL) {
            const Vec3 moment = cross3(g[SPATIAL_Y], e[SPATIAL_Y]);
            add_to(scale3(-shape->w, moment), h + SPATIAL_NU * element->reference + 3);
        }
    }
}

void spatial_beam_add_forces(const SpatialBeamElement* element, const SpatialBeamSection* section,
                             const SpatialBeamPoint* points, int n_points, double* h) {
    Vec3 f[BEAM_MOST_NODES];
    double* on_reference = h + SPATIAL_NU * element->reference + 3;
    collect_forces(element, section, points, n_points, f, h);
    for (int i = 0; i < element->n_nodes; i++) {
        if (i == element->reference) {
            continue;
        }
        const Vec3 Phi = element->Phi[i];
        double k[N_TURN_FACTORS];
        turn_factors_real(dot3(Phi, Phi), k);
        add_to(tangent_inverse_transposed_real(k, Phi, f[i]), h + SPATIAL_NU * i + 3);
        add_to(scale3(-1.0, tangent_inverse_real(k, Phi, f[i])), on_reference);
    }
}

// --- their derivatives ---

typedef double Displaced[N_E][SIZE];  // e, or what belongs to it, in the displacements of the nodes

// Displaced row ... row + 2 of A (... x stride), columns column ... column + 2, += factor M
static void add_matrix(double factor, const Mat3* M, int row, int column, int stride, double* A) {
    for (int j = 0; j < 3; j++) {
        double* to = A + (ptrdiff_t)row * stride + column + j;
        to[0] += factor * M->e[j].x;
        to[stride] += factor * M->e[j].y;
        to[2 * stride] += factor * M->e[j].z;
    }
}

static Mat3 cross_matrix(Vec3 a) {
    return (Mat3){{{0.0, a.z, -a.y}, {-a.z, 0.0, a.x}, {a.y, -a.x, 0.0}}};
}

static Mat3 transposed(const Mat3* M) {
    const Vec3 x = M->e[0], y = M->e[1], z = M->e[2];
    return (Mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// How Phi_i and its rate change with the rotations of the node and of the reference
typedef struct Turning {
    Mat3 own, other;            // dPhi = own dtheta_i - other dtheta_c: T^-1 and T^-T
    Mat3 rate_own, rate_other;  // dPhi' = rate_own dtheta_i - rate_other dtheta_c, at the same u
    Mat3 on_own, on_other;      // how T^-T f and T^-1 f change with Phi, for the node's f
} Turning;

static DualVec3 along(Vec3 a, int j) {
    return (DualVec3){dual_make(a.x, j == 0), dual_make(a.y, j == 1), dual_make(a.z, j == 2)};
}

static Vec3 derivative(DualVec3 a) {
    return (Vec3){dual_derivative(a.x), dual_derivative(a.y), dual_derivative(a.z)};
}

static void take_turning(const SpatialBeamElement* element, int i, Vec3 f, Turning* turning) {
    const DualVec3 Omega = vec3_of_dual(element->Omega[i]);
    const DualVec3 Omega_c = vec3_of_dual(element->Omega[element->reference]);
    const DualVec3 force = vec3_of_dual(f);
    Mat3 rate;
    for (int j = 0; j < 3; j++) {
        const DualVec3 Phi = along(element->Phi[i], j);
        const DualVec3 e = vec3_of_dual(MAT3_IDENTITY.e[j]);
        Dual k[N_TURN_FACTORS];
        turn_factors_dual(dot3(Phi, Phi), k);
        const DualVec3 column = tangent_inverse_dual(k, Phi, e);
        turning->own.e[j] =
            (Vec3){dual_value(column.x), dual_value(column.y), dual_value(column.z)};
        rate.e[j] = derivative(spatial_turn_rate_dual(k, Phi, Omega, Omega_c));
        turning->on_own.e[j] = derivative(tangent_inverse_transposed_dual(k, Phi, force));
        turning->on_other.e[j] = derivative(tangent_inverse_dual(k, Phi, force));
    }
    turning->other = transposed(&turning->own);
    turning->rate_own = product3(rate, turning->own);
    turning->rate_other = product3(rate, turning->other);
}

// S: de = S d of the displacements d of the nodes
static void take_S(const SpatialBeamElement* element, const BeamPoint* p, const Turning* turning,
                   Vec3 y, Displaced S) {
    const Mat3 R_back = transposed(&element->R);
    const Mat3 y_cross = cross_matrix(y);
    const int of_reference = SPATIAL_NU * element->reference + 3;
    double* to = &S[0][0];
    memset(to, 0, sizeof(Displaced));
    add_matrix(1.0, &y_cross, 3 * SPATIAL_Y, of_reference, SIZE, to);
    for (int i = 0; i < element->n_nodes; i++) {
        const int at = SPATIAL_NU * i;
        add_matrix(p->N_s[i], &R_back, 3 * SPATIAL_Y, at, SIZE, to);
        if (i != element->reference) {
            add_matrix(p->N[i], &turning[i].own, 3 * SPATIAL_PHI, at + 3, SIZE, to);
            add_matrix(p->N_s[i], &turning[i].own, 3 * SPATIAL_PHI_S, at + 3, SIZE, to);
            add_matrix(-p->N[i], &turning[i].other, 3 * SPATIAL_PHI, of_reference, SIZE, to);
            add_matrix(-p->N_s[i], &turning[i].other, 3 * SPATIAL_PHI_S, of_reference, SIZE, to);
        }
    }
}

// S_t: how the rate S u of e changes with the displacements at the same u,
//   d(R_c^T v' - Omega_c x y) = (R_c^T v') x dtheta_c - Omega_c x dy
static void take_S_t(const SpatialBeamElement* element, const BeamPoint* p, const Turning* turning,
                     Displaced S, Displaced S_t) {
    const Mat3 v_cross = cross_matrix(interpolate(element, p->N_s, element->y_v));
    const Vec3 Omega_c = element->Omega[element->reference];
    const int of_reference = SPATIAL_NU * element->reference + 3;
    double* to = &S_t[0][0];
    memset(to, 0, sizeof(Displaced));
    add_matrix(1.0, &v_cross, 3 * SPATIAL_Y, of_reference, SIZE, to);
    for (int j = 0; j < SPATIAL_NU * element->n_nodes; j++) {
        const Vec3 dy = {S[3 * SPATIAL_Y][j], S[3 * SPATIAL_Y + 1][j], S[3 * SPATIAL_Y + 2][j]};
        const Vec3 turned = cross3(Omega_c, dy);
        S_t[3 * SPATIAL_Y][j] -= turned.x;
        S_t[3 * SPATIAL_Y + 1][j] -= turned.y;
        S_t[3 * SPATIAL_Y + 2][j] -= turned.z;
    }
    for (int i = 0; i < element->n_nodes; i++) {
        const int at = SPATIAL_NU * i + 3;
        if (i != element->reference) {
            add_matrix(p->N[i], &turning[i].rate_own, 3 * SPATIAL_PHI, at, SIZE, to);
            add_matrix(p->N_s[i], &turning[i].rate_own, 3 * SPATIAL_PHI_S, at, SIZE, to);
            add_matrix(-p->N[i], &turning[i].rate_other, 3 * SPATIAL_PHI, of_reference, SIZE, to);
            add_matrix(-p->N_s[i], &turning[i].rate_other, 3 * SPATIAL_PHI_S, of_reference, SIZE,
                       to);
        }
    }
}

// g_e (N_E x N_E): the derivative of g in e at the same rate of e
static void take_g_e(const SpatialBeamSection* section, const SpatialBeamPoint* p, const Vec3* e,
                     const Vec3* e_t, double g_e[N_E][N_E]) {
    DualVec3 x[SPATIAL_N_E], x_t[SPATIAL_N_E], g[SPATIAL_N_E];
    for (int i = 0; i < SPATIAL_N_E; i++) {
        x[i] = vec3_of_dual(e[i]);
        x_t[i] = vec3_of_dual(e_t[i]);
    }
    for (int j = 0; j < N_E; j++) {
        x[j / 3] = along(e[j / 3], j % 3);
        spatial_forces_dual(section, p->relaxed, x, x_t, g);
        x[j / 3] = vec3_of_dual(e[j / 3]);
        for (int i = 0; i < SPATIAL_N_E; i++) {
            const Vec3 column = derivative(g[i]);
            g_e[3 * i][j] = column.x;
            g_e[3 * i + 1][j] = column.y;
            g_e[3 * i + 2][j] = column.z;
        }
    }
}

// g_t (N_E x N_E): the derivative of g in the rate of e, tau B^T C B with B = d(strains)/de
static void take_g_t(const SpatialBeamSection* section, const Vec3* e, double g_t[N_E][N_E]) {
    double k[N_TURN_FACTORS];
    Vec3 strain[2];
    turn_factors_real(dot3(e[SPATIAL_PHI], e[SPATIAL_PHI]), k);
    spatial_strains_real(k, e, strain);
    for (int j = 0; j < N_E; j++) {
        Vec3 unit[SPATIAL_N_E] = {{0.0, 0.0, 0.0}};
        Vec3 rate[2], stress[2], g[SPATIAL_N_E];
        unit[j / 3] = MAT3_IDENTITY.e[j % 3];
        spatial_strain_rates_real(k, e, strain, unit, rate);
        spatial_stresses_real(section, strain, strain, rate, stress);  // of the rates alone
        spatial_conjugate_real(k, e, strain, stress, g);
        for (int i = 0; i < SPATIAL_N_E; i++) {
            g_t[3 * i][j] = g[i].x;
            g_t[3 * i + 1][j] = g[i].y;
            g_t[3 * i + 2][j] = g[i].z;
        }
    }
}

// product += factor A B, of the first n columns
static void add_product(double factor, double A[N_E][N_E], Displaced B, int n, Displaced product) {
    for (int i = 0; i < N_E; i++) {
        for (int k = 0; k < N_E; k++) {
            const double a = factor * A[i][k];
            for (int j = 0; j < n; j++) {
                product[i][j] += a * B[k][j];
            }
        }
    }
}

// What S^T g changes by where S does: the directions of forces on positions, R_c g_y, and the
// moment g_y x y on the reference
static void add_geometric(const SpatialBeamElement* element, const BeamPoint* p, double k, Vec3 g_y,
                          Displaced S, int n, double* block) {
    const int of_reference = SPATIAL_NU * element->reference + 3;
    const Mat3 g_cross = cross_matrix(g_y);
    const Mat3 turned = product3(element->R, g_cross);
    for (int i = 0; i < element->n_nodes; i++) {
        add_matrix(k * p->w * p->N_s[i], &turned, SPATIAL_NU * i, of_reference, n, block);
    }
    for (int j = 0; j < n; j++) {
        const Vec3 dy = {S[3 * SPATIAL_Y][j], S[3 * SPATIAL_Y + 1][j], S[3 * SPATIAL_Y + 2][j]};
        const Vec3 moment = cross3(g_y, dy);
        double* column = block + (ptrdiff_t)of_reference * n + j;
        column[0] -= k * p->w * moment.x;
        column[n] -= k * p->w * moment.y;
        column[2 * (ptrdiff_t)n] -= k * p->w * moment.z;
    }
}

static void add_point_tangent(const SpatialBeamElement* element, const SpatialBeamSection* section,
                              const SpatialBeamPoint* p, const Turning* turning, double k, double d,
                              int n, double* block) {
    Vec3 e[SPATIAL_N_E], e_t[SPATIAL_N_E], g[SPATIAL_N_E];
    Displaced S, S_t, change = {{0.0}};
    double derivatives[N_E][N_E];
    take_e(element, &p->shape, e, e_t);
    take_S(element, &p->shape, turning, e[SPATIAL_Y], S);
    if (k != 0.0) {
        take_g_e(section, p, e, e_t, derivatives);
        add_product(k, derivatives, S, n, change);
        spatial_forces_real(section, p->relaxed, e, e_t, g);
        add_geometric(element, &p->shape, k, g[SPATIAL_Y], S, n, block);
    }
    if (section->tau > 0.0) {
        take_g_t(section, e, derivatives);
        add_product(d, derivatives, S, n, change);
        if (k != 0.0) {
            take_S_t(element, &p->shape, turning, S, S_t);
            add_product(k, derivatives, S_t, n, change);
        }
    }
    for (int r = 0; r < N_E; r++) {  // block -= w S^T change
        for (int i = 0; i < n; i++) {
            const double factor = p->shape.w * S[r][i];
            for (int j = 0; j < n && factor != 0.0; j++) {
                block[i * n + j] -= factor * change[r][j];
            }
        }
    }
}

void spatial_beam_add_tangent(const SpatialBeamElement* element, const SpatialBeamSection* section,
                              const SpatialBeamPoint* points, int n_points, double k, double d,
                              int n, double* block) {
    Vec3 f[BEAM_MOST_NODES];
    Turning turning[BEAM_MOST_NODES];
    const int c = SPATIAL_NU * element->reference + 3;
    if (k == 0.0 && (d == 0.0 || section->tau == 0.0)) {
        return;
    }
    collect_forces(element, section, points, n_points, f, NULL);
    for (int i = 0; i < element->n_nodes; i++) {
        const int at = SPATIAL_NU * i + 3;
        if (i == element->reference) {
            continue;
        }
        take_turning(element, i, f[i], &turning[i]);
        const Mat3 own_own = product3(turning[i].on_own, turning[i].own);
        const Mat3 own_other = product3(turning[i].on_own, turning[i].other);
        const Mat3 other_own = product3(turning[i].on_other, turning[i].own);
        const Mat3 other_other = product3(turning[i].on_other, turning[i].other);
        add_matrix(k, &own_own, at, at, n, block);
        add_matrix(-k, &own_other, at, c, n, block);
        add_matrix(-k, &other_own, c, at, n, block);
        add_matrix(k, &other_other, c, c, n, block);
    }
    for (int p = 0; p < n_points; p++) {
        add_point_tangent(element, section, &points[p], turning, k, d, n, block);
    }
}

// --- points between nodes ---

void spatial_beam_point(const SpatialBeamElement* element, const double* N, Frame* frame, Mat3* A) {
    spatial_point_real(element->n_nodes, element->reference, N, element->Phi, element->Omega,
                       element->R, frame, A);
}

void spatial_beam_point_dual(const SpatialBeamElement* element, const double* N, int j,
                             bool velocity, DualFrame* frame, DualMat3* A) {
    const int c = element->reference;
    const int node = j / SPATIAL_NU;
    const int axis = j % SPATIAL_NU - 3;  // negative: a translation
    DualVec3 Phi[BEAM_MOST_NODES], Omega[BEAM_MOST_NODES];
    DualMat3 R;
    for (int i = 0; i < element->n_nodes; i++) {
        Omega[i] = along(element->Omega[i], velocity && i == node ? axis : -1);
        Phi[i] = vec3_of_dual(element->Phi[i]);
        if (velocity || axis < 0 || i == c || (node != c && node != i)) {
            continue;
        }
        const Vec3 x = element->Phi[i];
        double k[N_TURN_FACTORS];
        turn_factors_real(dot3(x, x), k);
        const Vec3 e = MAT3_IDENTITY.e[axis];
        const Vec3 change = node == i ? tangent_inverse_real(k, x, e)
                                      : scale3(-1.0, tangent_inverse_transposed_real(k, x, e));
        Phi[i] = (DualVec3){dual_make(x.x, change.x), dual_make(x.y, change.y),
                            dual_make(x.z, change.z)};
    }
    for (int i = 0; i < 3; i++) {
        const bool turns = !velocity && axis >= 0 && node == c;
        const Vec3 turned =
            turns ? turn3(element->R, cross3(MAT3_IDENTITY.e[axis], MAT3_IDENTITY.e[i]))
                  : (Vec3){0.0, 0.0, 0.0};
        const Vec3 x = element->R.e[i];
        R.e[i] = (DualVec3){dual_make(x.x, turned.x), dual_make(x.y, turned.y),
                            dual_make(x.z, turned.z)};
    }
    spatial_point_dual(element->n_nodes, c, N, Phi, Omega, R, frame, A);
}
