// Reads one file out of a zip archive in memory.
#pragma once

#include <stddef.h>

#include "base/status.h"

// The entry of that name, stored or deflated, of at most limit bytes; *content is freed by the
// caller with free(). STATUS_INVALID_MODEL if this is no zip archive or a broken one,
// STATUS_NO_FILE if there is no such entry, STATUS_TOO_LARGE, STATUS_OUT_OF_MEMORY; *content is
// NULL then.
MUST_CHECK Status unzip_entry(const void* archive, size_t n, const char* name, size_t limit,
                              char** content, size_t* n_content);
