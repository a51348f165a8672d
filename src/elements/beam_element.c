#include "elements/beam_element.h"

#include <math.h>
#include <string.h>

Vec2 beam_relaxed_place(const BeamMesh* mesh, double s) {
    if (mesh->kappa == 0.0) {
        return (Vec2){mesh->c * s, mesh->s * s};
    }
    const double half = 0.5 * mesh->kappa * s;
    const double chord = half == 0.0 ? s : s * sin(half) / half;
    const Vec2 d = {chord * cos(half), chord * sin(half)};
    return (Vec2){mesh->c * d.x - mesh->s * d.y, mesh->s * d.x + mesh->c * d.y};
}

void beam_shape_functions(int order, double x, double h, double* N, double* N_s) {
    if (order == 1) {
        N[0] = 1.0 - x;
        N[1] = x;
        N_s[0] = -1.0 / h;
        N_s[1] = 1.0 / h;
    } else {
        N[0] = (1.0 - x) * (1.0 - 2.0 * x);
        N[1] = 4.0 * x * (1.0 - x);
        N[2] = x * (2.0 * x - 1.0);
        N_s[0] = (4.0 * x - 3.0) / h;
        N_s[1] = (4.0 - 8.0 * x) / h;
        N_s[2] = (4.0 * x - 1.0) / h;
    }
}

double beam_linear_share(int n_points, int i, double x) {
    const double a = BEAM_GAUSS[1][0];
    const double b = BEAM_GAUSS[1][1];
    return n_points == 1 ? 1.0 : (i == 0 ? b - x : x - a) / (b - a);
}

int beam_points(const BeamMesh* mesh, BeamPoint* points) {
    const int n = mesh->order;
    for (int i = 0; i < n; i++) {
        points[i].w = mesh->h / n;
        beam_shape_functions(mesh->order, BEAM_GAUSS[n - 1][i], mesh->h, points[i].N,
                             points[i].N_s);
    }
    return n;
}

static BeamStrains strains(const double* e, double c, double s) {
    return (BeamStrains){c * e[BEAM_X] + s * e[BEAM_Y], -s * e[BEAM_X] + c * e[BEAM_Y],
                         e[BEAM_KAPPA]};
}

// e at a point of integration, from the values (d_x, d_y, vartheta) of the element's nodes; order
// is a number where it is called, for which loops have no end to look for.
static inline void interpolate_order(int order, const BeamPoint* p, const double* nodes,
                                     double* e) {
    double d_x = 0.0, d_y = 0.0, theta = 0.0, kappa = 0.0;
    for (int i = 0; i <= order; i++) {
        d_x += p->N_s[i] * nodes[BEAM_NODE * i];
        d_y += p->N_s[i] * nodes[BEAM_NODE * i + 1];
        theta += p->N[i] * nodes[BEAM_NODE * i + 2];
        kappa += p->N_s[i] * nodes[BEAM_NODE * i + 2];
    }
    e[BEAM_X] = d_x;
    e[BEAM_Y] = d_y;
    e[BEAM_THETA] = theta;
    e[BEAM_KAPPA] = kappa;
}

static inline void interpolate(const BeamMesh* mesh, const BeamPoint* p, const double* nodes,
                               double* e) {
    if (mesh->order == 1) {
        interpolate_order(1, p, nodes, e);
    } else {
        interpolate_order(2, p, nodes, e);
    }
}

// The relaxed beam at a point of integration, its axis interpolated as that of any other state is
typedef struct Relaxed {
    double c, s;  // of the cross section's angle
    BeamStrains strain;
} Relaxed;

static Relaxed relaxed_at(const BeamMesh* mesh, const BeamPoint* p, int k) {
    if (mesh->kappa == 0.0) {
        return (Relaxed){mesh->c, mesh->s, {1.0, 0.0, 0.0}};
    }
    double e[BEAM_N_E] = {0.0, 0.0, 0.0, mesh->kappa};
    double turn = 0.0;
    for (int i = 0; i <= mesh->order; i++) {
        const double s = (k + (double)i / mesh->order) * mesh->h;
        const Vec2 r = beam_relaxed_place(mesh, s);
        e[BEAM_X] += p->N_s[i] * r.x;
        e[BEAM_Y] += p->N_s[i] * r.y;
        turn += p->N[i] * mesh->kappa * s;
    }
    const double c = mesh->c * cos(turn) - mesh->s * sin(turn);
    const double s = mesh->s * cos(turn) + mesh->c * sin(turn);
    return (Relaxed){c, s, strains(e, c, s)};
}

// With theta = theta_0 + vartheta and r = r_0 + d, strains change from Gamma_0 = R_0^T r_0' by
// R^T d' + (R(vartheta)^T - 1) Gamma_0, in which nothing of the size of 1 cancels.
static BeamStation deform(const BeamMesh* mesh, const BeamPoint* p, int k, const double* nodes) {
    double e[BEAM_N_E];
    interpolate(mesh, p, nodes, e);
    const Relaxed r = relaxed_at(mesh, p, k);
    const double half_s = sin(0.5 * e[BEAM_THETA]);
    const double half_c = cos(0.5 * e[BEAM_THETA]);
    const double turn_s = 2.0 * half_s * half_c;
    const double turn_c_1 = -2.0 * half_s * half_s;  // cos - 1
    const double c = r.c + (turn_c_1 * r.c - turn_s * r.s);
    const double s = r.s + (turn_c_1 * r.s + turn_s * r.c);
    BeamStation x = {.c = c, .s = s};
    x.change = strains(e, c, s);
    x.change.Gamma_1 += turn_c_1 * r.strain.Gamma_1 + turn_s * r.strain.Gamma_2;
    x.change.Gamma_2 += turn_c_1 * r.strain.Gamma_2 - turn_s * r.strain.Gamma_1;
    x.strain = (BeamStrains){r.strain.Gamma_1 + x.change.Gamma_1,
                             r.strain.Gamma_2 + x.change.Gamma_2, mesh->kappa + x.change.kappa};
    return x;
}

BeamStation beam_station(const BodyView* b, const BeamMesh* mesh, const BeamSection* section,
                         const BeamPoint* p, int k, bool rates) {
    const int first = BEAM_NODE * mesh->order * k;
    BeamStation x = deform(mesh, p, k, b->q + first);
    if (rates || section->tau > 0.0) {
        double e_t[BEAM_N_E];
        interpolate(mesh, p, b->u + first, e_t);
        x.theta_t = e_t[BEAM_THETA];
        x.rate = strains(e_t, x.c, x.s);
        x.rate.Gamma_1 += x.strain.Gamma_2 * x.theta_t;
        x.rate.Gamma_2 -= x.strain.Gamma_1 * x.theta_t;
    }
    x.N = section->EA * (x.change.Gamma_1 + section->tau * x.rate.Gamma_1);
    x.Q = section->GA * (x.change.Gamma_2 + section->tau * x.rate.Gamma_2);
    x.M = section->EI * (x.change.kappa + section->tau * x.rate.kappa);
    return x;
}

void beam_conjugate_forces(const BeamStation* x, double* g) {
    g[BEAM_X] = x->c * x->N - x->s * x->Q;
    g[BEAM_Y] = x->s * x->N + x->c * x->Q;
    g[BEAM_THETA] = x->N * x->strain.Gamma_2 - x->Q * x->strain.Gamma_1;
    g[BEAM_KAPPA] = x->M;
}

void beam_conjugate_tangent(const BeamStation* x, const BeamSection* section, double k, double d,
                            double g_e[BEAM_N_E][BEAM_N_E]) {
    const double tau = section->tau;
    const double gain = k + tau * d;  // of what strains and their rates have in common
    const double Gamma_1_e[BEAM_N_E] = {x->c, x->s, x->strain.Gamma_2, 0.0};
    const double Gamma_2_e[BEAM_N_E] = {-x->s, x->c, -x->strain.Gamma_1, 0.0};
    const double rate_1_e[BEAM_N_E] = {-x->s * x->theta_t, x->c * x->theta_t, x->rate.Gamma_2, 0.0};
    const double rate_2_e[BEAM_N_E] = {-x->c * x->theta_t, -x->s * x->theta_t, -x->rate.Gamma_1,
                                       0.0};
    for (int j = 0; j < BEAM_N_E; j++) {
        const double N_e = section->EA * (gain * Gamma_1_e[j] + k * tau * rate_1_e[j]);
        const double Q_e = section->GA * (gain * Gamma_2_e[j] + k * tau * rate_2_e[j]);
        g_e[BEAM_X][j] = x->c * N_e - x->s * Q_e;
        g_e[BEAM_Y][j] = x->s * N_e + x->c * Q_e;
        g_e[BEAM_THETA][j] = x->strain.Gamma_2 * N_e - x->strain.Gamma_1 * Q_e +
                             k * (x->N * Gamma_2_e[j] - x->Q * Gamma_1_e[j]);
        g_e[BEAM_KAPPA][j] = 0.0;
    }
    g_e[BEAM_X][BEAM_THETA] -= k * (x->s * x->N + x->c * x->Q);
    g_e[BEAM_Y][BEAM_THETA] += k * (x->c * x->N - x->s * x->Q);
    g_e[BEAM_KAPPA][BEAM_KAPPA] = gain * section->EI;
}

// Of S^T g_e S, the nodes i and j, w_i being -w N_i and so on. Curvature has no part in other
// forces.
static inline void add_pair(double N_i, double N_s_i, double N_j, double N_s_j,
                            double g_e[BEAM_N_E][BEAM_N_E], int n, double* entry) {
    const double slopes = N_s_i * N_s_j;
    const double mixed = N_s_i * N_j;
    const double turned = N_i * N_s_j;
    entry[0] += slopes * g_e[BEAM_X][BEAM_X];
    entry[1] += slopes * g_e[BEAM_X][BEAM_Y];
    entry[2] += mixed * g_e[BEAM_X][BEAM_THETA];
    entry[n] += slopes * g_e[BEAM_Y][BEAM_X];
    entry[n + 1] += slopes * g_e[BEAM_Y][BEAM_Y];
    entry[n + 2] += mixed * g_e[BEAM_Y][BEAM_THETA];
    entry[2 * n] += turned * g_e[BEAM_THETA][BEAM_X];
    entry[2 * n + 1] += turned * g_e[BEAM_THETA][BEAM_Y];
    entry[2 * n + 2] +=
        N_i * N_j * g_e[BEAM_THETA][BEAM_THETA] + slopes * g_e[BEAM_KAPPA][BEAM_KAPPA];
}

// order is a number where it is called.
static inline void add_stiffness(int order, const BeamPoint* p, double g_e[BEAM_N_E][BEAM_N_E],
                                 bool symmetric, double* block) {
    const int n = BEAM_NODE * (order + 1);
    for (int i = 0; i <= order; i++) {
        for (int j = symmetric ? i : 0; j <= order; j++) {
            add_pair(-p->w * p->N[i], -p->w * p->N_s[i], p->N[j], p->N_s[j], g_e, n,
                     block + BEAM_NODE * (i * n + j));
        }
    }
}

void beam_add_stiffness(const BeamMesh* mesh, const BeamPoint* p, double g_e[BEAM_N_E][BEAM_N_E],
                        bool symmetric, double* block) {
    if (mesh->order == 1) {
        add_stiffness(1, p, g_e, symmetric, block);
    } else {
        add_stiffness(2, p, g_e, symmetric, block);
    }
}
