// The inside of a Simulation, for the files of this folder.
#pragma once

#include "contacts/candidates.h"
#include "reader/model.h"
#include "schemes/energy.h"
#include "schemes/settings.h"
#include "simulation/locator.h"
#include "simulation/restitution.h"
#include "simulation/simulation.h"
#include "simulation/variables.h"

enum { MESSAGE_SIZE = 1024 };

// Outputs by what they take to compute. Those that the model declares are computed together; others
// when they are asked for.
typedef enum OutputPart {
    OUTPUT_GROUPS = 1,    // of contacts between groups: from the state alone
    OUTPUT_SOLVER = 2,    // what all joints and what has been found violate
    OUTPUT_ENERGIES = 4,  // of all bodies, and of those in groups
    OUTPUT_ELEMENTS = 8,  // all others
} OutputPart;
typedef unsigned OutputParts;  // a sum of them

// The elements that have outputs, where most have none
typedef struct Teller {
    const Element* solver;
    const Element** bodies;  // (n_bodies)
    int n_bodies;
    const Element** groups;  // (n_groups) <contacts>
    int n_groups;
    OutputParts declared;  // in which there are outputs of the model
} Teller;

struct Simulation {
    Arena arena;          // of what does not depend on the number of contacts
    Arena contact_arena;  // of what does: taken anew where more are found than ever before
    Arena outgrown;       // what was taken before, until the next communication step
    Model model;
    VariableTable variables;
    State state;
    StateRoom room;   // that the state has
    void* backup;     // (size of a state at most) for steps that are retried
    size_t n_backup;  // bytes in it
    State before;     // before the step, if contacts are found: candidates_add_missed
    Workspace workspace;
    Crew* crew;           // its own
    void** scratch;       // (n_schemes) of each that has been chosen
    EnergyRecord energy;  // of the step being made
    Restitution restitution;
    Locator locator;
    Candidates candidates;
    Teller teller;                 // of outputs
    double* y;                     // (element outputs + N_ENERGIES)
    ContactLoad* loads;            // (n_loads) scratch of outputs
    double* a;                     // (nu) accelerations; 0 where they do not exist
    double* p_before;              // (n_parameters) for settings that are refused
    double* u_start;               // (nu if steered, else 0) velocities and ...
    double* la_g;                  // (nla_g) ... forces of joints right after a jump of inputs
    int* redundant_rows;           // (nla_g) of joints, as found when asked for
    bool values_set;               // parameters or inputs may differ from those of the last step
    OutputParts y_valid;           // the parts of y that are of the present state
    bool a_valid;                  // is a, too?
    bool a_exists;                 // the contact laws have a solution there
    void (*watch)(void* context);  // called after each internal step, or NULL
    void* watch_context;
    bool stop;  // told by it: this internal step is the last one of simulation_advance
    char message[MESSAGE_SIZE];
};

// The scheme that the parameters choose.
static inline int simulation_scheme(const Simulation* simulation) {
    return (int)simulation->state.p[simulation->model.system.solver + SOLVER_SCHEME] - 1;
}

// STATUS_NOT_ALLOWED if the scheme cannot take the model with its parameters.
MUST_CHECK Status simulation_accept_scheme(Simulation* simulation);
// Joints that do not hold at the start are reported, or made to hold if that is wanted.
MUST_CHECK Status simulation_start_joints(Simulation* simulation, double t_0, Report* report);

// Forces at the start of the motion, or of what follows an impact at t, and what the scheme starts
// from.
void simulation_start_forces(Simulation* simulation, double t);

// find_contacts.c: what is near each other at the present becomes the contacts of the next step.
// STATUS_OUT_OF_MEMORY; STATUS_NOT_ALLOWED if the state is none of the model.
MUST_CHECK Status simulation_find_contacts(Simulation* simulation);
// Of a step: takes note of the state before it; looks, when it has been made, at its end t_1, for
// contacts that it missed, and goes back to where it began if there are any, for it to be made
// *again with them; goes back without them, if that fails; where the step itself fails, looks for
// features that are fixed to their bodies, for another attempt; at last takes the contacts at its
// end, which are those looked for last.
void simulation_keep_start(Simulation* simulation);
MUST_CHECK Status simulation_go_back_for_missed(Simulation* simulation, double t_1, bool* again);
MUST_CHECK Status simulation_go_back(Simulation* simulation);
MUST_CHECK Status simulation_find_fixed_features(Simulation* simulation);
MUST_CHECK Status simulation_look_at_end(Simulation* simulation, double t_1);
MUST_CHECK Status simulation_end_step(Simulation* simulation);
// <contacts> in which nothing can meet
void simulation_report_idle_contacts(const Simulation* simulation, Report* report);
// Which shapes penetrate at the start, among what was found; report may be NULL.
void simulation_report_penetrations(Simulation* simulation, Report* report);
// What the contacts that were found did in the step that has been made, all together.
void simulation_sum_found(Simulation* simulation);
// load_outputs.c: what sensors tell of contacts, among all outputs y
void simulation_load_outputs(Simulation* simulation, const Instant* c, double* y);
// Room for a number of found contacts; the state stays, all else that lives for a step is lost.
// STATUS_OUT_OF_MEMORY.
MUST_CHECK Status simulation_make_room(Simulation* simulation, int n_found);

// The motions (system/motion.h) rest at the values of their symbols.
void simulation_rest_motions(Simulation* simulation);
// They go on to these values at t_1. Does a velocity or an acceleration jump?
bool simulation_continue_motions(Simulation* simulation, double t_1);

// The state has changed: outputs have to be computed anew.
static inline void simulation_forget_values(Simulation* simulation) {
    simulation->y_valid = 0;
    simulation->a_valid = false;
}

// outputs.c: lists what has outputs. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status simulation_list_outputs(Simulation* simulation);
// The part to which the output y[at] belongs
OutputParts simulation_part_of_output(const Simulation* simulation, int at);
// Computes parts of y, and the accelerations if wanted, unless they are valid. Accelerations that
// do not exist are 0.
MUST_CHECK Status simulation_update_outputs(Simulation* simulation, OutputParts wanted,
                                            bool accelerations);
// The state as an instant, which is the workspace's
const Instant* simulation_present(Simulation* simulation);
// STATUS_NOT_AVAILABLE if the accelerations that were computed last do not exist.
MUST_CHECK Status simulation_require_accelerations(Simulation* simulation);
// simulation_get, but STATUS_NOT_AVAILABLE for what follows from accelerations that do not exist.
MUST_CHECK Status simulation_get_defined(Simulation* simulation, int variable, double* value);

// finite.c: what is no number is told by name and never handed out.
// Are all signals finite at t? STATUS_NOT_FINITE, with a message that names the attribute, if not.
MUST_CHECK Status simulation_check_signals(Simulation* simulation, double t);
// Are the gaps of all contacts finite, as they are where the functions of curves are?
MUST_CHECK Status simulation_check_gaps(Simulation* simulation, double t);
// Are all values of these parts of y?
MUST_CHECK Status simulation_check_outputs(Simulation* simulation, OutputParts parts);

// Are the parameters that are expressions of others in their ranges? STATUS_OUT_OF_RANGE, with a
// message that names the others too, if one is not.
MUST_CHECK Status simulation_check_parameters(Simulation* simulation);
// Recomputes them. before: (n_parameters) all of them before some were set, NULL: not known
void simulation_calculate_parameters(Simulation* simulation, const double* before);
// state_restore, with the parameters that follow from those that a state keeps
MUST_CHECK Status simulation_take_state(Simulation* simulation, const void* bytes, size_t n);

// Sets the message and hands the status on.
Status simulation_fail(Simulation* simulation, Status status, const char* format, ...)
    PRINTF_LIKE(3, 4);
