#include "base/report.h"

#include <stdarg.h>

#include "base/text.h"

void report_add(Report* report, Severity severity, Place place, const char* format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    text_format(message, sizeof message, format, arguments);
    va_end(arguments);
    report->n_errors += severity == SEVERITY_ERROR;
    report->n_warnings += severity == SEVERITY_WARNING;
    if (report->add != NULL) {
        report->add(report->context, severity, place, message);
    }
}
