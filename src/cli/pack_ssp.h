// clatter pack --ssp: the FMU of a model and other FMUs, connected, as one SSP archive.
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "simulation/simulation.h"

enum { PACK_SSP_MOST = 256 };  // FMUs, and connections

typedef struct PackSsp {
    const char* fmus[PACK_SSP_MOST];  // (n_fmus) paths
    int n_fmus;
    const char* connections[PACK_SSP_MOST];  // (n_connections) COMPONENT.OUTPUT=COMPONENT.INPUT
    int n_connections;
} PackSsp;

// Takes one more value of --ssp or --connect; false if there are too many.
bool pack_ssp_add(const char** values, int* n, const char* value);

// Is the path one of the FMUs? For refusing to write over them.
bool pack_ssp_includes(const PackSsp* ssp, const char* path);

// Makes an SSP archive of the FMU archive of a model. False after a message to stderr.
bool pack_ssp_wrap(const PackSsp* ssp, const ModelInfo* info, const VariableTable* table,
                   TextBuffer* archive);
