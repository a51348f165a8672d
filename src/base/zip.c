// Zip archives: per entry a local header and the bytes, deflated where that makes them fewer, then
// the central directory, then the end record (PKWARE APPNOTE.TXT 4.3). All ones in a size or count
// field would announce zip64 records, which are not written, so such values are refused.
#include "base/zip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    VERSION_NEEDED = 20,    // for deflated files
    MADE_BY = 3 << 8 | 20,  // Unix (its file modes are in the external attributes), APPNOTE 2.0
    FLAG_UTF8 = 1 << 11,    // names are UTF-8
    STORED = 0,             // compression methods
    DEFLATED = 8,
    TIME = 0,
    DATE = 1 << 5 | 1,  // 1980-01-01 00:00, the earliest that can be written
    LOCAL_HEADER_SIZE = 30,
    GZIP_HEADER_SIZE = 10,  // of a gzip file without a name (RFC 1952)
    GZIP_TRAILER_SIZE = 8,  // CRC and size
    DEFLATE_LEVEL = 9,
};
static const uint32_t MODE_FILE = 0100644, MODE_EXECUTABLE = 0100755;

// What an archive has of a file.
typedef struct Content {
    const void* bytes;  // as they are stored
    size_t n, n_whole;  // their number, and that of the bytes of the file itself
    uint32_t crc;       // of the file
    uint32_t method;
} Content;

static void add_u16(TextBuffer* out, uint32_t value) {
    const unsigned char bytes[2] = {value & 0xff, value >> 8 & 0xff};
    text_add_bytes(out, bytes, sizeof bytes);
}

static void add_u32(TextBuffer* out, uint32_t value) {
    add_u16(out, value & 0xffff);
    add_u16(out, value >> 16);
}

// The fields that a local header and a directory entry share.
static void add_common(TextBuffer* out, const Content* content, uint32_t n_name) {
    add_u16(out, VERSION_NEEDED);
    add_u16(out, FLAG_UTF8);
    add_u16(out, content->method);
    add_u16(out, TIME);
    add_u16(out, DATE);
    add_u32(out, content->crc);
    add_u32(out, (uint32_t)content->n);
    add_u32(out, (uint32_t)content->n_whole);
    add_u16(out, n_name);
    add_u16(out, 0);  // length of extra fields
}

// The format can hold another entry of this name and size.
static bool fits(const ZipWriter* zip, size_t n_name, size_t n) {
    const uint64_t end = (uint64_t)zip->out->n + LOCAL_HEADER_SIZE + n_name + n;
    return n_name > 0 && n_name < UINT16_MAX && n < UINT32_MAX && end < UINT32_MAX &&
           zip->n_entries < UINT16_MAX - 1;
}

static void add_entry(ZipWriter* zip, const char* name, const Content* content, bool executable) {
    TextBuffer* out = zip->out;
    TextBuffer* directory = &zip->directory;
    const size_t n_name = strlen(name);
    const uint32_t offset = (uint32_t)out->n;

    add_u32(out, 0x04034b50);  // local header
    add_common(out, content, (uint32_t)n_name);
    text_add_bytes(out, name, n_name);
    text_add_bytes(out, content->bytes, content->n);

    add_u32(directory, 0x02014b50);  // directory entry
    add_u16(directory, MADE_BY);
    add_common(directory, content, (uint32_t)n_name);
    add_u16(directory, 0);  // length of the comment
    add_u16(directory, 0);  // disk
    add_u16(directory, 0);  // internal attributes
    add_u32(directory, (executable ? MODE_EXECUTABLE : MODE_FILE) << 16);
    add_u32(directory, offset);
    text_add_bytes(directory, name, n_name);
    zip->n_entries++;
}

// Deflates n bytes into as many at most; 0 if they do not become fewer, or without memory.
static size_t deflate_into(const void* bytes, size_t n, unsigned char* out) {
    z_stream stream = {.next_in = (z_const Bytef*)bytes,
                       .avail_in = (uInt)n,
                       .next_out = out,
                       .avail_out = (uInt)n};
    if (deflateInit2(&stream, DEFLATE_LEVEL, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return 0;
    }
    const int end = deflate(&stream, Z_FINISH);
    const size_t n_out = n - stream.avail_out;
    (void)deflateEnd(&stream);
    return end == Z_STREAM_END && n_out < n ? n_out : 0;
}

void zip_add(ZipWriter* zip, const char* name, const void* bytes, size_t n, bool executable) {
    zip->out->failed |= !fits(zip, strlen(name), n);
    if (zip->out->failed) {
        return;
    }
    unsigned char* packed = n > 0 ? malloc(n) : NULL;
    const size_t n_packed = packed != NULL ? deflate_into(bytes, n, packed) : 0;
    const bool deflated = n_packed > 0;
    const uint32_t crc = n > 0 ? (uint32_t)crc32(0, bytes, (uInt)n) : 0;
    const Content content = {.bytes = deflated ? packed : bytes,
                             .n = deflated ? n_packed : n,
                             .n_whole = n,
                             .crc = crc,
                             .method = deflated ? DEFLATED : STORED};
    add_entry(zip, name, &content, executable);
    free(packed);
}

static uint32_t get_u32(const unsigned char* bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void zip_add_gzip(ZipWriter* zip, const char* name, const unsigned char* bytes, size_t n,
                  bool executable) {
    static const unsigned char head[4] = {0x1f, 0x8b, DEFLATED,
                                          0};  // no flags: no name, no comment
    const bool is_gzip =
        n > GZIP_HEADER_SIZE + GZIP_TRAILER_SIZE && memcmp(bytes, head, sizeof head) == 0;
    zip->out->failed |= !is_gzip || !fits(zip, strlen(name), n);
    if (zip->out->failed) {
        return;
    }
    const unsigned char* trailer = bytes + n - GZIP_TRAILER_SIZE;
    const Content content = {.bytes = bytes + GZIP_HEADER_SIZE,
                             .n = n - GZIP_HEADER_SIZE - GZIP_TRAILER_SIZE,
                             .n_whole = get_u32(trailer + 4),
                             .crc = get_u32(trailer),
                             .method = DEFLATED};
    add_entry(zip, name, &content, executable);
}

void zip_finish(ZipWriter* zip) {
    TextBuffer* out = zip->out;
    TextBuffer* directory = &zip->directory;
    if (directory->failed || (uint64_t)out->n + directory->n >= UINT32_MAX) {
        out->failed = true;
    }
    const uint32_t offset = (uint32_t)out->n, size = (uint32_t)directory->n;
    text_add_bytes(out, directory->text, directory->n);
    text_buffer_free(directory);

    add_u32(out, 0x06054b50);  // end record
    add_u16(out, 0);           // this disk
    add_u16(out, 0);           // disk of the directory
    add_u16(out, zip->n_entries);
    add_u16(out, zip->n_entries);
    add_u32(out, size);
    add_u32(out, offset);
    add_u16(out, 0);  // length of the comment
}
