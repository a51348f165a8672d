// The scheme of Schatzman and Paoli, PR (20) to (22). With v = (q_1 - q_n) / dt and v_n that of the
// last step it is the step of velocity_step.h with laws on positions:
//   M (v - v_n) - dt h(t_theta, q_theta, u_theta) = W_g P_g + W(q_e) P             (20a)
//   u_1 = (v + v_n) / 2                                                            (20b)
//   g(q_1) = 0 for joints,  0 <= g(q_e) _|_ P >= 0,  q_e = (q_1 + e q_n-1) / (1+e)  (22)
// The contact problem sees the gaps as velocities, (1+e) g(q_e) / dt. After a step of another
// length dt_n, dt in (20a) is (dt + dt_n) / 2, and u_1 the mean velocity over both.
#include "schemes/schatzman_paoli.h"

#include <math.h>
#include <string.h>

#include "schemes/activation.h"
#include "schemes/settings.h"

// What is kept from step to step, after the first guess of the velocity step
typedef struct PaoliOwn {
    double* v_n;   // (nu) at the start of a motion: accelerations
    double* dt_n;  // (1) at the start of a motion: 0
} PaoliOwn;

static PaoliOwn paoli_own(const System* sys, const State* s) {
    double* v_n = s->own + velocity_step_room(sys).n_own;
    return (PaoliOwn){v_n, v_n + sys->nu};
}

StateRoom schatzman_paoli_room(const System* sys) {
    StateRoom room = velocity_step_room(sys);
    room.n_own += sys->nu + 1;
    return room;
}

// Within a step
typedef struct PaoliScratch {
    void* velocity;  // that of the step on velocity level
    double* v_n;     // (nu)
    Instant at_e;    // at q_e ...
    double e;        // ... of contacts with this e
} PaoliScratch;

Status schatzman_paoli_create(const System* sys, const Properties* properties, Arena* arena,
                              void** scratch) {
    PaoliScratch* paoli = ARENA_NEW(arena, 1, PaoliScratch);
    *scratch = paoli;
    if (paoli == NULL || instant_create(sys, properties, arena, &paoli->at_e) != STATUS_OK) {
        return STATUS_OUT_OF_MEMORY;
    }
    paoli->v_n = ARENA_NEW(arena, sys->nu, double);
    return paoli->v_n != NULL ? velocity_scratch_create(sys, properties, arena, &paoli->velocity)
                              : STATUS_OUT_OF_MEMORY;
}

void schatzman_paoli_start(const StepInput* in, const double* a, State* s, void* scratch) {
    (void)scratch;
    velocity_step_start(in->sys, s);
    s->head->n_own = schatzman_paoli_room(in->sys).n_own;
    const PaoliOwn own = paoli_own(in->sys, s);
    memcpy(own.v_n, a, (size_t)in->sys->nu * sizeof(double));
    *own.dt_n = 0.0;
}

// Does a joint or contact have friction, between any materials?
static bool rubs(const Element* element, const double* p) {
    const ElementKind* kind = element->kind;
    const double* own = p + element->p.at;
    if (kind->role != ROLE_CONTACT) {
        return kind->friction != NULL && own[kind->friction_bound] > 0.0;
    }
    bool any = element->n_pairs == 0 && own[FRICTION_COEFFICIENT] > 0.0;
    for (int i = 0; i < element->n_pairs; i++) {
        any = any || p[element->pairs[i].p[FRICTION_COEFFICIENT]] > 0.0;
    }
    return any;
}

const Element* schatzman_paoli_refuses(const System* sys, const double* p, const char** why) {
    *why = "it has no law of friction";
    for (int i = 0; i < sys->n_elements; i++) {
        if (rubs(&sys->elements[i], p)) {
            return &sys->elements[i];
        }
    }
    return NULL;
}

// --- laws on positions ---

// The iterate has changed: no instant is at its q_e.
static void forget_q_e(const VelocityStep* step) {
    static const double NO_RESTITUTION_YET = -1.0;
    PaoliScratch* paoli = step->positions->scratch;
    paoli->e = NO_RESTITUTION_YET;
}

// The instant at q_e of a contact; most contacts have the same e as the one before.
static const Instant* at_q_e(const VelocityStep* step, double e) {
    PaoliScratch* paoli = step->positions->scratch;
    Instant* at_e = &paoli->at_e;
    if (paoli->e != e) {
        const double part = step->positions->dt_n / step->in->dt;
        for (int i = 0; i < step->sys->nu; i++) {
            at_e->u[i] = (step->m->end.u[i] - e * part * paoli->v_n[i]) / (1.0 + e);
        }
        system_move(step->sys, step->s->q, step->in->dt, at_e->u, at_e->q);
        at_e->t = step->in->t_1;
        instant_evaluate(step->sys, step->s, at_e);
        paoli->e = e;
    }
    return at_e;
}

// There is none in the first step for what parts there: before the start it would have been inside.
static double restitution(const VelocityStep* step, const Link* link) {
    const bool first = *paoli_own(step->sys, step->s).dt_n == 0.0;
    const bool parts = step->w->gamma[link->la.at] > 0.0;
    return first && parts ? 0.0 : link_parameter(link, step->s->p, NORMAL_RESTITUTION);
}

// With v = 0 the law asks for a velocity of -(g(q_n) + e g(q_n-1)) / dt. In a part of a step, which
// may be as short as one likes, that is out of all proportion to the motion where contacts
// penetrate by what a whole step leaves: they part with e times their velocity and with what leads
// out in a whole step, at most. What the law asks for beyond that; 0 in steps of equal length.
static double excess_velocity(const VelocityStep* step, const ActiveLaw* active, double e) {
    const double g_n = step->w->g_N[active->law];
    double v_n[LAW_MAX_ROWS];
    active_dot(active, step->positions->v_n, v_n);
    const double asked = (e * step->positions->dt_n * v_n[0] - (1.0 + e) * g_n) / step->in->dt;
    const double most = e * fabs(v_n[0]) + (1.0 + e) * larger(-g_n, 0.0) / step->s->head->dt;
    return asked > most ? asked - most : 0.0;
}

static void evaluate_laws(const VelocityStep* step) {
    const System* sys = step->sys;
    const double dt = step->in->dt;
    const bool whole = dt >= step->positions->dt_n && dt >= step->s->head->dt;
    ContactSet* set = &step->w->contacts;
    JointSet* joints = &step->w->joints;
    forget_q_e(step);
    for (int i = 0; i < sys->n_joints; i++) {
        const Link* joint = &sys->joints[i];
        for (int r = 0; r < joint->rows->n_position_rows; r++) {
            joints->g_dot[joint->la.at + r] = joints->joints[i].g[r] / dt;
        }
    }
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        const double e = restitution(step, active->link);
        // without restitution nothing penetrates but by rounding
        const bool regular =
            whole || link_parameter(active->link, step->s->p, NORMAL_RESTITUTION) == 0.0;
        contact_set_evaluate_law(at_q_e(step, e), false, i, set);
        set->gamma[active->row] =
            (1.0 + e) * active->g[0] / dt + (regular ? 0.0 : excess_velocity(step, active, e));
    }
}

// Closed if it is active already or g(q_e) <= 0
static double forecast_q_e(const VelocityStep* step, int law) {
    const Link* link = &step->sys->laws[law];
    if (step->w->contacts.slot[law] >= 0) {
        return 0.0;
    }
    return system_gap(at_q_e(step, restitution(step, link)), link);
}

// --- a step ---

// (20b) is the velocity at the start of the step. Impacts that are located want that at its end:
// extrapolated from v_n and v where contacts are held open, otherwise v, which no impact lags
// behind.
static double velocity_weight(const StepInput* in, const State* s, double dt_n) {
    const double weight = in->dt / (in->dt + dt_n);
    if (in->held_open != NULL) {
        return 1.0 + weight;
    }
    return s->p[in->sys->solver + SOLVER_LOCATE_IMPACTS] > 1.0 ? 1.0 : weight;
}

static VelocityStep begin(const StepInput* in, State* s, void* scratch, PositionLaws* positions) {
    const double dt = in->dt;
    const PaoliOwn own = paoli_own(in->sys, s);
    const bool first = *own.dt_n == 0.0;
    const double dt_n = first ? dt : *own.dt_n;
    PaoliScratch* paoli = scratch;
    VelocityStep step =
        velocity_step_begin(in, s, s->p[in->sys->solver + SOLVER_THETA], paoli->velocity);
    step.kappa = 0.5 * (dt + dt_n);
    step.k = 1.0;
    for (int i = 0; i < in->sys->nu; i++) {
        // a motion with constant acceleration before the start
        const double v_n = first ? s->u[i] - 0.5 * dt * own.v_n[i] : own.v_n[i];
        paoli->v_n[i] = v_n;
        step.m->c[i] = v_n - s->u[i];
        step.m->u_0[i] = 0.0;
    }
    *positions = (PositionLaws){.v_n = paoli->v_n,
                                .dt_n = dt_n,
                                .weight = velocity_weight(in, s, dt_n),
                                .evaluate = evaluate_laws,
                                .scratch = paoli};
    step.positions = positions;
    return step;
}

// Does any contact press?
static bool presses(const ContactSet* set) {
    bool any = false;
    for (int i = 0; i < set->n && !any; i++) {
        any = set->P[set->active[i].row] > 0.0;
    }
    return any;
}

// The velocity at the end becomes that of the state: u_1 instead of v. Velocities over an impact
// cannot be extrapolated.
static Status commit(VelocityStep* step, State* s, SolveInfo* info) {
    const PaoliOwn own = paoli_own(step->sys, s);
    VelocityScratch* m = step->m;
    const double asked = step->positions->weight;
    const double weight = asked > 1.0 && presses(&step->w->contacts) ? 1.0 : asked;
    memcpy(m->change, m->end.u, (size_t)step->sys->nu * sizeof(double));
    for (int i = 0; i < step->sys->nu; i++) {
        m->end.u[i] = weight * m->end.u[i] + (1.0 - weight) * step->positions->v_n[i];
    }
    instant_evaluate(step->sys, s, &m->end);
    contact_set_evaluate(&m->end, false, &step->w->contacts);
    const Status status = velocity_commit(step, s, info);
    if (status == STATUS_OK) {
        memcpy(own.v_n, m->change, (size_t)step->sys->nu * sizeof(double));
        *own.dt_n = step->in->dt;
    }
    return status;
}

Status schatzman_paoli_step(const StepInput* in, State* s, void* scratch, SolveInfo* info) {
    PositionLaws positions;
    VelocityStep step = begin(in, s, scratch, &positions);
    *info = (SolveInfo){0};
    activation_choose(&step, forecast_open);
    do {
        info->activation_iterations++;
        Status status = velocity_first_update(&step, info);
        if (status == STATUS_OK) {
            status = velocity_iterate(&step, info);
        }
        if (status != STATUS_OK) {
            return status;
        }
        forget_q_e(&step);
    } while (activation_add_contacts(&step, forecast_q_e));
    return commit(&step, s, info);
}
