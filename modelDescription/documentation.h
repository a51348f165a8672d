// Writes documentation/index.html of an FMU: one self-contained page about the model.
#pragma once

#include "base/text.h"
#include "simulation/simulation.h"

// Appends the whole page; model_xml (n bytes) is shown at its end. out->failed tells if memory ran
// out.
void documentation_write(const ModelInfo* info, const VariableTable* table, const char* model_xml,
                         size_t n, TextBuffer* out);
