// Shapes that meet others by the features of their surfaces (Collider).
#pragma once

#include "system/system.h"

// Their arrays in the properties. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status surfaces_create(const System* sys, Arena* arena, Properties* properties);
// Their surfaces and places from the parameters, after the markers. False if one has none:
// properties->fault and missing tell which and why.
bool surfaces_update(const System* sys, const double* p, Properties* properties);
