// The state at the end of a step of the Lobatto scheme.
#include <math.h>
#include <string.h>

#include "schemes/lobatto_step.h"

// What counts as zero in the solution, in the norm of kinetic energy
static double negligible(const LobattoStep* step) {
    return 10.0 * step->s->p[step->sys->solver + SOLVER_TOLERANCE] * step->scale;
}

static ContactState closed_state(const LobattoStep* step, const ActiveLaw* active) {
    const ContactSet* set = &step->w->contacts;
    double xi[LAW_MAX_ROWS];
    double G[LAW_MAX_ROWS];
    for (int r = contact_law_F(&active->form); r < contact_law_rows(&active->form); r++) {
        const double e = step_restitution(step->in, step->s->p, active, r);
        xi[r] = set->gamma[active->row + r] + e * step->w->gamma[active->link->la.at + r];
        G[r] = delassus_diagonal(set, active, r);
    }
    return active_closed_state(active, xi, G, negligible(step));
}

// R_s of row r of an active law: what Delta P has beyond the stages before
static double last_force(const LobattoStep* step, const ActiveLaw* active, int r) {
    double P = step->w->contacts.P[active->row + r];
    for (int j = 0; j < step->stages->n; j++) {
        P -= step->stages->b[j] * step->sets[j]->P[active->row + r];
    }
    return P / step->stages->b[step->stages->n];
}

// Velocity of row r of an active law at the last stage, whose own velocities have become those of
// the end: V_s = u_1 less what the end has added
static double last_stage_velocity(const LobattoStep* step, const ActiveLaw* active, int r) {
    double added[LAW_MAX_ROWS];
    active_dot(active, step->w->solution, added);
    return step->w->contacts.gamma[active->row + r] - added[r];
}

// Velocity of row r of an active law at stage j, by its moments over the step and its values at
// both ends, which are more accurate than those of the stages
static double accurate_velocity(const LobattoStep* step, const ActiveLaw* active, int j, int r) {
    const Stages* stages = step->stages;
    const double gamma_n = step->w->gamma[active->link->la.at + r];
    const double gamma_1 = step->w->contacts.gamma[active->row + r];
    double at_stage = 0.0;
    double at_start = 0.0;
    double at_end = 0.0;
    for (int i = 0; i < stages->s; i++) {
        const double gamma = i < stages->n ? step->sets[i]->gamma[active->row + r]
                                           : last_stage_velocity(step, active, r);
        at_stage += stages->of_sliding[j][i] * gamma;
        at_start += stages->of_sliding[0][i] * gamma;
        at_end += stages->of_sliding[stages->n][i] * gamma;
    }
    return at_stage + stages->to_start[j] * (gamma_n - at_start) +
           stages->to_end[j] * (gamma_1 - at_end);
}

// Work of an active law's friction: its sum over the stages. That of normal forces is none.
static void sum_work(const LobattoStep* step, ActiveLaw* active) {
    const Stages* stages = step->stages;
    active->knows_work = true;
    for (int r = 0; r < contact_law_rows(&active->form); r++) {
        active->work[r] = 0.0;
        for (int j = 0; j < stages->s && r >= contact_law_F(&active->form); j++) {
            const double R =
                j < stages->n ? step->sets[j]->P[active->row + r] : last_force(step, active, r);
            active->work[r] += stages->b[j] * R * accurate_velocity(step, active, j, r);
        }
    }
}

// Records of the laws that are closed or have percussions
static void classify(const LobattoStep* step, State* s, SolveInfo* info) {
    ContactSet* set = &step->w->contacts;
    memcpy(set->b, set->gamma, bytes(set->m));
    delassus_apply(set, -1.0, set->P, set->b);  // velocities without percussions
    s->head->n_records = 0;
    for (int c = 0; c < set->n; c++) {
        ActiveLaw* active = &set->active[set->slot[set->chosen[c]]];
        ContactRecord record = {.key = active->law, .state = CONTACT_OPEN};
        LobattoContact contact = {.la = {{0.0}}};
        bool any = false;
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            record.P[r] = set->P[active->row + r];
            record.la[r] = last_force(step, active, r) / step->dt;
            any = any || record.P[r] != 0.0;
            for (int j = 0; j < step->stages->n; j++) {
                contact.la[j][r] = step->sets[j]->P[active->row + r] / step->dt;
            }
            contact.la[step->stages->n][r] = record.la[r];
        }
        const double before = step->w->gamma[active->link->la.at];
        if (contact_is_closed(set, active, before, set->b[active->row], negligible(step), info)) {
            record.state = closed_state(step, active);
        }
        if (any || record.state != CONTACT_OPEN) {
            *lobatto_contact(s, s->head->n_records) = contact;
            s->records[s->head->n_records++] = record;
        }
    }
}

// Forces of joints at the end, and the sum of all stages. In a step with an impact percussions are
// impulses, and the stages are no guess for the next.
static void commit_forces(const LobattoStep* step, bool impact, State* s) {
    const System* sys = step->sys;
    const Stages* stages = step->stages;
    const LobattoScratch* m = step->m;
    *step->own.dt = impact ? 0.0 : step->dt;
    for (int j = 0; j < stages->s; j++) {
        for (int i = 0; i < sys->nu; i++) {
            step->own.a[j][i] = m->X[j][i] / step->dt;
        }
        for (int i = 0; i < sys->nla_g; i++) {
            step->own.la_g[j][i] = m->R_g[j][i] / step->dt;
        }
    }
    for (int i = 0; i < sys->nla_g; i++) {
        double P = 0.0;
        for (int j = 0; j < stages->s; j++) {
            P += stages->b[j] * m->R_g[j][i];
        }
        s->P_g[i] = P;
        s->la_g[i] = impact ? 0.0 : m->R_g[stages->n][i] / step->dt;
        s->La_g[i] = impact ? P : 0.0;
    }
    for (long long i = 0; i < s->head->n_records && impact; i++) {
        ContactRecord* record = &s->records[i];
        memcpy(record->La, record->P, sizeof record->La);
        memset(record->la, 0, sizeof record->la);
    }
}

void lobatto_commit(const LobattoStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    Instant* end = &step->m->stages[step->stages->n];
    profile_enter(&step->w->profile, PROFILE_COMMIT);
    instant_evaluate_velocities(sys, end);
    contact_set_evaluate_velocities(end, &step->w->contacts);
    classify(step, s, info);
    for (int i = 0; i < step->w->contacts.n && !info->impact; i++) {
        sum_work(step, &step->w->contacts.active[i]);
    }
    commit_forces(step, info->impact, s);
    memcpy(s->q, end->q, bytes(sys->nq));
    memcpy(s->u, end->u, bytes(sys->nu));
    workspace_take_laws(sys, end, step->w);
}
