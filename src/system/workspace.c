#include "system/workspace.h"

#include "solvers/contact_lemke.h"
#include "system/system.h"

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

// Room for the contacts of one step; a model with more than Lemke's algorithm takes has none.
static LemkeScratch lemke_scratch(Arena* arena, int n_contacts, bool* ok) {
    const int n = n_contacts <= LEMKE_MAXIMUM_CONTACTS ? n_contacts : 0;
    const size_t N = LEMKE_PARTS * (size_t)n;
    return (LemkeScratch){.tableau = doubles(arena, N * (N + 2), ok),
                          .rows = integers(arena, N, ok),
                          .columns = integers(arena, N + 1, ok),
                          .unknowns = integers(arena, N, ok),
                          .sizes = doubles(arena, CONTACT_ROWS * (size_t)n, ok),
                          .n = n};
}

Status workspace_create(const System* sys, Arena* arena, Workspace* w) {
    const size_t nq = (size_t)sys->nq;
    const size_t nu = (size_t)sys->nu;
    const size_t n = (size_t)sys->n_contacts;
    const size_t m = CONTACT_ROWS * n;
    bool ok = true;
    *w = (Workspace){
        .M = doubles(arena, (size_t)sys->n_mass, &ok),
        .M_factor = doubles(arena, (size_t)sys->n_mass, &ok),
        .frames = ARENA_NEW(arena, sys->n_bodies + 1, Frame),
        .signals = doubles(arena, (size_t)sys->n_signals, &ok),
        .symbols = doubles(arena, (size_t)sys->n_user_parameters + (size_t)sys->n_inputs, &ok),
        .q_theta = doubles(arena, nq, &ok),
        .q_1 = doubles(arena, nq, &ok),
        .u_theta = doubles(arena, nu, &ok),
        .v = doubles(arena, nu, &ok),
        .v_free = doubles(arena, nu, &ok),
        .h = doubles(arena, nu, &ok),
        .r = doubles(arena, nu, &ok),
        .r_scaled = doubles(arena, nu, &ok),
        .A = doubles(arena, sys->state_dependent ? nu * nu : 0, &ok),
        .pivots = integers(arena, nu, &ok),
        .active = integers(arena, n, &ok),
        .blocks = ARENA_NEW(arena, n, ContactBlock),
        .V = doubles(arena, nu * m, &ok),
        .G = doubles(arena, m * m, &ok),
        .b = doubles(arena, m, &ok),
        .P = doubles(arena, m, &ok),
        .mu = doubles(arena, n, &ok),
        .slip = ARENA_NEW(arena, n, signed char),
        .contact_scratch = {.P_try = doubles(arena, m, &ok),
                            .A = doubles(arena, m * m, &ok),
                            .x = doubles(arena, m, &ok),
                            .pivots = integers(arena, m, &ok),
                            .mode = ARENA_NEW(arena, n, signed char),
                            .lemke = lemke_scratch(arena, sys->n_contacts, &ok)},
        .backup = arena_alloc(arena, 1, state_size(sys)),
    };
    ok = ok && w->frames != NULL && w->blocks != NULL && w->slip != NULL &&
         w->contact_scratch.mode != NULL && w->backup != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}
