#include "system/derivatives.h"

#include <string.h>

// The two frames of a link as dual numbers, displaced (or with changed velocity) along one column.
static void vary(const Configuration* c, const Link* link, int displaced, int sped,
                 DualFrame frames[2]) {
    const int markers[2] = {link->marker_a, link->marker_b};
    for (int side = 0; side < 2; side++) {
        const int first = side * TWIST_SIZE;
        const int j = displaced >= first && displaced < first + TWIST_SIZE ? displaced - first : -1;
        const int k = sped >= first && sped < first + TWIST_SIZE ? sped - first : -1;
        frames[side] = frame_vary(&c->frames[c->markers[markers[side]].frame], j, k);
    }
}

static Dual dual_velocity(const DualFrame frames[2], const Dual* W) {
    Dual sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const DualFrame* f = &frames[side];
        const Dual* w = W + side * TWIST_SIZE;
        sum += w[0] * f->v.x + w[1] * f->v.y + w[2] * f->v.z;
        sum += w[3] * f->Omega.x + w[4] * f->Omega.y + w[5] * f->Omega.z;
    }
    return sum;
}

void system_row_derivatives(const Configuration* c, const Link* link, RowDerivatives* d) {
    Surroundings s = system_surroundings(c, link);
    s.zeta = true;
    memset(d, 0, sizeof *d);
    for (int k = 0; k < link->coupling.n; k++) {
        DualFrame frames[2];
        DualRows rows;
        vary(c, link, link->coupling.column[k], -1, frames);
        link->rows->rows_dual(&s, &frames[0], &frames[1], &rows);
        for (int i = 0; i < link->rows->n_rows; i++) {
            d->g_q[i][k] = dual_derivative(rows.g[i]);
            d->gamma_q[i][k] = dual_derivative(dual_velocity(frames, rows.W[i]) + rows.g_t[i]);
            d->zeta_q[i][k] = dual_derivative(rows.zeta[i]);
            for (int j = 0; j < LOCAL_SIZE; j++) {
                d->W_q[k][i][j] = dual_derivative(rows.W[i][j]);
            }
        }
        vary(c, link, -1, link->coupling.column[k], frames);
        link->rows->rows_dual(&s, &frames[0], &frames[1], &rows);
        for (int i = 0; i < link->rows->n_rows; i++) {
            d->zeta_u[i][k] = dual_derivative(rows.zeta[i]);
        }
    }
}

void system_force_derivatives(const Configuration* c, const Link* link, double* K, double* D) {
    const Surroundings s = system_surroundings(c, link);
    const ForceFunctions* force = link->element->kind->force;
    for (int k = 0; k < link->coupling.n; k++) {
        const int column = link->coupling.column[k];
        double* const results[2] = {K, D};
        for (int which = 0; which < 2; which++) {
            DualFrame frames[2];
            Dual F[LOCAL_SIZE] = {0.0};
            vary(c, link, which == 0 ? column : -1, which == 1 ? column : -1, frames);
            force->force_dual(&s, &frames[0], &frames[1], F);
            for (int i = 0; i < LOCAL_SIZE; i++) {
                results[which][i * LOCAL_SIZE + k] = dual_derivative(F[i]);
            }
        }
    }
}
