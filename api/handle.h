// What stands behind a ClatterSimulation*.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "api/clatter.h"
#include "api/problem_list.h"
#include "simulation/simulation.h"

typedef enum HandlePhase {
    HANDLE_SET_UP,
    HANDLE_STARTED,
    HANDLE_MOVING,
    N_HANDLE_PHASES
} HandlePhase;

enum { HANDLE_MESSAGE = 2048 };

struct ClatterSimulation {
    Simulation* simulation;  // NULL: the model cannot be used
    ModelFiles files;
    char* path;  // owned, the name of the model
    ProblemList problems;
    int n_loading;  // problems of loading, which stay
    HandlePhase phase;
    atomic_int cancel;
    char message[HANDLE_MESSAGE];
};

// CLATTER_REFUSED, with this message.
ClatterStatus handle_refuse(ClatterSimulation* handle, const char* format, ...) PRINTF_LIKE(2, 3);
// The simulation's status as one of the interface, with its message; otherwise: what a failure of
// the call is, unless the call was wrong.
ClatterStatus handle_status(ClatterSimulation* handle, Status status, ClatterStatus otherwise);
// CLATTER_OK, or why the handle or an array (n of something) cannot be used.
ClatterStatus handle_check(ClatterSimulation* handle);
ClatterStatus handle_check_array(ClatterSimulation* handle, long long n, const void* array,
                                 const char* what);
// Are these n variables of the model that have numbers as values?
ClatterStatus handle_check_numbers(ClatterSimulation* handle, int n, const int32_t* variables);
