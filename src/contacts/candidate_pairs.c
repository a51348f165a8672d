#include "contacts/candidate_pairs.h"

#include <stdlib.h>

static int compare_pairs(const void* a, const void* b) {
    const long long first = *(const long long*)a;
    const long long second = *(const long long*)b;
    return (first > second) - (first < second);
}

static bool contains(const long long* pairs, int n, long long pair) {
    return n > 0 && bsearch(&pair, pairs, (size_t)n, sizeof pair, compare_pairs) != NULL;
}

// The collider of a side of a fixed contact, or -1; first (n_elements): those of each shape, -1:
// none
static int collider_of(const System* sys, const int* first, int marker) {
    const Element* shape = sys->marker_elements[marker];
    int i = shape != NULL ? first[shape - sys->elements] : -1;
    while (i >= 0 && i < sys->n_colliders && sys->colliders[i].shape == shape) {
        if (sys->colliders[i].marker < 0 || sys->colliders[i].marker == marker) {
            return i;
        }
        i++;
    }
    return -1;
}

static Status list_fixed(const System* sys, Arena* arena, Candidates* c) {
    const ArenaMark mark = arena_mark(arena);
    int* first = ARENA_NEW(arena, sys->n_elements, int);
    if (first == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_elements; i++) {
        first[i] = -1;
    }
    for (int i = sys->n_colliders - 1; i >= 0; i--) {
        first[sys->colliders[i].shape - sys->elements] = i;
    }
    for (int k = 0; k < sys->n_fixed; k++) {
        const int a = collider_of(sys, first, sys->laws[k].marker_a);
        const int b = collider_of(sys, first, sys->laws[k].marker_b);
        if (a >= 0 && b >= 0) {
            c->declared[c->n_declared++] = found_id_pair(a, b);
        }
    }
    arena_return(arena, mark);
    return STATUS_OK;
}

// Pairs of which a <contact> tells: groups leave them alone.
static Status list_declared(const System* sys, Arena* arena, Candidates* c) {
    if (sys->n_groups == 0) {
        return STATUS_OK;
    }
    size_t n = (size_t)sys->n_fixed;
    for (int i = 0; i < sys->n_meetings; i++) {
        n += (size_t)sys->meetings[i].first.n * (size_t)sys->meetings[i].second.n;
    }
    c->declared = ARENA_NEW(arena, n, long long);
    if (c->declared == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_meetings; i++) {
        const Meeting* meeting = &sys->meetings[i];
        for (int a = 0; a < meeting->first.n; a++) {
            for (int b = 0; b < meeting->second.n; b++) {
                c->declared[c->n_declared++] =
                    found_id_pair(meeting->first.at + a, meeting->second.at + b);
            }
        }
    }
    const Status status = list_fixed(sys, arena, c);
    qsort(c->declared, (size_t)c->n_declared, sizeof *c->declared, compare_pairs);
    return status;
}

// Bodies by their elements, from 1; the ground, which need not be written, is 0.
static long long body_number(const System* sys, const Element* body) {
    const bool ground = body == NULL || (body->u.n == 0 && body->kind->n_signals == 0);
    return ground ? 0 : 1 + (body - sys->elements);
}

static const Element* body_of(const System* sys, int marker) {
    const Element* element = sys->marker_elements[marker];
    return element != NULL && element->parent >= 0 ? &sys->elements[element->parent] : element;
}

static Status list_joined(const System* sys, Arena* arena, Candidates* c) {
    c->joined = ARENA_NEW(arena, sys->n_joints, long long);
    if (c->joined == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < sys->n_joints; i++) {
        c->joined[c->n_joined++] =
            found_id_pair(body_number(sys, body_of(sys, sys->joints[i].marker_a)),
                          body_number(sys, body_of(sys, sys->joints[i].marker_b)));
    }
    qsort(c->joined, (size_t)c->n_joined, sizeof *c->joined, compare_pairs);
    return STATUS_OK;
}

Status candidate_pairs_list(const System* sys, Arena* arena, Candidates* c) {
    const Status status = list_declared(sys, arena, c);
    return status == STATUS_OK ? list_joined(sys, arena, c) : status;
}

static bool are_joined(const Candidates* c, const Element* first, const Element* second) {
    return contains(c->joined, c->n_joined,
                    found_id_pair(body_number(c->sys, first), body_number(c->sys, second)));
}

const Element* candidate_pairs_contacts(const Candidates* c, int a, int b) {
    const System* sys = c->sys;
    const Collider* first = &sys->colliders[a];
    const Collider* second = &sys->colliders[b];
    const Element* contacts =
        sys->group_contacts[(first->group - 1) * sys->n_groups + second->group - 1];
    const Element* first_body = collider_body(sys, first);
    const Element* second_body = collider_body(sys, second);
    const bool points = first->shape->kind->shape == SHAPE_POINT &&
                        second->shape->kind->shape == SHAPE_POINT;  // they pass each other
    if (contacts == NULL || points || first_body == second_body ||
        (first_body->u.n == 0 && second_body->u.n == 0) ||
        (c->n_joined > 0 && !contacts_join(contacts, sys->p_start) &&
         are_joined(c, first_body, second_body)) ||
        contains(c->declared, c->n_declared, found_id_pair(a, b))) {
        return NULL;
    }
    return contacts;
}

bool candidates_can_meet(const Candidates* c, const Element* contacts) {
    const System* sys = c->sys;
    long long left = 10000000;  // pairs that are looked at: a fraction of a second
    for (int a = 0; a < sys->n_colliders; a++) {
        for (int b = a + 1; b < sys->n_colliders && sys->colliders[a].group > 0; b++) {
            if (--left < 0 ||
                (sys->colliders[b].group > 0 && candidate_pairs_contacts(c, a, b) == contacts)) {
                return true;
            }
        }
    }
    return false;
}
