// A small co-simulation host: loads the binary of an FMU, steps it, goes back to a saved state
// half-way and on again, and prints what the outputs are at each communication point.
//   fmu_host BINARY RESOURCES_URI GUID SCHEME_REFERENCE SCHEME STEP N_STEPS OUTPUT_REFERENCE...
#include <fmi2Functions.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

enum { FIRST_OUTPUT = 8, MOST_OUTPUTS = 64 };

#define FUNCTION(name) name##TYPE* name = (name##TYPE*)load_function(library, #name)

static void* library;

static void log_message(fmi2ComponentEnvironment environment, fmi2String instance,
                        fmi2Status status, fmi2String category, fmi2String message, ...) {
    (void)environment;
    va_list arguments;
    va_start(arguments, message);
    fprintf(stderr, "%s: %d: %s: ", instance, (int)status, category);
    vfprintf(stderr, message, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static void expect(fmi2Status status, const char* call) {
    if (status != fmi2OK) {
        fprintf(stderr, "%s: status %d\n", call, (int)status);
        exit(1);
    }
}

static void print_outputs(fmi2Component c, const fmi2ValueReference* references, size_t n) {
    FUNCTION(fmi2GetReal);
    double values[MOST_OUTPUTS];
    expect(fmi2GetReal(c, references, n, values), "fmi2GetReal");
    for (size_t i = 0; i < n; i++) {
        printf("%s%.17g", i > 0 ? " " : "", values[i]);
    }
    puts("");
}

// Steps from number first to last, with what the outputs are after each one if they are wanted.
static void make_steps(fmi2Component c, int first, int last, double step, char** outputs, int n) {
    FUNCTION(fmi2DoStep);
    fmi2ValueReference references[MOST_OUTPUTS];
    for (int i = 0; i < n; i++) {
        references[i] = (fmi2ValueReference)strtoul(outputs[i], NULL, 10);
    }
    for (int i = first; i < last; i++) {
        expect(fmi2DoStep(c, i * step, step, fmi2True), "fmi2DoStep");
        if (n > 0) {
            print_outputs(c, references, (size_t)n);
        }
    }
}

static fmi2Component start(char** arguments) {
    static const fmi2CallbackFunctions callbacks = {log_message, calloc, free, NULL, NULL};
    const fmi2ValueReference reference = (fmi2ValueReference)strtoul(arguments[4], NULL, 10);
    const fmi2Integer scheme = atoi(arguments[5]);
    FUNCTION(fmi2Instantiate);
    FUNCTION(fmi2SetupExperiment);
    FUNCTION(fmi2SetInteger);
    FUNCTION(fmi2EnterInitializationMode);
    FUNCTION(fmi2ExitInitializationMode);
    fmi2Component c = fmi2Instantiate("instance", fmi2CoSimulation, arguments[3], arguments[2],
                                      &callbacks, fmi2False, fmi2False);
    if (c == NULL) {
        exit(1);
    }
    expect(fmi2SetupExperiment(c, fmi2False, 0, 0, fmi2False, 0), "fmi2SetupExperiment");
    expect(fmi2SetInteger(c, &reference, 1, &scheme), "fmi2SetInteger");
    expect(fmi2EnterInitializationMode(c), "fmi2EnterInitializationMode");
    expect(fmi2ExitInitializationMode(c), "fmi2ExitInitializationMode");
    return c;
}

int main(int argc, char** argv) {
    if (argc <= FIRST_OUTPUT || argc > FIRST_OUTPUT + MOST_OUTPUTS) {
        fputs("usage: see the head of fmu_host.c\n", stderr);
        return 2;
    }
    (void)setlocale(LC_ALL, "de_DE.UTF-8");  // a host may write a decimal comma, if it can be had
    library = load_library(argv[1]);
    if (library == NULL) {
        return 1;
    }
    FUNCTION(fmi2GetFMUstate);
    FUNCTION(fmi2SetFMUstate);
    FUNCTION(fmi2FreeFMUstate);
    FUNCTION(fmi2Terminate);
    FUNCTION(fmi2FreeInstance);
    fmi2Component c = start(argv);
    (void)setlocale(LC_ALL, "C");
    const double step = atof(argv[6]);
    const int n_steps = atoi(argv[7]);
    char** outputs = argv + FIRST_OUTPUT;
    const int n = argc - FIRST_OUTPUT;
    fmi2FMUstate saved = NULL;
    make_steps(c, 0, n_steps / 2, step, outputs, n);
    expect(fmi2GetFMUstate(c, &saved), "fmi2GetFMUstate");
    make_steps(c, n_steps / 2, n_steps, step, NULL, 0);
    expect(fmi2SetFMUstate(c, saved), "fmi2SetFMUstate");
    make_steps(c, n_steps / 2, n_steps, step, outputs, n);
    expect(fmi2FreeFMUstate(c, &saved), "fmi2FreeFMUstate");
    expect(fmi2Terminate(c), "fmi2Terminate");
    fmi2FreeInstance(c);
    load_close(library);
    return 0;
}
