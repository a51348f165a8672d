// What contacts exert on bodies and shapes, for the sensors that tell it.
#pragma once

#include "base/arena.h"
#include "system/system.h"

// Does some sensor want to know of this contact?
bool contact_loads_want(const System* sys, const Link* contact);

// Adds the forces and impulses of a contact, with its rows at an instant, to the loads (n_loads) of
// the sensors that it is for.
void contact_loads_add(const System* sys, const Instant* instant, const Link* contact,
                       const Rows* rows, const ContactRecord* record, ContactLoad* loads);
