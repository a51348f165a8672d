#include "solvers/contact_scratch.h"

#include "solvers/contact_interior.h"

enum { VECTORS = 10, MATRICES = 2 };

static size_t dense_rows(int m) {
    return (size_t)(m < CONTACT_DENSE_ROWS ? m : CONTACT_DENSE_ROWS);
}

size_t contact_scratch_size(int n, int m) {
    const size_t doubles = VECTORS * (size_t)m + MATRICES * dense_rows(m) * dense_rows(m);
    return doubles * sizeof(double) + (size_t)n * sizeof(InteriorLaw) + (size_t)m * sizeof(int);
}

// In the order of alignment: doubles, structs of doubles, integers
ContactScratch contact_scratch_lay(void* block, int n, int m) {
    ContactScratch scratch = {.n = n, .m = m, .m_dense = (int)dense_rows(m)};
    const size_t matrix = dense_rows(m) * dense_rows(m);
    double* at = block;
    double** const vectors[VECTORS] = {
        &scratch.P_try,   &scratch.P_near, &scratch.P_anchor, &scratch.P_start, &scratch.P_before,
        &scratch.P_least, &scratch.roots,  &scratch.x,        &scratch.xi,      &scratch.b_near};
    for (int i = 0; i < VECTORS; i++, at += m) {
        *vectors[i] = at;
    }
    scratch.G_near = at;
    scratch.A = at + matrix;
    scratch.laws = (InteriorLaw*)(void*)(at + MATRICES * matrix);
    scratch.pivots = (int*)(void*)(scratch.laws + n);
    return scratch;
}
