// A shared object as the system of the platform loads it.
#pragma once

typedef void (*LoadedFunction)(void);

// NULL after a message on stderr.
void* load_library(const char* path);
LoadedFunction load_function(void* library, const char* name);
void load_close(void* library);
