// What differs between operating systems in a program with a terminal: arguments, the clock,
// Ctrl-C. The FMU has none of it.
#pragma once

#include <stdbool.h>

// At the start of main: arguments become UTF-8, the terminal shows it. False if memory is
// exhausted.
bool platform_program_start(int* argc, char*** argv);

// stderr is a terminal, on which lines can be drawn anew.
bool platform_program_has_terminal(void);

// The first Ctrl-C calls the handler, a second one ends the program at once.
void platform_program_on_interrupt(void (*handler)(int));

// Seconds since some instant of the past, by the clock of the whole machine: that of the process
// takes ten times as long to read.
double platform_program_clock(void);
