// Everything that tells where a motion is, without pointers, so that a snapshot is a copy. What
// contacts keep from step to step is a list by key that grows and shrinks with the contacts that
// have something to keep; what a scheme alone keeps is its own part, whose meaning it alone knows.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "elements/contact.h"
#include "system/motion.h"

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
    double dt;       // present internal step
    double pending;  // how far the user's time is ahead of t: too little for a step of its own
    double t_start;
    double residual;  // of the last step, relative
    double last_impact_time;
    double worst_residual, worst_penetration;  // so far
    // of the last step, attempts that failed included
    long long iterations, contact_iterations, projection_iterations, activation_iterations;
    long long n_steps, n_iterations, n_contact_iterations, n_failed;
    long long n_regularised;  // steps with dependent force directions
    long long n_swept;        // steps with contact problems left to the rungs after Newton's method
    long long n_inexact;      // steps accepted above the tolerance
    long long n_inelastic;    // steps with impacts made without restitution
    long long n_damped;       // steps with shortened updates
    long long n_retried;      // steps that were divided
    long long n_located;      // impacts within steps
    // energy balance, schemes/energy.h; sums since the start
    double energy_start;     // kinetic and potential
    double largest_kinetic;  // energy so far, where steps that add energy are divided
    double dissipated_by_impact, dissipated_by_friction, dissipated_by_damping;
    double input_work;
    double potential_before;  // if changed: the potential energy as it was before
    long long changed;        // 1: parameters or inputs have been set since the last step
    long long moving;         // 1: motions are not all at rest at the values of their symbols
    long long phase;          // Phase
    long long failure;        // Status of the last failed step
    long long n_records;      // of contacts
    long long n_own;          // doubles in the scheme's own part
    long long n_own_contact;  // doubles in the scheme's own part of each record
} StateHead;

// A contact that is found while bodies move keeps its identity as long as the same features of the
// same shapes touch; in ascending order by pair, then by feature.
typedef struct FoundId {
    long long pair;     // of colliders
    long long feature;  // of the pair
} FoundId;
// The pair of two colliders, in either order, and the first (0) or second of them
static inline long long found_id_pair(long long a, long long b) {
    return a < b ? (a << 32 | b) : (b << 32 | a);
}
static inline int found_id_collider(FoundId id, int i) {
    return (int)(i == 0 ? id.pair >> 32 : id.pair & 0xFFFFFFFFLL);
}

// What a contact, or the friction of a joint, keeps from step to step. One without a record is open
// and has no forces.
typedef struct ContactRecord {
    long long key;                // the number of its law in the system
    FoundId id;                   // tells the law whatever its number (found_laws.h)
    long long state;              // ContactState; friction in joints is never open
    double P[CONTACT_MAX_ROWS];   // percussions P_N, P_F of the last step: those of the forces la
                                  // over its length and the impulses La, GA (36)
    double la[CONTACT_MAX_ROWS];  // forces at the present time
    double La[CONTACT_MAX_ROWS];  // impulses of the last step
} ContactRecord;

// What the contacts that an element has found did in the last step, all together.
typedef struct FoundTotal {
    double n_closed;
    double penetration;      // the largest
    double normal, impulse;  // sums of normal forces and of impulses
    double friction[3];      // vector sum of the friction forces on the first body, or group
    double force[3];         // and of all forces
} FoundTotal;

// What contacts that are found exerted on a body, or on a shape of it, in the last step: force and
// torque at the present time and their impulses, in components of the world; torques are about the
// point of the sensor (LoadSensor.marker).
typedef struct ContactLoad {
    Vec3 force, torque, impulse, angular_impulse;
} ContactLoad;

typedef struct State {
    StateHead* head;
    double* q;     // (nq)
    double* u;     // (nu)
    double* P_g;   // (nla_g) percussions of joints of the last step
    double* la_g;  // (nla_g) forces of joints at the present time
    double* La_g;  // (nla_g) impulses of joints of the last step
    // what can be set: four arrays, one after the other, and a copy of them
    double* input;           // (n_inputs) value when set
    double* input_slope;     // (n_inputs)
    double* input_sloped;    // (n_inputs) 1: slopes have been given, which it follows
    double* p;               // (n_parameters) the open ones, and behind what is kept the others
    double* last;            // (3 n_inputs + n_open) the four as they were in the last step
    double* input_time;      // (n_inputs) when set
    double* work;            // (n_works) that elements have done since the start
    FoundTotal* totals;      // (n_totals) of contacts that are found
    ContactLoad* loads;      // (n_loads) of contacts that are found
    Motion* motions;         // (n_motions) of inputs and parameters that prescribe positions
    double* own;             // (n_own) of the scheme
    ContactRecord* records;  // (n_records) by ascending key
    double* own_contact;     // (n_records x n_own_contact) of the scheme, record by record
    size_t n_fixed;          // bytes from head up to the end of the open parameters
} State;

// The most that a scheme may keep.
typedef struct StateRoom {
    int n_own, n_own_contact;
} StateRoom;

// The same state in other memory, which has room for all of it.
void state_copy(const State* from, State* to);

// Memory for a state with a record of every law. whole: with all parameters, as they are in
// sys->p_start; otherwise it has room for the open ones alone, and serves to keep a state.
// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status state_create(const System* sys, StateRoom room, bool whole, Arena* arena,
                               State* s);

// The bytes of a state as it is, their copy, and a state from the copy (of n bytes).
// STATUS_NOT_ALLOWED, and nothing changed, if they are no state of this system. Parameters that
// follow from the open ones are as they were: state_same_parameters tells whether they still do.
size_t state_saved_size(const State* s);
// The most that state_saved_size can be.
size_t state_saved_limit(const System* sys, StateRoom room, const State* s);
void state_save(const State* s, void* bytes);
MUST_CHECK Status state_restore(const System* sys, StateRoom room, const void* bytes, size_t n,
                                State* s);
// Does a state of this system in bytes have the open parameters of s?
bool state_same_parameters(const System* sys, const void* bytes, const State* s);

// Has something been set to another value since the last step? It is taken note of.
bool state_take_values(const System* sys, State* s);

// The record of a law, or NULL.
const ContactRecord* state_record(const State* s, int law);

// The same, and a new one of an open contact, of which the scheme keeps zeros, if there is none.
ContactRecord* state_make_record(int law, State* s);
// Record i becomes number n <= i, of another law; those between are lost.
void state_move_record(long long i, long long n, int law, State* s);
// Two records change places, not the laws that are their keys.
void state_swap_records(long long i, long long j, State* s);
// Percussions of the last step: P and La (nla_c), by row, become those of the records.
void state_set_percussions(const System* sys, const double* P, const double* La, State* s);

static inline ContactState record_state(const ContactRecord* record) {
    return record != NULL ? (ContactState)record->state : CONTACT_OPEN;
}

static inline double state_time_after(const State* s, long long n_steps) {
    return s->head->t_0 + (double)(s->head->n + n_steps) * s->head->dt;
}
static inline double state_time(const State* s) { return state_time_after(s, 0); }
