// Numbers coordinates, parameters, rows and outputs, and connects forces, joints and contacts to
// the bodies they act on.
#include <stdio.h>
#include <string.h>

#include "elements/bodies.h"
#include "elements/joints.h"
#include "elements/settings.h"
#include "reader/reader.h"

// --- plane or space ---

static bool is_spatial_body(const Element* element) {
    return element->kind->role == ROLE_BODY && element->kind->body->spatial;
}

// Does the element stand on, or is it, a body of space? What does not move by itself goes with the
// others.
static bool is_spatial(const Reader* reader, int index, bool any_spatial) {
    const Element* element = &reader->elements[index];
    const Element* body =
        element->kind->role == ROLE_SHAPE ? &reader->elements[element->parent] : element;
    return is_spatial_body(body) ||
           (body->kind->body->nu == 0 && body->kind->body->flexible == NULL && any_spatial);
}

static bool refers_to_space(const Reader* reader, int index) {
    const Element* element = &reader->elements[index];
    bool spatial = false;
    for (int i = 0; i < element->kind->n_references; i++) {
        const int target =
            find_reference(reader, reader->nodes[index], element->kind->references[i].name);
        const ElementRole role = target >= 0 ? reader->elements[target].kind->role : ROLE_SETTING;
        spatial = spatial ||
                  ((role == ROLE_BODY || role == ROLE_SHAPE) && is_spatial(reader, target, false));
    }
    return spatial;
}

void choose_variants(Reader* reader) {
    bool any_spatial = false;
    for (int i = 0; i < reader->n_elements; i++) {
        any_spatial = any_spatial || is_spatial_body(&reader->elements[i]);
    }
    for (int i = 0; i < reader->n_elements; i++) {
        Element* element = &reader->elements[i];
        const ElementRole role = element->kind->role;
        if (role == ROLE_BODY && element->kind->spatial != NULL && any_spatial) {
            element->kind = element->kind->spatial;
        }
        if (role == ROLE_SETTING || role == ROLE_BODY) {
            continue;
        }
        const bool spatial =
            role == ROLE_SHAPE ? is_spatial(reader, i, any_spatial) : refers_to_space(reader, i);
        if (spatial && element->kind->spatial != NULL) {
            element->kind = element->kind->spatial;
        } else if (!spatial && element->kind->spatial_only) {
            NODE_ERROR(reader, reader->nodes[i], "<%s> is for bodies of space", element->kind->tag);
        }
    }
}

// --- numbers ---

// How many coordinates a flexible body has: its structural parameters are constants.
static int flexible_count(Reader* reader, int index) {
    const ElementKind* kind = reader->elements[index].kind;
    double par[16] = {0.0};
    for (int i = 0; i < kind->n_parameters && i < 16; i++) {
        const ParameterInfo* info = &kind->parameters[i];
        if (info->structural) {
            par[i] = read_number(reader, reader->nodes[index], info->name, info->start, info->min,
                                 info->max);
            par[i] = par[i] >= info->min ? par[i] : info->min;  // after an error
        }
    }
    return kind->body->flexible->count(par);
}

static void number_body(Reader* reader, int index) {
    System* sys = &reader->model->system;
    Element* element = &reader->elements[index];
    const BodyFunctions* body = element->kind->body;
    const bool flexible = body->flexible != NULL;
    const int n = flexible ? flexible_count(reader, index) : 0;
    element->q = (Range){sys->nq, flexible ? n : body->nq};
    element->u = (Range){sys->nu, flexible ? n : body->nu};
    sys->nq += element->q.n;
    sys->nu += element->u.n;
    sys->n_mass += body->nu * body->nu;
    sys->flexible = sys->flexible || flexible;
    sys->turning = sys->turning || body->pull_back != NULL;
    sys->position_dependent = sys->position_dependent || flexible;
    sys->velocity_dependent = sys->velocity_dependent || body->gyroscopic != NULL;
    sys->driven = sys->driven || element->kind->n_signals > 0;
    if (element->kind != &ground_kind) {
        sys->n_bodies++;
        element->frame = sys->n_frames++;
    }
}

// Shapes have the frame of their body, on flexible bodies one of their own.
static void number_shape(Reader* reader, Element* element) {
    const Element* body = &reader->elements[element->parent];
    element->frame =
        body->kind->body->flexible != NULL ? reader->model->system.n_frames++ : body->frame;
}

static int marker_count(const ElementKind* kind) {
    return kind->n_markers > 0 ? kind->n_markers : 1;
}

// A contact of shapes with corners stands for one of each pair of points.
static int link_count(const Reader* reader, int index) {
    const ElementKind* kind = reader->elements[index].kind;
    int n = 1;
    for (int i = 0; i < kind->n_references && kind->role == ROLE_CONTACT; i++) {
        const int target = find_reference(reader, reader->nodes[index], kind->references[i].name);
        n *= target >= 0 ? marker_count(reader->elements[target].kind) : 1;
    }
    return n;
}

void number_elements(Reader* reader) {
    System* sys = &reader->model->system;
    sys->n_parameters = sys->n_user_parameters;
    for (int i = 0; i < reader->n_elements; i++) {
        Element* element = &reader->elements[i];
        const ElementKind* kind = element->kind;
        element->p = (Range){sys->n_parameters, kind->n_parameters};
        element->signals = (Range){sys->n_signals, kind->n_signals};
        element->n_links = link_count(reader, i);
        element->y = (Range){sys->n_outputs, kind->n_outputs * element->n_links};
        sys->n_parameters += kind->n_parameters;
        sys->n_signals += kind->n_signals;
        sys->n_outputs += element->y.n;
        if (kind->role == ROLE_BODY) {
            number_body(reader, i);
        } else if (kind->role == ROLE_SHAPE) {
            number_shape(reader, element);
        }
        if (kind->role == ROLE_BODY || kind->role == ROLE_SHAPE) {
            element->marker = sys->n_markers;
            sys->n_markers += marker_count(kind);
        }
        sys->n_forces += kind->role == ROLE_FORCE;
        sys->n_joints += kind->role == ROLE_JOINT;
        sys->n_contacts += kind->role == ROLE_CONTACT ? element->n_links : 0;
        sys->n_laws += kind->role == ROLE_CONTACT ? element->n_links : kind->friction != NULL;
        sys->gravity = kind == &gravity_kind ? element->p.at : sys->gravity;
        sys->solver = kind == &solver_kind ? element->p.at : sys->solver;
    }
    sys->n_markers++;  // the ground's origin, even if the file has no <ground>
    for (int i = 0; i < reader->n_elements; i++) {
        Element* element = &reader->elements[i];
        const bool shape = element->kind->role == ROLE_SHAPE;
        const Element* body = shape ? &reader->elements[element->parent] : element;
        if (body->kind == &ground_kind) {
            element->frame = sys->n_frames;
        }
    }
}

// The node of a flexible body on which a shape stands.
static void find_node(Reader* reader, int index) {
    Element* shape = &reader->elements[index];
    const Element* body = &reader->elements[shape->parent];
    const FlexibleFunctions* flexible = body->kind->body->flexible;
    double par[16] = {0.0};
    for (int i = 0; i < body->p.n && i < 16; i++) {
        par[i] = reader->parameters[body->p.at + i].start;
    }
    shape->node = flexible->node_at(par, body->q.n, reader->parameters[shape->p.at].start);
    if (shape->node < 0) {
        NODE_ERROR(reader, reader->nodes[index],
                   "%s stands between the nodes of %s: expected x at one of them", shape->name,
                   body->name);
        shape->node = 0;
    }
}

// --- connections ---

static const Element* body_of(const Reader* reader, int target) {
    if (target < 0) {
        return NULL;
    }
    const Element* element = &reader->elements[target];
    return element->kind->role == ROLE_SHAPE ? &reader->elements[element->parent] : element;
}

static Link make_link(const Reader* reader, int index) {
    const Element* element = &reader->elements[index];
    Link link = {.element = element,
                 .name = element->name,
                 .rows = element->kind->rows,
                 .marker_a = element->markers[0],
                 .marker_b = element->markers[1],
                 .bound = -1,
                 .y = element->y};
    for (int side = 0; side < ELEMENT_MAX_REFERENCES; side++) {
        const Element* body = body_of(reader, element->references[side]);
        if (body != NULL && body->kind->body->flexible != NULL) {  // one component, of its node
            link.coupling.u[link.coupling.n] =
                body->u.at + reader->elements[element->references[side]].node;
            link.coupling.column[link.coupling.n++] = side * TWIST_SIZE;
            continue;
        }
        for (int i = 0; body != NULL && i < body->u.n; i++) {
            const int k = link.coupling.n++;
            link.coupling.u[k] = body->u.at + i;
            link.coupling.column[k] = side * TWIST_SIZE + body->kind->body->twist[i];
        }
    }
    return link;
}

// Forces and joints need something to act on, and joints two different bodies.
static void check_link(Reader* reader, int index, const Link* link) {
    const Element* element = link->element;
    const Element* a = body_of(reader, element->references[0]);
    const Element* b = body_of(reader, element->references[1]);
    if (a != NULL && a == b) {
        NODE_ERROR(reader, reader->nodes[index], "<%s> connects two points of the same body, %s",
                   element->kind->tag, a->name);
    } else if (link->coupling.n == 0) {
        NODE_ERROR(reader, reader->nodes[index], "<%s> acts on nothing that can move",
                   element->kind->tag);
    }
}

static void swap_sides(Link* link) {
    const int marker = link->marker_a;
    link->marker_a = link->marker_b;
    link->marker_b = marker;
    for (int k = 0; k < link->coupling.n; k++) {
        link->coupling.column[k] = (link->coupling.column[k] + TWIST_SIZE) % LOCAL_SIZE;
    }
}

// Finds the rows of two shapes that touch; false after an error.
static bool connect_shapes(Reader* reader, int index, bool planar, Link* link) {
    const Element* element = link->element;
    if (element->references[0] < 0 || element->references[1] < 0) {
        return false;  // reported before
    }
    const Element* first = &reader->elements[element->references[0]];
    const Element* second = &reader->elements[element->references[1]];
    bool swap;
    link->rows = contact_rows_find(first->kind->shape, second->kind->shape, planar, &swap);
    if (link->rows == NULL) {
        NODE_ERROR(reader, reader->nodes[index],
                   "a <%s> and a <%s> cannot be in contact: one of the two must be a <point>, "
                   "<circle> or <sphere>",
                   first->kind->tag, second->kind->tag);
        return false;
    }
    if (swap) {
        swap_sides(link);
    }
    return true;
}

// "name[1]" ... for contacts of shapes with corners
static const char* link_name(Reader* reader, const Element* contact, int i) {
    enum { ROOM = 16 };
    const size_t n = strlen(contact->name) + ROOM;
    char* name = ARENA_NEW(reader->arena, n, char);
    if (contact->n_links == 1 || name == NULL) {
        return contact->name;
    }
    (void)snprintf(name, n, "%s[%d]", contact->name, i + 1);
    return name;
}

static void connect_contact(Reader* reader, int index, int i, Link* link) {
    System* sys = &reader->model->system;
    const Element* contact = link->element;
    const int second = contact->references[1];
    const int n_second = second >= 0 ? marker_count(reader->elements[second].kind) : 1;
    link->marker_a += i / n_second;
    link->marker_b += i % n_second;
    link->name = link_name(reader, contact, i);
    link->y = (Range){contact->y.at + i * contact->kind->n_outputs, contact->kind->n_outputs};
    if (connect_shapes(reader, index, link->element->kind->spatial != NULL, link)) {
        link->la = (Range){sys->nla_c, link->rows->n_rows};
        sys->nla_c += link->rows->n_rows;
    }
}

// A joint's own rows, or those of two shapes that roll on each other: normal and tangential ones.
static void connect_joint(Reader* reader, int index, Link* link) {
    System* sys = &reader->model->system;
    int n_rows = 0;
    if (link->rows != NULL) {
        n_rows = link->rows->n_rows;
    } else {
        const bool planar = !refers_to_space(reader, index);
        n_rows = connect_shapes(reader, index, planar, link) ? (planar ? 2 : 3) : 0;
    }
    link->la = (Range){sys->nla_g, n_rows};
    sys->nla_g += n_rows;
    sys->nonholonomic = sys->nonholonomic || (n_rows > 0 && link->rows->n_position_rows < n_rows);
}

// The friction of a joint: its outputs are the last of the joint.
static void connect_friction(Reader* reader, int index, Link* link) {
    System* sys = &reader->model->system;
    const Element* joint = &reader->elements[index];
    *link = make_link(reader, index);
    link->rows = joint->kind->friction;
    link->bound = joint->p.at + joint->kind->friction_bound;
    link->la = (Range){sys->nla_c, 1};
    link->y =
        (Range){joint->y.at + joint->y.n - N_JOINT_FRICTION_OUTPUTS, N_JOINT_FRICTION_OUTPUTS};
    sys->nla_c++;
}

static void connect_element(Reader* reader, int index, Link* force, Link* joint, Link* contact) {
    System* sys = &reader->model->system;
    const Element* element = &reader->elements[index];
    const Link link = make_link(reader, index);
    if (element->kind->role == ROLE_FORCE) {
        *force = link;
        check_link(reader, index, force);
        const bool state_dependent = element->kind->force->state_dependent;
        sys->position_dependent = sys->position_dependent || state_dependent;
        sys->velocity_dependent = sys->velocity_dependent || state_dependent;
    } else if (element->kind->role == ROLE_JOINT) {
        *joint = link;
        check_link(reader, index, joint);
        connect_joint(reader, index, joint);
    } else {
        check_link(reader, index, &link);
        read_contact_materials(reader, index);
        for (int i = 0; i < element->n_links; i++) {
            contact[i] = link;
            connect_contact(reader, index, i, &contact[i]);
        }
    }
}

Status connect_elements(Reader* reader) {
    System* sys = &reader->model->system;
    Arena* arena = reader->arena;
    const Element** bodies = ARENA_NEW(arena, sys->n_bodies, const Element*);
    const Element** frames = ARENA_NEW(arena, sys->n_frames, const Element*);
    const Element** markers = ARENA_NEW(arena, sys->n_markers, const Element*);
    Link* forces = ARENA_NEW(arena, sys->n_forces, Link);
    Link* joints = ARENA_NEW(arena, sys->n_joints, Link);
    Link* contacts = ARENA_NEW(arena, sys->n_laws, Link);
    Link* frictions = contacts != NULL ? contacts + sys->n_contacts : NULL;
    if (bodies == NULL || frames == NULL || markers == NULL || forces == NULL || joints == NULL ||
        contacts == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    sys->elements = reader->elements;
    sys->n_elements = reader->n_elements;
    sys->bodies = bodies;
    sys->frame_elements = frames;
    sys->marker_elements = markers;
    sys->forces = forces;
    sys->joints = joints;
    sys->laws = contacts;
    sys->signals = reader->signals;
    for (int i = 0; i < reader->n_elements; i++) {
        const Element* element = &reader->elements[i];
        const ElementRole role = element->kind->role;
        read_element_values(reader, i);
        if (role == ROLE_BODY || role == ROLE_SHAPE) {
            for (int j = 0; j < marker_count(element->kind); j++) {
                markers[element->marker + j] = element;
            }
            if (role == ROLE_BODY && element->kind != &ground_kind) {
                *bodies++ = element;
                frames[element->frame] = element;
            } else if (role == ROLE_SHAPE &&
                       reader->elements[element->parent].kind->body->flexible != NULL) {
                frames[element->frame] = element;
                find_node(reader, i);
            }
            continue;
        }
        if (role == ROLE_SETTING) {
            continue;
        }
        read_references(reader, i);
        connect_element(reader, i, forces, joints, contacts);
        if (element->kind->friction != NULL) {
            connect_friction(reader, i, frictions++);
        }
        forces += role == ROLE_FORCE;
        joints += role == ROLE_JOINT;
        contacts += role == ROLE_CONTACT ? element->n_links : 0;
    }
    return STATUS_OK;
}
