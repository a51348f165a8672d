// A 128-bit fingerprint of bytes (two FNV-1a lanes): for identity, not for security.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Hash {
    uint64_t lane[2];
} Hash;

enum { HASH_GUID_SIZE = 39 };  // "{8-4-4-4-12}" and the terminating 0

Hash hash_start(void);
Hash hash_bytes(Hash hash, const void* bytes, size_t n);
void hash_to_guid(Hash hash, char guid[HASH_GUID_SIZE]);
