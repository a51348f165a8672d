// ModelStructure of modelDescription.xml. Variables are counted from 1 there; as time, the first of
// the table, is not listed (model_description.c), that is their index in the table.
#include "modelDescription/model_structure.h"

#include <stdlib.h>
#include <string.h>

#include "modelDescription/attribute.h"

static int compare_indices(const void* a, const void* b) {
    const int first = *(const int*)a;
    const int second = *(const int*)b;
    return (first > second) - (first < second);
}

// FMI wants dependencies in ascending order without repetition, the table promises neither: so
// they are in a copy, which the caller frees; its length takes the place of n.
static int* sort_indices(const int* indices, int* n) {
    int* sorted = malloc((size_t)(*n > 0 ? *n : 1) * sizeof *sorted);
    if (sorted == NULL) {
        return NULL;
    }
    int n_sorted = 0;
    memcpy(sorted, indices, (size_t)*n * sizeof *sorted);
    qsort(sorted, (size_t)*n, sizeof *sorted, compare_indices);
    for (int i = 0; i < *n; i++) {
        if (n_sorted == 0 || sorted[i] != sorted[n_sorted - 1]) {
            sorted[n_sorted++] = sorted[i];
        }
    }
    *n = n_sorted;
    return sorted;
}

// An empty list says that there is no dependency; a missing one would mean "on everything".
static void write_unknown(int index, const int* knowns, int n_knowns, TextBuffer* out) {
    int n = knowns != NULL ? n_knowns : 0;
    int* sorted = n > 0 ? sort_indices(knowns, &n) : NULL;
    text_add(out, "      <Unknown");
    attribute_integer(out, "index", index);
    text_add(out, " dependencies=\"");
    for (int i = 0; i < n && sorted != NULL; i++) {
        text_add_format(out, "%s%d", i > 0 ? " " : "", sorted[i]);
    }
    text_add(out, "\"");
    if (n > 0) {
        text_add(out, " dependenciesKind=\"dependent");
        for (int i = 1; i < n; i++) {
            text_add(out, " dependent");
        }
        text_add(out, "\"");
    }
    text_add(out, "/>\n");
    out->failed = out->failed || (n > 0 && sorted == NULL);
    free(sorted);
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
