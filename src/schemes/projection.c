#include "schemes/projection.h"

#include <math.h>
#include <string.h>

#include "schemes/scheme.h"

// Displacements are known up to this part of them: some thousand roundings.
static const double ROUNDING = 1e-12;

Status projection_create(const System* sys, Arena* arena, Projection* projection) {
    *projection = (Projection){.gaps = ARENA_NEW(arena, sys->most_contacts, GapLaw),
                               .d = ARENA_NEW(arena, sys->nu, double),
                               .r = ARENA_NEW(arena, sys->nu, double),
                               .tau_g = ARENA_NEW(arena, sys->nla_g, double),
                               .tau = ARENA_NEW(arena, sys->most_contacts, double)};
    if (projection->gaps == NULL || projection->d == NULL || projection->r == NULL ||
        projection->tau_g == NULL || projection->tau == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < sys->most_contacts; k++) {
        projection->gaps[k] = GAP_FREE;
    }
    return contact_set_create(sys, arena, &projection->contacts);
}

void projection_begin(const System* sys, double tolerance, Projection* projection) {
    contact_set_renumber(sys, &projection->contacts);
    if (projection->contacts.n > 0) {
        contact_set_choose(sys, NULL, 1.0, 0, &projection->contacts);
    }
    projection->corrected = 0.0;
    projection->tolerance = fmax(tolerance, ROUNDING);
    projection->iterations = 0;
    memset(projection->d, 0, (size_t)sys->nu * sizeof(double));
    memset(projection->tau_g, 0, (size_t)sys->nla_g * sizeof(double));
    memset(projection->tau, 0, (size_t)sys->n_contacts * sizeof(double));
}

static bool displaces(const System* sys, const Projection* projection) {
    for (int i = 0; i < sys->nu; i++) {
        if (projection->d[i] != 0.0) {
            return true;
        }
    }
    return false;
}

void projection_displace(const System* sys, const Projection* projection, double part,
                         const double* q_0, double* q) {
    if (displaces(sys, projection)) {
        system_move(sys, q_0, part, projection->d, q);
    } else {
        memcpy(q, q_0, (size_t)sys->nq * sizeof(double));
    }
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

// That of the joints, up to the tolerance of the size, where positions move on by a change
static void joints_violation(const System* sys, double length, const Workspace* w,
                             const double* change, const Projection* projection, Violation* worst) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        const JointRows* rows = &w->joints.joints[i];
        double displaced[MAX_ROWS];
        double moved[MAX_ROWS] = {0.0};
        joint_rows_dot(joint, rows, projection->d, displaced);
        if (change != NULL) {
            joint_rows_dot(joint, rows, change, moved);
        }
        for (int r = 0; r < joint->rows->n_position_rows; r++) {
            const double g = rows->g[r] + moved[r];
            note_violation(fabs(g), fabs(g - displaced[r]),
                           projection->tolerance * joint_rows_size(joint, rows, r, length), worst);
        }
    }
}

// A gap that is to be closed, or that a displacement holds
static bool is_held(const Projection* projection, int law) {
    return projection->gaps[law] == GAP_CLOSED || projection->tau[law] > 0.0;
}

// Contacts whose gaps are held, closed or below join those found so before.
static void choose_gaps(const System* sys, const State* s, const Instant* end,
                        Projection* projection) {
    ContactSet* set = &projection->contacts;
    bool changes = false;
    int n = 0;
    for (int k = 0; k < sys->n_contacts; k++) {
        const bool kept = projection->gaps[k] != GAP_FREE;
        const bool before = set->slot[k] >= 0;
        projection->tau[k] = kept ? projection->tau[k] : 0.0;
        const bool now =
            kept && (before || is_held(projection, k) || system_gap(end, &sys->laws[k]) <= 0.0);
        changes = changes || now != before;
        if (now) {
            set->chosen[n++] = k;
        }
    }
    if (changes) {
        contact_set_choose(sys, s->p, 1.0, n, set);
    }
    contact_set_evaluate(end, false, set);
}

// That of the gaps, up to rounding relative to a length
static void gaps_violation(double length, const double* change, const Projection* projection,
                           Violation* worst) {
    const ContactSet* set = &projection->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double displaced[LAW_MAX_ROWS];
        double moved[LAW_MAX_ROWS] = {0.0};
        active_dot(active, projection->d, displaced);
        if (change != NULL) {
            active_dot(active, change, moved);
        }
        const double g = active->g[0] + moved[0];
        note_violation(is_held(projection, active->law) ? fabs(g) : -g, fabs(displaced[0]),
                       ROUNDING * length, worst);
    }
}

// Of joints and gaps where positions move on by a change (nu); NULL: where they are
static Violation find_violation(const System* sys, const Workspace* w, const Instant* end,
                                const double* change, const Projection* projection) {
    Violation worst = {0.0, 0.0};
    if (sys->n_joints > 0 || projection->contacts.n > 0) {
        const double length = size_of_mechanism(sys, end);
        joints_violation(sys, length, w, change, projection, &worst);
        gaps_violation(length, change, projection, &worst);
    }
    return worst;
}

// r = M d - W_g tau_g
static void find_direction_residual(const System* sys, const Instant* end, const Workspace* w,
                                    const Projection* projection) {
    system_mass_multiply(sys, end, projection->d, projection->r);
    joint_set_add(sys, &w->joints, -1.0, projection->tau_g, projection->r);
}

// How far the displacement is from M^-1 W tau with the directions where it ends, relative to it
static double direction_error(const System* sys, const Instant* end, const Workspace* w,
                              const Projection* projection) {
    const ContactSet* set = &projection->contacts;
    double* r = projection->r;
    double error = 0.0;
    double size = 0.0;
    find_direction_residual(sys, end, w, projection);
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

bool projection_holds(const System* sys, const State* s, const Workspace* w, const Instant* end,
                      Projection* projection) {
    choose_gaps(sys, s, end, projection);
    const Violation violation = find_violation(sys, w, end, NULL, projection);
    projection->corrected = violation.before;
    return violation.now <= 1.0 &&
           (violation.before <= 1.0 ||
            direction_error(sys, end, w, projection) <= fmax(ROUNDING, 1.0 / violation.before));
}

// --- one linear problem ---

// The right-hand side minus g of the joints' rows after a change
static void ask_for_positions(const System* sys, const Workspace* w, const double* change) {
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        const JointRows* rows = &w->joints.joints[i];
        double moved[MAX_ROWS] = {0.0};
        if (change != NULL) {
            joint_rows_dot(joint, rows, change, moved);
        }
        for (int r = 0; r < joint->la.n; r++) {
            const bool on_position = r < joint->rows->n_position_rows;
            w->solution[sys->nu + joint->la.at + r] = on_position ? -rows->g[r] - moved[r] : 0.0;
        }
    }
}

// The change that closes a gap, or keeps it from closing further, given that without contacts.
static Status solve_gaps(const System* sys, Workspace* w, const double* change, bool symmetric,
                         Projection* projection) {
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
        double displaced[LAW_MAX_ROWS];
        double moved[LAW_MAX_ROWS] = {0.0};
        active_dot(active, w->solution, displaced);
        if (change != NULL) {
            active_dot(active, change, moved);
        }
        set->b[active->row] = active->g[0] + moved[0] + displaced[0];
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

// PR (60) with the factors at hand: delta with M (d + delta) = W_g tau_g + W tau,
// W_g^T (change + delta) = -g and likewise for gaps, and the multipliers; d += delta. Where the
// matrix is not quite that of the projection at this point, delta is right in these rows alone.
static Status solve_linear(const System* sys, Workspace* w, const Instant* end,
                           const double* change, bool symmetric, Projection* projection) {
    const ContactSet* set = &projection->contacts;
    Status status = STATUS_OK;
    find_direction_residual(sys, end, w, projection);
    for (int j = 0; j < sys->nu; j++) {
        w->solution[j] = -projection->r[j];
    }
    ask_for_positions(sys, w, change);
    newton_matrix_solve(sys, w->matrix, w->solution);
    if (set->n > 0) {
        const size_t used = w->pool.used;  // what is beside this is still needed
        status = solve_gaps(sys, w, change, symmetric, projection);
        w->pool.used = used;
    }
    for (int j = 0; j < sys->nu; j++) {
        projection->d[j] += w->solution[j];
    }
    for (int i = 0; i < sys->nla_g; i++) {  // the unknown is minus the change of tau_g
        projection->tau_g[i] -= w->solution[sys->nu + i];
    }
    for (int i = 0; i < set->n; i++) {
        projection->tau[set->active[i].law] = set->P[set->active[i].row];
    }
    return status;
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

// The linear problem with its own matrix
static Status update(const System* sys, Workspace* w, const Instant* end, const double* change,
                     Projection* projection) {
    const MatrixTerms terms = projection_terms(sys, w, projection);
    projection->iterations++;
    newton_matrix_forget(w->matrix);
    const Status status = newton_matrix_factor(sys, end, &w->joints, &terms, w->matrix);
    return status == STATUS_OK ? solve_linear(sys, w, end, change,
                                              newton_matrix_is_symmetric(sys, &terms), projection)
                               : status;
}

// --- Newton's method ---

Status projection_improve(const System* sys, const State* s, Workspace* w, const Instant* end,
                          const double* change, bool near, Projection* projection) {
    choose_gaps(sys, s, end, projection);
    if (!displaces(sys, projection) && find_violation(sys, w, end, change, projection).now <= 1.0) {
        return STATUS_OK;
    }
    return near ? solve_linear(sys, w, end, change, false, projection)
                : update(sys, w, end, change, projection);
}

Status projection_solve(const System* sys, const State* s, Workspace* w, const double* q_0,
                        Instant* end, Projection* projection) {
    enum { MAXIMUM_ITERATIONS = 100 };
    for (int i = 0; !projection_holds(sys, s, w, end, projection); i++) {
        const Status status =
            i < MAXIMUM_ITERATIONS ? update(sys, w, end, NULL, projection) : STATUS_NO_CONVERGENCE;
        if (status != STATUS_OK) {
            return status;
        }
        system_move(sys, q_0, 1.0, projection->d, end->q);
        instant_evaluate(sys, s, end);
        joint_set_evaluate(sys, end, false, &w->joints);
    }
    return STATUS_OK;
}
