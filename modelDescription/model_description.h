// Writes modelDescription.xml of FMI 2.0 or FMI 3.0 from the same table that the FMU reads at run
// time.
#pragma once

#include "base/text.h"
#include "simulation/array_variables.h"
#include "simulation/simulation.h"

// Appends the whole document; out->failed tells if memory ran out. The model identifier, and so the
// stem of the shared object's file name, is info->name. Equal arguments give equal bytes: there is
// no date in it.
void model_description_write(const ModelInfo* info, const VariableTable* table, TextBuffer* out);
void model_description_write_fmi3(const ModelInfo* info, const VariableTable* table,
                                  const ArrayTable* arrays, TextBuffer* out);
