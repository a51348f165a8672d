#include "system/derivatives.h"

#include <stddef.h>
#include <string.h>

// --- frames as dual numbers ---

static const Frame* side_frame(const Instant* instant, const Link* link, int side) {
    const int marker = side == 0 ? link->marker_a : link->marker_b;
    return &instant->frames[instant->properties->markers[marker].frame];
}

// The two frames of a link
static void take_frames(const Instant* instant, const Link* link, DualFrame frames[2]) {
    frames[0] = frame_vary(side_frame(instant, link, 0), -1, -1);
    frames[1] = frame_vary(side_frame(instant, link, 1), -1, -1);
}

// One of them displaced, or with changed velocity, along a component of the two twists
static DualFrame varied(const Instant* instant, const Link* link, int column, bool velocity) {
    const int component = column % TWIST_SIZE;
    return frame_vary(side_frame(instant, link, column / TWIST_SIZE), velocity ? -1 : component,
                      velocity ? component : -1);
}

static bool moves(const Link* link, int column) {
    return (link->coupling.moving >> column & 1U) != 0;
}

// --- rows ---

// Derivatives along the components of the two twists, those that cannot change being zero
typedef struct TwistDerivatives {
    double g_q[MAX_ROWS][LOCAL_SIZE];
    double gamma_q[MAX_ROWS][LOCAL_SIZE];
    double zeta_q[MAX_ROWS][LOCAL_SIZE];
    double zeta_u[MAX_ROWS][LOCAL_SIZE];
    double W_q[LOCAL_SIZE][MAX_ROWS][LOCAL_SIZE];
} TwistDerivatives;

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

static void take_rows(const DualFrame frames[2], const DualRows* rows, int n_rows, int column,
                      TwistDerivatives* d) {
    for (int r = 0; r < n_rows; r++) {
        d->g_q[r][column] = dual_derivative(rows->g[r]);
        d->gamma_q[r][column] = dual_derivative(dual_velocity(frames, rows->W[r]) + rows->g_t[r]);
        d->zeta_q[r][column] = dual_derivative(rows->zeta[r]);
        for (int j = 0; j < LOCAL_SIZE; j++) {
            d->W_q[column][r][j] = dual_derivative(rows->W[r][j]);
        }
    }
}

static void twist_derivatives(const Instant* instant, const Link* link, TwistDerivatives* d) {
    Surroundings s = system_surroundings(instant, link);
    s.zeta = true;
    DualFrame frames[2];
    take_frames(instant, link, frames);
    memset(d, 0, sizeof *d);
    for (int column = 0; column < LOCAL_SIZE; column++) {
        if (!moves(link, column)) {
            continue;
        }
        DualRows rows;
        DualFrame* frame = &frames[column / TWIST_SIZE];
        const DualFrame unvaried = *frame;
        *frame = varied(instant, link, column, false);
        link->rows->rows_dual(&s, &frames[0], &frames[1], &rows);
        take_rows(frames, &rows, link->rows->n_rows, column, d);
        *frame = varied(instant, link, column, true);
        link->rows->rows_dual(&s, &frames[0], &frames[1], &rows);
        for (int r = 0; r < link->rows->n_rows; r++) {
            d->zeta_u[r][column] = dual_derivative(rows.zeta[r]);
        }
        *frame = unvaried;
    }
}

void system_row_derivatives(const Instant* instant, const Link* link, RowDerivatives* d) {
    TwistDerivatives twist;
    twist_derivatives(instant, link, &twist);
    memset(d, 0, sizeof *d);
    for (int r = 0; r < link->rows->n_rows; r++) {
        system_project(instant, link, twist.g_q[r], d->g_q[r]);
        system_project(instant, link, twist.gamma_q[r], d->gamma_q[r]);
        system_project(instant, link, twist.zeta_q[r], d->zeta_q[r]);
        system_project(instant, link, twist.zeta_u[r], d->zeta_u[r]);
        double of_twist[LOCAL_SIZE][COUPLING_MAX];  // change of W along components of the twists
        for (int column = 0; column < LOCAL_SIZE; column++) {
            system_project(instant, link, twist.W_q[column][r], of_twist[column]);
        }
        for (int j = 0; j < link->coupling.n; j++) {
            double along[LOCAL_SIZE];
            double projected[COUPLING_MAX];
            for (int column = 0; column < LOCAL_SIZE; column++) {
                along[column] = of_twist[column][j];
            }
            system_project(instant, link, along, projected);
            for (int k = 0; k < link->coupling.n; k++) {
                d->W_q[k][r][j] = projected[k];
            }
        }
    }
}

// --- square blocks: derivatives of forces ---

// B (n x n) from the derivatives F_q (LOCAL_SIZE columns, each by component of the twists)
static void project_block(const Instant* instant, const Link* link,
                          double F_q[LOCAL_SIZE][LOCAL_SIZE], double* B) {
    const Coupling* coupling = &link->coupling;
    const int n = coupling->n;
    if (coupling->column != NULL) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                B[i * n + k] = F_q[coupling->column[k]][coupling->column[i]];
            }
        }
        return;
    }
    double columns[LOCAL_SIZE][COUPLING_MAX];
    for (int c = 0; c < LOCAL_SIZE; c++) {
        if (moves(link, c)) {
            system_project(instant, link, F_q[c], columns[c]);
        } else {
            memset(columns[c], 0, sizeof columns[c]);
        }
    }
    for (int i = 0; i < n; i++) {
        double along[LOCAL_SIZE];
        for (int c = 0; c < LOCAL_SIZE; c++) {
            along[c] = columns[c][i];
        }
        system_project(instant, link, along, B + i * n);
    }
}

void system_force_derivatives(const Instant* instant, const Link* link, double* K, double* D) {
    const Surroundings s = system_surroundings(instant, link);
    const ForceFunctions* force = link->element->kind->force;
    double* const results[2] = {K, D};
    double F_q[LOCAL_SIZE][LOCAL_SIZE];
    DualFrame frames[2];
    take_frames(instant, link, frames);
    for (int which = 0; which < 2; which++) {
        for (int column = 0; column < LOCAL_SIZE && results[which] != NULL; column++) {
            if (!moves(link, column)) {
                continue;
            }
            Dual F[LOCAL_SIZE] = {0.0};
            DualFrame* frame = &frames[column / TWIST_SIZE];
            const DualFrame unvaried = *frame;
            *frame = varied(instant, link, column, which == 1);
            force->force_dual(&s, &frames[0], &frames[1], F);
            *frame = unvaried;
            for (int i = 0; i < LOCAL_SIZE; i++) {
                F_q[column][i] = dual_derivative(F[i]);
            }
        }
        if (results[which] != NULL) {
            project_block(instant, link, F_q, results[which]);
        }
    }
}

// --- rows ---

// Displaces one of the two frames along a component of the two twists and evaluates the rows; the
// frame as it was.
static DualFrame vary_rows(const Instant* instant, const Link* link, const Surroundings* s,
                           int column, DualFrame* frames, DualRows* rows) {
    DualFrame* frame = &frames[column / TWIST_SIZE];
    const DualFrame unvaried = *frame;
    *frame = varied(instant, link, column, false);
    link->rows->rows_dual(s, &frames[0], &frames[1], rows);
    return unvaried;
}

// Rows depend on the frames' places relative to each other: moving both along changes nothing, so
// that translations of the first frame are minus those of the second.
static bool take_from_other_side(const Link* link, int column) {
    return column % TWIST_SIZE < 3 && column < TWIST_SIZE && moves(link, column + TWIST_SIZE);
}

void system_force_of_rows_derivative(const Instant* instant, const Link* link, const double* mu,
                                     double* B) {
    const Surroundings s = system_surroundings(instant, link);
    double F_q[LOCAL_SIZE][LOCAL_SIZE];
    DualFrame frames[2];
    take_frames(instant, link, frames);
    for (int column = LOCAL_SIZE - 1; column >= 0; column--) {
        double* F = F_q[column];
        if (!moves(link, column)) {
            continue;
        }
        if (take_from_other_side(link, column)) {
            for (int j = 0; j < LOCAL_SIZE; j++) {
                F[j] = -F_q[column + TWIST_SIZE][j];
            }
            continue;
        }
        memset(F, 0, LOCAL_SIZE * sizeof(double));
        if (link->rows->turns_only && column % TWIST_SIZE < 3) {
            continue;
        }
        DualRows rows;
        const DualFrame unvaried = vary_rows(instant, link, &s, column, frames, &rows);
        frames[column / TWIST_SIZE] = unvaried;
        for (int r = 0; r < link->la.n; r++) {
            for (int j = 0; j < LOCAL_SIZE; j++) {
                F[j] += mu[r] * dual_derivative(rows.W[r][j]);
            }
        }
    }
    project_block(instant, link, F_q, B);
}

void system_row_rates_derivative(const Instant* instant, const Link* link, double* gamma_q) {
    const Surroundings s = system_surroundings(instant, link);
    double of_twist[MAX_ROWS][LOCAL_SIZE] = {{0.0}};
    DualFrame frames[2];
    take_frames(instant, link, frames);
    for (int column = 0; column < LOCAL_SIZE; column++) {
        const bool place = column % TWIST_SIZE < 3;
        if (!moves(link, column) || (link->rows->turns_only && place)) {
            continue;
        }
        DualRows rows;
        const DualFrame unvaried = vary_rows(instant, link, &s, column, frames, &rows);
        for (int r = 0; r < link->la.n; r++) {
            of_twist[r][column] = dual_derivative(dual_velocity(frames, rows.W[r]) + rows.g_t[r]);
        }
        frames[column / TWIST_SIZE] = unvaried;
    }
    for (int r = 0; r < link->la.n; r++) {
        system_project(instant, link, of_twist[r], gamma_q + (ptrdiff_t)r * link->coupling.n);
    }
}
