// JSON for a place inside of an HTML page: what could end a script or begin a comment there is
// escaped.
#pragma once

#include "base/text.h"
#include "linalg/vec3.h"

// A text in quotes. Bytes that are no UTF-8 become the replacement character.
void json_add_string(TextBuffer* out, const char* text);
// A number that reads back the same; what is not finite is null.
void json_add_number(TextBuffer* out, double value);
// [x,y,z]
void json_add_vector(TextBuffer* out, Vec3 vector);

// ,"name": and what follows it; the first member of an object has no comma before it.
void json_add_name(TextBuffer* out, const char* name);
void json_add_string_member(TextBuffer* out, const char* name, const char* text);
void json_add_number_member(TextBuffer* out, const char* name, double value);
void json_add_vector_member(TextBuffer* out, const char* name, Vec3 vector);
