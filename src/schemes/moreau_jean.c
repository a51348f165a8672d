// Moreau-Jean theta scheme, PR (18), with joints on velocity level:
//   M (v - u_n) - dt h(t_theta, q_theta, u_theta) = W_g(q_theta) P_g + W(q_1) P  (18a)
//   u_theta = (1-theta) u_n + theta v,  q_1 = q_n moved by dt u_theta            (18b)
//   g_dot(t_1, q_1, v) = 0,  U_1 = W^T(q_1) v                                    (18c)
//   contacts whose forecast gap is closed:  the contact laws on U_1 + e U_n      (18d)
// The forecast: g_n + forecast dt U_n (61), or g_n + dt (theta U_free + (1-theta) U_n) (62).
// Departing from PR, the percussions of joints act along their directions at q_theta instead of
// q_1: with theta = 1/2 they then do no work to second order, and motion with joints is of second
// order. With friction by the same inclusion on the tangential velocities, GA (112). Newton's
// method on (18a) with the exact derivatives of h; the directions W follow the iterate q_1.
#include "schemes/moreau_jean.h"

#include <math.h>
#include <string.h>

#include "schemes/settings.h"

typedef struct MoreauScratch {
    Instant middle;       // at (t_theta, q_theta, u_theta)
    Instant end;          // at (t_1, q_1, v)
    JointSet directions;  // of the joints at q_theta
    double* h;            // (nu)
    double* r;            // (nu) residual of (18a) but for W P
    double* change;       // (nu)
    double* P_g;          // (nla_g) iterate
    int* redundant;       // (nla_g) rows of joints that depend on others, as found by the update
    bool* counts;         // (nla_g) the others
} MoreauScratch;

// v, the iterate of u_1, is that of the instant at the end.
typedef struct MoreauStep {
    const System* sys;
    const StepInput* in;
    const State* s;  // at the start of the step
    Workspace* w;
    MoreauScratch* m;
    double theta;
    double energy_n;  // kinetic energy of u_n
    double scale;     // sqrt of an energy: the largest of u_n, v and dt M^-1 h in the norm of M
    bool solved;      // v, P_g and P come from an update with the active laws ...
    bool rests;       // ... which has changed v by no more than the tolerance
} MoreauStep;

static bool is_linear(const System* sys) {
    return sys->n_joints == 0 && !sys->position_dependent && !sys->velocity_dependent;
}

// The changes of velocities (nu) and of joints' percussions (nla_g) in the last step, a first guess
// for the next, where Newton's method has to iterate
StateRoom moreau_jean_room(const System* sys) {
    return (StateRoom){.n_own = is_linear(sys) ? 0 : sys->nu + sys->nla_g};
}

Status moreau_jean_create(const System* sys, const Properties* properties, Arena* arena,
                          void** scratch) {
    MoreauScratch* m = ARENA_NEW(arena, 1, MoreauScratch);
    *scratch = m;
    if (m == NULL || instant_create(sys, properties, arena, &m->middle) != STATUS_OK ||
        instant_create(sys, properties, arena, &m->end) != STATUS_OK ||
        joint_set_create(sys, arena, &m->directions) != STATUS_OK) {
        return STATUS_OUT_OF_MEMORY;
    }
    m->h = ARENA_NEW(arena, sys->nu, double);
    m->r = ARENA_NEW(arena, sys->nu, double);
    m->change = ARENA_NEW(arena, sys->nu, double);
    m->P_g = ARENA_NEW(arena, sys->nla_g, double);
    m->redundant = ARENA_NEW(arena, sys->nla_g, int);
    m->counts = ARENA_NEW(arena, sys->nla_g, bool);
    return m->h != NULL && m->r != NULL && m->change != NULL && m->P_g != NULL &&
                   m->redundant != NULL && m->counts != NULL
               ? STATUS_OK
               : STATUS_OUT_OF_MEMORY;
}

void moreau_jean_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)a;
    (void)scratch;
    s->head->n_own = moreau_jean_room(in->sys).n_own;
    s->head->n_own_contact = 0;
    memset(s->own, 0, (size_t)s->head->n_own * sizeof(double));
}

// --- evaluation ---

// PR (18b): q_theta and q_1 for the iterate v
static void drift(const MoreauStep* step) {
    const MoreauScratch* m = step->m;
    const double dt = step->in->dt;
    for (int i = 0; i < step->sys->nu; i++) {
        m->middle.u[i] = (1.0 - step->theta) * step->s->u[i] + step->theta * m->end.u[i];
    }
    system_move(step->sys, step->s->q, step->theta * dt, m->middle.u, m->middle.q);
    system_move(step->sys, step->s->q, dt, m->middle.u, m->end.q);
}

// Is nothing evaluated that depends on places? Bodies in free flight, whose forces are constant.
static bool flies_freely(const MoreauStep* step) {
    return is_linear(step->sys) && step->sys->n_forces == 0 && step->w->contacts.n == 0;
}

// Forces at the middle, and the directions along which the joints' percussions act; again: those
// that do not depend on the state are as they were.
static void evaluate_middle(const MoreauStep* step, bool again) {
    MoreauScratch* m = step->m;
    if (again && is_linear(step->sys)) {
        return;
    }
    m->middle.t = step->in->t + step->theta * step->in->dt;
    if (flies_freely(step)) {
        instant_evaluate_signals(step->sys, step->s, &m->middle);
    } else {
        instant_evaluate(step->sys, step->s, &m->middle);
    }
    system_forces(step->sys, &m->middle, m->h);
    joint_set_evaluate(step->sys, &m->middle, false, &m->directions);
}

// r = M (v - u_n) - dt h - W_g P_g, and the size of the terms
static void evaluate_dynamics(MoreauStep* step) {
    const System* sys = step->sys;
    const MoreauScratch* m = step->m;
    const double dt = step->in->dt;
    double force = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        m->change[i] = m->end.u[i] - step->s->u[i];
        force += dt * dt * m->h[i] * m->h[i] / step->w->properties.M_diagonal[i];
    }
    system_mass_multiply(sys, &m->middle, m->change, m->r);
    for (int i = 0; i < sys->nu; i++) {
        m->r[i] -= dt * m->h[i];
    }
    joint_set_add(sys, &m->directions, -1.0, m->P_g, m->r);
    const double energy = fmax(system_kinetic_energy(sys, &m->end), step->energy_n);
    step->scale = sqrt(fmax(2.0 * energy, force));
}

// Everything at the iterate (v, P_g): r, and the rows of joints and active laws at q_1
static void evaluate(MoreauStep* step, bool again) {
    Workspace* w = step->w;
    profile_enter(&w->profile, PROFILE_EVALUATE);
    profile_count(&w->profile, COUNT_EVALUATIONS, 1);
    if (!flies_freely(step)) {
        drift(step);
    }
    evaluate_middle(step, again);
    step->m->end.t = step->in->t_1;
    if (!flies_freely(step)) {
        instant_evaluate(step->sys, step->s, &step->m->end);
        joint_set_evaluate(step->sys, &step->m->end, false, &w->joints);
        contact_set_evaluate(&step->m->end, false, &w->contacts);
    }
    newton_matrix_forget(w->matrix);
    evaluate_dynamics(step);
}

// e U_n of row r of an active law
static double restitution(const MoreauStep* step, const ActiveLaw* active, int r) {
    const Link* link = active->link;
    const double* par = step->s->p + link->element->p.at;
    if (link->bound >= 0) {
        return 0.0;
    }
    const double e = par[r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION];
    return e * step->w->gamma[link->la.at + r];
}

// --- residual ---

// Takes note of an error and of what has it if it is the worst so far.
static void note_error(double error, const char* name, double* worst, SolveInfo* info) {
    if (!(error <= *worst)) {
        *worst = error;
        info->worst = name;
    }
}

// ... and hold to this part of the velocities, the others to the tolerance, if they can: where a
// mechanism with drift passes a singular position all of them contradict each other by so much, and
// Newton's method rests without fulfilling them.
static const double CONTRADICTION = 1e-4;

static void joint_residual(const MoreauStep* step, double* worst, SolveInfo* info) {
    const System* sys = step->sys;
    const double redundant = step->s->p[sys->solver + SOLVER_TOLERANCE] / CONTRADICTION;
    const JointSet* joints = &step->w->joints;
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        for (int r = 0; r < joint->la.n; r++) {
            const double G =
                joint_rows_mobility(joint, &joints->joints[i], r, step->w->properties.M_diagonal);
            const double g_dot = fabs(joints->g_dot[joint->la.at + r]);
            const bool counts = step->m->counts[joint->la.at + r] && !step->rests;
            const double weight = counts ? 1.0 : redundant;
            if (G > 0.0) {
                note_error(weight * g_dot / sqrt(G), joint->name, worst, info);
            }
        }
    }
}

static void law_residual(const MoreauStep* step, double* worst, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double xi[LAW_MAX_ROWS];
        double G[LAW_MAX_ROWS];
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            xi[r] = set->gamma[active->row + r] + restitution(step, active, r);
            G[r] = delassus_diagonal(set, active, r);
        }
        note_error(contact_law_error(&active->form, G, set->P + active->row, xi),
                   active->link->name, worst, info);
    }
}

// Relative residual of (18a), the joints and the contact laws at the iterate (v, P_g, P)
static double residual(const MoreauStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    double worst = 0.0;
    double smooth = 0.0;
    info->worst = NULL;
    memcpy(w->solution, step->m->r, (size_t)sys->nu * sizeof(double));
    for (int i = 0; i < w->contacts.n; i++) {
        const ActiveLaw* active = &w->contacts.active[i];
        double f[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            f[r] = -w->contacts.P[active->row + r];
        }
        active_add(active, f, w->solution);
    }
    for (int i = 0; i < sys->nu; i++) {
        smooth += w->solution[i] * w->solution[i] / w->properties.M_diagonal[i];
    }
    note_error(sqrt(smooth), NULL, &worst, info);
    joint_residual(step, &worst, info);
    law_residual(step, &worst, info);
    return relative_error(worst, step->scale);
}

// --- Newton's method ---

// Joints drift, so that rows which follow from others in theory do so only nearly, and contradict
// them. At less than this angle (rad) to the others they take no part ...
static const double DEPENDENT = 1e-3;
// ... or, in a second and in a last attempt at a step, at less than these
static const double DEPENDENT_AGAIN = 3e-3;
static const double DEPENDENT_AT_LAST = 3e-2;

static double dependent_angle(Attempt attempt) {
    return attempt == ATTEMPT_FIRST    ? DEPENDENT
           : attempt == ATTEMPT_DAMPED ? DEPENDENT_AGAIN
                                       : DEPENDENT_AT_LAST;
}

// The derivatives of the joints' directions are part of the matrix if they are this much of it;
// otherwise they would cost more than the iterations that they save. Percussions that make them
// rule the matrix are those of a singular position, and no part of the motion.
static const double STIFF = 1e-6;
static const double TOO_STIFF = 5.0;

static void find_redundant(const MoreauStep* step) {
    const MoreauScratch* m = step->m;
    const int n = newton_matrix_redundant(step->sys, step->w->matrix, m->redundant);
    for (int i = 0; i < step->sys->nla_g; i++) {
        m->counts[i] = true;
    }
    for (int i = 0; i < n; i++) {
        m->counts[m->redundant[i]] = false;
    }
}

// v and P_g without contact percussions: the Newton update of (18a) and (18c)
static Status free_update(const MoreauStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const MoreauScratch* m = step->m;
    const double damping = step_damping(step->in->attempt);
    const double d = -step->in->dt * step->theta;
    MatrixTerms terms = {.k = -d * d, .d = d, .directions = &m->directions};
    const double geometric = -step->theta * d;
    const double stiffness = geometric * joint_set_stiffness(sys, &m->directions, step->s->P_g,
                                                             w->properties.M_diagonal);
    if (stiffness > STIFF && stiffness < TOO_STIFF) {
        terms.geometric = geometric;
        terms.mu_g = m->P_g;
        terms.rate = -d;
        terms.end = &m->end;
    }
    if (sys->n_joints > 0) {
        newton_matrix_set_dependent(w->matrix, dependent_angle(step->in->attempt));
    }
    const Status status = newton_matrix_factor(sys, &m->middle, &w->joints, &terms, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    if (sys->n_joints > 0) {
        find_redundant(step);
    }
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = -damping * m->r[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -damping * w->joints.g_dot[i];
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
    return STATUS_OK;
}

// b: what the velocities of the laws would be without their percussions, W^T v_free and what moves
// by itself (driven frames), with e U_n
static void fill_contact_problem(const MoreauStep* step) {
    ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double moved[LAW_MAX_ROWS];
        active_dot(active, step->w->solution, moved);
        set->laws[i] = active->form;
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            const int row = active->row + r;
            set->b[row] = set->gamma[row] + moved[r] + restitution(step, active, r);
        }
    }
}

// Percussions of the active laws, and what they add to the solution
static Status solve_percussions(const MoreauStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    ContactSet* set = &w->contacts;
    const double* par = step->s->p + sys->solver;
    const PercussionTask task = {.scale = step->scale,
                                 .r = par[SOLVER_PROX_PARAMETER],
                                 .options = solver_contact_options(par)};
    const bool symmetric =
        !sys->position_dependent && !sys->velocity_dependent && sys->n_joints == 0;
    PercussionInfo contact_info;
    Status status =
        delassus_fill(sys, w->matrix, (DelassusOptions){.symmetric = symmetric}, set, &w->pool);
    if (status != STATUS_OK) {
        return status;
    }
    fill_contact_problem(step);
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_DELASSUS, 1);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    status = percussions_solve(set, &task, &w->pool, &contact_info);
    profile_enter(&w->profile, PROFILE_FACTOR);
    solve_info_add(&contact_info, info);
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        delassus_add(sys, active, contact_law_rows(&active->form), set->P + active->row,
                     w->solution);
    }
    if (contact_info.unsolvable) {
        info->worst = set->active[contact_info.worst].link->name;
        info->residual = contact_info.error;
    }
    // whether a problem that was not solved is good enough is for the residual to tell
    return status == STATUS_NO_CONVERGENCE && !percussions_are_hopeless(&contact_info) ? STATUS_OK
                                                                                       : status;
}

// One Newton update of v, P_g and P.
static Status update(MoreauStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    profile_enter(&step->w->profile, PROFILE_FACTOR);
    info->iterations++;
    Status status = free_update(step);
    if (status == STATUS_OK && w->contacts.n > 0) {
        status = solve_percussions(step, info);
    }
    if (status != STATUS_OK) {
        return status;
    }
    double square = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        step->m->end.u[i] += w->solution[i];
        square += w->properties.M_diagonal[i] * w->solution[i] * w->solution[i];
    }
    step->rests = sqrt(square) <= step->s->p[sys->solver + SOLVER_TOLERANCE] * step->scale;
    for (int i = 0; i < sys->nla_g; i++) {  // the border has the sign of W_g: the unknown is -dP_g
        step->m->P_g[i] -= w->solution[sys->nu + i];
    }
    step->solved = true;
    return STATUS_OK;
}

// Newton's method, from the start value to the tolerance
static Status solve(MoreauStep* step, SolveInfo* info) {
    Convergence convergence = solver_convergence(step->s->p + step->sys->solver, step->in->attempt);
    for (;;) {
        if (step->solved && step->w->contacts.n == 0 && is_linear(step->sys)) {
            drift(step);
            return STATUS_OK;  // (18a) had constant coefficients: the update solved it
        }
        evaluate(step, info->iterations > 0);
        if (step->solved) {
            profile_enter(&step->w->profile, PROFILE_RESIDUAL);
            profile_count(&step->w->profile, COUNT_RESIDUALS, 1);
            info->residual = residual(step, info);
            const Verdict verdict =
                convergence_check(&convergence, info->residual, info->iterations);
            info->inexact = verdict == SOLVED_INEXACTLY;
            if (verdict != GO_ON) {
                return verdict_status(verdict, info->residual);
            }
        }
        const Status status = update(step, info);
        if (status != STATUS_OK) {
            return status;
        }
    }
}

// --- active laws ---

// PR (61)
static double explicit_forecast(const MoreauStep* step, int k) {
    const Workspace* w = step->w;
    const double fraction = step->s->p[step->sys->solver + SOLVER_FORECAST];
    return w->g_N[k] + fraction * step->in->dt * w->gamma[step->sys->laws[k].la.at];
}

// PR (62), with U_free where the free motion ends
static double free_forecast(const MoreauStep* step, int k) {
    const Link* link = &step->sys->laws[k];
    Rows rows;
    double U_free[MAX_ROWS];
    system_rows(&step->m->end, link, false, &rows);
    system_row_velocities(&step->m->end, link, &rows, U_free);
    const double U_n = step->w->gamma[link->la.at];
    return step->w->g_N[k] + step->in->dt * (step->theta * U_free[0] + (1.0 - step->theta) * U_n);
}

// y (n) += x
static void add(int n, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] += x[i];
    }
}

// Newton's method starts from where the last step was heading, with the percussions of contacts.
static void start_iteration(MoreauStep* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    const ContactSet* set = &step->w->contacts;
    memcpy(step->m->end.u, s->u, (size_t)sys->nu * sizeof(double));
    memcpy(step->m->P_g, s->P_g, (size_t)sys->nla_g * sizeof(double));
    if (s->head->n_own > 0) {
        add(sys->nu, s->own, step->m->end.u);
        add(sys->nla_g, s->own + sys->nu, step->m->P_g);
    }
    for (int i = 0; i < set->n; i++) {
        const ContactRecord* record = state_record(s, set->active[i].law);
        for (int r = 0; r < contact_law_rows(&set->active[i].form); r++) {
            set->P[set->active[i].row + r] = record != NULL ? record->P[r] : 0.0;
        }
    }
    step->solved = false;
}

// The laws that the step considers: friction in joints, and contacts (none without a forecast of
// their gaps). Those that pressed in the last step stay in consideration, so that rounding in a gap
// of zero does not let a resting body fall for a step.
static void activate(MoreauStep* step, double (*forecast)(const MoreauStep* step, int k)) {
    const System* sys = step->sys;
    const State* s = step->s;
    ContactSet* set = &step->w->contacts;
    const ContactRecord* record = s->records;
    const ContactRecord* end = s->records + s->head->n_records;
    int n = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const bool closed = record < end && record->key == k && record->state != CONTACT_OPEN;
        record += record < end && record->key == k;
        const bool active = link->bound >= 0
                                ? s->p[link->bound] > 0.0
                                : forecast != NULL && (closed || forecast(step, k) <= 0.0);
        if (active) {
            set->chosen[n++] = k;
        }
    }
    if (!step->solved || n != set->n) {
        contact_set_choose(sys, s->p, step->in->dt, n, set);
        start_iteration(step);
    }
}

static bool has_open_contact(const MoreauStep* step) {
    for (int k = 0; k < step->sys->n_contacts; k++) {
        if (record_state(state_record(step->s, k)) == CONTACT_OPEN) {
            return true;
        }
    }
    return false;
}

// The contacts of the step. The free motion of (62) is that of one Newton update without contacts,
// which is the step's own if it closes none.
static Status choose_contacts(MoreauStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    if (step->s->p[sys->solver + SOLVER_ACTIVATION] != ACTIVATION_FREE || !has_open_contact(step)) {
        activate(step, explicit_forecast);
        return STATUS_OK;
    }
    activate(step, NULL);
    evaluate(step, false);
    const Status status = update(step, info);
    if (status == STATUS_OK) {
        drift(step);
        instant_evaluate(sys, step->s, &step->m->end);
        activate(step, free_forecast);
    }
    return status;
}

// --- the state at the end ---

// What counts as zero in the solution, in the norm of kinetic energy
static double negligible(const MoreauStep* step) {
    return 10.0 * step->s->p[step->sys->solver + SOLVER_TOLERANCE] * step->scale;
}

// Does the friction of an active law stick, to the accuracy of the solution?
static bool sticks(const MoreauStep* step, const ActiveLaw* active) {
    const ContactLaw* law = &active->form;
    const double small = negligible(step);
    bool result = law->normal ? law->mu > 0.0 : true;
    for (int r = law->normal ? 1 : 0; r < contact_law_rows(law); r++) {
        const double G = delassus_diagonal(&step->w->contacts, active, r);
        const double xi = step->w->contacts.gamma[active->row + r] + restitution(step, active, r);
        result = result && fabs(xi) <= small * sqrt(G);
    }
    return result;
}

// Closed contacts press on each other and do not part faster than the forces of half a step can
// bring them together again; an impact is a closing speed beyond the same measure.
static bool is_closed(const MoreauStep* step, const ActiveLaw* active, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    if (!active->form.normal) {
        return true;
    }
    const double before = step->w->gamma[active->link->la.at];
    const double free = set->b[active->row] - restitution(step, active, 0);
    const double G = delassus_diagonal(set, active, 0);
    const double threshold = fmax(0.5 * (before - free), negligible(step) * sqrt(G));
    const bool presses = set->P[active->row] > 0.0;
    info->impact = info->impact || (presses && -before > threshold);
    return presses && set->gamma[active->row] <= threshold;
}

// Records of the laws that are closed or have percussions
static void classify(const MoreauStep* step, State* s, SolveInfo* info) {
    const ContactSet* set = &step->w->contacts;
    s->head->n_records = 0;
    for (int c = 0; c < set->n; c++) {
        const ActiveLaw* active = &set->active[set->slot[set->chosen[c]]];
        ContactRecord record = {.key = active->law, .state = CONTACT_OPEN};
        bool any = false;
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            record.P[r] = set->P[active->row + r];
            any = any || record.P[r] != 0.0;
        }
        if (is_closed(step, active, info)) {
            record.state = sticks(step, active) ? CONTACT_STICK : CONTACT_SLIP;
        }
        if (any || record.state != CONTACT_OPEN) {
            s->records[s->head->n_records++] = record;
        }
    }
}

// P contains finite forces and impacts alike: it counts as a mean force over the step if there is
// no impact, else as an impulse.
static void split_percussions(int n, const double* P, double dt, bool impact, double* la,
                              double* La) {
    for (int i = 0; i < n; i++) {
        la[i] = impact ? 0.0 : P[i] / dt;
        La[i] = impact ? P[i] : 0.0;
    }
}

// Gaps and velocities at the end are what the next step starts from.
static void commit_laws(const MoreauStep* step) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const ContactSet* set = &w->contacts;
    if (set->n == 0 && sys->n_joints == 0) {  // otherwise the residual was taken there
        step->m->end.t = step->in->t_1;
        instant_evaluate(sys, step->s, &step->m->end);
    }
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const ActiveLaw* active = set->slot[k] >= 0 ? &set->active[set->slot[k]] : NULL;
        if (active != NULL && contact_law_rows(&active->form) == link->la.n) {
            w->g_N[k] = active->g[0];
            memcpy(w->gamma + link->la.at, set->gamma + active->row,
                   (size_t)link->la.n * sizeof(double));
        } else {
            workspace_update_law(&step->m->end, k, link, w);
        }
    }
    w->laws_known = true;
}

// An impact is no guess for what comes next.
static void keep_changes(const MoreauStep* step, State* s, bool impact) {
    const System* sys = step->sys;
    const MoreauScratch* m = step->m;
    for (int i = 0; i < sys->nu && s->head->n_own > 0; i++) {
        s->own[i] = impact ? 0.0 : m->end.u[i] - s->u[i];
    }
    for (int i = 0; i < sys->nla_g && s->head->n_own > 0; i++) {
        s->own[sys->nu + i] = impact ? 0.0 : m->P_g[i] - s->P_g[i];
    }
}

// q_1, v and the percussions become the state.
static void commit(const MoreauStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const MoreauScratch* m = step->m;
    const double dt = step->in->dt;
    classify(step, s, info);
    keep_changes(step, s, info->impact);
    memcpy(s->q, m->end.q, (size_t)sys->nq * sizeof(double));
    memcpy(s->u, m->end.u, (size_t)sys->nu * sizeof(double));
    memcpy(s->P_g, m->P_g, (size_t)sys->nla_g * sizeof(double));
    split_percussions(sys->nla_g, s->P_g, dt, info->impact, s->la_g, s->La_g);
    for (long long i = 0; i < s->head->n_records; i++) {
        ContactRecord* record = &s->records[i];
        split_percussions(CONTACT_MAX_ROWS, record->P, dt, info->impact, record->la, record->La);
    }
    commit_laws(step);
}

// Energies must be, too.
static bool is_finite(const MoreauStep* step) {
    double square = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        const double u = step->m->end.u[i];
        square += step->w->properties.M_diagonal[i] * u * u;
    }
    return isfinite(square) && isfinite(step->scale);
}

Status moreau_jean_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    MoreauStep step = {.sys = in->sys,
                       .in = in,
                       .s = s,
                       .w = in->w,
                       .m = scratch,
                       .theta = s->p[in->sys->solver + SOLVER_THETA],
                       .energy_n = system_kinetic_energy_of(in->sys, &in->w->present, s->u)};
    *info = (SolveInfo){0};
    Status status = choose_contacts(&step, info);  // PR (61), (62)
    if (status == STATUS_OK) {
        status = solve(&step, info);  // (18a)-(18d)
    }
    if (status == STATUS_OK && !is_finite(&step)) {
        status = STATUS_NOT_FINITE;
    }
    if (status == STATUS_OK) {
        profile_enter(&in->w->profile, PROFILE_COMMIT);
        commit(&step, s, info);
    }
    return status;
}
