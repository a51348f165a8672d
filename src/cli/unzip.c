// One file of a zip archive (PKWARE APPNOTE.TXT 4.3): the end record leads to the central
// directory, whose entries lead to the local headers, behind which the bytes are. No zip64, no
// encryption.
#include "cli/unzip.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST  // zlib does not write to what it reads
#include <zlib.h>

enum {
    END_SIZE = 22,
    LONGEST_COMMENT = 65535,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    STORED = 0,
    DEFLATED = 8,
};

typedef struct Entry {
    uint32_t method, n_packed, n_content, offset;
} Entry;

static uint32_t u16(const unsigned char* at) { return at[0] | (uint32_t)at[1] << 8; }

static uint32_t u32(const unsigned char* at) { return u16(at) | u16(at + 2) << 16; }

// The end record, which a comment may follow; NULL: there is none.
static const unsigned char* find_end(const unsigned char* bytes, size_t n) {
    for (size_t back = END_SIZE; back <= n && back <= END_SIZE + LONGEST_COMMENT; back++) {
        if (u32(bytes + n - back) == 0x06054b50) {
            return bytes + n - back;
        }
    }
    return NULL;
}

static Status find_entry(const unsigned char* bytes, size_t n, const char* name, Entry* entry) {
    const unsigned char* end = find_end(bytes, n);
    if (end == NULL) {
        return STATUS_INVALID_MODEL;
    }
    const size_t n_name = strlen(name), n_before = (size_t)(end - bytes);
    size_t at = u32(end + 16);
    for (uint32_t i = 0, n_entries = u16(end + 10); i < n_entries; i++) {
        if (at > n_before || n_before - at < ENTRY_SIZE || u32(bytes + at) != 0x02014b50) {
            return STATUS_INVALID_MODEL;
        }
        const unsigned char* e = bytes + at;
        const size_t n_this = u16(e + 28);
        at += ENTRY_SIZE + n_this + u16(e + 30) + u16(e + 32);
        if (at > n_before) {
            return STATUS_INVALID_MODEL;
        }
        if (n_this == n_name && memcmp(e + ENTRY_SIZE, name, n_name) == 0) {
            *entry = (Entry){u16(e + 10), u32(e + 20), u32(e + 24), u32(e + 42)};
            return STATUS_OK;
        }
    }
    return STATUS_NO_FILE;
}

static bool inflate_all(const unsigned char* packed, const Entry* entry, char* content) {
    z_stream stream = {.next_in = packed,
                       .avail_in = entry->n_packed,
                       .next_out = (unsigned char*)content,
                       .avail_out = entry->n_content};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {  // raw, without zlib's own header
        return false;
    }
    const int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0;
}

Status unzip_entry(const void* archive, size_t n, const char* name, size_t limit, char** content,
                   size_t* n_content) {
    const unsigned char* bytes = archive;
    Entry entry;
    *content = NULL;
    *n_content = 0;
    const Status status = find_entry(bytes, n, name, &entry);
    if (status != STATUS_OK) {
        return status;
    }
    if (entry.n_content > limit) {
        return STATUS_TOO_LARGE;
    }
    if (n < LOCAL_SIZE || entry.offset > n - LOCAL_SIZE ||
        u32(bytes + entry.offset) != 0x04034b50) {
        return STATUS_INVALID_MODEL;
    }
    const unsigned char* local = bytes + entry.offset;
    const size_t at = entry.offset + LOCAL_SIZE + u16(local + 26) + u16(local + 28);
    if (at > n || n - at < entry.n_packed ||
        (entry.method == STORED && entry.n_packed != entry.n_content)) {
        return STATUS_INVALID_MODEL;
    }
    char* made = malloc((size_t)entry.n_content + 1);
    if (made == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    if (entry.method == STORED) {
        memcpy(made, bytes + at, entry.n_content);
    } else if (entry.method != DEFLATED || !inflate_all(bytes + at, &entry, made)) {
        free(made);
        return STATUS_INVALID_MODEL;
    }
    made[entry.n_content] = 0;
    *content = made;
    *n_content = entry.n_content;
    return STATUS_OK;
}
