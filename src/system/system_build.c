// Numbers parameters, coordinates, frames, markers and outputs.
#include "system/system_build.h"

#include "system/system_builder.h"

// --- plane or space ---

static bool is_spatial_body(const Element* element) {
    return element->kind->role == ROLE_BODY && element->kind->body->spatial;
}

// Does the body or shape stand on, or is it, a body of space? What does not move by itself goes
// with the others.
static bool is_spatial(const Builder* b, int index, bool any_spatial) {
    const Element* body = body_of(b, index);
    return is_spatial_body(body) || (!body_moves(body->kind->body) && any_spatial);
}

static bool group_is_spatial(const Builder* b, int group) {
    bool spatial = false;
    for (int i = 0; i < b->n && group > 0 && !spatial; i++) {
        spatial = b->elements[i].group == group && is_spatial(b, i, false);
    }
    return spatial;
}

bool builder_refers_to_space(const Builder* b, const Element* element) {
    bool spatial = false;
    for (int i = 0; i < element->kind->n_references; i++) {
        const int target = element_target(element, i);
        spatial = spatial || group_is_spatial(b, element_group(element, i));
        const ElementRole role = target >= 0 ? b->elements[target].kind->role : ROLE_SETTING;
        spatial =
            spatial || ((role == ROLE_BODY || role == ROLE_SHAPE) && is_spatial(b, target, false));
    }
    return spatial;
}

// The element that tells whether one is of the plane or of space, even if it does not move by
// itself: of what stands on a body or weighs one; -1: what moves among all that it refers to.
static int stands_on(const Builder* b, int index) {
    const Element* element = &b->elements[index];
    const ElementRole role = element->kind->role;
    const int target = element->kind->of_contacts ? element_target(element, 0) : -1;
    const ElementRole on = target >= 0 ? b->elements[target].kind->role : ROLE_SETTING;
    return role == ROLE_SHAPE || role == ROLE_VERTEX ? index
           : on == ROLE_BODY || on == ROLE_SHAPE     ? target
                                                     : -1;
}

static void choose_variants(const Builder* b) {
    bool any_spatial = false;
    for (int i = 0; i < b->n; i++) {
        any_spatial = any_spatial || is_spatial_body(&b->elements[i]);
    }
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        const bool anywhere = role == ROLE_BODY || role == ROLE_USE;
        if (anywhere && element->kind->spatial != NULL && any_spatial) {
            element->kind = element->kind->spatial;
        }
        if (role == ROLE_SETTING || anywhere) {
            continue;
        }
        const int base = stands_on(b, i);
        const bool spatial =
            base >= 0 ? is_spatial(b, base, any_spatial) : builder_refers_to_space(b, element);
        const bool has_both = element->kind->spatial != NULL;
        if (spatial && has_both) {
            element->kind = element->kind->spatial;
        } else if (!spatial && element->kind->spatial_only) {
            ELEMENT_ERROR(b, element, "<%s> is for bodies of space", element->kind->tag);
        } else if (spatial && element->kind->shape == SHAPE_SURFACE &&
                   !element->kind->spatial_only) {
            ELEMENT_ERROR(b, element, "<%s> is for bodies of the plane", element->kind->tag);
        }
    }
}

// --- numbers of parameters and signals ---

// A load along a line stands on the body that it names.
static void find_parent(const Builder* b, Element* element) {
    const int target = element_target(element, 0);
    if (element->kind->along_line && element->kind->role == ROLE_FORCE && target >= 0 &&
        b->elements[target].kind->role == ROLE_BODY) {
        element->parent = target;
    }
}

static void number_parameters(Element* element, int* n) {
    element->p = (Range){*n, element->kind->n_parameters};
    *n += element->p.n;
}

void system_number_repeated(Element* elements, System* sys) {
    sys->n_parameters = sys->n_open;
    for (int i = 0; i < sys->n_elements; i++) {
        if (!element_is_open(&elements[i])) {
            number_parameters(&elements[i], &sys->n_parameters);
        }
    }
}

void system_number(Element* elements, int n_elements, Report* report, System* sys) {
    const Builder b = {.elements = elements, .n = n_elements, .report = report, .sys = sys};
    *sys = (System){.elements = elements,
                    .n_elements = n_elements,
                    .n_user_parameters = sys->n_user_parameters,
                    .n_open = sys->n_user_parameters,
                    .n_inputs = sys->n_inputs};
    choose_variants(&b);
    for (int i = 0; i < n_elements; i++) {
        Element* element = &elements[i];
        const ElementKind* kind = element->kind;
        find_parent(&b, element);
        if (element_is_open(element)) {
            number_parameters(element, &sys->n_open);
        }
        element->signals = (Range){sys->n_signals, kind->n_signals};
        sys->n_signals += kind->n_signals;
        if (kind->works) {
            element->total = sys->n_works++;
        }
        sys->n_bodies += kind->role == ROLE_BODY && kind != &ground_kind;
        sys->n_joints += kind->role == ROLE_JOINT;
        sys->n_sensors += kind->role == ROLE_SENSOR;
        sys->n_uses += kind->role == ROLE_USE;
        sys->gravity = kind->setting == SETTING_GRAVITY ? element->p.at : sys->gravity;
        sys->solver = kind->setting == SETTING_SOLVER ? element->p.at : sys->solver;
    }
    system_number_repeated(elements, sys);
}

// --- numbers of markers, links and outputs ---

// False after an error: what stands along a line needs one.
static bool has_line(const Builder* b, const Element* element) {
    const int target = element->parent >= 0 ? element->parent : element_target(element, 0);
    const Element* other = target >= 0 ? &b->elements[target] : NULL;
    if (element->parent >= 0 && other->kind->body->line != NULL) {
        return true;
    }
    if (other != NULL) {
        ELEMENT_ERROR(b, element, "a <%s> is along a body such as <beam>, not on a <%s>",
                      element->kind->tag, other->kind->tag);
    }
    return false;  // without another, whoever made the elements has reported it
}

static int marker_count(const Builder* b, const Element* element) {
    const ElementKind* kind = element->kind;
    if (kind->role != ROLE_BODY && kind->role != ROLE_SHAPE && !kind->along_line) {
        return 0;
    }
    if (kind->along_line && !has_line(b, element)) {
        return 0;
    }
    if (kind->count != NULL) {
        const MarkerView view = marker_view(b, element);
        return kind->count(&view);
    }
    return kind->n_markers > 0 ? kind->n_markers : 1;
}

// A contact of shapes with several markers stands for one of each pair; a load along a line for one
// force at each of its points.
static int link_count(const Builder* b, const Element* element) {
    const bool contact = element->kind->role == ROLE_CONTACT;
    int n = element->kind->role == ROLE_FORCE && element->kind->along_line ? element->n_markers : 1;
    if (element_group(element, 0) > 0) {
        return 0;  // those of groups are found while the bodies move
    }
    for (int i = 0; i < element->kind->n_references && contact; i++) {
        const int target = element_target(element, i);
        n *= target >= 0 && b->elements[target].n_markers > 0 ? b->elements[target].n_markers : 1;
    }
    return n;
}

enum { MOST_LINKS = 1 << 20 };  // of all elements: what they need can be counted with an int

static void number_links(const Builder* b) {
    System* sys = b->sys;
    for (int i = 0; i < b->n; i++) {
        b->elements[i].n_markers = marker_count(b, &b->elements[i]);
    }
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        const ElementKind* kind = element->kind;
        element->found = builder_is_found(b, element);
        if (element->found) {
            element->total = sys->n_totals++;
        }
        element->n_links = element->found ? 0 : link_count(b, element);
        if (sys->n_laws + sys->n_forces > MOST_LINKS - element->n_links) {
            ELEMENT_ERROR(b, element,
                          "<%s> %s stands for %d pairs of points: with the others, that are more "
                          "than %d",
                          kind->tag, element->name, element->n_links, MOST_LINKS);
            element->n_links = 1;
        }
        const bool asked = kind->role != ROLE_BODY || !element->hidden || element->declared;
        element->y =
            (Range){sys->n_outputs, kind->n_outputs * (asked ? element->n_links : 0) +
                                        (element_has_totals(element) ? kind->n_total_outputs : 0)};
        sys->n_outputs += element->y.n;
        sys->n_forces += kind->role == ROLE_FORCE ? element->n_links : 0;
        sys->n_contacts += kind->role == ROLE_CONTACT ? element->n_links : 0;
        sys->n_laws += kind->role == ROLE_CONTACT ? element->n_links : kind->friction != NULL;
    }
}

// --- coordinates, frames and markers ---

static void number_body(const Builder* b, Element* element) {
    System* sys = b->sys;
    const BodyFunctions* body = element->kind->body;
    int nq = body->nq;
    int nu = body->nu;
    if (body->size != NULL) {
        body->size(b->p + element->p.at, &nq, &nu);
    }
    element->q = (Range){sys->nq, nq};
    element->u = (Range){sys->nu, nu};
    sys->nq += nq;
    sys->nu += nu;
    element->block = sys->n_blocks;
    sys->n_blocks += body->mass != NULL;
    sys->n_mass += body->mass != NULL ? nu * nu : 0;
    element->constants = sys->n_constants;
    sys->n_constants += body->prepare != NULL ? body->n_constants(b->p + element->p.at) : 0;
    sys->mass_is_blocks = sys->mass_is_blocks && (nu == 0 || body->mass != NULL);
    sys->turning = sys->turning || body->node != NULL;
    sys->position_dependent = sys->position_dependent || body->position_dependent;
    sys->velocity_dependent = sys->velocity_dependent || body->velocity_dependent;
    sys->driven = sys->driven || (nu == 0 && element->kind->n_signals > 0);
}

// Frames of rigid bodies serve all their shapes; each marker on another body has its own.
static void number_frames(const Builder* b, Element* element) {
    const bool on_body = element->parent >= 0;
    const Element* body = on_body ? &b->elements[element->parent] : element;
    if (has_points(body)) {
        element->frame = b->sys->n_frames;
        b->sys->n_frames += element->n_markers;
    } else if (on_body) {
        element->frame = body->frame;
    } else if (element->kind != &ground_kind) {
        element->frame = b->sys->n_frames++;
    }
}

// Has an element its markers among those of the system? What is found on a shape of a rigid body
// has markers of its own: those of the shape, and of the body, are there if some element refers to
// it.
static bool keeps_markers(const Builder* b, const Element* element, bool referred) {
    const ElementRole role = element->kind->role;
    const Element* body = element->parent >= 0 ? &b->elements[element->parent] : element;
    return (role != ROLE_BODY && role != ROLE_SHAPE) || referred || has_points(body) ||
           body->kind == &ground_kind;
}

static void number_markers(const Builder* b, const bool* referred) {
    System* sys = b->sys;
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        element->marker = -1;
        if (element->n_markers > 0 && keeps_markers(b, element, referred[i])) {
            element->marker = sys->n_markers;
            sys->n_markers += element->n_markers;
        }
    }
    sys->n_markers++;  // the ground's origin, even if there is no <ground>
}

// A sensor of what contacts exert on a shape looks from the body.
static void refer(const Builder* b, const Element* element, int target, bool* referred) {
    const Element* on = &b->elements[target];
    referred[target] = true;
    if (element->kind->of_contacts && on->kind->role == ROLE_SHAPE) {
        referred[on->parent] = true;
    }
}

static void number_coordinates(const Builder* b, bool* referred) {
    System* sys = b->sys;
    sys->mass_is_blocks = true;
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        if (element->kind->role == ROLE_BODY) {
            number_body(b, element);
        }
        if (element->n_markers > 0) {
            number_frames(b, element);
        }
        for (int j = 0; j < ELEMENT_MAX_REFERENCES; j++) {
            const int target = element_target(element, j);
            if (target >= 0) {
                refer(b, element, target, referred);
            }
        }
    }
    number_markers(b, referred);
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        if ((role == ROLE_BODY || role == ROLE_SHAPE) && body_of(b, i)->kind == &ground_kind) {
            element->frame = sys->n_frames;
        }
        for (int j = 0; j < ELEMENT_MAX_REFERENCES && element_refers(element); j++) {
            const int target = element_target(element, j);
            element->markers[j] = target >= 0 ? b->elements[target].marker : sys->n_markers - 1;
        }
    }
}

// The marker of a body or shape, in coordinates of the body
static Vec3 material_point(const Builder* b, const Element* element, int i) {
    Marker marker = {.A = MAT3_IDENTITY};
    if (element->kind->corner != NULL) {
        const MarkerView view = marker_view(b, element);
        element->kind->corner(&view, i, &marker);
    } else if (element->kind->role == ROLE_SHAPE) {
        element->kind->marker(b->p + element->p.at, &marker);
    }
    return marker.rho;
}

// The frame of marker i of an element on a body that is not rigid
static Status make_point(const Builder* b, const Element* element, const Element* body, int i,
                         FrameSource* source) {
    int* at = ARENA_NEW(b->arena, POINT_MAX_VELOCITIES, int);
    FramePoint* point = ARENA_NEW(b->arena, 1, FramePoint);
    if (at == NULL || point == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    int n = body->kind->body->point_velocities(b->p + body->p.at, body->u.n,
                                               material_point(b, element, i), at);
    if (n < 0) {
        ELEMENT_ERROR(b, element, "%s stands outside of %s", element->name, body->name);
        n = 0;
    }
    *point = (FramePoint){.marker = element->marker + i, .n = n, .at = at, .T = b->sys->n_T};
    *source = (FrameSource){.body = body, .point = point};
    b->sys->n_T += TWIST_SIZE * n;
    return STATUS_OK;
}

static Status make_frames(const Builder* b) {
    System* sys = b->sys;
    FrameSource* frames = ARENA_NEW(b->arena, sys->n_frames, FrameSource);
    const Element** bodies = ARENA_NEW(b->arena, sys->n_bodies, const Element*);
    const Element** markers = ARENA_NEW(b->arena, sys->n_markers, const Element*);
    if (frames == NULL || bodies == NULL || markers == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    sys->frames = frames;
    sys->bodies = bodies;
    sys->marker_elements = markers;
    for (int i = 0; i < b->n; i++) {
        const Element* element = &b->elements[i];
        if (element->n_markers == 0) {
            continue;
        }
        const Element* body = body_of(b, i);
        const bool is_body = body == element && element->kind != &ground_kind;
        if (is_body) {
            *bodies++ = element;
        }
        if (is_body && !has_points(element)) {
            frames[element->frame] = (FrameSource){.body = element};
        }
        for (int j = 0; j < element->n_markers && element->marker >= 0; j++) {
            markers[element->marker + j] = element;
            if (has_points(body) &&
                make_point(b, element, body, j, &frames[element->frame + j]) != STATUS_OK) {
                return STATUS_OUT_OF_MEMORY;
            }
        }
    }
    return STATUS_OK;
}

// Those that elements name by their number
static Status list_uses(const Builder* b) {
    const Element** uses = ARENA_NEW(b->arena, b->sys->n_uses, const Element*);
    if (uses == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    b->sys->uses = uses;
    for (int i = 0; i < b->n; i++) {
        if (b->elements[i].kind->role == ROLE_USE) {
            *uses++ = &b->elements[i];
        }
    }
    return STATUS_OK;
}

// --- prescribed motions ---

// The symbols on which a signal of a body or joint depends; those that prescribe a position move.
static void find_symbols(System* sys, int signal, bool* moved) {
    const Expression* expression = sys->signals[signal];
    if (expression == NULL) {  // of a model with errors
        return;
    }
    for (int i = 0, symbol; (symbol = expression_symbol(expression, i)) >= 0; i++) {
        sys->steered = true;
        moved[symbol] = moved[symbol] || sys->moves[signal];
    }
}

// Which signals prescribe positions, and on which parameters and inputs they depend
static Status find_motions(const Builder* b) {
    System* sys = b->sys;
    bool* moves = ARENA_NEW(b->arena, sys->n_signals, bool);
    bool* moved = ARENA_NEW(b->arena, system_symbols(sys), bool);
    int* motions = ARENA_NEW(b->arena, system_symbols(sys), int);
    if (moves == NULL || moved == NULL || motions == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    sys->moves = moves;
    sys->motions = motions;
    for (int i = 0; i < b->n; i++) {
        const Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        for (int j = 0; j < element->signals.n && (role == ROLE_BODY || role == ROLE_JOINT); j++) {
            moves[element->signals.at + j] = element->kind->signals[j].moves;
            find_symbols(sys, element->signals.at + j, moved);
        }
    }
    for (int i = 0; i < system_symbols(sys); i++) {
        if (moved[i]) {
            motions[sys->n_motions++] = i;
        }
    }
    return STATUS_OK;
}

static Status list_signals(const Builder* b) {
    const SignalInfo** infos = ARENA_NEW(b->arena, b->sys->n_signals, const SignalInfo*);
    if (infos == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < b->n; i++) {
        const Element* element = &b->elements[i];
        for (int j = 0; j < element->signals.n; j++) {
            infos[element->signals.at + j] = &element->kind->signals[j];
        }
    }
    b->sys->signal_infos = infos;
    return STATUS_OK;
}

static Status connect_all(const Builder* b) {
    bool* referred = ARENA_NEW(b->scratch, b->n, bool);
    if (referred == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    number_links(b);
    number_coordinates(b, referred);
    Status status = list_signals(b);
    if (status == STATUS_OK) {
        status = list_uses(b);
    }
    if (status == STATUS_OK) {
        status = make_frames(b);
    }
    if (status == STATUS_OK) {
        status = find_motions(b);
    }
    if (status == STATUS_OK) {
        status = builder_connect_links(b);
    }
    if (status == STATUS_OK) {
        status = builder_list_colliders(b);
    }
    if (status == STATUS_OK) {
        status = builder_list_load_sensors(b);
    }
    return status == STATUS_OK ? assemblies_find(b->sys, b->arena, &b->sys->assemblies) : status;
}

Status system_connect(Element* elements, const double* p, const Expression* const* signals,
                      Arena* arena, Report* report, System* sys) {
    Arena scratch = {0};
    const Builder b = {.elements = elements,
                       .n = sys->n_elements,
                       .p = p,
                       .arena = arena,
                       .scratch = &scratch,
                       .report = report,
                       .sys = sys};
    sys->p_start = p;
    sys->signals = signals;
    const Status status = connect_all(&b);
    arena_free(&scratch);
    return status;
}
