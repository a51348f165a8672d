#include "base/pool.h"

#include <stdlib.h>

Status pool_reserve(Pool* pool, size_t n) {
    if (n <= pool->capacity) {
        return STATUS_OK;
    }
    if (n > pool->limit) {
        return STATUS_OUT_OF_MEMORY;
    }
    double* data = malloc(n * sizeof *data);
    if (data == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    free(pool->data);
    pool->data = data;
    pool->capacity = n;
    pool->used = 0;
    return STATUS_OK;
}

Status pool_grow(Pool* pool) {
    const size_t n = pool->wanted;
    return pool_reserve(pool, 2 * n <= pool->limit ? 2 * n : n);
}

void pool_free(Pool* pool) {
    free(pool->data);
    *pool = (Pool){0};
}
