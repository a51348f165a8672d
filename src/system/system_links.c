// Connects forces, joints and contacts to the bodies they act on: couplings, rows and their
// numbers.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "elements/contact.h"
#include "elements/joints.h"
#include "system/coupling.h"
#include "system/system_builder.h"

// --- couplings ---

static const FrameSource* source_of_marker(const Builder* b, int marker) {
    const System* sys = b->sys;
    const Element* element = sys->marker_elements[marker];
    if (element == NULL) {
        return NULL;  // the ground's origin
    }
    const Element* body = element->parent >= 0 ? &b->elements[element->parent] : element;
    const int frame = element->frame + (has_points(body) ? marker - element->marker : 0);
    return frame < sys->n_frames ? &sys->frames[frame] : NULL;
}

// Of two markers, the first reference's velocities being the first; swapped: the kernel takes them
// the other way round.
static Status make_coupling(const Builder* b, const Link* link, bool swapped, Coupling* coupling) {
    int* u = ARENA_NEW(b->arena, COUPLING_MAX, int);
    int* others = ARENA_NEW(b->arena, 2 * COUPLING_MAX, int);
    if (u == NULL || others == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    const FrameSource* sources[] = {source_of_marker(b, link->marker_a),
                                    source_of_marker(b, link->marker_b)};
    coupling_make(sources, swapped, COUPLING_MAX, u, others, coupling);
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

// The tags of all shapes that one of this type can meet: "<line>, <ring> or <curve>"
static const char* partners(ShapeType type, bool planar, TextBuffer* text) {
    for (int i = 0; i < n_contact_pairs; i++) {
        const ContactPair* pair = &contact_pairs[i];
        if (contact_pair_meets(pair, planar) && (pair->first == type || pair->second == type)) {
            const ShapeType other = pair->first == type ? pair->second : pair->first;
            text_add(text, text->n > 0 ? ", " : "");
            text_add(text, shape_type_tags(other, planar));
        }
    }
    return text->text != NULL ? text->text : "nothing";
}

// Says that two shapes do not meet, and what they could meet.
static void refuse_pair(const Builder* b, const Element* element, const ElementKind* first,
                        const ElementKind* second, bool planar) {
    TextBuffer of_first = {0};
    TextBuffer of_second = {0};
    const char* first_meets = partners(first->shape, planar, &of_first);
    const char* second_meets = partners(second->shape, planar, &of_second);
    if (first->shape == second->shape) {
        ELEMENT_ERROR(b, element,
                      "a <%s> and a <%s> cannot meet %s: they would go through each other. A <%s> "
                      "meets %s",
                      first->tag, second->tag, planar ? "in the plane" : "in space", first->tag,
                      first_meets);
    } else {
        ELEMENT_ERROR(b, element,
                      "a <%s> and a <%s> cannot meet %s: they would go through each other. A <%s> "
                      "meets %s; a <%s> meets %s",
                      first->tag, second->tag, planar ? "in the plane" : "in space", first->tag,
                      first_meets, second->tag, second_meets);
    }
    text_buffer_free(&of_first);
    text_buffer_free(&of_second);
}

// Finds the rows of two shapes that touch, and takes their markers in the order of these; false
// after an error.
static bool find_rows(const Builder* b, bool planar, bool* swapped, Link* link) {
    const Element* element = link->element;
    if (element->references[0] < 0 || element->references[1] < 0) {
        return false;  // reported by whoever made the elements
    }
    const ElementKind* first = b->elements[element->references[0]].kind;
    const ElementKind* second = b->elements[element->references[1]].kind;
    link->rows = contact_rows_find(first->shape, second->shape, planar, swapped);
    if (link->rows == NULL) {
        const bool is_first =  // of the links that the element stands for
            link->marker_a == element->markers[0] && link->marker_b == element->markers[1];
        if (is_first) {
            refuse_pair(b, element, first, second, planar);
        }
        return false;
    }
    if (*swapped) {
        const int marker = link->marker_a;
        link->marker_a = link->marker_b;
        link->marker_b = marker;
    }
    return true;
}

// "name[1]" ... for contacts of shapes with corners; "name[3,1]" of one that is repeated
static const char* link_name(const Builder* b, const Element* contact, int i) {
    enum { ROOM = 16 };
    const size_t n = strlen(contact->name) + ROOM;
    char* name = ARENA_NEW(b->arena, n, char);
    if (contact->n_links == 1 || name == NULL) {
        return contact->name;
    }
    const size_t n_own = strlen(contact->name);
    const bool indexed = n_own > 0 && contact->name[n_own - 1] == ']';
    (void)snprintf(name, n, "%.*s%c%d]", (int)(indexed ? n_own - 1 : n_own), contact->name,
                   indexed ? ',' : '[', i + 1);
    return name;
}

static Status connect_contact(const Builder* b, const Element* contact, int i, Link* link) {
    System* sys = b->sys;
    const int second = contact->references[1];
    const int n_second = second >= 0 ? b->elements[second].n_markers : 0;
    bool swapped = false;
    *link = start_link(contact);
    link->marker_a += n_second > 0 ? i / n_second : 0;
    link->marker_b += n_second > 0 ? i % n_second : 0;
    link->name = link_name(b, contact, i);
    link->y = (Range){contact->y.at + i * contact->kind->n_outputs, contact->kind->n_outputs};
    for (int j = 0; j < N_CONTACT_PARAMETERS; j++) {
        link->p[j] = contact->p.at + j;
    }
    if (find_rows(b, contact->kind->spatial != NULL, &swapped, link)) {
        link->la = (Range){sys->nla_c, link->rows->n_rows};
        sys->nla_c += link->rows->n_rows;
        for (int j = 0; j < ELEMENT_MAX_REFERENCES; j++) {
            const Element* shape = &b->elements[contact->references[j]];
            sys->curved = sys->curved || shape->kind->shape == SHAPE_CURVE;
        }
    }
    const Status status = make_coupling(b, link, swapped, &link->coupling);
    return status;
}

// What rolls touches in one point.
static void refuse_corners(const Builder* b, const Element* joint) {
    for (int i = 0; i < ELEMENT_MAX_REFERENCES; i++) {
        const int shape = joint->references[i];
        if (shape >= 0 && b->elements[shape].n_markers > 1) {
            ELEMENT_ERROR(b, joint, "a <%s> does not roll: it touches in more than one point",
                          b->elements[shape].kind->tag);
        }
    }
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
        const bool planar = !builder_refers_to_space(b, joint);
        n_rows = find_rows(b, planar, &swapped, link) ? (planar ? 2 : 3) : 0;
        refuse_corners(b, joint);
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

// A load along a line acts at markers of its own.
static Status connect_force(const Builder* b, const Element* element, int i, Link* link) {
    System* sys = b->sys;
    const bool state_dependent = element->kind->force->state_dependent;
    *link = start_link(element);
    link->marker_a = element->n_markers > 0 ? element->marker + i : link->marker_a;
    sys->position_dependent = sys->position_dependent || state_dependent;
    sys->velocity_dependent = sys->velocity_dependent || state_dependent;
    return make_coupling(b, link, false, &link->coupling);
}

// A gauge needs a body that has cross sections.
static void check_sensor(const Builder* b, const Element* element) {
    const Element* body = body_of(b, element->references[0]);
    if (element->kind->of_section && body != NULL && body->kind->role == ROLE_BODY &&
        body->kind->body->section == NULL) {
        ELEMENT_ERROR(b, element, "a <%s> stands on a beam, not on a <%s>", element->kind->tag,
                      body->kind->tag);
    }
}

// Contacts come first among the laws, then friction in joints.
Status builder_connect_links(const Builder* b) {
    System* sys = b->sys;
    Link* force = ARENA_NEW(b->arena, sys->n_forces, Link);
    Link* joint = ARENA_NEW(b->arena, sys->n_joints, Link);
    Link* contact = ARENA_NEW(b->arena, sys->n_laws, Link);
    const Element** sensor = ARENA_NEW(b->arena, sys->n_sensors, const Element*);
    if (force == NULL || joint == NULL || contact == NULL || sensor == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    sys->sensors = sensor;
    Link* friction = contact + sys->n_contacts;
    sys->forces = force;
    sys->joints = joint;
    sys->laws = contact;
    sys->n_fixed = sys->n_contacts;
    Status status = STATUS_OK;
    for (int i = 0; i < b->n && status == STATUS_OK; i++) {
        const Element* element = &b->elements[i];
        const ElementRole role = element->kind->role;
        if ((role == ROLE_FORCE || role == ROLE_JOINT || role == ROLE_CONTACT) &&
            !kind_names_groups(element->kind)) {
            check_link(b, element);
        }
        for (int k = 0; role == ROLE_FORCE && k < element->n_links && status == STATUS_OK; k++) {
            status = connect_force(b, element, k, force++);
        }
        if (role == ROLE_JOINT) {
            status = connect_joint(b, element, joint++);
        } else if (role == ROLE_SENSOR) {
            check_sensor(b, element);
            *sensor++ = element;
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
