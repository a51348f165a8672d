#include "system/derivatives.h"

#include <string.h>

// The two frames of a link as dual numbers
static void take_frames(const Instant* instant, const Link* link, DualFrame frames[2]) {
    frames[0] =
        frame_vary(&instant->frames[instant->properties->markers[link->marker_a].frame], -1, -1);
    frames[1] =
        frame_vary(&instant->frames[instant->properties->markers[link->marker_b].frame], -1, -1);
}

// One of them displaced, or with changed velocity, along a column
static DualFrame varied(const Instant* instant, const Link* link, int column, bool velocity) {
    const int marker = column < TWIST_SIZE ? link->marker_a : link->marker_b;
    const int component = column % TWIST_SIZE;
    return frame_vary(&instant->frames[instant->properties->markers[marker].frame],
                      velocity ? -1 : component, velocity ? component : -1);
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

void system_row_derivatives(const Instant* instant, const Link* link, RowDerivatives* d) {
    Surroundings s = system_surroundings(instant, link);
    s.zeta = true;
    DualFrame frames[2];
    take_frames(instant, link, frames);
    memset(d, 0, sizeof *d);
    for (int k = 0; k < link->coupling.n; k++) {
        DualRows rows;
        DualFrame* frame = &frames[link->coupling.column[k] / TWIST_SIZE];
        const DualFrame unvaried = *frame;
        *frame = varied(instant, link, link->coupling.column[k], false);
        link->rows->rows_dual(&s, &frames[0], &frames[1], &rows);
        for (int i = 0; i < link->rows->n_rows; i++) {
            d->g_q[i][k] = dual_derivative(rows.g[i]);
            d->gamma_q[i][k] = dual_derivative(dual_velocity(frames, rows.W[i]) + rows.g_t[i]);
            d->zeta_q[i][k] = dual_derivative(rows.zeta[i]);
            for (int j = 0; j < LOCAL_SIZE; j++) {
                d->W_q[k][i][j] = dual_derivative(rows.W[i][j]);
            }
        }
        *frame = varied(instant, link, link->coupling.column[k], true);
        link->rows->rows_dual(&s, &frames[0], &frames[1], &rows);
        for (int i = 0; i < link->rows->n_rows; i++) {
            d->zeta_u[i][k] = dual_derivative(rows.zeta[i]);
        }
        *frame = unvaried;
    }
}

void system_force_derivatives(const Instant* instant, const Link* link, double* K, double* D) {
    const Surroundings s = system_surroundings(instant, link);
    const ForceFunctions* force = link->element->kind->force;
    double* const results[2] = {K, D};
    DualFrame frames[2];
    take_frames(instant, link, frames);
    for (int k = 0; k < link->coupling.n; k++) {
        const int column = link->coupling.column[k];
        DualFrame* frame = &frames[column / TWIST_SIZE];
        const DualFrame unvaried = *frame;
        for (int which = 0; which < 2; which++) {
            if (results[which] == NULL) {
                continue;
            }
            Dual F[LOCAL_SIZE] = {0.0};
            *frame = varied(instant, link, column, which == 1);
            force->force_dual(&s, &frames[0], &frames[1], F);
            for (int i = 0; i < LOCAL_SIZE; i++) {
                results[which][i * LOCAL_SIZE + k] = dual_derivative(F[i]);
            }
        }
        *frame = unvaried;
    }
}
