// One mechanism that can be set up, stepped, read and put back: all that the command line and the
// FMI functions know of the mechanics.
//
// After simulation_create and simulation_reset a simulation is being set up: every parameter may be
// set, in any order. simulation_initialize checks whether they fit together and makes the start of
// a motion of them; until the first simulation_advance, simulation_set_up leads back from there to
// set others. From then on inputs and tunable parameters may be set between calls of
// simulation_advance.
//
// Nothing is allocated after simulation_create, but for scratch memory of contacts where more of
// them close than ever before, and for the factors of large matrices that are far from definite
// (linalg/saddle.h). A simulation is used by one thread at a time; different simulations share
// nothing.
#pragma once

#include <stdatomic.h>
#include <stddef.h>

#include "base/report.h"
#include "reader/model_files.h"
#include "simulation/variable.h"
#include "system/profile.h"

typedef struct Simulation Simulation;

// Health of the solution so far.
typedef struct SimulationStatistics {
    long long n_steps;               // internal steps completed
    long long n_iterations;          // Newton updates in them, attempts that failed included
    long long n_contact_iterations;  // of the contact solver, likewise
    long long n_regularised_steps;   // steps with dependent force directions
    long long n_swept_steps;         // steps with contact problems that Newton's method left
    long long n_inexact_steps;       // steps accepted above the tolerance
    long long n_inelastic_steps;     // steps with impacts made without restitution
    long long n_damped_steps;        // steps with shortened Newton updates
    long long n_retried_steps;       // steps that were divided
    long long n_failed_steps;        // calls of simulation_advance that gave up
    double worst_residual;           // of the accepted steps, relative
    double worst_penetration;        // m
} SimulationStatistics;

// Reads a model from its files (model_files_read), reporting every problem found. NULL if there was
// an error.
Simulation* simulation_create(const ModelFiles* files, Report* report);
void simulation_destroy(Simulation* simulation);

// The schemes that solver.scheme can choose, of any model
const EnumerationType* simulation_schemes(void);

const VariableTable* simulation_variables(const Simulation* simulation);
const ModelInfo* simulation_info(const Simulation* simulation);
SimulationStatistics simulation_statistics(const Simulation* simulation);
// Records from here on what steps cost; now: seconds of any clock that never goes back.
void simulation_profile_start(Simulation* simulation, double (*now)(void));
const Profile* simulation_profile(const Simulation* simulation);
double simulation_time(const Simulation* simulation);
// Why the last call that failed did so, in words, with the names of what was involved.
const char* simulation_message(const Simulation* simulation);

// Numeric values of every type (booleans 0 or 1, enumerations 1 ... n). Reading an output after a
// step computes all outputs once. Accelerations that do not exist, as contact laws may have no
// solution at an instant, read 0.
MUST_CHECK Status simulation_get(Simulation* simulation, int variable, double* value);
// Text of a string variable, valid until the next call that changes the simulation.
MUST_CHECK Status simulation_get_string(const Simulation* simulation, int variable,
                                        const char** text);
// False if the accelerations at the present time do not exist, once an output that follows from
// them has been read.
bool simulation_accelerations_exist(const Simulation* simulation);
// Checks causality, phase, finiteness and range (STATUS_NOT_ALLOWED, _NOT_FINITE, _OUT_OF_RANGE),
// once the motion has started also of parameters that are computed from others; on failure nothing
// changes.
MUST_CHECK Status simulation_set(Simulation* simulation, int variable, double value);
// n of them at once, which may depend on each other: all are set, or none.
MUST_CHECK Status simulation_set_all(Simulation* simulation, const int* variables,
                                     const double* values, int n);
// A real input is value + slope*(time since the call) from here on, until either is set again.
MUST_CHECK Status simulation_set_slope(Simulation* simulation, int variable, double slope);
// First time derivative of a real output or local at the present time, contact laws included.
MUST_CHECK Status simulation_get_derivative(Simulation* simulation, int variable, double* value);
// d(unknown)/d(known)·seed at the present time and state; known: input or tunable parameter.
// STATUS_NOT_AVAILABLE where it is not differentiable (a contact about to stick, slip or open).
MUST_CHECK Status simulation_directional_derivative(Simulation* simulation, const int* unknowns,
                                                    int n_unknowns, const int* knowns, int n_knowns,
                                                    const double* seed, double* derivative);
// The same before the first simulation_advance, where the known changes the start of the motion.
MUST_CHECK Status simulation_start_derivative(Simulation* simulation, const int* unknowns,
                                              int n_unknowns, const int* knowns, int n_knowns,
                                              const double* seed, double* derivative);

// Starts the motion at t_0 with the parameters set so far; reports contacts that start penetrating.
MUST_CHECK Status simulation_initialize(Simulation* simulation, double t_0, Report* report);
// Back to the phase of set-up with the values set so far, before the first simulation_advance.
void simulation_set_up(Simulation* simulation);
// Equations of the joints at the present time, and how many of them follow from the others; each of
// these is reported as a note with the joint's name.
typedef struct ConstraintSummary {
    int n_velocities;   // degrees of freedom without joints
    int n_constraints;  // equations on velocity level
    int n_redundant;
} ConstraintSummary;
MUST_CHECK Status simulation_constraints(Simulation* simulation, Report* report,
                                         ConstraintSummary* summary);
// Advances by a duration > 0 in internal steps: of solver.step_size if that divides the duration,
// else of the largest equal steps that are no longer. If a step cannot be solved the simulation
// stays at the last internal step that could (simulation_time tells which), every value of which
// is valid. cancel is polled between internal steps and may be NULL. STATUS_OUT_OF_RANGE, and
// nothing changed, if the duration cannot be divided into internal steps.
MUST_CHECK Status simulation_advance(Simulation* simulation, double duration,
                                     const atomic_int* cancel);
// From here on calls step(context) after each internal step, at its end; NULL: no more.
void simulation_watch_steps(Simulation* simulation, void (*step)(void* context), void* context);
// Called from there: simulation_advance ends with this internal step, and its duration there.
void simulation_stop(Simulation* simulation);
// Was there an impact in the last internal step?
bool simulation_had_impact(const Simulation* simulation);
// Reports impacts of the last steps that were made without restitution because the laws have no
// solution with it: a warning with the names of the contacts, each of which is told of once.
void simulation_report_impacts(Simulation* simulation, Report* report);
// Back to the phase of set-up with all start values.
void simulation_reset(Simulation* simulation);

// The whole state, parameters and inputs included, as bytes without pointers, in any phase. Their
// number changes with the contacts that are closed.
size_t simulation_snapshot_size(const Simulation* simulation);
void simulation_save(const Simulation* simulation, void* snapshot);
// STATUS_NOT_ALLOWED, and nothing changed, if the n bytes are not a snapshot of this model.
MUST_CHECK Status simulation_restore(Simulation* simulation, const void* snapshot, size_t n);
