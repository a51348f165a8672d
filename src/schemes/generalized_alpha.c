// Nonsmooth generalized-alpha scheme of Capobianco, Harsch, Eugster and Leine (GA): second order in
// smooth motion; joints and contacts are fulfilled on position, velocity and acceleration level.
//
// GA solves all equations of a step (126)-(142) at once by a semismooth Newton method. Here they
// are ordered by kinematic level (alpha_step.h): one pass solves position, velocity and
// acceleration level in turn, each with the contact laws of its level solved exactly, and W and h
// evaluated anew between them. What the levels below act back (h(u), friction in (80)) is small of
// order dt and comes with the next pass. The laws and the equations are GA's; the iteration ends
// when all of them hold at the same point.
#include <float.h>
#include <math.h>
#include <string.h>

#include "elements/settings.h"
#include "schemes/alpha_step.h"

static size_t bytes(int n) { return (size_t)n * sizeof(double); }

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
    step->unit[POSITION] = 1.0 / step->dt;
    step->unit[VELOCITY] = 1.0;
    step->unit[ACCELERATION] = step->dt;
}

// GA (71), (96), (114) solved for the new auxiliary value
static double next_bar(const AlphaStep* step, double bar, double old, double value) {
    return step->of_bar * bar + step->of_old * old + step->of_new * value;
}

// GA (70) with the new value left out: what has been before contributes to displacements ...
static double double_integral(const AlphaStep* step, double bar, double old) {
    return step->double_of_bar * bar + step->double_of_old * old;
}
// ... and to velocities
static double integral(const AlphaStep* step, double bar, double old) {
    return step->integral_of_bar * bar + step->integral_of_old * old;
}

// Start value: accelerations and forces go on as in the last step, no impulses.
static void predict(const AlphaStep* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    const AlphaScratch* alpha = &step->w->alpha;
    const double on = s->head->n_smooth > 0 ? 1.0 : 0.0;
    system_base(sys, s->q, s->u, step->dt, alpha->q_base);
    for (int i = 0; i < sys->nu; i++) {
        const double a = s->a[i] + on * s->a_change[i];
        alpha->w_0[i] = step->dt * s->u[i] + double_integral(step, s->a_bar[i], s->a[i]);
        alpha->u_star[i] = s->u[i] + integral(step, s->a_bar[i], s->a[i]);
        for (Level level = POSITION; level < N_LEVELS; level++) {
            alpha->x[level][i] = step->weight[level] * a;
        }
    }
    for (int i = 0; i < sys->nla_g; i++) {
        const double la_g = s->la_g[i] + on * s->la_g_change[i];
        for (Level level = POSITION; level < N_LEVELS; level++) {
            alpha->mu_g[level][i] = step->weight[level] * la_g;
        }
    }
    for (int i = 0; i < sys->nla_c; i++) {
        const double la = s->la[i] + on * s->la_change[i];
        alpha->offset[POSITION][i] = double_integral(step, s->la_bar[i], s->la[i]);
        alpha->offset[VELOCITY][i] = integral(step, s->la_bar[i], s->la[i]);
        for (Level level = POSITION; level < N_LEVELS; level++) {
            alpha->mu[level][i] = alpha->offset[level][i] + step->weight[level] * la;
        }
    }
}

// --- evaluation ---

// Laws that may act without having closed first: friction in joints, and contacts with forces in
// this step or before.
static void hold(const AlphaStep* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    const AlphaScratch* alpha = &step->w->alpha;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        bool held = link->bound >= 0 ? s->p[link->bound] > 0.0
                                     : s->contact_state[k] != (double)CONTACT_OPEN;
        for (int r = 0; r < link->la.n && !held; r++) {
            const int row = link->la.at + r;
            held = alpha->offset[VELOCITY][row] != 0.0 || alpha->mu[VELOCITY][row] != 0.0;
        }
        alpha->held[k] = held;
    }
}

// The active laws are those held; their numbering.
static void activate(AlphaStep* step) {
    Workspace* w = step->w;
    w->n_active = 0;
    for (int k = 0; k < step->sys->n_laws; k++) {
        if (w->alpha.held[k]) {
            w->active[w->n_active++] = k;
        }
    }
    step->m = contact_laws(step->sys, step->s, step->dt, false, w);
}

// Contacts that have closed at q_1 become active, too. Have any?
static bool close_contacts(AlphaStep* step) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = &step->w->alpha;
    bool any = false;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (!alpha->held[k]) {
            alpha->g_N[k] = system_gap(&step->w->end, &sys->laws[k]);
            alpha->held[k] = !(alpha->g_N[k] > 0.0);
            any = any || alpha->held[k];
        }
    }
    if (any) {
        activate(step);
    }
    return any;
}

static void evaluate_rows(AlphaStep* step, bool moved, bool zeta) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    for (int i = 0; i < sys->n_joints; i++) {
        system_rows(&step->w->end, &sys->joints[i], zeta, &w->joint_rows[i]);
    }
    for (int i = 0; i < w->n_active; i++) {
        const Link* link = &sys->laws[w->active[i]];
        system_rows(&step->w->end, link, zeta, &w->rows[i]);
        if (moved) {
            directions_set(&w->end, link, &w->rows[i], &w->directions[i]);
        }
    }
    alpha_rates(step, moved);
    if (zeta) {
        alpha_acceleration_rates(step);
    }
    memset(step->known, 0, sizeof step->known);
}

// What of the iterate has changed since the last evaluation, and what is wanted of it.
typedef struct Evaluation {
    bool moved;   // q_1
    bool forces;  // are wanted anew
    bool zeta;    // the rows' second derivatives are wanted
} Evaluation;

// Everything at the iterate: q_1 of GA (125) and u_1 of (73) from x, and what follows from them
static void evaluate(AlphaStep* step, Evaluation what) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    profile_enter(&w->profile, PROFILE_EVALUATE);
    profile_count(&w->profile, COUNT_EVALUATIONS, 1);
    for (int i = 0; i < sys->nu; i++) {
        alpha->d[i] = alpha->w_0[i] + alpha->x[POSITION][i];
        alpha->u_1[i] = alpha->u_star[i] + alpha->x[VELOCITY][i];
    }
    if (what.moved) {
        system_displace(sys, alpha->q_base, step->s->q, alpha->d, w->q_1);
    }
    instant_set(sys, step->s, step->t_1, w->q_1, alpha->u_1, &w->end);
    if (what.forces) {
        system_forces(sys, &step->w->end, w->h);
    }
    evaluate_rows(step, what.moved, what.zeta);
}

// --- one step ---

static bool has_friction(const Workspace* w) {
    for (int i = 0; i < w->n_active; i++) {
        if (w->laws[i].n_F > 0) {
            return true;
        }
    }
    return false;
}

// Position, velocity and acceleration level in turn. Friction acts back on the position level by
// P_F and la_F of the levels below: these are forecast with the rows as they are. If the position
// level alone is not solved yet, and nearly is, it alone is.
static Status pass(AlphaStep* step, SolveInfo* info) {
    static const double NEARLY = 10.0;  // tolerances
    const System* sys = step->sys;
    const double tolerance = step->s->p[sys->solver + SOLVER_TOLERANCE];
    const bool forecast = info->iterations == 1 && has_friction(step->w);
    Status status = STATUS_OK;
    if (step->residual[VELOCITY] <= tolerance && step->residual[ACCELERATION] <= tolerance &&
        step->residual[POSITION] <= NEARLY * tolerance) {
        status = alpha_solve_level(step, POSITION, info);
        evaluate(step,
                 (Evaluation){.moved = true, .forces = sys->position_dependent, .zeta = true});
        return status;
    }
    if (forecast) {
        status = alpha_solve_level(step, VELOCITY, info);
        if (status == STATUS_OK) {
            status = alpha_solve_level(step, ACCELERATION, info);
        }
    }
    if (status == STATUS_OK) {
        status = alpha_solve_level(step, POSITION, info);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const bool faster = forecast && sys->velocity_dependent;
    evaluate(step, (Evaluation){.moved = true, .forces = sys->position_dependent || faster});
    status = alpha_solve_level(step, VELOCITY, info);
    if (status != STATUS_OK) {
        return status;
    }
    evaluate(step, (Evaluation){.forces = sys->velocity_dependent, .zeta = true});
    status = alpha_solve_level(step, ACCELERATION, info);
    alpha_acceleration_rates(step);
    return status;
}

// Where passes converge slowly (what friction acts back is large when the contact forces are nearly
// undetermined, as before a Painleve paradox): a secant through the last two of them, Anderson's
// acceleration of depth one, in the norm of M.
static void accelerate(AlphaStep* step, bool have_two) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = &step->w->alpha;
    double along = 0.0;
    double square = 0.0;
    for (int i = 0; i < N_LEVELS * sys->nu; i++) {
        const double unit = step->unit[i / sys->nu];
        const double weight = unit * unit * step->w->properties.M_diagonal[i % sys->nu];
        const double change = alpha->z[i] - alpha->z_before[i];
        const double difference = change - alpha->change[i];
        along += weight * change * difference;
        square += weight * difference * difference;
    }
    const double theta = have_two && square > 0.0 ? fmax(-50.0, fmin(along / square, 1.0)) : 0.0;
    for (int i = 0; i < alpha->n_z; i++) {
        const double after = alpha->z[i];
        alpha->z[i] -= theta * (after - alpha->z_after[i]);
        alpha->z_after[i] = after;
        alpha->change[i] = after - alpha->z_before[i];
    }
    if (theta != 0.0) {
        evaluate(step, (Evaluation){.moved = true, .forces = true, .zeta = true});
    }
}

static Status iterate(AlphaStep* step, SolveInfo* info) {
    static const double SLOW = 0.1;   // of the residual left by a pass
    static const double FAST = 1e-3;  // so little left: the factors will do for another pass
    // where forces are nearly undetermined, rounding in positions alone can leave a residual above
    // the tolerance: passes without improvement, after which it may be this much above
    enum { IDLE = 3, ROUNDED = 100 };
    const double* par = step->s->p + step->sys->solver;
    const AlphaScratch* alpha = &step->w->alpha;
    const int maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS];
    double before = INFINITY;
    double best = INFINITY;
    int n_slow = 0;
    int n_idle = 0;
    evaluate(step, (Evaluation){.moved = true, .forces = true, .zeta = true});
    for (bool first = true;; first = false) {
        if (close_contacts(step)) {
            evaluate_rows(step, true, true);
            first = true;
        }
        profile_enter(&step->w->profile, PROFILE_RESIDUAL);
        alpha_update_scale(step);
        if (first) {
            alpha_sets(step);
        }
        info->residual = alpha_residual(step);
        n_idle = info->residual < 0.5 * best ? 0 : n_idle + 1;
        best = fmin(best, info->residual);
        if (info->residual <= (n_idle < IDLE ? 1.0 : ROUNDED) * par[SOLVER_TOLERANCE]) {
            return STATUS_OK;
        }
        if (!isfinite(info->residual)) {
            return STATUS_NOT_FINITE;
        }
        if (info->iterations == maximum) {
            return STATUS_NO_CONVERGENCE;
        }
        if (info->iterations > 1 && info->residual > SLOW * before) {
            accelerate(step, n_slow++ > 0);
        }
        step->factored = step->factored && info->residual <= FAST * before;
        step->delassus = false;
        before = info->residual;
        memcpy(alpha->z_before, alpha->z, bytes(alpha->n_z));
        info->iterations++;
        const Status status = pass(step, info);
        if (status != STATUS_OK) {
            return status;
        }
    }
}

// --- the state at the end ---

// Closed contacts press and do not part faster than their force of half a step holds them; an
// impact is a closing speed beyond the same measure.
static ContactState classify(const AlphaStep* step, int i, SolveInfo* info) {
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    const ContactLaw* law = &w->laws[i];
    const int at = law->at;
    const int full = step->sys->laws[w->active[i]].la.at;
    if (law->normal) {
        const double G = alpha->mobility[at];
        const double held = 0.5 * step->dt * G * alpha->mu[ACCELERATION][full];
        const double threshold = larger(held, alpha_negligible(step, G));
        const bool presses = alpha->mu[VELOCITY][full] > 0.0;
        info->impact = info->impact || (presses && -alpha->gamma_n[at] > threshold);
        if (!presses || w->gamma[at] > threshold) {
            return CONTACT_OPEN;
        }
    }
    bool sticks = law->n_F > 0;
    for (int r = law->normal ? 1 : 0; r < law_rows(law); r++) {
        sticks = sticks && fabs(alpha->rate[VELOCITY][at + r]) <=
                               alpha_negligible(step, alpha->mobility[at + r]);
    }
    return sticks ? CONTACT_STICK : CONTACT_SLIP;
}

// A force that has ended long ago leaves rests in the auxiliary variable that are below rounding.
static double without_rest(const AlphaStep* step, double bar, double la, double mobility) {
    const bool rest = la == 0.0 && fabs(bar) * step->dt * sqrt(mobility) < 1e-17 * step->scale;
    return rest ? 0.0 : bar;
}

static void commit_contacts(const AlphaStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const AlphaScratch* alpha = &w->alpha;
    bool smooth = true;
    int i = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        const Range la = sys->laws[k].la;
        const bool active = alpha->held[k];
        const int n = active ? law_rows(&w->laws[i]) : 0;
        for (int r = 0; r < la.n; r++) {
            const int row = la.at + r;
            const double la_1 = r < n ? alpha->mu[ACCELERATION][row] : 0.0;
            const double bar = next_bar(step, s->la_bar[row], s->la[row], la_1);
            s->P[row] = r < n ? alpha->mu[VELOCITY][row] : 0.0;
            s->La[row] = s->P[row] - alpha->offset[VELOCITY][row] - step->weight[VELOCITY] * la_1;
            s->la_bar[row] =
                r < n ? without_rest(step, bar, la_1, alpha->mobility[w->laws[i].at + r]) : bar;
            s->la_change[row] = la_1 - s->la[row];
            s->la[row] = la_1;
        }
        const ContactState state = active ? classify(step, i, info) : CONTACT_OPEN;
        smooth = smooth && s->contact_state[k] == (double)state;
        s->contact_state[k] = (double)state;
        if (n == la.n) {
            s->g_N[k] = w->rows[i].g[0];
            memcpy(s->gamma + la.at, w->gamma + w->laws[i].at, bytes(n));
        } else {
            scheme_update_contact(sys, &step->w->end, k, s);
        }
        i += active;
    }
    // contact forces that are not unique do not go on as they were
    const bool unique = !info->regularised && !info->swept;
    s->head->n_smooth = smooth && unique && !info->impact ? s->head->n_smooth + 1 : 0;
}

static void commit_joints(const AlphaStep* step, State* s) {
    const AlphaScratch* alpha = &step->w->alpha;
    for (int i = 0; i < step->sys->nla_g; i++) {
        const double la = alpha->mu_g[ACCELERATION][i];
        s->La_g[i] = alpha->mu_g[VELOCITY][i] - step->weight[VELOCITY] * la;
        s->P_g[i] = alpha->mu_g[VELOCITY][i] + integral(step, s->la_g_bar[i], s->la_g[i]);
        s->la_g_bar[i] = next_bar(step, s->la_g_bar[i], s->la_g[i], la);
        s->la_g_change[i] = la - s->la_g[i];
        s->la_g[i] = la;
    }
}

// Work of the applied forces along Q - dt/2 U: the displacement that an impact makes without the
// mean velocity of the step
static double impact_work(const AlphaStep* step) {
    const AlphaScratch* alpha = &step->w->alpha;
    double work = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        const double a = alpha->x[ACCELERATION][i];
        const double Q = alpha->x[POSITION][i] - step->weight[POSITION] * a;
        const double U = alpha->x[VELOCITY][i] - step->weight[VELOCITY] * a;
        work += step->w->h[i] * (Q - 0.5 * step->dt * U);
    }
    return work;
}

static void commit(const AlphaStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = &step->w->alpha;
    commit_contacts(step, s, info);
    commit_joints(step, s);
    info->impact_work = impact_work(step);
    for (int i = 0; i < sys->nu; i++) {
        const double a = alpha->x[ACCELERATION][i];
        s->a_bar[i] = next_bar(step, s->a_bar[i], s->a[i], a);
        s->a_change[i] = a - s->a[i];
        s->a[i] = a;
    }
    memcpy(s->q, step->w->q_1, bytes(sys->nq));
    memcpy(s->u, alpha->u_1, bytes(sys->nu));
}

static bool is_finite(const AlphaStep* step) {
    const AlphaScratch* alpha = &step->w->alpha;
    for (int i = 0; i < step->sys->nu; i++) {
        if (!isfinite(alpha->u_1[i]) || !isfinite(alpha->x[ACCELERATION][i])) {
            return false;
        }
    }
    return true;
}

Status generalized_alpha_step(const System* sys, double t, double dt, double damping, State* s,
                              Workspace* w, SolveInfo* info) {
    AlphaStep step = {.sys = sys, .t_1 = t + dt, .dt = dt, .damping = damping, .s = s, .w = w};
    *info = (SolveInfo){0};
    set_coefficients(&step);
    predict(&step);
    step.energy_n = system_kinetic_energy_of(sys, &w->end, s->u);
    double largest = 0.0;
    for (int i = 0; i < sys->nq; i++) {
        largest = larger(fabs(s->q[i]), largest);
    }
    step.rounding = 4.0 * DBL_EPSILON * largest;
    hold(&step);
    activate(&step);
    Status status = iterate(&step, info);
    w->plain_mass = false;
    w->q_0 = NULL;
    if (status == STATUS_OK && !is_finite(&step)) {
        status = STATUS_NOT_FINITE;
    }
    if (status == STATUS_OK) {
        profile_enter(&w->profile, PROFILE_COMMIT);
        commit(&step, s, info);
    }
    return status;
}
