#include "elements/spline_station.h"

#include <math.h>

static void put(Vec2 a, double* e) {
    e[0] = a.x;
    e[1] = a.y;
}

// eps'' applied to e_t: (1 - t t^T) r'_t / |r'|, t = r' / |r'|
static void eps_second(const SplineStation* x, Vec2 r_s_t, double* y) {
    const double along = dot2(x->r_s, r_s_t) / (x->stretch * x->stretch);
    put(scale2(1.0 / x->stretch, sub2(r_s_t, scale2(along, x->r_s))), y + SPLINE_S);
    put((Vec2){0.0, 0.0}, y + SPLINE_SS);
}

static Vec2 part(const double* e, int at) { return (Vec2){e[at], e[at + 1]}; }

// kappa'' applied to a change (p, c) of (r', r''), with B = |r'|^2:
//   kappa_pp = -2/B (r' kappa_p^T + kappa_p r'^T + kappa),  kappa_cp = J/B - 2/B kappa_c r'^T
static void kappa_second(const SplineStation* x, Vec2 p, Vec2 c, double* y) {
    const double B = x->stretch * x->stretch;
    const Vec2 kappa_p = part(x->kappa_e, SPLINE_S);
    const Vec2 kappa_c = part(x->kappa_e, SPLINE_SS);
    const double along = dot2(x->r_s, p);
    // kappa_pp p + kappa_pc c
    const Vec2 own = add2(scale2(dot2(kappa_p, p) + dot2(kappa_c, c), x->r_s),
                          add2(scale2(along, kappa_p), scale2(x->kappa, p)));
    put(scale2(-2.0 / B, add2(own, scale2(0.5, left2(c)))), y + SPLINE_S);
    put(add2(scale2(1.0 / B, left2(p)), scale2(-2.0 * along / B, kappa_c)), y + SPLINE_SS);
}

// With r' = r_0' + d' and so on, B = |r'|^2 = B_0 + b, r' x r'' = A_0 + a:
//   |r'| - |r_0'| = b / (|r'| + |r_0'|),  A / B - A_0 / B_0 = (a - kappa_0 b) / B,
// in which nothing of the size of 1 cancels.
static void strains(const double* point, Vec2 d_s, Vec2 d_ss, SplineStation* x) {
    const Vec2 r_0_s = part(point, POINT_R_S);
    const Vec2 r_0_ss = part(point, POINT_R_SS);
    const double b = 2.0 * dot2(r_0_s, d_s) + dot2(d_s, d_s);
    const double a = cross2(r_0_s, d_ss) + cross2(d_s, r_0_ss) + cross2(d_s, d_ss);
    x->r_s = add2(r_0_s, d_s);
    x->stretch = length2(x->r_s);
    const double B = x->stretch * x->stretch;
    const Vec2 r_ss = add2(r_0_ss, d_ss);
    x->eps_change = b / (x->stretch + point[POINT_STRETCH]);
    x->kappa_change = (a - point[POINT_KAPPA] * b) / B;
    x->kappa = point[POINT_KAPPA] + x->kappa_change;
    put(scale2(1.0 / x->stretch, x->r_s), x->eps_e + SPLINE_S);
    put((Vec2){0.0, 0.0}, x->eps_e + SPLINE_SS);
    put(scale2(-1.0 / B, add2(left2(r_ss), scale2(2.0 * x->kappa, x->r_s))), x->kappa_e + SPLINE_S);
    put(scale2(1.0 / B, left2(x->r_s)), x->kappa_e + SPLINE_SS);
}

static SplineStation strains_at(const BodyView* b, const SplineMesh* mesh, const double* point,
                                int k) {
    const double* N_s = point + POINT_FUNCTIONS;
    const double* N_ss = N_s + spline_functions_of(mesh);
    const Vec2 r_s_t = spline_sum(mesh, N_s, k, b->u);
    const Vec2 r_ss_t = spline_sum(mesh, N_ss, k, b->u);
    SplineStation x = {.N = 0.0};
    strains(point, spline_sum(mesh, N_s, k, b->q), spline_sum(mesh, N_ss, k, b->q), &x);
    x.eps_rate = dot2(part(x.eps_e, SPLINE_S), r_s_t);
    x.kappa_rate =
        dot2(part(x.kappa_e, SPLINE_S), r_s_t) + dot2(part(x.kappa_e, SPLINE_SS), r_ss_t);
    eps_second(&x, r_s_t, x.eps_rate_e);
    kappa_second(&x, r_s_t, r_ss_t, x.kappa_rate_e);
    return x;
}

static void set_forces(const BeamSection* section, const SplineStretch* stretch, SplineStation* x) {
    x->eps_taken = stretch->mean + stretch->own * (x->eps_change - stretch->mean);
    x->eps_rate_taken = stretch->mean_rate + stretch->own * (x->eps_rate - stretch->mean_rate);
    x->N = section->EA * (x->eps_taken + section->tau * x->eps_rate_taken);
    x->M = section->EI * (x->kappa_change + section->tau * x->kappa_rate);
}

// 1 / (1 + (h/t)^2), t being the height of a rectangle of these stiffnesses
static double own_share(const SplineMesh* mesh, const BeamSection* section) {
    const double square = 12.0 * section->EI / section->EA;
    return mesh->mean_stretch ? square / (square + mesh->h * mesh->h) : 1.0;
}

SplineStretch spline_element(const BodyView* b, const SplineMesh* mesh, const BeamSection* section,
                             int k, SplineStation* x) {
    SplineStretch stretch = {.own = own_share(mesh, section)};
    for (int p = 0; p < mesh->n_points; p++) {
        const double* point = spline_point(mesh, b->constants, k, p);
        x[p] = strains_at(b, mesh, point, k);
        stretch.mean += point[POINT_WEIGHT] / mesh->h * x[p].eps_change;
        stretch.mean_rate += point[POINT_WEIGHT] / mesh->h * x[p].eps_rate;
    }
    for (int p = 0; p < mesh->n_points; p++) {
        set_forces(section, &stretch, &x[p]);
    }
    return stretch;
}

SplineStation spline_station(const BodyView* b, const SplineMesh* mesh, const BeamSection* section,
                             const double* point, int k) {
    SplineStation points[GAUSS_MAX_POINTS];
    const SplineStretch stretch = spline_element(b, mesh, section, k, points);
    SplineStation x = strains_at(b, mesh, point, k);
    set_forces(section, &stretch, &x);
    return x;
}

void spline_conjugate_forces(const SplineStation* x, double* g) {
    for (int i = 0; i < SPLINE_N_E; i++) {
        g[i] = x->N * x->eps_e[i] + x->M * x->kappa_e[i];
    }
}

void spline_conjugate_tangent(const SplineStation* x, const BeamSection* section, double own,
                              double k, double d, double g_e[SPLINE_N_E][SPLINE_N_E]) {
    const double gain = k + section->tau * d;  // of what strains and their rates have in common
    for (int j = 0; j < SPLINE_N_E; j++) {
        const Vec2 p = {j == SPLINE_S, j == SPLINE_S + 1};
        const Vec2 c = {j == SPLINE_SS, j == SPLINE_SS + 1};
        const double N_j =
            own * section->EA * (gain * x->eps_e[j] + k * section->tau * x->eps_rate_e[j]);
        const double M_j =
            section->EI * (gain * x->kappa_e[j] + k * section->tau * x->kappa_rate_e[j]);
        double eps_j[SPLINE_N_E];
        double kappa_j[SPLINE_N_E];
        eps_second(x, p, eps_j);
        kappa_second(x, p, c, kappa_j);
        for (int i = 0; i < SPLINE_N_E; i++) {
            g_e[i][j] =
                x->eps_e[i] * N_j + x->kappa_e[i] * M_j + k * (x->N * eps_j[i] + x->M * kappa_j[i]);
        }
    }
}
