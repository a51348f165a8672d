// The array of contacts that were found, and that of the pairs of colliders that they are looked
// for between, whose order is that of the contacts, too.
#pragma once

#include <stddef.h>

#include "contacts/candidates.h"

// Room for n of an array; false if memory is short.
bool candidate_list_make_room(void** array, int* room, int n, size_t size);

// Appends one to what was found; false if memory is short.
bool candidate_list_add(Candidates* c, const FoundContact* contact);

// Appends a pair to those that are looked at; false if memory is short.
bool candidate_list_add_pair(Candidates* c, const NearPair* pair);

// Pairs in ascending order. They come so from each source, so that a few runs are merged. False if
// memory is short.
bool candidate_list_sort_pairs(Candidates* c);
