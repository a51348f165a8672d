// What the files that build a System share.
#pragma once

#include "elements/bodies.h"
#include "system/system_build.h"

typedef struct Builder {
    Element* elements;  // (n)
    int n;
    const double* p;  // (n_parameters) start values; NULL: not known yet
    Arena* arena;
    Arena* scratch;  // of what is needed while the system is built alone
    Report* report;
    System* sys;
} Builder;

#define ELEMENT_ERROR(builder, element, ...) \
    report_add((builder)->report, SEVERITY_ERROR, (element)->place, __VA_ARGS__)

// The body that an element is or stands on; NULL: the ground, which need not be written
static inline const Element* body_of(const Builder* b, int target) {
    if (target < 0) {
        return NULL;
    }
    const Element* element = &b->elements[target];
    while (element->parent >= 0) {  // from a vertex to its shape, from there to the body
        element = &b->elements[element->parent];
    }
    return element;
}

// Does each marker on the body have a frame of its own?
static inline bool has_points(const Element* body) { return body->kind->body->point != NULL; }

// Of an element with several markers
static inline MarkerView marker_view(const Builder* b, const Element* element) {
    const Element* body = &b->elements[element->parent];
    return (MarkerView){.par = b->p + element->p.at,
                        .body = body->kind->body,
                        .body_par = b->p + body->p.at,
                        .n = element->n_markers};
}

// Does a force, joint or contact refer to a body of space?
bool builder_refers_to_space(const Builder* b, const Element* element);

// colliders.c: are the contacts of this <contact>, or group, found while bodies move? Then what can
// meet is listed, after frames and links are there, and there is room for some.
bool builder_is_found(const Builder* b, const Element* element);
MUST_CHECK Status builder_list_colliders(const Builder* b);

// contact_loads.c: sensors of what contacts exert
MUST_CHECK Status builder_list_load_sensors(const Builder* b);

// system_links.c: forces, joints and laws, after frames and markers are there
MUST_CHECK Status builder_connect_links(const Builder* b);
