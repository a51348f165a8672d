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
    double tolerance;     // of joints, relative to the size of the mechanism
    bool moves;           // something would be violated without the displacement
    double* q_0;          // (nq) before
    double* d;            // (nu) displacement, M d = W_g tau_g + W tau
    double* tau_g;        // (nla_g)
    double* tau;          // (n_contacts)
    double* r;            // (nu) scratch
    bool displaced;       // d is not zero: what is not displaced stays as it is to the last digit
    bool guessed;         // d is a guess of the scheme, which has to be improved
    int iterations;       // so far: linear problems
} Projection;

// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status projection_create(const System* sys, Arena* arena, Projection* projection);
// Forgets the displacement.
void projection_begin(const System* sys, double tolerance, Projection* projection);

// Moves end->q by d and evaluates the instant and w->joints there. d and its multipliers are a
// first guess: those of the last projection since it began, say, from a position near this one. s:
// parameters and inputs. STATUS_NO_CONVERGENCE, STATUS_NO_ROOM and what the factorisation says.
MUST_CHECK Status projection_solve(const System* sys, const State* s, Workspace* w, Instant* end,
                                   Projection* projection);
