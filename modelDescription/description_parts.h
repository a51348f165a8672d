// Parts of modelDescription.xml that FMI 2.0 and FMI 3.0 have in common.
#pragma once

#include "base/text.h"
#include "simulation/simulation.h"

// Attributes of the root: who made the model with what, and how variables are named.
void description_write_origin(const ModelInfo* info, TextBuffer* out);
// call_category: "logFmi2Call" or "logFmi3Call"
void description_write_log_categories(const char* call_category, TextBuffer* out);
void description_write_default_experiment(const ModelInfo* info, TextBuffer* out);

// Attributes that say what a variable is: name, reference, help, causality, variability, initial.
void description_write_variable(const VariableTable* table, int index, TextBuffer* out);
// Attributes of its values: type, range, nominal value, start, derivative; of texts none.
void description_write_value(const VariableTable* table, const Variable* variable, TextBuffer* out);
bool description_has_start(const Variable* variable);
