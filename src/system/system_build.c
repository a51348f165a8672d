// Numbers coordinates, markers, rows and outputs, and connects forces, joints and contacts to the
// bodies they act on.
#include "system/system_build.h"

#include <stdio.h>
#include <string.h>

#include "elements/bodies.h"
#include "elements/joints.h"

typedef struct Builder {
    Element* elements;  // (n)
    int n;
    const double* p;  // (n_parameters) start values; NULL: not known yet
    Arena* arena;
    Report* report;
    System* sys;
} Builder;

#define ELEMENT_ERROR(builder, element, ...) \
    report_add((builder)->report, SEVERITY_ERROR, (element)->place, __VA_ARGS__)

static const Element* body_of(const Builder* b, int target) {
    if (target < 0) {
        return NULL;
    }
    const Element* element = &b->elements[target];
    return element->kind->role == ROLE_SHAPE ? &b->elements[element->parent] : element;
}

static bool has_velocities(const Element* body) {
    return body->kind->body->nu > 0 || body->kind->body->size != NULL;
}

static bool has_points(const Element* body) { return body->kind->body->point != NULL; }

// --- plane or space ---

static bool is_spatial_body(const Element* element) {
    return element->kind->role == ROLE_BODY && element->kind->body->spatial;
}

// Does the body or shape stand on, or is it, a body of space? What does not move by itself goes
// with the others.
static bool is_spatial(const Builder* b, int index, bool any_spatial) {
    const Element* body = body_of(b, index);
    return is_spatial_body(body) || (!has_velocities(body) && any_spatial);
}

static bool refers_to_space(const Builder* b, const Element* element) {
    bool spatial = false;
    for (int i = 0; i < element->kind->n_references; i++) {
        const int target = element->references[i];
        const ElementRole role = target >= 0 ? b->elements[target].kind->role : ROLE_SETTING;
        spatial =
            spatial || ((role == ROLE_BODY || role == ROLE_SHAPE) && is_spatial(b, target, false));
    }
    return spatial;
}

static void choose_variants(const Builder* b) {
    bool any_spatial = false;
    for (int i = 0; i < b->n; i++) {
        any_spatial = any_spatial || is_spatial_body(&b->elements[i]);
    }
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        if (role == ROLE_BODY && element->kind->spatial != NULL && any_spatial) {
            element->kind = element->kind->spatial;
        }
        if (role == ROLE_SETTING || role == ROLE_BODY) {
            continue;
        }
        const bool spatial =
            role == ROLE_SHAPE ? is_spatial(b, i, any_spatial) : refers_to_space(b, element);
        if (spatial && element->kind->spatial != NULL) {
            element->kind = element->kind->spatial;
        } else if (!spatial && element->kind->spatial_only) {
            ELEMENT_ERROR(b, element, "<%s> is for bodies of space", element->kind->tag);
        }
    }
}

// --- numbers of parameters, signals and outputs ---

static int marker_count(const ElementKind* kind) {
    return kind->n_markers > 0 ? kind->n_markers : 1;
}

// A contact of shapes with corners stands for one of each pair of points.
static int link_count(const Builder* b, const Element* element) {
    int n = 1;
    for (int i = 0; i < element->kind->n_references && element->kind->role == ROLE_CONTACT; i++) {
        const int target = element->references[i];
        n *= target >= 0 ? marker_count(b->elements[target].kind) : 1;
    }
    return n;
}

void system_number(Element* elements, int n_elements, Report* report, System* sys) {
    const Builder b = {.elements = elements, .n = n_elements, .report = report, .sys = sys};
    *sys = (System){.elements = elements,
                    .n_elements = n_elements,
                    .n_user_parameters = sys->n_user_parameters,
                    .n_parameters = sys->n_user_parameters,
                    .n_inputs = sys->n_inputs};
    choose_variants(&b);
    for (int i = 0; i < n_elements; i++) {
        Element* element = &elements[i];
        const ElementKind* kind = element->kind;
        element->p = (Range){sys->n_parameters, kind->n_parameters};
        element->signals = (Range){sys->n_signals, kind->n_signals};
        element->n_links = link_count(&b, element);
        element->y = (Range){sys->n_outputs, kind->n_outputs * element->n_links};
        sys->n_parameters += kind->n_parameters;
        sys->n_signals += kind->n_signals;
        sys->n_outputs += element->y.n;
        sys->n_bodies += kind->role == ROLE_BODY && kind != &ground_kind;
        sys->n_forces += kind->role == ROLE_FORCE;
        sys->n_joints += kind->role == ROLE_JOINT;
        sys->n_contacts += kind->role == ROLE_CONTACT ? element->n_links : 0;
        sys->n_laws += kind->role == ROLE_CONTACT ? element->n_links : kind->friction != NULL;
        sys->gravity = kind->setting == SETTING_GRAVITY ? element->p.at : sys->gravity;
        sys->solver = kind->setting == SETTING_SOLVER ? element->p.at : sys->solver;
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
    element->M = sys->n_mass;
    sys->n_mass += body->mass != NULL ? nu * nu : 0;
    sys->mass_is_blocks = sys->mass_is_blocks && (nu == 0 || body->mass != NULL);
    sys->turning = sys->turning || body->pull_back != NULL;
    sys->position_dependent = sys->position_dependent || body->position_dependent;
    sys->velocity_dependent = sys->velocity_dependent || body->velocity_dependent;
    sys->driven = sys->driven || element->kind->n_signals > 0;
}

// Frames of rigid bodies serve all their shapes; each marker on another body has its own.
static void number_frames(const Builder* b, Element* element) {
    const bool shape = element->kind->role == ROLE_SHAPE;
    const Element* body = shape ? &b->elements[element->parent] : element;
    if (has_points(body)) {
        element->frame = b->sys->n_frames;
        b->sys->n_frames += marker_count(element->kind);
    } else if (shape) {
        element->frame = body->frame;
    } else if (element->kind != &ground_kind) {
        element->frame = b->sys->n_frames++;
    }
}

static void number_coordinates(const Builder* b) {
    System* sys = b->sys;
    sys->mass_is_blocks = true;
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        if (role == ROLE_BODY) {
            number_body(b, element);
        }
        if (role == ROLE_BODY || role == ROLE_SHAPE) {
            number_frames(b, element);
            element->marker = sys->n_markers;
            sys->n_markers += marker_count(element->kind);
        }
    }
    sys->n_markers++;  // the ground's origin, even if there is no <ground>
    for (int i = 0; i < b->n; i++) {
        Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        if ((role == ROLE_BODY || role == ROLE_SHAPE) && body_of(b, i)->kind == &ground_kind) {
            element->frame = sys->n_frames;
        }
        for (int j = 0; j < ELEMENT_MAX_REFERENCES; j++) {
            const int target = element->references[j];
            element->markers[j] = target >= 0 ? b->elements[target].marker : sys->n_markers - 1;
        }
    }
}

// The marker of a body or shape, in coordinates of the body
static Vec3 material_point(const Builder* b, const Element* element, int i) {
    Marker marker = {.A = MAT3_IDENTITY};
    if (element->kind->role == ROLE_SHAPE && element->kind->corner != NULL) {
        element->kind->corner(b->p + element->p.at, i, &marker);
    } else if (element->kind->role == ROLE_SHAPE) {
        element->kind->marker(b->p + element->p.at, &marker);
    }
    return marker.rho;
}

// The frame of marker i of an element on a body that is not rigid
static Status make_point(const Builder* b, const Element* element, const Element* body, int i,
                         FrameSource* source) {
    int* at = ARENA_NEW(b->arena, POINT_MAX_VELOCITIES, int);
    if (at == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    int n = body->kind->body->point_velocities(b->p + body->p.at, body->u.n,
                                               material_point(b, element, i), at);
    if (n < 0) {
        ELEMENT_ERROR(b, element, "%s stands outside of %s", element->name, body->name);
        n = 0;
    }
    *source = (FrameSource){
        .body = body, .marker = element->marker + i, .n = n, .at = at, .T = b->sys->n_T};
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
        const ElementRole role = element->kind->role;
        if (role != ROLE_BODY && role != ROLE_SHAPE) {
            continue;
        }
        const Element* body = body_of(b, i);
        const bool is_body = role == ROLE_BODY && element->kind != &ground_kind;
        if (is_body) {
            *bodies++ = element;
        }
        if (is_body && !has_points(element)) {
            frames[element->frame] = (FrameSource){.body = element, .marker = -1};
        }
        for (int j = 0; j < marker_count(element->kind); j++) {
            markers[element->marker + j] = element;
            if (has_points(body) &&
                make_point(b, element, body, j, &frames[element->frame + j]) != STATUS_OK) {
                return STATUS_OUT_OF_MEMORY;
            }
        }
    }
    return STATUS_OK;
}

// --- couplings ---

static const FrameSource* source_of_marker(const Builder* b, int marker) {
    const System* sys = b->sys;
    const Element* element = sys->marker_elements[marker];
    if (element == NULL) {
        return NULL;  // the ground's origin
    }
    const bool shape = element->kind->role == ROLE_SHAPE;
    const Element* body = shape ? &b->elements[element->parent] : element;
    const int frame = element->frame + (has_points(body) ? marker - element->marker : 0);
    return frame < sys->n_frames ? &sys->frames[frame] : NULL;
}

// Entry of the velocity in the coupling, which it becomes one of if it is not yet
static int coupling_entry(int velocity, int* u, int* n) {
    for (int i = 0; i < *n; i++) {
        if (u[i] == velocity) {
            return i;
        }
    }
    u[*n] = velocity;
    return (*n)++;
}

// The components of its twist that a body can change
static unsigned moving_components(const FrameSource* source) {
    const BodyFunctions* body = source->body->kind->body;
    unsigned moving = 0;
    if (body->point != NULL) {
        return body->spatial ? 0x3fU : 1U << 0 | 1U << 1 | 1U << 5;
    }
    for (int i = 0; i < source->body->u.n; i++) {
        moving |= 1U << body->twist[i];
    }
    return moving;
}

// One side of a coupling: velocities, and components of the twist of the frame that is number side
static void couple_side(const FrameSource* source, int side, Coupling* coupling, int* u,
                        int* entries, int* columns) {
    const Element* body = source->body;
    const bool rigid = source->marker < 0;
    const int n = rigid ? body->u.n : source->n;
    coupling->sides[side] = (CouplingSide){
        .n = n, .entry = entries, .twist = rigid ? body->kind->body->twist : NULL, .T = source->T};
    for (int i = 0; i < n; i++) {
        const int velocity = body->u.at + (rigid ? i : source->at[i]);
        entries[i] = coupling_entry(velocity, u, &coupling->n);
        if (rigid) {
            columns[entries[i]] = side * TWIST_SIZE + body->kind->body->twist[i];
        }
    }
    coupling->moving |= moving_components(source) << (side * TWIST_SIZE);
}

// Of two markers, the first reference's velocities being the first; swapped: the kernel takes them
// the other way round.
static Status make_coupling(const Builder* b, const Link* link, bool swapped, Coupling* coupling) {
    const int markers[ELEMENT_MAX_REFERENCES] = {link->marker_a, link->marker_b};
    int* numbers = ARENA_NEW(b->arena, 3 * COUPLING_MAX, int);
    if (numbers == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    int* u = numbers;
    int* columns = numbers + COUPLING_MAX;
    int* entries = numbers + 2 * COUPLING_MAX;
    bool rigid = true;
    *coupling = (Coupling){.u = u};
    for (int i = 0; i < ELEMENT_MAX_REFERENCES; i++) {
        const int side = swapped ? 1 - i : i;
        const FrameSource* source = source_of_marker(b, markers[side]);
        if (source != NULL) {
            couple_side(source, side, coupling, u, entries + i * POINT_MAX_VELOCITIES, columns);
            rigid = rigid && source->marker < 0;
        }
    }
    coupling->column = rigid ? columns : NULL;
    return STATUS_OK;
}

// --- links ---

static Link start_link(const Element* element) {
    return (Link){.element = element,
                  .name = element->name,
                  .rows = element->kind->rows,
                  .marker_a = element->markers[0],
                  .marker_b = element->markers[1],
                  .bound = -1,
                  .y = element->y};
}

// Forces and joints need something to act on, and joints two different bodies.
static void check_link(const Builder* b, const Element* element) {
    const Element* first = body_of(b, element->references[0]);
    const Element* second = body_of(b, element->references[1]);
    const bool movable = (first != NULL && first->u.n > 0) || (second != NULL && second->u.n > 0);
    if (first != NULL && first == second) {
        ELEMENT_ERROR(b, element, "<%s> connects two points of the same body, %s",
                      element->kind->tag, first->name);
    } else if (!movable) {
        ELEMENT_ERROR(b, element, "<%s> acts on nothing that can move", element->kind->tag);
    }
}

// Finds the rows of two shapes that touch, and takes their markers in the order of these; false
// after an error.
static bool find_rows(const Builder* b, bool planar, bool* swapped, Link* link) {
    const Element* element = link->element;
    if (element->references[0] < 0 || element->references[1] < 0) {
        return false;  // reported by whoever made the elements
    }
    const Element* first = &b->elements[element->references[0]];
    const Element* second = &b->elements[element->references[1]];
    link->rows = contact_rows_find(first->kind->shape, second->kind->shape, planar, swapped);
    if (link->rows == NULL) {
        ELEMENT_ERROR(b, element,
                      "a <%s> and a <%s> cannot be in contact: one of the two must be a <point>, "
                      "<circle> or <sphere>",
                      first->kind->tag, second->kind->tag);
        return false;
    }
    if (*swapped) {
        const int marker = link->marker_a;
        link->marker_a = link->marker_b;
        link->marker_b = marker;
    }
    return true;
}

// "name[1]" ... for contacts of shapes with corners
static const char* link_name(const Builder* b, const Element* contact, int i) {
    enum { ROOM = 16 };
    const size_t n = strlen(contact->name) + ROOM;
    char* name = ARENA_NEW(b->arena, n, char);
    if (contact->n_links == 1 || name == NULL) {
        return contact->name;
    }
    (void)snprintf(name, n, "%s[%d]", contact->name, i + 1);
    return name;
}

static Status connect_contact(const Builder* b, const Element* contact, int i, Link* link) {
    System* sys = b->sys;
    const int second = contact->references[1];
    const int n_second = second >= 0 ? marker_count(b->elements[second].kind) : 1;
    bool swapped = false;
    *link = start_link(contact);
    link->marker_a += i / n_second;
    link->marker_b += i % n_second;
    link->name = link_name(b, contact, i);
    link->y = (Range){contact->y.at + i * contact->kind->n_outputs, contact->kind->n_outputs};
    if (find_rows(b, contact->kind->spatial != NULL, &swapped, link)) {
        link->la = (Range){sys->nla_c, link->rows->n_rows};
        sys->nla_c += link->rows->n_rows;
    }
    const Status status = make_coupling(b, link, swapped, &link->coupling);
    return status;
}

// A joint's own rows, or those of two shapes that roll on each other: normal and tangential ones.
static Status connect_joint(const Builder* b, const Element* joint, Link* link) {
    System* sys = b->sys;
    int n_rows = 0;
    bool swapped = false;
    *link = start_link(joint);
    if (link->rows != NULL) {
        n_rows = link->rows->n_rows;
    } else {
        const bool planar = !refers_to_space(b, joint);
        n_rows = find_rows(b, planar, &swapped, link) ? (planar ? 2 : 3) : 0;
    }
    link->la = (Range){sys->nla_g, n_rows};
    sys->nla_g += n_rows;
    sys->nonholonomic = sys->nonholonomic || (n_rows > 0 && link->rows->n_position_rows < n_rows);
    const Status status = make_coupling(b, link, swapped, &link->coupling);
    return status;
}

// The friction of a joint: its outputs are the last of the joint.
static Status connect_friction(const Builder* b, const Element* joint, Link* link) {
    System* sys = b->sys;
    *link = start_link(joint);
    link->rows = joint->kind->friction;
    link->bound = joint->p.at + joint->kind->friction_bound;
    link->la = (Range){sys->nla_c, 1};
    link->y =
        (Range){joint->y.at + joint->y.n - N_JOINT_FRICTION_OUTPUTS, N_JOINT_FRICTION_OUTPUTS};
    sys->nla_c++;
    const Status status = make_coupling(b, link, false, &link->coupling);
    return status;
}

static Status connect_force(const Builder* b, const Element* element, Link* link) {
    System* sys = b->sys;
    const bool state_dependent = element->kind->force->state_dependent;
    *link = start_link(element);
    sys->position_dependent = sys->position_dependent || state_dependent;
    sys->velocity_dependent = sys->velocity_dependent || state_dependent;
    return make_coupling(b, link, false, &link->coupling);
}

// Contacts come first among the laws, then friction in joints.
static Status connect_links(const Builder* b) {
    System* sys = b->sys;
    Link* force = ARENA_NEW(b->arena, sys->n_forces, Link);
    Link* joint = ARENA_NEW(b->arena, sys->n_joints, Link);
    Link* contact = ARENA_NEW(b->arena, sys->n_laws, Link);
    if (force == NULL || joint == NULL || contact == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    Link* friction = contact + sys->n_contacts;
    sys->forces = force;
    sys->joints = joint;
    sys->laws = contact;
    Status status = STATUS_OK;
    for (int i = 0; i < b->n && status == STATUS_OK; i++) {
        const Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        if (role == ROLE_FORCE || role == ROLE_JOINT || role == ROLE_CONTACT) {
            check_link(b, element);
        }
        if (role == ROLE_FORCE) {
            status = connect_force(b, element, force++);
        } else if (role == ROLE_JOINT) {
            status = connect_joint(b, element, joint++);
        }
        for (int k = 0; role == ROLE_CONTACT && k < element->n_links && status == STATUS_OK; k++) {
            status = connect_contact(b, element, k, contact++);
        }
        if (element->kind->friction != NULL && status == STATUS_OK) {
            status = connect_friction(b, element, friction++);
        }
    }
    return status;
}

Status system_connect(Element* elements, const double* p, const Expression* const* signals,
                      Arena* arena, Report* report, System* sys) {
    const Builder b = {.elements = elements,
                       .n = sys->n_elements,
                       .p = p,
                       .arena = arena,
                       .report = report,
                       .sys = sys};
    sys->signals = signals;
    number_coordinates(&b);
    Status status = make_frames(&b);
    if (status == STATUS_OK) {
        status = connect_links(&b);
    }
    return status == STATUS_OK ? assemblies_find(sys, arena, &sys->assemblies) : status;
}
