// Inputs of a run from a table: a column of times, and one for each input.
//
// Between rows an input goes straight (it has the slope of that line, as an FMU's input whose
// derivative is set), or it is held at the last row's value. Two rows at the same time are a jump.
// Before the first and after the last row their values hold. Steps end at the rows where an input
// jumps, kinks or changes, so that each step sees one straight line; where three such rows lie
// within one step, inputs are taken from the table at the ends of steps instead, for the work not
// to grow with the table. Jumps end a step everywhere.
#pragma once

#include "base/csv_table.h"
#include "cli/run_options.h"

typedef struct Inputs {
    char* text;
    CsvTable table;
    const double* time;  // (table.n_rows)
    int* variables;      // (n) inputs of the model
    int* columns;        // (n) of the table
    int n;
    bool held;
    long* breaks;   // (n_breaks) rows at which a step ends, the last one of each jump
    bool* sampled;  // (n_breaks) are there rows behind it at which no step ends?
    long n_breaks;
    double remnant;  // s; times that differ by less are the same
    double* values;  // (n) scratch
    long row;        // the last one at or before the present time, or -1
    long segment;    // the same among the breaks
    long applied;    // segment whose values and slopes the simulation has; -2: none
} Inputs;

// Reads the table that the options name, for a simulation that is being set up. No inputs, if they
// name none. False after messages; inputs_free is to be called in either case.
bool inputs_load(Inputs* inputs, const RunOptions* options, Simulation* simulation);
void inputs_free(Inputs* inputs);

// Where steps of this length end because of the inputs of a run from t_0 to stop; the values at t_0
// are set. Warns of a table that ends too early or has rows at which no step ends.
MUST_CHECK Status inputs_start(Inputs* inputs, Simulation* simulation, double t_0, double stop,
                               double step);

// The time after t up to which the simulation can go at once: at most limit.
double inputs_next(Inputs* inputs, double t, double limit);
// Are inputs to be set at each internal step that begins at t or later, up to inputs_next?
bool inputs_are_sampled(Inputs* inputs, double t);
// Sets the inputs, where they change, for a step from t to t_1.
MUST_CHECK Status inputs_apply(Inputs* inputs, Simulation* simulation, double t, double t_1);
