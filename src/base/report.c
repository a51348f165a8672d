#include "base/report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { MOST_OF_REPETITIONS = 5 };  // messages of the repetitions of one text

// Has enough been told of what is repeated here?
static bool is_enough(const Occasion* occasion) {
    bool enough = false;
    for (; occasion != NULL; occasion = occasion->request->outer) {
        const int* n_told = occasion->request->n_told;
        enough = enough || (n_told != NULL && *n_told >= MOST_OF_REPETITIONS);
    }
    return enough;
}

// Adds for what the text was read: " (link of line 12, i = 3 of line 5)".
static void add_occasion(char* message, size_t size, const Occasion* occasion) {
    bool last = false;
    for (const Occasion* o = occasion; o != NULL; o = o->request->outer) {
        const Request* request = o->request;
        text_append(message, size, "%s%.80s", o == occasion ? " (" : ", ", request->name);
        if (o->number >= 0) {
            text_append(message, size, " = %ld", o->number);
        }
        text_append(message, size, " of line %ld", request->line);
        if (request->n_told != NULL) {
            last = ++*request->n_told == MOST_OF_REPETITIONS || last;
        }
    }
    text_append(message, size, "%s%s", occasion != NULL ? ")" : "",
                last ? "; more of these repetitions is not told" : "");
}

void report_add(Report* report, Severity severity, Place place, const char* format, ...) {
    enum { SIZE = 1024, OCCASION = 256 };
    char message[SIZE];
    va_list arguments;
    report->n_errors += severity == SEVERITY_ERROR;
    report->n_warnings += severity == SEVERITY_WARNING;
    if (is_enough(place.occasion)) {
        return;
    }
    va_start(arguments, format);
    text_format(message, place.occasion != NULL ? SIZE - OCCASION : SIZE, format, arguments);
    va_end(arguments);
    add_occasion(message, SIZE, place.occasion);
    if (report->add != NULL) {
        report->add(report->context, severity, place, message);
    }
}
