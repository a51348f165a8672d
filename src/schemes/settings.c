// The list of schemes, and the element <solver> that chooses from it.
#include "schemes/settings.h"

#include <limits.h>
#include <math.h>

#include "base/crew.h"
#include "schemes/cone_complementarity.h"
#include "schemes/generalized_alpha.h"
#include "schemes/generalized_alpha_velocity.h"
#include "schemes/lobatto.h"
#include "schemes/moreau_jean.h"
#include "schemes/moreau_jean_projected.h"
#include "schemes/schatzman_paoli.h"
#include "schemes/velocity_step.h"

// New ones are added at the end: numbers that hosts have stored keep their meaning.
const Scheme schemes[] = {
    {.item = {"moreau_jean",
              "Moreau-Jean theta scheme: robust, first order, lets contacts penetrate by what "
              "a body moves in a step"},
     .room = velocity_step_room,
     .create = velocity_scratch_create,
     .start = moreau_jean_start,
     .step = moreau_jean_step},
    {.item = {"generalized_alpha",
              "nonsmooth generalized-alpha scheme: second order in smooth motion (first where the "
              "direction of sliding turns), no penetration, joints "
              "that hold on position, velocity and acceleration level"},
     .room = generalized_alpha_room,
     .create = generalized_alpha_create,
     .start = generalized_alpha_start,
     .jump = generalized_alpha_jump,
     .guards_energy = true,
     .step = generalized_alpha_step},
    {.item = {"moreau_jean_projected",
              "Moreau-Jean theta scheme whose positions are projected, after each step, to where "
              "joints hold and contacts do not penetrate; bodies that should rest may chatter"},
     .room = velocity_projected_room,
     .create = velocity_scratch_create,
     .start = moreau_jean_projected_start,
     .step = moreau_jean_projected_step},
    {.item = {"moreau_jean_combined",
              "Moreau-Jean theta scheme that makes every contact active that would penetrate, and "
              "projects positions to where joints hold and contacts that press are closed"},
     .room = velocity_projected_room,
     .create = velocity_scratch_create,
     .start = moreau_jean_projected_start,
     .step = moreau_jean_combined_step},
    {.item = {"generalized_alpha_velocity",
              "generalized-alpha scheme with joints and contacts on velocity level: damps high "
              "frequencies as chosen, first order with joints and contacts, contacts penetrate and "
              "joints drift as with moreau_jean"},
     .room = generalized_alpha_velocity_room,
     .create = velocity_scratch_create,
     .start = generalized_alpha_velocity_start,
     .jump = generalized_alpha_velocity_jump,
     .step = generalized_alpha_velocity_step},
    {.item = {"implicit_newmark",
              "fully implicit Newmark scheme with joints and contacts on velocity level: first "
              "order, damps most"},
     .room = implicit_newmark_room,
     .create = velocity_scratch_create,
     .start = implicit_newmark_start,
     .step = implicit_newmark_step},
    {.item = {"schatzman_paoli",
              "scheme of Schatzman and Paoli: joints hold and contacts without restitution do not "
              "penetrate, restitution acts over two steps; no friction"},
     .room = schatzman_paoli_room,
     .create = schatzman_paoli_create,
     .start = schatzman_paoli_start,
     .step = schatzman_paoli_step,
     .refuses = schatzman_paoli_refuses},
    {.item = {"lobatto",
              "Lobatto IIIA-IIIB scheme of stages s: order 2s - 2 in smooth motion, in contact and "
              "with joints, too; no penetration, joints that hold on position and velocity level"},
     .room = lobatto_room,
     .create = lobatto_create,
     .prepare = lobatto_prepare,
     .destroy = lobatto_destroy,
     .start = lobatto_start,
     .jump = lobatto_jump,
     .guards_energy = true,
     .step = lobatto_step},
    {.item = {"cone_complementarity",
              "half-implicit Euler scheme for thousands of contacts, solved without matrices to a "
              "budget of iterations: first order, contacts penetrate in proportion to what the "
              "budget leaves"},
     .room = cone_complementarity_room,
     .create = cone_complementarity_create,
     .start = cone_complementarity_start,
     .takes_jumps = true,
     .knows_work = true,
     .makes_impacts = true,
     .step = cone_complementarity_step},
};
enum { N_SCHEMES = sizeof schemes / sizeof schemes[0] };
const int n_schemes = N_SCHEMES;

static const EnumerationType scheme_type = {.name = "Scheme",
                                            .help = "time-stepping scheme",
                                            .items = &schemes[0].item,
                                            .stride = sizeof schemes[0],
                                            .n_items = N_SCHEMES};

StateRoom schemes_room(const System* sys) {
    StateRoom most = {0, 0};
    for (int i = 0; i < N_SCHEMES; i++) {
        const StateRoom room = schemes[i].room(sys);
        most.n_own = room.n_own > most.n_own ? room.n_own : most.n_own;
        most.n_own_contact =
            room.n_own_contact > most.n_own_contact ? room.n_own_contact : most.n_own_contact;
    }
    return most;
}

Convergence solver_convergence(const double* par, Attempt attempt) {
    // Relative to the motion: below what anybody sees, above what rounding and dependent force
    // directions leave; and what is better than no motion at all.
    static const double INEXACT = 1e-6;
    static const double INEXACT_AT_LAST = 1e-4;
    return (Convergence){.tolerance = par[SOLVER_TOLERANCE],
                         .inexact = attempt == ATTEMPT_LAST ? INEXACT_AT_LAST : INEXACT,
                         .maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS],
                         .best = INFINITY};
}

// Contact problems are solved to a fraction of the tolerance, so that the step can reach it.
ContactSolverOptions solver_contact_options(const double* par) {
    static const double FRACTION = 0.1;
    enum { SWEEPS_PER_ITERATION = 200 };
    const int maximum = (int)par[SOLVER_MAXIMUM_ITERATIONS];
    return (ContactSolverOptions){.tolerance = FRACTION * par[SOLVER_TOLERANCE],
                                  .maximum_iterations = maximum,
                                  .maximum_sweeps = maximum < INT_MAX / SWEEPS_PER_ITERATION
                                                        ? SWEEPS_PER_ITERATION * maximum
                                                        : INT_MAX};
}

static const EnumerationItem activations[] = {
    [ACTIVATION_EXPLICIT - 1] = {"explicit",
                                 "the gap at the start, moved on by the fraction forecast of the "
                                 "step at the speed that the contact has there"},
    [ACTIVATION_FREE - 1] = {"free",
                             "the gap at the end of the step as it would be without contacts, "
                             "under all other forces and with joints"},
};
enum { N_ACTIVATIONS = sizeof activations / sizeof activations[0] };
static const EnumerationType activation_type = {
    .name = "Activation",
    .help = "the gap that must be closed for a contact to be considered in a step",
    .items = activations,
    .n_items = N_ACTIVATIONS};

static const EnumerationItem alphas[] = {
    [ALPHA_GENERALIZED - 1] = {"generalized", "optimal for the given spectral radius"},
    [ALPHA_HHT - 1] = {"hht", "Hilber, Hughes and Taylor: spectral radius 0.5 to 1"},
    [ALPHA_NEWMARK - 1] = {"newmark", "the trapezoidal rule, which damps nothing"},
};
enum { N_ALPHAS = sizeof alphas / sizeof alphas[0] };
static const EnumerationType alpha_type = {.name = "Alpha",
                                           .help = "parameters of generalized_alpha_velocity",
                                           .items = alphas,
                                           .n_items = N_ALPHAS};

static const EnumerationItem stage_frictions[] = {
    [STAGE_FRICTION_MOMENTS - 1] = {"moments",
                                    "by the moments of the sliding velocity over the step: rolling "
                                    "and sliding in directions that turn keep the order"},
    [STAGE_FRICTION_STAGES - 1] = {"stages", "by the sliding velocity at each stage"},
};
enum { N_STAGE_FRICTIONS = sizeof stage_frictions / sizeof stage_frictions[0] };
static const EnumerationType stage_friction_type = {
    .name = "StageFriction",
    .help = "what friction at the stages of lobatto follows",
    .items = stage_frictions,
    .n_items = N_STAGE_FRICTIONS};

static const EnumerationItem cone_laws[] = {
    [CONE_LAW_COULOMB - 1] = {"coulomb", "Signorini's and Coulomb's laws"},
    [CONE_LAW_RELAXED - 1] = {"relaxed",
                              "the convex law of the cone complementarity problem: what slides "
                              "floats at a gap of friction coefficient times speed times step"},
};
enum { N_CONE_LAWS = sizeof cone_laws / sizeof cone_laws[0] };
static const EnumerationType cone_law_type = {.name = "ConeLaw",
                                              .help = "law of contact of cone_complementarity",
                                              .items = cone_laws,
                                              .n_items = N_CONE_LAWS};

static const EnumerationItem cone_methods[] = {
    [CONE_METHOD_SWEEPS -
     1] = {"sweeps",
           "projected Gauss-Seidel sweeps with momentum: the quickest one with both laws"},
    [CONE_METHOD_GRADIENT - 1] = {"gradient", "accelerated projected gradients: slower"},
    [CONE_METHOD_PLAIN_SWEEPS -
        1] = {"plain_sweeps", "sweeps without momentum: several times as many for a residual"},
};
enum { N_CONE_METHODS = sizeof cone_methods / sizeof cone_methods[0] };
static const EnumerationType cone_method_type = {
    .name = "ConeMethod",
    .help = "how cone_complementarity solves its problems",
    .items = cone_methods,
    .n_items = N_CONE_METHODS};

static const EnumerationItem choices[] = {{"no", "no"}, {"yes", "yes"}};
static const EnumerationType choice_type = {
    .name = "Choice", .help = "yes or no", .items = choices, .n_items = 2};

static const ParameterInfo solver_parameters[N_SOLVER] = {
    [SOLVER_SCHEME] = {.name = "scheme",
                       .help = "time-stepping scheme",
                       .type = VARIABLE_ENUMERATION,
                       .enumeration = &scheme_type,
                       .start = 1.0,
                       .min = 1.0,
                       .max = N_SCHEMES},
    [SOLVER_STEP_SIZE] = {.name = "step_size",
                          .help = "internal step; a communication step that it does not divide is "
                                  "split into the fewest equal steps that are no longer",
                          .unit = UNIT_SECOND,
                          .start = 1e-3,
                          .min = 1e-12,
                          .max = 1e6},
    [SOLVER_THETA] = {.name = "theta",
                      .help = "weight of the end of a step in the forces and velocities: 0.5 is of "
                              "second order in smooth motion and keeps energy, 1 damps",
                      .unit = UNIT_ONE,
                      .start = 0.5,
                      .min = 0.0,
                      .max = 1.0},
    [SOLVER_ACTIVATION] = {.name = "activation",
                           .help = "of moreau_jean, moreau_jean_projected, "
                                   "generalized_alpha_velocity and implicit_newmark: which gap "
                                   "must be closed for a contact to be considered in a step",
                           .type = VARIABLE_ENUMERATION,
                           .enumeration = &activation_type,
                           .start = ACTIVATION_EXPLICIT,
                           .min = 1.0,
                           .max = N_ACTIVATIONS},
    [SOLVER_FORECAST] = {.name = "forecast",
                         .help = "of explicit activation: a contact is considered in a step if its "
                                 "gap, moved on by this fraction of the step at its present "
                                 "speed, is closed",
                         .unit = UNIT_ONE,
                         .start = 0.5,
                         .min = 0.0,
                         .max = 2.0},
    [SOLVER_KEEP_ACTIVE] = {.name = "keep_active",
                            .help = "of schemes on velocity level: contacts that pressed in the "
                                    "last step are considered whatever the forecast says, so that "
                                    "rounding lets no resting body fall; no: as in the papers",
                            .type = VARIABLE_ENUMERATION,
                            .enumeration = &choice_type,
                            .start = 2.0,
                            .min = 1.0,
                            .max = 2.0},
    [SOLVER_SPECTRAL_RADIUS] =
        {.name = "spectral_radius",
         .help =
             "of generalized_alpha and generalized_alpha_velocity: what a step leaves of motion at "
             "infinite frequency; 1 keeps energy, 0 damps most",
         .unit = UNIT_ONE,
         .start = 0.5,
         .min = 0.0,
         .max = 1.0},
    [SOLVER_ALPHA] = {.name = "alpha",
                      .help = "of generalized_alpha_velocity: how its parameters follow from "
                              "spectral_radius",
                      .type = VARIABLE_ENUMERATION,
                      .enumeration = &alpha_type,
                      .start = ALPHA_GENERALIZED,
                      .min = 1.0,
                      .max = N_ALPHAS},
    [SOLVER_STAGES] = {.name = "stages",
                       .help = "of lobatto: stages s of a step; smooth motion is of order 2s - 2",
                       .type = VARIABLE_INTEGER,
                       .start = 3.0,
                       .min = 2.0,
                       .max = 5.0},
    [SOLVER_STAGE_FRICTION] = {.name = "stage_friction",
                               .help = "of lobatto: what friction at the stages follows",
                               .type = VARIABLE_ENUMERATION,
                               .enumeration = &stage_friction_type,
                               .start = STAGE_FRICTION_MOMENTS,
                               .min = 1.0,
                               .max = N_STAGE_FRICTIONS},
    [SOLVER_TOLERANCE] = {.name = "tolerance",
                          .help = "relative residual, in the norm of kinetic energy, below which a "
                                  "step counts as solved; of cone_complementarity: see "
                                  "cone_tolerance",
                          .unit = UNIT_ONE,
                          .start = 1e-10,
                          .min = 1e-14,
                          .max = 1e-2},
    [SOLVER_MAXIMUM_ITERATIONS] = {.name = "maximum_iterations",
                                   .help = "iterations after which a step is retried in smaller "
                                           "steps; of cone_complementarity: see "
                                           "cone_iterations",
                                   .type = VARIABLE_INTEGER,
                                   .start = 50.0,
                                   .min = 1.0,
                                   .max = 1e6},
    [SOLVER_PROX_PARAMETER] = {.name = "prox_parameter",
                               .help = "r of the prox functions in the contact solver, in units "
                                       "of mass; 0: taken from the diagonal of the Delassus "
                                       "matrix",
                               .unit = UNIT_KILOGRAM,
                               .start = 0.0,
                               .min = 0.0,
                               .max = 1e9},
    [SOLVER_PROJECT_START] = {.name = "project_start",
                              .help = "move the initial positions and velocities, as little as "
                                      "possible, to where the joints hold",
                              .type = VARIABLE_ENUMERATION,
                              .enumeration = &choice_type,
                              .start = 1.0,
                              .min = 1.0,
                              .max = 2.0},
    [SOLVER_LOCATE_IMPACTS] =
        {.name = "locate_impacts",
         .help = "divide a step where contacts close in it, so that impacts act at their own "
                 "instants: the order of the scheme goes through them; no: an impact acts at the "
                 "end of its step, with first order",
         .type = VARIABLE_ENUMERATION,
         .enumeration = &choice_type,
         .start = 1.0,
         .min = 1.0,
         .max = 2.0},
    [SOLVER_MAXIMUM_LOCATED] =
        {.name = "maximum_located_impacts",
         .help = "of locate_impacts: most impacts located in one internal step; behind them the "
                 "rest of it is made as without, which brings bodies to rest where impacts "
                 "accumulate",
         .type = VARIABLE_INTEGER,
         .start = 10.0,
         .min = 1.0,
         .max = 1e6},
    [SOLVER_CONE_LAW] = {.name = "cone_law",
                         .help = "of cone_complementarity: the law of contact",
                         .type = VARIABLE_ENUMERATION,
                         .enumeration = &cone_law_type,
                         .start = CONE_LAW_COULOMB,
                         .min = 1.0,
                         .max = N_CONE_LAWS},
    [SOLVER_CONE_METHOD] = {.name = "cone_method",
                            .help = "of cone_complementarity: how its problems are solved",
                            .type = VARIABLE_ENUMERATION,
                            .enumeration = &cone_method_type,
                            .start = CONE_METHOD_SWEEPS,
                            .min = 1.0,
                            .max = N_CONE_METHODS},
    [SOLVER_CONE_ITERATIONS] = {.name = "cone_iterations",
                                .help = "of cone_complementarity: most iterations in a step, and "
                                        "in each of its projections; what is left then is "
                                        "in solver.residual",
                                .type = VARIABLE_INTEGER,
                                .start = 100.0,
                                .min = 1.0,
                                .max = 1e6},
    [SOLVER_CONE_TOLERANCE] =
        {.name = "cone_tolerance",
         .help = "of cone_complementarity: residual at which iterations end, relative to the mean "
                 "motion of a body, in the norm of kinetic energy",
         .unit = UNIT_ONE,
         .start = 1e-4,
         .min = 0.0,
         .max = 1.0},
    [SOLVER_CONE_PROJECTION] =
        {.name = "cone_projection",
         .help = "of cone_complementarity: move bodies, after each step, to where contacts do not "
                 "penetrate and joints hold, without giving them a velocity; no: a velocity takes "
                 "penetrations back, solver.recovery_velocity at most",
         .type = VARIABLE_ENUMERATION,
         .enumeration = &choice_type,
         .start = 2.0,
         .min = 1.0,
         .max = 2.0},
    [SOLVER_RECOVERY_VELOCITY] = {.name = "recovery_velocity",
                                  .help = "of cone_complementarity without cone_projection: the "
                                          "largest velocity at which shapes that penetrate are "
                                          "moved apart; it adds energy",
                                  .unit = UNIT_METRE_PER_SECOND,
                                  .start = 0.5,
                                  .min = 0.0,
                                  .max = 1e6},
    [SOLVER_THREADS] = {.name = "threads",
                        .help =
                            "of cone_complementarity: how many threads work on a step with "
                            "thousands of contacts; with two or more the motion is the same, to "
                            "the last bit, whatever their number",
                        .type = VARIABLE_INTEGER,
                        .start = 1.0,
                        .min = 1.0,
                        .max = CREW_MOST},
};

#define HEALTH(name_, help_, unit_, type_)                                                      \
    {                                                                                           \
        .name = (name_), .help = (help_), .unit = (unit_), .type = (type_), .by_default = true, \
        .derivative_of = -1                                                                     \
    }

static const OutputInfo solver_outputs[] = {
    HEALTH("iterations", "Newton updates of the last internal step", UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("contact_iterations",
           "iterations of the contact solver in the last internal step, in all Newton updates",
           UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("projection_iterations",
           "problems of their own that the projections of the last internal step took beside "
           "Newton's updates; zero but with moreau_jean_projected, moreau_jean_combined and "
           "cone_complementarity",
           UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("activation_iterations",
           "rounds in which the last internal step found its active contacts; zero but with "
           "moreau_jean_combined and schatzman_paoli",
           UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("residual", "relative residual of the last internal step", UNIT_ONE, VARIABLE_REAL),
    HEALTH("penetration", "deepest penetration at the present time", UNIT_METRE, VARIABLE_REAL),
    HEALTH("joint_violation", "largest violation of a joint's equations at the present time",
           UNIT_ONE, VARIABLE_REAL),
    HEALTH("joint_velocity_violation",
           "largest violation of a joint's equations on velocity level at the present time",
           UNIT_ONE, VARIABLE_REAL),
    HEALTH("steps", "internal steps so far", UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("total_iterations", "Newton updates so far", UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("regularised_steps",
           "internal steps in which force directions of contacts depended on each other", UNIT_ONE,
           VARIABLE_INTEGER),
    HEALTH("swept_steps",
           "internal steps in which Newton's method left a contact problem to slower methods",
           UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("inexact_steps",
           "internal steps that were accepted with a residual above the tolerance, because their "
           "error is small against the motion or, with cone_complementarity, the budget of "
           "iterations was used up",
           UNIT_ONE, VARIABLE_INTEGER),
    HEALTH(
        "inelastic_steps",
        "internal steps with impacts that were made without restitution, because friction wedges "
        "the bodies and the laws of impact have no solution with it",
        UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("damped_steps", "internal steps that were solved with Newton updates of half the length",
           UNIT_ONE, VARIABLE_INTEGER),
    HEALTH("retried_steps", "internal steps that were solved only in smaller steps", UNIT_ONE,
           VARIABLE_INTEGER),
    HEALTH("failed_steps", "communication steps that could not be solved", UNIT_ONE,
           VARIABLE_INTEGER),
    HEALTH("last_impact_time",
           "end of the last internal step with an impact, or the instant of an impact that was "
           "located; the start time if there was none",
           UNIT_SECOND, VARIABLE_REAL),
    HEALTH("located_impacts", "impacts located within internal steps so far", UNIT_ONE,
           VARIABLE_INTEGER),
};

const ElementKind solver_kind = {
    .tag = "solver",
    .help = "How the motion is computed.",
    .role = ROLE_SETTING,
    .setting = SETTING_SOLVER,
    .parameters = solver_parameters,
    .n_parameters = N_SOLVER,
    .outputs = solver_outputs,
    .n_outputs = sizeof solver_outputs / sizeof solver_outputs[0],
};
