// What a model is and which variables it has.
#include "api/handle.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), "numbers of the interface")
SAME(CLATTER_NOTE, SEVERITY_NOTE);
SAME(CLATTER_ERROR, SEVERITY_ERROR);
SAME(CLATTER_PARAMETER, CAUSALITY_PARAMETER);
SAME(CLATTER_CALCULATED_PARAMETER, CAUSALITY_CALCULATED_PARAMETER);
SAME(CLATTER_INPUT, CAUSALITY_INPUT);
SAME(CLATTER_OUTPUT, CAUSALITY_OUTPUT);
SAME(CLATTER_LOCAL, CAUSALITY_LOCAL);
SAME(CLATTER_INDEPENDENT, CAUSALITY_INDEPENDENT);
SAME(CLATTER_FIXED, VARIABILITY_FIXED);
SAME(CLATTER_TUNABLE, VARIABILITY_TUNABLE);
SAME(CLATTER_DISCRETE, VARIABILITY_DISCRETE);
SAME(CLATTER_CONTINUOUS, VARIABILITY_CONTINUOUS);
SAME(CLATTER_REAL, VARIABLE_REAL);
SAME(CLATTER_INTEGER, VARIABLE_INTEGER);
SAME(CLATTER_BOOLEAN, VARIABLE_BOOLEAN);
SAME(CLATTER_ENUMERATION, VARIABLE_ENUMERATION);
SAME(CLATTER_STRING, VARIABLE_STRING);

ClatterStatus clatter_info(ClatterSimulation* handle, ClatterInfo* info) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK || info == NULL) {
        return status != CLATTER_OK ? status : handle_refuse(handle, "the struct is NULL");
    }
    const ModelInfo* own = simulation_info(handle->simulation);
    *info = (ClatterInfo){.name = own->name,
                          .description = own->description,
                          .author = own->author,
                          .version = own->version,
                          .guid = own->guid,
                          .start_time = own->start_time,
                          .stop_time = own->stop_time,
                          .step_size = own->step_size,
                          .n_bodies = own->n_bodies,
                          .n_contacts = own->n_contacts,
                          .n_forces = own->n_forces,
                          .n_coordinates = own->n_coordinates};
    return CLATTER_OK;
}

int32_t clatter_variable_count(const ClatterSimulation* handle) {
    return clatter_usable(handle) ? simulation_variables(handle->simulation)->n_variables : 0;
}

static const Variable* find_variable(const ClatterSimulation* handle, int32_t variable) {
    return variable >= 0 && variable < clatter_variable_count(handle)
               ? &simulation_variables(handle->simulation)->variables[variable]
               : NULL;
}

ClatterStatus clatter_variable(ClatterSimulation* handle, int32_t variable,
                               ClatterVariable* description) {
    const ClatterStatus status = handle_check(handle);
    if (status != CLATTER_OK) {
        return status;
    }
    const Variable* own = find_variable(handle, variable);
    if (own == NULL || description == NULL) {
        return handle_refuse(handle, "there is no variable %d", (int)variable);
    }
    *description = (ClatterVariable){
        .name = own->name,
        .description = own->help,
        .unit = own->type == VARIABLE_REAL ? unit_get(own->unit)->name : "",
        .type = (int32_t)own->type,
        .causality = (int32_t)own->causality,
        .variability = (int32_t)own->variability,
        .n_words = own->enumeration != NULL ? own->enumeration->n_items : 0,
        .start = own->start,
        .min = own->min,
        .max = own->max,
        .derivative_of = own->derivative_of,
    };
    return CLATTER_OK;
}

const char* clatter_variable_word(const ClatterSimulation* handle, int32_t variable, int32_t i) {
    const Variable* own = find_variable(handle, variable);
    return own != NULL && own->enumeration != NULL && i >= 0 && i < own->enumeration->n_items
               ? enumeration_item(own->enumeration, i)->name
               : NULL;
}

int32_t clatter_variable_find(const ClatterSimulation* handle, const char* name) {
    return clatter_usable(handle) && name != NULL
               ? variable_find(simulation_variables(handle->simulation), name)
               : -1;
}
