// Steps an FMU in a process where allocation_counter is preloaded, and prints how many allocations
// fell into the calls of fmi2DoStep, and, as a check of the counter, into fmi2Instantiate.
//   allocation_driver BINARY GUID RESOURCES N_STEPS STEP_SIZE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmi2FunctionTypes.h"

static void quiet(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String message, ...) {
    (void)environment, (void)name, (void)status, (void)category, (void)message;
}

int main(int argc, char** argv) {
    if (argc != 6) {
        return 2;
    }
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    long (*allocations)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "allocations");
    if (!library || !allocations) {
        fprintf(stderr, "cannot load: %s\n", dlerror());
        return 2;
    }
#define LOOK_UP(name) name##TYPE* name = (name##TYPE*)dlsym(library, #name)
    LOOK_UP(fmi2Instantiate);
    LOOK_UP(fmi2EnterInitializationMode);
    LOOK_UP(fmi2ExitInitializationMode);
    LOOK_UP(fmi2DoStep);
    LOOK_UP(fmi2FreeInstance);
    const fmi2CallbackFunctions host = {.logger = quiet};
    const long before = allocations();
    fmi2Component c =
        fmi2Instantiate("counted", fmi2CoSimulation, argv[2], argv[3], &host, fmi2False, fmi2True);
    const long instantiated = allocations() - before;
    if (!c || fmi2EnterInitializationMode(c) || fmi2ExitInitializationMode(c)) {
        return 3;
    }
    const int n = atoi(argv[4]);
    const double size = atof(argv[5]);
    long stepped = 0;
    for (int i = 0; i < n; i++) {
        const long at = allocations();
        if (fmi2DoStep(c, i * size, size, fmi2True) != fmi2OK) {
            return 4;
        }
        stepped += allocations() - at;
    }
    fmi2FreeInstance(c);
    printf("%ld %ld\n", instantiated, stepped);
    return 0;
}
