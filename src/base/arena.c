#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform_pages.h"

struct ArenaChunk {
    ArenaChunk* next;
    size_t size, used;  // of the bytes after the header
};

// A chunk is a part of all that was handed out before it, so that large arenas have few; what is
// not used of the last one is never touched.
enum { LEAST_CHUNK = 4096, CHUNK_PART = 8, ALIGNMENT = _Alignof(max_align_t) };
static const size_t PAGES = (size_t)1 << 18;  // chunks from here on are pages of their own
static const size_t HEADER = (sizeof(ArenaChunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

// Zeros with room for so many bytes after the header, or NULL
static ArenaChunk* make_chunk(size_t size) {
    const size_t n = HEADER + size;
    ArenaChunk* chunk = n < PAGES ? calloc(1, n) : platform_pages_take(n);
    if (chunk != NULL) {
        chunk->size = size;
    }
    return chunk;
}

static void free_chunk(ArenaChunk* chunk) {
    const size_t n = chunk != NULL ? HEADER + chunk->size : 0;
    if (n < PAGES) {
        free(chunk);
    } else {
        platform_pages_give(chunk, n);
    }
}

// Where what is aligned so begins in a chunk
static size_t next_place(const ArenaChunk* chunk, size_t alignment) {
    return (chunk->used + alignment - 1) / alignment * alignment;
}

// A chunk with room for n bytes, or NULL.
static ArenaChunk* find_chunk(Arena* arena, size_t n, size_t alignment) {
    ArenaChunk* chunk = arena->chunks;
    if (arena->limit != 0 && n > arena->limit - arena->n_bytes) {
        return NULL;
    }
    const size_t at = chunk != NULL ? next_place(chunk, alignment) : 0;
    if (chunk != NULL && at <= chunk->size && chunk->size - at >= n) {
        return chunk;
    }
    if (arena->spare != NULL && arena->spare->size >= n) {
        chunk = arena->spare;
        arena->spare = NULL;
    } else {
        const size_t part = arena->n_bytes / CHUNK_PART;
        const size_t least = part > LEAST_CHUNK ? part : LEAST_CHUNK;
        chunk = make_chunk(n > least ? n : least);
        if (chunk == NULL) {
            return NULL;
        }
    }
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

void* arena_alloc(Arena* arena, size_t count, size_t size) {
    const bool countable = size == 0 || count <= (SIZE_MAX / 2 - ALIGNMENT) / size;
    const size_t alignment = size == 1 ? 1 : ALIGNMENT;
    const size_t n = countable ? (count * size + alignment - 1) / alignment * alignment : 0;
    ArenaChunk* chunk = countable ? find_chunk(arena, n, alignment) : NULL;
    if (chunk == NULL) {
        arena->exhausted = true;
        return NULL;
    }
    const size_t at = next_place(chunk, alignment);
    void* bytes = (char*)chunk + HEADER + at;
    chunk->used = at + n;
    arena->n_bytes += n;
    return bytes;
}

ArenaMark arena_mark(const Arena* arena) {
    return (ArenaMark){.chunk = arena->chunks,
                       .used = arena->chunks != NULL ? arena->chunks->used : 0,
                       .n_bytes = arena->n_bytes};
}

// What was handed out of a chunk beyond some bytes is zero again.
static void clear_chunk(ArenaChunk* chunk, size_t used) {
    memset((char*)chunk + HEADER + used, 0, chunk->used - used);
    chunk->used = used;
}

void arena_return(Arena* arena, ArenaMark mark) {
    while (arena->chunks != mark.chunk) {
        ArenaChunk* chunk = arena->chunks;
        arena->chunks = chunk->next;
        free_chunk(arena->spare);
        arena->spare = chunk;
        clear_chunk(chunk, 0);
    }
    if (mark.chunk != NULL) {
        clear_chunk(mark.chunk, mark.used);
    }
    arena->n_bytes = mark.n_bytes;
}

char* arena_copy(Arena* arena, const char* text, size_t n) {
    char* copy = arena_alloc(arena, n + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
    }
    return copy;
}

char* arena_join(Arena* arena, const char* first, const char* second) {
    const size_t n = strlen(first) + 1 + strlen(second) + 1;
    char* text = arena_alloc(arena, n, 1);
    if (text != NULL) {
        (void)snprintf(text, n, "%s.%s", first, second);
    }
    return text;
}

const char* arena_shortage(const Arena* arena, char words[ARENA_WORDS]) {
    static const double MIB = 1024.0 * 1024.0;
    if (arena->limit != 0) {
        (void)snprintf(words, ARENA_WORDS, "more than %.4g MiB of memory are needed",
                       (double)arena->limit / MIB);
    } else {
        (void)snprintf(words, ARENA_WORDS, "out of memory after %.4g MiB",
                       (double)arena->n_bytes / MIB);
    }
    return words;
}

void arena_move(Arena* from, Arena* to) {
    ArenaChunk** last = &from->chunks;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = to->chunks;
    to->chunks = from->chunks;
    to->n_bytes += from->n_bytes;
    free_chunk(from->spare);
    *from = (Arena){.limit = from->limit};
}

void arena_free(Arena* arena) {
    while (arena->chunks != NULL) {
        ArenaChunk* next = arena->chunks->next;
        free_chunk(arena->chunks);
        arena->chunks = next;
    }
    if (arena->spare != NULL) {  // no call in vain: steps free what is empty
        free_chunk(arena->spare);
        arena->spare = NULL;
    }
    arena->n_bytes = 0;
    arena->exhausted = false;
}
