#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/platform_program.h"

bool platform_program_start(int* argc, char*** argv) {
    (void)argc;
    (void)argv;
    return true;
}

bool platform_program_has_terminal(void) { return isatty(STDERR_FILENO) != 0; }

void platform_program_on_interrupt(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

double platform_program_clock(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
