// printf without the host's locale: each conversion is handed to snprintf by itself, and what the
// locale does to a number is undone.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { SPECIFICATION_SIZE = 64 };

typedef struct Formatter {
    char* at;                                // where the text goes on
    size_t room;                             // from there, for the terminating 0 as well
    char specification[SPECIFICATION_SIZE];  // "%-8.3g", numbers in the place of *
    int n;
} Formatter;

// Takes over what snprintf has written, or would have with more room.
static void advance(Formatter* f, int n) {
    const size_t written = n < 0 ? 0 : (size_t)n < f->room ? (size_t)n : f->room - 1;
    f->at += written;
    f->room -= written;
    *f->at = 0;
}

static void specify(Formatter* f, char c) {
    assert(f->n < SPECIFICATION_SIZE - 1);
    f->specification[f->n++] = c;
    f->specification[f->n] = 0;
}

// The branches differ in the type that they take.
static void add_integer(Formatter* f, int n_long, va_list* arguments) {
    if (n_long == 0) {  // NOLINT(bugprone-branch-clone)
        advance(f, snprintf(f->at, f->room, f->specification, va_arg(*arguments, int)));
    } else if (n_long == 1) {
        advance(f, snprintf(f->at, f->room, f->specification, va_arg(*arguments, long)));
    } else {
        advance(f, snprintf(f->at, f->room, f->specification, va_arg(*arguments, long long)));
    }
}

static void add_double(Formatter* f, va_list* arguments) {
    char* number = f->at;
    const int n = snprintf(f->at, f->room, f->specification, va_arg(*arguments, double));
    text_normalise_point(number);
    const size_t shorter = n < 0 || (size_t)n < f->room ? strlen(number) : (size_t)n;
    advance(f, (int)shorter);
}

// One conversion, from behind its %; returns what follows it.
static const char* convert(Formatter* f, const char* format, va_list* arguments) {
    f->n = 0;
    specify(f, '%');
    for (; *format != 0 && strchr("-+ #0123456789.*", *format) != NULL; format++) {
        if (*format == '*') {
            f->n += snprintf(f->specification + f->n, SPECIFICATION_SIZE - (size_t)f->n, "%d",
                             va_arg(*arguments, int));
        } else {
            specify(f, *format);
        }
    }
    int n_long = 0;
    for (; *format == 'l'; format++, n_long++) {
        specify(f, 'l');
    }
    const bool is_size = *format == 'z';
    if (is_size) {
        specify(f, *format++);
    }
    specify(f, *format);
    if (is_size) {  // NOLINT(bugprone-branch-clone): likewise
        advance(f, snprintf(f->at, f->room, f->specification, va_arg(*arguments, size_t)));
    } else if (strchr("diuxXoc", *format) != NULL) {
        add_integer(f, n_long, arguments);
    } else if (strchr("eEfFgG", *format) != NULL) {
        add_double(f, arguments);
    } else if (*format == 's') {
        advance(f, snprintf(f->at, f->room, f->specification, va_arg(*arguments, const char*)));
    } else {
        assert(*format == '%');
        advance(f, snprintf(f->at, f->room, "%%"));
    }
    return format + 1;
}

void text_format(char* text, size_t size, const char* format, va_list arguments) {
    if (size == 0) {
        return;
    }
    Formatter f = {.at = text, .room = size};
    va_list rest;
    va_copy(rest, arguments);
    *text = 0;
    while (*format != 0) {
        const size_t plain = strcspn(format, "%");
        advance(&f, snprintf(f.at, f.room, "%.*s", (int)plain, format));
        format += plain;
        if (*format == '%') {
            format = convert(&f, format + 1, &rest);
        }
    }
    va_end(rest);
}
