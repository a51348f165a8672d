// Positions moved, as little as possible in the metric of the masses, to where the joints hold and
// chosen gaps are not negative: PR (60) with N = M^-1. At the start of a motion, and at the end of
// the steps of projected schemes.
#pragma once

#include "schemes/workspace.h"

// What becomes of the gap of a contact
typedef enum GapLaw {
    GAP_FREE,  // it takes no part
    GAP_KEPT,  // 0 <= g complementary to tau + pull >= 0
} GapLaw;

typedef struct Projection {
    ContactSet contacts;  // of those whose gaps are kept
    GapLaw* gaps;         // (n_contacts)
    double* pull;         // (n_contacts) the most by which a gap is pulled closed, 0: not at all
    double tolerance;     // of joints, relative to the size of the mechanism
    double* d;            // (nu) displacement, M d = W_g tau_g + W tau
    double* tau_g;        // (nla_g)
    double* tau;          // (n_contacts)
    double* r;            // (nu) M d - W_g tau_g - W tau
    double corrected;     // the largest violation without the displacement, in units of what is
                          // allowed, as last seen
    int iterations;       // since it began: linear problems with a matrix of their own
} Projection;

// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status projection_create(const System* sys, Arena* arena, Projection* projection);
// No displacement
void projection_begin(const System* sys, double tolerance, Projection* projection);
// q (nq) = q_0 moved by a part of d; the same to the last digit if d is zero
void projection_displace(const System* sys, const Projection* projection, double part,
                         const double* q_0, double* q);

// The following work where the instant and w->joints have been evaluated. s: parameters and inputs.

// Do joints and gaps hold, with a displacement that is right to the tolerance?
bool projection_holds(const System* sys, const Workspace* w, const Instant* end,
                      Projection* projection);
// By how much the gap of an active law of projection->contacts does not, as it was seen last; at
// most zero: it holds
double projection_gap_error(const Projection* projection, const ActiveLaw* active);
// One linear problem: the displacement with which joints and gaps hold where positions move on by a
// change (nu) that is to come. It stays if it is zero and they hold without. near: the matrix whose
// factors are at hand will do; otherwise its own are made. STATUS_NO_ROOM and what the
// factorisation says.
MUST_CHECK Status projection_improve(const System* sys, Workspace* w, const Instant* end,
                                     const double* change, bool near, Projection* projection);
// Improves d until everything holds, and moves end->q, which is q_0 (nq) displaced by d, with it.
// STATUS_NO_CONVERGENCE where it makes no more progress, STATUS_NO_ROOM and what the factorisation
// says.
MUST_CHECK Status projection_solve(const System* sys, const State* s, Workspace* w,
                                   const double* q_0, Instant* end, Projection* projection);
