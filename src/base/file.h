// Whole files in and out of memory.
#pragma once

#include <stddef.h>

#include "base/status.h"

// Reads all of a file of at most limit bytes; *bytes is 0-terminated, freed by the caller with
// free(). STATUS_NO_FILE (also for a directory), STATUS_TOO_LARGE or STATUS_OUT_OF_MEMORY, and
// *bytes NULL and *n 0, otherwise.
MUST_CHECK Status file_read(const char* path, size_t limit, char** bytes, size_t* n);

// Why a file could not be read or written, in words; to be called right after the failure, errno
// having been 0 before it.
const char* file_reason(Status status);

// Writes path through a temporary file beside it, so that a failure leaves an older file as it was.
// What is there and is no regular file (a symbolic link, a device, a pipe) is written to, not
// replaced.
MUST_CHECK Status file_write(const char* path, const void* bytes, size_t n);
