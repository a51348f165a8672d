#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "load.h"

void* load_library(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    }
    return library;
}

LoadedFunction load_function(void* library, const char* name) {
    void* symbol = dlsym(library, name);
    LoadedFunction function = NULL;
    memcpy(&function, &symbol, sizeof function);  // C knows no conversion between the two
    if (function == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    }
    return function;
}

void load_close(void* library) { (void)dlclose(library); }
