// Most of text_from_double, without printf and strtod: tables of results are made of such numbers.
#pragma once

#include <stdbool.h>

// The shortest text of 15, 16 or 17 significant digits that reads back as this size, in the form
// of %g; false, and nothing written, for sizes below 2^-52 or from 1e15 on. Writes at most 24
// bytes.
bool text_write_digits(double size, char* text);
