// Everything at one instant: time, coordinates and velocities with what follows from them. An
// instant owns its arrays, so that any number of them can be used side by side.
#pragma once

#include "system/properties.h"
#include "system/state.h"

typedef struct Instant {
    double t;
    double* q;      // (nq)
    double* u;      // (nu)
    Frame* frames;  // (n_frames + 1) the ground's is last
    double* T;      // (n_T) rows of the twists of points on bodies that are not rigid
    Jet* signals;   // (n_signals)
    Jet* symbols;   // (n_user_parameters + n_inputs)
    Jet* moving;    // (likewise, if there are motions) as signals that prescribe positions see them
    const Properties* properties;
    long long version;  // of the properties for which frames were evaluated; 0: not yet
} Instant;

// Takes the arrays from the arena.
MUST_CHECK Status instant_create(const System* sys, const Properties* properties, Arena* arena,
                                 Instant* instant);

// Signals and frames at the instant's own t, q and u, with the parameters and inputs of s.
void instant_evaluate(const System* sys, const State* s, Instant* instant);

// The frames alone, from the instant's own q, u and signals.
void instant_evaluate_frames(const System* sys, Instant* instant);

// The frames after u alone has changed.
void instant_evaluate_velocities(const System* sys, Instant* instant);

// Signals alone: frames are not those of q and u then.
void instant_evaluate_signals(const System* sys, const State* s, Instant* instant);

// A signal, or a time derivative of one that its element uses, that is not finite; signal -1: none
typedef struct SignalFault {
    int signal;
    int order;  // 0: the value itself
    double value;
} SignalFault;
// The first one at t, with the parameters and inputs of s; constants: among those that never
// change, too. The instant lends its symbols.
SignalFault instant_find_fault(const System* sys, const State* s, double t, bool constants,
                               Instant* scratch);

// Both at (t, q, u), which become the instant's own. Frames of bodies whose q and u are those that
// they were evaluated for, by any of these functions, are left as they are.
void instant_set(const System* sys, const State* s, double t, const double* q, const double* u,
                 Instant* instant);
