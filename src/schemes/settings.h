// The element <solver>: parameters of the schemes, and what they report. Nothing of the schemes
// themselves, for the reader.
#pragma once

#include "elements/element.h"

enum {
    SOLVER_SCHEME,
    SOLVER_STEP_SIZE,
    SOLVER_THETA,
    SOLVER_ACTIVATION,
    SOLVER_FORECAST,
    SOLVER_KEEP_ACTIVE,
    SOLVER_SPECTRAL_RADIUS,
    SOLVER_ALPHA,
    SOLVER_STAGES,
    SOLVER_STAGE_FRICTION,
    SOLVER_TOLERANCE,
    SOLVER_MAXIMUM_ITERATIONS,
    SOLVER_PROX_PARAMETER,
    SOLVER_PROJECT_START,
    SOLVER_LOCATE_IMPACTS,
    SOLVER_MAXIMUM_LOCATED,
    SOLVER_CONE_LAW,
    SOLVER_CONE_METHOD,
    SOLVER_CONE_ITERATIONS,
    SOLVER_CONE_TOLERANCE,
    SOLVER_CONE_PROJECTION,
    SOLVER_RECOVERY_VELOCITY,
    SOLVER_THREADS,
    N_SOLVER
};
// Values of SOLVER_ACTIVATION
enum { ACTIVATION_EXPLICIT = 1, ACTIVATION_FREE };
// Values of SOLVER_ALPHA
enum { ALPHA_GENERALIZED = 1, ALPHA_HHT, ALPHA_NEWMARK };

// Values of SOLVER_STAGE_FRICTION
enum { STAGE_FRICTION_MOMENTS = 1, STAGE_FRICTION_STAGES };

// Values of SOLVER_CONE_LAW and SOLVER_CONE_METHOD
enum { CONE_LAW_COULOMB = 1, CONE_LAW_RELAXED };
enum { CONE_METHOD_SWEEPS = 1, CONE_METHOD_GRADIENT, CONE_METHOD_PLAIN_SWEEPS };

// What the solver reports, in the order of its outputs.
typedef struct SolverOutputs {
    double iterations, contact_iterations, projection_iterations, activation_iterations, residual,
        penetration, joint_violation, joint_velocity_violation, steps, total_iterations,
        regularised_steps, swept_steps, inexact_steps, inelastic_steps, damped_steps, retried_steps,
        failed_steps, last_impact_time, located_impacts;
} SolverOutputs;

extern const ElementKind solver_kind;
