// ModelStructure of modelDescription.xml. Variables are counted from 1 there; as time, the first of
// the table, is not listed (model_description.c), that is their index in the table.
#include "modelDescription/model_structure.h"

#include <limits.h>

#include "modelDescription/attribute.h"

// The smallest of the indices that is greater than last, or INT_MAX: FMI wants dependencies in
// ascending order without repetition, the table promises neither.
static int next_above(const int* indices, int n, int last) {
    int next = INT_MAX;
    for (int i = 0; i < n; i++) {
        if (indices[i] > last && indices[i] < next) {
            next = indices[i];
        }
    }
    return next;
}

// An empty list says that there is no dependency; a missing one would mean "on everything".
static void write_unknown(int index, const int* knowns, int n_knowns, TextBuffer* out) {
    text_add(out, "      <Unknown");
    attribute_integer(out, "index", index);
    text_add(out, " dependencies=\"");
    int n_written = 0;
    for (int known = next_above(knowns, n_knowns, -1); known != INT_MAX;
         known = next_above(knowns, n_knowns, known)) {
        text_add_format(out, "%s%d", n_written > 0 ? " " : "", known);
        n_written++;
    }
    text_add(out, "\"");
    if (n_written > 0) {
        text_add(out, " dependenciesKind=\"dependent");
        for (int i = 1; i < n_written; i++) {
            text_add(out, " dependent");
        }
        text_add(out, "\"");
    }
    text_add(out, "/>\n");
}

static void write_outputs(const VariableTable* table, TextBuffer* out) {
    bool any = false;
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->causality == CAUSALITY_OUTPUT) {
            text_add(out, any ? "" : "    <Outputs>\n");
            write_unknown(i, variable->known_inputs, variable->n_known_inputs, out);
            any = true;
        }
    }
    text_add(out, any ? "    </Outputs>\n" : "");
}

// All outputs of ours are calculated in initialisation mode, none is given by a start value.
static void write_initial_unknowns(const VariableTable* table, TextBuffer* out) {
    bool any = false;
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->causality == CAUSALITY_OUTPUT ||
            variable->causality == CAUSALITY_CALCULATED_PARAMETER) {
            text_add(out, any ? "" : "    <InitialUnknowns>\n");
            write_unknown(i, variable->known_initially, variable->n_known_initially, out);
            any = true;
        }
    }
    text_add(out, any ? "    </InitialUnknowns>\n" : "");
}

void model_structure_write(const VariableTable* table, TextBuffer* out) {
    text_add(out, "  <ModelStructure>\n");
    write_outputs(table, out);
    write_initial_unknowns(table, out);
    text_add(out, "  </ModelStructure>\n");
}
