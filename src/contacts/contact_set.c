#include "contacts/contact_set.h"

#include <math.h>
#include <string.h>

#include "system/found_laws.h"

// --- creation ---

// A coupling has the velocities of one body after those of the other.
static LawSides find_sides(const Assemblies* assemblies, const Coupling* coupling) {
    LawSides sides = {.n = 0};
    for (int k = 0; k < coupling->n; k++) {
        const int assembly = assemblies->of_u[coupling->u[k]];
        if (sides.n == 0 || sides.sides[sides.n - 1].assembly != assembly) {
            sides.sides[sides.n++] = (LawSide){.assembly = assembly, .from = k};
        }
        sides.sides[sides.n - 1].to = k + 1;
    }
    return sides;
}

// What a law needs that is active for the first time since laws were numbered: its sides, and
// where its rows are
enum { SIDES_UNKNOWN = -1 };
static void know_law(const System* sys, int k, ContactSet* set) {
    if (set->sides[k].n == SIDES_UNKNOWN) {
        const Coupling* coupling = &sys->laws[k].coupling;
        set->sides[k] = find_sides(&sys->assemblies, coupling);
        set->W_at[k] = set->n_W;
        set->n_W += (size_t)coupling->n * LAW_MAX_ROWS;
    }
}

// Room for the rows of all laws
static size_t row_room(const System* sys) {
    const FoundLaws* found = sys->found;
    size_t n = (size_t)found->most * (size_t)found->width;
    for (int k = 0; k < sys->n_fixed; k++) {
        n += (size_t)sys->laws[k].coupling.n;
    }
    for (int k = 0; k < found->n_frictions; k++) {
        n += (size_t)found->frictions[k].coupling.n;
    }
    return n * LAW_MAX_ROWS;
}

void contact_set_renumber(const System* sys, ContactSet* set) {
    if (set->laws_version == sys->laws_version) {
        return;
    }
    for (int k = 0; k < sys->n_laws; k++) {
        set->sides[k].n = SIDES_UNKNOWN;
        set->slot[k] = -1;
    }
    set->n_W = 0;
    set->n = set->m = set->n_islands = 0;
    set->version = 0;
    set->laws_version = sys->laws_version;
}

Status contact_set_create(const System* sys, Arena* arena, ContactSet* set) {
    const int n = sys->most_laws;
    const int m = sys->most_rows;
    *set = (ContactSet){.active = ARENA_NEW(arena, n, ActiveLaw),
                        .slot = ARENA_NEW(arena, n, int),
                        .islands = ARENA_NEW(arena, n, Island),
                        .gamma = ARENA_NEW(arena, m, double),
                        .b = ARENA_NEW(arena, m, double),
                        .P = ARENA_NEW(arena, m, double),
                        .laws = ARENA_NEW(arena, n, ContactLaw),
                        .sides = ARENA_NEW(arena, n, LawSides),
                        .W = ARENA_NEW(arena, row_room(sys), double),
                        .W_at = ARENA_NEW(arena, n, size_t),
                        .parent = ARENA_NEW(arena, sys->assemblies.n, int),
                        .island_of = ARENA_NEW(arena, sys->assemblies.n, int),
                        .chosen = ARENA_NEW(arena, n, int),
                        .island_of_law = ARENA_NEW(arena, n, int),
                        .laws_version = -1};
    if (set->active == NULL || set->slot == NULL || set->islands == NULL || set->gamma == NULL ||
        set->b == NULL || set->P == NULL || set->laws == NULL || set->sides == NULL ||
        set->W == NULL || set->W_at == NULL || set->parent == NULL || set->island_of == NULL ||
        set->chosen == NULL || set->island_of_law == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    contact_set_renumber(sys, set);
    return STATUS_OK;
}

// --- laws ---

// Friction rows that act: none without friction, drilling friction only with a contact radius.
static int friction_rows(const Link* link, const double* p) {
    const int n_F = link_parameter(link, p, FRICTION_COEFFICIENT) > 0.0 ? link->la.n - 1 : 0;
    const bool all = n_F == CONTACT_MAX_F;
    return all && !(p[link->element->p.at + CONTACT_RADIUS] > 0.0) ? n_F - 1 : n_F;
}

ContactLaw contact_set_form(const Link* link, const double* p, double dt) {
    if (link->bound >= 0) {
        return (ContactLaw){.n_F = 1, .bound = dt * p[link->bound]};
    }
    if (p == NULL) {
        return (ContactLaw){.normal = true};
    }
    return (ContactLaw){.normal = true,
                        .n_F = friction_rows(link, p),
                        .mu = link_parameter(link, p, FRICTION_COEFFICIENT)};
}

// --- islands ---

static int find(int* parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Ties together the assemblies of each chosen law.
static void tie_assemblies(const System* sys, int n, ContactSet* set) {
    for (int a = 0; a < sys->assemblies.n; a++) {
        set->parent[a] = a;
        set->island_of[a] = -1;
    }
    for (int i = 0; i < n; i++) {
        const LawSides* sides = &set->sides[set->chosen[i]];
        if (sides->n == LAW_MAX_SIDES) {
            const int a = find(set->parent, sides->sides[0].assembly);
            const int b = find(set->parent, sides->sides[1].assembly);
            set->parent[a > b ? a : b] = a < b ? a : b;
        }
    }
}

// Numbers the islands by their first law; islands[i].laws and where they begin. A law that acts on
// nothing is an island of its own.
static void number_islands(int n, ContactSet* set) {
    set->n_islands = 0;
    for (int i = 0; i < n; i++) {
        const LawSides* sides = &set->sides[set->chosen[i]];
        const int root = sides->n > 0 ? find(set->parent, sides->sides[0].assembly) : -1;
        int island = root >= 0 ? set->island_of[root] : -1;
        if (island < 0) {
            island = set->n_islands++;
            set->islands[island] = (Island){0};
        }
        if (root >= 0) {
            set->island_of[root] = island;
        }
        set->island_of_law[i] = island;
        set->islands[island].laws.n++;
    }
    int at = 0;
    for (int j = 0; j < set->n_islands; j++) {
        set->islands[j].laws.at = at;
        at += set->islands[j].laws.n;
        set->islands[j].laws.n = 0;  // counted once more while they are placed
    }
}

// --- the active laws ---

void contact_set_choose(const System* sys, const double* p, double dt, int n, ContactSet* set) {
    contact_set_renumber(sys, set);
    for (int i = 0; i < set->n; i++) {
        set->slot[set->active[i].law] = -1;
    }
    for (int i = 0; i < n; i++) {
        know_law(sys, set->chosen[i], set);
    }
    set->n_islands = n;
    if (n == 1) {
        set->islands[0] = (Island){0};
        set->island_of_law[0] = 0;
    } else if (n > 1) {
        tie_assemblies(sys, n, set);
        number_islands(n, set);
    }
    for (int i = 0; i < n; i++) {
        const int k = set->chosen[i];
        Range* laws = &set->islands[set->island_of_law[i]].laws;
        const int slot = laws->at + laws->n++;
        set->slot[k] = slot;
        set->active[slot] = (ActiveLaw){.law = k,
                                        .link = &sys->laws[k],
                                        .sides = &set->sides[k],
                                        .form = contact_set_form(&sys->laws[k], p, dt),
                                        .W = set->W + set->W_at[k]};
    }
    set->n = n;
    set->m = 0;
    set->version = 0;
    for (int j = 0; j < set->n_islands; j++) {
        Island* island = &set->islands[j];
        island->rows = (Range){set->m, 0};
        for (int i = island->laws.at; i < island->laws.at + island->laws.n; i++) {
            set->active[i].row = set->m;
            set->active[i].island = j;
            set->active[i].form.at = set->m - island->rows.at;
            set->m += contact_law_rows(&set->active[i].form);
        }
        island->rows.n = set->m - island->rows.at;
    }
}

// --- rows ---

static void clear_rows(int from, int n, double* W) {
    for (int k = 0; k < n && from < LAW_MAX_ROWS; k++) {
        for (int r = from; r < LAW_MAX_ROWS; r++) {
            W[k * LAW_MAX_ROWS + r] = 0.0;
        }
    }
}

void contact_set_evaluate_law(const Instant* instant, bool zeta, int i, ContactSet* set) {
    ActiveLaw* active = &set->active[i];
    const int n = contact_law_rows(&active->form);
    Rows rows;
    system_rows(instant, active->link, zeta, &rows);
    system_row_velocities(instant, active->link, &rows, active->U);
    system_link_matrix(instant, active->link, &rows, n, LAW_MAX_ROWS, active->W);
    clear_rows(n, active->link->coupling.n, active->W);
    for (int r = 0; r < n; r++) {
        active->g[r] = rows.g[r];
        active->g_t[r] = rows.g_t[r];
        active->zeta[r] = rows.zeta[r];
        set->gamma[active->row + r] = active->U[r];
    }
}

void contact_set_evaluate(const Instant* instant, bool zeta, ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        contact_set_evaluate_law(instant, zeta, i, set);
    }
}

void contact_set_evaluate_velocities(const Instant* instant, ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        ActiveLaw* active = &set->active[i];
        const int n = contact_law_rows(&active->form);
        Rows rows;
        system_rows(instant, active->link, true, &rows);
        system_row_velocities(instant, active->link, &rows, active->U);
        for (int r = 0; r < n; r++) {
            active->zeta[r] = rows.zeta[r];
            set->gamma[active->row + r] = active->U[r];
        }
    }
}

void contact_set_keep_directions(const double* u, ContactSet* set) {
    for (int i = 0; i < set->n; i++) {
        ActiveLaw* active = &set->active[i];
        double moved[LAW_MAX_ROWS];
        active_dot(active, u, moved);
        for (int r = 0; r < contact_law_rows(&active->form); r++) {
            active->U[r] = moved[r] + active->g_t[r];
            set->gamma[active->row + r] = active->U[r];
        }
    }
}

void active_mobility(const ActiveLaw* active, const double* M_diagonal, double* G) {
    const int* u = active->link->coupling.u;
    const double* W = active->W;
    double sum[LAW_MAX_ROWS] = {0.0};
    for (int k = 0; k < active->link->coupling.n; k++, W += LAW_MAX_ROWS) {
        const double inverse = 1.0 / M_diagonal[u[k]];
        for (int r = 0; r < LAW_MAX_ROWS; r++) {
            sum[r] += W[r] * W[r] * inverse;
        }
    }
    memcpy(G, sum, sizeof sum);
}

ContactState active_closed_state(const ActiveLaw* active, const double* xi, const double* G,
                                 double small) {
    bool sticks = active->form.n_F > 0;
    for (int r = contact_law_F(&active->form); r < contact_law_rows(&active->form); r++) {
        sticks = sticks && fabs(xi[r]) <= small * sqrt(G[r]);
    }
    return sticks ? CONTACT_STICK : CONTACT_SLIP;
}
