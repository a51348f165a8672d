// Systems of several FMUs (SSP 1.0): components with their connectors, what is connected to what,
// and the file SystemStructure.ssd that says so.
#pragma once

#include <stdbool.h>

#include "base/quantity.h"
#include "base/text.h"

struct SspComponent;

typedef struct SspConnector {
    const char* name;  // of the FMU's variable
    VariableType type;
    bool is_output;
    const struct SspComponent* component;
    const struct SspConnector* source;  // of an input: the output that it gets; NULL: none
    struct SspConnector* next;
} SspConnector;

typedef struct SspComponent {
    const char* name;    // a C identifier, unique in the system
    const char* source;  // the FMU's name in the archive: resources/NAME.fmu
    SspConnector *first, *last;
    struct SspComponent* next;
} SspComponent;

typedef struct SspSystem {
    const char* name;
    double start_time, stop_time;  // default experiment
    double step_size;              // between communication points, for masters that read one
    SspComponent *first, *last;
} SspSystem;

void ssp_add_component(SspSystem* system, SspComponent* component);
void ssp_add_connector(SspComponent* component, SspConnector* connector);
// NULL if there is none.
SspComponent* ssp_find_component(const SspSystem* system, const char* name, size_t n);
SspConnector* ssp_find_connector(const SspComponent* component, const char* name);
// Is one of its inputs or outputs connected?
bool ssp_is_connected(const SspSystem* system, const SspComponent* component);
// Gives every input that has no source yet the output of that name of another component, if there
// is one. An input for which there are two stays as it is and is returned; NULL: there is none.
const SspConnector* ssp_connect_equal_names(SspSystem* system);

// All outputs and those inputs that are connected: masters set every input that is listed, to 0 if
// nothing is connected to it. Enumerations are left out, which would need their definitions, too.
void ssp_write_structure(const SspSystem* system, TextBuffer* out);
