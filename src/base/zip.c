// Zip archives of stored entries: per entry a local header and the bytes, then the central
// directory, then the end record (PKWARE APPNOTE.TXT 4.3). All ones in a size or count field would
// announce zip64 records, which are not written, so such values are refused.
#include "base/zip.h"

#include <stdint.h>
#include <string.h>

enum {
    VERSION_NEEDED = 10,    // stored files need no more
    MADE_BY = 3 << 8 | 20,  // Unix (its file modes are in the external attributes), APPNOTE 2.0
    FLAG_UTF8 = 1 << 11,    // names are UTF-8
    STORED = 0,             // compression method
    TIME = 0,
    DATE = 1 << 5 | 1,  // 1980-01-01 00:00, the earliest that can be written
    LOCAL_HEADER_SIZE = 30,
};
static const uint32_t MODE_FILE = 0100644, MODE_EXECUTABLE = 0100755;

// CRC-32 (reflected polynomial 0xedb88320), four bits at a time.
static uint32_t crc32(const unsigned char* bytes, size_t n) {
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static void add_u16(TextBuffer* out, uint32_t value) {
    const unsigned char bytes[2] = {value & 0xff, value >> 8 & 0xff};
    text_add_bytes(out, bytes, sizeof bytes);
}

static void add_u32(TextBuffer* out, uint32_t value) {
    add_u16(out, value & 0xffff);
    add_u16(out, value >> 16);
}

// The fields that a local header and a directory entry share.
static void add_common(TextBuffer* out, uint32_t crc, uint32_t n, uint32_t n_name) {
    add_u16(out, VERSION_NEEDED);
    add_u16(out, FLAG_UTF8);
    add_u16(out, STORED);
    add_u16(out, TIME);
    add_u16(out, DATE);
    add_u32(out, crc);
    add_u32(out, n);  // compressed
    add_u32(out, n);  // uncompressed
    add_u16(out, n_name);
    add_u16(out, 0);  // length of extra fields
}

void zip_add(ZipWriter* zip, const char* name, const void* bytes, size_t n, bool executable) {
    TextBuffer* out = zip->out;
    TextBuffer* directory = &zip->directory;
    const size_t n_name = strlen(name);
    const uint64_t end = (uint64_t)out->n + LOCAL_HEADER_SIZE + n_name + n;
    if (n_name == 0 || n_name >= UINT16_MAX || n >= UINT32_MAX || end >= UINT32_MAX ||
        zip->n_entries >= UINT16_MAX - 1) {
        out->failed = true;
    }
    if (out->failed) {
        return;
    }
    const uint32_t offset = (uint32_t)out->n;
    const uint32_t crc = crc32(bytes, n);

    add_u32(out, 0x04034b50);  // local header
    add_common(out, crc, (uint32_t)n, (uint32_t)n_name);
    text_add_bytes(out, name, n_name);
    text_add_bytes(out, bytes, n);

    add_u32(directory, 0x02014b50);  // directory entry
    add_u16(directory, MADE_BY);
    add_common(directory, crc, (uint32_t)n, (uint32_t)n_name);
    add_u16(directory, 0);  // length of the comment
    add_u16(directory, 0);  // disk
    add_u16(directory, 0);  // internal attributes
    add_u32(directory, (executable ? MODE_EXECUTABLE : MODE_FILE) << 16);
    add_u32(directory, offset);
    text_add_bytes(directory, name, n_name);
    zip->n_entries++;
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
