// Text without the host's locale, and a growing text buffer.
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_digits.h"

// The ctype functions follow the locale; these do not.
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void text_normalise_point(char* text) {
    char* out = text;
    for (const char* in = text; *in != 0; in++) {
        if (is_digit(*in) || strchr("+- eEinfaINFA", *in) != NULL) {
            *out++ = *in;
        } else if (out == text || out[-1] != '.') {
            *out++ = '.';
        }
    }
    *out = 0;
}

void text_from_double(double value, char text[TEXT_NUMBER_SIZE]) {
    if (!isfinite(value)) {
        const char* word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        memcpy(text, word, strlen(word) + 1);
        return;
    }
    const bool negative = signbit(value) != 0;
    text[0] = '-';
    if (text_write_digits(fabs(value), text + negative)) {
        return;
    }
    if (value == 0) {
        memcpy(text + negative, "0", 2);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, TEXT_NUMBER_SIZE, "%.*g", digits, value);
        text_normalise_point(text);
        double back = 0;
        if (text_to_double(text, &back) != NULL && back == value) {
            return;
        }
    }
}

// What is behind the name at the start of a text, or NULL if there is none.
static const char* skip_name(const char* text) {
    if (!is_letter(*text)) {
        return NULL;
    }
    while (is_letter(*text) || is_digit(*text) || *text == '_') {
        text++;
    }
    return text;
}

bool text_is_name(const char* text) {
    const char* end = skip_name(text);
    return end != NULL && *end == 0;
}

bool text_is_indexed_name(const char* text) {
    const char* at = skip_name(text);
    if (at == NULL || *at != '[') {
        return at != NULL && *at == 0;
    }
    int n = 0;
    do {
        at++;
        if (!is_digit(*at) || *at == '0') {
            return false;
        }
        while (is_digit(*at)) {
            at++;
        }
        n++;
    } while (*at == ',');
    return at[0] == ']' && at[1] == 0 && n <= TEXT_MOST_INDICES;
}

// Makes room for n more bytes and the terminating 0.
static bool reserve(TextBuffer* buffer, size_t n) {
    if (buffer->failed || n >= SIZE_MAX / 4 || buffer->n >= SIZE_MAX / 4) {
        buffer->failed = true;
        return false;
    }
    const size_t needed = buffer->n + n + 1;
    if (needed <= buffer->capacity) {
        return true;
    }
    size_t capacity = buffer->capacity + buffer->capacity / 2;
    capacity = capacity < 256 ? 256 : capacity;
    capacity = capacity < needed ? needed : capacity;
    char* text = realloc(buffer->text, capacity);
    if (text == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->text = text;
    buffer->capacity = capacity;
    return true;
}

void text_add_bytes(TextBuffer* buffer, const void* bytes, size_t n) {
    if (n == 0 || !reserve(buffer, n)) {
        return;
    }
    memcpy(buffer->text + buffer->n, bytes, n);
    buffer->n += n;
    buffer->text[buffer->n] = 0;
}

void text_append(char* text, size_t size, const char* format, ...) {
    const size_t n = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    text_format(text + n, size - n, format, arguments);
    va_end(arguments);
}

void text_add(TextBuffer* buffer, const char* text) { text_add_bytes(buffer, text, strlen(text)); }

void text_add_format(TextBuffer* buffer, const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (n < 0) {
        buffer->failed = true;
    } else if (n > 0 && reserve(buffer, (size_t)n)) {
        (void)vsnprintf(buffer->text + buffer->n, (size_t)n + 1, format, again);
        buffer->n += (size_t)n;
    }
    va_end(again);
}

void text_add_double(TextBuffer* buffer, double value) {
    char text[TEXT_NUMBER_SIZE];
    text_from_double(value, text);
    text_add(buffer, text);
}

void text_add_count(TextBuffer* buffer, long value) {
    char digits[TEXT_NUMBER_SIZE];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    text_add_bytes(buffer, digits + at, sizeof digits - at);
}

void text_add_xml(TextBuffer* buffer, const char* text) {
    while (*text != 0) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= ' ' && strchr("&<>\"\x7f", text[plain]) == NULL) {
            plain++;
        }
        text_add_bytes(buffer, text, plain);
        text += plain;
        switch (*text) {
            case 0:
                return;
            case '&':
                text_add(buffer, "&amp;");
                break;
            case '<':
                text_add(buffer, "&lt;");
                break;
            case '>':
                text_add(buffer, "&gt;");
                break;
            case '"':
                text_add(buffer, "&quot;");
                break;
            default:  // a control character
                text_add(buffer, " ");
        }
        text++;
    }
}

size_t text_utf8_length(const char* text, size_t n) {
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80) {
        return 1;
    }
    const size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || length > n) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const bool surrogate = s[0] == 0xED && s[1] > 0x9F;
    const bool beyond = s[0] == 0xF4 && s[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

void text_buffer_free(TextBuffer* buffer) {
    free(buffer->text);
    *buffer = (TextBuffer){0};
}
