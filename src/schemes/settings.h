// The element <solver>: parameters of the schemes, and what they report.
#pragma once

#include "elements/element.h"
#include "schemes/scheme.h"

enum {
    SOLVER_SCHEME,
    SOLVER_STEP_SIZE,
    SOLVER_THETA,
    SOLVER_ACTIVATION,
    SOLVER_FORECAST,
    SOLVER_SPECTRAL_RADIUS,
    SOLVER_TOLERANCE,
    SOLVER_MAXIMUM_ITERATIONS,
    SOLVER_PROX_PARAMETER,
    SOLVER_PROJECT_START,
    N_SOLVER
};
// Values of SOLVER_ACTIVATION
enum { ACTIVATION_EXPLICIT = 1, ACTIVATION_FREE };

// What the solver reports, in the order of its outputs.
typedef struct SolverOutputs {
    double iterations, contact_iterations, residual, penetration, joint_violation,
        joint_velocity_violation, steps, total_iterations, regularised_steps, swept_steps,
        inexact_steps, damped_steps, retried_steps, failed_steps, last_impact_time;
} SolverOutputs;

extern const ElementKind solver_kind;

// From its parameters par (N_SOLVER): how a step's iteration and its contact problems end.
Convergence solver_convergence(const double* par, Attempt attempt);
ContactSolverOptions solver_contact_options(const double* par);
