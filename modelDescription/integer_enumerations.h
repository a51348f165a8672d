// Enumerations as integers, for hosts that cannot read enumerations or drop them.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "simulation/variable.h"

// The table with an integer, 1 ... n, for each enumeration; its help says what the numbers mean.
// Everything else is shared with the table given. STATUS_OUT_OF_MEMORY.
MUST_CHECK Status integer_enumerations(const VariableTable* table, Arena* arena,
                                       VariableTable* integers);
