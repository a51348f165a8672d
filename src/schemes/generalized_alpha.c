// Nonsmooth generalized-alpha scheme of Capobianco, Harsch, Eugster and Leine (GA): second order in
// smooth motion; joints and contacts are fulfilled on position, velocity and acceleration level.
//
// GA solves all equations of a step (126)-(142) at once by a semismooth Newton method. Here they
// are ordered by kinematic level (alpha_step.h): one pass solves position, velocity and
// acceleration level in turn, each with the contact laws of its level solved exactly, and W and h
// evaluated anew between them. What the levels below act back (h(u), friction in (80)) is small of
// order dt and comes with the next pass. The laws and the equations are GA's; the iteration ends
// when all of them hold at the same point.
#include "schemes/generalized_alpha.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "schemes/alpha_step.h"
#include "system/force_rounding.h"

static size_t bytes(int n) { return (size_t)n * sizeof(double); }

// --- what it keeps ---

enum { OWN_OF_U = 8, OWN_OF_JOINTS = 6 };  // arrays (nu) and (nla_g) of AlphaOwn

StateRoom generalized_alpha_room(const System* sys) {
    return (StateRoom){.n_own = 2 + OWN_OF_U * sys->nu + OWN_OF_JOINTS * sys->nla_g,
                       .n_own_contact = sizeof(AlphaContact) / sizeof(double)};
}

// The next n of an array
static double* next_part(double** at, int n) {
    double* part = *at;
    *at += n;
    return part;
}

AlphaOwn alpha_own(const System* sys, const State* s) {
    double* at = s->own;
    const int n = sys->nu;
    const int n_g = sys->nla_g;
    AlphaOwn own;
    own.n_smooth = next_part(&at, 1);
    own.dt = next_part(&at, 1);
    own.a = next_part(&at, n);
    own.a_bar = next_part(&at, n);
    own.a_change = next_part(&at, n);
    own.a_bend = next_part(&at, n);
    own.Q = next_part(&at, n);
    own.Q_change = next_part(&at, n);
    own.U = next_part(&at, n);
    own.U_change = next_part(&at, n);
    own.la_g_bar = next_part(&at, n_g);
    own.la_g_change = next_part(&at, n_g);
    own.la_g_bend = next_part(&at, n_g);
    own.kappa_g = next_part(&at, n_g);
    own.kappa_g_change = next_part(&at, n_g);
    own.La_g_change = next_part(&at, n_g);
    return own;
}

AlphaContact* alpha_contact(const State* s, long long record) {
    return (AlphaContact*)(void*)s->own_contact + record;
}

// --- scratch ---

static double* doubles(Arena* arena, int n, bool* ok) {
    double* array = ARENA_NEW(arena, n, double);
    *ok = *ok && array != NULL;
    return array;
}

// The iterate z and its parts
static bool create_iterate(const System* sys, Arena* arena, AlphaScratch* alpha) {
    const int n = sys->nu;
    const int n_g = sys->nla_g;
    const int m = sys->nla_c;
    bool ok = true;
    alpha->n_z = N_LEVELS * (n + n_g + m);
    alpha->z = doubles(arena, alpha->n_z, &ok);
    alpha->z_before = doubles(arena, alpha->n_z, &ok);
    alpha->z_after = doubles(arena, alpha->n_z, &ok);
    alpha->change = doubles(arena, alpha->n_z, &ok);
    for (int i = 0; i < N_LEVELS && ok; i++) {
        alpha->x[i] = alpha->z + (ptrdiff_t)i * n;
        alpha->mu_g[i] = alpha->z + (ptrdiff_t)N_LEVELS * n + (ptrdiff_t)i * n_g;
        alpha->mu[i] = alpha->z + (ptrdiff_t)N_LEVELS * (n + n_g) + (ptrdiff_t)i * m;
        alpha->r[i] = doubles(arena, n, &ok);
        alpha->rate[i] = doubles(arena, m, &ok);
        alpha->rate_g[i] = doubles(arena, n_g, &ok);
    }
    return ok;
}

enum { ARRAYS_OF_LAWS = N_LEVELS + 3 };  // in forces_n

// What the forces before the step leave, by law: one block, so that it is cleared at once
static bool create_forces(const System* sys, Arena* arena, AlphaScratch* alpha) {
    const int m = sys->nla_c;
    alpha->forces_n = ARENA_NEW(arena, ARRAYS_OF_LAWS * m, double);
    if (alpha->forces_n == NULL) {
        return false;
    }
    double* at = alpha->forces_n;
    for (int i = 0; i < N_LEVELS; i++) {
        alpha->offset[i] = next_part(&at, m);
    }
    alpha->la_n = next_part(&at, m);
    alpha->la_bar_n = next_part(&at, m);
    alpha->la_change_n = next_part(&at, m);
    return true;
}

Status generalized_alpha_create(const System* sys, const Properties* properties, Arena* arena,
                                void** scratch) {
    AlphaScratch* alpha = ARENA_NEW(arena, 1, AlphaScratch);
    bool ok = true;
    *scratch = alpha;
    if (alpha == NULL || instant_create(sys, properties, arena, &alpha->end) != STATUS_OK ||
        !create_iterate(sys, arena, alpha)) {
        return STATUS_OUT_OF_MEMORY;
    }
    alpha->q_base = doubles(arena, sys->nq, &ok);
    alpha->w_0 = doubles(arena, sys->nu, &ok);
    alpha->u_star = doubles(arena, sys->nu, &ok);
    alpha->h = doubles(arena, sys->nu, &ok);
    alpha->d = doubles(arena, sys->nu, &ok);
    alpha->gamma_n = doubles(arena, sys->nla_c, &ok);
    alpha->mobility = doubles(arena, sys->nla_c, &ok);
    alpha->unit_g = doubles(arena, sys->nla_g, &ok);
    ok = create_forces(sys, arena, alpha) && ok;
    alpha->sets = ARENA_NEW(arena, sys->n_laws, unsigned);
    alpha->state_n = ARENA_NEW(arena, sys->n_laws, ContactState);
    alpha->considered = ARENA_NEW(arena, sys->n_laws, bool);
    ok = ok && alpha->sets != NULL && alpha->state_n != NULL && alpha->considered != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// --- the start of a motion ---

// GA 9: a_bar_0 = a_0, la_bar_0 = la_0
void generalized_alpha_start(const StepInput* in, const double* a, State* s, void* scratch) {
    const System* sys = in->sys;
    const StateRoom room = generalized_alpha_room(sys);
    (void)scratch;
    s->head->n_own = room.n_own;
    s->head->n_own_contact = room.n_own_contact;
    memset(s->own, 0, bytes(room.n_own));
    const AlphaOwn own = alpha_own(sys, s);
    memcpy(own.a, a, bytes(sys->nu));
    memcpy(own.a_bar, a, bytes(sys->nu));
    memcpy(own.la_g_bar, s->la_g, bytes(sys->nla_g));
    for (long long i = 0; i < s->head->n_records; i++) {
        AlphaContact* contact = alpha_contact(s, i);
        *contact = (AlphaContact){.la_bar = {0.0}};
        memcpy(contact->la_bar, s->records[i].la, sizeof contact->la_bar);
    }
}

// --- jumps of inputs and parameters ---

// A value becomes what it is right after the jump; its auxiliary variable jumps with it, so that
// the difference of the two, which makes the scheme one of second order, stays.
static void jump_to(double after, double* value, double* bar) {
    *bar += after - *value;
    *value = after;
}

void generalized_alpha_jump(const StepInput* in, const double* a, const double* la_g, State* s,
                            void* scratch) {
    (void)scratch;
    const System* sys = in->sys;
    const ContactSet* set = &in->w->contacts;
    const AlphaOwn own = alpha_own(sys, s);
    for (int i = 0; i < sys->nu; i++) {
        jump_to(a[i], &own.a[i], &own.a_bar[i]);
    }
    for (int i = 0; i < sys->nla_g; i++) {
        jump_to(la_g[i], &s->la_g[i], &own.la_g_bar[i]);
    }
    for (long long j = 0; j < s->head->n_records; j++) {
        ContactRecord* record = &s->records[j];
        const int slot = set->slot[record->key];
        const int n = slot >= 0 ? contact_law_rows(&set->active[slot].form) : 0;
        for (int r = 0; r < n; r++) {
            jump_to(set->P[set->active[slot].row + r], &record->la[r],
                    &alpha_contact(s, j)->la_bar[r]);
        }
    }
}

// --- prediction ---

// GA (72), and the weights of alpha_step.h
static void set_coefficients(AlphaStep* step) {
    const double rho = step->s->p[step->sys->solver + SOLVER_SPECTRAL_RADIUS];
    const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    const double alpha_f = rho / (rho + 1.0);
    const double gamma = 0.5 + alpha_f - alpha_m;
    const double beta = 0.25 * (0.5 + gamma) * (0.5 + gamma);
    const double dt = step->dt;
    // (71) solved for the new auxiliary value
    step->of_bar = -alpha_m / (1.0 - alpha_m);
    step->of_old = alpha_f / (1.0 - alpha_m);
    step->of_new = (1.0 - alpha_f) / (1.0 - alpha_m);
    // (70) with it
    step->integral_of_bar = dt * (1.0 - gamma + gamma * step->of_bar);
    step->integral_of_old = dt * gamma * step->of_old;
    step->double_of_bar = dt * dt * (0.5 - beta + beta * step->of_bar);
    step->double_of_old = dt * dt * beta * step->of_old;
    step->weight[POSITION] = dt * dt * beta * step->of_new;
    step->weight[VELOCITY] = dt * gamma * step->of_new;
    step->weight[ACCELERATION] = 1.0;
    step->unit[POSITION] = 1.0 / dt;
    step->unit[VELOCITY] = 1.0;
    step->unit[ACCELERATION] = dt;
}

// GA (70) with the new value left out: what has been before contributes to displacements
static double double_integral(const AlphaStep* step, double bar, double old) {
    return step->double_of_bar * bar + step->double_of_old * old;
}

// Accelerations and forces go on as a parabola through their last three values once these belong to
// one smooth motion, as a line or as they are before. In smooth motion Q, U and their multipliers
// correct the error of the integration formula; those of bodies and joints go on as a line, those
// of contacts, which are mostly rests of rounding, as they are. Newton's first pass squares the
// error of the guess, so that it is the last one in most smooth steps.
typedef struct Guess {
    double once, twice;  // factors of differences over one and over two steps: one or zero
} Guess;

static Guess choose_guess(const AlphaOwn* own, double dt) {
    // the first smooth step begins with what an impact left
    return (Guess){.once = *own->dt == dt && *own->n_smooth > 1.0 ? 1.0 : 0.0,
                   .twice = *own->dt == dt && *own->n_smooth > 2.0 ? 1.0 : 0.0};
}

static double guess_next(Guess guess, double value, double change, double bend) {
    return value + guess.once * change + guess.twice * bend;
}

// What alternates, as it does after an impact until it has decayed, does not go on as a line.
static double guess_correction(Guess guess, double value, double change) {
    static const double STEADY = 0.5;  // of the value, at most, changes in a step
    return fabs(change) <= STEADY * fabs(value) ? guess.twice * (value + change) : 0.0;
}

// Contacts without a record are open and have no forces.
static void clear_laws(const AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    if (step->sys->n_laws == 0) {
        return;
    }
    for (int k = 0; k < step->sys->n_laws; k++) {
        alpha->state_n[k] = CONTACT_OPEN;
    }
    memset(alpha->forces_n, 0, bytes(ARRAYS_OF_LAWS * step->sys->nla_c));
    memset(alpha->mu[POSITION], 0, bytes(N_LEVELS * step->sys->nla_c));
}

// The forces of contacts before the step, by law, and the guess of those in it.
static void read_records(const AlphaStep* step, Guess guess) {
    const System* sys = step->sys;
    const State* s = step->s;
    const AlphaScratch* alpha = step->alpha;
    const double of_position = step->weight[POSITION];
    const double of_velocity = step->weight[VELOCITY];
    clear_laws(step);
    for (long long j = 0; j < s->head->n_records; j++) {
        const ContactRecord* record = &s->records[j];
        const AlphaContact* contact = alpha_contact(s, j);
        const Range rows = sys->laws[record->key].la;
        alpha->state_n[record->key] = (ContactState)record->state;
        for (int r = 0; r < rows.n; r++) {
            const int row = rows.at + r;
            const double la_n = record->la[r];
            const double bar = contact->la_bar[r];
            const double la = guess_next(guess, la_n, contact->la_change[r], contact->la_bend[r]);
            const double kappa = guess.twice * contact->kappa[r];
            const double La = guess.twice * record->La[r];
            const double k_0 = double_integral(step, bar, la_n);
            const double p_0 = alpha_integral(step, bar, la_n);
            alpha->la_n[row] = la_n;
            alpha->la_bar_n[row] = bar;
            alpha->la_change_n[row] = contact->la_change[r];
            alpha->offset[POSITION][row] = k_0;
            alpha->offset[VELOCITY][row] = p_0;
            alpha->mu[POSITION][row] = k_0 + of_position * la + kappa;
            alpha->mu[VELOCITY][row] = p_0 + of_velocity * la + La;
            alpha->mu[ACCELERATION][row] = la;
        }
    }
}

// Start value: accelerations and forces go on as in the last steps.
static void predict(const AlphaStep* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    const AlphaOwn own = step->own;
    const AlphaScratch* alpha = step->alpha;
    const double of_position = step->weight[POSITION];
    const double of_velocity = step->weight[VELOCITY];
    const Guess guess = choose_guess(&own, step->dt);
    system_base(sys, s->q, s->u, step->dt, alpha->q_base);
    for (int i = 0; i < sys->nu; i++) {
        const double a_n = own.a[i];
        const double a = guess_next(guess, a_n, own.a_change[i], own.a_bend[i]);
        alpha->w_0[i] = step->dt * s->u[i] + double_integral(step, own.a_bar[i], a_n);
        alpha->u_star[i] = s->u[i] + alpha_integral(step, own.a_bar[i], a_n);
        alpha->x[POSITION][i] =
            of_position * a + guess_correction(guess, own.Q[i], own.Q_change[i]);
        alpha->x[VELOCITY][i] =
            of_velocity * a + guess_correction(guess, own.U[i], own.U_change[i]);
        alpha->x[ACCELERATION][i] = a;
    }
    for (int i = 0; i < sys->nla_g; i++) {
        const double la = guess_next(guess, s->la_g[i], own.la_g_change[i], own.la_g_bend[i]);
        alpha->mu_g[POSITION][i] =
            of_position * la + guess_correction(guess, own.kappa_g[i], own.kappa_g_change[i]);
        alpha->mu_g[VELOCITY][i] =
            of_velocity * la + guess_correction(guess, s->La_g[i], own.La_g_change[i]);
        alpha->mu_g[ACCELERATION][i] = la;
    }
    read_records(step, guess);
}

// --- the iteration ---

static bool has_friction(const ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        if (set->active[i].form.n_F > 0) {
            return true;
        }
    }
    return false;
}

// Friction acts back on the position level by P_F and la_F of the levels below: a first guess of
// them, with the rows as they are. Contacts that the prediction has closed may not close in the
// step, and their laws may contradict each other here and not there: then no guess is made.
static Status forecast_friction(AlphaStep* step, SolveInfo* info) {
    Status status = alpha_solve_level(step, VELOCITY, info);
    if (status == STATUS_OK) {
        status = alpha_solve_level(step, ACCELERATION, info);
    }
    if (status == STATUS_NO_CONVERGENCE) {
        info->unsolvable = false;
        predict(step);
        alpha_evaluate(step, (Evaluation){.moved = true, .forces = true, .zeta = true});
        status = STATUS_OK;
    }
    return status;
}

// Position, velocity and acceleration level in turn
static Status pass(AlphaStep* step, bool first, SolveInfo* info) {
    const System* sys = step->sys;
    const bool forecast = first && has_friction(&step->w->contacts);
    Status status = forecast ? forecast_friction(step, info) : STATUS_OK;
    if (status == STATUS_OK) {
        status = alpha_solve_level(step, POSITION, info);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const bool faster = forecast && sys->velocity_dependent;
    alpha_evaluate(step, (Evaluation){.moved = true, .forces = sys->position_dependent || faster});
    status = alpha_solve_level(step, VELOCITY, info);
    if (status != STATUS_OK) {
        return status;
    }
    alpha_evaluate(step, (Evaluation){.forces = sys->velocity_dependent, .zeta = true});
    status = alpha_solve_level(step, ACCELERATION, info);
    if (status == STATUS_NO_CONVERGENCE && !step->impulsive) {
        step->impulsive = true;
        info->unsolvable = false;
        status = alpha_solve_level(step, ACCELERATION, info);
    }
    alpha_acceleration_rates(step);
    return status;
}

// Passes may go around in circles where the equations of a step have no solution, or none that
// passes find. Then they are changed where they can be without harm to what is seen:
// - Friction can displace a contact that closes so far that it is open again at the end of the
//   step, and without friction it is closed: it is neither in A nor outside. A contact that has
//   been in A stays there; it has closed within the step.
// - Forces may not exist for given directions of sliding (Painleve's paradox), nor be found.
//   Impulses do: P on velocity level holds all that the contacts do in the step, and la is none.
static void relax_laws(AlphaStep* step, int n) {
    enum { CIRCLES = 8, NO_FORCES = 16 };  // passes
    const double tolerance = step->s->p[step->sys->solver + SOLVER_TOLERANCE];
    step->keep_closed = n >= CIRCLES;
    step->impulsive =
        step->impulsive || (n >= NO_FORCES && step->residual[ACCELERATION] > tolerance);
}

// Where passes converge slowly (what friction acts back is large when the contact forces are nearly
// undetermined, as before a Painleve paradox): a secant through the last two of them, Anderson's
// acceleration of depth one, in the norm of M.
static void accelerate(AlphaStep* step, bool have_two) {
    static const double LONGEST = 50.0;  // in lengths of the last pass
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    const double* M_diagonal = step->w->properties.M_diagonal;
    double along = 0.0;
    double square = 0.0;
    for (int i = 0; i < N_LEVELS * sys->nu; i++) {
        const double unit = step->unit[i / sys->nu];
        const double weight = unit * unit * M_diagonal[i % sys->nu];
        const double change = alpha->z[i] - alpha->z_before[i];
        const double difference = change - alpha->change[i];
        along += weight * change * difference;
        square += weight * difference * difference;
    }
    const double theta = have_two && square > 0.0 ? fmax(-LONGEST, fmin(along / square, 1.0)) : 0.0;
    for (int i = 0; i < alpha->n_z; i++) {
        const double after = alpha->z[i];
        alpha->z[i] -= theta * (after - alpha->z_after[i]);
        alpha->z_after[i] = after;
        alpha->change[i] = after - alpha->z_before[i];
    }
    if (theta != 0.0) {
        alpha_evaluate(step, (Evaluation){.moved = true, .forces = true, .zeta = true});
    }
}

// Are the derivatives of the joints' directions so much of the matrix that leaving them out would
// cost more in passes than they do?
static bool is_stiff(const AlphaStep* step) {
    static const double STIFF = 1e-3;
    return joint_set_stiffness(step->sys, &step->w->joints, step->alpha->mu_g[POSITION],
                               step->w->properties.M_diagonal) > STIFF;
}

// A guess must be better than a solution to be taken for one: this part of the tolerance.
static const double GUESSED = 0.1;

// The residual of a first guess: of the position level alone if that rules the guess out, unless
// the pass to come begins with the other levels.
static double check_guess(AlphaStep* step, double tolerance) {
    const double of_position = alpha_level_residual(step, POSITION, NULL);
    const bool ruled_out = of_position > GUESSED * tolerance && !has_friction(&step->w->contacts);
    if (ruled_out || isnan(of_position)) {
        return of_position;
    }
    if (!step->zeta_known) {
        alpha_evaluate(step, (Evaluation){.zeta = true});
    }
    return larger(of_position, alpha_residual(step, VELOCITY, NULL));
}

// Laws, sets and residual at the iterate after n passes
static double check(AlphaStep* step, int n, double tolerance) {
    const bool closed = alpha_close_contacts(step);
    profile_enter(&step->w->profile, PROFILE_RESIDUAL);
    profile_count(&step->w->profile, COUNT_RESIDUALS, 1);
    alpha_update_scale(step);
    if (n == 0 || closed) {
        alpha_sets(step);
    }
    return n == 0 ? check_guess(step, tolerance) : alpha_residual(step, POSITION, NULL);
}

static Status iterate(AlphaStep* step, SolveInfo* info) {
    static const double SLOW = 0.1;   // of the residual left by a pass
    static const double FAST = 1e-3;  // so little left: the factors will do for another pass
    Convergence convergence = solver_convergence(step->s->p + step->sys->solver, step->in->attempt);
    const double tolerance = convergence.tolerance;
    const AlphaScratch* alpha = step->alpha;
    double before = INFINITY;
    int n_slow = 0;
    // without joints most guesses are solutions
    const bool zeta = step->sys->n_joints == 0 || has_friction(&step->w->contacts);
    alpha_evaluate(step, (Evaluation){.first = true, .moved = true, .forces = true, .zeta = zeta});
    for (int n = 0;; n++) {
        info->residual = check(step, n, tolerance);
        convergence.tolerance = n == 0 ? GUESSED * tolerance : tolerance;
        const Verdict verdict = convergence_check(&convergence, info->residual, n);
        info->inexact = verdict == SOLVED_INEXACTLY || step->impulsive;
        if (verdict != GO_ON) {
            return verdict_status(verdict, info->residual);
        }
        if (convergence.n_idle > 0) {
            step->force_rounding = system_force_rounding(step->sys, &alpha->end, alpha->d);
        }
        if (n > 1 && info->residual > SLOW * before) {
            accelerate(step, n_slow++ > 0);
        }
        if (!(info->residual <= FAST * before)) {
            newton_matrix_forget(step->w->matrix);
        }
        if (n == 0) {
            step->stiff = is_stiff(step);
        }
        delassus_forget(&step->w->contacts);
        relax_laws(step, n);
        before = info->residual;
        memcpy(alpha->z_before, alpha->z, bytes(alpha->n_z));
        info->iterations++;
        const Status status = pass(step, n == 0, info);
        if (status != STATUS_OK) {
            return status;
        }
    }
}

// --- one step ---

static double largest_coordinate(const System* sys, const double* q) {
    double largest = 0.0;
    for (int i = 0; i < sys->nq; i++) {
        largest = larger(fabs(q[i]), largest);
    }
    return largest;
}

static bool is_finite(const AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    for (int i = 0; i < step->sys->nu; i++) {
        if (!isfinite(alpha->end.u[i]) || !isfinite(alpha->x[ACCELERATION][i])) {
            return false;
        }
    }
    return isfinite(step->scale);  // energies and forces are, too
}

Status generalized_alpha_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    const System* sys = in->sys;
    AlphaStep step = {.sys = sys,
                      .in = in,
                      .dt = in->dt,
                      .s = s,
                      .own = alpha_own(sys, s),
                      .w = in->w,
                      .alpha = scratch,
                      .energy_n = system_kinetic_energy_of(sys, &in->w->present, s->u),
                      .rounding = 4.0 * DBL_EPSILON * largest_coordinate(sys, s->q)};
    *info = (SolveInfo){0};
    set_coefficients(&step);               // GA (70)-(72)
    predict(&step);                        // forces go on as they were
    alpha_choose_laws(&step);              // laws that act already
    newton_matrix_forget(in->w->matrix);   // of another instant
    Status status = iterate(&step, info);  // position, velocity, acceleration level
    if (status == STATUS_OK && !is_finite(&step)) {
        status = STATUS_NOT_FINITE;
    }
    if (status != STATUS_OK && status != STATUS_NO_ROOM && !info->unsolvable) {
        (void)alpha_residual(&step, POSITION, info);  // what is violated most
    }
    if (status == STATUS_OK) {
        profile_enter(&in->w->profile, PROFILE_COMMIT);
        alpha_commit(&step, s, info);
    }
    return status;
}
