#include "system/system.h"

void system_initial(const System* sys, const Properties* properties, double* q, double* u) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->u.n > 0) {
            const BodyView view = {.par = properties->p + body->p.at,
                                   .constants = properties->constants + body->constants,
                                   .nq = body->q.n,
                                   .nu = body->u.n};
            const Pose* pose = &properties->poses[body->use];
            body->kind->body->initial(&view, q + body->q.at, u + body->u.at);
            if (!pose->at_rest) {
                body->kind->body->carry(&view, pose, q + body->q.at, u + body->u.at);
            }
        }
    }
}

Surroundings system_surroundings(const Instant* instant, const Link* link) {
    return (Surroundings){.element = link->element,
                          .par = instant->properties->p + link->element->p.at,
                          .signals = instant->signals + link->element->signals.at,
                          .a = &instant->properties->markers[link->marker_a],
                          .b = &instant->properties->markers[link->marker_b]};
}

bool system_keeps_order(const System* sys, const Link* contact) {
    const Element* shape = sys->marker_elements[contact->marker_a];
    const int first = contact->element->references[0];
    return kind_names_groups(contact->element->kind) ? shape->group == first
                                                     : shape == &sys->elements[first];
}

static const Frame* frame_of(const Instant* instant, int marker) {
    return &instant->frames[instant->properties->markers[marker].frame];
}

// --- forces ---

BodyView system_point_view(const Instant* instant, const Element* body) {
    return (BodyView){.par = instant->properties->p + body->p.at,
                      .constants = instant->properties->constants + body->constants,
                      .signals = instant->signals + body->signals.at,
                      .q = instant->q + body->q.at,
                      .u = instant->u + body->u.at,
                      .nq = body->q.n,
                      .nu = body->u.n};
}

BodyView system_body_view(const System* sys, const Instant* instant, const Element* body) {
    BodyView view = system_point_view(instant, body);
    view.gravity = instant->properties->p + sys->gravity;
    return view;
}

void system_force(const Instant* instant, const Link* link, double* F) {
    const Surroundings s = system_surroundings(instant, link);
    link->element->kind->force->force(&s, frame_of(instant, link->marker_a),
                                      frame_of(instant, link->marker_b), F);
}

void system_forces(const System* sys, const Instant* instant, double* h) {
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->u.n > 0) {
            const BodyView view = system_body_view(sys, instant, body);
            body->kind->body->forces(&view, h + body->u.at);
        }
    }
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        double F[LOCAL_SIZE] = {0.0};
        system_force(instant, link, F);
        system_row_add(instant, link, F, 1.0, h);
    }
}

// --- rows ---

void system_rows(const Instant* instant, const Link* link, bool zeta, Rows* rows) {
    const RowFunctions* f = link->rows;
    Surroundings s = system_surroundings(instant, link);
    s.zeta = zeta;
    (instant->properties->planar && f->rows_plane != NULL ? f->rows_plane : f->rows)(
        &s, frame_of(instant, link->marker_a), frame_of(instant, link->marker_b), rows);
}

void system_contact_point(const Instant* instant, const Link* contact, ContactPoint* point) {
    const Surroundings s = system_surroundings(instant, contact);
    contact->rows->point(&s, frame_of(instant, contact->marker_a),
                         frame_of(instant, contact->marker_b), point);
}

double system_gap(const Instant* instant, const Link* link) {
    const RowFunctions* f = link->rows;
    if (f->gap != NULL && (instant->properties->planar || f->rows_plane == NULL)) {
        const Surroundings s = system_surroundings(instant, link);
        return f->gap(&s, frame_of(instant, link->marker_a), frame_of(instant, link->marker_b));
    }
    Rows rows;
    system_rows(instant, link, false, &rows);
    return rows.g[0];
}

// W times the twist of one frame
static double twist_product(const double* W, const Frame* f, bool planar) {
    const double plane = W[0] * f->v.x + W[1] * f->v.y + W[5] * f->Omega.z;
    return planar ? plane : plane + W[2] * f->v.z + W[3] * f->Omega.x + W[4] * f->Omega.y;
}

void system_row_velocities(const Instant* instant, const Link* link, const Rows* rows,
                           double* gamma) {
    const Frame* a = frame_of(instant, link->marker_a);
    const Frame* b = frame_of(instant, link->marker_b);
    for (int i = 0; i < link->la.n; i++) {
        const double* W = rows->W[i];
        gamma[i] = twist_product(W, a, instant->properties->planar) +
                   twist_product(W + TWIST_SIZE, b, instant->properties->planar) + rows->g_t[i];
    }
}

// --- rows in the velocities of the system ---

static double side_entry(const Instant* instant, const CouplingSide* side, const double* W, int i) {
    if (side->twist != NULL) {
        return W[side->twist[i]];
    }
    const double* T = instant->T + side->source->point->T + i;
    double sum = 0.0;
    for (int j = 0; j < TWIST_SIZE; j++) {
        sum += W[j] * T[j * side->n];
    }
    return sum;
}

void system_project(const Instant* instant, const Link* link, const double* W_row, double* row) {
    const Coupling* coupling = &link->coupling;
    if (coupling->column != NULL) {
        for (int k = 0; k < coupling->n; k++) {
            row[k] = W_row[coupling->column[k]];
        }
        return;
    }
    for (int k = 0; k < coupling->n; k++) {
        row[k] = 0.0;
    }
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        const CouplingSide* side = &coupling->sides[s];
        for (int i = 0; i < side->n; i++) {
            row[side->entry[i]] += side_entry(instant, side, W_row + s * TWIST_SIZE, i);
        }
    }
}

// Called with n_rows as a constant where that is small, so that the inner loop becomes straight
// code.
static inline void copy_columns(const Coupling* coupling, const Rows* rows, const int n_rows,
                                int stride, double* W) {
    for (int k = 0; k < coupling->n; k++, W += stride) {
        const int column = coupling->column[k];
        for (int r = 0; r < n_rows; r++) {
            W[r] = rows->W[r][column];
        }
    }
}

void system_link_matrix(const Instant* instant, const Link* link, const Rows* rows, int n_rows,
                        int stride, double* W) {
    const Coupling* coupling = &link->coupling;
    if (coupling->column != NULL) {
        switch (n_rows) {
            case 1:
                copy_columns(coupling, rows, 1, stride, W);
                return;
            case 2:
                copy_columns(coupling, rows, 2, stride, W);
                return;
            case 4:
                copy_columns(coupling, rows, 4, stride, W);
                return;
            default:
                copy_columns(coupling, rows, n_rows, stride, W);
                return;
        }
    }
    for (int r = 0; r < n_rows; r++) {
        double row[COUPLING_MAX];
        system_project(instant, link, rows->W[r], row);
        for (int k = 0; k < coupling->n; k++) {
            W[k * stride + r] = row[k];
        }
    }
}

static void add_by_sides(const Instant* instant, const Link* link, const double* W_row,
                         double alpha, double* y) {
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        const CouplingSide* side = &link->coupling.sides[s];
        for (int i = 0; i < side->n; i++) {
            y[link->coupling.u[side->entry[i]]] +=
                alpha * side_entry(instant, side, W_row + s * TWIST_SIZE, i);
        }
    }
}

static double dot_by_sides(const Instant* instant, const Link* link, const double* W_row,
                           const double* x) {
    double sum = 0.0;
    for (int s = 0; s < ELEMENT_MAX_REFERENCES; s++) {
        const CouplingSide* side = &link->coupling.sides[s];
        for (int i = 0; i < side->n; i++) {
            sum += side_entry(instant, side, W_row + s * TWIST_SIZE, i) *
                   x[link->coupling.u[side->entry[i]]];
        }
    }
    return sum;
}

// Sums over the coupling of rigid bodies, by three: their velocities come in threes, but for masses
// without extent.
void system_row_add(const Instant* instant, const Link* link, const double* W_row, double alpha,
                    double* y) {
    const int *u = link->coupling.u, *column = link->coupling.column;
    const int n = link->coupling.n;
    if (column == NULL) {
        add_by_sides(instant, link, W_row, alpha, y);
        return;
    }
    int i = 0;
    for (; i + 3 <= n; i += 3) {
        y[u[i]] += alpha * W_row[column[i]];
        y[u[i + 1]] += alpha * W_row[column[i + 1]];
        y[u[i + 2]] += alpha * W_row[column[i + 2]];
    }
    for (; i < n; i++) {
        y[u[i]] += alpha * W_row[column[i]];
    }
}

double system_row_dot(const Instant* instant, const Link* link, const double* W_row,
                      const double* x) {
    const int *u = link->coupling.u, *column = link->coupling.column;
    const int n = link->coupling.n;
    if (column == NULL) {
        return dot_by_sides(instant, link, W_row, x);
    }
    double sum = 0.0;
    int i = 0;
    for (; i + 3 <= n; i += 3) {
        sum += W_row[column[i]] * x[u[i]] + W_row[column[i + 1]] * x[u[i + 1]] +
               W_row[column[i + 2]] * x[u[i + 2]];
    }
    for (; i < n; i++) {
        sum += W_row[column[i]] * x[u[i]];
    }
    return sum;
}

double system_row_mobility(const Instant* instant, const Link* link, const double* W_row) {
    const double* M = instant->properties->M_diagonal;
    const Coupling* coupling = &link->coupling;
    double row[COUPLING_MAX];
    double sum = 0.0;
    if (coupling->column != NULL) {
        for (int k = 0; k < coupling->n; k++) {
            const double value = W_row[coupling->column[k]];
            sum += value * value / M[coupling->u[k]];
        }
        return sum;
    }
    system_project(instant, link, W_row, row);
    for (int k = 0; k < coupling->n; k++) {
        sum += row[k] * row[k] / M[coupling->u[k]];
    }
    return sum;
}

// --- energy ---

static double body_potential(const System* sys, const Instant* instant, bool rate) {
    double sum = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        if (body->u.n > 0) {
            const BodyView view = system_body_view(sys, instant, body);
            sum += (rate ? body->kind->body->potential_rate : body->kind->body->potential)(&view);
        }
    }
    return sum;
}

double system_potential_energy(const System* sys, const Instant* instant) {
    double energy = body_potential(sys, instant, false);
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ForceFunctions* force = link->element->kind->force;
        if (force->potential != NULL) {
            const Surroundings s = system_surroundings(instant, link);
            energy += force->potential(&s, frame_of(instant, link->marker_a),
                                       frame_of(instant, link->marker_b));
        }
    }
    return energy;
}

double system_potential_rate(const System* sys, const Instant* instant) {
    double rate = body_potential(sys, instant, true);
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ForceFunctions* force = link->element->kind->force;
        if (force->potential == NULL) {
            continue;
        }
        const Surroundings s = system_surroundings(instant, link);
        const DualFrame a = frame_move(frame_of(instant, link->marker_a));
        const DualFrame b = frame_move(frame_of(instant, link->marker_b));
        rate += dual_derivative(force->potential_dual(&s, &a, &b));
    }
    return rate;
}
