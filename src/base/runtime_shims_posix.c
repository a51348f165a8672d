// What the static Expat would otherwise take from a new glibc; see runtime_shims.c.
#define _POSIX_C_SOURCE 200809L

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

// The caller declares these itself.
void arc4random_buf(void* bytes, size_t n);
unsigned long __isoc23_strtoul(const char* text, char** end, int base);

// Expat salts its hash tables with this, against crafted names; glibc has it since 2.36 only.
void arc4random_buf(void* bytes, size_t n) {
    unsigned char* at = bytes;
    while (n > 0) {
        ssize_t got = getrandom(at, n, GRND_NONBLOCK);
        if (got <= 0) {
            break;
        }
        at += got;
        n -= (size_t)got;
    }
    // No generator (early boot, a sandbox): the clock and the address are all there is.
    struct timespec now = {0};
    if (n > 0) {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    }
    uint64_t word = (uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 32) ^ (uint64_t)(uintptr_t)at;
    for (; n > 0; n--) {
        word = word * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX generator
        *at++ = (unsigned char)(word >> 56);
    }
}

// Expat's call of strtoul, where it was compiled with the headers of glibc 2.38 or newer.
unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
    return strtoul(text, end, base);
}
