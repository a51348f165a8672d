// Bytes as text, four characters for three of them, as they come.
#pragma once

#include "base/text.h"

typedef struct Base64Writer {
    TextBuffer* out;
    unsigned char rest[3];  // (n_rest) that wait for the others of their three
    size_t n_rest;
} Base64Writer;

void base64_add(Base64Writer* writer, const unsigned char* bytes, size_t n);
// Writes what is left; the writer may be used anew.
void base64_end(Base64Writer* writer);
