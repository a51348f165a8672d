#include "schemes/velocity_step.h"

#include <string.h>

bool velocity_step_is_linear(const System* sys) {
    return sys->n_joints == 0 && !sys->position_dependent && !sys->velocity_dependent;
}

StateRoom velocity_step_room(const System* sys) {
    return (StateRoom){.n_own = velocity_step_is_linear(sys) ? 0 : 3 + 2 * (sys->nu + sys->nla_g)};
}

VelocityOwn velocity_own(const System* sys, const State* s) {
    double* at = s->own;
    return (VelocityOwn){.n_smooth = at,
                         .regular = at + 1,
                         .contradict = at + 2,
                         .u_change = at + 3,
                         .u_bend = at + 3 + sys->nu,
                         .P_g_change = at + 3 + 2 * (ptrdiff_t)sys->nu,
                         .P_g_bend = at + 3 + 2 * (ptrdiff_t)sys->nu + sys->nla_g};
}

Status velocity_scratch_create(const System* sys, const Properties* properties, Arena* arena,
                               void** scratch) {
    VelocityScratch* m = ARENA_NEW(arena, 1, VelocityScratch);
    *scratch = m;
    if (m == NULL || instant_create(sys, properties, arena, &m->middle) != STATUS_OK ||
        instant_create(sys, properties, arena, &m->end) != STATUS_OK ||
        projection_create(sys, arena, &m->projection) != STATUS_OK ||
        joint_set_create(sys, arena, &m->directions) != STATUS_OK) {
        return STATUS_OUT_OF_MEMORY;
    }
    m->h = ARENA_NEW(arena, sys->nu, double);
    m->r = ARENA_NEW(arena, sys->nu, double);
    m->change = ARENA_NEW(arena, sys->nu, double);
    m->u_0 = ARENA_NEW(arena, sys->nu, double);
    m->c = ARENA_NEW(arena, sys->nu, double);
    m->jump = ARENA_NEW(arena, sys->nu, double);
    m->q_1 = ARENA_NEW(arena, sys->nq, double);
    m->q_theta = ARENA_NEW(arena, sys->nq, double);
    m->solve = ARENA_NEW(arena, SYSTEM_MASS_SCRATCH * sys->nu, double);
    m->P_g = ARENA_NEW(arena, sys->nla_g, double);
    m->redundant = ARENA_NEW(arena, sys->nla_g, int);
    m->counts = ARENA_NEW(arena, sys->nla_g, bool);
    const int n_vectors = velocity_joint_vectors(sys);
    m->joint_basis =
        n_vectors > 0 ? ARENA_NEW(arena, n_vectors * sys->nla_g + sys->nu, double) : NULL;
    return (n_vectors == 0 || m->joint_basis != NULL) && m->h != NULL && m->r != NULL &&
                   m->change != NULL && m->u_0 != NULL && m->c != NULL && m->jump != NULL &&
                   m->q_1 != NULL && m->q_theta != NULL && m->solve != NULL && m->P_g != NULL &&
                   m->redundant != NULL && m->counts != NULL
               ? STATUS_OK
               : STATUS_OUT_OF_MEMORY;
}

void velocity_step_start(const System* sys, State* s) {
    s->head->n_own = velocity_step_room(sys).n_own;
    s->head->n_own_contact = 0;
    memset(s->own, 0, (size_t)s->head->n_own * sizeof(double));
}

// Those of bodies alone take none, where joints and other forces do not act on them.
static bool takes_no_places(const System* sys) {
    return sys->n_joints == 0 && sys->n_forces == 0 && !sys->position_dependent;
}

VelocityStep velocity_step_begin(const StepInput* in, const State* s, double theta, void* scratch) {
    VelocityScratch* m = scratch;
    m->n_redundant = 0;
    for (int i = 0; i < in->sys->nu; i++) {
        m->u_0[i] = (1.0 - theta) * in->u_start[i];
        m->c[i] = 0.0;
    }
    return (VelocityStep){.sys = in->sys,
                          .in = in,
                          .s = s,
                          .w = in->w,
                          .m = m,
                          .linear = velocity_step_is_linear(in->sys),
                          .placeless = takes_no_places(in->sys),
                          .theta = theta,
                          .kappa = in->dt,
                          .k = theta,
                          .energy_n = system_kinetic_energy_of(in->sys, &in->w->present, s->u)};
}
