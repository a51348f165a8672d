// Values of variables as users write them on the command line.
#pragma once

#include "simulation/simulation.h"

typedef struct Setting {
    const char* name;  // of the variable; NULL: text is NAME=VALUE
    const char* text;  // the value
} Setting;

// Sets the variable; numbers, true and false, or the name of an enumeration's item. False after a
// message to stderr that begins with the command's name.
bool setting_apply(const Setting* setting, const char* command, Simulation* simulation);

// Reads a whole text as one finite number.
bool setting_read_number(const char* text, double* number);

// The schemes that --scheme takes, one below the other with what each does, to stdout.
void setting_print_schemes(void);
