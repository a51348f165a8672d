// What another FMU can be connected by: the inputs and outputs in its modelDescription.xml.
#pragma once

#include "base/arena.h"
#include "modelDescription/ssp.h"

// Adds the connectors of an FMU (n bytes of its archive) to a component. What is wrong with it, in
// words, or NULL.
const char* fmu_connectors_read(const void* archive, size_t n, Arena* arena,
                                SspComponent* component);
