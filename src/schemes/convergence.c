// When the iteration of a step ends, and what is told of it (scheme.h).
#include <math.h>
#include <string.h>

#include "schemes/scheme.h"

static const double PROGRESS = 0.5;  // of the best residual so far
enum { PATIENCE = 4 };               // checks without progress

Verdict convergence_check(Convergence* convergence, double residual, int iterations) {
    if (residual <= convergence->tolerance) {
        return SOLVED;
    }
    if (!isfinite(residual)) {
        return NOT_SOLVED;
    }
    const bool progress = residual < PROGRESS * convergence->best;
    convergence->n_idle = progress ? 0 : convergence->n_idle + 1;
    convergence->best = fmin(convergence->best, residual);
    const bool give_up = convergence->n_idle >= PATIENCE || iterations >= convergence->maximum;
    if (give_up && residual <= convergence->inexact) {
        return SOLVED_INEXACTLY;
    }
    return iterations >= convergence->maximum ? NOT_SOLVED : GO_ON;
}

Status verdict_status(Verdict verdict, double residual) {
    if (verdict == SOLVED || verdict == SOLVED_INEXACTLY) {
        return STATUS_OK;
    }
    return isfinite(residual) ? STATUS_NO_CONVERGENCE : STATUS_NOT_FINITE;
}

void solve_info_clear(SolveInfo* info) { memset(info->worst, 0, sizeof info->worst); }

void solve_info_note(const Link* link, double residual, SolveInfo* info) {
    WorstLink* worst = info->worst;
    if (residual <= worst[N_WORST - 1].residual) {
        return;
    }
    int at = 0;  // where it is already, or the last place
    while (at < N_WORST - 1 && worst[at].link != link) {
        at++;
    }
    if (worst[at].link == link && residual <= worst[at].residual) {
        return;
    }
    for (; at > 0 && !(residual <= worst[at - 1].residual); at--) {  // NaN is the largest
        worst[at] = worst[at - 1];
    }
    worst[at] = (WorstLink){.link = link,
                            .residual = residual,
                            .element = link->element,
                            .name = link->name,
                            .id = link->id};
}

void solve_info_scale(double scale, SolveInfo* info) {
    for (int i = 0; i < N_WORST; i++) {
        info->worst[i].residual = relative_error(info->worst[i].residual, scale);
    }
}

void solve_info_worsen(double error, const Link* link, double* worst, SolveInfo* info) {
    *worst = error <= *worst ? *worst : error;
    if (info != NULL) {
        solve_info_note(link, error, info);
    }
}

Status solve_info_judge(const ContactSet* set, const PercussionInfo* contacts, Status status,
                        const Convergence* convergence, SolveInfo* info) {
    info->contact_iterations += contacts->iterations;
    info->regularised = info->regularised || contacts->regularised;
    info->swept = info->swept || contacts->swept;
    info->unsolvable = info->unsolvable || contacts->unsolvable;
    if (contacts->unsolvable) {
        solve_info_clear(info);
        solve_info_note(set->active[contacts->worst].link, contacts->error, info);
        info->residual = contacts->error;
    }
    return status == STATUS_NO_CONVERGENCE &&
                   !percussions_are_hopeless(contacts, convergence->inexact)
               ? STATUS_OK
               : status;
}

double step_law_restitution(const StepInput* in, const double* p, int law, int r) {
    const Link* link = &in->sys->laws[law];
    const bool none = link->bound >= 0 || step_is_inelastic(in, law);
    return none ? 0.0
                : link_parameter(link, p, r == 0 ? NORMAL_RESTITUTION : TANGENTIAL_RESTITUTION);
}
double step_restitution(const StepInput* in, const double* p, const ActiveLaw* active, int r) {
    return step_law_restitution(in, p, active->law, r);
}

bool contact_is_closed(const ContactSet* set, ActiveLaw* active, double before, double free,
                       double small, SolveInfo* info) {
    if (!active->form.normal) {
        return true;
    }
    const double G = delassus_diagonal(set, active, 0);
    const double threshold = larger(0.5 * (before - free), small * sqrt(G));
    const bool presses = set->P[active->row] > 0.0;
    active->impact = presses && -before > threshold;
    info->impact = info->impact || active->impact;
    return presses && set->gamma[active->row] <= threshold;
}
