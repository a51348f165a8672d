#include "simulation/attempt.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "simulation/locate.h"

// Gaps and velocities of laws at (t, state), for those who ask for them: some schemes do not.
static void update_laws(Simulation* simulation, double t) {
    const System* sys = &simulation->model.system;
    if (!schemes[simulation_scheme(simulation)].knows_work || sys->n_fixed > 0 || sys->curved ||
        locate_is_wanted(simulation)) {
        workspace_update_laws(sys, t, &simulation->state, &simulation->workspace);
    }
}

// One attempt at a part of a step; what it cost counts even if it fails.
static Status try_step(Simulation* simulation, const Interval* part, Attempt attempt,
                       Effort* effort, SolveInfo* info) {
    const int scheme = simulation_scheme(simulation);
    Profile* profile = &simulation->workspace.profile;
    const StepInput in = {.sys = &simulation->model.system,
                          .t = part->t,
                          .t_1 = part->t_1,
                          .dt = part->dt,
                          .u_start = part->u_start,
                          .attempt = attempt,
                          .inelastic = simulation->restitution.left_out,
                          .held_open = part->held_open,
                          .w = &simulation->workspace};
    const long long n_factors = newton_matrix_count(in.w->matrix);
    const Status status =
        schemes[scheme].step(&in, &simulation->state, simulation->scratch[scheme], info);
    profile_count(profile, COUNT_FACTORISATIONS,
                  (int)(newton_matrix_count(in.w->matrix) - n_factors));
    effort->iterations += info->iterations;
    effort->contact_iterations += info->contact_iterations;
    effort->projection_iterations += info->projection_iterations;
    effort->activation_iterations += info->activation_iterations;
    if (status == STATUS_OK) {
        update_laws(simulation, part->t_1);
    } else {
        effort->unsolvable = info->unsolvable;
        effort->failed_residual = info->residual;
        memcpy(effort->worst, info->worst, sizeof effort->worst);
        restitution_suspect(&simulation->workspace.contacts, info->unsolvable,
                            &simulation->restitution);
    }
    profile_count(profile, COUNT_UPDATES, info->iterations);
    profile_count(profile, COUNT_CONTACT_ITERATIONS, info->contact_iterations);
    profile_enter(profile, PROFILE_REST);
    return status;
}

// A part of a step that was solved.
static void record(Simulation* simulation, const Interval* part, const SolveInfo* info,
                   Effort* effort) {
    const System* sys = &simulation->model.system;
    Workspace* w = &simulation->workspace;
    StateHead* head = simulation->state.head;
    profile_enter(&w->profile, PROFILE_COMMIT);
    effort->residual = larger(effort->residual, info->residual);
    effort->regularised = effort->regularised || info->regularised;
    effort->swept = effort->swept || info->swept;
    effort->inexact = effort->inexact || info->inexact;
    restitution_end_part(&w->contacts, &simulation->restitution);
    if (info->impact) {
        head->last_impact_time = part->t_1;
    }
    for (int k = 0; k < sys->n_fixed; k++) {    // features that were found go on beyond their ends:
        const double penetration = -w->g_N[k];  // simulation_end_step looks at the shapes
        head->worst_penetration =
            penetration > head->worst_penetration ? penetration : head->worst_penetration;
    }
    energy_end_step(sys, part->t_1, part->dt, info, &simulation->state, w, &simulation->energy);
    profile_enter(&w->profile, PROFILE_REST);
}

// A last attempt has failed, too: it is told by what those before it failed.
static void tell_first_failure(const Effort* before, Effort* effort) {
    effort->unsolvable = before->unsolvable;
    effort->failed_residual = before->failed_residual;
    memcpy(effort->worst, before->worst, sizeof effort->worst);
}

void attempt_back_up(Simulation* simulation, Effort* effort) {
    if (!effort->backed_up) {
        simulation->n_backup = state_saved_size(&simulation->state);
        state_save(&simulation->state, simulation->backup);
        effort->backed_up = true;
    }
}

// Can a step be solved that leads nowhere, so that the state has to go back from its end?
static bool can_be_lost(const Simulation* simulation) {
    return simulation->model.system.curved ||
           energy_takes_work(simulation->state.head, &simulation->energy);
}

// Is there no use in other attempts, because the laws of impact have no solution with restitution?
static bool is_in_vain(const Simulation* simulation) {
    return restitution_is_at_fault(&simulation->model.system, simulation->state.p,
                                   &simulation->restitution);
}

void attempt_begin_part(Simulation* simulation, const Interval* part) {
    Workspace* w = &simulation->workspace;
    profile_enter(&w->profile, PROFILE_COMMIT);
    update_laws(simulation, part->t);
    energy_begin_step(&simulation->model.system, part->t, &simulation->state, w,
                      &simulation->energy);
    profile_enter(&w->profile, PROFILE_REST);
}

Status attempt_part(Simulation* simulation, const Interval* part, Effort* effort, SolveInfo* info) {
    Status status = try_step(simulation, part, ATTEMPT_FIRST, effort, info);
    if (status != STATUS_OK && status != STATUS_NO_ROOM && !is_in_vain(simulation)) {
        status = try_step(simulation, part, ATTEMPT_DAMPED, effort, info);
        effort->damped = effort->damped || status == STATUS_OK;
    }
    return status;
}

Status attempt_end_part(Simulation* simulation, const Interval* part, const SolveInfo* info,
                        Effort* effort) {
    const StateHead* head = simulation->state.head;
    record(simulation, part, info, effort);
    effort->no_gap = simulation->model.system.curved &&
                     simulation_check_gaps(simulation, part->t_1) != STATUS_OK;
    effort->no_energy = !isfinite(head->input_work + head->dissipated_by_damping);
    return effort->no_gap || effort->no_energy ? STATUS_NOT_FINITE : STATUS_OK;
}

// A part of the shortest kind: what is too much of an error for the whole step is next to nothing
// here.
static Status shortest_part(Simulation* simulation, const Interval* part, Effort* effort,
                            SolveInfo* info) {
    const Effort before = *effort;  // what failed first tells more
    const Status status = try_step(simulation, part, ATTEMPT_LAST, effort, info);
    if (status == STATUS_OK) {
        effort->damped = true;
        return STATUS_OK;
    }
    tell_first_failure(&before, effort);
    return status;
}

// A part, or two of half the length, and so on.
static Status part_or_halves(Simulation* simulation, const Interval* part, int depth,
                             Effort* effort) {
    enum { MAXIMUM_DEPTH = 9 };
    SolveInfo info;
    Status status = STATUS_NO_CONVERGENCE;
    if (depth >= effort->manner.depth) {
        attempt_begin_part(simulation, part);
        status = attempt_part(simulation, part, effort, &info);
    }
    if (effort->manner.lenient && depth == MAXIMUM_DEPTH && status == STATUS_NO_CONVERGENCE &&
        !is_in_vain(simulation)) {
        status = shortest_part(simulation, part, effort, &info);
    }
    if (status == STATUS_OK) {
        return attempt_end_part(simulation, part, &info, effort);
    }
    if (status == STATUS_NO_ROOM || depth == MAXIMUM_DEPTH || is_in_vain(simulation)) {
        return status;
    }
    attempt_back_up(simulation, effort);  // attempts that failed have left the state as it was
    effort->halved = effort->moved = true;
    const double middle = part->t + 0.5 * part->dt;
    const Interval first = {part->t, middle, 0.5 * part->dt, part->u_start, part->held_open};
    const Interval second = {middle, part->t_1, 0.5 * part->dt, simulation->state.u,
                             part->held_open};
    status = part_or_halves(simulation, &first, depth + 1, effort);
    return status == STATUS_OK ? part_or_halves(simulation, &second, depth + 1, effort) : status;
}

Status attempt_halves(Simulation* simulation, const Interval* part, Effort* effort) {
    return part_or_halves(simulation, part, 0, effort);
}

static void go_back(Simulation* simulation) {
    const Status status =
        state_restore(&simulation->model.system, simulation->room, simulation->backup,
                      simulation->n_backup, &simulation->state);
    assert(status == STATUS_OK);  // it was saved here
    (void)status;
    simulation->workspace.laws_known = false;
}

// The whole step once more, after all smaller ones have failed with a status.
static Status last_attempt(Simulation* simulation, const Interval* step, Status failed,
                           Effort* effort) {
    const Effort before = *effort;  // what failed first tells more
    SolveInfo info;
    update_laws(simulation, step->t);
    energy_begin_step(&simulation->model.system, step->t, &simulation->state,
                      &simulation->workspace, &simulation->energy);
    const Status status = try_step(simulation, step, ATTEMPT_LAST, effort, &info);
    if (status == STATUS_OK) {
        record(simulation, step, &info, effort);
        effort->damped = true;
        return STATUS_OK;
    }
    tell_first_failure(&before, effort);
    return status == STATUS_NO_ROOM ? status : failed;
}

// Has a step been solved, but leads nowhere?
static bool is_lost(const Effort* effort) { return effort->no_gap || effort->no_energy; }

// With the restitution that is left; on failure the state is as it was before the step.
static Status attempt_all(Simulation* simulation, const Interval* step, Effort* effort) {
    update_laws(simulation, step->t);
    effort->backed_up = effort->moved = false;
    if (can_be_lost(simulation)) {
        attempt_back_up(simulation, effort);
    }
    restitution_begin_attempt(&simulation->model.system, &simulation->restitution);
    const Status status = locate_is_wanted(simulation) ? locate_step(simulation, step, effort)
                                                       : attempt_halves(simulation, step, effort);
    const bool lost = is_lost(effort);
    if (status != STATUS_OK && (effort->moved || lost)) {
        go_back(simulation);
    }
    return status != STATUS_OK && effort->moved && !lost && !is_in_vain(simulation)
               ? last_attempt(simulation, step, status, effort)
               : status;
}

// Where it fails, once more without the restitution of the contacts that may be the cause, at last
// of all.
Status attempt_step(Simulation* simulation, const Interval* step, Effort* effort) {
    const System* sys = &simulation->model.system;
    Restitution* r = &simulation->restitution;
    restitution_begin_step(sys, r);
    Status status = attempt_all(simulation, step, effort);
    for (int all = 0; all < 2 && status != STATUS_OK && status != STATUS_NO_ROOM; all++) {
        if (!is_lost(effort) && restitution_leave_out(sys, simulation->state.p, all, r)) {
            status = attempt_all(simulation, step, effort);
        }
    }
    if (status == STATUS_OK && r->n_left_out > 0) {
        effort->inelastic = restitution_end_step(sys, step->t_1, r);
        effort->inexact = effort->inexact || !effort->inelastic;  // of what was too slow for one
    }
    return status;
}
