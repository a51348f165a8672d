// Counts allocations by the linker's --wrap, which cmake/Tests.cmake gives to every test that
// includes this.
#pragma once

#include <stddef.h>

static size_t n_allocations;

void* __real_malloc(size_t n);
void* __real_calloc(size_t n, size_t size);
void* __real_realloc(void* old, size_t n);
void* __wrap_malloc(size_t n);
void* __wrap_calloc(size_t n, size_t size);
void* __wrap_realloc(void* old, size_t n);

void* __wrap_malloc(size_t n) {
    n_allocations++;
    return __real_malloc(n);
}

void* __wrap_calloc(size_t n, size_t size) {
    n_allocations++;
    return __real_calloc(n, size);
}

void* __wrap_realloc(void* old, size_t n) {
    n_allocations++;
    return __real_realloc(old, n);
}
