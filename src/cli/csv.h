// Values of a simulation as rows of comma-separated numbers, one column per variable; numbers in
// the shortest form that reads back the same.
#pragma once

#include <stdio.h>
#include <zlib.h>

#include "base/text.h"
#include "cli/run.h"

typedef struct CsvWriter {
    bool with_locals;  // the local variables beside the outputs
    FILE* file;        // NULL: none, or compressed
    gzFile packed;     // where the name ends with .gz
    size_t n_held;     // bytes that a program which is killed would take with it
    int* columns;      // (n_columns) variables; the time is written before them
    int n_columns;
    long long n_rows;  // below the header
    TextBuffer row;
} CsvWriter;

// A sink for OUT.csv, - and OUT.csv.gz on a CsvWriter that is zero but for what is wanted. A row
// that has a value that cannot be read is not written.
extern const RunSinkKind csv_sink;
