// How problems found in input reach whoever asked for the work: a callback, never a print.
#pragma once

#include "base/status.h"

typedef enum Severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

// Where in a text a problem is; file NULL when it is in none, line and column count from 1.
typedef struct Place {
    const char* file;
    long line, column;
} Place;

typedef struct Report {
    void* context;
    void (*add)(void* context, Severity severity, Place place, const char* message);
    int n_errors;    // counted by report_add
    int n_warnings;  // likewise
} Report;

// Formats one message and hands it to report->add; messages are cut at 1 KiB.
void report_add(Report* report, Severity severity, Place place, const char* format, ...)
    PRINTF_LIKE(4, 5);
