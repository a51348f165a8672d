#include "schemes/projection.h"

#include <math.h>
#include <string.h>

#include "schemes/scheme.h"

// Displacements are known up to this part of them: some thousand roundings.
static const double ROUNDING = 1e-12;

Status projection_create(const System* sys, Arena* arena, Projection* projection) {
    *projection = (Projection){.gaps = ARENA_NEW(arena, sys->n_contacts, GapLaw),
                               .q_0 = ARENA_NEW(arena, sys->nq, double),
                               .d = ARENA_NEW(arena, sys->nu, double),
                               .r = ARENA_NEW(arena, sys->nu, double),
                               .tau_g = ARENA_NEW(arena, sys->nla_g, double),
                               .tau = ARENA_NEW(arena, sys->n_contacts, double)};
    if (projection->gaps == NULL || projection->q_0 == NULL || projection->d == NULL ||
        projection->r == NULL || projection->tau_g == NULL || projection->tau == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < sys->n_contacts; k++) {
        projection->gaps[k] = GAP_FREE;
    }
    return contact_set_create(sys, arena, &projection->contacts);
}

void projection_begin(const System* sys, double tolerance, Projection* projection) {
    contact_set_choose(sys, NULL, 1.0, 0, &projection->contacts);
    projection->tolerance = fmax(tolerance, ROUNDING);
    projection->guessed = projection->displaced = false;
    memset(projection->d, 0, (size_t)sys->nu * sizeof(double));
    memset(projection->tau_g, 0, (size_t)sys->nla_g * sizeof(double));
    memset(projection->tau, 0, (size_t)sys->n_contacts * sizeof(double));
}

// --- what does not hold ---

// The largest distance from the origin, and from the origin of its frame, of any point: what the
// positions of this mechanism are rounded against.
static double size_of_mechanism(const System* sys, const Instant* c) {
    double length = 0.0;
    for (int i = 0; i < sys->n_frames; i++) {
        length = fmax(length, length3(c->frames[i].r));
    }
    for (int i = 0; i < sys->n_markers; i++) {
        length = fmax(length, length3(c->properties->markers[i].rho));
    }
    return length;
}

// The largest violation, in units of what is allowed
typedef struct Violation {
    double now;
    double before;  // without the displacement, to first order
} Violation;

static void note_violation(double now, double before, double allowed, Violation* worst) {
    const double error = relative_error(now, allowed);
    worst->now = error <= worst->now ? worst->now : error;  // NaN is larger than any other
    worst->before = fmax(worst->before, relative_error(before, allowed));
}

// That of the joints, up to the tolerance of the size
static void joints_violation(const System* sys, double length, const Workspace* w,
                             const Projection* projection, Violation* worst) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        const JointRows* rows = &w->joints.joints[i];
        double moved[MAX_ROWS];
        joint_rows_dot(joint, rows, projection->d, moved);
        for (int r = 0; r < joint->rows->n_position_rows; r++) {
            note_violation(fabs(rows->g[r]), fabs(rows->g[r] - moved[r]),
                           projection->tolerance * joint_rows_size(joint, rows, r, length), worst);
        }
    }
}

// That of the gaps, up to rounding relative to a length, and of being closed where a displacement
// holds them; contacts whose gaps are closed or below join those found so before.
static void gaps_violation(const System* sys, const State* s, const Instant* end, double length,
                           Projection* projection, Violation* worst) {
    ContactSet* set = &projection->contacts;
    int n = 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (projection->gaps[k] == GAP_FREE) {
            projection->tau[k] = 0.0;
            continue;
        }
        const double g = system_gap(end, &sys->laws[k]);
        const bool held = projection->gaps[k] == GAP_CLOSED || projection->tau[k] > 0.0;
        const double error = held ? fabs(g) : -g;
        note_violation(error, error, ROUNDING * length, worst);
        if (set->slot[k] >= 0 || error >= 0.0) {
            set->chosen[n++] = k;
        }
    }
    contact_set_choose(sys, s->p, 1.0, n, set);
    contact_set_evaluate(end, false, set);
    for (int i = 0; i < n; i++) {
        double moved[LAW_MAX_ROWS];
        active_dot(&set->active[i], projection->d, moved);
        note_violation(0.0, moved[0], ROUNDING * length, worst);
    }
}

// How far the displacement is from M^-1 W tau with the directions where it ends, relative to it
static double direction_error(const System* sys, const Instant* end, const Workspace* w,
                              const Projection* projection) {
    const ContactSet* set = &projection->contacts;
    double* r = projection->r;
    double error = 0.0;
    double size = 0.0;
    system_mass_multiply(sys, end, projection->d, r);
    joint_set_add(sys, &w->joints, -1.0, projection->tau_g, r);
    for (int i = 0; i < set->n; i++) {
        const double f[LAW_MAX_ROWS] = {-projection->tau[set->active[i].law]};
        active_add(&set->active[i], f, r);
    }
    for (int j = 0; j < sys->nu; j++) {
        const double m = w->properties.M_diagonal[j];
        error += r[j] * r[j] / m;
        size += m * projection->d[j] * projection->d[j];
    }
    return relative_error(sqrt(error), sqrt(size));
}

// Everything where the displacement ends. Do joints and gaps hold there, with a displacement that
// is right to the tolerance?
static bool holds(const System* sys, const State* s, Workspace* w, Instant* end,
                  Projection* projection) {
    Violation violation = {0.0, 0.0};
    instant_evaluate(sys, s, end);
    joint_set_evaluate(sys, end, false, &w->joints);
    const double length = size_of_mechanism(sys, end);
    joints_violation(sys, length, w, projection, &violation);
    gaps_violation(sys, s, end, length, projection, &violation);
    projection->moves = violation.before > 1.0;
    return violation.now <= 1.0 &&
           (!projection->moves ||
            direction_error(sys, end, w, projection) <= fmax(ROUNDING, 1.0 / violation.before));
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
static Status solve_gaps(const System* sys, Workspace* w, bool symmetric, Projection* projection) {
    // In units of what closes the widest gap where this one is, as one that is closed already has
    // to hold against others that close.
    static const double UNBOUNDED = 1e9;
    static const ContactSolverOptions options = {
        .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 10000};
    ContactSet* set = &projection->contacts;
    const DelassusOptions normals = {.normals_only = true, .symmetric = symmetric};
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

// The derivative of W_g tau_g counts where it is this much of the masses: without it each iteration
// leaves this part of the error. Multipliers that rule the matrix are those of a singular position.
static const double CURVED = 1e-3;
static const double TOO_CURVED = 5.0;

static MatrixTerms projection_terms(const System* sys, const Workspace* w,
                                    const Projection* projection) {
    const double curvature = joint_set_stiffness(sys, &w->joints, projection->tau_g,
                                                 w->properties.M_diagonal, TOO_CURVED);
    const bool counts = curvature > CURVED && curvature < TOO_CURVED;
    return counts ? (MatrixTerms){.geometric = 1.0, .mu_g = projection->tau_g} : (MatrixTerms){0};
}

// Into w->solution: delta with M (d + delta) = W_g tau_g + W tau and W_g^T delta = -g, and likewise
// for gaps; minus tau_g behind it
static Status linear_projection(const System* sys, Workspace* w, const Instant* end,
                                Projection* projection) {
    const MatrixTerms terms = projection_terms(sys, w, projection);
    newton_matrix_forget(w->matrix);
    Status status = newton_matrix_factor(sys, end, &w->joints, &terms, w->matrix);
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
        status = solve_gaps(sys, w, newton_matrix_is_symmetric(sys, &terms), projection);
        w->pool.used = used;
    }
    return status;
}

// --- Newton's method ---

// d += delta, with its multipliers
static void add_change(const System* sys, const Workspace* w, Projection* projection) {
    const ContactSet* set = &projection->contacts;
    for (int j = 0; j < sys->nu; j++) {
        projection->d[j] += w->solution[j];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        projection->tau_g[i] = -w->solution[sys->nu + i];
    }
    for (int i = 0; i < set->n; i++) {
        projection->tau[set->active[i].law] = set->P[set->active[i].row];
    }
}

Status projection_solve(const System* sys, const State* s, Workspace* w, Instant* end,
                        Projection* projection) {
    enum { MAXIMUM_ITERATIONS = 100 };
    memcpy(projection->q_0, end->q, (size_t)sys->nq * sizeof(double));
    if (projection->displaced) {
        system_move(sys, projection->q_0, 1.0, projection->d, end->q);
    }
    for (int i = 0; !holds(sys, s, w, end, projection) || projection->guessed; i++) {
        if (i == MAXIMUM_ITERATIONS) {
            return STATUS_NO_CONVERGENCE;
        }
        projection->iterations++;
        const Status status = linear_projection(sys, w, end, projection);
        if (status != STATUS_OK) {
            return status;
        }
        add_change(sys, w, projection);
        projection->guessed = false;
        projection->displaced = true;
        system_move(sys, projection->q_0, 1.0, projection->d, end->q);
    }
    return STATUS_OK;
}
