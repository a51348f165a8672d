// The state at the end of a step of generalized-alpha.
#include <math.h>
#include <string.h>

#include "schemes/alpha_step.h"

// Closed contacts press and do not part faster than their force of half a step holds them; an
// impact is a closing speed beyond the same measure.
static ContactState classify(const AlphaStep* step, ActiveLaw* active, SolveInfo* info) {
    const AlphaScratch* alpha = step->alpha;
    const ContactLaw* law = &active->form;
    const int at = active->row;
    const int full = alpha_first_row(active);
    if (law->normal) {
        const double G = alpha->mobility[at];
        const double held = 0.5 * step->dt * G * alpha->mu[ACCELERATION][full];
        const double threshold = larger(held, alpha_negligible(step, G));
        const bool presses = alpha->mu[VELOCITY][full] > 0.0;
        active->impact = presses && -alpha->gamma_n[at] > threshold;
        info->impact = info->impact || active->impact;
        if (!presses || step->w->contacts.gamma[at] > threshold) {
            return CONTACT_OPEN;
        }
    }
    return active_closed_state(active, alpha->rate[VELOCITY] + at, alpha->mobility + at,
                               alpha_negligible(step, 1.0));
}

// A force that has ended long ago leaves rests in the auxiliary variable that are below rounding.
static double drop_rest(const AlphaStep* step, double bar, double la, double mobility) {
    static const double BELOW_ROUNDING = 1e-17;
    const bool rest =
        la == 0.0 && fabs(bar) * step->dt * sqrt(mobility) < BELOW_ROUNDING * step->scale;
    return rest ? 0.0 : bar;
}

// Adds the record of an active law, unless there is nothing to keep; the state of the law.
static ContactState commit_law(const AlphaStep* step, ActiveLaw* active, State* s,
                               SolveInfo* info) {
    const AlphaScratch* alpha = step->alpha;
    const ContactState state = classify(step, active, info);
    ContactRecord record = {.key = active->law, .state = state};
    AlphaContact contact = {.la_bar = {0.0}};
    bool any = state != CONTACT_OPEN;
    for (int r = 0; r < contact_law_rows(&active->form); r++) {
        const int row = alpha_first_row(active) + r;
        const double la = alpha->mu[ACCELERATION][row];
        const double bar = alpha_next_bar(step, alpha->la_bar_n[row], alpha->la_n[row], la);
        record.P[r] = alpha->mu[VELOCITY][row];
        record.La[r] = record.P[r] - alpha->offset[VELOCITY][row] - step->weight[VELOCITY] * la;
        record.la[r] = la;
        contact.la_bar[r] = drop_rest(step, bar, la, alpha->mobility[active->row + r]);
        contact.la_change[r] = la - alpha->la_n[row];
        contact.la_bend[r] = contact.la_change[r] - alpha->la_change_n[row];
        contact.kappa[r] =
            alpha->mu[POSITION][row] - alpha->offset[POSITION][row] - step->weight[POSITION] * la;
        any = any || record.P[r] != 0.0 || record.La[r] != 0.0 || la != 0.0 ||
              contact.la_bar[r] != 0.0;
    }
    if (any) {
        const long long i = s->head->n_records++;
        s->records[i] = record;
        *alpha_contact(s, i) = contact;
    }
    return state;
}

static void commit_laws(const AlphaStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const ContactSet* set = &step->w->contacts;
    const AlphaScratch* alpha = step->alpha;
    bool smooth = true;
    s->head->n_records = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        ActiveLaw* active = set->slot[k] >= 0 ? &set->active[set->slot[k]] : NULL;
        const ContactState state =
            active != NULL ? commit_law(step, active, s, info) : CONTACT_OPEN;
        smooth = smooth && alpha->state_n[k] == state;
    }
    workspace_take_laws(sys, &alpha->end, step->w);
    *step->own.n_smooth = smooth && !info->impact ? *step->own.n_smooth + 1.0 : 0.0;
}

static void commit_joints(const AlphaStep* step, State* s) {
    const AlphaScratch* alpha = step->alpha;
    const AlphaOwn* own = &step->own;
    for (int i = 0; i < step->sys->nla_g; i++) {
        const double la = alpha->mu_g[ACCELERATION][i];
        const double La = alpha->mu_g[VELOCITY][i] - step->weight[VELOCITY] * la;
        const double kappa = alpha->mu_g[POSITION][i] - step->weight[POSITION] * la;
        own->La_g_change[i] = La - s->La_g[i];
        s->La_g[i] = La;
        own->kappa_g_change[i] = kappa - own->kappa_g[i];
        own->kappa_g[i] = kappa;
        s->P_g[i] = alpha->mu_g[VELOCITY][i] + alpha_integral(step, own->la_g_bar[i], s->la_g[i]);
        own->la_g_bar[i] = alpha_next_bar(step, own->la_g_bar[i], s->la_g[i], la);
        own->la_g_bend[i] = la - s->la_g[i] - own->la_g_change[i];
        own->la_g_change[i] = la - s->la_g[i];
        s->la_g[i] = la;
    }
}

// Work of the applied forces along Q - dt/2 U: the displacement that an impact makes without the
// mean velocity of the step
static double impact_work(const AlphaStep* step) {
    const AlphaOwn* own = &step->own;
    double work = 0.0;
    for (int i = 0; i < step->sys->nu; i++) {
        work += step->alpha->h[i] * (own->Q[i] - 0.5 * step->dt * own->U[i]);
    }
    return work;
}

void alpha_commit(const AlphaStep* step, State* s, SolveInfo* info) {
    const System* sys = step->sys;
    const AlphaScratch* alpha = step->alpha;
    const AlphaOwn* own = &step->own;
    const double of_position = step->weight[POSITION];
    const double of_velocity = step->weight[VELOCITY];
    commit_laws(step, s, info);
    commit_joints(step, s);
    for (int i = 0; i < sys->nu; i++) {
        const double a = alpha->x[ACCELERATION][i];
        const double Q = alpha->x[POSITION][i] - of_position * a;
        const double U = alpha->x[VELOCITY][i] - of_velocity * a;
        own->Q_change[i] = Q - own->Q[i];
        own->Q[i] = Q;
        own->U_change[i] = U - own->U[i];
        own->U[i] = U;
        own->a_bar[i] = alpha_next_bar(step, own->a_bar[i], own->a[i], a);
        own->a_bend[i] = a - own->a[i] - own->a_change[i];
        own->a_change[i] = a - own->a[i];
        own->a[i] = a;
    }
    *own->dt = step->dt;
    info->impact_work = info->impact ? impact_work(step) : 0.0;
    memcpy(s->q, alpha->end.q, bytes(sys->nq));
    memcpy(s->u, alpha->end.u, bytes(sys->nu));
}
