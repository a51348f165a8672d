#include "schemes/activation.h"

#include <math.h>

#include "schemes/settings.h"

double forecast_explicit(const VelocityStep* step, int law) {
    const Workspace* w = step->w;
    const bool passes = step->sys->laws[law].passes;
    const double fraction = passes ? 1.0 : step->s->p[step->sys->solver + SOLVER_FORECAST];
    return w->g_N[law] + fraction * step->in->dt * w->gamma[step->sys->laws[law].la.at];
}

double forecast_free(const VelocityStep* step, int law) {
    const Link* link = &step->sys->laws[law];
    Rows rows;
    double U_free[MAX_ROWS];
    system_rows(&step->m->end, link, false, &rows);
    system_row_velocities(&step->m->end, link, &rows, U_free);
    const double U_n = step->w->gamma[link->la.at];
    return step->w->g_N[law] + step->in->dt * (step->theta * U_free[0] + (1.0 - step->theta) * U_n);
}

double forecast_at_end(const VelocityStep* step, int law) {
    const bool active = step->w->contacts.slot[law] >= 0;
    return active ? 0.0 : system_gap(&step->m->end, &step->sys->laws[law]);
}

double forecast_open(const VelocityStep* step, int law) {
    (void)step;
    (void)law;
    return INFINITY;
}

// Projected gaps are zero up to rounding, m.
static const double ROUNDING = 1e-12;

static bool keeps_active(const VelocityStep* step) {
    return step->s->p[step->sys->solver + SOLVER_KEEP_ACTIVE] > 1.0;
}

// Collects the active laws in set->chosen; their number.
static int collect(const VelocityStep* step, GapForecast forecast) {
    const System* sys = step->sys;
    const State* s = step->s;
    const ContactRecord* record = s->records;
    const ContactRecord* end = s->records + s->head->n_records;
    const bool keep = keeps_active(step);
    const double zero = step->projects ? ROUNDING : 0.0;
    int n = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const bool closed =
            keep && record < end && record->key == k && record->state != CONTACT_OPEN;
        record += record < end && record->key == k;
        const bool active = link->bound >= 0 ? s->p[link->bound] > 0.0
                                             : forecast != NULL && !step_holds_open(step->in, k) &&
                                                   (closed || forecast(step, k) <= zero);
        if (active) {
            step->w->contacts.chosen[n++] = k;
        }
    }
    return n;
}

void activation_choose(const VelocityStep* step, GapForecast forecast) {
    const int n = collect(step, forecast);
    contact_set_choose(step->sys, step->s->p, step->in->dt, n, &step->w->contacts);
}

bool activation_add_contacts(const VelocityStep* step, GapForecast forecast) {
    const int n = collect(step, forecast);
    if (n == step->w->contacts.n) {
        return false;
    }
    contact_set_choose(step->sys, step->s->p, step->in->dt, n, &step->w->contacts);
    return true;
}

static bool has_open_contact(const VelocityStep* step) {
    for (int k = 0; k < step->sys->n_contacts; k++) {
        if (record_state(state_record(step->s, k)) == CONTACT_OPEN) {
            return true;
        }
    }
    return false;
}

bool activation_needs_free_motion(const VelocityStep* step) {
    const double* par = step->s->p + step->sys->solver;
    return par[SOLVER_ACTIVATION] == ACTIVATION_FREE &&
           (!keeps_active(step) || has_open_contact(step));
}

Status activation_update(VelocityStep* step, SolveInfo* info) {
    if (!activation_needs_free_motion(step)) {
        activation_choose(step, forecast_explicit);  // PR (61)
        return velocity_first_update(step, info);
    }
    activation_choose(step, NO_CONTACTS);
    const Status status = velocity_first_update(step, info);
    if (status != STATUS_OK) {
        return status;
    }
    velocity_drift(step);
    instant_evaluate(step->sys, step->s, &step->m->end);
    return activation_add_contacts(step, forecast_free) ? velocity_first_update(step, info)  // (62)
                                                        : STATUS_OK;
}
