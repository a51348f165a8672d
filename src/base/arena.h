// Memory that is taken piece by piece and given back all at once.
#pragma once

#include <stddef.h>

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {
    ArenaChunk* chunks;  // newest first
    size_t n_bytes;      // handed out so far
    size_t limit;        // no more than this is handed out; 0: no limit
} Arena;

// count*size zeroed bytes, aligned for any type, or NULL when memory or the limit is exhausted.
// A count of 0 gives a valid pointer.
void* arena_alloc(Arena* arena, size_t count, size_t size);

// A copy of n bytes of text with a terminating 0, or NULL.
char* arena_copy(Arena* arena, const char* text, size_t n);

// "first.second", or NULL.
char* arena_join(Arena* arena, const char* first, const char* second);

// Frees everything; the arena is empty and usable afterwards.
void arena_free(Arena* arena);

#define ARENA_NEW(arena, count, Type) ((Type*)arena_alloc((arena), (size_t)(count), sizeof(Type)))
