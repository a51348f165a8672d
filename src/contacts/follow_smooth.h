// Contacts on smooth curves keep their records while they travel along the curve.
#pragma once

#include "contacts/candidates.h"

// Records of the state that are of places on smooth curves (feature_key_is_place) get the ids of
// the contacts nearest to these places among those that were found, each once; the others stay.
void follow_smooth(const System* sys, const Properties* properties, const Candidates* c, State* s);
