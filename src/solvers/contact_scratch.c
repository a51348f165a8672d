#include "solvers/contact_scratch.h"

#include "solvers/contact_interior.h"
#include "solvers/contact_newton.h"

enum { VECTORS = 12, MATRICES = 2, PATH_VECTORS = 7 };

static size_t at_most(int limit, int m) { return (size_t)(m < limit ? m : limit); }

// Complementary pairs of Lemke's algorithm: 2 + 2 n_F for a law
static size_t pairs(int n, int m) {
    return 2 * at_most(CONTACT_SMALL_ROWS, n) + 2 * at_most(CONTACT_SMALL_ROWS, m);
}

size_t contact_scratch_size(int n, int m) {
    const size_t N = pairs(n, m);
    const size_t dense = at_most(CONTACT_DENSE_ROWS, m);
    const size_t path = at_most(CONTACT_SMALL_ROWS, m) + 1;
    const size_t doubles =
        VECTORS * (size_t)m + MATRICES * dense * dense + N * (N + 2) + path * (path + PATH_VECTORS);
    const size_t integers = 2 * (size_t)m + 3 * N + 1 + path;
    return doubles * sizeof(double) + (size_t)n * (sizeof(InteriorLaw) + sizeof(LawMode)) +
           integers * sizeof(int) + (2 * N + 1) * sizeof(bool);
}

static double* lay(double*** vectors, int n, size_t size, double* at) {
    for (int i = 0; i < n; i++, at += size) {
        *vectors[i] = at;
    }
    return at;
}

// In the order of alignment: doubles, structs of doubles, integers, booleans
ContactScratch contact_scratch_lay(void* block, int n, int m) {
    const size_t N = pairs(n, m);
    const size_t dense = at_most(CONTACT_DENSE_ROWS, m);
    const size_t path = at_most(CONTACT_SMALL_ROWS, m) + 1;
    ContactScratch s = {.n = n,
                        .m = m,
                        .m_dense = (int)dense,
                        .lemke = {.N = (int)N},
                        .path = {.m = (int)path - 1}};
    double** vectors[VECTORS] = {&s.P_try,    &s.P_near, &s.P_anchor,    &s.P_start,
                                 &s.P_before, &s.P_back, &s.x,           &s.roots,
                                 &s.xi,       &s.b_near, &s.lemke.sizes, &s.lemke.v};
    double** path_vectors[PATH_VECTORS] = {&s.path.z,         &s.path.z_try, &s.path.tangent,
                                           &s.path.direction, &s.path.H,     &s.path.x,
                                           &s.path.sizes};
    double* at = lay(vectors, VECTORS, (size_t)m, block);
    at = lay(path_vectors, PATH_VECTORS, path, at);
    s.path.A = at;
    s.G_near = at + path * path;
    s.A = s.G_near + dense * dense;
    s.lemke.tableau = s.A + dense * dense;
    s.laws = (InteriorLaw*)(void*)(s.lemke.tableau + N * (N + 2));
    s.modes = (LawMode*)(void*)(s.laws + n);
    s.pivots = (int*)(void*)(s.modes + n);
    s.places = s.pivots + m;
    s.path.pivots = s.places + m;
    s.lemke.rows = s.path.pivots + path;
    s.lemke.columns = s.lemke.rows + N;
    s.lemke.unknowns = s.lemke.columns + N + 1;
    s.lemke.basic = (bool*)(s.lemke.unknowns + N);
    return s;
}
