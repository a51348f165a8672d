// Writes a zip archive (entries deflated, UTF-8 names) into a TextBuffer.
#pragma once

#include "base/text.h"

typedef struct ZipWriter {
    TextBuffer* out;       // local headers and data so far
    TextBuffer directory;  // the central directory so far
    unsigned n_entries;
} ZipWriter;

// Entries carry a fixed date, so that equal content gives equal archives.
// executable: the entry is marked rwxr-xr-x instead of rw-r--r--.
// What the format's 32-bit sizes or 16-bit counts cannot hold sets zip->out->failed.
void zip_add(ZipWriter* zip, const char* name, const void* bytes, size_t n, bool executable);

// The same with the content of a gzip file that has no name in it (gzip -n), as it is: nothing is
// deflated anew. What is no such file sets failed.
void zip_add_gzip(ZipWriter* zip, const char* name, const unsigned char* bytes, size_t n,
                  bool executable);

// Writes the directory and frees it; zip->out then holds the archive, or has failed set.
void zip_finish(ZipWriter* zip);
