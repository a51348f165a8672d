// Newton's method on the stages of a step of the Lobatto scheme, and its end.
#include <math.h>
#include <string.h>

#include "schemes/lobatto_step.h"
#include "system/force_rounding.h"

// --- residual ---

// What of a distance is beyond the rounding of positions
static double beyond_rounding(const LobattoStep* step, double g) {
    const double beyond = fabs(g) - step->place_rounding;
    return beyond <= 0.0 ? 0.0 : beyond;  // NaN stays
}

static void dynamics_residual(const LobattoStep* step, double* worst) {
    const System* sys = step->sys;
    for (int j = 0; j < step->stages->n; j++) {
        const ContactSet* set = step->sets[j];
        double square = 0.0;
        memcpy(step->m->sum, step->m->r[j], bytes(sys->nu));
        for (int i = 0; i < set->n; i++) {
            double f[LAW_MAX_ROWS] = {0.0};
            for (int r = 0; r < contact_law_rows(&set->active[i].form); r++) {
                f[r] = -set->P[set->active[i].row + r];
            }
            active_add(&set->active[i], f, step->m->sum);
        }
        for (int i = 0; i < sys->nu; i++) {
            square += step->m->sum[i] * step->m->sum[i] / step->w->properties.M_diagonal[i];
        }
        const double error = sqrt(square) - step->dt * step->force_rounding;
        solve_info_worsen(error <= 0.0 ? 0.0 : error, NULL, worst, NULL);
    }
}

// The rate of row r of joint k that belongs to R_p, (50), (51): on position level that of a stage,
// on velocity level combined
static double joint_rate(const LobattoStep* step, int k, int r, int p) {
    const Stages* stages = step->stages;
    const Link* joint = &step->sys->joints[k];
    if (r < joint->rows->n_position_rows) {
        return beyond_rounding(step, step->joints[p + 1]->joints[k].g[r]) / step->dt;
    }
    double rate = 0.0;
    for (int i = 0; i < stages->s; i++) {
        rate += stages->of_velocities[p][i] * step->joints[i]->g_dot[joint->la.at + r];
    }
    return fabs(rate);
}

static void joint_residual(const LobattoStep* step, double* worst, SolveInfo* info) {
    const System* sys = step->sys;
    for (int p = 0; p < step->stages->n; p++) {
        for (int k = 0; k < sys->n_joints; k++) {
            const Link* joint = &sys->joints[k];
            for (int r = 0; r < joint->la.n; r++) {
                const double G = joint_rows_mobility(joint, &step->joints[p + 1]->joints[k], r,
                                                     step->w->properties.M_diagonal);
                if (G > 0.0) {
                    solve_info_worsen(joint_rate(step, k, r, p) / sqrt(G), joint, worst, info);
                }
            }
        }
    }
}

// (52), (57) at the stages
static void law_residual(const LobattoStep* step, double* worst, SolveInfo* info) {
    const StageProblem problem = lobatto_problem(step, NULL);
    for (int p = 0; p < step->stages->n; p++) {
        const ContactSet* set = step->sets[p + 1];
        for (int i = 0; i < set->n; i++) {
            const ActiveLaw* active = &set->active[i];
            double xi[LAW_MAX_ROWS];
            double G[LAW_MAX_ROWS];
            active_mobility(active, step->w->properties.M_diagonal, G);
            for (int r = 0; r < contact_law_rows(&active->form); r++) {
                const bool gap = active->form.normal && r == 0;
                G[r] *= stage_rate_weight(&problem, i, p, r);
                xi[r] = stage_rate(&problem, i, p, r);
                if (gap && beyond_rounding(step, active->g[0]) == 0.0) {
                    xi[r] = 0.0;
                }
            }
            const double* R = step->sets[p]->P + active->row;
            solve_info_worsen(contact_law_error(&active->form, G, R, xi), active->link, worst,
                              info);
        }
    }
}

// What errors are relative to: the largest of u_n, V and dt M^-1 h, in the norm of M
static void update_scale(LobattoStep* step) {
    const double* M_diagonal = step->w->properties.M_diagonal;
    double largest = 2.0 * step->energy_n;
    for (int j = 0; j < step->stages->s; j++) {
        double of_V = 0.0;
        double of_h = 0.0;
        for (int i = 0; i < step->sys->nu; i++) {
            const double V = step->m->stages[j].u[i];
            const double h = j < step->stages->n ? step->m->h[j][i] : 0.0;
            of_V += M_diagonal[i] * V * V;
            of_h += h * h / M_diagonal[i];
        }
        largest = fmax(largest, fmax(of_V, step->dt * step->dt * of_h));
    }
    step->scale = sqrt(largest);
}

double lobatto_residual(LobattoStep* step, SolveInfo* info) {
    double worst = 0.0;
    if (info != NULL) {
        solve_info_clear(info);
    }
    dynamics_residual(step, &worst);
    joint_residual(step, &worst, info);
    law_residual(step, &worst, info);
    if (info != NULL) {
        solve_info_scale(step->scale, info);
    }
    return relative_error(worst, step->scale);
}

// --- Newton's method ---

// Are the derivatives of the joints' directions so much of the matrix that leaving them out would
// cost more in updates than they do?
static bool is_stiff(const LobattoStep* step) {
    static const double STIFF = 1e-3;
    const double factor = step->dt * step->stages->T[step->stages->n][step->stages->n - 1];
    return step->stages->n > 1 &&
           factor * joint_set_stiffness(step->sys, step->joints[0], step->m->R_g[0],
                                        step->w->properties.M_diagonal, STIFF / factor) >
               STIFF;
}

static Status factor(const LobattoStep* step) {
    const StageTerms terms = {.stages = step->stages,
                              .dt = step->dt,
                              .instants = step->m->stages,
                              .joints = step->joints,
                              .R_g = (const double* const*)step->m->R_g,
                              .geometric = is_stiff(step)};
    profile_enter(&step->w->profile, PROFILE_FACTOR);
    profile_count(&step->w->profile, COUNT_FACTORISATIONS, 1);
    return stage_matrix_factor(step->sys, &terms, step->matrix);
}

// The forces of redundant joints are solved for anew, and have the least norm: with the least
// change they would grow from step to step in what does not move anything.
static void forget_joint_forces(const LobattoStep* step) {
    for (int j = 0; j < step->stages->n; j++) {
        joint_set_add(step->sys, step->joints[j], 1.0, step->m->R_g[j], step->m->r[j]);
        memset(step->m->R_g[j], 0, bytes(step->sys->nla_g));
    }
}

// The Newton update of the dynamics and the joints without the forces of laws
static void solve_free(const LobattoStep* step) {
    const System* sys = step->sys;
    const Stages* stages = step->stages;
    double* x = step->m->solution;
    for (int j = 0; j < stages->n; j++) {
        for (int i = 0; i < sys->nu; i++) {
            x[j * sys->nu + i] = -step->m->r[j][i];
        }
    }
    memset(x + (ptrdiff_t)stages->n * sys->nu, 0, bytes(stages->n * sys->nla_g));
    for (int i = 0; i < stages->s; i++) {
        for (int k = 0; k < sys->n_joints; k++) {
            const Link* joint = &sys->joints[k];
            for (int r = i > 0 ? 0 : joint->rows->n_position_rows; r < joint->la.n; r++) {
                const bool on_position = r < joint->rows->n_position_rows;
                const int row = joint->la.at + r;
                const double value = on_position ? step->joints[i]->joints[k].g[r] / step->dt
                                                 : step->joints[i]->g_dot[row];
                stage_matrix_add_row(sys, stages, row, on_position, i, -value, x);
            }
        }
    }
    stage_matrix_solve(sys, step->matrix, x);
}

static Status judge(const LobattoStep* step, Status status, const PercussionInfo* contacts,
                    SolveInfo* info) {
    const Convergence convergence =
        solver_convergence(step->s->p + step->sys->solver, step->in->attempt);
    return solve_info_judge(&step->w->contacts, contacts, status, &convergence, info);
}

static PercussionTask contact_task(const LobattoStep* step) {
    const double* par = step->s->p + step->sys->solver;
    return (PercussionTask){.scale = step->scale,
                            .r = par[SOLVER_PROX_PARAMETER],
                            .options = solver_contact_options(par)};
}

static Status update(LobattoStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const LobattoScratch* m = step->m;
    const int n = step->stages->n;
    const double damping = step_damping(step->in->attempt);
    Status status = STATUS_OK;
    solve_free(step);
    if (step->w->contacts.n > 0) {
        PercussionTask task = contact_task(step);
        task.options.near = info->iterations > 1;  // the forces of the last update nearly solve it
        const StageProblem problem = lobatto_problem(step, &task);
        PercussionInfo contacts;
        profile_enter(&step->w->profile, PROFILE_CONTACT);
        profile_count(&step->w->profile, COUNT_CONTACT_PROBLEMS, 1);
        status =
            judge(step, stage_percussions_solve(&problem, m->solution, &contacts), &contacts, info);
        profile_enter(&step->w->profile, PROFILE_FACTOR);
    }
    if (status != STATUS_OK) {
        return status;
    }
    const double* x = m->solution;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < sys->nu; i++, x++) {
            m->X[j][i] += damping * *x;
        }
    }
    for (int j = 0; j < n; j++) {  // the border has the sign of W_g: the unknown is -R_g
        for (int i = 0; i < sys->nla_g; i++, x++) {
            m->R_g[j][i] -= damping * *x;
        }
    }
    return STATUS_OK;
}

Status lobatto_iterate(LobattoStep* step, SolveInfo* info) {
    static const double FAST =
        0.02;  // of the residual left: the factors will do for another update
    // a guess must be better than a solution to be taken for one: its error always has the same
    // sign
    static const double GUESSED = 1e-3;  // of the tolerance
    Convergence convergence = solver_convergence(step->s->p + step->sys->solver, step->in->attempt);
    const double tolerance = convergence.tolerance;
    double before = 0.0;
    for (;;) {
        lobatto_evaluate(step);
        (void)lobatto_close_contacts(step);
        profile_enter(&step->w->profile, PROFILE_RESIDUAL);
        profile_count(&step->w->profile, COUNT_RESIDUALS, 1);
        lobatto_dynamics(step);
        update_scale(step);
        info->residual = lobatto_residual(step, NULL);
        convergence.tolerance = info->iterations == 0 ? GUESSED * tolerance : tolerance;
        const Verdict verdict = convergence_check(&convergence, info->residual, info->iterations);
        info->inexact = verdict == SOLVED_INEXACTLY;
        if (verdict != GO_ON) {
            return verdict_status(verdict, info->residual);
        }
        if (convergence.n_idle > 0) {
            step->force_rounding =
                system_force_rounding(step->sys, &step->m->stages[0], step->m->solve);
        }
        Status status = STATUS_OK;
        if (!(info->residual <= FAST * before)) {
            status = factor(step);
        }
        if (status == STATUS_OK && step->sys->n_joints > 0 &&
            stage_matrix_is_redundant(step->matrix)) {
            forget_joint_forces(step);
        }
        info->iterations++;
        before = info->residual;
        status = status == STATUS_OK ? update(step, info) : status;
        if (status != STATUS_OK) {
            return status;
        }
    }
}

// --- the end of the step ---

// The percussion of row r of an active law but for that of the last stage: sum of b_j R_j
static double stage_percussion(const LobattoStep* step, const ActiveLaw* active, int r) {
    double P = 0.0;
    for (int j = 0; j < step->stages->n; j++) {
        P += step->stages->b[j] * step->sets[j]->P[active->row + r];
    }
    return P;
}

// What of it the unknown of the end of the step holds: all, which then is Delta P of (56), (58),
// where a contact may have closed in the step. Where it slides on, along a direction that turns,
// friction has this direction at each stage, and so has that of the last one: the unknown is
// b_s R_s.
static double included(const LobattoStep* step, const ActiveLaw* active, int r) {
    return step->m->slides[active->law] ? 0.0 : stage_percussion(step, active, r);
}

// Takes the forces of the stages that the unknown holds from f (nu).
static void take_stage_percussions(const LobattoStep* step, double* f) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double P[LAW_MAX_ROWS] = {0.0};
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            P[r] = -included(step, active, r);
        }
        active_add(active, P, f);
    }
}

// A contact obeys the laws of the end if it is held on position level, (67), at the end or,
// departing from LO, at any stage: one that closes early in the step and parts again has had its
// impact, too.
static bool is_closed(const LobattoStep* step, int i) {
    const Stages* stages = step->stages;
    const ActiveLaw* active = &step->w->contacts.active[i];
    double G[LAW_MAX_ROWS];
    active_mobility(active, step->w->properties.M_diagonal, G);
    bool closed = !active->form.normal;
    for (int p = 0; p < stages->n && !closed; p++) {
        const double gap = step->sets[p + 1]->active[i].g[0];
        const double R = step->sets[p]->P[active->row];
        closed = gap - step->dt * stages->T[p + 1][p] * G[0] * R <= step->place_rounding;
    }
    return closed;
}

// Sliding velocity (LAW_MAX_F) of an active law by its moments, at node i
static void sliding_velocity(const LobattoStep* step, const ActiveLaw* active, int i,
                             double* gamma_F) {
    const Stages* stages = step->stages;
    const int F = contact_law_F(&active->form);
    for (int k = 0; k < LAW_MAX_F; k++) {
        gamma_F[k] = 0.0;
        for (int j = 0; j < stages->s && k < active->form.n_F; j++) {
            gamma_F[k] += stages->of_sliding[i][j] * step->sets[j]->gamma[active->row + F + k];
        }
    }
}

// The direction of sliding at the end of the step, of a law that slides; false if it does not slide
// on through the whole step.
static bool slides_on(const LobattoStep* step, const ActiveLaw* active, double* slip) {
    double end[LAW_MAX_F];
    double square = 0.0;
    sliding_velocity(step, active, step->stages->n, end);
    for (int k = 0; k < LAW_MAX_F; k++) {
        square += end[k] * end[k];
    }
    for (int i = 0; i < step->stages->n; i++) {
        double gamma_F[LAW_MAX_F];
        double along = 0.0;
        sliding_velocity(step, active, i, gamma_F);
        for (int k = 0; k < LAW_MAX_F; k++) {
            along += gamma_F[k] * end[k];
        }
        if (!(along > 0.5 * square)) {  // it ends, or turns back
            return false;
        }
    }
    for (int k = 0; k < LAW_MAX_F; k++) {
        slip[k] = end[k] / sqrt(square);
    }
    return square > 0.0;
}

// (56), (58): the problem of Delta P, V being the velocities without it less those of the last
// stage
static void fill_end_problem(const LobattoStep* step) {
    const Workspace* w = step->w;
    ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const bool closed = is_closed(step, i);
        double moved[LAW_MAX_ROWS];
        active_dot(active, w->solution, moved);
        set->laws[i] = closed ? active->form : (ContactLaw){.at = active->form.at};
        if (closed && step->m->slides[active->law]) {
            set->laws[i].slides = slides_on(step, active, set->laws[i].slip);
        }
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            const int row = active->row + r;
            const double e = step_restitution(step->in, step->s->p, active, r);
            set->b[row] = set->gamma[row] + moved[r] + e * w->gamma[active->link->la.at + r];
            set->P[row] = closed ? included(step, active, r) : 0.0;  // a start value
        }
    }
}

static Status solve_end_problem(const LobattoStep* step, SolveInfo* info) {
    Workspace* w = step->w;
    ContactSet* set = &w->contacts;
    const PercussionTask task = contact_task(step);
    const DelassusOptions options = {.symmetric = true};
    PercussionInfo contacts;
    Status status = delassus_fill(step->sys, w->matrix, options, set, &w->pool);
    if (status != STATUS_OK) {
        return status;
    }
    fill_end_problem(step);
    profile_enter(&w->profile, PROFILE_CONTACT);
    profile_count(&w->profile, COUNT_DELASSUS, 1);
    profile_count(&w->profile, COUNT_CONTACT_PROBLEMS, 1);
    status = judge(step, percussions_solve(set, &task, &w->pool, &contacts), &contacts, info);
    for (int i = 0; i < set->n && status == STATUS_OK; i++) {
        const ActiveLaw* active = &set->active[i];
        delassus_add(step->sys, active, contact_law_rows(&active->form), set->P + active->row,
                     w->solution);
        for (int r = 0; r < contact_law_rows(&active->form); r++) {  // Delta P, (55), (59)
            set->P[active->row + r] +=
                stage_percussion(step, active, r) - included(step, active, r);
        }
    }
    const double tolerance = step->s->p[step->sys->solver + SOLVER_TOLERANCE];
    info->inexact = info->inexact || contacts.error > tolerance;
    info->residual = fmax(info->residual, contacts.error);
    return status;
}

// Laws whose sliding ends in the step, or that open, are those of a contact that may have closed.
static void end_sliding(const LobattoStep* step) {
    const ContactSet* set = &step->w->contacts;
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        double slip[LAW_MAX_F];
        bool* slides = &step->m->slides[active->law];
        *slides = *slides && is_closed(step, i) && slides_on(step, active, slip);
    }
}

// u_1 = V_s + x: M x = M (u_n + sum of b_j X_j - V_s) + b_s dt h_s + W_g b_s R_g,s
//                      + W (Delta P - sum of b_j R_j), j < s, with the joints' velocities zero
Status lobatto_end(LobattoStep* step, SolveInfo* info) {
    const System* sys = step->sys;
    const Stages* stages = step->stages;
    const LobattoScratch* m = step->m;
    Workspace* w = step->w;
    const Instant* end = &step->m->stages[stages->n];
    const double b_s = stages->b[stages->n];
    double* known = m->sum;
    for (int i = 0; i < sys->nu; i++) {
        known[i] = step->in->u_start[i] - end->u[i];
        for (int j = 0; j < stages->n; j++) {
            known[i] += stages->b[j] * m->X[j][i];
        }
    }
    system_forces(sys, end, m->h[stages->n]);
    system_mass_multiply(sys, end, known, w->solution);
    for (int i = 0; i < sys->nu; i++) {
        w->solution[i] += b_s * step->dt * m->h[stages->n][i];
    }
    end_sliding(step);
    take_stage_percussions(step, w->solution);
    for (int i = 0; i < sys->nla_g; i++) {
        w->solution[sys->nu + i] = -w->joints.g_dot[i];
    }
    profile_enter(&w->profile, PROFILE_FACTOR);
    newton_matrix_forget(w->matrix);
    Status status = newton_matrix_factor(sys, end, &w->joints, &(MatrixTerms){0}, w->matrix);
    if (status != STATUS_OK) {
        return status;
    }
    newton_matrix_solve(sys, w->matrix, w->solution);
    status = w->contacts.n > 0 ? solve_end_problem(step, info) : STATUS_OK;
    if (status != STATUS_OK) {
        return status;
    }
    for (int i = 0; i < sys->nu; i++) {
        end->u[i] += w->solution[i];  // (47b)
        m->X[stages->n][i] = (w->solution[i] - known[i]) / b_s;
    }
    for (int i = 0; i < sys->nla_g; i++) {
        m->R_g[stages->n][i] = -w->solution[sys->nu + i] / b_s;
    }
    return STATUS_OK;
}
