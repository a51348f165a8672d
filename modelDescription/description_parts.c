// Parts of modelDescription.xml that FMI 2.0 and FMI 3.0 have in common.
#include "modelDescription/description_parts.h"

#include <math.h>

#include "modelDescription/attribute.h"
#include "modelDescription/type_definitions.h"

void description_write_origin(const ModelInfo* info, TextBuffer* out) {
    if (info->description[0] != 0) {
        attribute_text(out, "description", info->description);
    }
    if (info->author[0] != 0) {
        attribute_text(out, "author", info->author);
    }
    if (info->version[0] != 0) {
        attribute_text(out, "version", info->version);
    }
    attribute_text(out, "generationTool", "Clatter " CLATTER_VERSION);
    attribute_text(out, "variableNamingConvention", "structured");
}

void description_write_log_categories(const char* call_category, TextBuffer* out) {
    const struct {
        const char *name, *help;
    } categories[] = {
        {"logAll", "Everything"},
        {"logError",
         "Calls that failed, steps that could not be solved and why, problems of models"},
        {"logStatusWarning", "What is suspicious but not wrong, such as a contact that penetrates"},
        {"logStatusDiscard", "Steps that were canceled, derivatives that do not exist"},
        {"logSolver", "Iterations, residuals and retries of the contact solver"},
        {call_category, "Every FMI function called"},
    };
    text_add(out, "  <LogCategories>\n");
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++) {
        text_add(out, "    <Category");
        attribute_text(out, "name", categories[i].name);
        attribute_text(out, "description", categories[i].help);
        text_add(out, "/>\n");
    }
    text_add(out, "  </LogCategories>\n");
}

void description_write_default_experiment(const ModelInfo* info, TextBuffer* out) {
    text_add(out, "  <DefaultExperiment");
    attribute_double(out, "startTime", info->start_time);
    attribute_double(out, "stopTime", info->stop_time);
    if (info->tolerance > 0) {
        attribute_double(out, "tolerance", info->tolerance);
    }
    attribute_double(out, "stepSize", info->step_size);
    text_add(out, "/>\n");
}

static const char* causality_name(Causality causality) {
    static const char* const names[] = {
        [CAUSALITY_PARAMETER] = "parameter",
        [CAUSALITY_CALCULATED_PARAMETER] = "calculatedParameter",
        [CAUSALITY_INPUT] = "input",
        [CAUSALITY_OUTPUT] = "output",
        [CAUSALITY_LOCAL] = "local",
        [CAUSALITY_INDEPENDENT] = "independent",
    };
    return names[causality];
}

static const char* variability_name(Variability variability) {
    static const char* const names[] = {
        [VARIABILITY_FIXED] = "fixed",
        [VARIABILITY_TUNABLE] = "tunable",
        [VARIABILITY_DISCRETE] = "discrete",
        [VARIABILITY_CONTINUOUS] = "continuous",
    };
    return names[variability];
}

// FMI 2.0, table of causality, variability and initial: how the value is known at the start, or
// NULL where the attribute must not be given.
static const char* initial_name(Causality causality) {
    switch (causality) {
        case CAUSALITY_PARAMETER:
            return "exact";
        case CAUSALITY_CALCULATED_PARAMETER:
        case CAUSALITY_OUTPUT:
        case CAUSALITY_LOCAL:
            return "calculated";
        case CAUSALITY_INPUT:
        case CAUSALITY_INDEPENDENT:
            break;
    }
    return NULL;
}

bool description_has_start(const Variable* variable) {
    return variable->causality == CAUSALITY_PARAMETER || variable->causality == CAUSALITY_INPUT;
}

// Is it told of what the variable is the derivative? Only among outputs: OMSimulator takes
// everything with that attribute for a state or its derivative, and misses those that are local
// among the initial unknowns, where FMI does not allow them without <Derivatives>.
static bool is_derivative(const VariableTable* table, const Variable* variable) {
    return variable->derivative_of >= 0 && variable->causality == CAUSALITY_OUTPUT &&
           table->variables[variable->derivative_of].causality == CAUSALITY_OUTPUT;
}

void description_write_variable(const VariableTable* table, int index, TextBuffer* out) {
    const Variable* variable = &table->variables[index];
    const char* initial = initial_name(variable->causality);
    attribute_text(out, "name", variable->name);
    attribute_integer(out, "valueReference", index);
    if (variable->help != NULL && variable->help[0] != 0) {
        attribute_text(out, "description", variable->help);
    }
    attribute_text(out, "causality", causality_name(variable->causality));
    attribute_text(out, "variability", variability_name(variable->variability));
    if (initial != NULL) {
        attribute_text(out, "initial", initial);
    }
}

static void write_real(const VariableTable* table, const Variable* variable, TextBuffer* out) {
    if (isfinite(variable->min)) {
        attribute_double(out, "min", variable->min);
    }
    if (isfinite(variable->max)) {
        attribute_double(out, "max", variable->max);
    }
    if (isfinite(variable->nominal) && variable->nominal > 0) {
        attribute_double(out, "nominal", variable->nominal);
    }
    if (description_has_start(variable)) {
        attribute_double(out, "start", variable->start);
    }
    if (is_derivative(table, variable)) {
        attribute_integer(out, "derivative", variable->derivative_of);
    }
}

static bool is_fmi_integer(double value) { return fabs(value) <= 2147483647.0; }  // false for NaN

static void write_integer(const Variable* variable, TextBuffer* out) {
    if (is_fmi_integer(variable->min)) {
        attribute_integer(out, "min", (long long)variable->min);
    }
    if (is_fmi_integer(variable->max)) {
        attribute_integer(out, "max", (long long)variable->max);
    }
    if (description_has_start(variable)) {
        attribute_integer(out, "start", (long long)variable->start);
    }
}

void description_write_value(const VariableTable* table, const Variable* variable,
                             TextBuffer* out) {
    type_definitions_write_declared_type(table, variable, out);
    switch (variable->type) {
        case VARIABLE_REAL:
            write_real(table, variable, out);
            break;
        case VARIABLE_INTEGER:
            write_integer(variable, out);
            break;
        case VARIABLE_BOOLEAN:
            if (description_has_start(variable)) {
                attribute_bool(out, "start", variable->start != 0);
            }
            break;
        case VARIABLE_ENUMERATION:
            if (description_has_start(variable)) {
                attribute_integer(out, "start", (long long)variable->start);
            }
            break;
        case VARIABLE_STRING:
            break;
    }
}
