// What is tried with one internal step before it is given up.
#pragma once

#include "simulation/simulation_struct.h"

// How a step is to be made
typedef struct Manner {
    bool lenient;  // parts of the shortest kind may be solved as inexactly as a last attempt
    int depth;     // it is divided into halves so many times, whether it has to be or not
} Manner;

// What it took to make one internal step, over all its attempts and parts.
typedef struct Effort {
    Manner manner;
    long long iterations, contact_iterations, projection_iterations, activation_iterations;
    long long located;  // impacts
    double residual;
    bool regularised, swept, inexact, inelastic, damped, halved;
    bool backed_up;  // the state before the step is in the simulation's backup
    bool moved;      // parts have been made, so that a step that fails has to go back
    bool no_gap;  // a contact had no gap at the end of a part that was solved; the message says so
    bool no_energy;  // or the work of forces grew beyond all numbers
    // of the last attempt that failed
    bool unsolvable;
    double failed_residual;
    WorstLink worst[N_WORST];
} Effort;

// A part of an internal step
typedef struct Interval {
    double t, t_1, dt;
    const double* u_start;  // (nu) velocities right after t
    const bool* held_open;  // (n_contacts) StepInput.held_open
} Interval;

// An internal step, with all that is tried: on failure the state is as it was before it.
MUST_CHECK Status attempt_step(Simulation* simulation, const Interval* step, Effort* effort);

// --- for locate.c ---

// Takes note of the state at the start of a part.
void attempt_begin_part(Simulation* simulation, const Interval* part);
// A part by Newton's method, then with damped updates; on failure the state is as it was.
MUST_CHECK Status attempt_part(Simulation* simulation, const Interval* part, Effort* effort,
                               SolveInfo* info);
// Adds to the sums of the motion what a part that was solved has done. STATUS_NOT_FINITE if it
// leads nowhere.
MUST_CHECK Status attempt_end_part(Simulation* simulation, const Interval* part,
                                   const SolveInfo* info, Effort* effort);
// A part and its end; where it fails, in halves, and so on.
MUST_CHECK Status attempt_halves(Simulation* simulation, const Interval* part, Effort* effort);
// Saves the state before the step, unless that has been done.
void attempt_back_up(Simulation* simulation, Effort* effort);
