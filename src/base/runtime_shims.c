// The few functions that LAPACKE and LAPACK would otherwise take from libgfortran, or that would
// print, stop the process or read its environment. They are linked as an object into everything,
// hidden, and replace the libraries' own.
#include <stddef.h>

// The callers are compiled Fortran and C of other projects, which declare these themselves.
void xerbla_(const char* routine, const int* argument, size_t n_routine);
void LAPACKE_xerbla(const char* routine, int info);
int LAPACKE_get_nancheck(void);
void _gfortran_concat_string(size_t n_to, char* to, size_t n_a, const char* a, size_t n_b,
                             const char* b);
int _gfortran_compare_string(size_t n_a, const char* a, size_t n_b, const char* b);

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
