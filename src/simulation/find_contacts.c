// Contacts that are found while bodies move, and what they did in a step, all together.
#include <math.h>
#include <string.h>

#include "simulation/simulation_struct.h"
#include "system/contact_loads.h"

// Room for half as many again as were found
static int room_for(int n) { return n + n / 2 + 16; }

// The largest penetration counts even if the features of the step did not see it; contacts that are
// found have been summed up (simulation_sum_found).
static void note_penetration(Simulation* simulation) {
    const State* s = &simulation->state;
    StateHead* head = s->head;
    for (int i = 0; i < simulation->model.system.n_totals; i++) {
        const double penetration = s->totals[i].penetration;
        head->worst_penetration =
            penetration > head->worst_penetration ? penetration : head->worst_penetration;
    }
}

// What is near each other where the state is, at t
static Status look(Simulation* simulation, double t) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    const double* g = s->p + sys->gravity;
    instant_set(sys, s, t, s->q, s->u, &w->present);
    return candidates_find(&w->present, s->head->dt, length3(((Vec3){g[0], g[1], g[2]})),
                           &simulation->candidates);
}

// What was found becomes the contacts of the next step.
static Status take(Simulation* simulation) {
    System* sys = &simulation->model.system;
    const Candidates* c = &simulation->candidates;
    Workspace* w = &simulation->workspace;
    Status status = STATUS_OK;
    if (c->n > sys->found->most) {
        status = simulation_make_room(simulation, room_for(c->n));
    }
    if (status == STATUS_OK) {
        status = candidates_apply(&w->properties, sys, &simulation->state, &simulation->candidates);
    }
    if (status == STATUS_OK) {
        contact_set_renumber(sys, &w->contacts);
        w->laws_known = false;
    }
    return status;
}

Status simulation_find_contacts(Simulation* simulation) {
    if (simulation->model.system.n_colliders == 0) {
        return STATUS_OK;
    }
    profile_enter(&simulation->workspace.profile, PROFILE_FIND);
    Status status = look(simulation, state_time(&simulation->state));
    if (status == STATUS_OK) {
        status = take(simulation);
    }
    profile_enter(&simulation->workspace.profile, PROFILE_REST);
    return status;
}

// --- after a step ---

void simulation_keep_start(Simulation* simulation) {
    if (simulation->model.system.n_colliders > 0) {
        state_copy(&simulation->state, &simulation->before);
    }
}

Status simulation_go_back_for_missed(Simulation* simulation, double t_1, bool* again) {
    *again = false;
    if (simulation->model.system.n_colliders == 0) {
        return STATUS_OK;
    }
    profile_enter(&simulation->workspace.profile, PROFILE_FIND);
    Status status = look(simulation, t_1);
    if (status == STATUS_OK) {
        *again = candidates_add_missed(&simulation->workspace.present, &simulation->candidates);
    }
    if (*again) {
        state_copy(&simulation->before, &simulation->state);
        status = take(simulation);
    }
    profile_enter(&simulation->workspace.profile, PROFILE_REST);
    return status;
}

Status simulation_go_back(Simulation* simulation) {
    state_copy(&simulation->before, &simulation->state);
    return simulation_find_contacts(simulation);
}

// What follows the motion of a rim or an edge may be what a step has failed by: impacts turn bodies
// further than their velocities tell. With features that allow for that the step is tried again.
Status simulation_find_fixed_features(Simulation* simulation) {
    static const double IMPACT_TURN = 0.5;  // rad
    simulation->candidates.extra_turn = IMPACT_TURN;
    const Status status = simulation_find_contacts(simulation);
    simulation->candidates.extra_turn = 0.0;
    return status;
}

Status simulation_look_at_end(Simulation* simulation, double t_1) { return look(simulation, t_1); }

Status simulation_end_step(Simulation* simulation) {
    if (simulation->model.system.n_colliders == 0) {
        return STATUS_OK;
    }
    simulation_sum_found(simulation);
    found_laws_identify(&simulation->model.system, &simulation->state);
    note_penetration(simulation);
    profile_enter(&simulation->workspace.profile, PROFILE_FIND);
    const Status status = take(simulation);
    profile_enter(&simulation->workspace.profile, PROFILE_REST);
    return status;
}

void simulation_report_penetrations(Simulation* simulation, Report* report) {
    enum { MOST_TOLD = 5 };
    static const double SEEN = 1e-9;  // m
    const System* sys = &simulation->model.system;
    const Candidates* c = &simulation->candidates;
    int n = 0;
    note_penetration(simulation);
    for (int i = 0; i < c->n && report != NULL;) {
        const FoundContact* pair = &c->contacts[i];
        double depth = 0.0;
        for (; i < c->n && c->contacts[i].id.pair == pair->id.pair; i++) {
            depth = fmax(depth, -c->contacts[i].feature.gap);
        }
        if (depth > SEEN && ++n <= MOST_TOLD) {
            report_add(report, SEVERITY_WARNING, sys->elements[pair->contact].place,
                       "%s and %s start with a penetration of %.6g m",
                       sys->colliders[found_id_collider(pair->id, 0)].shape->name,
                       sys->colliders[found_id_collider(pair->id, 1)].shape->name, depth);
        } else if (depth > SEEN && n == MOST_TOLD + 1) {
            report_add(report, SEVERITY_WARNING, sys->elements[pair->contact].place,
                       "more shapes start with a penetration");
        }
    }
}

void simulation_report_idle_contacts(const Simulation* simulation, Report* report) {
    const System* sys = &simulation->model.system;
    for (int i = 0; i < sys->n_elements; i++) {
        const Element* contacts = &sys->elements[i];
        if (element_group(contacts, 0) > 0 &&
            !candidates_can_meet(&simulation->candidates, contacts)) {
            report_add(report, SEVERITY_WARNING, contacts->place,
                       "nothing in the groups of %s can touch: one is empty, or the shapes are of "
                       "one body, of bodies at rest, named by a <contact>, or of bodies that a "
                       "joint connects, "
                       "which %s=\"touch\" lets touch",
                       contacts->name, CONTACTS_JOINED_BODIES);
        }
    }
}

// --- sums over the contacts of a step ---

static void add_to_total(const System* sys, const Link* link, const ContactPoint* point,
                         const ContactRecord* record, FoundTotal* total) {
    const double sign = system_keeps_order(sys, link) ? 1.0 : -1.0;
    total->n_closed += record->state != CONTACT_OPEN;
    total->normal += record->la[0];
    total->impulse += record->La[0];
    for (int r = 0; r < CONTACT_DIRECTIONS && r < link->la.n; r++) {
        const Vec3 d = scale3(sign, point->d[r]);
        const double f[3] = {record->la[r] * d.x, record->la[r] * d.y, record->la[r] * d.z};
        for (int i = 0; i < 3; i++) {
            total->friction[i] += r > 0 ? f[i] : 0.0;
            total->force[i] += f[i];
        }
    }
}

void simulation_sum_found(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    const Workspace* w = &simulation->workspace;
    const Candidates* c = &simulation->candidates;  // found at w->present, where the state is
    if (sys->n_totals == 0) {
        return;
    }
    memset(s->totals, 0, (size_t)sys->n_totals * sizeof *s->totals);
    memset(s->loads, 0, (size_t)sys->n_loads * sizeof *s->loads);
    for (int i = 0; i < c->n; i++) {  // as the shapes are now, not the features of the step
        FoundTotal* total = &s->totals[sys->elements[c->contacts[i].contact].total];
        total->penetration = fmax(total->penetration, -c->contacts[i].feature.gap);
    }
    for (long long i = 0; i < s->head->n_records; i++) {
        const ContactRecord* record = &s->records[i];
        if (record->key >= sys->n_fixed && record->key < sys->n_contacts) {
            const Link* link = &sys->laws[record->key];
            ContactPoint point;
            system_contact_point(&w->present, link, &point);
            add_to_total(sys, link, &point, record, &s->totals[link->element->total]);
            if (contact_loads_want(sys, link)) {
                Rows rows;
                system_rows(&w->present, link, false, &rows);
                contact_loads_add(sys, &w->present, link, &rows, record, s->loads);
            }
        }
    }
}
