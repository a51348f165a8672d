// Memory that is taken piece by piece and given back all at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {
    ArenaChunk* chunks;  // newest first
    ArenaChunk* spare;   // one that was given back, for what is taken next; or NULL
    size_t n_bytes;      // handed out so far
    size_t limit;        // no more than this is handed out; 0: no limit
    bool exhausted;      // something was asked for that could not be had
} Arena;

// count*size zeroed bytes, aligned for any type, or NULL when memory or the limit is exhausted.
// Single bytes, as texts are, follow each other without gaps.
// A count of 0 gives a valid pointer.
void* arena_alloc(Arena* arena, size_t count, size_t size);

// What is handed out from here on can be given back, newest first.
typedef struct ArenaMark {
    ArenaChunk* chunk;
    size_t used, n_bytes;
} ArenaMark;
ArenaMark arena_mark(const Arena* arena);
void arena_return(Arena* arena, ArenaMark mark);

// A copy of n bytes of text with a terminating 0, or NULL.
char* arena_copy(Arena* arena, const char* text, size_t n);

// "first.second", or NULL.
char* arena_join(Arena* arena, const char* first, const char* second);

// What is to be said of an arena that is exhausted: how much it had handed out or may hand out.
enum { ARENA_WORDS = 64 };
const char* arena_shortage(const Arena* arena, char words[ARENA_WORDS]);

// All that one arena has handed out becomes another one's, to be freed with it; it is empty then.
void arena_move(Arena* from, Arena* to);

// Frees everything; the arena is empty and usable afterwards.
void arena_free(Arena* arena);

#define ARENA_NEW(arena, count, Type) ((Type*)arena_alloc((arena), (size_t)(count), sizeof(Type)))
