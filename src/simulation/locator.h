// What it takes to find the impacts within a step, locate.h.
#pragma once

#include "schemes/impact.h"

typedef struct Locator {
    Impact impact;
    bool* held;          // (n_contacts) open ones, which do not act until they close
    bool* candidates;    // (n_contacts) of those, that close within a part
    double* g_0;         // (n_contacts) gaps at the start of a part
    void* start;         // (size of a state at most) at the start of a part
    size_t n_start;      // bytes in it
    double *P, *La;      // (nla_c) percussions of the step so far, by row of all laws
    double *P_g, *La_g;  // (nla_g)
} Locator;

// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status locator_create(const System* sys, StateRoom room, const State* s, Arena* arena,
                                 Locator* locator);
