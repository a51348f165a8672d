// Exact derivatives of the rows of joints and contacts in the displacements (dr, dtheta) and
// velocities of the bodies they couple: what an exact Newton matrix needs. Along coupling entry k:
//   g_q = dg, gamma_q = d(W u + g_t), zeta_q, zeta_u, and W_q, of which the products
//   d(W^T la) and d(W a) follow.
#pragma once

#include "system/system.h"

typedef struct RowDerivatives {
    double g_q[MAX_ROWS][LOCAL_SIZE];
    double gamma_q[MAX_ROWS][LOCAL_SIZE];
    double zeta_q[MAX_ROWS][LOCAL_SIZE];
    double zeta_u[MAX_ROWS][LOCAL_SIZE];
    double W_q[LOCAL_SIZE][MAX_ROWS][LOCAL_SIZE];  // [k]: change of W along entry k
} RowDerivatives;

void system_row_derivatives(const Instant* instant, const Link* link, RowDerivatives* d);

// K, D (LOCAL_SIZE x LOCAL_SIZE, row-major; rows: twist components, columns: coupling entries):
// derivatives of a force in displacements and velocities; NULL: not wanted
void system_force_derivatives(const Instant* instant, const Link* link, double* K, double* D);
