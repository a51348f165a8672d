// The inside of a Simulation, for the files of this folder.
#pragma once

#include "reader/model.h"
#include "schemes/energy.h"
#include "simulation/simulation.h"
#include "simulation/variables.h"

enum { MESSAGE_SIZE = 512 };

struct Simulation {
    Arena arena;  // of everything below
    Model model;
    VariableTable variables;
    State state;
    Workspace workspace;
    EnergyRecord energy;  // of the step being made
    double* y;            // (element outputs + N_ENERGIES)
    double* a;            // (nu) accelerations
    int* redundant_rows;  // (nla_g) of joints, as found when asked for
    bool y_valid;         // y is of the present state
    bool a_valid;         // a is, too
    char message[MESSAGE_SIZE];
};

// Computes y, and the accelerations if wanted, unless they are valid.
MUST_CHECK Status simulation_update_outputs(Simulation* simulation, bool accelerations);

// Recomputes the parameters that are expressions of others. STATUS_OUT_OF_RANGE, with a message,
// if one leaves its range.
MUST_CHECK Status simulation_calculate_parameters(Simulation* simulation);

// Sets the message and hands the status on.
Status simulation_fail(Simulation* simulation, Status status, const char* format, ...)
    PRINTF_LIKE(3, 4);
