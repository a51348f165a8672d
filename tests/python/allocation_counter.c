// Counts the allocations of a process, for tests: loaded with LD_PRELOAD.
#include <stddef.h>

extern void* __libc_malloc(size_t n);
extern void* __libc_calloc(size_t n, size_t size);
extern void* __libc_realloc(void* p, size_t n);

static volatile long n_allocations;

long allocations(void) { return n_allocations; }

void* malloc(size_t n) {
    n_allocations++;
    return __libc_malloc(n);
}

void* calloc(size_t n, size_t size) {
    n_allocations++;
    return __libc_calloc(n, size);
}

void* realloc(void* p, size_t n) {
    n_allocations++;
    return __libc_realloc(p, n);
}
