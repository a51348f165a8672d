// Newton updates of the three kinematic levels of generalized-alpha, each with the contact problem
// of its level.
#include <math.h>
#include <string.h>

#include "schemes/alpha_step.h"

// --- the matrix of a level ---

// Where forces depend on q and on u, stiff springs with stiff dampers would throw the error to and
// fro between the levels: a correction of q then takes u along as accelerations would, in the
// matrix and in the update.
static bool takes_velocity_along(const System* sys) {
    return sys->position_dependent && sys->velocity_dependent;
}

bool alpha_has_friction(const ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        if (set->active[i].form.n_F > 0) {
            return true;
        }
    }
    return false;
}

// Then the velocity level has to balance only what is left of its equations with gamma'/beta' of
// those of position level, in which h is no more:
//   M (x_V - gamma'/beta' x_P) = W_g (mu_g,V - gamma'/beta' mu_g,P) + ...
// and both levels together are Newton's method. Friction, which the position level does not hold
// back, would be answered by M alone where dampers do it: while it acts, dh/du is in the matrix of
// velocity level instead, and errors go to and fro where dampers are stiff.
static bool balances_difference(const AlphaStep* step) {
    return takes_velocity_along(step->sys) && !alpha_has_friction(&step->w->contacts);
}

static MatrixTerms level_terms(const AlphaStep* step, Level level) {
    const System* sys = step->sys;
    if (level == POSITION) {
        return (MatrixTerms){.k = sys->position_dependent ? -step->weight[level] : 0.0,
                             .d = takes_velocity_along(sys) ? -step->weight[VELOCITY] : 0.0,
                             .q_0 = sys->turning ? step->s->q : NULL,
                             .positions_only = sys->nonholonomic,
                             .geometric = step->stiff ? 1.0 : 0.0,
                             .mu_g = step->alpha->mu_g[POSITION]};
    }
    const bool damps = level == VELOCITY && sys->velocity_dependent && !balances_difference(step);
    return (MatrixTerms){.d = damps ? -step->weight[level] : 0.0};
}

// Does the position level have a matrix of its own?
static bool has_own_matrix(const AlphaStep* step) {
    const System* sys = step->sys;
    return step->stiff || sys->turning || sys->position_dependent || sys->velocity_dependent ||
           sys->nonholonomic;
}

// The update without changes of contact forces, into w->solution: x and minus mu_g
static void free_update(AlphaStep* step, Level level, bool redundant) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = step->alpha;
    if (redundant) {
        // the forces of redundant joints are those of least norm, not of least change
        memset(alpha->mu_g[level], 0, (size_t)sys->nla_g * sizeof(double));
        step->known[level] = false;
    }
    const double* r = alpha_dynamics(step, level);
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = -r[i];
    }
    if (level == VELOCITY && balances_difference(step)) {
        const double ratio = step->weight[VELOCITY] / step->weight[POSITION];
        const double* of_positions = alpha_dynamics(step, POSITION);
        for (int i = 0; i < sys->nu; i++) {
            w->solution[i] += ratio * of_positions[i];
        }
    }
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -alpha->rate_g[level][i];
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
}

// --- the contact problem of a level ---

// The nearest forces that the law allows, as a start value: where the joints take up a friction
// force whatever it is, it does not enter the problem, and nothing else would bring it there.
static void clip_forces(const ContactLaw* law, double* P) {
    const int F = contact_law_F(law);
    double R = law->bound;
    if (law->normal) {
        P[0] = larger(0.0, P[0]);
        R = law->mu * P[0];
    }
    double square = 0.0;
    for (int r = F; r < F + law->n_F; r++) {
        square += P[r] * P[r];
    }
    const double size = sqrt(square);
    for (int r = F; r < F + law->n_F; r++) {
        P[r] = law->slides ? -R * law->slip[r - F] : size > R ? P[r] * (R / size) : P[r];
    }
}

// Rows of an active law that have forces on this level
static int level_rows(const ContactLaw* form, Level level) {
    return level == POSITION ? (int)form->normal : contact_law_rows(form);
}

// The laws of the level, and b: rates as they would be with the update and without the mu of the
// level
static void fill_contact_problem(const AlphaStep* step, Level level) {
    ContactSet* set = &step->w->contacts;
    const AlphaScratch* alpha = step->alpha;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double change[LAW_MAX_ROWS];
        active_dot(active, step->w->solution, change);
        set->laws[i] = alpha_level_law(step, level, i);
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            const int row = active->row + r;
            const bool there = r < level_rows(&active->form, level);
            set->P[row] = there ? alpha->mu[level][alpha_first_row(active) + r] : 0.0;
            set->b[row] = there ? alpha->rate[level][row] + change[r] : 0.0;
        }
    }
    delassus_apply(set, -1.0, set->P, set->b);
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const int n = contact_law_rows(&set->laws[i]);
        for (int r = n; r < level_rows(&active->form, level); r++) {
            set->P[active->row + r] = 0.0;
        }
        if (n > 0) {
            clip_forces(&set->laws[i], set->P + active->row);
        }
    }
}

// The sets that follow from the solution of the level's problem
static void take_sets(const AlphaStep* step, Level level) {
    const ContactSet* set = &step->w->contacts;
    unsigned* sets = step->alpha->sets;
    if (level == ACCELERATION) {
        return;
    }
    delassus_apply(set, 1.0, set->P, set->b);  // b becomes xi
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const ContactLaw* law = &set->laws[i];
        double G[LAW_MAX_ROWS];
        for (int r = 0; r < contact_law_rows(law); r++) {
            G[r] = delassus_diagonal(set, active, r);
        }
        const double* P = set->P + active->row;
        const double* xi = set->b + active->row;
        if (contact_law_rows(law) == 0) {
            continue;
        }
        if (level == POSITION) {
            const bool closed = G[0] * P[0] >= xi[0] || (step->keep_closed && (sets[i] & IN_A));
            sets[i] = closed ? sets[i] | IN_A : 0;
        } else {
            sets[i] = IN_A | alpha_velocity_sets(step, law, P, xi, G);
        }
    }
}

// Adds the change of mu to the solution and takes mu over; that of laws that do not hold on this
// level becomes zero.
static void take_forces(const AlphaStep* step, Level level) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const int n = level_rows(&active->form, level);
        double change[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < n; r++) {
            double* mu = &step->alpha->mu[level][alpha_first_row(active) + r];
            change[r] = set->P[active->row + r] - *mu;
            *mu += step_damping(step->in->attempt) * change[r];
        }
        delassus_add(step->sys, active, n, change, step->w->solution);
    }
}

// --- friction that displaces stiff bodies ---

// On velocity level friction acts on M, and on position level, GA (80), by
//   D = dt/2 P_F + (1-s) beta' la_F,   s = dt/2 gamma'/beta',
// on A = M - beta' dh/dq, gaps being held that are closed. Stiff bodies hardly give way to it
// there: with their forces, which gamma' h has in the equations of velocity level, velocities
// change by
//   M^-1 (P_F - gamma' (-dh/dq) A^-1 D) = (1-eta) M^-1 W_F P_F + eta A^-1 W_F P_F,
//   eta = gamma'/beta' D/P_F.
// While it slides, la_F does not follow P_F: eta = s. Where it sticks within its bound, gamma_F' =
// 0 gives
//   la_F = z/beta' D,  z = 1 - W_F^T A^-1 W_F / W_F^T M^-1 W_F:   eta = s / (1 - (1-s) z).
// s is near 1, so that passes with M^-1 W_F alone would go a hundredth of the way each where z is
// near 1: at the cross sections of thin beams, whose inertia is tiny. (M stands for
// M - gamma' dh/du.)

static const double YIELDING = 0.9;  // of W_F^T M^-1 W_F, at most, is left with A

static bool is_friction(const ActiveLaw* active, int r) { return r > 0 || !active->form.normal; }

// Takes note of W_F^T M^-1 W_F, or compares W_F^T A^-1 W_F with it.
static void compare_mobilities(AlphaStep* step, Level level) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            double* G_M = &step->alpha->G_M[alpha_first_row(active) + r];
            const double G = is_friction(active, r) ? delassus_diagonal(set, active, r) : 0.0;
            if (level == VELOCITY) {
                *G_M = G;
            } else if (G < YIELDING * *G_M) {
                step->yields = true;
            }
        }
    }
}

static bool may_yield(const AlphaStep* step) {
    return step->sys->position_dependent && alpha_has_friction(&step->w->contacts);
}

// Does la_F of active law i follow what else happens, because it is within its bound?
static bool force_follows(const AlphaStep* step, int i) {
    static const double WITHIN = 1.0 - 1e-9;
    const ContactLaw law = alpha_level_law(step, ACCELERATION, i);
    const double* la =
        step->alpha->mu[ACCELERATION] + alpha_first_row(&step->w->contacts.active[i]);
    const int F = contact_law_F(&law);
    double square = 0.0;
    for (int r = F; r < F + law.n_F; r++) {
        square += la[r] * la[r];
    }
    return law.n_F > 0 && !law.slides &&
           sqrt(square) < WITHIN * (law.normal ? law.mu * la[0] : law.bound);
}

// The same as the passes of this step take it: a force that has come to its bound once stays there,
// lest passes go to and fro between both.
static bool take_force_to_follow(const AlphaStep* step, int i) {
    const bool follows = force_follows(step, i);
    ForceCourse* course = &step->alpha->course[step->w->contacts.active[i].law];
    *course = *course == FORCE_BOUND || (*course == FORCE_FOLLOWS && !follows) ? FORCE_BOUND
              : follows                                                        ? FORCE_FOLLOWS
                                                                               : FORCE_UNKNOWN;
    return *course == FORCE_FOLLOWS;
}

// 1 - eta of row r of an active law, its columns being those of A; follows: la_F does
static double mass_part(const AlphaStep* step, int i, int r, bool follows) {
    const ActiveLaw* active = &step->w->contacts.active[i];
    const double s = 0.5 * step->dt * step->weight[VELOCITY] / step->weight[POSITION];
    const double G_M = step->alpha->G_M[alpha_first_row(active) + r];
    if (!is_friction(active, r)) {
        return 1.0;
    }
    if (!follows || !(G_M > 0.0)) {
        return 1.0 - s;
    }
    const double z = 1.0 - delassus_column_diagonal(step->sys, active, r) / G_M;
    return 1.0 - s / (1.0 - (1.0 - s) * fmax(0.0, fmin(z, 1.0)));
}

// A^-1 W of all rows, with gaps held
static Status fill_yielding(AlphaStep* step) {
    Workspace* w = step->w;
    const MatrixTerms terms = level_terms(step, POSITION);
    Status status =
        newton_matrix_factor(step->sys, &step->alpha->end, &w->joints, &terms, w->matrix);
    if (status == STATUS_OK) {
        status = delassus_fill_columns(step->sys, w->matrix, (DelassusOptions){0}, &w->contacts,
                                       &w->pool);
    }
    if (status != STATUS_OK) {
        return status;
    }
    delassus_hold_gaps(step->sys, &w->contacts);
    for (int i = 0; i < w->contacts.n; i++) {
        const ActiveLaw* active = &w->contacts.active[i];
        const bool follows = take_force_to_follow(step, i);
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            step->alpha->parts[active->row + r] = mass_part(step, i, r, follows);
        }
    }
    return STATUS_OK;
}

// --- the update of a level ---

// The Delassus operator of the level
static Status prepare_operator(AlphaStep* step, Level level) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const MatrixTerms terms = level_terms(step, level);
    const bool compares = !step->yields && level != ACCELERATION && may_yield(step);
    // on position level friction has no law: its rows are wanted if another level has this matrix
    const DelassusOptions options = {
        .normals_only = level == POSITION && has_own_matrix(step) && !compares,
        .symmetric = newton_matrix_is_symmetric(sys, &terms)};
    if (step->yields && level == VELOCITY) {
        return delassus_blend(sys, w->matrix, (DelassusOptions){0}, step->alpha->parts,
                              &w->contacts, &w->pool);
    }
    const Status status = delassus_prepare(sys, w->matrix, options, &w->contacts, &w->pool);
    if (status == STATUS_OK && compares) {
        compare_mobilities(step, level);
    }
    return status;
}

static Status solve_contacts(AlphaStep* step, Level level, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const double* par = step->s->p + sys->solver;
    Status status = prepare_operator(step, level);
    if (status != STATUS_OK) {
        return status;
    }
    PercussionTask task = {
        .scale = (level == POSITION ? step->visible_scale : step->scale) / step->unit[level],
        .r = par[SOLVER_PROX_PARAMETER],
        .options = solver_contact_options(par)};
    task.options.near = step->solved[level];
    step->solved[level] = true;
    PercussionInfo contact_info;
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    fill_contact_problem(step, level);
    status = percussions_solve(&w->contacts, &task, &w->pool, &contact_info);
    take_forces(step, level);
    take_sets(step, level);
    const Convergence convergence = solver_convergence(par, step->in->attempt);
    return solve_info_judge(&w->contacts, &contact_info, status, &convergence, info);
}

Status alpha_solve_level(AlphaStep* step, Level level, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const AlphaScratch* alpha = step->alpha;
    const double damping = step_damping(step->in->attempt);
    const MatrixTerms terms = level_terms(step, level);
    profile_enter(&w->profile, PROFILE_FACTOR);
    Status status = step->yields && level == VELOCITY ? fill_yielding(step) : STATUS_OK;
    if (status == STATUS_OK) {
        status = newton_matrix_factor(sys, &alpha->end, &w->joints, &terms, w->matrix);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const bool redundant = sys->n_joints > 0 && newton_matrix_redundant(sys, w->matrix, NULL) > 0;
    free_update(step, level, redundant);
    if (w->contacts.n > 0) {
        status = solve_contacts(step, level, info);
        profile_enter(&w->profile, PROFILE_FACTOR);
    }
    step->known[level] = step->known[POSITION] = false;
    const double* change = w->solution;
    if (level == POSITION) {
        system_pull_back(sys, alpha->end.q, step->s->q, w->solution, alpha->d);
        change = alpha->d;
    }
    for (int i = 0; i < sys->nu; i++) {
        alpha->x[level][i] += damping * change[i];
    }
    if (level == POSITION && takes_velocity_along(sys)) {
        const double ratio = step->weight[VELOCITY] / step->weight[POSITION];
        for (int i = 0; i < sys->nu; i++) {
            alpha->x[VELOCITY][i] += damping * ratio * change[i];
        }
    }
    // those of redundant joints are all of mu_g, and no change of it that could be shortened
    const double damping_g = redundant ? 1.0 : damping;
    for (int i = 0; i < sys->nla_g; i++) {  // the border has the sign of W_g: the unknown is -mu_g
        alpha->mu_g[level][i] -= damping_g * w->solution[sys->nu + i];
    }
    return status;
}
