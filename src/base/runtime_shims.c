// The few functions that the static Expat, LAPACKE and LAPACK would otherwise take from libgfortran
// or from a new glibc, or that would print, stop the process or read its environment. They are
// linked as an object into everything, hidden, and replace the libraries' own.
#define _POSIX_C_SOURCE 200809L

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

// The callers are compiled Fortran and C of other projects, which declare these themselves.
void xerbla_(const char* routine, const int* argument, size_t n_routine);
void LAPACKE_xerbla(const char* routine, int info);
int LAPACKE_get_nancheck(void);
void _gfortran_concat_string(size_t n_to, char* to, size_t n_a, const char* a, size_t n_b,
                             const char* b);
int _gfortran_compare_string(size_t n_a, const char* a, size_t n_b, const char* b);
void arc4random_buf(void* bytes, size_t n);
unsigned long __isoc23_strtoul(const char* text, char** end, int base);

// A wrong argument: LAPACK would print and stop the host. Callers see it in info as well.
void xerbla_(const char* routine, const int* argument, size_t n_routine) {
    (void)routine;
    (void)argument;
    (void)n_routine;
}

void LAPACKE_xerbla(const char* routine, int info) {
    (void)routine;
    (void)info;
}

// LAPACKE would ask the environment whether matrices are searched for NaN: always.
int LAPACKE_get_nancheck(void) { return 1; }

// Fortran: to = a // b, cut or padded with blanks.
void _gfortran_concat_string(size_t n_to, char* to, size_t n_a, const char* a, size_t n_b,
                             const char* b) {
    for (size_t i = 0; i < n_to; i++) {
        if (i < n_a) {
            to[i] = a[i];
        } else {
            to[i] = i - n_a < n_b ? b[i - n_a] : ' ';
        }
    }
}

// Fortran: the shorter text counts as padded with blanks.
int _gfortran_compare_string(size_t n_a, const char* a, size_t n_b, const char* b) {
    size_t n = n_a > n_b ? n_a : n_b;
    for (size_t i = 0; i < n; i++) {
        int c_a = (unsigned char)(i < n_a ? a[i] : ' ');
        int c_b = (unsigned char)(i < n_b ? b[i] : ' ');
        if (c_a != c_b) {
            return c_a < c_b ? -1 : 1;
        }
    }
    return 0;
}

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
