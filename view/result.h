// A page of a result that any host of the FMU has written as a table of values over time.
#pragma once

#include "base/csv_table.h"
#include "view/frames.h"

typedef struct Result {
    Frames frames;
    const CsvTable* table;
    const double* time;  // (n_rows)
    int* columns;        // (n_variables) of each variable, -1: there is none
    double* values;      // (n_variables) of a row; NaN where there is no column
    bool* pressed;       // (n_contacts) in the row before
    ImpactList* impacts;
    int* missing;  // (n_missing) variables without which something is not shown
    int n_missing;
    int n_untold_contacts;  // without variables: found while bodies move, or repeated
} Result;

// Columns are named as variables of the simulation, all of them perhaps behind one prefix and a
// point ("system.fmu1."), as hosts of several FMUs write them. The simulation is at a start, with
// the parameters of the result. Problems are reported with their place in the table: times that go
// back, cells that are no numbers where bodies are. STATUS_INVALID_MODEL after such a one, or
// STATUS_OUT_OF_MEMORY; result_free in either case.
MUST_CHECK Status result_read(const CsvTable* table, Simulation* simulation, double interval,
                              Report* report, Result* result);

// What the document says of source and plots is taken from there.
MUST_CHECK Status result_write(Result* result, Document* document, const PageTemplate* page,
                               TextBuffer* out);

void result_free(Result* result);
