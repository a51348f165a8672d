// Writes modelDescription.xml of FMI 2.0 (co-simulation) from a model's table of variables.
//
// Time, the first of them, is not listed: FMI says that it is there all the same, and FMILibrary
// complains that it has no start value, which FMI forbids. Value references are the indices in the
// table, so that those of the variables that are listed count from 1, as FMI's indices do.
#include "modelDescription/model_description.h"

#include "modelDescription/attribute.h"
#include "modelDescription/description_parts.h"
#include "modelDescription/model_structure.h"
#include "modelDescription/type_definitions.h"

static void write_root(const ModelInfo* info, TextBuffer* out) {
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    attribute_text(out, "fmiVersion", "2.0");
    attribute_text(out, "modelName", info->name);
    attribute_text(out, "guid", info->guid);
    description_write_origin(info, out);
    attribute_integer(out, "numberOfEventIndicators", 0);
    text_add(out, ">\n");
}

// Capability flags: docs/fmi.md says what each of them means here.
static void write_co_simulation(const ModelInfo* info, TextBuffer* out) {
    text_add(out, "  <CoSimulation");
    attribute_text(out, "modelIdentifier", info->name);
    attribute_bool(out, "canHandleVariableCommunicationStepSize", true);
    attribute_bool(out, "canInterpolateInputs", true);
    attribute_integer(out, "maxOutputDerivativeOrder", 1);
    attribute_bool(out, "canRunAsynchronuously", false);
    attribute_bool(out, "canBeInstantiatedOnlyOncePerProcess", false);
    attribute_bool(out, "canNotUseMemoryManagementFunctions", true);
    attribute_bool(out, "canGetAndSetFMUstate", true);
    attribute_bool(out, "canSerializeFMUstate", true);
    attribute_bool(out, "providesDirectionalDerivative", true);
    text_add(out, "/>\n");
}

static void write_variable(const VariableTable* table, int index, TextBuffer* out) {
    static const char* const types[] = {
        [VARIABLE_REAL] = "Real",       [VARIABLE_INTEGER] = "Integer",
        [VARIABLE_BOOLEAN] = "Boolean", [VARIABLE_ENUMERATION] = "Enumeration",
        [VARIABLE_STRING] = "String",
    };
    const Variable* variable = &table->variables[index];
    text_add_format(out, "    <!-- %d -->\n    <ScalarVariable", index);
    description_write_variable(table, index, out);
    text_add_format(out, "><%s", types[variable->type]);
    description_write_value(table, variable, out);
    if (variable->type == VARIABLE_REAL) {
        // The declared type has the unit already; some importers look only here.
        attribute_text(out, "unit", unit_get(variable->unit)->name);
    }
    if (variable->type == VARIABLE_STRING && description_has_start(variable)) {
        attribute_text(out, "start", "");
    }
    text_add(out, "/></ScalarVariable>\n");
}

void model_description_write(const ModelInfo* info, const VariableTable* table, TextBuffer* out) {
    write_root(info, out);
    write_co_simulation(info, out);
    type_definitions_write_units(table, out);
    type_definitions_write_types(table, 2, out);
    description_write_log_categories("logFmi2Call", out);
    description_write_default_experiment(info, out);
    text_add(out, "  <ModelVariables>\n");
    for (int i = 0; i < table->n_variables; i++) {
        if (table->variables[i].causality != CAUSALITY_INDEPENDENT) {
            write_variable(table, i, out);
        }
    }
    text_add(out, "  </ModelVariables>\n");
    model_structure_write(table, out);
    text_add(out, "</fmiModelDescription>\n");
}
