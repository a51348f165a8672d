#include "schemes/workspace.h"

#include <string.h>

// The pool starts with room for small models and may grow to this many doubles.
static const size_t POOL_LIMIT = (size_t)1 << 27;
enum { POOL_ROWS = 48 };  // rows of laws for which there is room from the start

// What the contacts of a model need if all of them, or POOL_ROWS rows, are in one island
static size_t pool_start(const System* sys) {
    const size_t m = (size_t)(sys->most_rows < POOL_ROWS ? sys->most_rows : POOL_ROWS);
    const size_t n = (size_t)(sys->most_laws < POOL_ROWS ? sys->most_laws : POOL_ROWS);
    size_t largest = 0;
    for (int a = 0; a < sys->assemblies.n; a++) {
        const Assembly* assembly = &sys->assemblies.assemblies[a];
        const size_t size = (size_t)assembly->n + (size_t)assembly->n_c;
        largest = size > largest ? size : largest;
    }
    const size_t of_laws = n * (sizeof(ContactLaw) / sizeof(double) + 2);
    const size_t of_solver = contact_scratch_size((int)n, (int)m) / sizeof(double) + 1;
    return LAW_MAX_SIDES * m * largest + 2 * m * m + of_laws + 4 * m + of_solver;
}

Status workspace_create(const System* sys, Arena* arena, Workspace* w) {
    *w = (Workspace){.pool = {.limit = POOL_LIMIT}};
    Status status = properties_create(sys, arena, &w->properties);
    if (status == STATUS_OK) {
        status = instant_create(sys, &w->properties, arena, &w->present);
    }
    if (status == STATUS_OK) {
        status = joint_set_create(sys, arena, &w->joints);
    }
    if (status == STATUS_OK) {
        status = contact_set_create(sys, arena, &w->contacts);
    }
    if (status == STATUS_OK) {
        status = newton_matrix_create(sys, &w->present, arena, &w->matrix);
    }
    w->solution = ARENA_NEW(arena, sys->nu + sys->nla_g, double);
    w->h = ARENA_NEW(arena, sys->nu, double);
    w->g_N = ARENA_NEW(arena, sys->most_laws, double);
    w->gamma = ARENA_NEW(arena, sys->most_rows, double);
    w->work = ARENA_NEW(arena, sys->most_rows, double);
    if (status == STATUS_OK && (w->solution == NULL || w->h == NULL || w->g_N == NULL ||
                                w->gamma == NULL || w->work == NULL)) {
        status = STATUS_OUT_OF_MEMORY;
    }
    return status == STATUS_OK ? pool_reserve(&w->pool, pool_start(sys)) : status;
}

void workspace_destroy(Workspace* w) {
    newton_matrix_destroy(w->matrix);
    pool_free(&w->pool);
}

void workspace_update_law(const Instant* instant, int k, const Link* law, Workspace* w) {
    Rows rows;
    if (law->bound >= 0 && !(instant->properties->p[law->bound] > 0.0)) {
        return;  // a joint without friction: nothing reads its velocity
    }
    system_rows(instant, law, false, &rows);
    w->g_N[k] = rows.g[0];
    system_row_velocities(instant, law, &rows, w->gamma + law->la.at);
}

void workspace_take_laws(const System* sys, const Instant* end, Workspace* w) {
    const ContactSet* set = &w->contacts;
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* law = &sys->laws[k];
        if (set->slot[k] < 0) {
            workspace_update_law(end, k, law, w);
            continue;
        }
        const ActiveLaw* active = &set->active[set->slot[k]];
        w->g_N[k] = active->g[0];
        for (int r = 0; r < law->la.n; r++) {
            w->gamma[law->la.at + r] = active->U[r];
        }
    }
    w->laws_known = true;
}

void workspace_update_laws(const System* sys, double t, const State* s, Workspace* w) {
    if (w->laws_known || sys->n_laws == 0) {
        return;
    }
    instant_set(sys, s, t, s->q, s->u, &w->present);
    for (int k = 0; k < sys->n_laws; k++) {
        workspace_update_law(&w->present, k, &sys->laws[k], w);
    }
    w->laws_known = true;
}
