// The array of contacts that were found, and that of the pairs of colliders that they are looked
// for between, whose order is that of the contacts, too.
#pragma once

#include <stddef.h>

#include "contacts/candidates.h"

// Room for n of an array; false if memory is short.
bool candidate_list_make_room(void** array, int* room, int n, size_t size);

// In the order of what was found
static inline bool found_is_before(const FoundContact* a, const FoundContact* b) {
    return a->id.pair != b->id.pair ? a->id.pair < b->id.pair : a->id.feature < b->id.feature;
}

// Adds one to what was found, behind those of the same id: the last one, unless several <contact>
// name the same shapes. False if memory is short.
bool candidate_list_add(Candidates* c, const FoundContact* contact);

// Appends a pair to those that are looked at; false if memory is short.
bool candidate_list_add_pair(Candidates* c, const NearPair* pair);

// Pairs in ascending order. They come so from each source, so that a few runs are merged. False if
// memory is short.
bool candidate_list_sort_pairs(Candidates* c);
