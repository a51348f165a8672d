#include "modelDescription/integer_enumerations.h"

#include "base/text.h"

// "time-stepping scheme: 1 moreau_jean, 2 generalized_alpha"; NULL if there is no memory.
static const char* describe(const Variable* variable, Arena* arena) {
    TextBuffer text = {0};
    text_add(&text, variable->help != NULL ? variable->help : "");
    for (int i = 0; i < variable->enumeration->n_items; i++) {
        text_add_format(&text, "%s%d %s",
                        i > 0        ? ", "
                        : text.n > 0 ? ": "
                                     : "",
                        i + 1, enumeration_item(variable->enumeration, i)->name);
    }
    const char* copy = text.failed ? NULL : arena_copy(arena, text.text, text.n);
    text_buffer_free(&text);
    return copy;
}

Status integer_enumerations(const VariableTable* table, Arena* arena, VariableTable* integers) {
    Variable* variables = ARENA_NEW(arena, table->n_variables, Variable);
    if (variables == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < table->n_variables; i++) {
        Variable* variable = &variables[i];
        *variable = table->variables[i];
        if (variable->type != VARIABLE_ENUMERATION) {
            continue;
        }
        variable->help = describe(variable, arena);
        if (variable->help == NULL) {
            return STATUS_OUT_OF_MEMORY;
        }
        variable->type = VARIABLE_INTEGER;
        variable->min = 1.0;
        variable->max = variable->enumeration->n_items;
        variable->enumeration = NULL;
    }
    *integers = (VariableTable){variables, table->n_variables, table->by_name};
    return STATUS_OK;
}
