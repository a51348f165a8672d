// Masses are constant, so that a step changes the kinetic energy by u_m . M (u_1 - u_0) exactly,
// u_m = (u_0 + u_1) / 2, whatever the scheme. With M (u_1 - u_0) made of forces and percussions:
//   contacts   P . W^T u_m = P . gamma_m - P . c_m   with c the part of gamma that is prescribed;
//              -P_N gamma_N,m is taken by the impact, -P_F . gamma_F,m by friction, and -P . c_m
//              is put in through driven frames
//   joints     P . W^T u_m: nothing but for drives and driven frames, which put it in
//   forces     dt F_m . v_m, F and v at the middle being the means of start and end: put in by
//              applied forces and actuators; a spring gives back what it stores, but for what its
//              damper takes and its driven ends put in
// Directions W and forces that vary within a step leave an error of second order, percussions of an
// impact one of first order: energy.balance.
#include "schemes/energy.h"

#include <string.h>

// --- what has to be looked at ---

static bool is_driven(const System* sys, const Link* link, int side) {
    const Element* target = sys->marker_elements[side == 0 ? link->marker_a : link->marker_b];
    if (target != NULL && target->parent >= 0) {
        target = &sys->elements[target->parent];
    }
    return target != NULL && target->kind->n_signals > 0 && target->u.n == 0;
}

static bool touches_driven(const System* sys, const Link* link) {
    return is_driven(sys, link, 0) || is_driven(sys, link, 1);
}

static void list_force(const System* sys, const Link* link, EnergyRecord* record) {
    const ForceFunctions* functions = link->element->kind->force;
    ForceRecord* force = &record->forces[record->n_forces];
    const bool stores = functions->potential != NULL;
    *force = (ForceRecord){.link = link, .sign = stores ? -1.0 : 1.0};
    for (int side = 0; side < ELEMENT_MAX_REFERENCES; side++) {
        force->counts[side] = is_driven(sys, link, side) == stores;
    }
    if (!stores || functions->damping != NULL || touches_driven(sys, link)) {
        record->n_forces++;
    }
}

// Contacts that are found are listed whenever they have been numbered anew.
static void list_laws(const System* sys, EnergyRecord* record) {
    if (record->laws_version == sys->laws_version) {
        return;
    }
    record->n_laws = 0;
    for (int k = 0; k < sys->n_laws; k++) {
        if (touches_driven(sys, &sys->laws[k])) {
            record->laws[record->n_laws++].link = &sys->laws[k];
        }
    }
    record->laws_version = sys->laws_version;
    record->evaluates =
        record->n_forces > 0 || record->n_joints > 0 || record->n_laws > 0 || record->damped;
}

Status energy_create(const System* sys, Arena* arena, EnergyRecord* record) {
    *record = (EnergyRecord){.gamma = ARENA_NEW(arena, sys->most_rows, double),
                             .forces = ARENA_NEW(arena, sys->n_forces, ForceRecord),
                             .joints = ARENA_NEW(arena, sys->n_joints, DrivenRecord),
                             .laws = ARENA_NEW(arena, sys->most_laws, DrivenRecord)};
    if (record->gamma == NULL || record->forces == NULL || record->joints == NULL ||
        record->laws == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_forces; i++) {
        list_force(sys, &sys->forces[i], record);
    }
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* link = &sys->joints[i];
        if (link->element->kind->n_signals > 0 || touches_driven(sys, link)) {
            record->joints[record->n_joints++].link = link;
        }
    }
    for (int i = 0; i < sys->n_bodies; i++) {
        record->damped = record->damped || sys->bodies[i]->kind->body->dissipation != NULL;
    }
    record->laws_version = -1;
    list_laws(sys, record);
    return STATUS_OK;
}

// --- jumps of the potential energy ---

static double potential_energy(const System* sys, double t, const State* s, Workspace* w) {
    instant_set(sys, s, t, s->q, s->u, &w->present);
    return system_potential_energy(sys, &w->present);
}

static void forget_change(StateHead* head) {
    head->changed = 0;
    head->potential_before = 0.0;
}

void energy_start(const System* sys, double t, State* s, Workspace* w) {
    StateHead* head = s->head;
    head->dissipated_by_impact = head->dissipated_by_friction = head->dissipated_by_damping = 0.0;
    head->input_work = head->largest_kinetic = 0.0;
    memset(s->work, 0, (size_t)sys->n_works * sizeof(double));
    forget_change(head);
    head->energy_start =
        system_kinetic_energy_of(sys, &w->present, s->u) + potential_energy(sys, t, s, w);
}

void energy_before_change(const System* sys, double t, State* s, Workspace* w) {
    if (!s->head->changed) {
        s->head->potential_before = potential_energy(sys, t, s, w);
        s->head->changed = 1;
    }
}

void energy_after_change(const System* sys, double t, State* s, Workspace* w) {
    if (s->head->changed && potential_energy(sys, t, s, w) == s->head->potential_before) {
        forget_change(s->head);
    }
}

double energy_of_change(const StateHead* head, double V) {
    return head->changed ? V - head->potential_before : 0.0;
}

// --- a step ---

static void record_twist(const Frame* frame, double* twist) {
    const double components[TWIST_SIZE] = {frame->v.x,     frame->v.y,     frame->v.z,
                                           frame->Omega.x, frame->Omega.y, frame->Omega.z};
    memcpy(twist, components, sizeof components);
}

static void record_force(const Instant* c, ForceRecord* force) {
    const Surroundings around = system_surroundings(c, force->link);
    const ForceFunctions* functions = force->link->element->kind->force;
    const Frame* a = &c->frames[around.a->frame];
    const Frame* b = &c->frames[around.b->frame];
    record_twist(a, force->twist);
    record_twist(b, force->twist + TWIST_SIZE);
    memset(force->F, 0, sizeof force->F);
    memset(force->damping, 0, sizeof force->damping);
    if (force->counts[0] || force->counts[1]) {
        functions->force(&around, a, b, force->F);
    }
    if (functions->damping != NULL) {
        functions->damping(&around, a, b, force->damping);
    }
}

static void record_rates(const Instant* c, DrivenRecord* driven) {
    Rows rows;
    system_rows(c, driven->link, false, &rows);
    for (int r = 0; r < driven->link->la.n; r++) {
        driven->rate[r] = system_row_dot(c, driven->link, rows.W[r], c->u);
    }
    if (driven->link->element->kind->works) {
        const Properties* properties = c->properties;
        double twist[LOCAL_SIZE];
        record_twist(&c->frames[properties->markers[driven->link->marker_a].frame], twist);
        record_twist(&c->frames[properties->markers[driven->link->marker_b].frame],
                     twist + TWIST_SIZE);
        driven->speed = 0.0;
        for (int k = 0; k < LOCAL_SIZE; k++) {
            driven->speed += rows.W[0][k] * twist[k];
        }
    }
}

// The power that bodies' own damping takes
static double body_dissipation(const System* sys, const Instant* c) {
    double power = 0.0;
    for (int i = 0; i < sys->n_bodies; i++) {
        const BodyFunctions* body = sys->bodies[i]->kind->body;
        if (body->dissipation != NULL) {
            const BodyView view = system_body_view(sys, c, sys->bodies[i]);
            power += body->dissipation(&view);
        }
    }
    return power;
}

bool energy_takes_work(const StateHead* head, const EnergyRecord* record) {
    return head->changed || record->evaluates;
}

void energy_begin_step(const System* sys, double t, State* s, Workspace* w, EnergyRecord* record) {
    StateHead* head = s->head;
    if (head->changed) {
        head->input_work += energy_of_change(head, potential_energy(sys, t, s, w));
        forget_change(head);
    }
    list_laws(sys, record);
    if (w->laws_known) {  // otherwise the scheme knows the work of its laws
        memcpy(record->gamma, w->gamma, (size_t)sys->nla_c * sizeof(double));
    }
    if (!record->evaluates) {
        return;
    }
    instant_set(sys, s, t, s->q, s->u, &w->present);
    const Instant* c = &w->present;
    record->power = record->damped ? body_dissipation(sys, c) : 0.0;
    for (int i = 0; i < record->n_forces; i++) {
        record_force(c, &record->forces[i]);
    }
    for (int i = 0; i < record->n_joints; i++) {
        record_rates(c, &record->joints[i]);
    }
    for (int i = 0; i < record->n_laws; i++) {
        record_rates(c, &record->laws[i]);
    }
}

static void add_forces(const Instant* c, double dt, const EnergyRecord* record, State* s) {
    for (int i = 0; i < record->n_forces; i++) {
        const ForceRecord* start = &record->forces[i];
        ForceRecord end = *start;
        double input = 0.0;
        double all = 0.0;
        double damping = 0.0;
        record_force(c, &end);
        for (int k = 0; k < LOCAL_SIZE; k++) {
            const double way = 0.5 * dt * (start->twist[k] + end.twist[k]);
            damping += 0.5 * (start->damping[k] + end.damping[k]) * way;
            const double work = 0.5 * (start->F[k] + end.F[k]) * way;
            input += start->counts[k / TWIST_SIZE] ? work : 0.0;
            all += work;
        }
        s->head->input_work += start->sign * input;
        s->head->dissipated_by_damping -= damping;
        if (start->link->element->kind->works) {
            s->work[start->link->element->total] += all;
        }
    }
}

// P . W^T u_m of a link with a prescribed motion; a drive's own work is added to the state's.
static double work_on_bodies(const Instant* c, const DrivenRecord* start, const double* P,
                             State* s) {
    const Element* element = start->link->element;
    DrivenRecord end = {.link = start->link};
    double work = 0.0;
    record_rates(c, &end);
    for (int r = 0; r < start->link->la.n; r++) {
        work += 0.5 * P[r] * (start->rate[r] + end.rate[r]);
    }
    if (element->kind->works) {
        s->work[element->total] += 0.5 * P[0] * (start->speed + end.speed);
    }
    return work;
}

// P . gamma_m of row r of law k, unless the scheme knows better
static double row_work(const System* sys, const Workspace* w, const EnergyRecord* record,
                       bool known, int k, int r, double P) {
    const int row = sys->laws[k].la.at + r;
    if (known) {
        return w->work[row];
    }
    const int slot = w->contacts.slot[k];
    const ActiveLaw* active = slot >= 0 ? &w->contacts.active[slot] : NULL;
    return active != NULL && active->knows_work ? active->work[r]
                                                : 0.5 * P * (record->gamma[row] + w->gamma[row]);
}

// known: SolveInfo.knows_work
static void add_laws(const System* sys, const Workspace* w, const EnergyRecord* record, bool known,
                     State* s) {
    for (long long i = 0; i < s->head->n_records; i++) {
        const Link* law = &sys->laws[s->records[i].key];
        const double* P = s->records[i].P;
        const bool has_normal = law->bound < 0;
        for (int r = 0; r < law->la.n && !(has_normal && P[0] == 0.0); r++) {
            const double work = row_work(sys, w, record, known, (int)s->records[i].key, r, P[r]);
            if (has_normal && r == 0) {
                s->head->dissipated_by_impact -= work;
            } else {
                s->head->dissipated_by_friction -= work;
            }
        }
    }
}

static void add_driven(const System* sys, const Workspace* w, const EnergyRecord* record,
                       bool known, State* s) {
    for (int i = 0; i < record->n_joints; i++) {
        const DrivenRecord* joint = &record->joints[i];
        s->head->input_work += work_on_bodies(&w->present, joint, s->P_g + joint->link->la.at, s);
    }
    for (int i = 0; i < record->n_laws; i++) {
        const DrivenRecord* law = &record->laws[i];
        const int k = (int)(law->link - sys->laws);
        const ContactRecord* contact = state_record(s, k);
        if (contact == NULL) {
            continue;
        }
        s->head->input_work += work_on_bodies(&w->present, law, contact->P, s);
        for (int r = 0; r < law->link->la.n; r++) {  // less what was dissipated
            s->head->input_work -= row_work(sys, w, record, known, k, r, contact->P[r]);
        }
    }
}

void energy_end_step(const System* sys, double t, double dt, const SolveInfo* info, State* s,
                     Workspace* w, const EnergyRecord* record) {
    s->head->dissipated_by_impact += info->impact ? info->impact_work : 0.0;
    add_laws(sys, w, record, info->knows_work, s);
    if (record->evaluates) {
        instant_set(sys, s, t, s->q, s->u, &w->present);
        add_forces(&w->present, dt, record, s);
        if (record->damped) {
            s->head->dissipated_by_damping +=
                0.5 * dt * (record->power + body_dissipation(sys, &w->present));
        }
        add_driven(sys, w, record, info->knows_work, s);
    }
}
