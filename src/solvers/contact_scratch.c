#include "solvers/contact_scratch.h"

#include "solvers/contact_interior.h"

enum { VECTORS = 12, MATRICES = 2 };

static size_t dense_rows(int m) {
    return (size_t)(m < CONTACT_DENSE_ROWS ? m : CONTACT_DENSE_ROWS);
}

// A law has 2 + 2 n_F of them.
static size_t pairs(int n, int m) {
    const int N = 2 * n + 2 * m;
    return (size_t)(N < CONTACT_LEMKE_PAIRS ? N : CONTACT_LEMKE_PAIRS);
}

size_t contact_scratch_size(int n, int m) {
    const size_t N = pairs(n, m);
    const size_t doubles =
        VECTORS * (size_t)m + MATRICES * dense_rows(m) * dense_rows(m) + N * (N + 2);
    const size_t integers = (size_t)m + 3 * N + 1;
    return doubles * sizeof(double) + (size_t)n * sizeof(InteriorLaw) + integers * sizeof(int) +
           (2 * N + 1) * sizeof(bool);
}

// In the order of alignment: doubles, structs of doubles, integers, booleans
ContactScratch contact_scratch_lay(void* block, int n, int m) {
    const size_t N = pairs(n, m);
    const size_t matrix = dense_rows(m) * dense_rows(m);
    ContactScratch scratch = {
        .n = n, .m = m, .m_dense = (int)dense_rows(m), .lemke = {.N = (int)N}};
    double** const vectors[VECTORS] = {&scratch.P_try,   &scratch.P_near,      &scratch.P_anchor,
                                       &scratch.P_start, &scratch.P_before,    &scratch.P_least,
                                       &scratch.x,       &scratch.roots,       &scratch.xi,
                                       &scratch.b_near,  &scratch.lemke.sizes, &scratch.lemke.v};
    double* at = block;
    for (int i = 0; i < VECTORS; i++, at += m) {
        *vectors[i] = at;
    }
    scratch.G_near = at;
    scratch.A = at + matrix;
    scratch.lemke.tableau = at + MATRICES * matrix;
    scratch.laws = (InteriorLaw*)(void*)(scratch.lemke.tableau + N * (N + 2));
    scratch.pivots = (int*)(void*)(scratch.laws + n);
    scratch.lemke.rows = scratch.pivots + m;
    scratch.lemke.columns = scratch.lemke.rows + N;
    scratch.lemke.unknowns = scratch.lemke.columns + N + 1;
    scratch.lemke.basic = (bool*)(scratch.lemke.unknowns + N);
    return scratch;
}
