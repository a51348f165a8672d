// What the Lobatto scheme keeps from step to step and its scratch, at the start of a motion and
// where inputs jump.
#include <string.h>

#include "schemes/lobatto.h"
#include "schemes/lobatto_step.h"
#include "system/frequency.h"

// --- what it keeps ---

static int own_size(const System* sys, int n_stages) {
    return 2 + n_stages * (sys->nu + sys->nla_g);
}

StateRoom lobatto_room(const System* sys) {
    return (StateRoom){.n_own = own_size(sys, STAGES_MAX),
                       .n_own_contact = sizeof(LobattoContact) / sizeof(double)};
}

LobattoOwn lobatto_own(const System* sys, const State* s, int n_stages) {
    LobattoOwn own = {.dt = s->own, .omega = s->own + 1};
    double* at = s->own + 2;
    for (int j = 0; j < n_stages; j++, at += sys->nu) {
        own.a[j] = at;
    }
    for (int j = 0; j < n_stages; j++, at += sys->nla_g) {
        own.la_g[j] = at;
    }
    return own;
}

LobattoContact* lobatto_contact(const State* s, long long record) {
    return (LobattoContact*)(void*)s->own_contact + record;
}

// --- scratch ---

Status lobatto_create(const System* sys, const Properties* properties, Arena* arena,
                      void** scratch) {
    LobattoScratch* m = ARENA_NEW(arena, 1, LobattoScratch);
    *scratch = m;
    if (m == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    m->sys = sys;
    bool ok = true;
    for (int s = 2; s <= STAGES_MAX; s++) {
        m->tableau[s] = lobatto_tableau(s);
    }
    for (int j = 0; j < STAGES_MAX && ok; j++) {
        m->h[j] = ARENA_NEW(arena, sys->nu, double);
        m->X[j] = ARENA_NEW(arena, sys->nu, double);
        m->R_g[j] = ARENA_NEW(arena, sys->nla_g, double);
        m->R[j] = ARENA_NEW(arena, sys->most_rows, double);
        ok = instant_create(sys, properties, arena, &m->stages[j]) == STATUS_OK &&
             m->h[j] != NULL && m->X[j] != NULL && m->R_g[j] != NULL && m->R[j] != NULL;
    }
    for (int j = 0; j < STAGES_MAX_FORCES && ok; j++) {
        m->r[j] = ARENA_NEW(arena, sys->nu, double);
        ok = m->r[j] != NULL && joint_set_create(sys, arena, &m->own_joints[j]) == STATUS_OK &&
             contact_set_create(sys, arena, &m->own_sets[j]) == STATUS_OK;
    }
    m->solution = ARENA_NEW(arena, STAGES_MAX_FORCES * (sys->nu + sys->nla_g), double);
    m->sum = ARENA_NEW(arena, sys->nu, double);
    m->solve = ARENA_NEW(arena, SYSTEM_MASS_SCRATCH * sys->nu, double);
    m->considered = ARENA_NEW(arena, sys->most_laws, bool);
    m->slides = ARENA_NEW(arena, sys->most_laws, bool);
    ok = ok && m->solution != NULL && m->sum != NULL && m->solve != NULL && m->considered != NULL &&
         m->slides != NULL;
    return ok ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

Status lobatto_prepare(const double* p, Arena* arena, void* scratch) {
    LobattoScratch* m = scratch;
    const int n_stages = (int)p[m->sys->solver + SOLVER_STAGES];
    StageMatrix** matrix = &m->matrix[n_stages];
    return *matrix != NULL ? STATUS_OK
                           : stage_matrix_create(m->sys, &m->stages[0], n_stages, arena, matrix);
}

void lobatto_destroy(void* scratch) {
    LobattoScratch* m = scratch;
    for (int s = 0; m != NULL && s <= STAGES_MAX; s++) {
        stage_matrix_destroy(m->matrix[s]);
    }
}

// --- the start of a motion, and jumps ---

double lobatto_stable(int n_stages) {
    static const double STABLE[STAGES_MAX + 1] = {[2] = 2.0, [3] = 2.828, [4] = 3.112, [5] = 3.140};
    return STABLE[n_stages];
}

// The highest frequency of springs and elastic bodies, by a bound that is simple unless it would
// make steps too long
static double highest_frequency(const StepInput* in, const LobattoScratch* m, const State* s) {
    const System* sys = in->sys;
    Workspace* w = in->w;
    const double bound = system_frequency_bound(sys, &w->present, m->solve);
    if (bound * s->head->dt <= lobatto_stable((int)s->p[sys->solver + SOLVER_STAGES])) {
        return bound;
    }
    joint_set_evaluate(sys, &w->present, false, &w->joints);
    newton_matrix_forget(w->matrix);
    const Status status =
        newton_matrix_factor(sys, &w->present, &w->joints, &(MatrixTerms){0}, w->matrix);
    return status == STATUS_OK ? system_frequency(sys, &w->present, w->matrix, bound, m->solution)
                               : bound;
}

// Accelerations and forces are the same at all stages of a step before.
static void keep_constant(const StepInput* in, const double* a, const double* la_g,
                          const LobattoScratch* m, State* s) {
    const System* sys = in->sys;
    const int n_stages = (int)s->p[sys->solver + SOLVER_STAGES];
    const LobattoOwn own = lobatto_own(sys, s, n_stages);
    *own.dt = s->head->dt;
    *own.omega = highest_frequency(in, m, s);
    for (int j = 0; j < n_stages; j++) {
        memcpy(own.a[j], a, bytes(sys->nu));
        memcpy(own.la_g[j], la_g, bytes(sys->nla_g));
        for (long long i = 0; i < s->head->n_records; i++) {
            memcpy(lobatto_contact(s, i)->la[j], s->records[i].la, sizeof s->records[i].la);
        }
    }
}

void lobatto_start(const StepInput* in, const double* a, State* s, void* scratch) {
    const System* sys = in->sys;
    s->head->n_own = own_size(sys, (int)s->p[sys->solver + SOLVER_STAGES]);
    s->head->n_own_contact = lobatto_room(sys).n_own_contact;
    memset(s->own, 0, bytes((int)s->head->n_own));
    for (long long i = 0; i < s->head->n_records; i++) {
        *lobatto_contact(s, i) = (LobattoContact){.la = {{0.0}}};
    }
    keep_constant(in, a, s->la_g, scratch, s);
}

void lobatto_jump(const StepInput* in, const double* a, const double* la_g, State* s,
                  void* scratch) {
    const ContactSet* set = &in->w->contacts;
    memcpy(s->la_g, la_g, bytes(in->sys->nla_g));
    for (long long i = 0; i < s->head->n_records; i++) {
        ContactRecord* record = &s->records[i];
        const int slot = set->slot[record->key];
        const int n = slot >= 0 ? contact_law_rows(&set->active[slot].form) : 0;
        for (int r = 0; r < n; r++) {
            record->la[r] = set->P[set->active[slot].row + r];
        }
    }
    keep_constant(in, a, la_g, scratch, s);
}
