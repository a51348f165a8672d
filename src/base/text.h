// Numbers and text without the host's locale, and a growing text buffer.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { TEXT_NUMBER_SIZE = 32 };  // room for any number that text_from_double writes

// Reads the longest decimal number (C syntax with an optional sign, always a decimal point, no
// leading space, no hex, no inf or nan) at the start of text; returns the first character after it,
// or NULL if there is no number there. Values too large for a double give infinity.
const char* text_to_double(const char* text, double* value);

// The shortest text of 15, 16 or 17 significant digits that text_to_double reads back to the same
// value; "nan", "inf", "-inf".
void text_from_double(double value, char text[TEXT_NUMBER_SIZE]);

// Makes the host's decimal separator, which printf writes and which may have several bytes, one
// point, in the text of one number.
void text_normalise_point(char* text);

// vsnprintf with a decimal point in the numbers, cut at size. Of conversions, those of int, long,
// long long, size_t, double, characters and strings.
void text_format(char* text, size_t size, const char* format, va_list arguments);
// The same behind the text that is there already, size being the room for both.
void text_append(char* text, size_t size, const char* format, ...) PRINTF_LIKE(3, 4);

// True for the names that users may give: a letter, then letters, digits and underscores (ASCII).
bool text_is_name(const char* text);
// The same with indices behind it or not: "link", "link[2]", "cell[3,12]"; indices count from 1.
enum { TEXT_MOST_INDICES = 8 };
bool text_is_indexed_name(const char* text);

// Length of the well-formed UTF-8 character at the start of n > 0 bytes, 0 if there is none.
size_t text_utf8_length(const char* text, size_t n);

// Grows as needed; once an allocation fails it stays failed and further writes do nothing.
typedef struct TextBuffer {
    char* text;  // 0-terminated; NULL while empty; the caller frees it with text_buffer_free
    size_t n, capacity;
    bool failed;
} TextBuffer;

void text_add(TextBuffer* buffer, const char* text);
void text_add_bytes(TextBuffer* buffer, const void* bytes, size_t n);
// Not for floating-point conversions (%g and the like): they follow the host's locale.
void text_add_format(TextBuffer* buffer, const char* format, ...) PRINTF_LIKE(2, 3);
void text_add_double(TextBuffer* buffer, double value);
// A whole number >= 0, without printf: names in repetitions are made of such numbers.
void text_add_count(TextBuffer* buffer, long value);
// Text with the characters & < > " replaced by XML entities, control characters by spaces.
void text_add_xml(TextBuffer* buffer, const char* text);
void text_buffer_free(TextBuffer* buffer);
