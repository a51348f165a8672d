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

// --- the iteration ---

// Does a contact close in this step? Then velocities jump.
static bool has_impact(const AlphaStep* step) {
    const ContactSet* set = &step->w->contacts;
    bool any = false;
    for (int i = 0; i < set->n && !any; i++) {
        const ActiveLaw* active = &set->active[i];
        any = active->form.normal && (step->alpha->sets[i] & IN_A) != 0 &&
              step->alpha->state_n[active->law] == CONTACT_OPEN;
    }
    return any;
}

// Friction acts back on the position level by P_F and la_F of the levels below: a first guess of
// them, with the rows as they are; la_F with the velocities after an impact, where bodies that jam
// have none against each other. Contacts that the prediction has closed may not close in the step,
// and their laws may contradict each other here and not there, by a penetration for instance, which
// gives friction another arm on either body: then no guess is made.
static Status forecast_friction(AlphaStep* step, SolveInfo* info) {
    Status status = alpha_solve_level(step, VELOCITY, info);
    if (status == STATUS_OK && has_impact(step)) {
        alpha_evaluate(step, (Evaluation){.forces = step->sys->velocity_dependent, .zeta = true});
    }
    if (status == STATUS_OK) {
        status = alpha_solve_level(step, ACCELERATION, info);
    }
    if (status == STATUS_NO_CONVERGENCE || (status == STATUS_OK && info->unsolvable)) {
        info->unsolvable = false;
        alpha_predict(step);
        alpha_evaluate(step, (Evaluation){.moved = true, .forces = true, .zeta = true});
        status = STATUS_OK;
    }
    return status;
}

// Position, velocity and acceleration level in turn
static Status pass(AlphaStep* step, bool first, SolveInfo* info) {
    const System* sys = step->sys;
    const bool forecast = first && alpha_has_friction(&step->w->contacts);
    Status status = forecast ? forecast_friction(step, info) : STATUS_OK;
    if (status == STATUS_OK) {
        status = alpha_solve_level(step, POSITION, info);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const bool faster = forecast && sys->velocity_dependent;
    alpha_evaluate(step, (Evaluation){.moved = true, .forces = sys->position_dependent || faster});
    if (step->in->attempt != ATTEMPT_FIRST || has_impact(step)) {
        delassus_forget(&step->w->contacts);  // that of the rows before, whose jams are others
    }
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
static void relax_laws(AlphaStep* step, int n, int n_idle) {
    enum { SLOW_PASSES = 3, CIRCLES = 8, NO_FORCES = 16 };  // passes
    enum { IDLE = 1 };  // of them without progress: after four the step might be accepted as it is
    const double tolerance = step->s->p[step->sys->solver + SOLVER_TOLERANCE];
    step->keep_slip = n >= SLOW_PASSES;
    step->keep_closed = step->keep_closed || n >= CIRCLES || n_idle >= IDLE;
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
// cost more in passes than they do? They leave the same part of the guess's error, in equations
// that weigh less than the joints and gaps by which the error is measured.
static bool is_stiff(const AlphaStep* step, double tolerance) {
    static const double STIFF = 1e-3;
    static const double WEIGHT = 3e3;  // of joints and gaps against the equations
    const double enough = larger(STIFF, WEIGHT * tolerance / step->residual[POSITION]);
    return joint_set_stiffness(step->sys, &step->w->joints, step->alpha->mu_g[POSITION],
                               step->w->properties.M_diagonal, enough) > enough;
}

// A guess must be better than a solution to be taken for one: this part of the tolerance.
static const double GUESSED = 0.1;

// The residual of a first guess: of the level with which the pass begins alone, if that rules the
// guess out.
static double check_guess(AlphaStep* step, double tolerance) {
    const Level first = alpha_has_friction(&step->w->contacts) ? VELOCITY : POSITION;
    double worst = alpha_level_residual(step, first, NULL);
    if (worst <= GUESSED * tolerance && !step->zeta_known) {
        alpha_evaluate(step, (Evaluation){.zeta = true});
    }
    for (Level level = POSITION; level < N_LEVELS && worst <= GUESSED * tolerance; level++) {
        worst = level == first ? worst : larger(worst, alpha_level_residual(step, level, NULL));
    }
    return worst;
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

// The first guess, evaluated: as the last steps go on, or where nothing moves if that is better
static void make_guess(AlphaStep* step, bool zeta) {
    static const double WILD = 10.0;    // of the defect
    static const double BETTER = 1e-2;  // of the other's defect is left
    const Evaluation all = {.first = true, .moved = true, .forces = true, .zeta = zeta};
    alpha_evaluate(step, all);
    const double defect = step->sys->position_dependent ? alpha_guess_defect(step) : 0.0;
    if (defect <= WILD) {
        return;
    }
    alpha_predict_rest(step);
    alpha_evaluate(step, all);
    if (alpha_guess_defect(step) > BETTER * defect) {
        alpha_predict(step);
        step->known[POSITION] = step->known[VELOCITY] = false;
        alpha_evaluate(step, all);
    }
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
    const bool zeta = step->sys->n_joints == 0 || alpha_has_friction(&step->w->contacts);
    make_guess(step, zeta);
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
            step->stiff = is_stiff(step, tolerance);
        }
        delassus_forget(&step->w->contacts);
        relax_laws(step, n, convergence.n_idle);
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

// A million times what the step begins with: motion, what accelerations make of it, or 1 m/s and
// 1 rad/s of everything. An iterate beyond that would have errors that are nothing beside itself.
static double most_scale(const AlphaStep* step) {
    static const double WILD = 1e6;
    const double* M_diagonal = step->w->properties.M_diagonal;
    double changes = 0.0;
    double masses = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        const double change = step->dt * step->own.a[i];
        changes += M_diagonal[i] * change * change;
        masses += M_diagonal[i];
    }
    return WILD * sqrt(larger(2.0 * step->energy_n, larger(changes, masses)));
}

static bool is_finite(const AlphaStep* step) {
    const AlphaScratch* alpha = step->alpha;
    double sum = 0.0;  // of zeros, unless a value is no number
    for (int i = 0; i < step->sys->nu; i++) {
        sum += 0.0 * alpha->end.u[i] + 0.0 * alpha->x[ACCELERATION][i];
    }
    return sum == 0.0 && isfinite(step->scale);  // energies and forces are, too
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
                      .rounding = 4.0 * DBL_EPSILON * largest_coordinate(sys, s->q),
                      .residual = {INFINITY, INFINITY, INFINITY}};
    *info = (SolveInfo){0};
    step.most_scale = most_scale(&step);
    alpha_set_coefficients(&step);         // GA (70)-(72)
    alpha_predict(&step);                  // forces go on as they were
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
