// Which pairs of shapes may meet: not those of one body, nor of bodies that a joint connects unless
// these are asked to; groups leave alone what a <contact> names.
#pragma once

#include "contacts/candidates.h"

// Lists what is declared and what is joined: once, when candidates are created.
// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status candidate_pairs_list(const System* sys, Arena* arena, Candidates* c);

// The contacts that let two colliders of groups meet, or NULL
const Element* candidate_pairs_contacts(const Candidates* c, int a, int b);
