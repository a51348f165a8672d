// A 128-bit fingerprint of bytes. Lane 0 is 64-bit FNV-1a as published (Fowler, Noll, Vo). Lane 1
// is the same recurrence with another start and another odd multiplier, so that two inputs which
// collide in one lane do not for that reason collide in the other.
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t START[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x6c62272e07bb0142)};
static const uint64_t FACTOR[2] = {UINT64_C(0x100000001b3), UINT64_C(0x9e3779b97f4a7c15)};

Hash hash_start(void) { return (Hash){{START[0], START[1]}}; }

Hash hash_bytes(Hash hash, const void* bytes, size_t n) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < n; i++) {
        hash.lane[0] = (hash.lane[0] ^ at[i]) * FACTOR[0];
        hash.lane[1] = (hash.lane[1] ^ at[i]) * FACTOR[1];
    }
    return hash;
}

void hash_to_guid(Hash hash, char guid[HASH_GUID_SIZE]) {
    const uint64_t a = hash.lane[0], b = hash.lane[1];
    (void)snprintf(guid, HASH_GUID_SIZE,
                   "{%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64 "}",
                   a >> 32, a >> 16 & 0xffff, a & 0xffff, b >> 48, b & UINT64_C(0xffffffffffff));
}
