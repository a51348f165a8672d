#include "schemes/projection.h"

#include <math.h>
#include <string.h>

#include "schemes/scheme.h"

// Positions hold up to this relative violation: some thousand roundings.
static const double HOLDS = 1e-12;
// The directions of a displacement are those where it ends, up to this part of it.
static const double RESTS = 1e-4;

Status projection_create(const System* sys, Arena* arena, Projection* projection) {
    *projection = (Projection){.gaps = ARENA_NEW(arena, sys->n_contacts, GapLaw),
                               .q_0 = ARENA_NEW(arena, sys->nq, double),
                               .d = ARENA_NEW(arena, sys->nu, double),
                               .rests = RESTS};
    if (projection->gaps == NULL || projection->q_0 == NULL || projection->d == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < sys->n_contacts; k++) {
        projection->gaps[k] = GAP_FREE;
    }
    return contact_set_create(sys, arena, &projection->contacts);
}

// --- what does not hold ---

// The largest distance from the origin, and from the origin of its frame, of any point: what the
// positions of this mechanism are rounded against.
static double length_scale(const System* sys, const Instant* c) {
    double length = 0.0;
    for (int i = 0; i < sys->n_frames; i++) {
        length = fmax(length, length3(c->frames[i].r));
    }
    for (int i = 0; i < sys->n_markers; i++) {
        length = fmax(length, length3(c->properties->markers[i].rho));
    }
    return length;
}

// The largest |g| of the joints, distances relative to a length and to the arms of rotations,
// angles to one radian.
static double joints_violation(const System* sys, const Instant* end, double length) {
    double worst = 0.0;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        Rows rows;
        system_rows(end, joint, false, &rows);
        for (int r = 0; r < joint->rows->n_position_rows; r++) {
            double shift = 0.0;
            double turn = 0.0;
            for (int k = 0; k < LOCAL_SIZE; k++) {
                double* part = k % TWIST_SIZE < 3 ? &shift : &turn;
                *part += fabs(rows.W[r][k]);
            }
            worst = fmax(worst, relative_error(fabs(rows.g[r]), length * shift + turn));
        }
    }
    return worst;
}

// The largest violation of the gaps, relative to a length, and of being closed where a displacement
// holds them; contacts whose gaps are closed or below join those found so before.
static double gaps_violation(const System* sys, const State* s, const Instant* end, double length,
                             Projection* projection) {
    ContactSet* set = &projection->contacts;
    double worst = 0.0;
    int n = 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (projection->gaps[k] == GAP_FREE) {
            continue;
        }
        const double g = system_gap(end, &sys->laws[k]);
        const int slot = set->slot[k];
        const bool held = slot >= 0 && set->P[set->active[slot].row] > 0.0;
        const double error = held || projection->gaps[k] == GAP_CLOSED ? fabs(g) : -g;
        worst = error <= worst ? worst : error;
        if (slot >= 0 || error >= 0.0) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(sys, s->p, 1.0, n, set);
    return relative_error(worst, length);
}

// --- one linear problem ---

// The right-hand side minus g of the joints' rows
static void ask_for_positions(const System* sys, const Workspace* w) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Range la = sys->joints[i].la;
        for (int r = 0; r < la.n; r++) {
            const bool on_position = r < sys->joints[i].rows->n_position_rows;
            w->solution[sys->nu + la.at + r] = on_position ? -w->joints.joints[i].g[r] : 0.0;
        }
    }
}

// The change that closes a gap, or keeps it from closing further, given that without contacts.
static Status solve_gaps(const System* sys, Workspace* w, Projection* projection) {
    // In units of what closes the widest gap where this one is, as one that is closed already has
    // to hold against others that close.
    static const double UNBOUNDED = 1e9;
    static const ContactSolverOptions options = {
        .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 10000};
    ContactSet* set = &projection->contacts;
    const DelassusOptions normals = {.normals_only = true, .symmetric = true};
    Status status = delassus_fill_beside(sys, w->matrix, normals, set, &w->pool);
    if (status != STATUS_OK) {
        return status;
    }
    double widest = 0.0;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double moved[LAW_MAX_ROWS];
        active_dot(active, w->solution, moved);
        set->b[active->row] = active->g[0] + moved[0];
        set->P[active->row] = 0.0;
        widest = fmax(widest, fabs(set->b[active->row]));
    }
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const double G = delassus_diagonal(set, active, 0);
        const bool closed = projection->gaps[active->law] == GAP_CLOSED;
        set->laws[i] = (ContactLaw){.at = active->form.at,
                                    .normal = !closed,
                                    .n_F = closed,
                                    .bound = closed && G > 0.0 ? UNBOUNDED * widest / G : 0.0};
    }
    PercussionInfo info;
    status = percussions_solve(set, &(PercussionTask){.options = options}, &w->pool, &info);
    for (int i = 0; i < set->n; i++) {
        delassus_add(sys, &set->active[i], 1, set->P + set->active[i].row, w->solution);
    }
    // positions tell whether it was solved well enough
    return status == STATUS_NO_CONVERGENCE ? STATUS_OK : status;
}

// Into w->solution: delta with M (d + delta) = W_g tau_g + W tau and W_g^T delta = -g, and likewise
// for gaps
static Status linear_projection(const System* sys, Workspace* w, const Instant* end,
                                Projection* projection) {
    newton_matrix_forget(w->matrix);
    joint_set_evaluate(sys, end, false, &w->joints);
    Status status = newton_matrix_factor(sys, end, &w->joints, &(MatrixTerms){0}, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    system_mass_multiply(sys, end, projection->d, w->solution);
    for (int j = 0; j < sys->nu; j++) {
        w->solution[j] = -w->solution[j];
    }
    ask_for_positions(sys, w);
    newton_matrix_solve(sys, w->matrix, w->solution);
    if (projection->contacts.n > 0) {
        const size_t used = w->pool.used;  // what is beside this is still needed
        contact_set_evaluate(end, false, &projection->contacts);
        status = solve_gaps(sys, w, projection);
        w->pool.used = used;
    }
    return status;
}

// --- Newton's method ---

// d += delta; true if it changes by no more than the part `rests` of d.
static bool add_change(const System* sys, const Workspace* w, double rests, double* d) {
    double change = 0.0;
    double size = 0.0;
    for (int j = 0; j < sys->nu; j++) {
        const double m = w->properties.M_diagonal[j];
        d[j] += w->solution[j];
        change += m * w->solution[j] * w->solution[j];
        size += m * d[j] * d[j];
    }
    return change <= rests * rests * size;
}

Status projection_solve(const System* sys, const State* s, Workspace* w, Instant* end,
                        Projection* projection) {
    enum { MAXIMUM_ITERATIONS = 100 };
    double* d = projection->d;
    memset(d, 0, (size_t)sys->nu * sizeof(double));
    contact_set_choose(sys, s->p, 1.0, 0, &projection->contacts);
    instant_evaluate(sys, s, end);
    const double length = length_scale(sys, end);
    double violation =
        fmax(joints_violation(sys, end, length), gaps_violation(sys, s, end, length, projection));
    // Of a displacement that mends a small violation only the leading digits are known.
    const double rests = fmax(projection->rests, HOLDS / violation);
    bool still = true;
    memcpy(projection->q_0, end->q, (size_t)sys->nq * sizeof(double));
    for (int i = 0; !(violation <= HOLDS && still); i++) {
        if (i == MAXIMUM_ITERATIONS) {
            return STATUS_NO_CONVERGENCE;
        }
        projection->iterations++;
        const Status status = linear_projection(sys, w, end, projection);
        if (status != STATUS_OK) {
            return status;
        }
        still = add_change(sys, w, rests, d);
        system_move(sys, projection->q_0, 1.0, d, end->q);
        instant_evaluate(sys, s, end);
        violation = fmax(joints_violation(sys, end, length),
                         gaps_violation(sys, s, end, length, projection));
    }
    return STATUS_OK;
}
