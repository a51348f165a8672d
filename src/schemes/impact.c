#include "schemes/impact.h"

#include <math.h>
#include <string.h>

#include "schemes/accelerations.h"
#include "schemes/settings.h"
#include "schemes/start.h"

Status impact_create(const System* sys, Arena* arena, Impact* impact) {
    *impact = (Impact){.closes = ARENA_NEW(arena, sys->most_contacts, bool),
                       .touches = ARENA_NEW(arena, sys->most_contacts, bool),
                       .u = ARENA_NEW(arena, sys->nu, double),
                       .P = ARENA_NEW(arena, sys->most_rows, double),
                       .P_g = ARENA_NEW(arena, sys->nla_g, double)};
    return impact->closes != NULL && impact->touches != NULL && impact->u != NULL &&
                   impact->P != NULL && impact->P_g != NULL
               ? STATUS_OK
               : STATUS_OUT_OF_MEMORY;
}

// What counts as no velocity after the impact, in the norm of energy: that before it is the scale.
static double still(const StepInput* in, const State* s) {
    static const double TOLERANCES = 10.0;
    const double energy = system_kinetic_energy_of(in->sys, &in->w->present, s->u);
    return TOLERANCES * s->p[in->sys->solver + SOLVER_TOLERANCE] * sqrt(2.0 * energy);
}

// Percussions of the set, by row of all laws, and the contacts that are in it.
static void take_percussions(const StepInput* in, Impact* impact) {
    const ContactSet* set = &in->w->contacts;
    memset(impact->P, 0, (size_t)in->sys->nla_c * sizeof(double));
    memset(impact->touches, 0, (size_t)in->sys->n_contacts * sizeof(bool));
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const int n = contact_law_rows(&active->form);
        memcpy(impact->P + active->link->la.at, set->P + active->row, (size_t)n * sizeof(double));
        impact->touches[active->law] = true;
    }
}

static void mark_impacts(const System* sys, const Impact* impact, ContactSet* set,
                         SolveInfo* info) {
    for (int i = 0; i < set->n; i++) {
        ActiveLaw* active = &set->active[i];
        active->impact = active->law < sys->n_contacts && impact->closes[active->law] &&
                         impact->P[active->link->la.at] > 0.0;
        info->impact = info->impact || active->impact;
    }
}

Status impact_step(const StepInput* in, Impact* impact, State* s, SolveInfo* info) {
    const System* sys = in->sys;
    PercussionInfo contacts;
    *info = (SolveInfo){0};
    const Status status =
        velocities_after_impact(in, impact->closes, s, impact->u, impact->P_g, &contacts);
    const Convergence convergence = solver_convergence(s->p + sys->solver, in->attempt);
    const Status judged = solve_info_judge(&in->w->contacts, &contacts, status, &convergence, info);
    info->residual = contacts.error;
    info->inexact = contacts.error > convergence.tolerance;
    if (status != STATUS_OK || judged != STATUS_OK) {
        return status;
    }
    const Touching touching = {impact->touches, still(in, s)};
    take_percussions(in, impact);
    memcpy(s->u, impact->u, (size_t)sys->nu * sizeof(double));
    memcpy(s->P_g, impact->P_g, (size_t)sys->nla_g * sizeof(double));
    memcpy(s->La_g, impact->P_g, (size_t)sys->nla_g * sizeof(double));
    start_states(sys, in->t, &touching, s, in->w);
    mark_impacts(sys, impact, &in->w->contacts, info);
    state_set_percussions(sys, impact->P, impact->P, s);
    return STATUS_OK;
}
