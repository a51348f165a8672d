// Command-line options: --name value, --name=value, -o value, -ovalue; "--" ends them.
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

static int count(const OptionReader* reader) { return reader->n_options + reader->n_shared; }

static const Option* get(const OptionReader* reader, int i) {
    return i < reader->n_options ? &reader->options[i] : &reader->shared[i - reader->n_options];
}

static int unknown(const OptionReader* reader, const char* written) {
    Suggestion suggestion = {0};
    for (int i = 0; i < count(reader); i++) {
        suggest_consider(&suggestion, written, get(reader, i)->name);
    }
    fprintf(stderr, "%s: there is no option '%s'", reader->command, written);
    fprintf(stderr, "%s\n", suggest_words(&suggestion, (char[SUGGEST_WORDS]){""}));
    return OPTION_ERROR;
}

// Takes the value of option i from the text behind it (NULL if there is none) or the next argument.
static int take_value(OptionReader* reader, int i, const char* written, const char* behind,
                      const char** value) {
    const Option* option = get(reader, i);
    if (option->value == NULL && behind != NULL) {
        fprintf(stderr, "%s: option '%s' takes no value\n", reader->command, option->name);
        return OPTION_ERROR;
    }
    if (option->value == NULL || behind != NULL) {
        *value = behind;
        return i;
    }
    if (reader->at >= reader->argc) {
        fprintf(stderr, "%s: option '%s' needs a value: %s %s\n", reader->command, written, written,
                option->value);
        return OPTION_ERROR;
    }
    *value = reader->argv[reader->at++];
    return i;
}

static int long_option(OptionReader* reader, const char* argument, const char** value) {
    const char* equals = strchr(argument, '=');
    const size_t n = equals != NULL ? (size_t)(equals - argument) : strlen(argument);
    for (int i = 0; i < count(reader); i++) {
        const char* name = get(reader, i)->name;
        if (strlen(name) == n && memcmp(name, argument, n) == 0) {
            return take_value(reader, i, name, equals != NULL ? equals + 1 : NULL, value);
        }
    }
    char written[128];
    snprintf(written, sizeof written, "%.*s", n < sizeof written ? (int)n : 127, argument);
    return unknown(reader, written);
}

static int short_option(OptionReader* reader, const char* argument, const char** value) {
    for (int i = 0; i < count(reader); i++) {
        if (get(reader, i)->letter != 0 && argument[1] == get(reader, i)->letter) {
            const char written[] = {'-', argument[1], 0};
            return take_value(reader, i, written, argument[2] != 0 ? argument + 2 : NULL, value);
        }
    }
    return unknown(reader, argument);
}

int options_next(OptionReader* reader, const char** value) {
    *value = NULL;
    if (reader->at >= reader->argc) {
        return OPTION_END;
    }
    const char* argument = reader->argv[reader->at++];
    if (!reader->ended && strcmp(argument, "--") == 0) {
        reader->ended = true;
        return options_next(reader, value);
    }
    if (reader->ended || argument[0] != '-' || argument[1] == 0) {
        *value = argument;
        return OPTION_OPERAND;
    }
    return argument[1] == '-' ? long_option(reader, argument, value)
                              : short_option(reader, argument, value);
}

void options_print_help(const Option* options, int n_options) {
    enum { COLUMN = 26 };
    for (int i = 0; i < n_options; i++) {
        const Option* option = &options[i];
        char left[COLUMN + 32] = "";
        int n = option->letter != 0 ? snprintf(left, sizeof left, "-%c, ", option->letter) : 0;
        snprintf(left + n, sizeof left - (size_t)n, "%s%s%s", option->name,
                 option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
        printf("  %-*s", COLUMN, left);
        for (const char* c = option->help; *c != 0; c++) {
            putchar(*c);
            if (*c == '\n') {
                printf("  %*s", COLUMN, "");
            }
        }
        putchar('\n');
    }
}
