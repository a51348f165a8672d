#include "system/derivatives.h"

#include <stddef.h>
#include <string.h>

// --- frames as dual numbers ---

// The two frames of a link, changed along one velocity k of its coupling: displaced along it, or
// with changed velocity. Where T depends on q, so does what it makes of rows and forces.
typedef struct Varied {
    DualFrame still[ELEMENT_MAX_REFERENCES];  // unchanged
    DualFrame frames[ELEMENT_MAX_REFERENCES];
    bool bends[ELEMENT_MAX_REFERENCES];  // T of this side depends on q and stands in
    Dual T[ELEMENT_MAX_REFERENCES][TWIST_SIZE * POINT_MAX_VELOCITIES];
} Varied;

static const Frame* side_frame(const Instant* instant, const Link* link, int side) {
    const int marker = side == 0 ? link->marker_a : link->marker_b;
    return &instant->frames[instant->properties->markers[marker].frame];
}

static void take_frames(const Instant* instant, const Link* link, Varied* varied) {
    for (int side = 0; side < ELEMENT_MAX_REFERENCES; side++) {
        varied->still[side] = frame_vary(side_frame(instant, link, side), -1, -1);
    }
}

// A frame of a rigid body, changed along a component of its twist
static DualFrame vary_component(const Frame* frame, int component, bool velocity) {
    return frame_vary(frame, velocity ? -1 : component, velocity ? component : -1);
}

// A side changed along its own velocity i
static void vary_side(const Instant* instant, const Link* link, int s, int i, bool velocity,
                      Varied* varied) {
    const CouplingSide* side = &link->coupling.sides[s];
    const Frame* frame = side_frame(instant, link, s);
    if (side->twist != NULL) {
        varied->frames[s] = vary_component(frame, side->twist[i], velocity);
        return;
    }
    const FrameSource* source = side->source;
    const FramePoint* point = source->point;
    const BodyFunctions* body = source->body->kind->body;
    if (body->point_dual != NULL) {
        const BodyView view = system_point_view(instant, source->body);
        const Vec3 X = instant->properties->markers[point->marker].X;
        varied->bends[s] = true;
        body->point_dual(&view, X, point->n, point->at, i, velocity, &varied->frames[s],
                         varied->T[s]);
        return;
    }
    const double* T = instant->T + point->T + i;
    double column[TWIST_SIZE];
    for (int j = 0; j < TWIST_SIZE; j++) {
        column[j] = T[j * point->n];
    }
    varied->frames[s] = frame_vary_along(frame, column, velocity);
}

static void vary(const Instant* instant, const Link* link, int k, bool velocity, Varied* varied) {
    const Coupling* coupling = &link->coupling;
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        varied->frames[s] = varied->still[s];
        varied->bends[s] = false;
    }
    if (coupling->column != NULL) {
        const int s = coupling->column[k] / TWIST_SIZE;
        varied->frames[s] = vary_component(side_frame(instant, link, s),
                                           coupling->column[k] % TWIST_SIZE, velocity);
        return;
    }
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        for (int i = 0; i < coupling->sides[s].n; i++) {
            if (coupling->sides[s].entry[i] == k) {
                vary_side(instant, link, s, i, velocity, varied);
            }
        }
    }
}

// --- rows and forces in the velocities of the coupling ---

// The derivative of W T, one entry: W (TWIST_SIZE) belongs to the side
static double side_derivative(const Instant* instant, const CouplingSide* side, const Dual* T,
                              const Dual* W, int i) {
    if (side->twist != NULL) {
        return dual_derivative(W[side->twist[i]]);
    }
    const int n = side->n;
    double sum = 0.0;
    for (int j = 0; j < TWIST_SIZE; j++) {
        sum += dual_derivative(W[j]) * instant->T[side->source->point->T + j * n + i];
        if (T != NULL) {
            sum += dual_value(W[j]) * dual_derivative(T[j * n + i]);
        }
    }
    return sum;
}

// row (coupling.n): the derivative of a row, or force, W (LOCAL_SIZE) in the velocities
static void project_derivative(const Instant* instant, const Link* link, const Varied* varied,
                               const Dual* W, double* row) {
    const Coupling* coupling = &link->coupling;
    if (coupling->column != NULL) {
        for (int j = 0; j < coupling->n; j++) {
            row[j] = dual_derivative(W[coupling->column[j]]);
        }
        return;
    }
    memset(row, 0, (size_t)coupling->n * sizeof(double));
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        const CouplingSide* side = &coupling->sides[s];
        const Dual* T = varied->bends[s] ? varied->T[s] : NULL;
        for (int i = 0; i < side->n; i++) {
            row[side->entry[i]] += side_derivative(instant, side, T, W + s * TWIST_SIZE, i);
        }
    }
}

static double velocity_derivative(const Varied* varied, const DualRows* rows, int r) {
    Dual sum = rows->g_t[r];
    for (int side = 0; side < ELEMENT_MAX_REFERENCES; side++) {
        const DualFrame* f = &varied->frames[side];
        const Dual* w = rows->W[r] + side * TWIST_SIZE;
        sum += w[0] * f->v.x + w[1] * f->v.y + w[2] * f->v.z;
        sum += w[3] * f->Omega.x + w[4] * f->Omega.y + w[5] * f->Omega.z;
    }
    return dual_derivative(sum);
}

static void vary_rows(const Instant* instant, const Link* link, const Surroundings* s, int k,
                      bool velocity, Varied* varied, DualRows* rows) {
    vary(instant, link, k, velocity, varied);
    link->rows->rows_dual(s, &varied->frames[0], &varied->frames[1], rows);
}

void system_row_derivatives(const Instant* instant, const Link* link, RowDerivatives* d) {
    Surroundings s = system_surroundings(instant, link);
    s.zeta = true;
    Varied varied;
    DualRows rows;
    memset(d, 0, sizeof *d);
    take_frames(instant, link, &varied);
    for (int k = 0; k < link->coupling.n; k++) {
        vary_rows(instant, link, &s, k, false, &varied, &rows);
        for (int r = 0; r < link->rows->n_rows; r++) {
            d->g_q[r][k] = dual_derivative(rows.g[r]);
            d->gamma_q[r][k] = velocity_derivative(&varied, &rows, r);
            d->zeta_q[r][k] = dual_derivative(rows.zeta[r]);
            project_derivative(instant, link, &varied, rows.W[r], d->W_q[k][r]);
        }
        vary_rows(instant, link, &s, k, true, &varied, &rows);
        for (int r = 0; r < link->rows->n_rows; r++) {
            d->zeta_u[r][k] = dual_derivative(rows.zeta[r]);
        }
    }
}

// --- square blocks: derivatives of forces ---

// Column k of B (n x n, row-major)
static void set_column(const Instant* instant, const Link* link, const Varied* varied,
                       const Dual* F, int k, double* B) {
    const int n = link->coupling.n;
    double column[COUPLING_MAX];
    project_derivative(instant, link, varied, F, column);
    for (int i = 0; i < n; i++) {
        B[i * n + k] = column[i];
    }
}

void system_force_derivatives(const Instant* instant, const Link* link, double* K, double* D) {
    const Surroundings s = system_surroundings(instant, link);
    const ForceFunctions* force = link->element->kind->force;
    double* const results[2] = {K, D};
    Varied varied;
    take_frames(instant, link, &varied);
    for (int which = 0; which < 2; which++) {
        for (int k = 0; k < link->coupling.n && results[which] != NULL; k++) {
            Dual F[LOCAL_SIZE] = {0.0};
            vary(instant, link, k, which == 1, &varied);
            force->force_dual(&s, &varied.frames[0], &varied.frames[1], F);
            set_column(instant, link, &varied, F, k, results[which]);
        }
    }
}

// Rows between rigid bodies depend on the frames' places relative to each other: moving both along
// changes nothing, so that translations of the first frame are minus those of the second. The
// velocity of the second side that is the same translation as k of the first, -1: none
static int same_translation(const Coupling* coupling, int k) {
    if (coupling->column == NULL || coupling->column[k] >= 3) {
        return -1;
    }
    for (int j = 0; j < coupling->n; j++) {
        if (coupling->column[j] == coupling->column[k] + TWIST_SIZE) {
            return j;
        }
    }
    return -1;
}

// Does a displacement along k turn no frame?
static bool only_moves(const Coupling* coupling, int k) {
    return coupling->column != NULL && !coupling_is_rotation(coupling, k);
}

static void force_of_rows_column(const Instant* instant, const Link* link, const Surroundings* s,
                                 const double* mu, int k, Varied* varied, double* B) {
    DualRows rows;
    Dual F[LOCAL_SIZE] = {0.0};
    vary_rows(instant, link, s, k, false, varied, &rows);
    for (int r = 0; r < link->la.n; r++) {
        for (int j = 0; j < LOCAL_SIZE; j++) {
            F[j] += mu[r] * rows.W[r][j];
        }
    }
    set_column(instant, link, varied, F, k, B);
}

void system_force_of_rows_derivative(const Instant* instant, const Link* link, const double* mu,
                                     double* B) {
    const Surroundings s = system_surroundings(instant, link);
    const Coupling* coupling = &link->coupling;
    const int n = coupling->n;
    Varied varied;
    take_frames(instant, link, &varied);
    for (int k = 0; k < n; k++) {
        if (link->rows->turns_only && only_moves(coupling, k)) {
            for (int i = 0; i < n; i++) {
                B[i * n + k] = 0.0;
            }
        } else if (same_translation(coupling, k) < 0) {
            force_of_rows_column(instant, link, &s, mu, k, &varied, B);
        }
    }
    for (int k = 0; k < n; k++) {
        const int same = same_translation(coupling, k);
        for (int i = 0; i < n && same >= 0; i++) {
            B[i * n + k] = -B[i * n + same];
        }
    }
}

void system_row_rates_derivative(const Instant* instant, const Link* link, double* gamma_q) {
    const Surroundings s = system_surroundings(instant, link);
    const Coupling* coupling = &link->coupling;
    Varied varied;
    DualRows rows;
    take_frames(instant, link, &varied);
    for (int k = 0; k < coupling->n; k++) {
        const bool moves_only = link->rows->turns_only && only_moves(coupling, k);
        if (!moves_only) {
            vary_rows(instant, link, &s, k, false, &varied, &rows);
        }
        for (int r = 0; r < link->la.n; r++) {
            gamma_q[(ptrdiff_t)r * coupling->n + k] =
                moves_only ? 0.0 : velocity_derivative(&varied, &rows, r);
        }
    }
}
