// Values that follow from the state: outputs. Their time derivatives are in output_rates.c.
#include <math.h>
#include <string.h>

#include "elements/joints.h"
#include "schemes/accelerations.h"
#include "schemes/start.h"
#include "simulation/simulation_struct.h"

const Instant* simulation_present(Simulation* simulation) {
    const State* s = &simulation->state;
    Instant* instant = &simulation->workspace.present;
    instant_set(&simulation->model.system, s, state_time(s), s->q, s->u, instant);
    return instant;
}

// In the order of the contact's tables: gap, state, closed, forces, impulses, percussions, sliding
// velocities. Scaled rows (elliptic friction) are given in unscaled components.
static void contact_outputs(const System* sys, const State* s, const Workspace* w, int k,
                            double* y) {
    static const ContactRecord none = {.state = CONTACT_OPEN};
    const Link* link = &sys->laws[k];
    const ContactRecord* record = state_record(s, k);
    record = record != NULL ? record : &none;
    const double* const efforts[] = {record->la, record->La, record->P};
    const int n_F = link->la.n - 1;
    const double* ratio = n_F > 1 ? &s->p[link->element->p.at + FRICTION_RATIO] : NULL;
    *y++ = w->g_N[k];
    *y++ = (double)record->state;
    *y++ = record->state != CONTACT_OPEN;
    for (int e = 0; e < 3; e++) {
        for (int i = 0; i < link->la.n; i++) {
            *y++ = (i == 2 ? *ratio : 1.0) * efforts[e][i];
        }
    }
    for (int i = 1; i < link->la.n; i++) {
        *y++ = w->gamma[link->la.at + i] / (i == 2 ? *ratio : 1.0);
    }
}

// Of a contact in several points, the first of which is law k, all together: sums of the normal
// forces and of the vectors; y is where the outputs of the contact end.
static void total_outputs(const System* sys, const State* s, const Workspace* w, const Instant* c,
                          int k, double* y) {
    const Element* contact = sys->laws[k].element;
    double gap = w->g_N[k];
    double closed = 0.0;
    double normal = 0.0;
    double impulse = 0.0;
    Vec3 friction = {0.0, 0.0, 0.0};
    Vec3 force = {0.0, 0.0, 0.0};
    for (int i = k; i < k + contact->n_links; i++) {
        const Link* link = &sys->laws[i];
        const ContactRecord* record = state_record(s, i);
        const int side = system_keeps_order(sys, link) ? 0 : TWIST_SIZE;
        Rows rows;
        gap = fmin(gap, w->g_N[i]);
        if (record == NULL) {
            continue;
        }
        system_rows(c, link, false, &rows);
        closed += record->state != CONTACT_OPEN;
        impulse += record->La[0];
        for (int r = 0; r < link->la.n; r++) {
            const double* W = rows.W[r] + side;  // forces on bodies are in components of the world
            const double la = record->la[r];
            const Vec3 part = {la * W[0], la * W[1], la * W[2]};
            normal += r == 0 ? la : 0.0;
            friction = r > 0 ? add3(friction, part) : friction;
            force = add3(force, part);
        }
    }
    const int n = contact->kind->n_total_outputs;
    y -= n;
    y[SMALLEST_GAP] = gap;
    y[CLOSED_POINTS] = closed;
    y[TOTAL_NORMAL_FORCE] = normal;
    y[TOTAL_NORMAL_IMPULSE] = impulse;
    y[TOTAL_FRICTION_FORCE] = length3(friction);
    memcpy(y + TOTAL_FORCE, &force, (size_t)(n - TOTAL_FORCE) * sizeof(double));
}

static void solver_outputs(Simulation* simulation, const Instant* c, double* y) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    double penetration = candidates_penetration(c, &simulation->candidates);
    for (int k = 0; k < sys->n_fixed; k++) {
        penetration = fmax(penetration, 0.0 - simulation->workspace.g_N[k]);
    }
    const JointViolation violation = joint_violation(sys, state_time(s), s, &simulation->workspace);
    const SolverOutputs outputs = {
        .iterations = (double)s->head->iterations,
        .contact_iterations = (double)s->head->contact_iterations,
        .projection_iterations = (double)s->head->projection_iterations,
        .activation_iterations = (double)s->head->activation_iterations,
        .residual = s->head->residual,
        .penetration = penetration,
        .joint_violation = violation.position,
        .joint_velocity_violation = violation.velocity,
        .steps = (double)s->head->n_steps,
        .total_iterations = (double)s->head->n_iterations,
        .regularised_steps = (double)s->head->n_regularised,
        .swept_steps = (double)s->head->n_swept,
        .inexact_steps = (double)s->head->n_inexact,
        .inelastic_steps = (double)s->head->n_inelastic,
        .damped_steps = (double)s->head->n_damped,
        .retried_steps = (double)s->head->n_retried,
        .failed_steps = (double)s->head->n_failed,
        .last_impact_time = s->head->last_impact_time,
        .located_impacts = (double)s->head->n_located,
    };
    memcpy(y, &outputs, sizeof outputs);
}

// The force and torque on the second body, about the second marker's point and in components of the
// world, that the multipliers la of the joint's rows amount to; in the plane force x, y and torque.
static void joint_effort(const Instant* c, const Link* link, const Rows* rows, const double* la,
                         double* y) {
    // shapes that roll on each other may have changed sides
    const int side = link->marker_b == link->element->markers[1] ? 1 : 0;
    const Marker* marker = &c->properties->markers[link->element->markers[1]];
    const Frame* frame = &c->frames[marker->frame];
    double F[TWIST_SIZE] = {0.0};
    for (int r = 0; r < link->la.n; r++) {
        for (int i = 0; i < TWIST_SIZE; i++) {
            F[i] += rows->W[r][side * TWIST_SIZE + i] * la[link->la.at + r];
        }
    }
    const Vec3 force = {F[0], F[1], F[2]};
    const Vec3 moment = {F[3], F[4], F[5]};  // about the frame's origin, in the frame
    const Vec3 torque = sub3(turn3(frame->R, moment), cross3(turn3(frame->R, marker->rho), force));
    if (joint_effort_count(link->element->kind) == PLANAR_EFFORTS) {
        memcpy(y, (double[]){force.x, force.y, torque.z}, PLANAR_EFFORTS * sizeof(double));
    } else {
        memcpy(y, &force, sizeof force);
        memcpy(y + 3, &torque, sizeof torque);
    }
}

static void joint_outputs(const Instant* c, const State* s, const Link* link, double* y) {
    Rows rows;
    system_rows(c, link, false, &rows);
    y[0] = 0.0;
    for (int i = 0; i < link->rows->n_position_rows; i++) {
        y[0] = fmax(y[0], fabs(rows.g[i]));
    }
    y += JOINT_EFFORTS;
    joint_effort(c, link, &rows, s->la_g, y);
    y += joint_effort_count(link->element->kind);
    joint_effort(c, link, &rows, s->La_g, y);
    if (link->element->kind->works) {
        y += joint_effort_count(link->element->kind);
        y[0] = s->la_g[link->la.at];
        y[1] = s->work[link->element->total];
    }
}

static void friction_outputs(const State* s, int law, double* y) {
    const ContactRecord* record = state_record(s, law);
    y[0] = record != NULL ? record->la[0] : 0.0;
    y[1] = record != NULL ? record->La[0] : 0.0;
    y[2] = record != NULL ? record->P[0] : 0.0;
}

static void energy_outputs(Simulation* simulation, const Instant* c, double* y) {
    const System* sys = &simulation->model.system;
    const StateHead* head = simulation->state.head;
    const double potential = system_potential_energy(sys, c);
    y[ENERGY_KINETIC] = system_kinetic_energy(sys, c);
    y[ENERGY_POTENTIAL] = potential;
    y[ENERGY_TOTAL] = y[ENERGY_KINETIC] + potential;
    y[ENERGY_DISSIPATED_BY_IMPACT] = head->dissipated_by_impact;
    y[ENERGY_DISSIPATED_BY_FRICTION] = head->dissipated_by_friction;
    y[ENERGY_DISSIPATED_BY_DAMPING] = head->dissipated_by_damping;
    y[ENERGY_INPUT_WORK] = head->input_work + energy_of_change(head, potential);
    y[ENERGY_BALANCE] = y[ENERGY_TOTAL] - head->energy_start + head->dissipated_by_impact +
                        head->dissipated_by_friction + head->dissipated_by_damping -
                        y[ENERGY_INPUT_WORK];
}

// --- elements with outputs ---

static bool has_outputs(const Element* body) { return body->kind->output != NULL && body->y.n > 0; }

static bool is_group_contact(const Element* element) {
    return element->found && kind_names_groups(element->kind);
}

static void body_outputs(const Simulation* simulation, const Instant* c, double* y) {
    const State* s = &simulation->state;
    for (int i = 0; i < simulation->teller.n_bodies; i++) {
        const Element* body = simulation->teller.bodies[i];
        const Surroundings around = {.element = body,
                                     .par = s->p + body->p.at,
                                     .signals = c->signals + body->signals.at,
                                     .constants = c->properties->constants + body->constants};
        body->kind->output(&around, &c->frames[body->frame], NULL, s->q + body->q.at,
                           s->u + body->u.at, simulation->a + body->u.at, y + body->y.at);
    }
}

static void force_outputs(const System* sys, const State* s, const Instant* c, double* y) {
    for (int i = 0; i < sys->n_forces; i++) {
        const Link* link = &sys->forces[i];
        const ElementKind* kind = link->element->kind;
        if (kind->output != NULL) {
            const Surroundings around = system_surroundings(c, link);
            kind->output(&around, &c->frames[around.a->frame], &c->frames[around.b->frame], NULL,
                         NULL, NULL, y + link->y.at);
        }
        if (kind->works) {
            y[link->y.at + link->y.n - 1] = s->work[link->element->total];
        }
    }
}

static void sensor_outputs(const System* sys, const Instant* c, double* y) {
    const Marker* markers = c->properties->markers;
    for (int i = 0; i < sys->n_sensors; i++) {
        const Element* sensor = sys->sensors[i];
        const Marker* a = &markers[sensor->markers[0]];
        const Marker* b = &markers[sensor->markers[1]];
        if (sensor->kind->of_section) {
            const Element* beam = &sys->elements[sys->elements[sensor->references[0]].parent];
            const BodyView view = system_body_view(sys, c, beam);
            beam->kind->body->section(&view, a->X, y + sensor->y.at);
        } else if (!sensor->kind->of_contacts) {
            const Surroundings around = {.element = sensor, .a = a, .b = b};
            sensor->kind->output(&around, &c->frames[a->frame], &c->frames[b->frame], NULL, NULL,
                                 NULL, y + sensor->y.at);
        }
    }
}

// --- contacts that are found ---

// In the order of TOTAL_...
static void meeting_outputs(const State* s, const Instant* c, const Meeting* meeting, double* y) {
    const Element* contact = meeting->contact;
    const FoundTotal* total = &s->totals[contact->total];
    const double* F = total->friction;
    y[SMALLEST_GAP] = candidates_distance(c, meeting);
    y[CLOSED_POINTS] = total->n_closed;
    y[TOTAL_NORMAL_FORCE] = total->normal;
    y[TOTAL_NORMAL_IMPULSE] = total->impulse;
    y[TOTAL_FRICTION_FORCE] = sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]);
    memcpy(y + TOTAL_FORCE, total->force,
           (size_t)(contact->kind->n_total_outputs - TOTAL_FORCE) * sizeof(double));
}

// The kinetic energy of the bodies with shapes in one of the groups that some contacts name; the
// shapes of a body follow each other.
static double kinetic_energy_of_groups(const System* sys, const Instant* c,
                                       const Element* contacts) {
    const Element* last = NULL;
    double energy = 0.0;
    for (int i = 0; i < sys->n_colliders; i++) {
        const Collider* collider = &sys->colliders[i];
        const bool member = collider->group > 0 && (collider->group == contacts->references[0] ||
                                                    collider->group == contacts->references[1]);
        const Element* body = collider_body(sys, collider);
        if (member && body != last && body->u.n > 0) {
            energy += system_kinetic_energy_of_body(sys, c, body);
            last = body;
        }
    }
    return energy;
}

// What the state has summed up of contacts between groups
static void group_outputs(const Simulation* simulation, double* y) {
    for (int i = 0; i < simulation->teller.n_groups; i++) {
        const Element* contacts = simulation->teller.groups[i];
        const FoundTotal* total = &simulation->state.totals[contacts->total];
        double* values = y + contacts->y.at;
        values[GROUP_CONTACTS] = total->n_closed;
        values[GROUP_PENETRATION] = total->penetration;
        values[GROUP_NORMAL_FORCE] = total->normal;
    }
}

static void group_energies(const Simulation* simulation, const Instant* c, double* y) {
    for (int i = 0; i < simulation->teller.n_groups; i++) {
        const Element* contacts = simulation->teller.groups[i];
        y[contacts->y.at + GROUP_KINETIC_ENERGY] =
            kinetic_energy_of_groups(&simulation->model.system, c, contacts);
    }
}

static void law_outputs(const System* sys, const State* s, const Workspace* w, const Instant* c,
                        double* y) {
    for (int k = 0; k < sys->n_fixed; k++) {
        const Element* contact = sys->laws[k].element;
        contact_outputs(sys, s, w, k, y + sys->laws[k].y.at);
        if (contact->n_links > 1 && (k == 0 || sys->laws[k - 1].element != contact)) {
            total_outputs(sys, s, w, c, k, y + contact->y.at + contact->y.n);
        }
    }
    for (int k = sys->n_contacts; k < sys->n_laws; k++) {  // friction in joints
        friction_outputs(s, k, y + sys->laws[k].y.at);
    }
}

static void element_outputs(Simulation* simulation, const Instant* c, double* y) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    body_outputs(simulation, c, y);
    force_outputs(sys, s, c, y);
    for (int i = 0; i < sys->n_joints; i++) {
        joint_outputs(c, s, &sys->joints[i], y + sys->joints[i].y.at);
    }
    law_outputs(sys, s, &simulation->workspace, c, y);
    for (int i = 0; i < sys->n_meetings; i++) {
        meeting_outputs(s, c, &sys->meetings[i], y + sys->meetings[i].contact->y.at);
    }
    sensor_outputs(sys, c, y);
    simulation_load_outputs(simulation, c, y);
}

// --- parts ---

OutputParts simulation_part_of_output(const Simulation* simulation, int at) {
    const Teller* teller = &simulation->teller;
    const Range solver = teller->solver->y;
    if (at >= variables_element_outputs(&simulation->model)) {
        return OUTPUT_ENERGIES;
    }
    if (at >= solver.at && at < solver.at + solver.n) {
        return OUTPUT_SOLVER;
    }
    for (int i = 0; i < teller->n_groups; i++) {
        const Range y = teller->groups[i]->y;
        if (at >= y.at && at < y.at + y.n) {
            return at == y.at + GROUP_KINETIC_ENERGY ? OUTPUT_ENERGIES : OUTPUT_GROUPS;
        }
    }
    return OUTPUT_ELEMENTS;
}

// The parts that hold outputs of the model
static OutputParts declared_parts(const Simulation* simulation) {
    const VariableTable* table = &simulation->variables;
    OutputParts parts = 0;
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->store == STORE_OUTPUT && variable->causality == CAUSALITY_OUTPUT) {
            parts |= simulation_part_of_output(simulation, variable->at);
        }
    }
    return parts;
}

Status simulation_list_outputs(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Teller* teller = &simulation->teller;
    *teller = (Teller){0};
    for (int i = 0; i < sys->n_bodies; i++) {
        teller->n_bodies += has_outputs(sys->bodies[i]);
    }
    for (int i = 0; i < sys->n_elements; i++) {
        teller->n_groups += is_group_contact(&sys->elements[i]);
    }
    teller->bodies = ARENA_NEW(&simulation->arena, teller->n_bodies, const Element*);
    teller->groups = ARENA_NEW(&simulation->arena, teller->n_groups, const Element*);
    if (teller->bodies == NULL || teller->groups == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    const Element** body = teller->bodies;
    const Element** group = teller->groups;
    for (int i = 0; i < sys->n_elements; i++) {
        const Element* element = &sys->elements[i];
        if (element->kind == &solver_kind) {
            teller->solver = element;
        } else if (is_group_contact(element)) {
            *group++ = element;
        }
    }
    for (int i = 0; i < sys->n_bodies; i++) {
        if (has_outputs(sys->bodies[i])) {
            *body++ = sys->bodies[i];
        }
    }
    teller->declared = declared_parts(simulation);
    return STATUS_OK;
}

static void update_parts(Simulation* simulation, OutputParts parts) {
    const System* sys = &simulation->model.system;
    double* y = simulation->y;
    if ((parts & OUTPUT_GROUPS) != 0) {
        group_outputs(simulation, y);
    }
    if ((parts & ~(OutputParts)OUTPUT_GROUPS) == 0) {
        return;  // without an instant
    }
    if (sys->n_laws > sys->n_contacts - sys->n_fixed) {  // contacts that are found have no outputs
        workspace_update_laws(sys, simulation_time(simulation), &simulation->state,
                              &simulation->workspace);
    }
    const Instant* c = simulation_present(simulation);
    if ((parts & OUTPUT_SOLVER) != 0) {
        solver_outputs(simulation, c, y + simulation->teller.solver->y.at);
    }
    if ((parts & OUTPUT_ELEMENTS) != 0) {
        element_outputs(simulation, c, y);
    }
    if ((parts & OUTPUT_ENERGIES) != 0) {
        group_energies(simulation, c, y);
        energy_outputs(simulation, c, y + variables_element_outputs(&simulation->model));
    }
}

Status simulation_update_outputs(Simulation* simulation, OutputParts wanted, bool accelerations) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    if (s->head->phase == PHASE_SET_UP) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has no start yet");
    }
    if (accelerations && !simulation->a_valid) {
        const Status status =
            accelerations_solve(sys, state_time(s), s, s->u, w, simulation->a, NULL);
        if (status == STATUS_OUT_OF_MEMORY) {
            return simulation_fail(simulation, status, "%s", status_text(status));
        }
        simulation->a_exists = status == STATUS_OK;
        if (!simulation->a_exists) {
            memset(simulation->a, 0, (size_t)sys->nu * sizeof(double));
        }
        simulation->a_valid = true;
        simulation->y_valid &= ~(OutputParts)OUTPUT_ELEMENTS;
    }
    if ((wanted & ~simulation->y_valid) == 0) {
        return STATUS_OK;
    }
    const OutputParts parts = (wanted | simulation->teller.declared) & ~simulation->y_valid;
    update_parts(simulation, parts);
    const Status status = simulation_check_outputs(simulation, parts);
    simulation->y_valid |= status == STATUS_OK ? parts : 0;
    return status;
}

Status simulation_require_accelerations(Simulation* simulation) {
    return simulation_accelerations_exist(simulation)
               ? STATUS_OK
               : simulation_fail(simulation, STATUS_NOT_AVAILABLE,
                                 "the accelerations at t = %.9g s do not exist: the contact laws "
                                 "have no solution",
                                 simulation_time(simulation));
}

Status simulation_get(Simulation* simulation, int index, double* value) {
    if (index < 0 || index >= simulation->variables.n_variables) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "there is no variable %d", index);
    }
    const Variable* variable = &simulation->variables.variables[index];
    switch (variable->store) {
        case STORE_PARAMETER:
            *value = simulation->state.p[variable->at];
            return STATUS_OK;
        case STORE_INPUT:
            *value = simulation->state.input[variable->at];
            return STATUS_OK;
        case STORE_TIME:
            *value = simulation_time(simulation);
            return STATUS_OK;
        case STORE_OUTPUT: {
            const Status status = simulation_update_outputs(
                simulation, simulation_part_of_output(simulation, variable->at),
                variable->from_accelerations);
            if (status == STATUS_OK) {
                *value = simulation->y[variable->at];
            }
            return status;
        }
        case STORE_MESSAGE:
            break;
    }
    return simulation_fail(simulation, STATUS_NOT_ALLOWED, "%s is a text", variable->name);
}

bool simulation_accelerations_exist(const Simulation* simulation) {
    return !simulation->a_valid || simulation->a_exists;
}

Status simulation_get_defined(Simulation* simulation, int index, double* value) {
    const Status status = simulation_get(simulation, index, value);
    if (status != STATUS_OK || !simulation->variables.variables[index].from_accelerations) {
        return status;
    }
    return simulation_require_accelerations(simulation);
}

Status simulation_get_string(const Simulation* simulation, int index, const char** text) {
    if (index < 0 || index >= simulation->variables.n_variables ||
        simulation->variables.variables[index].store != STORE_MESSAGE) {
        return STATUS_NOT_ALLOWED;
    }
    const StateHead* head = simulation->state.head;
    *text = head->n_failed > 0 ? status_text((Status)head->failure) : "";
    return STATUS_OK;
}
