// ModelStructure of modelDescription.xml. In FMI 2.0 variables are counted from 1; as time, the
// first of the table, is not listed (model_description.c), that is their index in the table, which
// is their value reference, by which FMI 3.0 names them.
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
static void write_unknown(const char* head, int index, const int* knowns, int n_knowns,
                          TextBuffer* out) {
    int n = knowns != NULL ? n_knowns : 0;
    int* sorted = n > 0 ? sort_indices(knowns, &n) : NULL;
    text_add_format(out, "%s=\"%d\"", head, index);
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

static const char fmi2_unknown[] = "      <Unknown index";

static void write_outputs(const VariableTable* table, TextBuffer* out) {
    bool any = false;
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->causality == CAUSALITY_OUTPUT) {
            text_add(out, any ? "" : "    <Outputs>\n");
            write_unknown(fmi2_unknown, i, variable->known_inputs, variable->n_known_inputs, out);
            any = true;
        }
    }
    text_add(out, any ? "    </Outputs>\n" : "");
}

// All outputs of ours are calculated in initialisation mode, none is given by a start value.
static bool is_initial_unknown(const Variable* variable) {
    return variable->causality == CAUSALITY_OUTPUT ||
           variable->causality == CAUSALITY_CALCULATED_PARAMETER;
}

static void write_initial_unknowns(const VariableTable* table, TextBuffer* out) {
    bool any = false;
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (is_initial_unknown(variable)) {
            text_add(out, any ? "" : "    <InitialUnknowns>\n");
            write_unknown(fmi2_unknown, i, variable->known_initially, variable->n_known_initially,
                          out);
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

// --- FMI 3.0 ---

// The knowns of all elements of an array together, which the caller frees; NULL if there are none,
// or no memory.
static int* join_knowns(const VariableTable* table, const ArrayVariable* array, bool initial,
                        int* n) {
    *n = 0;
    for (int i = 0; i < array->n; i++) {
        const Variable* element = &table->variables[array->elements[i]];
        *n += initial ? element->n_known_initially : element->n_known_inputs;
    }
    int* joined = *n > 0 ? malloc((size_t)*n * sizeof *joined) : NULL;
    int at = 0;
    for (int i = 0; i < array->n && joined != NULL; i++) {
        const Variable* element = &table->variables[array->elements[i]];
        const int* knowns = initial ? element->known_initially : element->known_inputs;
        const int n_knowns = initial ? element->n_known_initially : element->n_known_inputs;
        for (int k = 0; k < n_knowns; k++) {
            joined[at++] = knowns[k];
        }
    }
    return joined;
}

static void write_arrays(const char* head, const VariableTable* table, const ArrayTable* arrays,
                         bool initial, TextBuffer* out) {
    for (int i = 0; i < arrays->n_arrays; i++) {
        int n;
        int* knowns = join_knowns(table, &arrays->arrays[i], initial, &n);
        write_unknown(head, (int)array_variables_reference(table, i), knowns, n, out);
        out->failed = out->failed || (n > 0 && knowns == NULL);
        free(knowns);
    }
}

void model_structure_write_fmi3(const VariableTable* table, const ArrayTable* arrays,
                                TextBuffer* out) {
    static const char output[] = "    <Output valueReference";
    static const char initial[] = "    <InitialUnknown valueReference";
    text_add(out, "  <ModelStructure>\n");
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (variable->causality == CAUSALITY_OUTPUT) {
            write_unknown(output, i, variable->known_inputs, variable->n_known_inputs, out);
        }
    }
    write_arrays(output, table, arrays, false, out);
    for (int i = 0; i < table->n_variables; i++) {
        const Variable* variable = &table->variables[i];
        if (is_initial_unknown(variable)) {
            write_unknown(initial, i, variable->known_initially, variable->n_known_initially, out);
        }
    }
    write_arrays(initial, table, arrays, true, out);
    text_add(out, "  </ModelStructure>\n");
}
