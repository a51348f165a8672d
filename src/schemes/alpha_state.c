// What generalized-alpha keeps from step to step and its scratch, at the start of a motion and
// where inputs jump.
#include <string.h>

#include "schemes/alpha_step.h"
#include "schemes/generalized_alpha.h"

// --- what it keeps ---

enum { OWN_OF_U = 8, OWN_OF_JOINTS = 6 };  // arrays (nu) and (nla_g) of AlphaOwn

StateRoom generalized_alpha_room(const System* sys) {
    return (StateRoom){.n_own = 2 + OWN_OF_U * sys->nu + OWN_OF_JOINTS * sys->nla_g,
                       .n_own_contact = sizeof(AlphaContact) / sizeof(double)};
}

// The next n of an array
static double* next_part(double** at, int n) {
    double* part = *at;
    *at += n;
    return part;
}

AlphaOwn alpha_own(const System* sys, const State* s) {
    double* at = s->own;
    const int n = sys->nu;
    const int n_g = sys->nla_g;
    AlphaOwn own;
    own.n_smooth = next_part(&at, 1);
    own.dt = next_part(&at, 1);
    own.a = next_part(&at, n);
    own.a_bar = next_part(&at, n);
    own.a_change = next_part(&at, n);
    own.a_bend = next_part(&at, n);
    own.Q = next_part(&at, n);
    own.Q_change = next_part(&at, n);
    own.U = next_part(&at, n);
    own.U_change = next_part(&at, n);
    own.la_g_bar = next_part(&at, n_g);
    own.la_g_change = next_part(&at, n_g);
    own.la_g_bend = next_part(&at, n_g);
    own.kappa_g = next_part(&at, n_g);
    own.kappa_g_change = next_part(&at, n_g);
    own.La_g_change = next_part(&at, n_g);
    return own;
}

AlphaContact* alpha_contact(const State* s, long long record) {
    return (AlphaContact*)(void*)s->own_contact + record;
}

// --- scratch ---

static double* doubles(Arena* arena, int n, bool* ok) {
    double* array = ARENA_NEW(arena, n, double);
    *ok = *ok && array != NULL;
    return array;
}

// The iterate z and its parts
static bool create_iterate(const System* sys, Arena* arena, AlphaScratch* alpha) {
    const int n = sys->nu;
    const int n_g = sys->nla_g;
    const int m = sys->most_rows;
    bool ok = true;
    alpha->n_z = N_LEVELS * (n + n_g + m);
    alpha->z = doubles(arena, alpha->n_z, &ok);
    alpha->z_before = doubles(arena, alpha->n_z, &ok);
    alpha->z_after = doubles(arena, alpha->n_z, &ok);
    alpha->change = doubles(arena, alpha->n_z, &ok);
    for (int i = 0; i < N_LEVELS && ok; i++) {
        alpha->x[i] = alpha->z + (ptrdiff_t)i * n;
        alpha->mu_g[i] = alpha->z + (ptrdiff_t)N_LEVELS * n + (ptrdiff_t)i * n_g;
        alpha->mu[i] = alpha->z + (ptrdiff_t)N_LEVELS * (n + n_g) + (ptrdiff_t)i * m;
        alpha->r[i] = doubles(arena, n, &ok);
        alpha->rate[i] = doubles(arena, m, &ok);
        alpha->rate_g[i] = doubles(arena, n_g, &ok);
    }
    return ok;
}

// What the forces before the step leave, by law: one block, so that it is cleared at once
static bool create_forces(const System* sys, Arena* arena, AlphaScratch* alpha) {
    const int m = sys->most_rows;
    alpha->forces_n = ARENA_NEW(arena, ALPHA_ARRAYS_OF_LAWS * m, double);
    if (alpha->forces_n == NULL) {
        return false;
    }
    double* at = alpha->forces_n;
    for (int i = 0; i < N_LEVELS; i++) {
        alpha->offset[i] = next_part(&at, m);
    }
    alpha->la_n = next_part(&at, m);
    alpha->la_bar_n = next_part(&at, m);
    alpha->la_change_n = next_part(&at, m);
    alpha->slip = next_part(&at, m);
    return true;
}

Status generalized_alpha_create(const System* sys, const Properties* properties, Arena* arena,
                                void** scratch) {
    AlphaScratch* alpha = ARENA_NEW(arena, 1, AlphaScratch);
    bool ok = true;
    *scratch = alpha;
    if (alpha == NULL || instant_create(sys, properties, arena, &alpha->end) != STATUS_OK ||
        !create_iterate(sys, arena, alpha)) {
        return STATUS_OUT_OF_MEMORY;
    }
    alpha->q_base = doubles(arena, sys->nq, &ok);
    alpha->w_0 = doubles(arena, sys->nu, &ok);
    alpha->u_star = doubles(arena, sys->nu, &ok);
    alpha->h = doubles(arena, sys->nu, &ok);
    alpha->d = doubles(arena, sys->nu, &ok);
    alpha->gamma_n = doubles(arena, sys->most_rows, &ok);
    alpha->mobility = doubles(arena, sys->most_rows, &ok);
    alpha->G_M = doubles(arena, sys->most_rows, &ok);
    alpha->parts = doubles(arena, sys->most_rows, &ok);
    alpha->unit_g = doubles(arena, sys->nla_g, &ok);
    ok = create_forces(sys, arena, alpha) && ok;
    alpha->sets = ARENA_NEW(arena, sys->most_laws, unsigned);
    alpha->state_n = ARENA_NEW(arena, sys->most_laws, ContactState);
    alpha->course = ARENA_NEW(arena, sys->most_laws, ForceCourse);
    alpha->considered = ARENA_NEW(arena, sys->most_laws, bool);
    ok = ok && alpha->sets != NULL && alpha->state_n != NULL && alpha->course != NULL &&
         alpha->considered != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

// --- the start of a motion ---

// GA 9: a_bar_0 = a_0, la_bar_0 = la_0
void generalized_alpha_start(const StepInput* in, const double* a, State* s, void* scratch) {
    const System* sys = in->sys;
    const StateRoom room = generalized_alpha_room(sys);
    (void)scratch;
    s->head->n_own = room.n_own;
    s->head->n_own_contact = room.n_own_contact;
    memset(s->own, 0, bytes(room.n_own));
    const AlphaOwn own = alpha_own(sys, s);
    memcpy(own.a, a, bytes(sys->nu));
    memcpy(own.a_bar, a, bytes(sys->nu));
    memcpy(own.la_g_bar, s->la_g, bytes(sys->nla_g));
    for (long long i = 0; i < s->head->n_records; i++) {
        AlphaContact* contact = alpha_contact(s, i);
        *contact = (AlphaContact){.la_bar = {0.0}};
        memcpy(contact->la_bar, s->records[i].la, sizeof contact->la_bar);
    }
}

// --- jumps of inputs and parameters ---

// A value becomes what it is right after the jump; its auxiliary variable jumps with it, so that
// the difference of the two, which makes the scheme one of second order, stays.
static void jump_to(double after, double* value, double* bar) {
    *bar += after - *value;
    *value = after;
}

void generalized_alpha_jump(const StepInput* in, const double* a, const double* la_g, State* s,
                            void* scratch) {
    (void)scratch;
    const System* sys = in->sys;
    const ContactSet* set = &in->w->contacts;
    const AlphaOwn own = alpha_own(sys, s);
    for (int i = 0; i < sys->nu; i++) {
        jump_to(a[i], &own.a[i], &own.a_bar[i]);
    }
    for (int i = 0; i < sys->nla_g; i++) {
        jump_to(la_g[i], &s->la_g[i], &own.la_g_bar[i]);
    }
    for (long long j = 0; j < s->head->n_records; j++) {
        ContactRecord* record = &s->records[j];
        const int slot = set->slot[record->key];
        const int n = slot >= 0 ? contact_law_rows(&set->active[slot].form) : 0;
        for (int r = 0; r < n; r++) {
            jump_to(set->P[set->active[slot].row + r], &record->la[r],
                    &alpha_contact(s, j)->la_bar[r]);
        }
    }
}
