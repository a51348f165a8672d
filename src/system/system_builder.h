// What the files that build a System share.
#pragma once

#include "elements/bodies.h"
#include "system/system_build.h"

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

// The body that an element is or stands on; NULL: the ground, which need not be written
static inline const Element* body_of(const Builder* b, int target) {
    if (target < 0) {
        return NULL;
    }
    const Element* element = &b->elements[target];
    return element->kind->role == ROLE_SHAPE ? &b->elements[element->parent] : element;
}

// Does each marker on the body have a frame of its own?
static inline bool has_points(const Element* body) { return body->kind->body->point != NULL; }

static inline int marker_count(const ElementKind* kind) {
    return kind->n_markers > 0 ? kind->n_markers : 1;
}

// Does a force, joint or contact refer to a body of space?
bool builder_refers_to_space(const Builder* b, const Element* element);

// system_links.c: forces, joints and laws, after frames and markers are there
MUST_CHECK Status builder_connect_links(const Builder* b);
