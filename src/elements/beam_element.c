#include "elements/beam_element.h"

#include <math.h>
#include <string.h>

Vec2 beam_relaxed_place(const BeamMesh* mesh, double s) {
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

// e at a point of integration, from the values (d_x, d_y, theta) of the element's nodes
static void interpolate(const BeamMesh* mesh, const BeamPoint* p, const double* nodes, double* e) {
    memset(e, 0, BEAM_N_E * sizeof(double));
    for (int i = 0; i <= mesh->order; i++) {
        e[BEAM_X] += p->N_s[i] * nodes[BEAM_NODE * i];
        e[BEAM_Y] += p->N_s[i] * nodes[BEAM_NODE * i + 1];
        e[BEAM_THETA] += p->N[i] * nodes[BEAM_NODE * i + 2];
        e[BEAM_KAPPA] += p->N_s[i] * nodes[BEAM_NODE * i + 2];
    }
}

// r_0' of the interpolated relaxed beam at a point of integration of element number k
static Vec2 relaxed_slope(const BeamMesh* mesh, const BeamPoint* p, int k) {
    Vec2 slope = {mesh->c, mesh->s};
    if (mesh->kappa != 0.0) {
        slope = (Vec2){0.0, 0.0};
        for (int i = 0; i <= mesh->order; i++) {
            const Vec2 r = beam_relaxed_place(mesh, (k + (double)i / mesh->order) * mesh->h);
            slope.x += p->N_s[i] * r.x;
            slope.y += p->N_s[i] * r.y;
        }
    }
    return slope;
}

// The strains of the relaxed beam, interpolated as any other state is
static BeamStrains relaxed_strains(const BeamMesh* mesh, const BeamPoint* p, int k, Vec2 slope) {
    double s = 0.0;
    for (int i = 0; i <= mesh->order; i++) {
        s += p->N[i] * (k + (double)i / mesh->order) * mesh->h;
    }
    const double turn = mesh->kappa * s;
    const double e[BEAM_N_E] = {slope.x, slope.y, 0.0, mesh->kappa};
    return strains(e, mesh->c * cos(turn) - mesh->s * sin(turn),
                   mesh->s * cos(turn) + mesh->c * sin(turn));
}

BeamStation beam_station(const BodyView* b, const BeamMesh* mesh, const BeamSection* section,
                         const BeamPoint* p, int k) {
    const int first = BEAM_NODE * mesh->order * k;
    double e[BEAM_N_E];
    double e_t[BEAM_N_E];
    const Vec2 slope = relaxed_slope(mesh, p, k);
    interpolate(mesh, p, b->q + first, e);
    interpolate(mesh, p, b->u + first, e_t);
    e[BEAM_X] += slope.x;
    e[BEAM_Y] += slope.y;
    BeamStation x = {.c = cos(e[BEAM_THETA]), .s = sin(e[BEAM_THETA]), .theta_t = e_t[BEAM_THETA]};
    x.strain = strains(e, x.c, x.s);
    x.relaxed = relaxed_strains(mesh, p, k, slope);
    x.rate = strains(e_t, x.c, x.s);
    x.rate.Gamma_1 += x.strain.Gamma_2 * x.theta_t;
    x.rate.Gamma_2 -= x.strain.Gamma_1 * x.theta_t;
    const double tau = section->tau;
    x.N = section->EA * (x.strain.Gamma_1 - x.relaxed.Gamma_1 + tau * x.rate.Gamma_1);
    x.Q = section->GA * (x.strain.Gamma_2 - x.relaxed.Gamma_2 + tau * x.rate.Gamma_2);
    x.M = section->EI * (x.strain.kappa - x.relaxed.kappa + tau * x.rate.kappa);
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

void beam_add_stiffness(const BeamMesh* mesh, const BeamPoint* p, double g_e[BEAM_N_E][BEAM_N_E],
                        int n, double* block) {
    for (int i = 0; i <= mesh->order; i++) {
        const double S_i[BEAM_NODE][BEAM_N_E] = {
            {p->N_s[i]}, {0.0, p->N_s[i]}, {0.0, 0.0, p->N[i], p->N_s[i]}};
        double row[BEAM_NODE][BEAM_N_E] = {{0.0}};
        for (int a = 0; a < BEAM_NODE; a++) {
            for (int e = a; e < BEAM_N_E; e++) {
                for (int f = 0; f < BEAM_N_E; f++) {
                    row[a][f] -= p->w * S_i[a][e] * g_e[e][f];
                }
            }
        }
        for (int j = 0; j <= mesh->order; j++) {
            for (int a = 0; a < BEAM_NODE; a++) {
                double* entry = block + (BEAM_NODE * i + a) * n + BEAM_NODE * j;
                entry[0] += row[a][BEAM_X] * p->N_s[j];
                entry[1] += row[a][BEAM_Y] * p->N_s[j];
                entry[2] += row[a][BEAM_THETA] * p->N[j] + row[a][BEAM_KAPPA] * p->N_s[j];
            }
        }
    }
}
