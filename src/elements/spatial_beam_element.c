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
    const int order = mesh->order;
    Vec3 y = {0.0, 0.0, 0.0};
    Vec3 Phi = {0.0, 0.0, 0.0};
    double k[N_TURN_FACTORS];
    for (int i = 0; i <= order; i++) {
        const double s = mesh->h * (i - mesh->reference) / order;
        const Vec3 r = spatial_beam_relaxed_place(mesh, s);
        y = add3(y, scale3(p->shape.N_s[i], r));
        Phi = add3(Phi, scale3(p->shape.N[i] * s, mesh->K_0));
    }
    turn_factors_real(dot3(Phi, Phi), k);
    p->relaxed[0] = length3(mesh->K_0) > 0.0 ? turn_back_by_real(k, Phi, y) : MAT3_IDENTITY.e[0];
    p->relaxed[1] = mesh->K_0;
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

// The forces f_y and f (n_nodes) on y_i and Phi_i of all points
static void collect_forces(const SpatialBeamElement* element, const SpatialBeamSection* section,
                           const SpatialBeamPoint* points, int n_points, Vec3* f, Vec3* f_y) {
    for (int i = 0; i < element->n_nodes; i++) {
        f[i] = f_y[i] = (Vec3){0.0, 0.0, 0.0};
    }
    for (int p = 0; p < n_points; p++) {
        const BeamPoint* shape = &points[p].shape;
        Vec3 e[SPATIAL_N_E], e_t[SPATIAL_N_E], g[SPATIAL_N_E];
        take_e(element, shape, e, e_t);
        spatial_forces_real(section, points[p].relaxed, e, e_t, g);
        for (int i = 0; i < element->n_nodes; i++) {
            f_y[i] = sub3(f_y[i], scale3(shape->w * shape->N_s[i], g[SPATIAL_Y]));
            f[i] = sub3(f[i], scale3(shape->w * shape->N[i], g[SPATIAL_PHI]));
            f[i] = sub3(f[i], scale3(shape->w * shape->N_s[i], g[SPATIAL_PHI_S]));
        }
    }
}

void spatial_beam_add_forces(const SpatialBeamElement* element, const SpatialBeamSection* section,
                             const SpatialBeamPoint* points, int n_points, double* h) {
    Vec3 f[BEAM_MOST_NODES], f_y[BEAM_MOST_NODES];
    double* on_reference = h + SPATIAL_NU * element->reference;
    collect_forces(element, section, points, n_points, f, f_y);
    for (int i = 0; i < element->n_nodes; i++) {
        if (i == element->reference) {
            continue;
        }
        const Vec3 Phi = element->Phi[i];
        const Vec3 force = turn3(element->R, f_y[i]);
        double k[N_TURN_FACTORS];
        turn_factors_real(dot3(Phi, Phi), k);
        add_to(force, h + SPATIAL_NU * i);
        add_to(scale3(-1.0, force), on_reference);
        add_to(cross3(f_y[i], element->y[i]), on_reference + 3);
        add_to(tangent_inverse_transposed_real(k, Phi, f[i]), h + SPATIAL_NU * i + 3);
        add_to(scale3(-1.0, tangent_inverse_real(k, Phi, f[i])), on_reference + 3);
    }
}

// --- their derivatives ---

// Rows row ... row + 2 of A (... x stride), columns column ... column + 2, += M
static void add_matrix(const Mat3* M, int row, int column, int stride, double* A) {
    for (int j = 0; j < 3; j++) {
        double* to = A + (ptrdiff_t)row * stride + column + j;
        to[0] += M->e[j].x;
        to[stride] += M->e[j].y;
        to[2 * (ptrdiff_t)stride] += M->e[j].z;
    }
}

static Mat3 sum(Mat3 A, Mat3 B) {
    return (Mat3){{add3(A.e[0], B.e[0]), add3(A.e[1], B.e[1]), add3(A.e[2], B.e[2])}};
}

static Mat3 times(double factor, Mat3 A) {
    return (Mat3){{scale3(factor, A.e[0]), scale3(factor, A.e[1]), scale3(factor, A.e[2])}};
}

static Mat3 cross_matrix(Vec3 a) {
    return (Mat3){{{0.0, a.z, -a.y}, {-a.z, 0.0, a.x}, {a.y, -a.x, 0.0}}};
}

static Mat3 transposed(Mat3 M) {
    const Vec3 x = M.e[0], y = M.e[1], z = M.e[2];
    return (Mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// diag(C) A
static Mat3 stiffened(Vec3 C, Mat3 A) {
    for (int j = 0; j < 3; j++) {
        A.e[j] = (Vec3){C.x * A.e[j].x, C.y * A.e[j].y, C.z * A.e[j].z};
    }
    return A;
}

static DualVec3 along(Vec3 a, int j) {
    return (DualVec3){dual_make(a.x, j == 0), dual_make(a.y, j == 1), dual_make(a.z, j == 2)};
}

static Vec3 derivative(DualVec3 a) {
    return (Vec3){dual_derivative(a.x), dual_derivative(a.y), dual_derivative(a.z)};
}

// --- at a point of integration ---

typedef Mat3 Square[SPATIAL_N_E][SPATIAL_N_E];  // derivatives of g in e, by blocks
typedef Mat3 Strip[2][SPATIAL_N_E];             // of (Gamma, K) in e

// What derivatives at a point are made of
typedef struct PointDerivatives {
    Mat3 E, T, D;  // exp(Phi~), T(Phi), and how T(Phi) Phi' changes with Phi
    Vec3 Gamma;
    Strip B;  // of the strains
} PointDerivatives;

static void take_B(const double* k, const Vec3* e, PointDerivatives* at) {
    const Mat3 zero = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    const Vec3 Phi = e[SPATIAL_PHI];
    for (int j = 0; j < 3; j++) {
        const Vec3 unit = MAT3_IDENTITY.e[j];
        at->E.e[j] = turn_by_real(k, Phi, unit);
        at->T.e[j] = tangent_times_real(k, Phi, unit);
        at->D.e[j] = tangent_change_real(k, Phi, e[SPATIAL_PHI_S], unit);
    }
    at->Gamma = turn_back_by_real(k, Phi, e[SPATIAL_Y]);
    at->B[0][SPATIAL_Y] = transposed(at->E);
    at->B[0][SPATIAL_PHI] = product3(cross_matrix(at->Gamma), at->T);
    at->B[0][SPATIAL_PHI_S] = zero;
    at->B[1][SPATIAL_Y] = zero;
    at->B[1][SPATIAL_PHI] = at->D;
    at->B[1][SPATIAL_PHI_S] = at->T;
}

// How g changes with stresses that change by `stress` along e: B^T stress
static void conjugate_changes(const PointDerivatives* at, Strip stress, Square g) {
    for (int j = 0; j < SPATIAL_N_E; j++) {
        for (int i = 0; i < SPATIAL_N_E; i++) {
            const Mat3 of_force = product3(transposed(at->B[0][i]), stress[0][j]);
            const Mat3 of_moment = product3(transposed(at->B[1][i]), stress[1][j]);
            g[i][j] = sum(of_force, of_moment);
        }
    }
}

// A + what the directions of g change by along e, at stresses n and m:
//   d(E n) = -E n~ T dPhi,  d(T^T m) = Q(m) dPhi,  Q(m) the derivative of T^T m,
//   d(T^T (n x Gamma)) = Q(n x Gamma) dPhi + T^T n~ dGamma,  d(D^T m) = H dPhi + Q(m)^T dPhi'
static void add_turning_of_g(const double* k, const Vec3* e, const PointDerivatives* at, Vec3 n,
                             Vec3 m, Square g) {
    const Vec3 Phi = e[SPATIAL_PHI];
    const Mat3 n_cross = cross_matrix(n);
    const Mat3 T_back = transposed(at->T);
    const Vec3 moment = cross3(n, at->Gamma);
    Mat3 of_m, of_n;
    for (int j = 0; j < 3; j++) {
        of_m.e[j] = tangent_transposed_change(k, Phi, m, MAT3_IDENTITY.e[j]);
        of_n.e[j] = tangent_transposed_change(k, Phi, moment, MAT3_IDENTITY.e[j]);
    }
    const Mat3 across = product3(T_back, n_cross);
    const Mat3 of_y = product3(across, at->B[0][SPATIAL_Y]);
    const Mat3 of_Phi = sum(product3(across, at->B[0][SPATIAL_PHI]), of_n);
    const Mat3 second = tangent_second_change(k, Phi, e[SPATIAL_PHI_S], m);
    g[SPATIAL_Y][SPATIAL_PHI] = sum(g[SPATIAL_Y][SPATIAL_PHI], transposed(of_y));
    g[SPATIAL_PHI][SPATIAL_Y] = sum(g[SPATIAL_PHI][SPATIAL_Y], of_y);
    g[SPATIAL_PHI][SPATIAL_PHI] = sum(g[SPATIAL_PHI][SPATIAL_PHI], sum(of_Phi, second));
    g[SPATIAL_PHI][SPATIAL_PHI_S] = sum(g[SPATIAL_PHI][SPATIAL_PHI_S], transposed(of_m));
    g[SPATIAL_PHI_S][SPATIAL_PHI] = sum(g[SPATIAL_PHI_S][SPATIAL_PHI], of_m);
}

// Adds tau times the change of the strains' rates along e, at the same rate of e, to a strip.
static void add_rate_changes(double tau, const Vec3* e, const Vec3* e_t, Strip strip) {
    DualVec3 x[SPATIAL_N_E], x_t[SPATIAL_N_E];
    for (int i = 0; i < SPATIAL_N_E; i++) {
        x[i] = vec3_of_dual(e[i]);
        x_t[i] = vec3_of_dual(e_t[i]);
    }
    for (int j = 0; j < 3 * SPATIAL_N_E; j++) {
        Dual k[N_TURN_FACTORS];
        DualVec3 strain[2], rate[2];
        x[j / 3] = along(e[j / 3], j % 3);
        turn_factors_dual(dot3(x[SPATIAL_PHI], x[SPATIAL_PHI]), k);
        spatial_strains_dual(k, x, strain);
        spatial_strain_rates_dual(k, x, strain, x_t, rate);
        x[j / 3] = vec3_of_dual(e[j / 3]);
        for (int i = 0; i < 2; i++) {
            Vec3* column = &strip[i][j / 3].e[j % 3];
            *column = add3(*column, scale3(tau, derivative(rate[i])));
        }
    }
}

// The derivatives of g in e and in the rate of e (if there is damping)
static void take_g_derivatives(const SpatialBeamSection* section, const SpatialBeamPoint* p,
                               const Vec3* e, const Vec3* e_t, bool in_e, Square g_e, Square g_t) {
    PointDerivatives at;
    Strip stress;
    double k[N_ALL_TURN_FACTORS];
    turn_all_factors(dot3(e[SPATIAL_PHI], e[SPATIAL_PHI]), k);
    take_B(k, e, &at);
    if (section->tau > 0.0) {
        for (int i = 0; i < 2 * SPATIAL_N_E; i++) {
            const Mat3* B = &at.B[i / SPATIAL_N_E][i % SPATIAL_N_E];
            stress[i / SPATIAL_N_E][i % SPATIAL_N_E] =
                times(section->tau, stiffened(section->C[i / SPATIAL_N_E], *B));
        }
        conjugate_changes(&at, stress, g_t);
    }
    if (!in_e) {
        return;
    }
    Vec3 strain[2], rate[2], total[2];
    memcpy(stress, at.B, sizeof stress);
    if (section->tau > 0.0) {
        add_rate_changes(section->tau, e, e_t, stress);
    }
    for (int i = 0; i < 2 * SPATIAL_N_E; i++) {
        Mat3* change = &stress[i / SPATIAL_N_E][i % SPATIAL_N_E];
        *change = stiffened(section->C[i / SPATIAL_N_E], *change);
    }
    conjugate_changes(&at, stress, g_e);
    spatial_strains_real(k, e, strain);
    spatial_strain_rates_real(k, e, strain, e_t, rate);
    spatial_stresses_real(section, p->relaxed, strain, rate, total);
    add_turning_of_g(k, e, &at, total[0], total[1], g_e);
}

// --- of an element ---

// What nodes have relative to the reference, z_i = (y_i, Phi_i), by blocks
enum { LOCAL_Y, LOCAL_PHI, N_LOCAL };
typedef Mat3 Local[N_LOCAL * BEAM_MOST_NODES][N_LOCAL * BEAM_MOST_NODES];

// A += -w (derivatives g of a point) between all z_i
static void add_local(const SpatialBeamElement* element, const BeamPoint* p, Square g, Local A) {
    for (int i = 0; i < element->n_nodes; i++) {
        for (int j = 0; j < element->n_nodes; j++) {
            if (i == element->reference || j == element->reference) {
                continue;
            }
            const double N_i = -p->w * p->N[i], N_s_i = -p->w * p->N_s[i];
            const double N_j = p->N[j], N_s_j = p->N_s[j];
            Mat3* yy = &A[N_LOCAL * i + LOCAL_Y][N_LOCAL * j + LOCAL_Y];
            Mat3* y_Phi = &A[N_LOCAL * i + LOCAL_Y][N_LOCAL * j + LOCAL_PHI];
            Mat3* Phi_y = &A[N_LOCAL * i + LOCAL_PHI][N_LOCAL * j + LOCAL_Y];
            Mat3* Phi_Phi = &A[N_LOCAL * i + LOCAL_PHI][N_LOCAL * j + LOCAL_PHI];
            *yy = sum(*yy, times(N_s_i * N_s_j, g[SPATIAL_Y][SPATIAL_Y]));
            *y_Phi = sum(*y_Phi, sum(times(N_s_i * N_j, g[SPATIAL_Y][SPATIAL_PHI]),
                                     times(N_s_i * N_s_j, g[SPATIAL_Y][SPATIAL_PHI_S])));
            *Phi_y = sum(*Phi_y, sum(times(N_i * N_s_j, g[SPATIAL_PHI][SPATIAL_Y]),
                                     times(N_s_i * N_s_j, g[SPATIAL_PHI_S][SPATIAL_Y])));
            *Phi_Phi = sum(*Phi_Phi, sum(times(N_i * N_j, g[SPATIAL_PHI][SPATIAL_PHI]),
                                         times(N_i * N_s_j, g[SPATIAL_PHI][SPATIAL_PHI_S])));
            *Phi_Phi = sum(*Phi_Phi, sum(times(N_s_i * N_j, g[SPATIAL_PHI_S][SPATIAL_PHI]),
                                         times(N_s_i * N_s_j, g[SPATIAL_PHI_S][SPATIAL_PHI_S])));
        }
    }
}

// How z_i and its rate change with the motion of the node and of the reference:
//   dy_i = R_c^T (dr_i - dr_c) + y_i x dtheta_c,  dPhi_i = own dtheta_i - other dtheta_c
// and, at the same velocities, dy_i' = -Omega_c x dy_i + y_v_i x dtheta_c, dPhi_i' = rate dPhi_i
typedef struct Turning {
    Mat3 own, other;        // T^-1 and T^-T
    Mat3 rate;              // the derivative of Phi_i' in Phi_i
    Mat3 y_cross;           // y_i~
    Mat3 on_own, on_other;  // how T^-T f and T^-1 f change with Phi_i, for the node's f
} Turning;

static void take_turning(const SpatialBeamElement* element, int i, Vec3 f, Turning* turning) {
    const DualVec3 Omega = vec3_of_dual(element->Omega[i]);
    const DualVec3 Omega_c = vec3_of_dual(element->Omega[element->reference]);
    const DualVec3 force = vec3_of_dual(f);
    for (int j = 0; j < 3; j++) {
        const DualVec3 Phi = along(element->Phi[i], j);
        const DualVec3 e = vec3_of_dual(MAT3_IDENTITY.e[j]);
        Dual k[N_TURN_FACTORS];
        turn_factors_dual(dot3(Phi, Phi), k);
        const DualVec3 column = tangent_inverse_dual(k, Phi, e);
        turning->own.e[j] =
            (Vec3){dual_value(column.x), dual_value(column.y), dual_value(column.z)};
        turning->rate.e[j] = derivative(spatial_turn_rate_dual(k, Phi, Omega, Omega_c));
        turning->on_own.e[j] = derivative(tangent_inverse_transposed_dual(k, Phi, force));
        turning->on_other.e[j] = derivative(tangent_inverse_dual(k, Phi, force));
    }
    turning->other = transposed(turning->own);
    turning->y_cross = cross_matrix(element->y[i]);
}

// The four blocks of the element's matrix in which the motions of nodes i and c meet
typedef struct Motions {
    Mat3 r, theta, r_c, theta_c;
} Motions;

// A_y dy_j + A_Phi dPhi_j in these motions
static Motions spread_columns(const SpatialBeamElement* element, const Turning* turning, Mat3 A_y,
                              Mat3 A_Phi) {
    const Mat3 r = product3(A_y, transposed(element->R));
    const Mat3 of_Phi = product3(A_Phi, turning->other);
    return (Motions){
        .r = r,
        .theta = product3(A_Phi, turning->own),
        .r_c = times(-1.0, r),
        .theta_c = sum(product3(A_y, turning->y_cross), times(-1.0, of_Phi)),
    };
}

// ... and the forces on these motions that forces A_y and A_Phi on y_i and Phi_i are
static Motions spread_rows(const SpatialBeamElement* element, const Turning* turning, Mat3 A_y,
                           Mat3 A_Phi) {
    const Mat3 r = product3(element->R, A_y);
    const Mat3 by_turn = sum(product3(turning->y_cross, A_y), product3(turning->own, A_Phi));
    return (Motions){
        .r = r,
        .theta = product3(turning->other, A_Phi),
        .r_c = times(-1.0, r),
        .theta_c = times(-1.0, by_turn),
    };
}

// Rows of all z_i in the motions of all nodes: r_i, theta_i
typedef Mat3 Spread[N_LOCAL * BEAM_MOST_NODES][2 * BEAM_MOST_NODES];

// block (n x n) += P^T M of rows M
static void add_rows(const SpatialBeamElement* element, const Turning* turning, Spread M, int n,
                     double* block) {
    const int c = element->reference;
    for (int j = 0; j < 2 * element->n_nodes; j++) {
        for (int i = 0; i < element->n_nodes; i++) {
            if (i == c) {
                continue;
            }
            const Motions rows = spread_rows(element, &turning[i], M[N_LOCAL * i + LOCAL_Y][j],
                                             M[N_LOCAL * i + LOCAL_PHI][j]);
            add_matrix(&rows.r, SPATIAL_NU * i, 3 * j, n, block);
            add_matrix(&rows.theta, SPATIAL_NU * i + 3, 3 * j, n, block);
            add_matrix(&rows.r_c, SPATIAL_NU * c, 3 * j, n, block);
            add_matrix(&rows.theta_c, SPATIAL_NU * c + 3, 3 * j, n, block);
        }
    }
}

// M = A P + k A_t V, V being y_v_i x dtheta_c: all that z and its rates change by beside Q dz
static void take_columns(const SpatialBeamElement* element, const Turning* turning, double k,
                         Local A, Local A_t, bool damped, Spread M) {
    const int c = element->reference;
    memset(M, 0, sizeof(Spread));
    for (int i = 0; i < N_LOCAL * element->n_nodes; i++) {
        for (int j = 0; j < element->n_nodes; j++) {
            if (i / N_LOCAL == c || j == c) {
                continue;
            }
            const Motions columns = spread_columns(
                element, &turning[j], A[i][N_LOCAL * j + LOCAL_Y], A[i][N_LOCAL * j + LOCAL_PHI]);
            M[i][2 * j] = sum(M[i][2 * j], columns.r);
            M[i][2 * j + 1] = sum(M[i][2 * j + 1], columns.theta);
            M[i][2 * c] = sum(M[i][2 * c], columns.r_c);
            M[i][2 * c + 1] = sum(M[i][2 * c + 1], columns.theta_c);
            if (damped && k != 0.0) {
                const Mat3 v = times(k, cross_matrix(element->y_v[j]));
                M[i][2 * c + 1] = sum(M[i][2 * c + 1], product3(A_t[i][N_LOCAL * j + LOCAL_Y], v));
            }
        }
    }
}

// A = k (A + A_t Q) + d A_t: the rates of z change by Q dz, -Omega_c x dy_j and rate dPhi_j
static void combine(const SpatialBeamElement* element, const Turning* turning, double k, double d,
                    Local A, Local A_t, bool damped) {
    const Mat3 turn = cross_matrix(scale3(-1.0, element->Omega[element->reference]));
    for (int i = 0; i < N_LOCAL * element->n_nodes; i++) {
        for (int j = 0; j < N_LOCAL * element->n_nodes; j++) {
            const int node = j / N_LOCAL;
            if (i / N_LOCAL == element->reference || node == element->reference) {
                continue;
            }
            A[i][j] = times(k, A[i][j]);
            if (damped) {
                const Mat3 Q = j % N_LOCAL == LOCAL_Y ? turn : turning[node].rate;
                A[i][j] = sum(A[i][j], times(k, product3(A_t[i][j], Q)));
                A[i][j] = sum(A[i][j], times(d, A_t[i][j]));
            }
        }
    }
}

// What the directions of forces f_y (n_nodes) on y_i and f on Phi_i change by: R_c f_y on r_i,
// f_y x y_i on the rotation of the reference, T^-T f and -T^-1 f on rotations
static void add_turning_of_forces(const SpatialBeamElement* element, const Turning* turning,
                                  double k, const Vec3* f_y, int n, double* block) {
    const int c = SPATIAL_NU * element->reference;
    for (int i = 0; i < element->n_nodes; i++) {
        const int at = SPATIAL_NU * i;
        if (at == c) {
            continue;
        }
        const Mat3 force = cross_matrix(scale3(k, f_y[i]));
        const Mat3 turned = product3(element->R, force);
        const Mat3 back = times(-1.0, turned);
        const Motions moment = spread_columns(element, &turning[i], force, times(0.0, force));
        add_matrix(&back, at, c + 3, n, block);
        add_matrix(&turned, c, c + 3, n, block);
        add_matrix(&moment.r, c + 3, at, n, block);
        add_matrix(&moment.r_c, c + 3, c, n, block);
        add_matrix(&moment.theta_c, c + 3, c + 3, n, block);
        const Mat3 on_own = times(k, turning[i].on_own);
        const Mat3 on_other = times(-k, turning[i].on_other);
        const Mat3 own_own = product3(on_own, turning[i].own);
        const Mat3 own_other = times(-1.0, product3(on_own, turning[i].other));
        const Mat3 other_own = product3(on_other, turning[i].own);
        const Mat3 other_other = times(-1.0, product3(on_other, turning[i].other));
        add_matrix(&own_own, at + 3, at + 3, n, block);
        add_matrix(&own_other, at + 3, c + 3, n, block);
        add_matrix(&other_own, c + 3, at + 3, n, block);
        add_matrix(&other_other, c + 3, c + 3, n, block);
    }
}

void spatial_beam_add_tangent(const SpatialBeamElement* element, const SpatialBeamSection* section,
                              const SpatialBeamPoint* points, int n_points, double k, double d,
                              int n, double* block) {
    const bool damped = section->tau > 0.0;
    Vec3 f[BEAM_MOST_NODES], f_y[BEAM_MOST_NODES];
    Turning turning[BEAM_MOST_NODES];
    Local A, A_t;
    Spread M;
    if (k == 0.0 && (d == 0.0 || !damped)) {
        return;
    }
    memset(A, 0, sizeof A);
    memset(A_t, 0, damped ? sizeof A_t : 0);
    collect_forces(element, section, points, n_points, f, f_y);
    for (int p = 0; p < n_points; p++) {
        Vec3 e[SPATIAL_N_E], e_t[SPATIAL_N_E];
        Square g_e, g_t;
        take_e(element, &points[p].shape, e, e_t);
        take_g_derivatives(section, &points[p], e, e_t, k != 0.0, g_e, g_t);
        if (k != 0.0) {
            add_local(element, &points[p].shape, g_e, A);
        }
        if (damped) {
            add_local(element, &points[p].shape, g_t, A_t);
        }
    }
    for (int i = 0; i < element->n_nodes; i++) {
        if (i != element->reference) {
            take_turning(element, i, f[i], &turning[i]);
        }
    }
    combine(element, turning, k, d, A, A_t, damped);
    take_columns(element, turning, k, A, A_t, damped, M);
    add_rows(element, turning, M, n, block);
    if (k != 0.0) {
        add_turning_of_forces(element, turning, k, f_y, n, block);
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
