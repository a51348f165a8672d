// Whole files in and out of memory.
#include "base/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

enum { FIRST_READ = 1 << 16, TEMPORARY_NAMES = 100, SUFFIX_SIZE = 16 };

// Doubles a block of capacity bytes, or makes the first one; at most most bytes.
static bool grow(char** bytes, size_t* capacity, size_t most) {
    size_t more = *capacity == 0 ? FIRST_READ : *capacity > most / 2 ? most : 2 * *capacity;
    more = more < most ? more : most;
    char* block = realloc(*bytes, more);
    if (block == NULL) {
        return false;
    }
    *bytes = block;
    *capacity = more;
    return true;
}

// Reads to the end rather than asking for the size: pipes have none and a file may be growing.
static Status read_all(FILE* file, size_t limit, char** bytes, size_t* n) {
    const size_t most =
        limit > SIZE_MAX / 2 ? SIZE_MAX / 2 : limit + 2;  // one byte over, and the 0
    size_t capacity = 0;
    for (;;) {
        if (*n + 1 >= capacity && !grow(bytes, &capacity, most)) {
            return STATUS_OUT_OF_MEMORY;
        }
        const size_t got = fread(*bytes + *n, 1, capacity - 1 - *n, file);
        *n += got;
        if (ferror(file)) {
            return STATUS_NO_FILE;  // a directory opens, but cannot be read
        }
        if (*n > limit || *n + 1 >= most) {
            return STATUS_TOO_LARGE;
        }
        if (feof(file)) {
            (*bytes)[*n] = 0;
            return STATUS_OK;
        }
    }
}

Status file_read(const char* path, size_t limit, char** bytes, size_t* n) {
    *bytes = NULL;
    *n = 0;
    FILE* file = platform_open(path, "rb");
    if (file == NULL) {
        return STATUS_NO_FILE;
    }
    const Status status = read_all(file, limit, bytes, n);
    (void)fclose(file);
    if (status != STATUS_OK) {
        free(*bytes);
        *bytes = NULL;
        *n = 0;
    }
    return status;
}

const char* file_reason(Status status) {
    if (status != STATUS_NO_FILE || errno == 0) {
        return status_text(status);
    }
    return errno == EISDIR ? "it is a directory" : strerror(errno);
}

static bool write_and_close(FILE* file, const void* bytes, size_t n) {
    const bool written = n == 0 || fwrite(bytes, 1, n, file) == n;
    return fclose(file) == 0 && written;
}

// Opens a file that did not exist, named after path; its name goes to name (strlen(path) +
// SUFFIX_SIZE characters). Not mkstemp, whose files only their owner can read.
static FILE* open_temporary(const char* path, char* name) {
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        (void)snprintf(name, strlen(path) + SUFFIX_SIZE, "%s.%d.tmp", path, i);
        FILE* file = platform_open(name, "wbx");
        if (file != NULL || errno != EEXIST) {
            return file;
        }
    }
    return NULL;
}

Status file_write(const char* path, const void* bytes, size_t n) {
    if (!platform_may_replace(path)) {
        FILE* file = platform_open(path, "wb");
        return file != NULL && write_and_close(file, bytes, n) ? STATUS_OK : STATUS_NO_FILE;
    }
    char* name = malloc(strlen(path) + SUFFIX_SIZE);
    if (name == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    Status status = STATUS_NO_FILE;
    FILE* file = open_temporary(path, name);
    if (file != NULL) {
        if (write_and_close(file, bytes, n) && platform_rename(name, path)) {
            status = STATUS_OK;
        } else {
            platform_remove(name);
        }
    }
    free(name);
    return status;
}
