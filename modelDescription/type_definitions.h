// UnitDefinitions and TypeDefinitions of modelDescription.xml: the units and types that the
// variables of a table use, no others.
#pragma once

#include "base/text.h"
#include "simulation/variable.h"

void type_definitions_write_units(const VariableTable* table, TextBuffer* out);
// fmi: 2 or 3
void type_definitions_write_types(const VariableTable* table, int fmi, TextBuffer* out);

// The declaredType attribute of a real or enumeration variable; nothing for other types.
void type_definitions_write_declared_type(const VariableTable* table, const Variable* variable,
                                          TextBuffer* out);
