// Parameters of the whole model: gravity.
#pragma once

#include "elements/element.h"

enum { GRAVITY_X, GRAVITY_Y, GRAVITY_Z, N_GRAVITY };

extern const ElementKind gravity_kind;
