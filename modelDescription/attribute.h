// XML attributes, each written with the space before it: ` name="value"`.
#pragma once

#include <stdbool.h>

#include "base/text.h"

void attribute_text(TextBuffer* out, const char* name, const char* value);
void attribute_double(TextBuffer* out, const char* name, double value);
void attribute_integer(TextBuffer* out, const char* name, long long value);
void attribute_bool(TextBuffer* out, const char* name, bool value);
