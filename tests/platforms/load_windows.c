#include <stdio.h>
#include <windows.h>

#include "load.h"

void* load_library(const char* path) {
    void* library = LoadLibraryA(path);
    if (library == NULL) {
        fprintf(stderr, "%s: error %lu\n", path, GetLastError());
    }
    return library;
}

LoadedFunction load_function(void* library, const char* name) {
    LoadedFunction function = (LoadedFunction)GetProcAddress(library, name);
    if (function == NULL) {
        fprintf(stderr, "%s: error %lu\n", name, GetLastError());
    }
    return function;
}

void load_close(void* library) { (void)FreeLibrary(library); }
