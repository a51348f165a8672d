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

// e at a point of integration, from the values (d_x, d_y, vartheta) of the element's nodes
static void interpolate(const BeamMesh* mesh, const BeamPoint* p, const double* nodes, double* e) {
    memset(e, 0, BEAM_N_E * sizeof(double));
    for (int i = 0; i <= mesh->order; i++) {
        e[BEAM_X] += p->N_s[i] * nodes[BEAM_NODE * i];
        e[BEAM_Y] += p->N_s[i] * nodes[BEAM_NODE * i + 1];
        e[BEAM_THETA] += p->N[i] * nodes[BEAM_NODE * i + 2];
        e[BEAM_KAPPA] += p->N_s[i] * nodes[BEAM_NODE * i + 2];
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
BeamStation beam_station(const BodyView* b, const BeamMesh* mesh, const BeamSection* section,
                         const BeamPoint* p, int k) {
    const int first = BEAM_NODE * mesh->order * k;
    double e[BEAM_N_E];
    double e_t[BEAM_N_E];
    interpolate(mesh, p, b->q + first, e);
    interpolate(mesh, p, b->u + first, e_t);
    const Relaxed r = relaxed_at(mesh, p, k);
    const double turn_s = sin(e[BEAM_THETA]);
    const double half_s = sin(0.5 * e[BEAM_THETA]);
    const double turn_c_1 = -2.0 * half_s * half_s;  // cos - 1
    const double c = r.c + (turn_c_1 * r.c - turn_s * r.s);
    const double s = r.s + (turn_c_1 * r.s + turn_s * r.c);
    BeamStation x = {.c = c, .s = s, .theta_t = e_t[BEAM_THETA]};
    x.change = strains(e, c, s);
    x.change.Gamma_1 += turn_c_1 * r.strain.Gamma_1 + turn_s * r.strain.Gamma_2;
    x.change.Gamma_2 += turn_c_1 * r.strain.Gamma_2 - turn_s * r.strain.Gamma_1;
    x.strain = (BeamStrains){r.strain.Gamma_1 + x.change.Gamma_1,
                             r.strain.Gamma_2 + x.change.Gamma_2, mesh->kappa + x.change.kappa};
    x.rate = strains(e_t, c, s);
    x.rate.Gamma_1 += x.strain.Gamma_2 * x.theta_t;
    x.rate.Gamma_2 -= x.strain.Gamma_1 * x.theta_t;
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
