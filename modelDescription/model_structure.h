// ModelStructure of modelDescription.xml: which variables are outputs and initial unknowns, and on
// what they depend.
#pragma once

#include "base/text.h"
#include "simulation/variable.h"

void model_structure_write(const VariableTable* table, TextBuffer* out);
