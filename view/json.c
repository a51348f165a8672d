#include "view/json.h"

#include <math.h>
#include <string.h>

void json_add_string(TextBuffer* out, const char* text) {
    size_t n = strlen(text);
    text_add(out, "\"");
    while (n > 0) {
        const size_t length = text_utf8_length(text, n);
        const unsigned char c = (unsigned char)*text;
        if (length == 0) {
            text_add(out, "\xEF\xBF\xBD");  // U+FFFD, the replacement character
        } else if (length == 1 && (c < ' ' || strchr("\"\\<>&\x7f", c) != NULL)) {
            text_add_format(out, "\\u%04x", c);
        } else {
            text_add_bytes(out, text, length);
        }
        text += length > 0 ? length : 1;
        n -= length > 0 ? length : 1;
    }
    text_add(out, "\"");
}

void json_add_number(TextBuffer* out, double value) {
    if (isfinite(value)) {
        text_add_double(out, value);
    } else {
        text_add(out, "null");
    }
}

void json_add_vector(TextBuffer* out, Vec3 vector) {
    text_add(out, "[");
    json_add_number(out, vector.x);
    text_add(out, ",");
    json_add_number(out, vector.y);
    text_add(out, ",");
    json_add_number(out, vector.z);
    text_add(out, "]");
}

void json_add_name(TextBuffer* out, const char* name) {
    const bool first = out->n > 0 && out->text[out->n - 1] == '{';
    text_add(out, first ? "\"" : ",\"");
    text_add(out, name);
    text_add(out, "\":");
}

void json_add_string_member(TextBuffer* out, const char* name, const char* text) {
    json_add_name(out, name);
    json_add_string(out, text);
}

void json_add_number_member(TextBuffer* out, const char* name, double value) {
    json_add_name(out, name);
    json_add_number(out, value);
}

void json_add_vector_member(TextBuffer* out, const char* name, Vec3 vector) {
    json_add_name(out, name);
    json_add_vector(out, vector);
}
