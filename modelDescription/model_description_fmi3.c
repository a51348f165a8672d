// Writes modelDescription.xml of FMI 3.0 (co-simulation): the same variables with the same value
// references as in FMI 2.0, time among them, and vectors beside their components. Units are those
// of the declared types alone: fmi-sim refuses variables that have them too.
#include "modelDescription/attribute.h"
#include "modelDescription/description_parts.h"
#include "modelDescription/model_description.h"
#include "modelDescription/model_structure.h"
#include "modelDescription/type_definitions.h"

static void write_root(const ModelInfo* info, TextBuffer* out) {
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    attribute_text(out, "fmiVersion", "3.0");
    attribute_text(out, "modelName", info->name);
    attribute_text(out, "instantiationToken", info->guid);
    description_write_origin(info, out);
    text_add(out, ">\n");
}

// Capability flags: docs/fmi.md says what each of them means here.
static void write_co_simulation(const ModelInfo* info, TextBuffer* out) {
    text_add(out, "  <CoSimulation");
    attribute_text(out, "modelIdentifier", info->name);
    attribute_bool(out, "canGetAndSetFMUState", true);
    attribute_bool(out, "canSerializeFMUState", true);
    attribute_bool(out, "providesDirectionalDerivatives", true);
    attribute_bool(out, "canHandleVariableCommunicationStepSize", true);
    attribute_integer(out, "maxOutputDerivativeOrder", 1);
    attribute_bool(out, "providesIntermediateUpdate", true);
    attribute_bool(out, "mightReturnEarlyFromDoStep", true);
    attribute_bool(out, "canReturnEarlyAfterIntermediateUpdate", true);
    attribute_bool(out, "hasEventMode", true);
    text_add(out, "/>\n");
}

static void write_variable(const VariableTable* table, int index, TextBuffer* out) {
    static const char* const types[] = {
        [VARIABLE_REAL] = "Float64",    [VARIABLE_INTEGER] = "Int64",
        [VARIABLE_BOOLEAN] = "Boolean", [VARIABLE_ENUMERATION] = "Enumeration",
        [VARIABLE_STRING] = "String",
    };
    const Variable* variable = &table->variables[index];
    text_add_format(out, "    <%s", types[variable->type]);
    description_write_variable(table, index, out);
    description_write_value(table, variable, out);
    if (variable->causality == CAUSALITY_INPUT || variable->causality == CAUSALITY_OUTPUT) {
        attribute_bool(out, "intermediateUpdate", true);
    }
    if (variable->type == VARIABLE_STRING && description_has_start(variable)) {
        text_add(out, "><Start value=\"\"/></String>\n");
    } else {
        text_add(out, "/>\n");
    }
}

static void write_array(const VariableTable* table, const ArrayTable* arrays, int i,
                        TextBuffer* out) {
    const ArrayVariable* array = &arrays->arrays[i];
    const Variable* element = &table->variables[array->elements[0]];
    text_add(out, "    <Float64");
    attribute_text(out, "name", array->name);
    attribute_integer(out, "valueReference", array_variables_reference(table, i));
    attribute_text(out, "description", array->help);
    attribute_text(out, "causality", "output");
    attribute_text(out, "variability", "continuous");
    attribute_text(out, "initial", "calculated");
    type_definitions_write_declared_type(table, element, out);
    if (array->derivative_of >= 0) {
        attribute_integer(out, "derivative",
                          array_variables_reference(table, array->derivative_of));
    }
    attribute_bool(out, "intermediateUpdate", true);
    text_add_format(out, "><Dimension start=\"%d\"/></Float64>\n", array->n);
}

void model_description_write_fmi3(const ModelInfo* info, const VariableTable* table,
                                  const ArrayTable* arrays, TextBuffer* out) {
    write_root(info, out);
    write_co_simulation(info, out);
    type_definitions_write_units(table, out);
    type_definitions_write_types(table, 3, out);
    description_write_log_categories("logFmi3Call", out);
    description_write_default_experiment(info, out);
    text_add(out, "  <ModelVariables>\n");
    for (int i = 0; i < table->n_variables; i++) {
        write_variable(table, i, out);
    }
    for (int i = 0; i < arrays->n_arrays; i++) {
        write_array(table, arrays, i, out);
    }
    text_add(out, "  </ModelVariables>\n");
    model_structure_write_fmi3(table, arrays, out);
    text_add(out, "</fmiModelDescription>\n");
}
