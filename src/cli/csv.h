// Values of a simulation as rows of comma-separated numbers, one column per variable.
#pragma once

#include <stdio.h>

#include "base/text.h"
#include "simulation/simulation.h"

typedef struct CsvWriter {
    FILE* file;
    Simulation* simulation;
    int* columns;  // (n_columns) variables; the time is written before them
    int n_columns;
    long long n_rows;  // below the header
    TextBuffer row;
} CsvWriter;

// Opens path ("-" is stdout) and writes the header; with_locals adds the local variables to the
// outputs. On failure errno tells why, and csv_close is still to be called.
MUST_CHECK Status csv_open(CsvWriter* csv, const char* path, Simulation* simulation,
                           bool with_locals);
// The values of the present time; numbers in the shortest form that reads back the same. No row,
// and the status of the value, if one cannot be read.
MUST_CHECK Status csv_write_row(CsvWriter* csv);
// Failure means that not everything was written. Harmless on a writer that is all zero.
MUST_CHECK Status csv_close(CsvWriter* csv);
