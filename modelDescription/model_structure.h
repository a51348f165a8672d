// ModelStructure of modelDescription.xml: which variables are outputs and initial unknowns, and on
// what they depend.
#pragma once

#include "base/text.h"
#include "simulation/array_variables.h"
#include "simulation/variable.h"

void model_structure_write(const VariableTable* table, TextBuffer* out);
void model_structure_write_fmi3(const VariableTable* table, const ArrayTable* arrays,
                                TextBuffer* out);
