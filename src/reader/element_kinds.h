// All kinds of elements that a file can name.
#pragma once

#include "elements/element.h"

// In the order of the documentation.
extern const ElementKind* const element_kinds[];
extern const int element_kinds_count;

const ElementKind* element_kind_find(const char* tag);
