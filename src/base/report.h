// How problems found in input reach whoever asked for the work: a callback, never a print.
#pragma once

#include "base/status.h"

typedef enum Severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

typedef struct Occasion Occasion;

// Where it is asked for that a piece of a text is read more than once.
typedef struct Request {
    const Occasion* outer;  // the one around it; NULL: there is none
    const char* name;       // of the index, or of what is made
    long line;
    int* n_told;  // messages of all repetitions that were told; NULL: not counted
} Request;

// What a piece of a text stands for each time that it is read: a repetition, or a use.
struct Occasion {
    const Request* request;
    long number;  // of the repetition; < 0: it is a use
};

// Where in a text a problem is; file NULL when it is in none, line and column count from 1.
typedef struct Place {
    const char* file;
    long line, column;
    const Occasion* occasion;  // NULL: the text is read once
} Place;

typedef struct Report {
    void* context;
    void (*add)(void* context, Severity severity, Place place, const char* message);
    int n_errors;    // counted by report_add
    int n_warnings;  // likewise
} Report;

// Formats one message and hands it to report->add; messages are cut at 1 KiB. Those with an
// occasion name it. Of the repetitions of one text the first few messages are told; the others are
// counted.
void report_add(Report* report, Severity severity, Place place, const char* format, ...)
    PRINTF_LIKE(4, 5);
