// Creation, start, snapshots. Stepping is in advance.c, reading in outputs.c, setting in
// set_values.c.
#include "simulation/simulation.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "schemes/accelerations.h"
#include "schemes/settings.h"
#include "schemes/start.h"
#include "simulation/simulation_struct.h"

Status simulation_fail(Simulation* simulation, Status status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_format(simulation->message, MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    return status;
}

// --- creation ---

// What does not depend on the number of contacts. STATUS_OUT_OF_MEMORY beyond the arena's limit.
static Status take_values(Simulation* simulation) {
    const System* sys = &simulation->model.system;
    Arena* arena = &simulation->arena;
    simulation->y =
        ARENA_NEW(arena, variables_element_outputs(&simulation->model) + N_ENERGIES, double);
    simulation->loads = ARENA_NEW(arena, sys->n_loads, ContactLoad);
    simulation->a = ARENA_NEW(arena, sys->nu, double);
    simulation->u_start = ARENA_NEW(arena, sys->steered ? sys->nu : 0, double);
    simulation->la_g = ARENA_NEW(arena, sys->nla_g, double);
    simulation->p_before = ARENA_NEW(arena, sys->n_parameters, double);
    simulation->redundant_rows = ARENA_NEW(arena, sys->nla_g, int);
    return simulation->y != NULL && simulation->loads != NULL && simulation->a != NULL &&
                   simulation->u_start != NULL && simulation->la_g != NULL &&
                   simulation->p_before != NULL && simulation->redundant_rows != NULL
               ? STATUS_OK
               : STATUS_OUT_OF_MEMORY;
}

// What does. Likewise
static Status take_memory(Simulation* simulation) {
    System* sys = &simulation->model.system;
    Arena* arena = &simulation->contact_arena;
    Workspace* w = &simulation->workspace;
    simulation->room = schemes_room(sys);
    simulation->scratch = ARENA_NEW(arena, n_schemes, void*);
    if (simulation->scratch == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    Status status = state_create(sys, simulation->room, true, arena, &simulation->state);
    if (status == STATUS_OK) {
        sys->p_start = simulation->state.p;
    }
    if (status == STATUS_OK && sys->n_colliders > 0) {
        status = state_create(sys, simulation->room, false, arena, &simulation->before);
    }
    if (status == STATUS_OK) {
        status = workspace_create(sys, arena, w);
        w->crew = simulation->crew;
    }
    if (status == STATUS_OK) {
        status = energy_create(sys, arena, &simulation->energy);
    }
    if (status == STATUS_OK) {
        status = restitution_create(sys, arena, &simulation->restitution);
    }
    if (status == STATUS_OK) {
        status =
            locator_create(sys, simulation->room, &simulation->state, arena, &simulation->locator);
    }
    if (status == STATUS_OK) {
        simulation->backup =
            arena_alloc(arena, 1, state_saved_limit(sys, simulation->room, &simulation->state));
        status = simulation->backup != NULL ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

// Frees what is not the arenas'. Schemes that share their scratch have it once.
static void destroy_scratch(Simulation* simulation) {
    for (int i = 0; i < n_schemes && simulation->scratch != NULL; i++) {
        if (schemes[i].destroy != NULL && simulation->scratch[i] != NULL) {
            schemes[i].destroy(simulation->scratch[i]);
        }
    }
    workspace_destroy(&simulation->workspace);
}

static const size_t MAXIMUM_BYTES = (size_t)4 << 30;  // of one simulation

// A new arena for what is sized by contacts, with what the permanent one leaves of the limit
static Arena contact_arena(const Simulation* simulation) {
    return (Arena){.limit = MAXIMUM_BYTES - simulation->arena.n_bytes};
}

// What there was is kept until the next communication step: what steps have noted points there.
// Each time there is more by a half at least.
Status simulation_make_room(Simulation* simulation, int n_found) {
    System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Simulation old = *simulation;
    simulation->contact_arena = contact_arena(simulation);
    simulation->workspace = (Workspace){.laws_known = false};
    simulation->scratch = NULL;
    Status status = found_laws_reserve(n_found, &simulation->contact_arena, sys);
    if (status == STATUS_OK) {
        status = take_memory(simulation);
    }
    if (status != STATUS_OK) {
        destroy_scratch(simulation);
        arena_free(&simulation->contact_arena);
        *simulation = old;
        return status;
    }
    simulation->workspace.profile = old.workspace.profile;
    restitution_keep(sys, &old.restitution, &simulation->restitution);
    state_copy(&old.state, s);
    if (sys->n_colliders > 0) {
        state_copy(&old.before, &simulation->before);
    }
    destroy_scratch(&old);
    arena_move(&old.contact_arena, &simulation->outgrown);
    simulation_forget_values(simulation);
    if (s->head->phase == PHASE_SET_UP) {
        return STATUS_OK;  // what follows from the parameters is for the start to find
    }
    status = system_update_parameters(sys, s->p, &simulation->workspace.properties);
    return status == STATUS_OK ? simulation_accept_scheme(simulation) : status;
}

static int extent_of(const Element* element) {
    return element->n_links + (element->kind->role == ROLE_BODY ? element->q.n : 0);
}

// The element with the most contacts, joints or coordinates
static const Element* largest_element(const System* sys) {
    const Element* largest = &sys->elements[0];
    for (int i = 1; i < sys->n_elements; i++) {
        const Element* element = &sys->elements[i];
        if (extent_of(element) > extent_of(largest)) {
            largest = element;
        }
    }
    return largest;
}

static Status report_too_large(const System* sys, Report* report) {
    const Element* largest = largest_element(sys);
    report_add(
        report, SEVERITY_ERROR, largest->place,
        "the model needs more than %zu MiB: %d contacts, %d joints and %d coordinates are too "
        "many; the largest element is <%s> %s",
        MAXIMUM_BYTES >> 20, sys->n_contacts, sys->n_joints, sys->nq, largest->kind->tag,
        largest->name);
    return STATUS_TOO_LARGE;
}

// start: for what is needed no longer than until there is a state
static Status build(Simulation* simulation, const ModelFiles* files, Arena* start, Report* report) {
    Arena* arena = &simulation->arena;
    arena->limit = start->limit = MAXIMUM_BYTES;
    Status status = model_read(files, arena, start, report, &simulation->model);
    if (status != STATUS_OK) {
        return status;
    }
    status = variables_create(&simulation->model, arena, report, &simulation->variables);
    if (status == STATUS_OK) {
        status = take_values(simulation);
    }
    if (status == STATUS_OK) {
        status = simulation_list_outputs(simulation);
    }
    if (status == STATUS_OK) {
        simulation->crew = crew_create();
        simulation->contact_arena = contact_arena(simulation);
        status = simulation->crew != NULL ? take_memory(simulation) : STATUS_OUT_OF_MEMORY;
    }
    if (status == STATUS_OK) {
        status = candidates_create(&simulation->model.system, arena, &simulation->candidates);
    }
    if (status == STATUS_OUT_OF_MEMORY || status == STATUS_TOO_LARGE) {
        return report_too_large(&simulation->model.system, report);
    }
    if (status == STATUS_OK) {
        simulation_report_idle_contacts(simulation, report);
        simulation_reset(simulation);
    }
    return status;
}

Simulation* simulation_create(const ModelFiles* files, Report* report) {
    Simulation* simulation = calloc(1, sizeof *simulation);
    if (simulation == NULL) {
        report_add(report, SEVERITY_ERROR,
                   (Place){.file = files->model_name, .line = 0, .column = 0}, "out of memory");
        return NULL;
    }
    Arena start = {0};
    const Status status = build(simulation, files, &start, report);
    arena_free(&start);
    if (status != STATUS_OK) {
        simulation_destroy(simulation);
        return NULL;
    }
    return simulation;
}

void simulation_destroy(Simulation* simulation) {
    if (simulation != NULL) {
        destroy_scratch(simulation);
        crew_destroy(simulation->crew);
        candidates_destroy(&simulation->candidates);
        arena_free(&simulation->outgrown);
        arena_free(&simulation->contact_arena);
        arena_free(&simulation->arena);
        free(simulation);
    }
}

const EnumerationType* simulation_schemes(void) {
    return solver_kind.parameters[SOLVER_SCHEME].enumeration;
}

static void stamp(Simulation* simulation) {
    const ModelInfo* info = &simulation->model.info;
    const Hash hash = hash_bytes(hash_start(), info->guid, sizeof info->guid);
    simulation->state.head->fingerprint[0] = hash.lane[0];
    simulation->state.head->fingerprint[1] = hash.lane[1];
}

void simulation_reset(Simulation* simulation) {
    const Model* model = &simulation->model;
    const System* sys = &model->system;
    State* s = &simulation->state;
    bool known = true;  // are parameters that follow from others as at the start?
    for (int i = 0; i < sys->n_open; i++) {
        known = known && s->p[i] == model->parameters[i].start;
    }
    memset(s->head, 0, s->n_fixed);
    stamp(simulation);
    s->head->t_0 = s->head->t_start = model->info.start_time;
    for (int i = 0; i < sys->n_open; i++) {
        s->p[i] = model->parameters[i].start;
    }
    if (!known) {
        simulation_calculate_parameters(simulation, NULL);
    }
    for (int i = 0; i < sys->n_inputs; i++) {
        s->input[i] = model->inputs[i].start;
    }
    simulation_forget_values(simulation);
    restitution_reset(sys, &simulation->restitution);
    simulation->message[0] = '\0';
}

void simulation_start_forces(Simulation* simulation, double t) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    const StepInput in = {.sys = sys, .t = t, .t_1 = t, .w = w};
    const int scheme = simulation_scheme(simulation);
    start_forces(sys, t, s, w, simulation->a);
    schemes[scheme].start(&in, simulation->a, s, simulation->scratch[scheme]);
}

// The scratch of a scheme, or that of another one that shares it
static Status make_scratch(Simulation* simulation, int scheme) {
    void** scratch = simulation->scratch;
    for (int i = 0; i < n_schemes && scratch[scheme] == NULL; i++) {
        scratch[scheme] = schemes[i].create == schemes[scheme].create ? scratch[i] : NULL;
    }
    return scratch[scheme] != NULL
               ? STATUS_OK
               : schemes[scheme].create(&simulation->model.system,
                                        &simulation->workspace.properties,
                                        &simulation->contact_arena, &scratch[scheme]);
}

// Memory that a scheme needs with the parameters as they are
static Status prepare_scheme(Simulation* simulation, const Scheme* scheme) {
    const int i = (int)(scheme - schemes);
    Status status = make_scratch(simulation, i);
    if (status == STATUS_OK && scheme->prepare != NULL) {
        status = scheme->prepare(simulation->state.p, &simulation->contact_arena,
                                 simulation->scratch[i]);
    }
    return status == STATUS_OK
               ? STATUS_OK
               : simulation_fail(simulation, status, "the scheme %s needs too much memory: %s",
                                 scheme->item.name, status_text(status));
}

Status simulation_accept_scheme(Simulation* simulation) {
    const Scheme* scheme = &schemes[simulation_scheme(simulation)];
    const char* why = NULL;
    const Element* element = scheme->refuses != NULL ? scheme->refuses(&simulation->model.system,
                                                                       simulation->state.p, &why)
                                                     : NULL;
    if (element == NULL) {
        return prepare_scheme(simulation, scheme);
    }
    return simulation_fail(simulation, STATUS_NOT_ALLOWED,
                           "the scheme %s cannot take %s %s (line %ld, column %ld): %s",
                           scheme->item.name, element->kind->tag, element->name,
                           element->place.line, element->place.column, why);
}

// The largest penetration among the points of a contact, whose gaps are g_N; it is warned of.
static double starting_penetration(const Element* contact, const double* g_N, Report* report) {
    static const double SEEN = 1e-9;  // m
    double largest = 0.0;
    int n = 0;
    for (int i = 0; i < contact->n_links; i++) {
        largest = fmax(largest, -g_N[i]);
        n += g_N[i] < -SEEN;
    }
    if (n > 1 && report != NULL) {
        report_add(report, SEVERITY_WARNING, contact->place,
                   "contact %s starts with a penetration of %.6g m, in %d of its %d points",
                   contact->name, largest, n, contact->n_links);
    } else if (n == 1 && report != NULL) {
        report_add(report, SEVERITY_WARNING, contact->place,
                   "contact %s starts with a penetration of %.6g m", contact->name, largest);
    }
    return largest;
}

Status simulation_initialize(Simulation* simulation, double t_0, Report* report) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    Workspace* w = &simulation->workspace;
    if (s->head->phase == PHASE_MOVING) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has begun already");
    }
    if (!isfinite(t_0)) {
        return simulation_fail(simulation, STATUS_NOT_FINITE, "the start time is not finite");
    }
    Status status = simulation_check_parameters(simulation);
    if (status != STATUS_OK) {
        return status;
    }
    status = system_update_parameters(sys, s->p, &w->properties);
    if (status != STATUS_OK) {
        const Element* fault = w->properties.fault;
        return simulation_fail(
            simulation, status, "%s %s (line %ld, column %ld) %s", fault->kind->tag, fault->name,
            fault->place.line, fault->place.column,
            w->properties.missing != NULL ? w->properties.missing
            : status == STATUS_SINGULAR   ? "has a mass matrix that is not positive definite"
                                          : "has left the part of the body on which it stands");
    }
    status = simulation_accept_scheme(simulation);
    if (status != STATUS_OK) {
        return status;
    }
    s->head->t_0 = s->head->t_start = s->head->last_impact_time = t_0;
    s->head->n = 0;
    s->head->pending = 0.0;
    s->head->dt = s->p[sys->solver + SOLVER_STEP_SIZE];
    s->head->phase = PHASE_STARTED;
    for (int i = 0; i < sys->n_inputs; i++) {
        s->input_time[i] = t_0;
    }
    simulation_rest_motions(simulation);
    (void)state_take_values(sys, s);
    system_initial(sys, &w->properties, s->q, s->u);
    memset(s->P_g, 0, (size_t)sys->nla_g * sizeof(double));
    status = simulation_check_signals(simulation, t_0);
    if (status == STATUS_OK) {
        status = simulation_start_joints(simulation, t_0, report);
    }
    if (status == STATUS_OK) {
        s->head->n_records = 0;
        status = simulation_find_contacts(simulation);
    }
    if (status == STATUS_OK) {
        start_states(sys, t_0, NULL, s, w);
        simulation_start_forces(simulation, t_0);
        found_laws_identify(sys, s);
        simulation_sum_found(simulation);
        status = simulation_check_gaps(simulation, t_0);
    }
    if (status != STATUS_OK) {
        s->head->phase = PHASE_SET_UP;
        return status;
    }
    s->head->worst_penetration = 0.0;
    for (int k = 0; k < sys->n_fixed; k += sys->laws[k].element->n_links) {
        const double penetration = starting_penetration(sys->laws[k].element, w->g_N + k, report);
        s->head->worst_penetration = fmax(s->head->worst_penetration, penetration);
    }
    simulation_report_penetrations(simulation, report);
    energy_start(sys, t_0, s, w);
    simulation_forget_values(simulation);
    return STATUS_OK;
}

void simulation_set_up(Simulation* simulation) {
    simulation->state.head->phase = PHASE_SET_UP;
    simulation_forget_values(simulation);
}

static const Link* joint_of_row(const System* sys, int row) {
    int low = 0;
    int high = sys->n_joints - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        const Range la = sys->joints[middle].la;
        if (row < la.at + la.n) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return &sys->joints[low];
}

Status simulation_constraints(Simulation* simulation, Report* report, ConstraintSummary* summary) {
    const System* sys = &simulation->model.system;
    const State* s = &simulation->state;
    *summary = (ConstraintSummary){.n_velocities = sys->nu, .n_constraints = sys->nla_g};
    if (s->head->phase == PHASE_SET_UP) {
        return simulation_fail(simulation, STATUS_NOT_ALLOWED, "the motion has no start yet");
    }
    const Status status = start_redundant_rows(sys, state_time(s), s, &simulation->workspace,
                                               simulation->redundant_rows, &summary->n_redundant);
    if (status != STATUS_OK) {
        return simulation_fail(simulation, status, "the joints cannot be analysed: %s",
                               status_text(status));
    }
    for (int i = 0; i < summary->n_redundant; i++) {
        const int row = simulation->redundant_rows[i];
        const Link* joint = joint_of_row(sys, row);
        report_add(report, SEVERITY_NOTE, joint->element->place,
                   "equation %d of %d of joint %s follows from those of other joints",
                   row - joint->la.at + 1, joint->la.n, joint->name);
    }
    return STATUS_OK;
}

// --- what it is ---

const VariableTable* simulation_variables(const Simulation* simulation) {
    return &simulation->variables;
}

const ModelInfo* simulation_info(const Simulation* simulation) { return &simulation->model.info; }

SimulationStatistics simulation_statistics(const Simulation* simulation) {
    const StateHead* head = simulation->state.head;
    return (SimulationStatistics){.n_steps = head->n_steps,
                                  .n_iterations = head->n_iterations,
                                  .n_contact_iterations = head->n_contact_iterations,
                                  .n_regularised_steps = head->n_regularised,
                                  .n_swept_steps = head->n_swept,
                                  .n_inexact_steps = head->n_inexact,
                                  .n_inelastic_steps = head->n_inelastic,
                                  .n_damped_steps = head->n_damped,
                                  .n_retried_steps = head->n_retried,
                                  .n_failed_steps = head->n_failed,
                                  .worst_residual = head->worst_residual,
                                  .worst_penetration = head->worst_penetration};
}

void simulation_profile_start(Simulation* simulation, double (*now)(void)) {
    simulation->workspace.profile = (Profile){.now = now};
}

const Profile* simulation_profile(const Simulation* simulation) {
    return &simulation->workspace.profile;
}

double simulation_time(const Simulation* simulation) {
    return state_time(&simulation->state) + simulation->state.head->pending;
}

const char* simulation_message(const Simulation* simulation) { return simulation->message; }

void simulation_report_impacts(Simulation* simulation, Report* report) {
    restitution_report(&simulation->model.system, &simulation->restitution, report);
}

// --- snapshots ---

size_t simulation_snapshot_size(const Simulation* simulation) {
    return state_saved_size(&simulation->state);
}

void simulation_save(const Simulation* simulation, void* snapshot) {
    state_save(&simulation->state, snapshot);
}

// Masses and markers of a state that came back. Before the start there are none: its parameters may
// be such that no motion can start from them.
static Status restore_properties(Simulation* simulation) {
    simulation_forget_values(simulation);
    simulation->workspace.laws_known = false;
    if (simulation->state.head->phase == PHASE_SET_UP) {
        return STATUS_OK;
    }
    const Status status = system_update_parameters(&simulation->model.system, simulation->state.p,
                                                   &simulation->workspace.properties);
    return status == STATUS_OK ? simulation_find_contacts(simulation) : status;
}

// Room for the records of a snapshot, which may come from a simulation that has found more contacts
static Status room_for_records(Simulation* simulation, const void* snapshot, size_t n) {
    const System* sys = &simulation->model.system;
    StateHead head;
    if (n < sizeof head || sys->n_colliders == 0) {
        return STATUS_OK;
    }
    memcpy(&head, snapshot, sizeof head);
    if (head.n_records <= sys->most_laws || head.n_records > INT_MAX / 2 ||
        (size_t)head.n_records * sizeof(ContactRecord) > n) {
        return STATUS_OK;  // there is room, or it is no state
    }
    return simulation_make_room(simulation, (int)head.n_records);
}

Status simulation_take_state(Simulation* simulation, const void* snapshot, size_t n) {
    const System* sys = &simulation->model.system;
    State* s = &simulation->state;
    const bool same = n >= s->n_fixed && state_same_parameters(sys, snapshot, s);
    if (!same) {
        memcpy(simulation->p_before, s->p, (size_t)sys->n_parameters * sizeof(double));
    }
    const Status status = state_restore(sys, simulation->room, snapshot, n, s);
    if (status == STATUS_OK && !same) {
        simulation_calculate_parameters(simulation, simulation->p_before);
    }
    return status;
}

Status simulation_restore(Simulation* simulation, const void* snapshot, size_t n) {
    State* s = &simulation->state;
    Status status = room_for_records(simulation, snapshot, n);
    const size_t n_before = state_saved_size(s);
    void* backup = simulation->backup;  // the arena's, even if there will be another
    state_save(s, backup);
    if (status == STATUS_OK) {
        status = simulation_take_state(simulation, snapshot, n);
    }
    if (status != STATUS_OK) {
        return simulation_fail(simulation, status, "this is not a state of the model %s",
                               simulation->model.info.name);
    }
    simulation->values_set = true;
    status = restore_properties(simulation);
    if (status == STATUS_OK) {
        return STATUS_OK;
    }
    Status undone = simulation_take_state(simulation, backup, n_before);
    if (undone == STATUS_OK) {
        undone = restore_properties(simulation);
    }
    assert(undone == STATUS_OK);  // it was the state of this simulation
    (void)undone;
    return simulation_fail(simulation, status, "the state holds no valid mass");
}
