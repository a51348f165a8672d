// A block of doubles for scratch whose size is known only in use, such as matrices of the contacts
// that a step finds closed. Taking from it never allocates: where there is no room the caller gives
// up with STATUS_NO_ROOM, the pool is grown between steps, and the step is made again.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct Pool {
    double* data;     // (capacity)
    size_t used;      // doubles
    size_t capacity;  // doubles
    size_t limit;     // the most that it may grow to
    size_t wanted;    // what the last request without room would have needed
} Pool;

// n doubles, not initialised, until used is set back; NULL if there is no room.
static inline double* pool_take(Pool* pool, size_t n) {
    if (n > pool->capacity - pool->used) {
        pool->wanted = pool->used + n;
        return NULL;
    }
    double* taken = pool->data + pool->used;
    pool->used += n;
    return taken;
}

// Room for n things of a size, with the alignment of two doubles; NULL likewise
static inline void* pool_take_bytes(Pool* pool, size_t n, size_t size) {
    if (pool->used % 2 != 0 && pool_take(pool, 1) == NULL) {
        return NULL;
    }
    return pool_take(pool, (n * size + sizeof(double) - 1) / sizeof(double));
}

// Room for n things of a size, from the beginning of a line of most caches on; NULL likewise
static inline void* pool_take_lines(Pool* pool, size_t n, size_t size) {
    enum { LINE = 64 };
    double* room = pool_take(pool, (n * size + LINE - 1) / sizeof(double));
    const size_t over = (size_t)((uintptr_t)room % LINE) / sizeof(double);
    return room == NULL || over == 0 ? room : room + LINE / sizeof(double) - over;
}

// Room for at least n doubles in all; their contents are lost. STATUS_OUT_OF_MEMORY, and nothing
// changed, beyond the limit or if there is no memory.
MUST_CHECK Status pool_reserve(Pool* pool, size_t n);
// Room for what was wanted, and as much again.
MUST_CHECK Status pool_grow(Pool* pool);
void pool_free(Pool* pool);
