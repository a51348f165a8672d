// Builds the table of variables of a model.
#pragma once

#include "reader/model.h"
#include "simulation/variable.h"

// Outputs of the whole system; in y after those of the elements.
enum {
    ENERGY_KINETIC,
    ENERGY_POTENTIAL,
    ENERGY_TOTAL,
    ENERGY_DISSIPATED_BY_IMPACT,
    ENERGY_DISSIPATED_BY_FRICTION,
    ENERGY_DISSIPATED_BY_DAMPING,
    ENERGY_INPUT_WORK,
    ENERGY_BALANCE,
    N_ENERGIES
};

// How many values all elements output: where the energies begin in y.
int variables_element_outputs(const Model* model);

// Reports outputs that the model declares but that do not exist (STATUS_INVALID_MODEL).
MUST_CHECK Status variables_create(const Model* model, Arena* arena, Report* report,
                                   VariableTable* table);
