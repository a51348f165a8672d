// The stages of a step of the Lobatto scheme at an iterate: first guess, active laws, positions,
// velocities, forces and rows.
#include <math.h>
#include <string.h>

#include "schemes/lobatto_step.h"

// --- first guess ---

// weights (s) of the values at the nodes c in that of their polynomial at tau
static void lagrange(const Stages* stages, double tau, double* weights) {
    for (int i = 0; i < stages->s; i++) {
        weights[i] = 1.0;
        for (int k = 0; k < stages->s; k++) {
            if (k != i) {
                weights[i] *= (tau - stages->c[k]) / (stages->c[i] - stages->c[k]);
            }
        }
    }
}

// y (n) = factor sum of weights and values
static void combine(int n_stages, const double* weights, double factor, int n,
                    double* const* values, double* y) {
    memset(y, 0, bytes(n));
    for (int j = 0; j < n_stages; j++) {
        for (int i = 0; i < n; i++) {
            y[i] += factor * weights[j] * values[j][i];
        }
    }
}

void lobatto_predict(const LobattoStep* step) {
    const System* sys = step->sys;
    const Stages* stages = step->stages;
    const LobattoScratch* m = step->m;
    const double ratio = *step->own.dt > 0.0 ? step->dt / *step->own.dt : 0.0;
    const double dt = *step->own.dt > 0.0 ? step->dt : 0.0;  // no guess: all is zero
    for (int j = 0; j < stages->n; j++) {
        double weights[STAGES_MAX];
        lagrange(stages, 1.0 + ratio * stages->c[j], weights);
        combine(stages->s, weights, dt, sys->nu, step->own.a, m->X[j]);
        combine(stages->s, weights, dt, sys->nla_g, step->own.la_g, m->R_g[j]);
        memset(m->R[j], 0, bytes(sys->nla_c));
        for (long long i = 0; i < step->s->head->n_records; i++) {
            const LobattoContact* contact = lobatto_contact(step->s, i);
            const Link* link = &sys->laws[step->s->records[i].key];
            for (int r = 0; r < link->la.n; r++) {
                for (int k = 0; k < stages->s; k++) {
                    m->R[j][link->la.at + r] += dt * weights[k] * contact->la[k][r];
                }
            }
        }
    }
}

// --- active laws ---

// The active laws of all stages are those considered, with the forces of the iterate.
static void activate(LobattoStep* step) {
    const System* sys = step->sys;
    for (int j = 0; j < step->stages->s; j++) {
        ContactSet* set = step->sets[j];
        int n = 0;
        for (int k = 0; k < sys->n_laws; k++) {
            if (step->m->considered[k]) {
                set->chosen[n++] = k;
            }
        }
        contact_set_choose(sys, step->s->p, step->dt, n, set);
        for (int i = 0; i < n && j < step->stages->n; i++) {
            const ActiveLaw* active = &set->active[i];
            memcpy(set->P + active->row, step->m->R[j] + active->link->la.at,
                   bytes(contact_law_rows(&active->form)));
        }
    }
}

// Is friction that of LO (57) as it is?
static bool follows_stages(const LobattoStep* step) {
    return step->s->p[step->sys->solver + SOLVER_STAGE_FRICTION] == STAGE_FRICTION_STAGES;
}

void lobatto_choose_laws(LobattoStep* step) {
    const System* sys = step->sys;
    bool* considered = step->m->considered;
    const bool by_stages = follows_stages(step);
    for (int k = 0; k < sys->n_laws; k++) {
        const Link* link = &sys->laws[k];
        const ContactState state = record_state(state_record(step->s, k));
        considered[k] = link->bound >= 0 ? step->s->p[link->bound] > 0.0 : state != CONTACT_OPEN;
        step->m->slides[k] =
            !by_stages && link->bound < 0 && state == CONTACT_SLIP && link->la.n > 2;
    }
    activate(step);
}

bool lobatto_close_contacts(LobattoStep* step) {
    const System* sys = step->sys;
    bool* considered = step->m->considered;
    bool any = false;
    for (int k = 0; k < sys->n_contacts; k++) {
        for (int i = 1; i < step->stages->s && !considered[k] && !step_holds_open(step->in, k);
             i++) {
            considered[k] = !(system_gap(&step->m->stages[i], &sys->laws[k]) > 0.0);
            any = any || considered[k];
        }
    }
    if (any) {
        for (int j = 0; j < step->stages->n; j++) {  // the forces of those that are active already
            const ContactSet* set = step->sets[j];
            for (int i = 0; i < set->n; i++) {
                const ActiveLaw* active = &set->active[i];
                memcpy(step->m->R[j] + active->link->la.at, set->P + active->row,
                       bytes(contact_law_rows(&active->form)));
            }
        }
        activate(step);
        for (int i = 0; i < step->stages->s; i++) {
            contact_set_evaluate(&step->m->stages[i], false, step->sets[i]);
        }
    }
    return any;
}

StageProblem lobatto_problem(const LobattoStep* step, const PercussionTask* task) {
    return (StageProblem){.sys = step->sys,
                          .stages = step->stages,
                          .dt = step->dt,
                          .instants = step->m->stages,
                          .sets = step->sets,
                          .by_stages = follows_stages(step),
                          .slides = step->m->slides,
                          .matrix = step->matrix,
                          .task = task,
                          .pool = &step->w->pool};
}

// --- the stages ---

// (47d): V_i = u_n + sum of a_hat_ij X_j; where prescribed motions jump at t, u_n is the velocity
// right after that.
static void set_velocities(const LobattoStep* step) {
    const Stages* stages = step->stages;
    for (int i = 0; i < stages->s; i++) {
        double* V = step->m->stages[i].u;
        memcpy(V, step->in->u_start, bytes(step->sys->nu));
        for (int l = 0; l < stages->n; l++) {
            const double* X = step->m->X[l];
            for (int k = 0; k < step->sys->nu; k++) {
                V[k] += stages->a_hat[i][l] * X[k];
            }
        }
    }
}

// Frames, rows and forces at stage i. The first one has the place of the start.
static void evaluate_stage(const LobattoStep* step, int i) {
    const System* sys = step->sys;
    Instant* stage = &step->m->stages[i];
    JointSet* joints = i < step->stages->n ? &step->m->own_joints[i] : &step->w->joints;
    const bool moves = i > 0 || !step->evaluated;
    if (moves) {
        stage->t =
            i < step->stages->n ? step->in->t + step->stages->c[i] * step->dt : step->in->t_1;
        instant_evaluate(sys, step->s, stage);
        joint_set_evaluate(sys, stage, false, joints);
        contact_set_evaluate(stage, false, step->sets[i]);
    } else if (sys->velocity_dependent || sys->nonholonomic || sys->n_laws > 0) {
        instant_evaluate_velocities(sys, stage);
        joint_set_evaluate_velocities(sys, stage, joints);
        contact_set_evaluate_velocities(stage, step->sets[i]);
    }
    const bool changes = (i > 0 && sys->position_dependent) || sys->velocity_dependent;
    if (i < step->stages->n && (changes || !step->evaluated)) {
        system_forces(sys, stage, step->m->h[i]);
    }
}

void lobatto_evaluate(LobattoStep* step) {
    profile_enter(&step->w->profile, PROFILE_EVALUATE);
    profile_count(&step->w->profile, COUNT_EVALUATIONS, step->stages->n);
    memcpy(step->m->stages[0].q, step->s->q, bytes(step->sys->nq));
    set_velocities(step);
    stages_collocate(step->sys, step->stages, step->dt, step->m->stages);  // (47c)
    for (int i = 0; i < step->stages->s; i++) {
        evaluate_stage(step, i);
    }
    step->evaluated = true;
}

void lobatto_dynamics(LobattoStep* step) {
    const System* sys = step->sys;
    const LobattoScratch* m = step->m;
    for (int j = 0; j < step->stages->n; j++) {
        double* r = m->r[j];
        system_mass_multiply(sys, &m->stages[j], m->X[j], r);
        for (int i = 0; i < sys->nu; i++) {
            r[i] -= step->dt * m->h[j][i];
        }
        joint_set_add(sys, step->joints[j], -1.0, m->R_g[j], r);
    }
}
