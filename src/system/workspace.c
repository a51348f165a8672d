#include "system/workspace.h"

#include "solvers/contact_lemke.h"
#include "solvers/contact_path.h"
#include "system/system.h"
#include "system/system_matrix.h"

static double* doubles(Arena* arena, size_t n, bool* ok) {
    double* array = ARENA_NEW(arena, n, double);
    *ok = *ok && array != NULL;
    return array;
}

static int* integers(Arena* arena, size_t n, bool* ok) {
    int* array = ARENA_NEW(arena, n, int);
    *ok = *ok && array != NULL;
    return array;
}

// Room for all laws; a model with more than Lemke's algorithm takes has none.
static LemkeScratch lemke_scratch(const System* sys, Arena* arena, bool* ok) {
    int pairs = 0;
    for (int i = 0; i < sys->n_laws && pairs <= LEMKE_MAXIMUM_PAIRS; i++) {
        pairs += lemke_pairs(sys->laws[i].bound < 0 ? sys->laws[i].la.n - 1 : sys->laws[i].la.n);
    }
    const size_t N = pairs <= LEMKE_MAXIMUM_PAIRS ? (size_t)pairs : 0;
    const size_t m = N > 0 ? (size_t)sys->nla_c : 0;
    LemkeScratch lemke = {.tableau = doubles(arena, N * (N + 2), ok),
                          .rows = integers(arena, N, ok),
                          .columns = integers(arena, N + 1, ok),
                          .unknowns = integers(arena, N, ok),
                          .basic = ARENA_NEW(arena, 2 * N + 1, bool),
                          .sizes = doubles(arena, m, ok),
                          .v = doubles(arena, m, ok),
                          .N = (int)N};
    *ok = *ok && lemke.basic != NULL;
    return lemke;
}

// Room for all rows, or for none.
static PathScratch path_scratch(const System* sys, Arena* arena, bool* ok) {
    const size_t m = sys->nla_c <= CONTACT_PATH_MAXIMUM_ROWS ? (size_t)sys->nla_c : 0;
    const size_t n = m + 1;
    return (PathScratch){.A = doubles(arena, n * n, ok),
                         .z = doubles(arena, n, ok),
                         .z_try = doubles(arena, n, ok),
                         .tangent = doubles(arena, n, ok),
                         .direction = doubles(arena, n, ok),
                         .H = doubles(arena, n, ok),
                         .x = doubles(arena, m, ok),
                         .sizes = doubles(arena, m, ok),
                         .pivots = integers(arena, n, ok),
                         .m = (int)m};
}

static AlphaScratch alpha_scratch(const System* sys, Arena* arena, bool* ok) {
    const size_t nu = (size_t)sys->nu;
    const size_t n_g = (size_t)sys->nla_g;
    const size_t n = (size_t)sys->n_laws;
    const size_t m = (size_t)sys->nla_c;
    AlphaScratch alpha = {.q_base = doubles(arena, (size_t)sys->nq, ok),
                          .w_0 = doubles(arena, nu, ok),
                          .u_star = doubles(arena, nu, ok),
                          .u_1 = doubles(arena, nu, ok),
                          .gamma_n = doubles(arena, m, ok),
                          .mobility = doubles(arena, m, ok),
                          .mobility_g = doubles(arena, n_g, ok),
                          .g_N = doubles(arena, n, ok),
                          .held = ARENA_NEW(arena, n, bool),
                          .sets = ARENA_NEW(arena, n, unsigned),
                          .d = doubles(arena, nu, ok),
                          .laws = ARENA_NEW(arena, n, ContactLaw),
                          .rows = integers(arena, m, ok),
                          .G = doubles(arena, m * m, ok)};
    const size_t n_z = N_LEVELS * (nu + n_g + m);
    alpha.n_z = (int)n_z;
    alpha.z = doubles(arena, n_z, ok);
    alpha.z_before = doubles(arena, n_z, ok);
    alpha.z_after = doubles(arena, n_z, ok);
    alpha.change = doubles(arena, n_z, ok);
    for (size_t i = 0; i < N_LEVELS && *ok; i++) {
        alpha.x[i] = alpha.z + i * nu;
        alpha.mu_g[i] = alpha.z + N_LEVELS * nu + i * n_g;
        alpha.mu[i] = alpha.z + N_LEVELS * (nu + n_g) + i * m;
    }
    for (int i = 0; i < N_LEVELS; i++) {
        alpha.r[i] = doubles(arena, nu, ok);
        alpha.offset[i] = doubles(arena, m, ok);
        alpha.rate[i] = doubles(arena, m, ok);
        alpha.rate_g[i] = doubles(arena, n_g, ok);
    }
    *ok = *ok && alpha.held != NULL && alpha.sets != NULL && alpha.laws != NULL;
    return alpha;
}

// Without joints and forces that depend on the state the matrix is the mass matrix: no
// factorisation in a step.
static Status create_saddle(const System* sys, Arena* arena, Workspace* w) {
    enum { DENSE_LIMIT = 60 };
    if (sys->nla_g == 0 && !sys->position_dependent && !sys->velocity_dependent) {
        return STATUS_OK;
    }
    w->saddle = saddle_create(sys->nu, sys->nla_g, DENSE_LIMIT, arena);
    return w->saddle != NULL
               ? system_record_pattern(sys, &w->end, (MatrixPattern){false, false}, w->saddle)
               : STATUS_OUT_OF_MEMORY;
}

Status workspace_create(const System* sys, Arena* arena, Workspace* w) {
    const size_t nq = (size_t)sys->nq;
    const size_t nu = (size_t)sys->nu;
    const size_t n_g = (size_t)sys->nla_g;
    const size_t n = (size_t)sys->n_laws;
    const size_t m = (size_t)sys->nla_c;
    bool ok = true;
    *w = (Workspace){
        .q_theta = doubles(arena, nq, &ok),
        .q_1 = doubles(arena, nq, &ok),
        .u_theta = doubles(arena, nu, &ok),
        .v = doubles(arena, nu, &ok),
        .h = doubles(arena, nu, &ok),
        .r = doubles(arena, nu, &ok),
        .solution = doubles(arena, nu + n_g, &ok),
        .joint_force = doubles(arena, nu, &ok),
        .P_g = doubles(arena, n_g, &ok),
        .g_dot = doubles(arena, n_g, &ok),
        .W_g = doubles(arena, (size_t)sys->n_joint_entries, &ok),
        .joint_rows = ARENA_NEW(arena, sys->n_joints, Rows),
        .active = integers(arena, n, &ok),
        .rows = ARENA_NEW(arena, n, Rows),
        .directions = ARENA_NEW(arena, n, LawDirections),
        .gamma = doubles(arena, m, &ok),
        .laws = ARENA_NEW(arena, n, ContactLaw),
        .V = doubles(arena, (nu + n_g) * m, &ok),
        .G = doubles(arena, m * m, &ok),
        .b = doubles(arena, m, &ok),
        .P = doubles(arena, m, &ok),
        .contact_scratch = {.P_try = doubles(arena, m, &ok),
                            .A = doubles(arena, m * m, &ok),
                            .x = doubles(arena, m, &ok),
                            .xi = doubles(arena, m, &ok),
                            .pivots = integers(arena, m, &ok),
                            .P_near = doubles(arena, m, &ok),
                            .G_near = doubles(arena, m * m, &ok),
                            .b_near = doubles(arena, m, &ok),
                            .lemke = lemke_scratch(sys, arena, &ok),
                            .path = path_scratch(sys, arena, &ok)},
        .alpha = alpha_scratch(sys, arena, &ok),
        .backup = arena_alloc(arena, 1, state_size(sys)),
    };
    ok = ok && properties_create(sys, arena, &w->properties) == STATUS_OK &&
         instant_create(sys, &w->properties, arena, &w->middle) == STATUS_OK &&
         instant_create(sys, &w->properties, arena, &w->end) == STATUS_OK &&
         w->joint_rows != NULL && w->rows != NULL && w->directions != NULL && w->laws != NULL &&
         w->backup != NULL;
    if (!ok) {
        return STATUS_OUT_OF_MEMORY;
    }
    return create_saddle(sys, arena, w);
}

void workspace_destroy(Workspace* w) { saddle_destroy(w->saddle); }
