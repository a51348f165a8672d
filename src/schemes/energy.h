// The energy balance of a motion: what impacts, friction and dampers have taken and what applied
// forces, drives and driven frames have put in, summed up over the internal steps.
#pragma once

#include "base/arena.h"
#include "schemes/scheme.h"

// A force as it was at the start of a step. Elements that store energy put work in through their
// driven ends, the others do on all they act on but driven frames.
typedef struct ForceRecord {
    const Link* link;
    double sign;                          // of the work of the sides that count as input
    bool counts[ELEMENT_MAX_REFERENCES];  // does this side?
    double F[LOCAL_SIZE];                 // forces on the two frames
    double damping[LOCAL_SIZE];           // the part of them that damps
    double twist[LOCAL_SIZE];             // velocities of the two frames
} ForceRecord;

// Velocities that the bodies alone give to the rows of a link with a prescribed motion, at the
// start of a step.
typedef struct DrivenRecord {
    const Link* link;
    double rate[MAX_ROWS];  // W^T u
    double speed;           // of a drive: that of its row, driven frames included
} DrivenRecord;

// What a step has to remember of its start. No more than scratch: the sums are in the state.
typedef struct EnergyRecord {
    double* gamma;        // (nla_c)
    ForceRecord* forces;  // (n_forces) those that are not conservative by nature
    int n_forces;
    DrivenRecord* joints;  // (n_joints) drives, and joints to driven frames
    int n_joints;
    DrivenRecord* laws;  // (n_laws) contacts with, and friction against, driven frames
    int n_laws;
    long long laws_version;  // of the system's numbering
    bool damped;             // there are bodies that can have damping of their own
    double power;            // that these take
    bool evaluates;          // there are any of these
} EnergyRecord;

// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status energy_create(const System* sys, Arena* arena, EnergyRecord* record);

// Starts the sums with the motion at (t, s).
void energy_start(const System* sys, double t, State* s, Workspace* w);

// Before and after parameters or inputs change at (t, s), as often as one likes until the next
// step: the potential energy may jump with them, which counts as input. A change that is taken back
// leaves no trace.
void energy_before_change(const System* sys, double t, State* s, Workspace* w);
void energy_after_change(const System* sys, double t, State* s, Workspace* w);
// What such a change has put in, the potential energy now being V.
double energy_of_change(const StateHead* head, double V);

// Can the next step change input_work and dissipated_by_damping?
bool energy_takes_work(const StateHead* head, const EnergyRecord* record);

// Takes note of (t, s) at the start of a step, and adds what the step to (t, s), of length dt, has
// done.
void energy_begin_step(const System* sys, double t, State* s, Workspace* w, EnergyRecord* record);
void energy_end_step(const System* sys, double t, double dt, const SolveInfo* info, State* s,
                     Workspace* w, const EnergyRecord* record);
