#include "system/workspace.h"

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
    return w->saddle != NULL ? system_record_pattern(sys, w) : STATUS_OUT_OF_MEMORY;
}

static bool is_planar(const System* sys) {
    bool planar = true;
    for (int i = 0; i < sys->n_bodies; i++) {
        planar = planar && !sys->bodies[i]->kind->body->spatial;
    }
    return planar;
}

Status workspace_create(const System* sys, Arena* arena, Workspace* w) {
    const size_t nq = (size_t)sys->nq;
    const size_t nu = (size_t)sys->nu;
    const size_t n_g = (size_t)sys->nla_g;
    const size_t n = (size_t)sys->n_laws;
    const size_t m = (size_t)sys->nla_c;
    bool ok = true;
    *w = (Workspace){
        .p = doubles(arena, (size_t)sys->n_parameters, &ok),  // until there is a state
        .M = doubles(arena, (size_t)sys->n_mass, &ok),
        .M_inverse = doubles(arena, (size_t)sys->n_mass, &ok),
        .M_diagonal = doubles(arena, nu, &ok),
        .markers = ARENA_NEW(arena, sys->n_markers, Marker),
        .planar = is_planar(sys),
        .frames = ARENA_NEW(arena, sys->n_frames + 1, Frame),
        .signals = ARENA_NEW(arena, sys->n_signals, Jet),
        .symbols = ARENA_NEW(arena, sys->n_user_parameters + sys->n_inputs, Jet),
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
        .alpha = alpha_scratch(sys, arena, &ok),
        .backup = arena_alloc(arena, 1, state_size(sys)),
    };
    void* block = arena_alloc(arena, 1, contact_scratch_size((int)n, (int)m));
    if (block == NULL) {
        return STATUS_OUT_OF_MEMORY;
    }
    w->contact_scratch = contact_scratch_lay(block, (int)n, (int)m);
    ok = ok && w->markers != NULL && w->frames != NULL && w->signals != NULL &&
         w->symbols != NULL && w->joint_rows != NULL && w->rows != NULL && w->directions != NULL &&
         w->laws != NULL && w->backup != NULL;
    if (!ok) {
        return STATUS_OUT_OF_MEMORY;
    }
    w->frames[sys->n_frames] = (Frame){.R = MAT3_IDENTITY};  // the ground
    return create_saddle(sys, arena, w);
}

void workspace_destroy(Workspace* w) { saddle_destroy(w->saddle); }
