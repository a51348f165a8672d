// Positions moved, as little as possible in the metric of the masses, to where the joints hold and
// chosen gaps are not negative: PR (60) with N = M^-1. At the start of a motion, and at the end of
// the steps of projected schemes.
#pragma once

#include "schemes/workspace.h"

// What becomes of the gap of a contact
typedef enum GapLaw {
    GAP_FREE,       // it takes no part
    GAP_NOT_BELOW,  // 0 <= g, with a displacement only where g = 0
    GAP_CLOSED,     // g = 0
} GapLaw;

typedef struct Projection {
    ContactSet contacts;  // of those whose gaps are kept
    GapLaw* gaps;         // (n_contacts)
    double* q_0;          // (nq) before
    double* d;            // (nu) displacement
    double rests;         // the last change of d, relative to d, that will do
    int iterations;       // so far
} Projection;

// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status projection_create(const System* sys, Arena* arena, Projection* projection);

// Moves end->q and evaluates the instant there; projection->d is the displacement, zero if
// everything holds already. s: parameters and inputs. STATUS_NO_CONVERGENCE, STATUS_NO_ROOM and
// what the factorisation says.
MUST_CHECK Status projection_solve(const System* sys, const State* s, Workspace* w, Instant* end,
                                   Projection* projection);
