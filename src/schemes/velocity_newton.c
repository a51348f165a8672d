// Newton's method on the dynamics with the exact derivatives of h; the directions W follow the
// iterate q_1. Each update ends with the contact problems of the active laws.
#include <math.h>
#include <string.h>

#include "schemes/settings.h"
#include "schemes/velocity_step.h"
#include "system/force_rounding.h"

// Joints drift, so that rows which follow from others in theory do so only nearly, and contradict
// them. At less than this angle (rad) to the others they take no part in an update ...
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

// Which rows of joints depend on others?
static void find_redundant(const VelocityStep* step) {
    VelocityScratch* m = step->m;
    m->n_redundant = newton_matrix_redundant(step->sys, step->w->matrix, m->redundant);
    for (int i = 0; i < step->sys->nla_g; i++) {
        m->counts[i] = true;
    }
    for (int i = 0; i < m->n_redundant; i++) {
        m->counts[m->redundant[i]] = false;
    }
}

// The percussions of redundant joints are solved for anew in each step, and have the least norm:
// with the least change they would grow from step to step in what does not move anything.
static void forget_percussions(const VelocityStep* step) {
    joint_set_add(step->sys, velocity_directions(step), 1.0, step->m->P_g, step->m->r);
    memset(step->m->P_g, 0, (size_t)step->sys->nla_g * sizeof(double));
}

// Have no rows been found to depend on others, in the last step or in this one? The derivatives of
// their directions do not depend on each other as the rows do: with dt d(W_g^T u)/dq in the matrix
// they would not be found, and would have percussions a thousand times those of the motion.
static bool is_regular(const VelocityStep* step) {
    return step->m->n_redundant == 0 && *velocity_own(step->sys, step->s).regular != 0.0;
}

// The matrix of the dynamics and the joints at the iterate, with its factors
static Status factor(const VelocityStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    const VelocityScratch* m = step->m;
    const JointSet* directions = velocity_directions(step);
    const double dq_1 = step->in->dt * step->k;  // by dv; of q_theta:
    const double geometric = step->theta * dq_1;
    const double weight = step->positions != NULL ? step->positions->weight : 1.0;  // du_1 by dv
    MatrixTerms terms = {.k = -step->kappa * geometric,
                         .d = -step->kappa * step->theta * weight,
                         .directions = directions,
                         .dependent = dependent_angle(step->in->attempt)};
    const double stiffness = geometric * joint_set_stiffness(sys, directions, step->s->P_g,
                                                             w->properties.M_diagonal, INFINITY);
    if (stiffness > STIFF && stiffness < TOO_STIFF) {
        terms.geometric = geometric;
        terms.mu_g = m->P_g;
        terms.rate = step->positions == NULL && is_regular(step) ? dq_1 : 0.0;
        terms.end = &m->end;
    }
    profile_enter(&step->w->profile, PROFILE_FACTOR);
    const Status status =
        newton_matrix_factor(sys, velocity_forces_at(step), &w->joints, &terms, w->matrix);
    if (status == STATUS_OK && sys->n_joints > 0) {
        find_redundant(step);
    }
    return status;
}

// v and P_g without contact percussions: the Newton update of the dynamics and the joints
static void solve_free(const VelocityStep* step) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] = -step->m->r[i];
    }
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -w->joints.g_dot[i];
    }
    if (velocity_displaces(step)) {
        velocity_solve_displaced(step);
    } else {
        newton_matrix_solve(sys, w->matrix, w->solution);
    }
}

// b: what the velocities of the laws would be without their percussions, W^T v_free and what moves
// by itself (driven frames), with e U_n
static void fill_contact_problem(const VelocityStep* step) {
    ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double moved[LAW_MAX_ROWS];
        active_dot(active, step->w->solution, moved);
        set->laws[i] = active->form;
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            const int row = active->row + r;
            set->b[row] = set->gamma[row] + moved[r] + velocity_restitution(step, active, r);
        }
    }
}

// Percussions of the active laws, and what they add to the solution
static Status solve_percussions(const VelocityStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    Workspace* w = step->w;
    ContactSet* set = &w->contacts;
    const double* par = step->s->p + sys->solver;
    const PercussionTask task = {.scale = step->scale,
                                 .r = par[SOLVER_PROX_PARAMETER],
                                 .options = solver_contact_options(par)};
    const DelassusOptions options = {.symmetric = step->linear};
    PercussionInfo contact_info;
    Status status = velocity_displaces(step)
                        ? velocity_fill_displaced(step, options)
                        : delassus_fill(sys, w->matrix, options, set, &w->pool);
    if (status != STATUS_OK) {
        return status;
    }
    fill_contact_problem(step);
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_DELASSUS, 1);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    status = percussions_solve(set, &task, &w->pool, &contact_info);
    profile_enter(&w->profile, PROFILE_FACTOR);
    velocity_add_percussions(step, 1.0);
    const Convergence convergence = solver_convergence(par, step->in->attempt);
    return solve_info_judge(set, &contact_info, status, &convergence, info);
}

// One Newton update of v, P_g and P with the factors.
static Status update(VelocityStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const Workspace* w = step->w;
    solve_free(step);
    const Status status = w->contacts.n > 0 ? solve_percussions(step, info) : STATUS_OK;
    if (status != STATUS_OK) {
        return status;
    }
    const double damping = step_damping(step->in->attempt);
    double square = 0.0;
    for (int i = 0; i < sys->nu; i++) {
        step->m->end.u[i] += damping * w->solution[i];
        square += w->properties.M_diagonal[i] * w->solution[i] * w->solution[i];
    }
    step->last_change = relative_error(sqrt(square), step->scale);
    for (int i = 0; i < sys->nla_g; i++) {  // the border has the sign of W_g: the unknown is -dP_g
        step->m->P_g[i] -= damping * w->solution[sys->nu + i];
    }
    return velocity_project_update(step, damping, w->solution, info);
}

// y (n) += change, and bend where that goes on
static void extrapolate(int n, const double* change, const double* bend, bool steady, double* y) {
    for (int i = 0; i < n; i++) {
        y[i] += change[i] + (steady ? bend[i] : 0.0);
    }
}

bool velocity_is_steady(int n, const double* weights, const double* quantity,
                        const double* change) {
    static const double STEADY = 0.25;
    double whole = 0.0;
    double part = 0.0;
    for (int i = 0; i < n; i++) {
        const double weight = weights != NULL ? weights[i] : 1.0;
        whole += weight * quantity[i] * quantity[i];
        part += weight * change[i] * change[i];
    }
    return part <= STEADY * STEADY * whole;
}

// Newton's method starts from where the last steps were heading, or from where a jump of prescribed
// motions leads, with the percussions of contacts.
static void guess(const VelocityStep* step) {
    const System* sys = step->sys;
    const State* s = step->s;
    const ContactSet* set = &step->w->contacts;
    bool smooth = false;
    memcpy(step->m->end.u, step->in->u_start, (size_t)sys->nu * sizeof(double));
    memcpy(step->m->P_g, s->P_g, (size_t)sys->nla_g * sizeof(double));
    if (!step->linear && step->in->u_start == s->u) {
        const VelocityOwn own = velocity_own(sys, s);
        // chains that are far from smooth for the step do not go on as a parabola
        smooth =
            velocity_is_steady(sys->nu, step->w->properties.M_diagonal, own.u_change, own.u_bend);
        extrapolate(sys->nu, own.u_change, own.u_bend, smooth, step->m->end.u);
        extrapolate(sys->nla_g, own.P_g_change, own.P_g_bend, smooth, step->m->P_g);
    }
    if (step->projects) {
        velocity_project_guess(step, smooth);
    }
    for (int i = 0; i < set->n; i++) {
        const ContactRecord* record = state_record(s, set->active[i].law);
        for (int r = 0; r < contact_law_rows(&set->active[i].form); r++) {
            set->P[set->active[i].row + r] = record != NULL ? record->P[r] : 0.0;
        }
    }
}

// What is violated most where Newton's method ends, unless the contact problem has told it
static Status fail(const VelocityStep* step, Status status, SolveInfo* info) {
    if (status != STATUS_NO_ROOM && !info->unsolvable) {
        info->residual = velocity_residual(step, info);
    }
    return status;
}

// May updates do with the factors of an iterate before? Contact problems take those of their own.
static bool takes_old_factors(const VelocityStep* step) {
    return step->w->contacts.n == 0 && !step->projects && !step->linear;
}

// Would they end the iteration? With the matrix of the first of two iterates, which have the
// residuals r_0 and r_1 ~ c r_0^2, an update leaves about 2 c r_0 of r_1. Two such updates cost
// less than one with new factors.
static bool old_factors_will_do(const VelocityStep* step, double residual, double tolerance) {
    if (!takes_old_factors(step) || !(step->residual > 0.0)) {
        return false;
    }
    const double part = 2.0 * residual / step->residual;
    return part * part * residual <= tolerance;
}

Status velocity_first_update(VelocityStep* step, SolveInfo* info) {
    guess(step);
    step->unprojected = 0.0;
    info->iterations++;
    if (velocity_flies(step)) {
        velocity_fly(step);
        return STATUS_OK;
    }
    velocity_evaluate_guess(step);
    step->residual = takes_old_factors(step) ? velocity_residual(step, NULL) : 0.0;
    Status status = factor(step);
    if (status == STATUS_OK && step->m->n_redundant > 0) {
        forget_percussions(step);
    }
    if (status == STATUS_OK) {
        status = update(step, info);
    }
    return status == STATUS_OK ? STATUS_OK : fail(step, status, info);
}

// Joints do no work but that of their drives; what they do beside it at an iterate is an error of
// the step. Where it makes a good part of the kinetic energy the step is too long for the motion,
// or a root of (18) has been found that belongs to no motion, with bodies that turn several times.
// Motions that inputs prescribe may change that much within a step.
static bool joints_add_energy(const VelocityStep* step) {
    static const double LARGEST_GAIN = 0.25;  // of the kinetic energy
    const double* g_dot = velocity_directions(step)->g_dot;
    double work = 0.0;
    const bool counts = step->positions == NULL && !step->sys->steered;
    for (int i = 0; i < step->sys->nla_g && counts; i++) {
        work += step->m->P_g[i] * g_dot[i];
    }
    return work > LARGEST_GAIN * 0.5 * step->scale_n * step->scale_n;
}

// Where the update has solved the dynamics
static Status end_free_flight(VelocityStep* step, SolveInfo* info) {
    velocity_drift(step);
    if (!step->projects) {
        return STATUS_OK;
    }
    instant_evaluate(step->sys, step->s, &step->m->end);
    return velocity_is_projected(step) ? STATUS_OK : velocity_project(step, info);
}

// The residual at the iterate, and what follows from it
static Verdict check_residual(const VelocityStep* step, Convergence* convergence, SolveInfo* info) {
    profile_enter(&step->w->profile, PROFILE_RESIDUAL);
    profile_count(&step->w->profile, COUNT_RESIDUALS, 1);
    info->residual = velocity_residual(step, NULL);
    const Verdict verdict = convergence_check(convergence, info->residual, info->iterations);
    info->inexact = verdict == SOLVED_INEXACTLY || step->unprojected > 0.0;
    return verdict;
}

// PR Algorithm 1, Newton's loop; of schemes that do not project, the same without (58)
Status velocity_iterate(VelocityStep* step, SolveInfo* info) {
    Convergence convergence = solver_convergence(step->s->p + step->sys->solver, step->in->attempt);
    if (step->w->contacts.n == 0 && step->linear) {
        return end_free_flight(step, info);
    }
    enum { MOST_PROJECTIONS = 8 };  // after which positions are as good as rounding lets them be
    int n_projections = 0;
    velocity_evaluate(step);
    for (;;) {
        Status status = STATUS_OK;
        const Verdict verdict = check_residual(step, &convergence, info);
        if (verdict != GO_ON) {
            status = joints_add_energy(step) ? STATUS_NO_CONVERGENCE
                                             : verdict_status(verdict, info->residual);
            if (status != STATUS_OK) {
                return fail(step, status, info);
            }
            if (n_projections == MOST_PROJECTIONS || velocity_is_projected(step)) {
                info->residual = larger(info->residual, step->unprojected);
                return STATUS_OK;
            }
            n_projections++;
            status = velocity_project(step, info);  // does v still fit where q_1 is then?
            if (status != STATUS_OK) {
                return status;
            }
            continue;
        }
        if (convergence.n_idle > 0) {
            step->rounding = step->kappa * system_force_rounding(
                                               step->sys, velocity_forces_at(step), step->m->solve);
        }
        info->iterations++;
        if (!old_factors_will_do(step, info->residual, convergence.tolerance)) {
            status = factor(step);
        }
        step->residual = info->residual;
        if (status == STATUS_OK) {
            status = update(step, info);
        }
        if (status != STATUS_OK) {
            return fail(step, status, info);
        }
        velocity_evaluate(step);
    }
}
