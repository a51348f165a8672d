// Writes documentation/index.html of an FMU: one self-contained page about the model.
#pragma once

#include "base/text.h"
#include "simulation/simulation.h"

// What there is to look at.
typedef struct Pictures {
    const char* drawing;    // SVG of the mechanism at its start, or NULL
    const char* animation;  // name of the page beside this one that shows its motion, or NULL
} Pictures;

// Appends the whole page; model_xml (n bytes) is shown at its end; fmi: 2 or 3. out->failed tells
// if memory ran out.
void documentation_write(const ModelInfo* info, const VariableTable* table, int fmi,
                         Pictures pictures, const char* model_xml, size_t n, TextBuffer* out);
