// The array of contacts that were found, and its order.
#pragma once

#include <stddef.h>

#include "contacts/candidates.h"

// Room for n of an array; false if memory is short.
bool candidate_list_make_room(void** array, int* room, int n, size_t size);

// Appends one to what was found; false if memory is short.
bool candidate_list_add(Candidates* c, const FoundContact* contact);

// By ascending id. Contacts come in order from each source, so that a few runs are merged. False if
// memory is short.
bool candidate_list_sort(Candidates* c);

// The colliders of a feature's first and second side
static inline int found_first(const FoundContact* contact) {
    return contact->feature.swapped ? contact->b : contact->a;
}
static inline int found_second(const FoundContact* contact) {
    return contact->feature.swapped ? contact->a : contact->b;
}
