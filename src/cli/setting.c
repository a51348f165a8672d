// Values of variables as users write them on the command line.
#include "cli/setting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"

bool setting_read_number(const char* text, double* number) {
    const char* end = text_to_double(text, number);
    return end != NULL && *end == 0 && isfinite(*number);
}

static bool read_item(const EnumerationType* type, const char* text, double* value) {
    for (int i = 0; i < type->n_items; i++) {
        if (strcmp(enumeration_item(type, i)->name, text) == 0) {
            *value = i + 1;
            return true;
        }
    }
    return setting_read_number(text, value);
}

static bool read_value(const Variable* variable, const char* text, double* value) {
    switch (variable->type) {
        case VARIABLE_REAL:
            return setting_read_number(text, value);
        case VARIABLE_INTEGER:
            return setting_read_number(text, value) && *value == floor(*value);
        case VARIABLE_ENUMERATION:
            return read_item(variable->enumeration, text, value) && *value == floor(*value);
        case VARIABLE_BOOLEAN:
            *value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
            return *value != 0 || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
        case VARIABLE_STRING:
            break;
    }
    return false;
}

static void print_expected(const Variable* variable, const char* text, const char* command) {
    static const char* const words[] = {
        [VARIABLE_REAL] = "a number",
        [VARIABLE_INTEGER] = "a whole number",
        [VARIABLE_BOOLEAN] = "true or false",
        [VARIABLE_ENUMERATION] = "one of",
        [VARIABLE_STRING] = "nothing: texts cannot be set",
    };
    Suggestion suggestion = {0};
    fprintf(stderr, "%s: %s=%s: expected %s", command, variable->name, text, words[variable->type]);
    if (variable->type == VARIABLE_ENUMERATION) {
        const EnumerationType* type = variable->enumeration;
        for (int i = 0; i < type->n_items; i++) {
            fprintf(stderr, "%s %s", i > 0 ? "," : "", enumeration_item(type, i)->name);
            suggest_consider(&suggestion, text, enumeration_item(type, i)->name);
        }
    }
    fprintf(stderr, "%s\n", suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
}

static void print_unknown(const VariableTable* table, const char* name, const char* command) {
    Suggestion suggestion = {0};
    for (int i = 0; i < table->n_variables; i++) {
        const Causality causality = table->variables[i].causality;
        if (causality == CAUSALITY_PARAMETER || causality == CAUSALITY_INPUT) {
            suggest_consider(&suggestion, name, table->variables[i].name);
        }
    }
    fprintf(stderr, "%s: the model has no variable '%s'", command, name);
    fprintf(stderr, "%s\n", suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
}

static bool apply(const char* name, const char* text, const char* command, Simulation* simulation) {
    const VariableTable* table = simulation_variables(simulation);
    const int index = variable_find(table, name);
    double value;
    if (index < 0) {
        print_unknown(table, name, command);
        return false;
    }
    const Variable* variable = &table->variables[index];
    if (variable->causality != CAUSALITY_PARAMETER && variable->causality != CAUSALITY_INPUT) {
        fprintf(stderr, "%s: '%s' cannot be set: it is neither a parameter nor an input\n", command,
                name);
        return false;
    }
    if (!read_value(variable, text, &value)) {
        print_expected(variable, text, command);
        return false;
    }
    const Status status = simulation_set(simulation, index, value);
    if (status != STATUS_OK) {
        const char* message = simulation_message(simulation);
        fprintf(stderr, "%s: %s=%s: %s\n", command, name, text,
                message != NULL && message[0] != 0 ? message : status_text(status));
    }
    return status == STATUS_OK;
}

bool setting_apply(const Setting* setting, const char* command, Simulation* simulation) {
    if (setting->name != NULL) {
        return apply(setting->name, setting->text, command, simulation);
    }
    char name[512];
    const char* equals = strchr(setting->text, '=');
    if (equals == NULL || equals == setting->text ||
        (size_t)(equals - setting->text) >= sizeof name) {
        fprintf(stderr, "%s: --set %s: expected NAME=VALUE, such as --set ball.mass=2\n", command,
                setting->text);
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting->text), setting->text);
    return apply(name, equals + 1, command, simulation);
}

// Words from the column on, in lines that a terminal shows whole
static void print_wrapped(const char* text, int column) {
    enum { WIDTH = 92 };
    int at = column;
    while (*text != 0) {
        const int n = (int)strcspn(text, " ");
        if (at > column && at + 1 + n > WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        }
        at += printf("%s%.*s", at > column ? " " : "", n, text);
        text += n + (int)strspn(text + n, " ");
    }
    putchar('\n');
}

void setting_print_schemes(void) {
    enum { COLUMN = 30 };
    const EnumerationType* schemes = simulation_schemes();
    puts("\nschemes:");
    for (int i = 0; i < schemes->n_items; i++) {
        const EnumerationItem* scheme = enumeration_item(schemes, i);
        printf("  %-*s", COLUMN - 2, scheme->name);
        print_wrapped(scheme->help, COLUMN);
    }
}
