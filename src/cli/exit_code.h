// What the program tells the shell.
#pragma once

enum {
    EXIT_CODE_OK = 0,
    EXIT_CODE_FAILED = 1,         // the model or the simulation
    EXIT_CODE_USAGE = 2,          // the command line
    EXIT_CODE_INTERRUPTED = 130,  // 128 + SIGINT, as shells have it
};
