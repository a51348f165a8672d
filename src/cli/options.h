// Command-line options: --name value, --name=value, -o value, -ovalue; "--" ends them.
#pragma once

#include <stdbool.h>

typedef struct Option {
    const char* name;   // "--stop"
    char letter;        // 'o' for -o, 0 if there is none
    const char* value;  // what the value is, in help texts; NULL for an option without one
    const char* help;   // lines after the first are indented by options_print_help
} Option;

typedef struct OptionReader {
    const char* command;    // for messages: "clatter run"
    const Option* options;  // (n_options)
    int n_options;
    int argc;
    char** argv;           // (argc)
    int at;                // next argument to read
    bool ended;            // "--" was read
    const Option* shared;  // (n_shared) options that the command has in common with others
    int n_shared;
} OptionReader;

enum { OPTION_END = -1, OPTION_ERROR = -2, OPTION_OPERAND = -3 };

// Index of the next option, *value being its value, those shared coming behind the own ones; or
// OPTION_OPERAND with *value the operand; or OPTION_END; or OPTION_ERROR after a message to stderr.
int options_next(OptionReader* reader, const char** value);

// One line or more per option, to stdout.
void options_print_help(const Option* options, int n_options);
