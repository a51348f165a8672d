// Everything that tells where a motion is, in one block without pointers: a snapshot is a memcpy.
#pragma once

#include <stddef.h>

typedef struct System System;

typedef enum Phase {
    PHASE_SET_UP,   // all parameters may be set, there is no motion
    PHASE_STARTED,  // at the start of the motion
    PHASE_MOVING,
} Phase;

typedef struct StateHead {
    unsigned long long fingerprint[2];  // of the model, for snapshots that come back
    double t_0;                         // t = t_0 + n dt
    long long n;
    double dt;  // present internal step
    double t_start;
    double residual;  // of the last step, relative
    double last_impact_time;
    double worst_residual, worst_penetration;  // so far
    long long iterations, contact_iterations;  // of the last step, attempts that failed included
    long long n_steps, n_iterations, n_failed;
    // steps with dependent force directions, with pivoting or sweeps, with shortened updates, and
    // divided ones
    long long n_regularised, n_swept, n_damped, n_retried;
    // energy balance, schemes/energy.h; sums since the start
    double energy_start;  // kinetic and potential
    double dissipated_by_impact, dissipated_by_friction, dissipated_by_damping;
    double input_work;
    double potential_before;  // potential energy before parameters or inputs were
    long long changed;        // set since the last step
    long long n_smooth;       // steps since a contact changed its state or there was an impact
    long long phase;          // Phase
    long long failure;        // Status of the last failed step
} StateHead;

typedef struct State {
    StateHead* head;
    double* q;              // (nq)
    double* u;              // (nu)
    double* P_g;            // (nla_g) percussions of joints of the last step
    double* g_N;            // (n_laws) at the present time
    double* gamma;          // (nla_c) g_N_dot, gamma_F at the present time
    double* P;              // (nla_c) P_N, P_F of the last step
    double* contact_state;  // (n_laws) ContactState; friction in joints is never open
    // What the percussions of the last step are made of, GA (36): forces at the present time and
    // impulses; and the accelerations and auxiliary variables that generalized-alpha goes on from.
    double* la_g;         // (nla_g) forces of joints
    double* La_g;         // (nla_g) impulses of joints
    double* la;           // (nla_c) contact forces
    double* La;           // (nla_c) contact impulses
    double* a;            // (nu) accelerations
    double* a_bar;        // (nu) GA (71)
    double* la_g_bar;     // (nla_g)
    double* la_bar;       // (nla_c) GA (96), (114)
    double* a_change;     // (nu) change over the last step: a first guess for the next
    double* la_g_change;  // (nla_g)
    double* la_change;    // (nla_c)
    double* p;            // (n_parameters)
    double* input;        // (n_inputs) value when set
    double* input_slope;  // (n_inputs)
    double* input_time;   // (n_inputs) when set
    size_t size;          // bytes of the block, which begins at head
} State;

size_t state_size(const System* sys);
// Lays a state over a block of state_size bytes, aligned for doubles.
State state_view(const System* sys, void* block);

static inline double state_time(const State* s) {
    return s->head->t_0 + (double)s->head->n * s->head->dt;
}
