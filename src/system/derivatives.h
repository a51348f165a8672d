// Exact derivatives of the rows of joints and contacts, and of forces, in the displacements
// (dr, dtheta) and velocities of the bodies they couple, per velocity k of their coupling:
//   g_q = dg, gamma_q = d(W u + g_t), zeta_q, zeta_u, and W_q, of which the products
//   d(W^T la) and d(W a) follow.
// Twists T u of points on bodies that are not rigid are varied with their T, which bends with q.
#pragma once

#include "system/system.h"

typedef struct RowDerivatives {
    double g_q[MAX_ROWS][COUPLING_MAX];
    double gamma_q[MAX_ROWS][COUPLING_MAX];
    double zeta_q[MAX_ROWS][COUPLING_MAX];
    double zeta_u[MAX_ROWS][COUPLING_MAX];
    double W_q[COUPLING_MAX][MAX_ROWS][COUPLING_MAX];  // [k]: change of W along velocity k
} RowDerivatives;

void system_row_derivatives(const Instant* instant, const Link* link, RowDerivatives* d);

// K, D (n x n, row-major, n = coupling.n): derivatives of a force in displacements and velocities;
// NULL: not wanted
void system_force_derivatives(const Instant* instant, const Link* link, double* K, double* D);

// B (n x n, row-major): the derivative in displacements of the force W mu that the multipliers
// mu (la.n) of a joint or law make
void system_force_of_rows_derivative(const Instant* instant, const Link* link, const double* mu,
                                     double* B);

// gamma_q (la.n x n, row-major): the derivative in displacements of the velocities of a joint's
// rows
void system_row_rates_derivative(const Instant* instant, const Link* link, double* gamma_q);
