#include "schemes/projection.h"

#include <math.h>
#include <string.h>

#include "schemes/scheme.h"

// Displacements are known up to this part of them: some thousand roundings.
static const double ROUNDING = 1e-12;

Status projection_create(const System* sys, Arena* arena, Projection* projection) {
    *projection = (Projection){.gaps = ARENA_NEW(arena, sys->most_contacts, GapLaw),
                               .pull = ARENA_NEW(arena, sys->most_contacts, double),
                               .d = ARENA_NEW(arena, sys->nu, double),
                               .r = ARENA_NEW(arena, sys->nu, double),
                               .tau_g = ARENA_NEW(arena, sys->nla_g, double),
                               .tau = ARENA_NEW(arena, sys->most_contacts, double)};
    if (projection->gaps == NULL || projection->pull == NULL || projection->d == NULL ||
        projection->r == NULL || projection->tau_g == NULL || projection->tau == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < sys->most_contacts; k++) {
        projection->gaps[k] = GAP_FREE;
        projection->pull[k] = 0.0;
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

// The largest distance of a body's own origin from that of its frame. p: all parameters
static double largest_arm(const System* sys, const double* p) {
    double arm = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const Element* body = sys->bodies[i];
        const BodyFunctions* f = body->kind->body;
        if (f->centre_of_mass != NULL) {
            arm = fmax(arm, length3(f->centre_of_mass(p + body->p.at)));
        }
    }
    return arm;
}

// The largest distance from the origin, and from the origin of its frame, of any point: what the
// positions of this mechanism are rounded against.
static double size_of_mechanism(const System* sys, const Instant* c) {
    double length = largest_arm(sys, c->properties->p);
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

// A gap that a displacement holds, or that is pulled by less than the most: that is zero.
static bool is_held(const Projection* projection, int law) {
    static const double MOST = 1.0 - 1e-6;  // of a pull that has changed since, with a percussion
    return projection->tau[law] > -MOST * projection->pull[law];
}

// Contacts whose gaps are held, closed or below join those found so before.
static void choose_gaps(const System* sys, const Instant* end, Projection* projection) {
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
        contact_set_choose(sys, NULL, 1.0, n, set);
    }
    contact_set_evaluate(end, false, set);
}

// At most zero: it holds.
static double gap_error(const Projection* projection, const ActiveLaw* active, double g) {
    return is_held(projection, active->law) ? fabs(g) : -g;
}

double projection_gap_error(const Projection* projection, const ActiveLaw* active) {
    return gap_error(projection, active, active->g[0]);
}

// That of the gaps, up to rounding relative to a length and to what they have been, or may be
// pulled by: bodies may be at the origin
static void gaps_violation(double length, const Workspace* w, const double* change,
                           const Projection* projection, Violation* worst) {
    const ContactSet* set = &projection->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double displaced[LAW_MAX_ROWS];
        double moved[LAW_MAX_ROWS] = {0.0};
        double G[LAW_MAX_ROWS];
        active_dot(active, projection->d, displaced);
        active_mobility(active, w->properties.M_diagonal, G);
        if (change != NULL) {
            active_dot(active, change, moved);
        }
        const double error = gap_error(projection, active, active->g[0] + moved[0]);
        const double pulled = G[0] * projection->pull[active->law];
        const double size = fmax(length, fmax(fabs(displaced[0]), pulled));
        note_violation(error, fabs(displaced[0]), ROUNDING * size, worst);
    }
}

// Of joints and gaps where positions move on by a change (nu); NULL: where they are
static Violation find_violation(const System* sys, const Workspace* w, const Instant* end,
                                const double* change, const Projection* projection) {
    Violation worst = {0.0, 0.0};
    if (sys->n_joints > 0 || projection->contacts.n > 0) {
        const double length = size_of_mechanism(sys, end);
        joints_violation(sys, length, w, change, projection, &worst);
        gaps_violation(length, w, change, projection, &worst);
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

// What does not hold, or of what the displacement is wrong, in units of what is allowed
static double projection_error(const System* sys, const Workspace* w, const Instant* end,
                               Projection* projection) {
    choose_gaps(sys, end, projection);
    const Violation violation = find_violation(sys, w, end, NULL, projection);
    projection->corrected = violation.before;
    if (!(violation.now <= 1.0) || violation.before <= 1.0) {
        return violation.now;
    }
    const double allowed = fmax(ROUNDING, 1.0 / violation.before);
    return fmax(violation.now, direction_error(sys, end, w, projection) / allowed);
}

bool projection_holds(const System* sys, const Workspace* w, const Instant* end,
                      Projection* projection) {
    return projection_error(sys, w, end, projection) <= 1.0;
}

// --- one linear problem ---

static const double SOFT = 1e-7;  // of G_ii, by which it is larger

// The part of the larger one that is added to G
static double added(const ContactSet* set, const ActiveLaw* active) {
    return delassus_diagonal(set, active, 0) * SOFT / (1.0 + SOFT);
}

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

// The problem for P = tau + pull: gaps without displacements by contacts, where positions move on
// by a change, with the pulls and the proximal term of the multipliers so far.
static void fill_gaps(const Workspace* w, const double* change, Projection* projection) {
    ContactSet* set = &projection->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double displaced[LAW_MAX_ROWS];
        double moved[LAW_MAX_ROWS] = {0.0};
        active_dot(active, w->solution, displaced);
        if (change != NULL) {
            active_dot(active, change, moved);
        }
        set->laws[i] = active->form;
        set->b[active->row] = active->g[0] + moved[0] + displaced[0] -
                              added(set, active) * projection->tau[active->law];
        set->P[active->row] = projection->pull[active->law];
    }
    delassus_apply(set, -1.0, set->P, set->b);
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        set->P[active->row] = fmax(0.0, set->P[active->row] + projection->tau[active->law]);
    }
}

// The change that closes a gap, or keeps it from closing further, given that without contacts:
//   0 <= G tau + b complementary to tau + pull >= 0
// Gaps may contradict each other where they are curved or more of them press than can be closed:
// the problem then has no solution, and all that the contact solver can try is in vain. A part of
// its diagonal is added to G, and taken back by proximal points: these lead to the solution or, if
// there is none, to where least is violated.
static Status solve_gaps(const System* sys, Workspace* w, const double* change, bool symmetric,
                         Projection* projection) {
    enum { POINTS = 2 };  // each leaves about SOFT of the violation
    static const ContactSolverOptions options = {
        .tolerance = 1e-12, .maximum_iterations = 50, .maximum_sweeps = 1000, .near = true};
    ContactSet* set = &projection->contacts;
    const DelassusOptions soft = {.symmetric = symmetric, .soft = SOFT};
    Status status = delassus_fill_beside(sys, w->matrix, soft, set, &w->pool);
    if (status != STATUS_OK) {
        return status;
    }
    fill_gaps(w, change, projection);
    for (int point = 0; point < POINTS; point++) {
        PercussionInfo info;
        status = percussions_solve(set, &(PercussionTask){.options = options}, &w->pool, &info);
        if (status != STATUS_OK && status != STATUS_NO_CONVERGENCE) {
            return status;
        }
        for (int i = 0; i < set->n; i++) {
            const ActiveLaw* active = &set->active[i];
            const double before = projection->tau[active->law];
            const double tau = set->P[active->row] - projection->pull[active->law];
            set->b[active->row] -= added(set, active) * (tau - before);
            projection->tau[active->law] = tau;
        }
    }
    for (int i = 0; i < set->n; i++) {
        delassus_add(sys, &set->active[i], 1, &projection->tau[set->active[i].law], w->solution);
    }
    return STATUS_OK;  // positions tell whether it was solved well enough
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

Status projection_improve(const System* sys, Workspace* w, const Instant* end, const double* change,
                          bool near, Projection* projection) {
    choose_gaps(sys, end, projection);
    if (!displaces(sys, projection) && find_violation(sys, w, end, change, projection).now <= 1.0) {
        return STATUS_OK;
    }
    return near ? solve_linear(sys, w, end, change, false, projection)
                : update(sys, w, end, change, projection);
}

Status projection_solve(const System* sys, const State* s, Workspace* w, const double* q_0,
                        Instant* end, Projection* projection) {
    enum { MAXIMUM_ITERATIONS = 100 };
    Convergence convergence = {
        .tolerance = 1.0, .inexact = INFINITY, .maximum = MAXIMUM_ITERATIONS, .best = INFINITY};
    for (int i = 0;; i++) {
        const double error = projection_error(sys, w, end, projection);
        const Verdict verdict = convergence_check(&convergence, error, i);
        if (verdict != GO_ON) {
            return verdict == SOLVED ? STATUS_OK : STATUS_NO_CONVERGENCE;
        }
        const Status status = update(sys, w, end, NULL, projection);
        if (status != STATUS_OK) {
            return status;
        }
        system_move(sys, q_0, 1.0, projection->d, end->q);
        instant_evaluate(sys, s, end);
        joint_set_evaluate(sys, end, false, &w->joints);
    }
}
